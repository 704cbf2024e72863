import { holdsText, type Operator, stringTest } from '../conditions/test.ts'
import {
  allOf,
  anyOf,
  atomsOf,
  comparison,
  compound,
  evaluate,
  type Formula,
  type Model,
  noneOf,
  openFact,
  settled,
} from '../symbolic/formula.ts'

/** Changes of the tags of one resource: the values that they may get, and which of them are needed for an action. */

type Tags = ReadonlyMap<string, string>

/** Whether tags can be given a value, and whether they can be removed. */
export interface Retagging {
  readonly canSet: boolean
  readonly canRemove: boolean
  /** Tags that no identity may change. */
  readonly isFixed: (key: string) => boolean
}

const ofTag = (key: string, operator: Operator, value: string): Formula =>
  comparison(stringTest({ kind: 'tag', parameter: key }, operator, [value]))

/** The keys of the tags that a formula looks at. */
export function tagKeys(formula: Formula): readonly string[] {
  const keys = [...atomsOf(formula)].flatMap((atom) =>
    atom.kind === 'test' && atom.test.subject.kind === 'tag' ? [atom.test.subject.parameter] : [],
  )
  return [...new Set(keys)]
}

/** That each tag has a value that it can be brought to. `now`: the tags that it has; undefined where these are not known. */
export function reachable(keys: readonly string[], now: Tags | undefined, { canSet, canRemove, isFixed }: Retagging): Formula {
  return allOf(
    keys.flatMap((key): Formula[] => {
      const value = now?.get(key)
      const present = ofTag(key, 'STARTS_WITH', '')
      const asNow = value === undefined ? noneOf(present) : ofTag(key, 'EQ', value)
      const alternatives = [
        ...(now ? [asNow] : []),
        ...(canSet && !isFixed(key) ? [present] : []),
        ...(canRemove && !isFixed(key) ? [noneOf(present)] : []),
      ]
      return [anyOf(alternatives)]
    }),
  )
}

/** Parts of a formula about another moment: the tags of the resource then, and its resource groups then. */
export interface Moment {
  readonly tags: boolean
  readonly members: boolean
}

/** The same formula about the tags, or the members of resource groups, of another moment. */
export function atMoment(formula: Formula, moment: Moment): Formula {
  if (!moment.tags && !moment.members) return formula
  switch (formula.kind) {
    case 'test': {
      const { test } = formula
      if (!moment.tags || test.subject.kind !== 'tag') return formula
      return comparison({ ...test, subject: { kind: 'tag', parameter: `${earlierMark}${test.subject.parameter}` } })
    }
    case 'fact': {
      const { is } = formula
      return moment.members && is.kind === 'resourceGroup' ? openFact({ ...is, urn: `${earlierMark}${is.urn}` }) : formula
    }
    case 'until':
      return formula
    default:
      return compound(
        formula.kind,
        formula.operands.map((operand) => atMoment(operand, moment)),
      )
  }
}

/** Before the keys of another moment: no key holds it. */
const earlierMark = '\0\0'

/** A tag with the value that it has to be given; null: it has to be removed. */
export type TagChange = readonly [key: string, value: string | null]

/** The fewest changes that make a model of formulas true: what may stay as it is does. */
export function changesIn(model: Model, formulas: readonly Formula[], now: Tags | undefined): readonly TagChange[] {
  const shownTags = [...model.tags].filter(([key]) => !key.startsWith('\0'))
  if (!now) return shownTags
  let tags = model.tags
  for (const [key] of shownTags) {
    const withChange = new Map(tags).set(key, now.get(key) ?? null)
    if (formulas.every((formula) => evaluate(formula, { ...model, tags: withChange }) === true)) tags = withChange
  }
  return shownTags.flatMap(([key]): TagChange[] => {
    const value = tags.get(key) ?? null
    return value === (now.get(key) ?? null) ? [] : [[key, value]]
  })
}

/** A formula once the tags have been changed. */
export function retagged(formula: Formula, changes: readonly TagChange[], now: Tags | undefined): Formula {
  const values = new Map<string, string | null>([...(now ?? []), ...changes])
  return settled(formula, (test) => {
    if (test.subject.kind !== 'tag') return undefined
    const value = values.get(test.subject.parameter)
    if (value === undefined) return now ? false : undefined
    return value !== null && holdsText(test, value)
  })
}
