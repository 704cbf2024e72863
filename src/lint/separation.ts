import { itemsOf, mapAt } from '../declared/record.ts'
import type { Diagnostic, Parsed } from '../diagnostic.ts'
import { runsAsOf } from '../escalation/escalation.ts'
import { keyOf } from '../keys.ts'
import { type Settings, visible } from '../names.ts'
import type { Policy } from '../policy.ts'
import { escalatesThroughResource } from '../rules/risk/escalates-through-resource.ts'
import type { Finding, RuleContext } from '../rules/rule.ts'
import { spend } from '../rules/support/budget.ts'
import { quote, some } from '../rules/support/text.ts'
import type { Span } from '../source.ts'
import type { ProofContext } from '../suite/prove.ts'
import { overOf, readBox } from '../suite/read.ts'
import { knownOnly } from '../suite/run.ts'
import { type Holding, type SeparationOptions, type SharedDuties, sharedDuties } from '../suite/separate.ts'
import { ActionsByType } from '../symbolic/described.ts'
import { notBefore } from '../symbolic/formula.ts'
import { field, type MapNode, plainValue } from '../tree.ts'
import type { Guardrail, GuardrailSeparation } from './config.ts'
import { configProblem } from './config-fields.ts'
import { accessWords, type ConditionWords, identityWords, membershipOf } from './guardrail-words.ts'

/** Guardrails about the separation of duties: how they are read, and their findings. */

/** Understand the duties of a guardrail; every problem is an error in the configuration. */
export function readSeparation(body: MapNode, settings: Settings): Parsed<GuardrailSeparation> & { readonly value: GuardrailSeparation } {
  const diagnostics: Diagnostic[] = []
  const boxOf = (node: MapNode): Policy => {
    const box = readBox(node, settings)
    diagnostics.push(...box.diagnostics.map(({ span, message, help }) => configProblem(span, message, help)))
    return box.value as Policy
  }
  const nodes = itemsOf(field(body, 'duties')).filter((item) => item.kind === 'map')
  const duties = nodes.map(boxOf)
  const entriesAt = (node: MapNode, keys: readonly string[]) => node.entries.filter(({ key }) => keys.includes(key.value))
  const identitiesAt = (key: string): Policy['identities'] => {
    const [entry] = entriesAt(body, [key])
    const [like] = nodes
    if (!entry || !like) return []
    const named = { ...entry, key: { ...entry.key, value: 'identities' } }
    return boxOf(mapAt(body, [named, ...entriesAt(like, ['actions', 'resources'])])).identities
  }
  const flag = (key: string, usual: boolean) => {
    const node = field(body, key)
    return node ? plainValue(node) === true : usual
  }
  const value: GuardrailSeparation = {
    duties,
    identities: identitiesAt('identities'),
    except: identitiesAt('except'),
    sameResource: flag('sameResource', false),
    steps: flag('steps', true),
    over: overOf(body),
  }
  return { value, diagnostics }
}

/** The duties and the identities of a separation, as claims have them. */
export function boxesOf({ duties, identities, except }: GuardrailSeparation): readonly { readonly kind: 'never'; readonly box: Policy }[] {
  const named = [...identities, ...except]
  return duties.map((box, i) => ({ kind: 'never', box: i === 0 && named.length > 0 ? { ...box, identities: named } : box }))
}

/** The duties as far as the guardrail is about them: only those of the catalogue where it says so. */
export function dutiesIn(separation: GuardrailSeparation, known: Parameters<typeof knownOnly>[1]): GuardrailSeparation {
  if (separation.over !== 'catalogue') return separation
  return { ...separation, duties: separation.duties.map((box) => knownOnly({ kind: 'never', box }, known).box) }
}

/** How many findings one guardrail gives. */
const mostFindings = 1000

/** The identities that break a guardrail, those that hold the same by the same entries in one finding. */
export function* separationFindings(
  guardrail: Guardrail,
  separation: GuardrailSeparation,
  context: RuleContext,
  { run }: ProofContext,
  words: ConditionWords | undefined,
): Iterable<Finding> {
  const { world, settings, clock, now } = context
  const options: SeparationOptions = {
    actions: context.shared(actionsIn),
    brand: settings.brand,
    runsAs: runsAsOf(context.options(escalatesThroughResource.code).runsAs),
    time: notBefore(clock.onwards),
    run,
  }
  const shared = sharedDuties(dutiesIn(separation, context), world, options)
  const finding = (span: Span, message: string, help: string, related: NonNullable<Finding['related']>): Finding => ({
    span,
    message: `${guardrail.message}: ${message}`,
    help: guardrail.help ?? help,
    ...(guardrail.link !== undefined && { link: guardrail.link }),
    related,
  })
  for (const each of shared) {
    const { holdings, culprits } = each
    if (!holdings || culprits.length > 0 || !spend(context, guardrail.code.value, 1, mostFindings)) continue
    const spans = placesIn(holdings)
    const [first, ...others] = spans
    const span = first?.span ?? guardrail.code.span
    yield finding(span, sharedWords(each, holdings, words, now), helpFor(holdings), [
      ...others,
      { message: 'the guardrail', span: guardrail.code.span },
      ...holdings.flatMap(({ at, path, question }) => (at && path.length === 0 ? membershipOf(at.policy, question, context) : [])),
    ])
  }
  // Groups whose members are not described are many pairs: one finding has them all.
  const open = shared.filter(({ culprits }) => culprits.length > 0)
  if (open.length === 0 || !spend(context, guardrail.code.value, 1, mostFindings)) return
  const phrases = [...new Set(open.flatMap(({ culprits }) => culprits))].map(visible)
  const shown = phrases.slice(0, phrases.length > 4 ? 3 : phrases.length)
  const more = phrases.length > shown.length ? `, and ${phrases.length - shown.length} more facts` : ''
  const related = open.slice(0, 3).flatMap(({ holdings }) => (holdings ? placesIn(holdings) : []))
  yield finding(
    guardrail.code.span,
    `not decided, as it depends on ${shown.join(', ')}${more}`,
    'describe what is not known, such as the members of groups, in a world file',
    [...new Map(related.map((each) => [keyOf(each.span.source.path, each.span.start, each.message), each])).values()],
  )
}

const actionsIn = ({ catalogue }: Pick<RuleContext, 'catalogue'>) => new ActionsByType(catalogue)

/** The entries that two duties rest on: the grants of each, then those of the steps. */
function placesIn(holdings: readonly [Holding, Holding]): NonNullable<Finding['related']> {
  const grants = holdings.flatMap(({ at, question }) => (at ? [{ message: `grants ${quote(question.action)}`, span: at.span }] : []))
  const groups = holdings.flatMap(({ at }) => (at?.inGroup ? [{ message: 'the entry of the permissions group', span: at.inGroup }] : []))
  const steps = stepsOf(holdings).flatMap(({ action, grants: [grant] }) =>
    grant ? [{ message: `allows the step ${quote(action)}`, span: grant.entry.span }] : [],
  )
  return [...grants, ...steps, ...groups]
}

function stepsOf(holdings: readonly Holding[]) {
  return [...new Map(holdings.flatMap(({ path }) => path).map((step) => [keyOf(step.action, step.resource, step.as), step])).values()]
}

function sharedWords(
  { identities, examples }: SharedDuties,
  holdings: readonly [Holding, Holding],
  words: ConditionWords | undefined,
  now: number,
): string {
  const [first = holdings[0].question] = identities.length > 0 ? identities.map((identity) => ({ identity, groups: [] })) : examples
  const { identity } = first
  const others = identities.slice(1)
  const who = identityWords(first)
  const more = others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'identity' : 'identities'}`
  const [direct, viaSteps] = [holdings.filter(({ path }) => path.length === 0), holdings.filter(({ path }) => path.length > 0)]
  const may = direct.length > 0 ? `may ${direct.map((each) => accessWords(each, words, now)).join(' and ')}` : ''
  if (viaSteps.length === 0) return `${who}${more} ${may}`
  const asOther = (each: Holding) => {
    const isOther = each.question.identity !== identity
    const isMoved = each.question.groups.length > 0
    return isOther ? ` as ${identityWords(each.question)}` : isMoved ? ` in ${some(each.question.groups, 2)}` : ''
  }
  const raised = viaSteps.map((each) => `${accessWords(each, words, now)}${asOther(each)}`).join(' and ')
  const by = some(
    stepsOf(viaSteps).map(({ action }) => action),
    3,
  )
  return `${who}${more} ${may}${may === '' ? '' : ', and '}can give ${others.length === 0 ? 'itself' : 'themselves'} ${raised}, by ${by}`
}

function helpFor(holdings: readonly Holding[]): string {
  const hasSteps = holdings.some(({ path }) => path.length > 0)
  return hasSteps
    ? 'remove one of these grants, or exempt those who administer access with `except`'
    : 'remove one of these grants or memberships, or exempt the identity with `except`'
}
