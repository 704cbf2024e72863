import type { Diagnostic, Severity } from '../diagnostic.ts'
import type { Cause } from '../diff/causes.ts'
import type { Difference } from '../diff/diff.ts'
import { firstFew, plural, presentParts, someQuoted } from '../report/words.ts'
import type { Meaning } from '../rules/rule.ts'
import { sourceOf } from '../source.ts'
import type { DiffReport, RegionScope, SideName } from './difference.ts'
import { listEverything, questionParts, sectionsOf, uncheckedLines, unlisted, unlistedWords } from './difference.ts'
import { callsLabel, type Row, type Section } from './model.ts'
import { fullNameWording, joinedLines, reasonLine, reasonWords, rowWords, whenPhrase } from './wording.ts'

/** Differences as findings, for the formats of lint. */

/** The meanings of the codes, in the shape that the formats of `lint` know. */
export const differenceRules: readonly Meaning[] = (
  [
    {
      code: 'access-gained',
      severity: 'error',
      summary: 'An edit gives new access',
      why: 'The policies allow this after the edit, but not before. Check that it is intended, including its extent.',
    },
    {
      code: 'access-lost',
      severity: 'info',
      summary: 'An edit removes access',
      why: 'The policies allowed this before the edit, but not after. Check whether anybody needs it.',
    },
    {
      code: 'access-beyond',
      severity: 'error',
      summary: 'The policies allow more than their ceiling',
      why: 'The policies allow this, but their ceiling does not. Narrow the entry that grants it.',
    },
    {
      code: 'deployment-changed',
      severity: 'warning',
      summary: 'A file that differs may change what is deployed',
      why: 'The policies are compared, and how they are deployed is not. Check what the change of this file does.',
    },
    {
      code: 'files-not-checked',
      severity: 'info',
      summary: 'Other files differ, and the answer says nothing of them',
      why: 'The policies are compared. Nothing shows that deployment uses these files, or the configuration leaves them out.',
    },
  ] as const
).map((each) => ({ section: 'risk', ...each }))

type IsFailing = (side: SideName) => boolean

/** The rows of a difference as findings, at the edits that cause them; those without a known edit have no place, and are omitted. */
export function differenceFindings(report: DiffReport, isFailing: IsFailing, over: RegionScope): readonly Diagnostic[] {
  const { difference } = report
  return [
    ...sectionsOf(report, over).flatMap((section) =>
      section.rows.flatMap((row) => findingOf(row, section, isFailing, difference.described?.from)),
    ),
    ...(over === 'known' && difference.described ? restFindings(difference, isFailing) : []),
    ...(difference.deployment ?? []).map(deploymentFinding),
    ...uncheckedFindings(difference),
  ]
}

/** One for all other files, at the first: there may be many. */
function uncheckedFindings({ others = [], ignored = [] }: Difference): readonly Diagnostic[] {
  const [first] = [...others, ...ignored]
  if (first === undefined) return []
  const message = uncheckedLines({ others, ignored }).join('; ')
  return [{ code: 'files-not-checked', severity: 'info', message, span: { source: sourceOf(first, ''), start: 0, end: 0 } }]
}

function deploymentFinding({ path, why }: NonNullable<Difference['deployment']>[number]): Diagnostic {
  const message = `what is deployed may change with this file: ${why}`
  return { code: 'deployment-changed', severity: 'warning', message, span: { source: sourceOf(path, ''), start: 0, end: 0 } }
}

const ticked = (items: readonly string[]) => someQuoted(items, 8)

const laterFirst = (causes: readonly Cause[]) => [...causes].sort((a, b) => Number(b.side === 'after') - Number(a.side === 'after'))

/** A finding at the first edit that causes it, with the others. */
function findingAt(side: SideName, [first, ...others]: readonly Cause[], message: string, help: string, isFailing: IsFailing) {
  const severity: Severity = isFailing(side) ? 'error' : side === 'lost' ? 'info' : 'warning'
  const related = others.map((cause) => ({ message: `${cause.what} ${cause.change}`, span: cause.span }))
  return first
    ? [{ code: `access-${side}` as const, severity, message, span: first.near ?? first.span, help, policy: first.name, related }]
    : []
}

function findingOf(row: Row, { name, title, may }: Section, isFailing: IsFailing, from: number | undefined): readonly Diagnostic[] {
  const side = name as SideName
  const wording = fullNameWording(from)
  const causes = laterFirst(row.by.flatMap((basis) => (basis.kind === 'cause' ? [basis.cause] : [])))
  const { when, details } = rowWords(row, wording)
  const except = details.find(({ label }) => label === 'except')?.items.length ?? 0
  const count = row.who.length * row.actions.length * row.on.length
  const by = causes.map((cause) => reasonLine(reasonWords({ kind: 'cause', cause, of: side }, wording)))
  const whole = details.find(({ isWhole }) => isWhole)
  const example = whole ? joinedLines(whole) : row.witness && questionParts(row.witness, wording.names, from).join(' ')
  const verb = row.verdict === 'unknown' ? `perhaps ${may}` : may
  const parts = presentParts(
    `${title}: ${ticked(row.who)} ${verb} do ${ticked(row.actions)} on ${ticked(row.on)}${whenPhrase(when)}`,
    except > 0 && `, with ${plural(except, 'exception')}`,
    count > 1 && !whole && `: ${plural(count, 'combination')} of identity, action and resource`,
  )
  const calls = details.flatMap(({ label, items }) => (label === callsLabel ? items : []))
  const findings = findingAt(side, causes, parts.join(''), `by ${firstFew(by, 3)}; for example ${example ?? ''}`, isFailing)
  return calls.length === 0
    ? findings
    : findings.map((finding) => ({ ...finding, facts: { use: { words: calls, json: row.use?.() ?? {} } } }))
}

/** A finding for each side on which regions are that concern nothing known: how many, at the first edit that causes one. */
const restFindings = (difference: Difference, isFailing: IsFailing): readonly Diagnostic[] =>
  (['gained', 'lost'] as const).flatMap((side) => {
    const regions = unlisted(difference, side)
    const causes = laterFirst(regions.flatMap((region) => region.causes))
    const distinct = causes.filter(({ span }, i) => causes.findIndex((other) => other.span === span) === i)
    const message = `access ${side}: ${unlistedWords(regions.length, (difference.described?.[side].length ?? 0) > 0)}`
    return findingAt(side, distinct, message, listEverything(regions.length), isFailing)
  })
