import { RiskRanking } from '../actions/risk-ranking.ts'
import { groupedBy } from '../collections.ts'
import type { DiffRegion } from '../diff/diff.ts'
import type { World } from '../policy.ts'
import type { Edit, Suggested, Suggestion, Wish } from '../propose/suggest.ts'
import { conditionPhrase, conditionTexts, conditionWords, formulaJson } from '../report/conditions.ts'
import { decisionJson, settlingOf, traceWords } from '../report/decision.ts'
import { changeDiff } from '../report/diff.ts'
import { fieldsJson } from '../report/fields.ts'
import { fromWords, momentWords } from '../report/instants.ts'
import type { Names } from '../report/names.ts'
import { cut, shown } from '../report/safe.ts'
import { firstFew, linesText, listWords, placeJson, plural, presentParts, quoted, quotedPolicy } from '../report/words.ts'
import type { Decision, Question } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import type { List } from '../symbolic/entries.ts'
import { formulaOf, isTimed } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import { isSingle } from '../urn/identity.ts'
import type { RegionScope } from './difference.ts'
import { describedJson, listEverything, rowSentence, sectionsOf, sidesJson, tooManyWords, unlistedWords } from './difference.ts'
import { type Section, say } from './model.ts'
import type { TextStyle } from './text.ts'
import { readRows } from './wording.ts'

/** Edits that would turn the answer to a question, as text and as JSON. */

/** An edit in a sentence. Without names, each entry is as it is written. */
function editWords(
  { kind, policy, list, text = '', condition, group = '', members = [], lacks, misspelt = '' }: Edit,
  names?: Names,
): string {
  const name = policy ? quoted(policy.name.value) : ''
  const of = (which: List | undefined, entry: string) => {
    const name = which === 'identities' ? names?.identity(entry) : which === 'resources' ? names?.resource(entry) : undefined
    return name ?? quoted(entry)
  }
  const subject = of(list, text)
  const facts = conditionPhrase((condition && conditionWords(condition)) ?? shown(text))
  const [lists, entry] = list ? listWords[list] : ['policy', '']
  const others = members.map((member) => of(list, member)).join(', ')
  const lacking = firstFew((lacks?.texts ?? []).map((each) => of(lacks?.list, each)))
  const words: Readonly<Record<Edit['kind'], string>> = {
    add: `add ${subject} to the ${lists} of ${name}`,
    correct: `correct ${entry} ${quoted(misspelt)} in ${name}: ${whyMisspelt(list, misspelt, text)}, and ${quoted(text)} is probably meant`,
    remove: `remove ${entry} ${subject} from ${name}`,
    'remove-policy': `remove the policy ${name}: nothing else remains of it`,
    'remove-expiry': `remove the expiry of ${name}, which has passed`,
    'extend-expiry': `move the expiry of ${name}, which has passed, to ${text}`,
    widen: `widen the condition of ${name}: it also holds ${facts}`,
    exclude: `narrow the condition of ${name}: it no longer holds ${facts}`,
    expand: `replace ${subject} in the identities of ${name} by its other members ${others}`,
    join: `add ${subject} to ${of(list, group)}`,
    leave: `remove ${subject} from ${of(list, group)}`,
    narrow: `add a condition to ${name} that leaves out ${of('resources', text)}`,
    'new-policy': `a new policy ${quoted(text)}${lacks ? (lacks.list === 'resources' ? `, which is not about ${lacking}` : `, without ${lacking}`) : ''}`,
  }
  return words[kind]
}

/** Why an entry is taken for a slip. */
function whyMisspelt(list: List | undefined, misspelt: string, text: string): string {
  if (list === 'allow' || list === 'deny') return 'it is not in the catalogue'
  const typeOf = (urn: string) => urn.split(':')[4]
  return list === 'resources' && typeOf(misspelt) !== typeOf(text) ? 'its type is not in the catalogue' : 'no file describes it'
}

export const suggestionDiff = ({ files }: Suggestion): string =>
  files.map(({ path, before, after }) => changeDiff(path, before, after)).join('')

const done: Readonly<Record<Wish, string>> = { allow: 'allowed', deny: 'denied' }
const other: Readonly<Record<Wish, Wish>> = { allow: 'deny', deny: 'allow' }

export interface SuggestView extends Pick<TextStyle, 'paint' | 'all'> {
  readonly names: Names
  readonly over: RegionScope
  readonly isDescribed?: boolean
  /** The number of the one suggestion that is shown. */
  readonly pick?: number | undefined
}

/** How much is shown: suggestions, lines of the diff of each, its other changes, and the items of a list in these. */
const few = { suggestions: 4, lines: 4, rows: 2, items: 3 }
const all = Number.POSITIVE_INFINITY
const mostOf = (view: SuggestView): typeof few => (view.all ? { suggestions: all, lines: all, rows: all, items: all } : few)

export function suggestText(question: Question, suggested: Suggested, view: SuggestView): string {
  const { names, paint, pick } = view
  const { today, wish, kind, suggestions, conditional, membership, change } = suggested
  const windows = new Windows({ from: question.at })
  const who = names.identity(question.identity)
  const alternative = `  ${paint.info('alternative:')}`
  const joins = suggestions.some(({ edits }) => edits.some(({ kind: of, group }) => of === 'join' && group === membership?.group))
  return linesText(
    `${who}  ${paint.bold(shown(question.action))}  ${names.resource(question.resource)}`,
    kind === 'already' && `  ${paint.good(`it is ${done[wish]} as it is`)}: \`can\` explains it`,
    kind === 'root' && '  it cannot be denied: the account owns the resource, and the owning account cannot be restricted',
    kind === 'unknown' && [
      `  ${paint.warning('it depends on what is not known')}: \`can\` shows on what; before editing policies, settle it with`,
      settlingOf(today).map((each) => `    ${each}`),
    ],
    kind === 'edits' && todayLines(question, suggested, windows, change && `${alternative} wait`),
    conditional.map(({ policy }) => {
      const words = policy.condition && conditionWords(formulaOf(policy.condition), windows)
      const isNever = words === 'never' || words === undefined
      return `  ${paint.info('note:')} ${quotedPolicy(policy)} ${isNever ? 'would allow it if its condition held' : `allows it only ${conditionPhrase(words)}`}`
    }),
    membership &&
      !joins &&
      `${alternative} add ${who} to ${names.identity(membership.group)}, whose members ${membership.verdict === 'allow' ? 'are' : 'may be'} allowed; if it already is a member, ask again with \`--group\``,
    pick === undefined
      ? shownLines(suggestions, windows, view)
      : suggestions.slice(pick - 1, pick).map((each) => ['', suggestionLines(each, pick, windows, view)]),
    suggestions.length > 0 && [
      '',
      `\`--pick ${pick ?? 'N'} --format diff\` prints ${pick === undefined ? 'one' : 'it'} as a diff for \`git apply\``,
    ],
  )
}

function shownLines(suggestions: readonly Suggestion[], windows: Windows, view: SuggestView): readonly string[] {
  const linesIn = (each: SuggestView) =>
    suggestions.slice(0, mostOf(each).suggestions).flatMap((suggestion, i) => ['', ...suggestionLines(suggestion, i + 1, windows, each)])
  const lines = linesIn(view)
  const omittedCount = suggestions.length - mostOf(view).suggestions
  const isShort = omittedCount > 0 || lines.join('\n') !== linesIn({ ...view, all: true }).join('\n')
  return presentParts(
    lines,
    isShort && ['', `shortened${omittedCount > 0 ? `, and ${plural(omittedCount, 'more suggestion')}` : ''}: ${say.showAll()}`],
  )
}

/** How the question is answered today, and how many edits turn that. `wait`: before the time that turns it by itself. */
function todayLines(question: Question, suggested: Suggested, windows: Windows, wait: string | undefined): readonly string[] {
  const { wish, when, change, at, suggestions } = suggested
  const allowed = when && conditionWords(when, windows)
  const moment = when === undefined ? ` at ${momentWords(at)}` : isTimed(when) ? ' now' : ''
  const now = at === question.at ? `it is ${done[other[wish]]}${moment}` : `it will be ${done[other[wish]]} ${fromWords(at)}`
  const turning = suggestions.filter(({ decision }) => decision.verdict === wish)
  return presentParts(
    `  ${now}; edits after which it would be ${done[wish]}: ${turning.length}`,
    turning.length === 0 && noneWords(suggested),
    allowed !== undefined && allowed !== 'never' && `  it is allowed ${allowed}`,
    change && `${wait}: it will be ${done[wish]} ${fromWords(change.at, change.zone)}`,
  )
}

/** Why no edit brings what is wished, as far as that is known. */
function noneWords({ today, suggestions, unwritten }: Suggested): readonly string[] {
  const readOnly = [...new Set(today.clauses.map(({ policy }) => policy))].filter((policy) => policy.readOnly)
  const reasons = [
    ...readOnly.map((policy) => `${quotedPolicy(policy)}, which decides it, is read-only`),
    ...unwritten.map((path) => `the layout of ${shown(path)} is not understood`),
  ]
  if (suggestions.length > 0) return [`  edits that end the denial, after which the answer is unknown: ${suggestions.length}`]
  return [`  none was found${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`]
}

function unknownWords({ missing }: Decision, names: Names): string {
  const reasons = missing.map(({ fact }) => {
    if (fact.kind === 'resourceGroup') return `not all members of ${names.resourceGroup(fact.urn)} are described`
    if (fact.kind === 'permissionsGroup') return `permissions group ${shown(fact.urn)} is not described`
    return `${shown(factText(fact))} is not known`
  })
  return `with this edit the answer is unknown${reasons.length > 0 ? `, because ${reasons.join(' and ')}` : ''}`
}

/** When it would be as wished with an edit, after "only": undefined where always. */
export const turnedWords = ({ when }: Suggestion, windows: Windows): string | undefined => when && conditionWords(when, windows)

function suggestionLines(suggestion: Suggestion, number: number, windows: Windows, view: SuggestView): readonly string[] {
  const { names, paint } = view
  const { edits, decision } = suggestion
  const [main, ...rest] = edits.map((edit) => editWords(edit, names))
  const turned = turnedWords(suggestion, windows)
  const changed = changedLines(suggestion)
  const shownChanges = firstOf(changed, mostOf(view).lines)
  const unnamedCount = changed.length - shownChanges.length
  const evaded = [...new Set(edits.flatMap(({ evades }) => evades ?? []))].map(quotedPolicy)
  return presentParts(
    `${paint.bold(`${number}.`)} ${main ?? ''}`,
    rest.map((line) => `   ${line}`),
    shownChanges.map((line) => {
      const colour = line.mark === '+' ? paint.good : paint.error
      return `     ${shown(line.at)}  ${colour(`${line.mark} ${shown(changedPart(line, changed))}`)}`
    }),
    unnamedCount > 0 && `     and ${plural(unnamedCount, 'more line')}`,
    evaded.length > 0 && `   ${paint.warning('note:')} this evades a deny, which stays as it is: ${evaded.join(', ')}`,
    turned !== undefined && `   ${paint.warning('only')} ${turned}`,
    decision.verdict === 'unknown' && `   ${paint.warning(unknownWords(decision, names))}`,
    effectLines(suggestion, windows, view),
  )
}

/** The first lines of a change, some of each file. A single line is not left out: saying so takes one as well. */
function firstOf(lines: ReturnType<typeof changedLines>, most: number): typeof lines {
  if (lines.length <= most) return lines
  const byPath = groupedBy(lines, ({ path }) => path)
  const each = Math.max(1, Math.floor((most - 1) / byPath.size))
  return [...byPath.values()].flatMap((own) => own.slice(0, each))
}

/** The lines that a suggestion changes, each with its place: of a line that goes where it is today. */
function changedLines(suggestion: Suggestion) {
  let path = ''
  const next = { '+': 0, '-': 0 }
  return suggestionDiff(suggestion)
    .split('\n')
    .flatMap((line) => {
      const [, old, now] = /^@@ -(\d+)\S* \+(\d+)/.exec(line) ?? []
      const isName = /^(?:---|\+\+\+) /.test(line)
      if (isName && !line.endsWith('/dev/null')) path = line.slice(6)
      if (old !== undefined) Object.assign(next, { '-': Number(old), '+': Number(now) })
      const mark = line[0]
      if (mark === ' ') for (const each of ['+', '-'] as const) next[each]++
      return !isName && (mark === '+' || mark === '-') ? [{ at: `${path}:${next[mark]++}`, path, mark, text: line.slice(1) }] : []
    })
}

/** The longest line of a change that is shown whole: a file may be one line. */
const longestLine = 200

/** A changed line; of a long one the part from which on it differs from the line that it replaces, or that replaces it. */
function changedPart({ text, mark, path }: ReturnType<typeof changedLines>[number], lines: ReturnType<typeof changedLines>): string {
  if (text.trim().length <= longestLine) return text.trim()
  const other = lines.find((line) => line.mark !== mark && line.path === path)?.text ?? ''
  let same = 0
  while (same < text.length && text[same] === other[same]) same++
  const start = Math.max(0, same - longestLine / 4)
  return `${start > 0 ? '…' : ''}${cut(text.slice(start), longestLine)}`
}

/** Whether a region holds more than single names: the members of a group, or the matches of a pattern. */
function isOpenEnded({ identities, groups, actions, resources }: DiffRegion): boolean {
  const names = [...identities, ...groups, ...actions, ...resources.map(({ pattern }) => pattern)]
  return !names.every(isSingle)
}

/** Other access that a suggestion opens and closes: first for what is described, then beyond it. */
function effectLines({ others, decision }: Suggestion, windows: Windows, view: SuggestView): readonly string[] {
  const { names, paint, over, isDescribed } = view
  const most = mostOf(view)
  if (others.verdict === 'same') return [`   ${paint.good('changes nothing else, for anybody')}`]
  const nothing = `   ${paint.good(decision.verdict === 'deny' ? 'opens nothing' : 'also opens: nothing else')}`
  const { described, undecided } = others
  const wording = { names, when: conditionTexts(windows), isOfEdit: true, isWhole: view.all }
  const culprits = undecided.flatMap((each) => each.culprits)
  const isOpen = culprits.length > 0 || described.undecided
  const ranking = new RiskRanking()
  const linesOf = (side: 'gained' | 'lost', title: string) => {
    // Described access is enough to judge an edit by, unless the rest is asked for.
    const isKnown = over === 'known' && described[side].length > 0
    const difference = isKnown ? others : { ...others, described: { ...described, gained: [], lost: [] } }
    const sections = sectionsOf({ difference }, over === 'known' && !isKnown ? 'everything' : over)
    const section = sections.find(({ name }) => name === side) as Section
    const { rows, may } = section
    const head = `   ${title}${isKnown || over !== 'known' || !isDescribed ? '' : ', of what is not described'}`
    const wide = others[side].filter(isOpenEnded).length
    const hiddenCount = rows.length - most.rows
    return presentParts(
      side === 'gained' && others.gained.length + rows.length === 0 && !isOpen && nothing,
      readRows(section, ranking)
        .slice(0, most.rows)
        .map((row) => `${head}: ${rowSentence(row, may, wording, most.items)}`),
      hiddenCount > 0 && `${head}: ${plural(hiddenCount, 'more change')}`,
      isKnown && wide > 0 && `   and ${unlistedWords(wide, false)}: ${listEverything(wide)}`,
    )
  }
  return presentParts(
    linesOf('gained', paint.warning('also opens')),
    linesOf('lost', paint.info('also closes')),
    isOpen && `   ${paint.warning('not fully decided what else changes:')} ${tooManyWords(culprits)}`,
  )
}

export function suggestJson(question: Question, suggested: Suggested, world: World) {
  const { today, at, wish, kind, suggestions, conditional, membership, when, change } = suggested
  return {
    version: 1,
    question: fieldsJson(question, 'identity', 'action', 'resource'),
    to: wish,
    answer: kind,
    ...((when === undefined || at !== question.at) && { at: new Date(at).toISOString() }),
    today: decisionJson(today),
    ...(when && {
      when: formulaJson(when),
      change: change ? { at: new Date(change.at).toISOString(), to: wish } : null,
    }),
    suggestions: suggestions.map((suggestion) => ({
      edits: suggestion.edits.map((edit) => ({
        change: edit.kind,
        policy: edit.policy?.name.value ?? null,
        list: edit.list ?? null,
        text: edit.text ?? null,
        ...(edit.span && placeJson(edit.span)),
        ...(edit.misspelt !== undefined && { misspelt: edit.misspelt }),
        ...(edit.group !== undefined && { group: edit.group }),
        ...(edit.members && { members: edit.members }),
        ...(edit.evades && { evades: edit.evades.name.value }),
        message: editWords(edit),
      })),
      decision: decisionJson(suggestion.decision),
      ...(suggestion.when && { when: formulaJson(suggestion.when) }),
      others: {
        ...sidesJson(suggestion.others),
        undecided: suggestion.others.undecided,
        described: describedJson(suggestion.others.described),
      },
      diff: suggestionDiff(suggestion),
    })),
    conditional: conditional.map((trace) => ({
      policy: trace.policy.name.value,
      ...placeJson(trace.policy.name.span),
      message: traceWords(trace, world, question),
    })),
    membership: membership ?? null,
  }
}
