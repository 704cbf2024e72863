import type { CallContext } from '../../calls/judge.ts'
import { readCredential } from '../../parser/credential.ts'
import { readTree } from '../../parser/tree.ts'
import { sourceOf } from '../../source.ts'
import { field } from '../../tree.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { type NamedDocument, readDocument } from './document.ts'

/**
 * The access rules of `--credential FILE`: from a request for a credential, in any of its forms, or from the service's
 * description of one. None where the option is not given. All problems of the file are refused together.
 */
export async function readRules(
  options: Pick<Options<'call'>, 'credential' | 'policies'>,
  io: Io,
): Promise<Pick<CallContext, 'rules' | 'credentialState'>> {
  const path = options.credential
  if (path === undefined) return {}
  const { name, document } = isAddress(path) ? addressed(path) : await readDocument('--credential', path, options.policies, io)
  if (document?.kind !== 'map' || !(field(document, 'accessRules') ?? field(document, 'rules')))
    throw new Refusal(
      `--credential ${name}: contains no access rules`,
      'expected one request for a credential, with `accessRules`, or what the service says of one, with `rules`, or a list of rules, or the address of a page that makes a token',
    )
  const { request, diagnostics } = readCredential(document)
  refuseErrors(diagnostics)
  const state = field(document, 'status')
  return { rules: request.rules, ...(state?.kind === 'text' && { credentialState: state.value }) }
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** The address of a page that makes a token, given in place of a file. It is only parsed, not requested. */
function addressed(text: string): NamedDocument {
  const { documents, diagnostics } = readTree(sourceOf('--credential', text, 'rules'))
  refuseErrors(diagnostics)
  return { name: 'the address', document: documents[0] }
}
