import { field, type Node } from '../../tree.ts'
import { quote } from '../model/errors.ts'
import { asObject, type FieldProblem, fieldProblem, fieldsWrong, missing, type ReadBody, refuseBody } from './body-problems.ts'

/** A field of a small body: what it must be, and what is wrong with a value that is. */
export interface FieldRule {
  readonly kind: keyof typeof expected
  readonly required?: boolean
  /** Null is legal, and says the same as an empty value. */
  readonly nullable?: boolean
  /** The problem of a string; `isKey` where it is a key of a map. */
  readonly fault?: (text: string, isKey: boolean) => Pick<FieldProblem, 'message' | 'help'> | undefined
}

const expected = { text: 'a text', texts: 'a list of texts', 'map of texts': 'an object whose values are texts' } as const

export interface SmallBody {
  readonly text: (name: string) => string
  readonly texts: (name: string) => readonly string[]
  readonly map: (name: string) => Readonly<Record<string, string>>
}

const textOf = (node: Node | undefined) => (node?.kind === 'text' ? node.value : '')

/** Read a body of a few fields; `own`: those that only the service sets. */
export function readSmallBody(
  tree: Node | undefined,
  rules: Readonly<Record<string, FieldRule>>,
  ownFields: readonly string[] = [],
): ReadBody<SmallBody> {
  const { value: node, refusal } = asObject(tree)
  if (refusal) return { refusal }
  const names = Object.keys(rules)
  const required = names.filter((name) => rules[name]?.required)
  const wrong = [...fieldsWrong(node, ownFields), ...missing(node, required)]
  for (const { key, value } of node.entries) {
    const rule = Object.hasOwn(rules, key.value) ? rules[key.value] : undefined
    if (rule && !(rule.nullable && value.kind === 'null')) wrong.push(...valueWrong(rule, value))
    else if (!rule && !ownFields.includes(key.value))
      wrong.push(
        fieldProblem(key, `unknown field ${quote(key.value)}`, `known fields here: ${names.map((name) => `\`${name}\``).join(', ')}`),
      )
  }
  if (wrong.length > 0) return refuseBody(node, wrong)
  return {
    value: {
      text: (name) => textOf(field(node, name)),
      texts: (name) => {
        const list = field(node, name)
        return list?.kind === 'list' ? list.items.map(textOf) : []
      },
      map: (name) => {
        const map = field(node, name)
        return Object.fromEntries(map?.kind === 'map' ? map.entries.map(({ key, value }) => [key.value, textOf(value)]) : [])
      },
    },
  }
}

function valueWrong({ kind, fault }: FieldRule, value: Node): readonly FieldProblem[] {
  const faultOf = (node: Node, isKey = false): readonly FieldProblem[] => {
    if (node.kind !== 'text') return [fieldProblem(node, 'expected a text')]
    const found = fault?.(node.value, isKey)
    return found ? [{ span: node, ...found }] : []
  }
  if (kind === 'text' && value.kind === 'text') return faultOf(value)
  if (kind === 'texts' && value.kind === 'list') return value.items.flatMap((item) => faultOf(item))
  if (kind === 'map of texts' && value.kind === 'map')
    return value.entries.flatMap((entry) => [...faultOf(entry.key, true), ...faultOf(entry.value)])
  return [fieldProblem(value, `expected ${expected[kind]}`)]
}
