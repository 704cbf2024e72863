import { type CallFact, callFactText, distinctFacts } from '../../calls/facts.ts'
import { visible } from '../../names.ts'
import type { Origin, Reply } from './exchange.ts'

/** The document shows one error, the 403 of the policies; the others have its form and are labelled for what they are. */
export interface ErrorBody {
  readonly class: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

type Details = Readonly<Record<string, unknown>>

/** An error of any class: what is wrong, why it matters, what to do. */
export function failure(status: number, name: string, message: string, details?: Details, origin: Origin = 'inferred'): Reply {
  const body: ErrorBody = { class: name, message, ...(details && { details }) }
  return { status, origin, body }
}

/** 400: what was sent cannot be understood. */
export function badRequest(message: string, details?: Details): Reply {
  return failure(400, 'Client::BadRequest', message, details)
}

/** 404: there is nothing of that name, or nothing that the caller may see. */
export function notFound(message: string, details?: Details): Reply {
  return failure(404, 'Client::NotFound', message, details)
}

/** 409: it conflicts with what exists. */
export function conflict(message: string, details?: Details): Reply {
  return failure(409, 'Client::Conflict', message, details)
}

/** 405: the path is known, the method is not. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Reply {
  const list = [...allowed].sort().join(', ')
  const reply = failure(405, 'Client::MethodNotAllowed', `${quote(method)} is no method of this path: it has ${list}`)
  return { ...reply, headers: { allow: list } }
}

/** 501: the document does not show it, and no public fact settles it. */
export function notShown(message: string, details?: Details): Reply {
  return failure(501, 'StandIn::NotShown', message, details, 'stand-in')
}

/** 501: whether the call is allowed depends on facts that the emulator does not have. */
export function undecidedReply(facts: readonly CallFact[], details?: Details): Reply {
  const missing = distinctFacts(facts).map(callFactText)
  const message = `whether this call is allowed is not known: it depends on ${missing.map(quote).join(', ')}`
  return failure(501, 'StandIn::Unknown', message, { missing, ...details }, 'stand-in')
}

/** 401, as RFC 6750 has it for bearer tokens. `error` is left out where nothing was sent to authenticate with. */
export function unauthorised(message: string, error?: 'invalid_request' | 'invalid_token'): Reply {
  const challenge = error === undefined ? 'Bearer' : `Bearer error="${error}", error_description="${plainText(message)}"`
  return { ...failure(401, 'Client::Unauthorized', message), headers: { 'www-authenticate': challenge } }
}

/** 500: an error of the emulator. Nothing was changed. */
export function internalError(message: string): Reply {
  return failure(500, 'Server::InternalError', message, undefined, 'stand-in')
}

export function quote(text: string): string {
  return `\`${visible(text.length > 200 ? `${text.slice(0, 200)}…` : text)}\``
}

/** Text for a quoted part of a header, or a description of RFC 6749: printable ASCII without quotation marks and backslashes. */
export function plainText(text: string): string {
  return text.replace(/[^ -~]/g, '?').replace(/["\\]/g, "'")
}
