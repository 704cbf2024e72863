import type { Catalogue } from '../actions/catalogue.ts'
import type { Diagnostic, Parsed } from '../diagnostic.ts'
import { isPattern } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Settings } from '../names.ts'
import { nearest } from '../nearest.ts'
import type { World } from '../policy.ts'
import type { Finding, Rule, RuleContext } from '../rules/rule.ts'
import { spend } from '../rules/support/budget.ts'
import { didYouMean, quote, some } from '../rules/support/text.ts'
import { type Breach, breachesOf } from '../suite/breaches.ts'
import { unknown } from '../suite/notes.ts'
import { type ProofContext, proofContextOf } from '../suite/prove.ts'
import { overOf, readBox } from '../suite/read.ts'
import { knownOnly } from '../suite/run.ts'
import { notBefore } from '../symbolic/formula.ts'
import { field, type MapNode, plainValue } from '../tree.ts'
import type { Guardrail, GuardrailClaim, GuardrailText, LintConfig } from './config.ts'
import { configProblem } from './config-fields.ts'
import { factsOf } from './guardrail-facts.ts'
import { type ConditionWords, membershipOf, requestWords } from './guardrail-words.ts'
import { boxesOf, readSeparation, separationFindings } from './separation.ts'

/**
 * Guardrails: claims of an organisation about all requests, decided as policy tests decide theirs, and reported as rules are,
 * at each entry that breaks them.
 */

/** Understand guardrails; every problem is an error in the configuration. */
export function readGuardrails(texts: readonly GuardrailText[], settings: Settings): Parsed<readonly Guardrail[]> {
  const diagnostics: Diagnostic[] = []
  const value = texts.map((text): Guardrail => {
    const { kind, body } = text
    const boxWithout = (name: string) => {
      const box = readBox(body, settings, field(body, name))
      diagnostics.push(...box.diagnostics.map(({ span, message, help }) => configProblem(span, message, help)))
      return { box: box.value, over: overOf(body) }
    }
    if (kind === 'separate') {
      const separation = readSeparation(body, settings)
      diagnostics.push(...separation.diagnostics)
      return { ...text, claims: [], separation: separation.value }
    }
    if (kind !== 'requires') return { ...text, claims: [{ kind, ...boxWithout('unless') }] }
    const [condition, days] = [field(body, 'condition'), daysOf(body)]
    if (!condition && days === undefined)
      diagnostics.push(configProblem(text.code.span, '`requires` says nothing that is required', 'add `condition` or `expiresWithin`'))
    if (days !== undefined && !(Number.isInteger(days) && days >= 0))
      diagnostics.push(configProblem(field(body, 'expiresWithin') ?? body, 'expected a whole number of days of at least 0'))
    const claims: readonly GuardrailClaim[] = [
      ...(condition ? [{ kind: 'never' as const, ...boxWithout('condition') }] : []),
      ...(days === undefined ? [] : [{ kind: 'never' as const, ...boxWithout(''), days }]),
    ]
    return { ...text, claims }
  })
  return { value, diagnostics: withoutEqual(diagnostics) }
}

function daysOf(body: MapNode): number | undefined {
  const node = field(body, 'expiresWithin')
  return node && (plainValue(node) as number)
}

/** Two claims of one guardrail have the same lists. */
function withoutEqual(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const same = (a: Diagnostic, b: Diagnostic) => a.message === b.message && a.span.start === b.span.start && a.span.source === b.span.source
  return problems.filter((each, i) => problems.findIndex((other) => same(each, other)) === i)
}

/**
 * Names in guardrails that are not known: actions and types that the catalogue has not, identities that the inventory has not
 * where it has others of their kind and account.
 */
export function guardrailProblems(
  configs: readonly LintConfig[],
  { catalogue, settings, world }: { readonly catalogue: Catalogue; readonly settings: Settings; readonly world: World },
): readonly Diagnostic[] {
  const all = new Map(configs.flatMap(({ guardrails = [] }) => guardrails).map((each) => [each.code.span, each]))
  const boxes = [...all.values()].flatMap(({ claims, separation }) => [...claims.slice(0, 1), ...(separation ? boxesOf(separation) : [])])
  const names = [...unknown(boxes, catalogue, settings.brand)].map(({ span, message, help }) => configProblem(span, message, help))
  const prefixOf = (urn: string) => urn.slice(0, urn.indexOf('/') + 1)
  // A group is described by its members.
  const described = [...new Set([...world.identities].flatMap(([urn, { groups }]) => [urn, ...groups]))]
  const named = new Set(world.policies.flatMap((policy) => policy.identities.map(({ value }) => value.text)))
  const identities = boxes.flatMap(({ box }) =>
    box.identities.flatMap(({ value, span }) => {
      if (isPattern(value.glob) || value.kind === 'account' || described.includes(value.text)) return []
      const others = described.filter((urn) => prefixOf(urn) === prefixOf(value.text))
      if (others.length === 0) return []
      const nearestName = nearest(
        value.text.slice(prefixOf(value.text).length),
        others.map((urn) => urn.slice(prefixOf(urn).length)),
      )
      const suggested = nearestName === undefined ? undefined : `${prefixOf(value.text)}${nearestName}`
      // Only some groups are described, by their members: one that is like none of them, or that policies name, may exist.
      if (value.kind === 'group' && (suggested === undefined || named.has(value.text))) return []
      return [
        configProblem(
          span,
          `the inventory has no ${quote(value.text)}`,
          suggested === undefined ? 'correct it, or add it to the inventory' : didYouMean(suggested),
        ),
      ]
    }),
  )
  return [...names, ...identities]
}

/**
 * A rule for each code of guardrails. `configOf`: the configuration of a file as shown to users: a guardrail is about the files
 * whose configuration has it.
 */
export function guardrailRules(
  configs: readonly LintConfig[],
  configOf: (path: string) => LintConfig,
  { words, isWhole = true }: { readonly words?: ConditionWords | undefined; readonly isWhole?: boolean } = {},
): readonly Rule[] {
  const byCode = new Map<string, Map<unknown, Guardrail>>()
  for (const guardrail of configs.flatMap(({ guardrails = [] }) => guardrails)) {
    const same = byCode.get(guardrail.code.value) ?? new Map<unknown, Guardrail>()
    byCode.set(guardrail.code.value, same)
    same.set(guardrail.code.span, guardrail)
  }
  const holdsIn = (path: string, { code }: Guardrail) => configOf(path).guardrails?.some((each) => each.code.span === code.span) === true
  return [...byCode.values()].map((same): Rule => {
    const all = [...same.values()]
    const first = all[0] as Guardrail
    return {
      ...factsOf(first),
      reportsPossible: true,
      *world(context) {
        for (const guardrail of all)
          for (const finding of guardrail.separation
            ? separationFindings(guardrail, guardrail.separation, context, context.once(proofContextIn), words)
            : findingsOf(guardrail, context, { words, isWhole }))
            if (finding.span.source === guardrail.code.span.source || holdsIn(finding.span.source.path, guardrail))
              yield { ...(guardrail.severity !== first.severity && { severity: guardrail.severity }), ...finding }
      },
    }
  })
}

const proofContextIn = ({ world }: RuleContext): ProofContext => proofContextOf(world)
const day = 86_400_000
/** How many findings one guardrail gives. */
const mostFindings = 1000

function* findingsOf(
  guardrail: Guardrail,
  context: RuleContext,
  { words, isWhole }: { readonly words: ConditionWords | undefined; readonly isWhole: boolean },
): Iterable<Finding> {
  const proofContext = context.once(proofContextIn)
  const seen = new Set<string>()
  for (const { kind, box, over, days = 0 } of guardrail.claims) {
    const claim = { kind, box, context: notBefore(context.clock.onwards + days * day) }
    for (const breach of breachesOf(over === 'catalogue' ? knownOnly(claim, context) : claim, proofContext)) {
      // A breach may end, and the words for it depend on the instant.
      const { now } = context
      // Whether something is granted at all is only known once everything is read.
      const isPartial = !breach.at && kind === 'always' && !isWhole
      const span = breach.at?.span ?? guardrail.code.span
      const key = keyOf(span.source.path, span.start)
      if (seen.has(key) || !spend(context, guardrail.code.value, 1, mostFindings)) continue
      seen.add(key)
      yield {
        span,
        message: `${guardrail.message}: ${isPartial ? unread : said(breach, kind, words, now + days * day)}`,
        help: isPartial
          ? 'lint without paths to decide it'
          : (guardrail.help ?? (breach.found.kind === 'undecided' ? undecidedHelp : helps[guardrail.kind as keyof typeof helps])),
        ...(isPartial && { severity: 'info' as const }),
        ...(guardrail.link !== undefined && { link: guardrail.link }),
        related: [
          ...(breach.at?.inGroup ? [{ message: 'the entry of the permissions group', span: breach.at.inGroup }] : []),
          ...(breach.at ? [{ message: 'the guardrail', span: guardrail.code.span }] : []),
          ...(breach.at && breach.found.kind !== 'undecided' ? membershipOf(breach.at.policy, breach.found.question, context) : []),
        ],
      }
    }
  }
}

const helps = {
  never: 'remove or narrow this entry, or deny the rest of it',
  only: 'remove this identity, or add it to the guardrail',
  always: 'grant it, or exempt these requests from the deny',
  requires: 'add the condition that the guardrail requires',
} as const
const unread = 'not decided, as not all policies are linted: none of these grants it'
const undecidedHelp = 'describe what is not known, such as the contents of a group, or split the policy'

function said({ at, found }: Breach, kind: GuardrailClaim['kind'], words: ConditionWords | undefined, now: number): string {
  if (found.kind === 'undecided') return `not decided, as it depends on ${some(found.culprits, 3)}`
  return requestWords(found, kind !== 'always' ? 'may' : at ? 'is denied' : 'may not', words, now)
}
