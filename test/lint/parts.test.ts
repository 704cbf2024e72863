import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { notations } from '../../src/rules/document/literal-pattern-character.ts'
import { placeholders } from '../../src/rules/document/placeholder-in-urn.ts'
import { rules } from '../../src/rules/index.ts'
import { levelsOf } from '../../src/rules/presets.ts'
import { type Part, parts, type Rule, signs, summaryParts } from '../../src/rules/rule.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { effort, some } from '../support/effort.ts'
import { examplesOf, readExample } from '../support/examples.ts'
import { generate, randomOf, usualKnobs } from '../support/worlds.ts'

/** Rules that are not asked about policies without a part that they need: the findings are the same as with all rules asked about all. */

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 0, 15, 12)
const levels = levelsOf('auditor')
const partOf = (rule: Rule): Part | undefined => ('policy' in rule ? rule.needs : undefined)
const askedAboutAll = rules.map((rule): Rule => ('policy' in rule ? (({ needs, ...rest }) => rest)(rule) : rule))

async function read(sources: readonly Source[]) {
  const texts = sources.map((source) => ({ source, isNamed: true }))
  const files = await readSources(texts, defaultSettings, allReaders)
  const { world, diagnostics } = buildWorld(files.facts)
  return { world, problems: [...files.diagnostics, ...diagnostics] }
}

/** The findings in sources as one world: with rules as they are, and with all of them asked about all policies. */
async function findings(sources: readonly Source[]) {
  const { world, problems } = await read(sources)
  const found = (asked: readonly Rule[]) =>
    lint(asked, ruleContext({ world, catalogue, settings: defaultSettings, now }), problems, levels).map(
      ({ code, span, message, help }) => ({
        code,
        place: `${span.source.path} ${span.start} ${span.end}`,
        message,
        help,
      }),
    )
  return { found: found(rules), expected: found(askedAboutAll) }
}

const examples = rules.flatMap(({ code }) =>
  [...examplesOf(code).bad, ...examplesOf(code).good].map((example, i) => {
    const { text, notation } = readExample(example).exampleSet
    return sourceOf(`${code}-${i}.${notation}`, text, notation)
  }),
)

function filesIn(folder: string): readonly Source[] {
  const top = fileURLToPath(new URL(`../../${folder}`, import.meta.url))
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|yaml)$/.test(name))
    .map((name) => sourceOf(name, readFileSync(join(top, name), 'utf8')))
}

describe('rules that need a part of a policy', () => {
  test.each([...(Object.keys(parts) as Part[]), ...summaryParts])('are some, for: %s', (part) => {
    expect(rules.some((rule) => partOf(rule) === part)).toBe(true)
  })

  test.each([
    ['the examples of rules', () => examples],
    ['the mistakes', () => filesIn('examples/mistakes')],
    ['the corpus', () => filesIn('test/corpus')],
  ] as const)('find the same in files of %s, one by one and together', async (_, sources) => {
    const codes = new Set<string>()
    for (const files of [...some(sources(), 40).map((source) => [source]), some(sources(), 40)]) {
      const { found, expected } = await findings(files)
      expect(found).toEqual(expected)
      for (const { code } of expected) codes.add(code)
    }
    expect(codes.size).toBeGreaterThan(10)
  })

  test('find the same in generated worlds', async () => {
    const random = randomOf(20261127)
    let count = 0
    for (let i = 0; i < effort(600, 120); i++) {
      const { found, expected } = await findings([sourceOf('w.json', JSON.stringify(generate(random, 0, usualKnobs).world))])
      expect(found).toEqual(expected)
      count += found.length
    }
    expect(count).toBeGreaterThan(effort(600, 120))
  })
})

test('each placeholder and each pattern of another notation has one of the signs that are searched for first', () => {
  const pieces =
    '<Ab>|{{x}}|${x}|{id}|$NAME|%s|YOUR_ID|MY-X|THE_Y|your-account|your_nic_id|my-zone-name|CHANGEME|REPLACE_ME|TODO|FIXME|PLACEHOLDER|xxxx|XXXXX|00000000-0000-0000-0000-000000000000|[ab]|?|{a,b}|a|-|_|.|/|:'.split(
      '|',
    )
  const random = randomOf(7)
  let met = 0
  for (let i = 0; i < 4000; i++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      const piece = pieces[Math.floor(random() * pieces.length)] as string
      return random() < 0.7 ? piece : piece.slice(0, Math.floor(random() * piece.length))
    }).join('')
    const isFound = [...placeholders, ...notations.map(({ pattern }) => pattern)].some((each) => each.test(text))
    if (isFound) met++
    if (!signs.test(text)) expect(isFound, text).toBe(false)
  }
  expect(met).toBeGreaterThan(1000)
})
