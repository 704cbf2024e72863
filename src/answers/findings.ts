import type { Diagnostic } from '../diagnostic.ts'
import type { Cause } from '../diff/causes.ts'
import type { Difference } from '../diff/diff.ts'
import { plural, some, someQuoted } from '../report/words.ts'
import type { Meaning } from '../rules/rule.ts'
import { type DiffReport, type Over, questionParts, type SideName, sectionsOf, unlisted, unlistedWords } from './difference.ts'
import type { Row, Section } from './model.ts'
import { joinedLines, reasonLine, reasonWords, rowWords, whenPhrase, wholeWording } from './wording.ts'

/** Differences as findings, for the formats of lint. */

const meanings: Readonly<Record<SideName, Pick<Meaning, 'severity' | 'summary' | 'why'>>> = {
  gained: {
    severity: 'error',
    summary: 'An edit gives new access',
    why: 'The policies allow this after the edit, but not before. Check that it is intended, including its extent.',
  },
  lost: {
    severity: 'info',
    summary: 'An edit removes access',
    why: 'The policies allowed this before the edit, but not after. Check whether anybody needs it.',
  },
  beyond: {
    severity: 'error',
    summary: 'The policies allow more than their ceiling',
    why: 'The policies allow this, but their ceiling does not. Narrow the entry that grants it.',
  },
}

/** What the codes of the findings mean, in the shape that the formats of `lint` know. */
export const differenceRules: readonly Meaning[] = (['gained', 'lost', 'beyond'] as const).map((side) => ({
  code: `access-${side}`,
  section: 'risk',
  ...meanings[side],
}))

type IsFailing = (side: SideName) => boolean

/** The rows of a difference as findings, at the edits that cause them; those without a known edit have no place, and are omitted. */
export function differenceFindings(report: DiffReport, isFailing: IsFailing, over: Over): readonly Diagnostic[] {
  const { difference } = report
  return [
    ...sectionsOf(report, over).flatMap((section) =>
      section.rows.flatMap((row) => findingOf(row, section, isFailing, difference.described?.from)),
    ),
    ...(over === 'known' && difference.described ? restFindings(difference, isFailing) : []),
  ]
}

const severityOf = (side: SideName, isFailing: IsFailing) => (isFailing(side) ? 'error' : side === 'lost' ? 'info' : 'warning')

const ticked = (items: readonly string[]) => someQuoted(items, 8)

const laterFirst = (causes: readonly Cause[]) => [...causes].sort((a, b) => Number(b.side === 'after') - Number(a.side === 'after'))

const related = (causes: readonly Cause[]) => causes.map((cause) => ({ message: `${cause.what} ${cause.change}`, span: cause.span }))

/** How many edits a finding names. */
const mostEdits = 3

function findingOf(row: Row, { name, title, may }: Section, isFailing: IsFailing, from: number | undefined): readonly Diagnostic[] {
  const side = name as SideName
  const wording = wholeWording(from)
  const ordered = laterFirst(row.by.flatMap((basis) => (basis.kind === 'cause' ? [basis.cause] : [])))
  const [first, ...others] = ordered
  if (!first || typeof title !== 'string') return []
  const { when, details } = rowWords(row, wording)
  const except = details.find(({ label }) => label === 'except')?.items.length ?? 0
  const count = row.who.length * row.actions.length * row.on.length
  const by = ordered.map((cause) => reasonLine(reasonWords({ kind: 'cause', cause, of: side }, wording)))
  const whole = details.find(({ isWhole }) => isWhole)
  const example = whole && joinedLines(whole)
  return [
    {
      code: `access-${side}`,
      severity: severityOf(side, isFailing),
      message: `${title}: ${ticked(row.who)} ${row.verdict === 'unknown' ? `perhaps ${may}` : may} do ${ticked(row.actions)} on ${ticked(row.on)}${whenPhrase(when)}${
        except > 0 ? `, with ${plural(except, 'exception')}` : ''
      }${count > 1 && example === undefined ? `: ${plural(count, 'combination')} of identity, action and resource` : ''}`,
      span: first.near ?? first.span,
      help: `by ${some(by, mostEdits)}; for example ${example ?? (row.witness ? questionParts(row.witness, wording.names, from).join(' ') : '')}`,
      policy: first.name,
      related: related(others),
    },
  ]
}

/** A finding for each side on which regions are that concern nothing known: how many, at the first edit that causes one. */
const restFindings = (difference: Difference, isFailing: IsFailing): readonly Diagnostic[] =>
  (['gained', 'lost'] as const).flatMap((side): Diagnostic[] => {
    const regions = unlisted(difference, side)
    const [first, ...others] = laterFirst(regions.flatMap(({ causes }) => causes))
    if (!first) return []
    const distinct = others.filter(({ span }, i) => span !== first.span && others.findIndex((other) => other.span === span) === i)
    return [
      {
        code: `access-${side}`,
        severity: severityOf(side, isFailing),
        message: `access ${side}: ${unlistedWords(regions.length, (difference.described?.[side].length ?? 0) > 0)}`,
        span: first.near ?? first.span,
        help: `\`--over everything\` lists ${regions.length === 1 ? 'it' : 'them'}`,
        policy: first.name,
        related: related(distinct),
      },
    ]
  })
