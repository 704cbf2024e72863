import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Tls } from '../../emulator/server/http.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { readText, reason } from '../input/read-file.ts'

/** A certificate and its key in PEM, each with the option that gave it, for messages. */
interface GivenPem {
  readonly shown: string
  readonly text: string
}

/** The files of `--tls-cert` and `--tls-key`; undefined where neither is given. */
export function readTlsFiles(cert: string | undefined, key: string | undefined, io: Pick<Io, 'cwd'>): Tls | undefined {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new Refusal(
      cert === undefined ? '--tls-key is given without --tls-cert' : '--tls-cert is given without --tls-key',
      'a server needs both: the certificate that clients check, and its private key',
    )
  return checkedTls(pemOf('--tls-cert', cert, io), pemOf('--tls-key', key, io))
}

/** Links are followed: tools that renew certificates, and mounted secrets, consist of them. */
function pemOf(option: string, path: string, { cwd }: Pick<Io, 'cwd'>): GivenPem {
  const shown = `${option} ${path}`
  const { text, message } = readText(realPath(resolve(cwd, path), shown))
  if (text === undefined) throw new Refusal(`${shown}: ${message}`)
  return { shown, text }
}

function realPath(file: string, shown: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    throw new Refusal(`${shown}: ${reason(error)}`)
  }
}

/** A certificate and the key that belongs to it. Throws a refusal that says which of the two is wrong. */
export function checkedTls(cert: GivenPem, key: GivenPem): Tls {
  const certificate = certificateOf(cert)
  if (!certificate.checkPrivateKey(privateKeyOf(key)))
    throw new Refusal(
      `${key.shown}: not the private key of the certificate of ${cert.shown}`,
      'take the key that the certificate was made with; in a file of several certificates, the one of the server comes first',
    )
  const tls = { cert: cert.text, key: key.text }
  try {
    createSecureContext(tls)
  } catch (error) {
    throw new Refusal(`${cert.shown}: cannot be used for TLS: ${(error as Error).message}`)
  }
  return tls
}

function certificateOf({ shown, text }: GivenPem): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw new Refusal(`${shown}: no certificate in PEM`, 'expected a file with `-----BEGIN CERTIFICATE-----`')
  }
}

function privateKeyOf({ shown, text }: GivenPem): KeyObject {
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text))
    throw new Refusal(
      `${shown}: the private key is encrypted, and no passphrase can be given`,
      'write it without one: `openssl pkey -in FILE -out server.key`',
    )
  try {
    return createPrivateKey(text)
  } catch {
    throw new Refusal(`${shown}: no private key in PEM`, 'expected a file with `-----BEGIN PRIVATE KEY-----`')
  }
}
