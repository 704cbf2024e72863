import type { Fact } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'

/** Something that the answer to a call depends on and that is not known: a fact of a decision, or what the call itself is. */
export type CallFact =
  | Fact
  /** The actions that the call needs: no operation is known for it. */
  | { readonly kind: 'actions'; readonly method: string; readonly path: string }
  /** The resource that an action is about. */
  | { readonly kind: 'resource'; readonly action: string }
  /** `call`: which one it is at all. `path`: as the service compares it with the rules of a consumer key. */
  | { readonly kind: 'call' | 'branch' | 'operation' | 'path' }

/** The name of a fact, as reports print it. */
export function callFactText(fact: CallFact): string {
  switch (fact.kind) {
    case 'actions':
      return `actions(${fact.method} ${fact.path})`
    case 'resource':
      return `resource(${fact.action})`
    case 'path':
      return 'credential.path'
    case 'call':
    case 'branch':
    case 'operation':
      return fact.kind
    default:
      return factText(fact)
  }
}

/** Each fact once, in the order in which they come first. */
export function distinctFacts(facts: readonly CallFact[]): readonly CallFact[] {
  return [...new Map(facts.map((fact) => [callFactText(fact), fact])).values()]
}
