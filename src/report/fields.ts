import type { Cause } from '../diff/causes.ts'
import { factText } from '../simulate/facts.ts'
import { questionJson } from '../symbolic/witness.ts'
import { formulaJson } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { placeJson, policyJson } from './words.ts'

export const causeJson = ({ span, side, change, what, name, address, by }: Cause) => ({
  ...placeJson(span),
  side,
  change,
  what,
  policy: name,
  ...(address !== undefined && { address }),
  ...(by !== undefined && { by }),
})

const each =
  <T, J>(json: (item: T) => J) =>
  (items: readonly T[]) =>
    items.map(json)

/** The JSON of fields by their names: others are as they are. */
const written = {
  condition: formulaJson,
  missing: each(factText),
  clauses: each(clauseJson),
  grants: each(clauseJson),
  denies: each(clauseJson),
  policies: each(policyJson),
  witness: questionJson,
  causes: each(causeJson),
} as const

type Written = typeof written
/** The JSON of some fields: named, so that declarations do not repeat what is in it. */
export type FieldsJson<T, K extends keyof T> = { readonly [Name in K]: Name extends keyof Written ? ReturnType<Written[Name]> : T[Name] }

/** Some fields as machines read them, in this order. */
export function fieldsJson<T extends object, K extends keyof T & string>(of: T, ...names: readonly K[]): FieldsJson<T, K> {
  const json = (name: K) =>
    ((written as Readonly<Record<string, (value: never) => unknown>>)[name] ?? ((value) => value))(of[name] as never)
  return Object.fromEntries(names.map((name) => [name, json(name)])) as FieldsJson<T, K>
}
