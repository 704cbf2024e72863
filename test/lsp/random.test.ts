import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { replay, type Step } from './replay.ts'

const examples = fileURLToPath(new URL('../../examples', import.meta.url))
const texts = readdirSync(examples, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.iamtest)\.(?:yaml|json|tf)$/.test(entry.name) && !entry.name.startsWith('.'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .map((file) => ({ name: file.slice(examples.length + 1), text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => text.length < 20_000)

/** Texts that users leave behind in the middle of writing. */
const pieces = [
  '',
  ' ',
  '\n',
  '"',
  "'",
  '- ',
  '  ',
  ':',
  '{',
  '}',
  '[',
  ']',
  '*',
  '#',
  ',',
  '🦊',
  'é',
  '\r\n',
  '\t',
  'urn:v1:',
  'action: ',
  '&a ',
  '${',
  'deny:\n',
]

const file = fc.constantFrom(...texts)
const edit = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.nat(200)),
  by: fc.constantFrom(...pieces),
  isUndone: fc.boolean(),
})

test('random edits of random files leave the editor with what the command line finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(file, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('utf-8', 'utf-16', 'utf-32'),
      async (files, edits, encoding) => {
        const [first] = files
        if (!first) return
        const path = `0-${first.name.replaceAll('/', '-')}`
        const named = Object.fromEntries(files.map(({ name, text }, i) => [`${i}-${name.replaceAll('/', '-')}`, text]))
        let { text } = first
        const steps: Step[] = [{ open: path }]
        for (const { from, length, by, isUndone } of edits) {
          let start = Math.floor(from * text.length)
          // No character is cut in two: an editor cannot either.
          if (/[\uDC00-\uDFFF]/.test(text[start] ?? '')) start--
          let end = Math.min(text.length, start + length)
          if (/[\uDC00-\uDFFF]/.test(text[end] ?? '')) end++
          const next = text.slice(0, start) + by + text.slice(end)
          steps.push({ in: path, set: next }, ...(isUndone ? [{ undo: path }] : []))
          if (!isUndone) text = next
        }
        expect(await replay({ name: 'random', files: named, encoding, steps })).toEqual([])
      },
    ),
    { numRuns: effort(60) },
  )
})
