import { answerMarkdown } from '../../answers/markdown.ts'
import type { Answer, Wording } from '../../answers/model.ts'
import { answerLines, answerText } from '../../answers/text.ts'
import type { Times } from '../../answers/wording.ts'
import { fullNameWording, wordingOf } from '../../answers/wording.ts'
import { type ConditionTexts, conditionTexts } from '../../report/conditions.ts'
import type { Names } from '../../report/names.ts'
import { json, shown } from '../../report/safe.ts'
import { notesText } from '../../report/unknown-names.ts'
import type { ActionsByType } from '../../symbolic/described.ts'
import type { Io } from '../app/io.ts'
import { wrapLines } from './fit.ts'
import { coloursOf } from './outputs.ts'

/** How an answer is written: what the options of a command say. */
interface AnswerOptions {
  readonly format?: 'pretty' | 'compact' | 'json' | 'markdown' | undefined
  readonly all?: boolean | undefined
  readonly color?: boolean | undefined
  /** Notes on names in the question that may be wrong. */
  readonly notes?: readonly string[]
  /** The command, for the heading of Markdown. */
  readonly title?: string
}

/** The names of a command's world, and its conditions in words. */
interface AnswerWords {
  readonly names: Names
  /** The instants before it do not count. */
  readonly from?: number | undefined
  /** The words of conditions, where they are not those from `from` on. */
  readonly when?: ConditionTexts
  /** Lists of actions that are all of a type are said in one phrase. */
  readonly actions?: Wording['actions']
}

/** The words of an answer about a described account. */
export function wordsOf({ names }: { readonly names: Names }, { windows }: Times, actions: ActionsByType): AnswerWords {
  return { names, when: conditionTexts(windows), actions }
}

/** Write an answer in the format that was asked for. */
export function writeAnswer(answer: Answer, { names, from, actions, when }: AnswerWords, options: AnswerOptions, io: Io): void {
  const { format, all, notes = [], title = 'grantwise' } = options
  writeNotes(notes, format, io)
  if (format === 'json') io.stdout.write(`${json(withNotes(answer.json(), notes))}\n`)
  else if (format === 'compact') {
    io.stdout.write(answerLines(answer, { ...fullNameWording(from), ...(when && { when }), actions }, all))
    // These are not in the lines: files that were not read, for example.
    writeNotes(answer.notes, format, io)
  } else {
    const wording = { ...wordingOf(names, from, actions), ...(when && { when }) }
    const width = io.stdout.width?.()
    if (format === 'markdown') io.stdout.write(answerMarkdown(answer, { title, wording, all }))
    else io.stdout.write(wrapLines(answerText(answer, { paint: coloursOf(options, io), wording, width, all }), width))
  }
}

/** Say what may be wrong with a question: above a printed answer, on standard error with one for machines. */
export function writeNotes(notes: readonly string[], format: string | undefined, io: Io): void {
  const isRead = ['json', 'ndjson', 'compact', 'diff', 'verdict'].includes(format ?? '')
  if (!isRead) io.stdout.write(notesText(notes))
  else for (const note of notes) io.stderr.write(`grantwise: note: ${shown(note)}\n`)
}

/** An answer for machines, with what may be wrong with its question. */
export function withNotes<T extends object>(answer: T, notes: readonly string[]): T {
  return notes.length === 0 ? answer : { ...answer, notes }
}

/** Write several answers, one after the other; as JSON, a list of them. One alone is written as it is. */
export function writeAnswers(answers: readonly Answer[], words: AnswerWords, options: AnswerOptions, io: Io): void {
  const [first, ...others] = answers
  if (!first || others.length === 0 || options.format !== 'json') {
    for (const [i, answer] of answers.entries()) {
      if (i > 0 && options.format !== 'compact') io.stdout.write('\n')
      writeAnswer(answer, words, options, io)
    }
  } else io.stdout.write(`${json({ answers: answers.map((answer) => answer.json()) })}\n`)
}
