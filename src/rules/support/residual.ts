import {
  type RiskCategory,
  riskCategories,
  type SensitiveAction,
  type SensitiveRow,
  sensitiveAmong,
  sensitiveRows,
} from '../../actions/sensitive.ts'
import { groupedBy, madeIn } from '../../collections.ts'
import { type Glob, isPattern, matches } from '../../glob.ts'
import { keyOf } from '../../keys.ts'
import type { Policy } from '../../policy.ts'
import type { Located, Span } from '../../source.ts'
import { type Box, coversBox } from '../../symbolic/boxes.ts'
import { isAlways } from '../../symbolic/formula.ts'
import { literal } from '../../symbolic/patterns.ts'
import { isAbout } from '../../symbolic/search.ts'
import type { Statement } from '../../symbolic/statements.ts'
import type { IdentityUrn } from '../../urn/identity.ts'
import type { Finding, RuleContext } from '../rule.ts'
import { quote, some } from './text.ts'
import { expansion, isWriting } from './verbs.ts'
import { isSettled, membersOf, type WholeSet, wholeSet } from './whole-set.ts'

/** The rest of a grant of sensitive actions after `except`, denies, resources and conditions. */
export interface Residual {
  readonly entry: Located<Glob>
  /** The permissions group of the entry. */
  readonly group: string | undefined
  /** Sorted by name. */
  readonly actions: readonly SensitiveAction[]
  readonly boxes: readonly Box[]
  readonly identities: readonly IdentityUrn[]
  /** It is granted only where a condition holds. */
  readonly conditional: boolean
}

/** The sensitive actions among those of the catalogue, as far as they were asked for. */
class Sensitive {
  readonly byPattern = new Map<string, readonly SensitiveAction[]>()
  /** By type of resource and pattern. */
  readonly byType = new Map<string, readonly SensitiveAction[]>()
  /** Whether a product is about spending. */
  readonly spending = new Map<string, boolean>()
  private readonly rows = new Map<string, readonly SensitiveRow[]>()
  private readonly brand: string

  constructor({ settings: { brand } }: Pick<RuleContext, 'settings'>) {
    this.brand = brand
  }

  /** The rows that are about a product. */
  rowsFor(product: string): readonly SensitiveRow[] {
    return madeIn(this.rows, product, () => sensitiveRows(this.brand, product))
  }
}

const sensitiveOf = (known: Pick<RuleContext, 'settings'>) => new Sensitive(known)
const residualsByPolicy = () => new Map<Policy, readonly Residual[]>()

/** The sensitive actions of the catalogue that a pattern designates. */
export function sensitiveIn(pattern: Glob, context: RuleContext): readonly SensitiveAction[] {
  const actions = expansion(context, pattern)
  if (actions.length === 0) return []
  const memory = context.shared(sensitiveOf)
  return madeIn(memory.byPattern, pattern.text, () =>
    [...groupedBy(actions, (action) => action.slice(0, action.indexOf(':')))].flatMap(([product, own]) =>
      sensitiveAmong(own, memory.rowsFor(product)),
    ),
  )
}

/** All that a policy grants of sensitive actions, entry by entry; nothing where it cannot be determined. */
export function residuals(policy: Policy, context: RuleContext): readonly Residual[] {
  return madeIn(context.once(residualsByPolicy), policy, () => compute(policy, context))
}

function compute(policy: Policy, context: RuleContext): readonly Residual[] {
  if (!isSettled(policy, context) || (policy.expiresAt && context.clock.isAfter(policy.expiresAt.value))) return []
  // Most policies grant nothing sensitive: then what the others deny need not be taken apart.
  if (!allowsOf(policy, context).some(({ value }) => sensitiveIn(value, context).length > 0)) return []
  const set = wholeSet(context)
  const out: Residual[] = []
  for (const statement of set?.own.get(policy)?.allows ?? []) {
    // The actions of an unknown permissions group are not known.
    if (statement.group !== undefined && !context.world.permissionsGroups.has(statement.group)) continue
    for (const entry of statement.actions) {
      const residual = residualOf(statement, entry, set as WholeSet, context)
      if (residual) out.push(residual)
    }
  }
  return out
}

/** The entries by which a policy and its permissions groups allow. */
function allowsOf({ permissions, permissionsGroups }: Policy, { world }: RuleContext): readonly Located<Glob>[] {
  return [
    ...permissions.allow,
    ...permissionsGroups.flatMap(({ value }) => world.permissionsGroups.get(value.text)?.permissions.allow ?? []),
  ]
}

function residualOf(statement: Statement, entry: Located<Glob>, set: WholeSet, context: RuleContext): Residual | undefined {
  const excepted = statement.exclusions.filter(({ dimension }) => dimension === 'action')
  if (sensitiveIn(entry.value, context).length === 0) return undefined
  const granted = (type: Glob) => {
    const all = sensitiveOn(entry.value, type, context)
    return excepted.length === 0 ? all : all.filter(({ action }) => !excepted.some(({ pattern }) => matches(pattern, action)))
  }
  const denies = deniesOf(statement, set)
  const actions = new Set<SensitiveAction>()
  const boxes = new Set<Box>()
  const identities = new Set<IdentityUrn>()
  // Without denies all identities and resources of one type are alike.
  const done = new Set<string>()
  for (const box of statement.boxes) {
    if (denies.length === 0 && done.has(box.type.text)) {
      boxes.add(box)
      continue
    }
    const applicable = granted(box.type)
    for (const { value } of statement.identities) {
      const members = denies.length === 0 ? [] : membersOf(value, set)
      const about = denies.filter((deny) => isAbout(deny, members))
      const undeniedActions = undenied(applicable, box, about, context)
      if (undeniedActions.length === 0) continue
      boxes.add(box)
      identities.add(value)
      for (const action of undeniedActions) actions.add(action)
      if (denies.length > 0) continue
      for (const other of statement.identities) identities.add(other.value)
      done.add(box.type.text)
      break
    }
  }
  if (actions.size === 0) return undefined
  return {
    entry,
    group: statement.group,
    actions: [...actions],
    boxes: [...boxes],
    identities: [...identities],
    conditional: !isAlways(statement.formula),
  }
}

/** The actions that the denies leave on some resource of the box: of a type that the action can be about, where that is known. */
function undenied(
  actions: readonly SensitiveAction[],
  box: Box,
  denies: readonly Statement[],
  context: RuleContext,
): readonly SensitiveAction[] {
  if (denies.length === 0) return actions
  const open = new Map<string, readonly (readonly Statement[])[]>()
  const coveringOf = (product: string) => {
    const served = isPattern(box.type) ? context.catalogue.typesOf(product).filter((type) => matches(box.type, type)) : []
    const parts = served.length === 0 ? [box] : served.map((type): Box => ({ ...box, type: literal(type) }))
    return parts.map((part) => denies.filter((deny) => deny.boxes.some((each) => coversBox(each, part))))
  }
  return actions.filter(({ action }) => {
    const product = action.slice(0, action.indexOf(':'))
    const covering = open.get(product) ?? coveringOf(product)
    open.set(product, covering)
    return covering.some((list) => !list.some((deny) => deny.actions.some((denied) => matches(denied.value, action))))
  })
}

/** The denies without a condition that may be about those whom a statement names. */
function deniesOf(statement: Statement, set: WholeSet): readonly Statement[] {
  const { denies } = set.side
  if (denies.statements.length === 0) return []
  const members = statement.identities.flatMap(({ value }) => membersOf(value, set))
  return [...denies.about(members)].filter(({ formula, exclusions }) => isAlways(formula) && exclusions.length === 0)
}

/** Those of them that can be about a resource of a type, as far as the catalogue knows; where it does not, only of any type. */
function sensitiveOn(pattern: Glob, type: Glob, context: RuleContext): readonly SensitiveAction[] {
  const all = sensitiveIn(pattern, context)
  if (type.text === '*' || all.length === 0) return all
  return madeIn(context.shared(sensitiveOf).byType, keyOf(type.text, pattern.text), () => servedAmong(all, type, context))
}

function servedAmong(all: readonly SensitiveAction[], type: Glob, context: RuleContext): readonly SensitiveAction[] {
  const served = new Map<string, boolean>()
  const is = (own: string) => matches(type, own) || type.text.startsWith(`${own}/`)
  const serves = (product: string) => {
    const types = context.catalogue.typesOf(product)
    if (types.length > 0) return types.some(is)
    // Of what it serves nothing is known: resources named like it, and the account, where all it does is spend the account's money.
    return is(product) || (is('account') && isAboutSpending(product, context))
  }
  return all.filter(({ action }) => madeIn(served, action.slice(0, action.indexOf(':')), serves))
}

/** Whether every action of a product that changes something spends money. */
function isAboutSpending(product: string, context: RuleContext): boolean {
  const memory = context.shared(sensitiveOf)
  return madeIn(memory.spending, product, () => {
    const writing = context.catalogue.actionsOf(product).filter(isWriting)
    const spending = sensitiveAmong(writing, memory.rowsFor(product)).filter(({ category }) => category === 'spend')
    return writing.length > 0 && spending.length === writing.length
  })
}

/** A box as a pattern over resources. */
export function boxText({ region, type, name }: Box): string {
  const rest = type.text === '*' && name.text === '*' ? '*' : `${type.text}:${name.text}`
  return `urn:v1:${region.text}:resource:${rest}`
}

/** A check for grants of some categories: one finding for each policy, milder if a condition limits the grant. */
export function exposes(
  categories: readonly RiskCategory[],
  help: string,
  keep?: (residual: Residual) => Residual | undefined,
): { readonly policy: (policy: Policy, context: RuleContext) => readonly Finding[] } {
  return {
    policy: (policy, context) => {
      const exposure = exposureOf(policy, context, categories, keep)
      return exposure ? [{ ...exposure, help }] : []
    },
  }
}

function exposureOf(
  policy: Policy,
  context: RuleContext,
  categories: readonly RiskCategory[],
  keep: (residual: Residual) => Residual | undefined = (residual) => residual,
): Finding | undefined {
  const exposed = residuals(policy, context).flatMap((residual) => {
    const actions = residual.actions.filter(({ category }) => categories.includes(category))
    const kept = actions.length === 0 ? undefined : keep({ ...residual, actions })
    return kept ? [kept] : []
  })
  const [first, ...others] = exposed
  if (!first) return undefined
  const rank = riskRankIn(context)
  const actions = [...new Map(exposed.flatMap((residual) => residual.actions.map((action) => [action.action, action]))).values()].sort(
    (a, b) => rank(a) - rank(b),
  )
  const boxes = [...new Set(exposed.flatMap((residual) => residual.boxes.map(boxText)))]
  const conditional = exposed.every((residual) => residual.conditional)
  const [worst] = actions
  const related = others
    .map((residual) => ({
      message: `also ${named(residual.actions.toSorted((a, b) => rank(a) - rank(b)))}`,
      span: spanOf(policy, residual),
    }))
    .filter(({ span }, i, all) => span !== spanOf(policy, first) && all.findIndex((other) => other.span === span) === i)
    .slice(0, 6)
  return {
    span: spanOf(policy, first),
    message:
      `this grants ${named(actions)} on ${some(boxes, 2)}${conditional ? ' while its condition holds' : ''}: ` +
      `with ${actions.length === 1 ? 'it' : quote(worst?.action ?? '')}, ${worst?.reason ?? ''}`,
    ...(related.length > 0 && { related }),
    ...(conditional && { severity: 'info' }),
    actions: actions.map(({ action }) => action),
  }
}

/** How grave actions are, lowest first: by category, then in the order of the table. */
function riskRankIn(context: RuleContext): (action: SensitiveAction) => number {
  const memory = context.shared(sensitiveOf)
  return ({ action, category, reason }) => {
    const rows = memory.rowsFor(action.slice(0, action.indexOf(':')))
    return riskCategories.indexOf(category) * rows.length + rows.findIndex((row) => row.reason === reason && matches(row.pattern, action))
  }
}

/** Where the grant is written: the entry, or the place where the policy names its permissions group. */
function spanOf(policy: Policy, { entry, group }: Residual): Span {
  if (group === undefined) return entry.span
  return policy.permissionsGroups.find(({ value }) => value.text === group)?.span ?? entry.span
}

function named(actions: readonly SensitiveAction[]): string {
  return some(
    actions.map(({ action }) => action),
    3,
  )
}

/** Only the actions over the account: its policies, groups and users. */
export function overTheAccount(residual: Residual): Residual | undefined {
  return withActions(residual, (product) => product === 'account')
}

/** Only the actions over a product's own users and rights. */
export function withinProducts(residual: Residual): Residual | undefined {
  return withActions(residual, (product) => product !== 'account')
}

function withActions(residual: Residual, isKept: (product: string) => boolean): Residual | undefined {
  const actions = residual.actions.filter(({ action }) => isKept(action.slice(0, action.indexOf(':'))))
  return actions.length === 0 ? undefined : { ...residual, actions }
}

/** Only what is granted on every resource of a type, and without a condition. */
export function unbounded(residual: Residual): Residual | undefined {
  const boxes = residual.boxes.filter(({ name }) => name.text === '*')
  return residual.conditional || boxes.length === 0 ? undefined : { ...residual, boxes }
}
