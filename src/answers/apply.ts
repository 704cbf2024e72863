import type { ApplyGap, ApplyNeed, ApplyNeeds, Need, NeededFor } from '../calls/apply.ts'
import type { PolicyText } from '../calls/grant.ts'
import { providerParts } from '../calls/provider.ts'
import { groupedBy } from '../collections.ts'
import { keyOf } from '../keys.ts'
import type { Paint } from '../report/colour.ts'
import { decisionJson } from '../report/decision.ts'
import { andList } from '../report/lists.ts'
import { shown } from '../report/safe.ts'
import { firstFew, linesText, plural, presentParts, quoted } from '../report/words.ts'
import type { Verdict } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { type ApplyAnswer, type ApplyChange, applyChangeVerdict, type ChangedNeed, type DecidedNeed } from '../usage/apply.ts'
import {
  type Answer,
  type Basis,
  counted,
  type Detail,
  entries,
  type Line,
  owner,
  type Row,
  rowOf,
  say,
  type Wording,
  wordsBasis,
} from './model.ts'
import { reasonLine, reasonWords } from './wording.ts'

/** Answers about what applying a plan of Terraform needs. */

/** A plan as answers name it, with how much of it was looked up, and in which table. */
export interface AppliedPlan {
  /** The name of the file. */
  readonly name: string
  /** It is a configuration: all that may be done with its resources counts. */
  readonly isConfiguration?: true
  /** The number of resources and data sources of the provider that the plan lists, and of others. */
  readonly resources: number
  readonly others: number
  /** The month of the table of calls, and the number of types in it. */
  readonly seen: string
  readonly types: number
  /** The prefix of the types of the provider. */
  readonly prefix: string
}

export const verdictTones = { allow: 'good', deny: 'error', unknown: 'warning' } as const

/** The verdict in words that claim no more than the rows do. */
function verdictLine({ verdict, needs, gaps }: ApplyAnswer, name: string): Line {
  const denied = needs.filter((need) => need.isCertain && need.verdict === 'deny').length
  const open = needs.filter((need) => need.verdict !== 'allow').length
  const unread = new Set(gaps.map(({ address }) => address)).size
  // With a part that is not known, it needs at least these.
  const needed = `${plural(needs.length, 'action')} that applying it ${gaps.length === 0 ? 'needs' : 'is known to need'}`
  const words: Readonly<Record<Verdict, string>> = {
    allow: needs.length === 0 ? 'applying it needs no action' : `all ${needed} ${needs.length === 1 ? 'is' : 'are'} allowed`,
    deny: `${denied} of ${needed} ${denied === 1 ? 'is' : 'are'} not allowed`,
    unknown: presentParts(
      open > 0 && `${open} of ${plural(needs.length, 'action')} cannot be decided`,
      unread > 0 && `what ${plural(unread, 'resource')} need${unread === 1 ? 's' : ''} is not known`,
    ).join(', and '),
  }
  return { text: `${verdict.toUpperCase()}  ${shown(name)}: ${words[verdict]}`, tone: verdictTones[verdict] }
}

/** The change that an answer is about, as a subject. */
export const appliedWords = ({ name, isConfiguration }: AppliedPlan): string =>
  `${isConfiguration ? 'applying and destroying' : 'applying'} ${shown(name)}`

/** How much was looked at. */
export const scopeWords = ({ resources, others, seen, types, prefix }: AppliedPlan): readonly string[] =>
  presentParts(
    `${plural(resources, 'resource')} of ${quoted(`${prefix}_`)}${others > 0 ? `; ${others} of other providers not looked at` : ''}`,
    `calls by the table of ${seen}, which has ${types} resource types: another version of the provider may make others`,
  )

/** The parts that are not known, those with the same reason in one line. */
export function gapWords(gaps: readonly ApplyGap[]): readonly string[] {
  const alike = groupedBy(gaps, ({ why, part = '' }) => keyOf(why, part))
  return [...alike.values()].map((same) => {
    const [first] = same
    const names = firstFew([...new Set(same.map(({ address }) => shown(address)))], 3)
    return `not known: ${names}${first?.part === undefined ? '' : `, to ${first.part}`}: ${shown(first?.why ?? '')}`
  })
}

/** Whether an identity may apply a plan. `isWhole`: with the actions that are allowed. */
export function applyAnswer(answer: ApplyAnswer, plan: AppliedPlan, isWhole: boolean): Answer {
  const { identity, needs, gaps } = answer
  const rowsOf = (verdict: Verdict, ...certain: readonly boolean[]) =>
    needs.filter((need) => need.verdict === verdict && certain.includes(need.isCertain)).map(rowOfNeed)
  const titled = { may: 'needs' }
  const allowed = rowsOf('allow', true, false)
  return {
    subject: ({ names }) => [names.identity(identity)],
    summary: () => [verdictLine(answer, plan.name), ...scopeWords(plan).map((text): Line => ({ text: `  ${text}`, tone: 'plain' }))],
    sections: [
      counted('not allowed', 'error', rowsOf('deny', true), titled),
      counted('not allowed, and needed only in some cases', 'warning', rowsOf('deny', false), titled),
      counted('not decided', 'warning', rowsOf('unknown', true, false), titled),
      ...(isWhole ? [counted('allowed', 'good', allowed, titled)] : []),
    ],
    rest: presentParts(!isWhole && allowed.length > 0 && `${plural(allowed.length, 'action')} allowed: ${say.listAll('`--explain`')}`),
    seeAll: '`--explain`',
    notes: gapWords(gaps),
    lead: 'on',
    given: ['who'],
    json: () => ({
      verdict: answer.verdict,
      identity,
      ...planJson(plan),
      needs: needs.map(decidedJson),
      unknown: gaps.map(gapJson),
    }),
  }
}

function rowOfNeed(need: DecidedNeed): Row {
  return rowOfDecided(need, forWhat(need))
}

/** A row about an action that is needed, with what for. */
export function rowOfDecided({ verdict, action, resource, ...need }: DecidedNeed<Need>, ...details: readonly Detail[]): Row {
  return rowOf({ verdict, actions: [action], on: [resource], by: basisOf({ verdict, ...need }), details: () => details })
}

/** The effect of a change of policies on an apply. */
export function applyChangeAnswer(change: ApplyChange, plan: AppliedPlan): Answer {
  const { before, after, lost, gained, missing, open } = change
  const changed = (rows: readonly ChangedNeed[]) => rows.map(rowOfChange)
  const unchanged = missing.map((each) => rowOfNeed(each.after))
  const titled = { may: 'needs' }
  const words = {
    changed: presentParts(lost.length > 0 && `${lost.length} lost`, gained.length > 0 && `${gained.length} gained`).join(', '),
    undecided: 'none is lost or gained, as far as it is known',
    same: 'none is lost or gained',
  }
  const verdict = applyChangeVerdict(change)
  return {
    subject: ({ names }) => [names.identity(after.identity)],
    summary: () => [
      {
        text: `${shown(plan.name)}: of ${plural(after.needs.length, 'action')} that applying it needs, ${words[verdict]}`,
        tone: lost.length > 0 ? 'error' : verdict === 'undecided' ? 'warning' : 'good',
      },
      { text: `  before: ${before.verdict.toUpperCase()}, after: ${after.verdict.toUpperCase()}`, tone: 'plain' },
      ...scopeWords(plan).map((text): Line => ({ text: `  ${text}`, tone: 'plain' })),
    ],
    sections: [
      counted('lost', 'error', changed(lost), { ...titled, name: 'lost' }),
      counted('gained', 'good', changed(gained), { ...titled, name: 'gained' }),
      counted('not allowed before and after', 'warning', unchanged, { ...titled, name: 'missing' }),
      counted('not decided', 'warning', changed(open), { ...titled, name: 'undecided' }),
    ],
    notes: gapWords(after.gaps),
    lead: 'on',
    given: ['who'],
    json: () => ({
      verdict,
      identity: after.identity,
      ...planJson(plan),
      before: before.verdict,
      after: after.verdict,
      lost: lost.map(afterJson),
      gained: gained.map(afterJson),
      missing: missing.map(afterJson),
      undecided: open.map(afterJson),
      unknown: after.gaps.map(gapJson),
    }),
  }
}

/** A row about AFTER, with what decided it in BEFORE. */
function rowOfChange({ before, after }: ChangedNeed): Row {
  const was = (wording: Wording): Detail => ({
    label: 'before',
    items: basisOf(before).map((each) => reasonLine(reasonWords(each, wording))),
    isList: true,
  })
  return { ...rowOfNeed(after), details: (wording) => [forWhat(after), was(wording)] }
}

const afterJson = ({ after }: ChangedNeed) => decidedJson(after)

const decidedJson = (need: DecidedNeed) => ({ ...needJson(need), ...decisionJson(need.decision), verdict: need.verdict })

/** Why a need is answered so; of a name that is not known, what the answer depends on. */
function basisOf({
  verdict,
  decision,
  dependsOnName,
}: Pick<DecidedNeed<Need>, 'verdict' | 'decision' | 'dependsOnName'>): readonly Basis[] {
  if (dependsOnName) return [wordsBasis('it depends on the name of the resource, which is not known'), ...entries(decision.clauses)]
  if (decision.reason === 'root') return owner
  const facts = verdict === 'unknown' ? decision.missing.map(({ fact }) => wordsBasis(`depends on ${factText(fact)}`)) : []
  return decision.clauses.length === 0 && verdict === 'deny' ? [wordsBasis(say.noPolicy)] : [...facts, ...entries(decision.clauses)]
}

/** The resources that need an action, and to do what. */
const forWhat = ({ uses }: Pick<ApplyNeed, 'uses'>): Detail => ({ label: 'for', items: useWords(uses), isList: true })

/** `create svc_vps.a`, each once: the parts of one resource in one line. */
function useWords(uses: readonly NeededFor[]): readonly string[] {
  const byAddress = groupedBy(uses, ({ address }) => address)
  return [...byAddress].map(([address, own]) => `${andList([...new Set(own.map(({ part }) => part))])} ${shown(address)}`)
}

/** The table and the plan, as machines read them. */
export const planJson = ({ name, resources, others, seen, types }: AppliedPlan) => ({
  plan: name,
  resources,
  otherProviders: others,
  table: { seen, types },
})

export const needJson = ({ action, resource, isNamed, isCertain, uses }: ApplyNeed) => ({
  action,
  resource,
  named: isNamed,
  certain: isCertain,
  for: uses,
})

export const gapJson = ({ address, type, part, why }: ApplyGap) => ({ address, type, part: part ?? null, why })

/** A proposal of policies for a plan: the actions that it needs, or why some are not known. */
export interface PlanProposal extends ApplyNeeds {
  readonly plan: AppliedPlan
  readonly identity: string
  readonly policies: readonly PolicyText[]
}

/** The verdict of `least` on a plan. `undecided`: a part of what the plan needs is not known. */
export const planVerdict = ({ needs, gaps }: ApplyNeeds): 'proposed' | 'undecided' | 'none' =>
  gaps.length > 0 ? 'undecided' : needs.length > 0 ? 'proposed' : 'none'

/** The summary of the policies that `least` proposes for a plan. */
export function planProposalText({ needs, gaps, plan, policies }: PlanProposal, paint: Paint): string {
  const parts = providerParts.flatMap((part) => {
    const addresses = new Set(needs.flatMap(({ uses }) => uses.flatMap((use) => (use.part === part ? use.address : []))))
    return addresses.size === 0 ? [] : `${plural(addresses.size, 'resource')} to ${part}`
  })
  const allow = policies.length === 1 ? 'allows' : 'allow'
  return linesText(
    policies.length === 0
      ? `${shown(plan.name)}: no action is known to be needed`
      : `${plural(policies.length, 'policy')} ${allow} ${plural(needs.length, 'action')} that ${appliedWords(plan)} needs: ${parts.join(', ')}`,
    scopeWords(plan),
    besides(
      needs.filter(({ isNamed }) => !isNamed),
      `on every name, as the ${plan.isConfiguration ? 'configuration' : 'plan'} does not give it`,
    ),
    besides(
      needs.filter(({ isCertain }) => !isCertain),
      'needed only in some cases',
    ),
    gapWords(gaps).map((text) => `${paint.warning('note:')} ${text}`),
  )
}

/** A line for the actions on each resource of which something has to be said. */
export function besides(needs: readonly Need[], words: string): readonly string[] {
  const byResource = groupedBy(needs, ({ resource }) => resource)
  return [...byResource].map(([resource, own]) => `${shown(resource)}: ${firstFew(own.map(({ action }) => quoted(action)))}: ${words}`)
}

/** The same as machines read it. */
export const planProposalJson = (proposal: PlanProposal) => ({
  verdict: planVerdict(proposal),
  identity: proposal.identity,
  ...planJson(proposal.plan),
  policies: proposal.policies,
  needs: proposal.needs.map(needJson),
  unknown: proposal.gaps.map(gapJson),
})
