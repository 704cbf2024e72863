import { callMethods } from '../../calls/match.ts'
import { matches } from '../../glob.ts'
import { decisionJson } from '../../report/decision.ts'
import type { NumberedCall } from '../model/call-log.ts'
import { quote } from '../model/errors.ts'
import { isReachable, pathPattern } from '../model/faults.ts'

/** A call that was made, as the control routes give it: what it needed, and the decision over each action. */
export function requestJson(call: NumberedCall) {
  const { number, record } = call
  if (!record) {
    const { at, method, path, status, why } = call.failure
    return { number, at, method, path, status, account: null, identity: null, ip: null, verdict: null, credential: null, actions: [], why }
  }
  const { at, method, path, status, account, identity, ip, verdict, credential } = record
  const actions = call.requirements.map(({ action, required, verdict, asked }) => ({
    action,
    resource: asked?.question.resource ?? null,
    required,
    ...(asked ? decisionJson(asked.decision) : { verdict }),
  }))
  return { number, at, method, path, status, account, identity, ip, verdict, credential, actions, why: null }
}

/** The fields of a search, each with what its value may be and whether a call has it. All of them have to fit. */
const searchFields: Readonly<
  Record<string, { readonly wrong: string; readonly test: (value: unknown) => ((call: NumberedCall) => boolean) | undefined }>
> = {
  method: {
    wrong: `is not one of ${callMethods.map(quote).join(', ')}`,
    test: (value) => (callMethods.some((each) => each === value) ? (call) => headOf(call).method === value : undefined),
  },
  path: {
    wrong: 'is no path of a call: it begins with its branch, as `/v1`, without region and query',
    test: (value) => {
      if (typeof value !== 'string' || !/^[/*]/.test(value) || !isReachable(value)) return undefined
      const pattern = pathPattern(value)
      return (call) => matches(pattern, headOf(call).path)
    },
  },
  status: {
    wrong: 'is not a number from 100 to 599',
    test: (value) =>
      Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599 ? (call) => headOf(call).status === value : undefined,
  },
  verdict: {
    wrong: 'is not `allow`, `deny`, `unknown` or null',
    test: (value) =>
      value === null || value === 'allow' || value === 'deny' || value === 'unknown'
        ? (call) => (call.record?.verdict ?? null) === value
        : undefined,
  },
  identity: {
    wrong: 'is not the URN of an identity',
    test: (value) => (typeof value === 'string' && value.startsWith('urn:') ? (call) => call.record?.identity === value : undefined),
  },
  action: {
    wrong: 'is not an action',
    test: (value) =>
      typeof value === 'string' && value !== ''
        ? (call) => call.record?.actions.some(({ action }) => action === value) === true
        : undefined,
  },
}

const headOf = (call: NumberedCall) => call.record ?? call.failure

/** Read a search as a client sends it: whether a call fits, or what is wrong with it, as a message. */
export function readSearch(fields: Readonly<Record<string, unknown>>): ((call: NumberedCall) => boolean) | string {
  const tests: ((call: NumberedCall) => boolean)[] = []
  for (const [name, value] of Object.entries(fields)) {
    const field = Object.hasOwn(searchFields, name) ? searchFields[name] : undefined
    if (!field) return `unknown field ${quote(name)}: the fields are ${Object.keys(searchFields).map(quote).join(', ')}`
    const fits = field.test(value)
    if (!fits) return `\`${name}\` ${field.wrong}`
    tests.push(fits)
  }
  return (call) => tests.every((fits) => fits(call))
}
