import { describe, expect, it } from 'vitest'
import { lineEdits, unifiedDiff } from '../../src/report/diff.ts'
import { effort } from '../support/effort.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** The result of a unified diff for a text; each line it removes or keeps must be there. */
function patched(before: string, diff: string): string {
  const lines = before.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const out: string[] = []
  let at = 0
  let left = 0
  let added = 0
  const rows = diff.split('\n').slice(2, -1)
  for (const [i, row] of rows.entries()) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(row)
    if (header && left === 0 && added === 0) {
      const [, start = '', count = '1', startB = '', countB = '1'] = header
      const from = Number(start) - (count === '0' ? 0 : 1)
      out.push(...lines.slice(at, from))
      expect(out.length).toBe(Number(startB) - (countB === '0' ? 0 : 1))
      at = from
      left = Number(count)
      added = Number(countB)
      continue
    }
    if (row === '\\ No newline at end of file') continue
    const line = `${row.slice(1)}${rows[i + 1] === '\\ No newline at end of file' ? '' : '\n'}`
    if (row[0] !== '+') {
      expect(lines[at++]).toBe(line)
      left--
    }
    if (row[0] !== '-') {
      out.push(line)
      added--
    }
  }
  expect([left, added]).toEqual([0, 0])
  return [...out, ...lines.slice(at)].join('')
}

describe('a unified diff', () => {
  it('shows three lines around each change', () => {
    const before = `${Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join('\n')}\n`
    const after = before.replace('line 4\n', '').replace('line 8\n', 'line 8\nnew\n').replace('line 25\n', 'changed\n')
    expect(unifiedDiff('p.yaml', before, after)).toBe(`--- a/p.yaml
+++ b/p.yaml
@@ -1,11 +1,11 @@
 line 1
 line 2
 line 3
-line 4
 line 5
 line 6
 line 7
 line 8
+new
 line 9
 line 10
 line 11
@@ -22,7 +22,7 @@
 line 22
 line 23
 line 24
-line 25
+changed
 line 26
 line 27
 line 28
`)
  })

  it('says where a line break is missing at the end', () => {
    expect(unifiedDiff('p', 'a\nb', 'a\nb\n')).toBe('--- a/p\n+++ b/p\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n')
  })

  it('is nothing for equal texts', () => {
    expect(unifiedDiff('p', 'a\n', 'a\n')).toBe('')
  })

  it('turns the one text into the other, for thousands of pairs', () => {
    const random = randomOf(1)
    const words = ['a\n', 'b\n', 'c\r\n', '\n', 'd\n', '@@ -1 +1 @@\n', '--- x\n']
    for (let i = 0; i < effort(4000); i++) {
      const lines = Array.from({ length: Math.floor(random() * 24) }, () => pick(random, words))
      const other =
        random() < 0.2
          ? lines.map(() => pick(random, words))
          : lines.flatMap((line) => (random() < 0.15 ? [] : random() < 0.15 ? [line, pick(random, words)] : [line]))
      const [before, after] = [lines.join('') + pick(random, ['', 'end']), other.join('') + pick(random, ['', 'end'])]
      if (before === after) continue
      const diff = unifiedDiff('p', before, after)
      expect(patched(before, diff), diff).toBe(after)
    }
  })

  it('gives up on what differs everywhere, and is right all the same', () => {
    const before = Array.from({ length: 3000 }, (_, i) => `a${i}\n`).join('')
    const after = Array.from({ length: 3000 }, (_, i) => `b${i}\n`).join('')
    expect(patched(before, unifiedDiff('p', before, after))).toBe(after)
  })
})

it('a name that would end its line is quoted, as git reads it', () => {
  expect(unifiedDiff('x\n"::error::\u0001\\.yaml', 'a\n', 'b\n')).toBe(
    '--- "a/x\\n\\"::error::\\001\\\\.yaml"\n+++ "b/x\\n\\"::error::\\001\\\\.yaml"\n@@ -1 +1 @@\n-a\n+b\n',
  )
  // A name with a blank ends with a tab, as git writes it: `patch` would cut it at the blank.
  expect(unifiedDiff('é x.yaml', 'a\n', 'b\n')).toContain('--- a/é x.yaml\t\n+++ b/é x.yaml\t\n')
})

it('a name with what turns the direction, shows nothing or commands a build server is quoted', () => {
  expect(unifiedDiff('\u202egnp\u200b ##vso[x].yaml', 'a\n', 'b\n')).toContain(
    '--- "a/\\342\\200\\256gnp\\342\\200\\213 ##vso\\133x].yaml"\n+++ "b/\\342\\200\\256gnp',
  )
})

describe('edits of lines', () => {
  const made = (before: string, edits: ReturnType<typeof lineEdits>) =>
    edits.toReversed().reduce((text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end), before)

  it('make the other text, and are none between equal ones', () => {
    const random = randomOf(20261130)
    const versions = Array.from({ length: effort(600, 20) }, () =>
      Array.from({ length: Math.floor(random() * 4) }, () => pick(random, ['a', 'b', '\n', 'a\n', ''])).join(''),
    )
    for (const before of versions) {
      const after = pick(random, versions)
      expect(made(before, lineEdits(before, after))).toBe(after)
      expect(lineEdits(before, before)).toEqual([])
    }
  })

  it('are of the lines that differ only', () => {
    expect(lineEdits('{"a":1}\n', '{"a":2}\n')).toEqual([{ start: 0, end: 8, text: '{"a":2}\n' }])
    expect(lineEdits('a\nb\nc\n', 'a\nx\nc\n')).toEqual([{ start: 2, end: 4, text: 'x\n' }])
  })
})
