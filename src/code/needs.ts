import type { Catalogue } from '../actions/catalogue.ts'
import { type Need, nameOfOperation, needsOfCallTo } from '../calls/apply.ts'
import type { CallContext } from '../calls/judge.ts'
import type { Routes } from '../calls/match.ts'
import { keyOf } from '../keys.ts'
import type { CodeCall, CodeGap } from './calls.ts'

/** An action that the calls of a program need. */
export interface CodeNeed extends Need {
  /** The calls that need it, in the order of files and places. */
  readonly uses: readonly CodeUse[]
}

/** A call of a program, with the operation that it is. */
export interface CodeUse {
  readonly call: CodeCall
  /** `GET /vps/{serviceName}`. */
  readonly operation: string
}

export interface CodeNeeds {
  readonly needs: readonly CodeNeed[]
  readonly gaps: readonly CodeGap[]
  /** Every call with its operation. */
  readonly uses: readonly CodeUse[]
  /** Calls that need no action of a policy: those that list, and those that a session is enough for. */
  readonly free: readonly CodeUse[]
}

/** The actions that calls need, each once for each resource. `about`: who makes them. */
export function needsOfCode(
  calls: readonly CodeCall[],
  routes: Routes,
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
  about: CallContext,
): CodeNeeds {
  const needs = new Map<string, { need: Need; uses: CodeUse[] }>()
  const gaps: CodeGap[] = []
  const uses: CodeUse[] = []
  const free: CodeUse[] = []
  const needsByCall = new Map<string, ReturnType<typeof needsOfCallTo>>()
  for (const call of calls) {
    const { method, branch, words } = call.call
    const key = keyOf(method, branch ?? '', ...words)
    const callNeeds = needsByCall.get(key) ?? needsOfCallTo(call.call, routes, catalogue, about)
    needsByCall.set(key, callNeeds)
    const use = { call, operation: callNeeds.operation ? nameOfOperation(callNeeds.operation) : call.shown }
    uses.push(use)
    for (const why of callNeeds.gaps) gaps.push({ at: call.at, language: call.language, shown: call.shown, why })
    if (callNeeds.needs.length + callNeeds.gaps.length === 0) free.push(use)
    for (const need of callNeeds.needs) {
      const other = needs.get(keyOf(need.action, need.resource))
      if (!other) needs.set(keyOf(need.action, need.resource), { need, uses: [use] })
      else {
        other.uses.push(use)
        if (need.isCertain) other.need = need
      }
    }
  }
  return { needs: [...needs.values()].map(({ need, uses }) => ({ ...need, uses })), gaps, uses, free }
}
