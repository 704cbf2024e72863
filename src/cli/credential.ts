import type { CallContext } from '../calls/judge.ts'
import { readCredential } from '../parser/credential.ts'
import { field } from '../tree.ts'
import { readDocument, refuseErrors } from './document.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { Refusal } from './refusal.ts'

/**
 * The access rules of `--credential FILE`: of a request for a credential, or of what the service says of one. Nothing where
 * the option is not given. What is wrong with the file is refused, all of it at once.
 */
export async function readRules(options: Options, io: Io): Promise<Pick<CallContext, 'rules' | 'credentialState'>> {
  const path = options.text('credential')
  if (path === undefined) return {}
  const { name, document } = await readDocument('--credential', path, options, io)
  if (document?.kind !== 'map' || !(field(document, 'accessRules') ?? field(document, 'rules')))
    throw new Refusal(
      `--credential ${name}: holds no access rules`,
      'expected one request for a credential, with `accessRules`, or what the service says of one, with `rules`',
    )
  const { request, diagnostics } = readCredential(document)
  refuseErrors(diagnostics)
  const state = field(document, 'status')
  return { rules: request.rules, ...(state?.kind === 'text' && { credentialState: state.value }) }
}
