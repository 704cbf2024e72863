import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate that is signed by its own key, in DER as RFC 5280 has it: no program and no file of a key is needed. */

function der(tag: number, ...parts: readonly (Uint8Array | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const objectId = (...bytes: readonly number[]) => der(0x06, [...bytes])
const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const commonName = objectId(0x55, 0x04, 0x03)
const alternativeNames = objectId(0x55, 0x1d, 0x11)
const basicConstraints = objectId(0x55, 0x1d, 0x13)
const utcTime = (year: number) => der(0x17, Buffer.from(`${String(year % 100).padStart(2, '0')}0101000000Z`))

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END ${label}-----\n`
}

export function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** A certificate for `localhost` and 127.0.0.1 with its key, in PEM. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('localhost')))))
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, [127, 0, 0, 1]))
  const extensions = sequence(
    sequence(basicConstraints, der(0x01, [0xff]), der(0x04, sequence(der(0x01, [0xff])))),
    sequence(alternativeNames, der(0x04, names)),
  )
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    ecdsaWithSha256,
    name,
    sequence(utcTime(2020), utcTime(2049)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  return { cert: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, der(0x03, [0], signature))), key: privatePem(privateKey) }
}
