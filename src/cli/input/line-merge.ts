import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Versions } from '../../merge/merge.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { gitEnd } from './git.ts'

/** The way in which git merges lines, and writes conflicts. */
export interface MarkStyle {
  /** How many characters a marker has. */
  readonly size: number
  /** As `merge.conflictStyle` of git names it. */
  readonly style: string
}

/** A merge of git's: with conflicts, as markers in it. Undefined for files that it does not merge. */
export interface LineMerge {
  readonly bytes: Buffer
  readonly hasConflicts: boolean
}

export function conflictStyle(io: Io): string {
  const { stdout, status } = gitEnd(['config', '--get', 'merge.conflictStyle'], io)
  return status === 0 ? stdout.toString('utf8').trim() : 'merge'
}

/** Git's own merge of three files, line by line. */
export function mergeLines(
  files: Readonly<Record<keyof Versions, string | Buffer>>,
  { size, style }: MarkStyle,
  io: Io,
): LineMerge | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-merge-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    const labels = ['ours', 'base', 'theirs'].flatMap((name) => ['-L', name])
    const flags = style === 'diff3' || style === 'zdiff3' ? [`--${style}`] : []
    const paths = ['ours', 'base', 'theirs'].map((name) => join(folder, name))
    const { stdout, stderr, status } = gitEnd(['merge-file', '-p', ...flags, `--marker-size=${size}`, ...labels, ...paths], io)
    if (status === null) throw new Refusal('git merge-file was ended')
    if (status > 127) {
      if (/binary/i.test(stderr.toString('utf8'))) return undefined
      throw new Refusal(`git merge-file: ${stderr.toString('utf8').split('\n')[0]}`)
    }
    return { bytes: stdout, hasConflicts: status !== 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Two versions with markers around the lines in which they differ, where git finds no conflict in the lines but their meanings conflict. */
export function marked({ base, ours, theirs }: Versions, { size, style }: MarkStyle): string {
  const [mine, old, other] = [ours, base, theirs].map(linesOf) as [string[], string[], string[]]
  const isBased = style === 'diff3' || style === 'zdiff3'
  const all = isBased ? [mine, old, other] : [mine, other]
  const least = Math.min(...all.map(({ length }) => length))
  const isSame = (of: (lines: readonly string[]) => string | undefined) => all.every((lines) => of(lines) === of(mine))
  let start = 0
  while (start < least && isSame((lines) => lines[start])) start++
  let end = 0
  while (end < least - start && isSame((lines) => lines.at(-1 - end))) end++
  const middle = (lines: readonly string[]) =>
    lines.slice(start, lines.length - end).map((line) => (line.endsWith('\n') ? line : `${line}\n`))
  const newline = ours.includes('\r\n') ? '\r\n' : '\n'
  const mark = (character: string, label = '') => `${character.repeat(size)}${label === '' ? '' : ` ${label}`}${newline}`
  return [
    ...mine.slice(0, start),
    mark('<', 'ours'),
    ...middle(mine),
    ...(isBased ? [mark('|', 'base'), ...middle(old)] : []),
    mark('='),
    ...middle(other),
    mark('>', 'theirs'),
    ...mine.slice(mine.length - end),
  ].join('')
}

const linesOf = (text: string) => text.split(/(?<=\n)/).filter((line) => line !== '')
