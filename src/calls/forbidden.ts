import { readAction } from '../actions/action.ts'
import { visible } from '../names.ts'
import type { Problem } from '../simulate/decision.ts'
import { field, type MapNode, type Node } from '../tree.ts'

/**
 * The gate that refused a call: the policies of the account; the access rules of a consumer key; or the authentication itself,
 * which does not carry an action, independent of the policies.
 */
export type ForbiddenGate = 'policies' | 'credential' | 'authentication'

/** The refusal of a call, as the service answered it with status 403. */
export interface Forbidden {
  readonly gate: ForbiddenGate
  readonly message: string
  /** The actions that the policies do not allow; empty where the service does not name them. */
  readonly actions: readonly string[]
  readonly byAuthentication: readonly string[]
}

export type ReadForbidden =
  | { readonly forbidden: Forbidden; readonly problem?: undefined }
  | { readonly forbidden?: undefined; readonly problem: Problem }

const notGranted = { policies: 'not granted for this request', credential: 'this call has not been granted' } as const

const expected =
  'expected what the service answers with status 403: `{"class": "Client::Forbidden", "message": "User not granted for this request"}` or `{"message": "This call has not been granted"}`'

/**
 * Read the body of a 403. Understood are the refusal by policies, `class` and `message` (documented), with the published
 * `details` that name the actions, and the refusal by access rules (published). Anything else is not guessed at.
 */
export function readForbidden(node: Node, brand: string): ReadForbidden {
  if (node.kind !== 'map') return { problem: { message: 'not an object', help: expected } }
  const message = textAt(node, 'message')
  if (message === undefined) return { problem: { message: '`message` is missing, or not a text', help: expected } }
  const name = field(node, 'class')
  const kind = name?.kind === 'text' ? name.value : undefined
  const said = message.toLowerCase()
  if (said.includes(notGranted.credential) && (name === undefined || kind === 'Client::Forbidden'))
    return { forbidden: { gate: 'credential', message, actions: [], byAuthentication: [] } }
  if (!said.includes(notGranted.policies) || kind !== 'Client::Forbidden') {
    const shown = kind === undefined ? '' : `class ${quote(kind)}, `
    return { problem: { message: `this is no refusal that is known: ${shown}message ${quote(message)}`, help: expected } }
  }
  const details = field(node, 'details')
  if (details !== undefined && details.kind !== 'map' && details.kind !== 'null')
    return { problem: { message: '`details` is not an object', help: expected } }
  const named = (key: string) => actionsAt(details?.kind === 'map' ? details : undefined, key, brand)
  const actions = named('unauthorizedActionsByIAM')
  const byAuthentication = named('unauthorizedActionsByAuthentication')
  if ('message' in actions) return { problem: actions }
  if ('message' in byAuthentication) return { problem: byAuthentication }
  const gate = actions.length === 0 && byAuthentication.length > 0 ? 'authentication' : 'policies'
  return { forbidden: { gate, message, actions, byAuthentication } }
}

/** Action names in a text, separated by commas; none where it is empty or missing. */
function actionsAt(details: MapNode | undefined, key: string, brand: string): readonly string[] | Problem {
  const node = details && field(details, key)
  if (node === undefined || node.kind === 'null') return []
  if (node.kind !== 'text') return { message: `\`details.${key}\` is not a text`, help: 'expected names of actions, separated by commas' }
  const names = node.value.split(',').flatMap((name) => name.trim() || [])
  const wrong = names.find((name) => readAction(name, brand).faults)
  if (wrong === undefined) return [...new Set(names)]
  return { message: `\`details.${key}\`: ${quote(wrong)} is no action`, help: 'expected names of actions, separated by commas' }
}

function textAt(node: MapNode, key: string): string | undefined {
  const value = field(node, key)
  return value?.kind === 'text' ? value.value : undefined
}

function quote(text: string): string {
  return `\`${visible(text.slice(0, 200))}\``
}
