import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { minimatch } from 'minimatch'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { defaultSettings } from '../src/names.ts'
import { readBatchQuestion } from '../src/simulate/question.ts'
import { mainIn } from './support/in-process.ts'
import { cleanUp, prepare, readScenario, runLine, wordsOf } from './support/scenario.ts'

/** The schemas of `schemas/`: ready for the public store, and true of what the program reads and prints. */

type Schema = Readonly<Record<string, unknown>>
const folder = new URL('../schemas/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.schema.json'))
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Schema
const schemas = new Map(files.map((file) => [file.replace('.schema.json', ''), read(file)]))
const examples = fileURLToPath(new URL('../examples/', import.meta.url))

/** A validator as the store uses it: draft 7, strict. `change`: made of each schema first. */
function validator(change: (schema: Schema) => Schema = (schema) => schema): Ajv {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, strictTuples: false, allErrors: true })
  for (const [, schema] of schemas) ajv.addSchema(change(schema))
  return ajv
}
const ajv = validator()
const idOf = (name: string) => String(schemas.get(name)?.$id)

function problemsOf(name: string, value: unknown, by = ajv): readonly string[] {
  const check = by.getSchema(idOf(name))
  if (!check) throw new Error(`there is no schema \`${name}\``)
  check(value)
  return (check.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}

/** Every property of a schema, with the pointer to it. */
function* propertiesOf(value: unknown, at = ''): Generator<readonly [pointer: string, property: Schema]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key === 'examples') continue
    if (key === 'properties') for (const [name, property] of Object.entries(each as object)) yield [`${at}/properties/${name}`, property]
    yield* propertiesOf(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

describe.each([...schemas])('%s', (name, schema) => {
  test('is of draft 7, compiles by the letter, and has an address, a title and a description', () => {
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `https://unpkg.com/grantwise/schemas/${name}.schema.json`,
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\.$/),
    })
    expect(ajv.getSchema(idOf(name))).toBeTypeOf('function')
  })

  test('describes every property, with an example that fits', () => {
    const wrong: unknown[] = []
    for (const [pointer, { description, examples }] of propertiesOf(schema)) {
      if (typeof description !== 'string') wrong.push(`${pointer}: no description`)
      if (!Array.isArray(examples) || examples.length === 0) wrong.push(`${pointer}: no example`)
      else if (!examples.every((example) => ajv.validate({ $ref: `${idOf(name)}#${encodeURI(pointer)}` }, example)))
        wrong.push({ pointer, examples, errors: ajv.errors })
    }
    expect(wrong).toEqual([])
  })
})

test('docs/schemas.md lists every schema', () => {
  const page = readFileSync(new URL('../docs/schemas.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1])
  expect(listed.toSorted()).toEqual([...schemas.keys()].toSorted())
})

describe('catalog.json', () => {
  const catalog = read('catalog.json') as {
    readonly schemas: readonly { name: string; description: string; fileMatch: readonly string[]; url: string }[]
  }

  test('names each schema for files once, with patterns that match no other', () => {
    const urls = catalog.schemas.map(({ url }) => url)
    expect(new Set(urls).size).toBe(urls.length)
    for (const { name, description, fileMatch, url } of catalog.schemas) {
      expect([...schemas.values()].map(({ $id }) => $id)).toContain(url)
      expect(name).toMatch(/^grantwise /)
      // As the store has it: no period, and no pattern that other programs' files match.
      expect(description).not.toMatch(/\.$/)
      expect(fileMatch.filter((pattern) => /^(\*\*?\/)?\*?\.(json|ya?ml)$/.test(pattern))).toEqual([])
    }
    const matching = (file: string) =>
      catalog.schemas
        .filter(({ fileMatch }) => fileMatch.some((pattern) => minimatch(file, pattern, { dot: true })))
        .map(({ url }) => url.split('/').at(-1))
    expect(matching('.grantwise.yaml')).toEqual(['config.schema.json'])
    expect(matching('team.iamtest.yaml')).toEqual(['iamtest.schema.json'])
    expect(matching('.grantwise-baseline.json')).toEqual(['baseline.schema.json'])
    expect(matching('.grantwise-pull.json')).toEqual(['pull-record.schema.json'])
    for (const file of ['package.json', 'policy.yaml', 'world.json', 'questions.ndjson']) expect(matching(file)).toEqual([])
  })
})

describe('what the program prints', () => {
  const acme = (...argv: readonly string[]) => ['acme', argv] as const
  const [at, bob, web] = ['2026-06-01T12:00:00Z', 'user/bob', 'vps:web-1']
  const runs: Readonly<Record<string, readonly (readonly [folder: string, argv: readonly string[]])[]>> = {
    lint: [acme('lint', 'policies'), ['mistakes', ['lint', '.']]],
    can: [
      acme('can', bob, 'vps:apisvc:reboot', web, '--at', at),
      acme('can', bob, 'vps:apisvc:reboot', web, '--explain'),
      acme('can', bob, 'vps:apisvc:terminate', web),
    ],
    call: [acme('call', 'POST', '/v1/vps/web-1/reboot', '--identity', bob)],
    who: [acme('who', 'vps:apisvc:reboot', web), acme('who', '*:terminate', 'vps:*')],
    what: [acme('what', bob), acme('what', 'user/*'), acme('what', bob, '--expand')],
    expand: [acme('expand', 'vps:apisvc:ips/*')],
    diff: [['review', ['diff', 'before.yaml', 'after.yaml']], acme('diff', 'policies/account.yaml', 'policies')],
    test: [acme('test'), ['tests', ['test']]],
    compare: [acme('compare', 'user/alice', bob)],
    escalate: [acme('escalate', 'user/alice'), acme('escalate', bob)],
    policies: [acme('policies', 'user/alice')],
    matrix: [acme('matrix'), acme('matrix', '--type', 'vps', '--resources')],
    timeline: [['timeline', ['timeline', '-p', 'policies.yaml', '--from', at]]],
    minimise: [['proposals', ['minimise', '-p', 'policies.yaml']]],
    replay: [acme('replay', 'calls.ndjson', '-p', 'policies')],
    rules: [acme('rules')],
    'catalogue-info': [acme('catalogue', 'info'), acme('catalogue', 'info', 'vps')],
    least: [['usage', ['least', '--from', 'calls.ndjson']]],
    rule: [acme('rules', 'resource-urn'), acme('rules', 'expires-too-late')],
    suggest: [acme('suggest', bob, 'vps:apisvc:terminate', web), acme('suggest', bob, 'vps:apisvc:reboot', web)],
  }
  test.each(Object.entries(runs))('fits `%s`', async (name, cases) => {
    for (const [folder, argv] of cases) {
      const { stdout } = await mainIn([...argv, '--format', 'json'], examples + folder)
      expect({ argv, problems: problemsOf(name, JSON.parse(stdout)) }).toEqual({ argv, problems: [] })
    }
  })

  test('fits `finding` and `answer`, a line each', async () => {
    const lines = async (folder: string, argv: readonly string[]) => (await mainIn(argv, examples + folder)).stdout.trim().split('\n')
    const found = await lines('mistakes', ['lint', '.', '--format', 'ndjson'])
    const answers = await lines('team', ['can', '--batch', 'questions.ndjson', '-p', 'policies', '-p', 'world.yaml'])
    expect(found.length).toBeGreaterThan(50)
    for (const line of found) expect(problemsOf('finding', JSON.parse(line))).toEqual([])
    for (const line of answers) expect(problemsOf('answer', JSON.parse(line))).toEqual([])
  })

  test('is refused by the schema where a field is missing or of another type', async () => {
    const { stdout } = await mainIn(['can', bob, 'vps:apisvc:reboot', web, '--format', 'json'], `${examples}acme`)
    const decision = JSON.parse(stdout)
    for (const key of ['verdict', 'reason', 'clauses', 'missing', 'caveats']) {
      expect(problemsOf('can', { ...decision, [key]: undefined })).not.toEqual([])
      expect(problemsOf('can', { ...decision, [key]: 1 })).not.toEqual([])
    }
  })
})

/** The schema of what a command prints, and of each line where it prints lines: the first row that a command line fits. */
const printedBy: readonly (readonly [command: string, having: string, schema: string, isLines?: 'lines'])[] = [
  ['lint', '--print-config', 'effective-config'],
  ['lint', 'gitlab', 'gitlab'],
  ['lint', 'ndjson', 'finding', 'lines'],
  ['lint', 'sarif', 'sarif'],
  ['lint', 'json', 'lint'],
  ['can', '--batch', 'answer', 'lines'],
  ['call', '--from-403', 'grant'],
  ['least', '--access-rules', 'least-rules'],
  ['least', 'policies', 'policy'],
  ['replay', 'ndjson', 'replayed-call', 'lines'],
  ['catalogue', 'import', 'catalogue'],
  ['catalogue', 'info', 'catalogue-info'],
  ['convert', 'json', 'policy'],
  ['diff', 'gitlab', 'gitlab'],
  ['diff', 'sarif', 'sarif'],
  ['lock', '--check', 'diff'],
  ['rules', 'json', 'rules'],
  ['from-operations', '', 'credential'],
  // The language that it is written in has a format of its own.
  ['export', 'entities', 'cedar'],
  ...['can', 'call', 'who', 'what', 'expand', 'escalate', 'diff', 'test', 'compare', 'policies', 'matrix', 'timeline'].map(
    (name) => [name, '', name] as const,
  ),
  ...['suggest', 'minimise', 'replay', 'least'].map((name) => [name, '', name] as const),
]
/** Formats of others, whose schemas are tested elsewhere. */
const foreign = ['sarif', 'cedar']

test('every JSON that a scenario prints fits the schema of its command', async () => {
  const scenarioFolder = new URL('cli/', import.meta.url)
  const seen = new Map<string, number>()
  const wrong: unknown[] = []
  for (const name of readdirSync(scenarioFolder).filter((file) => file.endsWith('.scenario'))) {
    const { setup, commands } = readScenario(readFileSync(new URL(name, scenarioFolder), 'utf8'))
    for (const { line, stdout } of commands) {
      // What a scenario says is what is printed, as `cli.test.ts` holds; only what it leaves out has to be printed here.
      const hasGap = stdout.includes('...')
      const isJson = /^[[{]/.test(stdout[0] ?? '') || (hasGap && /--format(=| )(json|ndjson|gitlab)(?= |$)/.test(line))
      if (!isJson) continue
      const words = wordsOf(line.split(' < ')[0] ?? '')
      const given = words.slice(words.indexOf('grantwise') + 1)
      const [, , schema, isLines] =
        printedBy.find(
          ([command, having]) => given[0] === command && (having === '' || given.some((each) => each.split('=').includes(having))),
        ) ?? []
      if (schema === undefined) {
        wrong.push(`${name}: ${line}: no schema is known of what it prints`)
        continue
      }
      if (foreign.includes(schema)) continue
      const work = hasGap ? prepare(setup) : ''
      const text = hasGap ? (await runLine(line, work)).stdout : stdout.join('\n')
      if (hasGap) cleanUp(work)
      for (const value of isLines ? text.trim().split('\n') : [text]) {
        const problems = problemsOf(schema, JSON.parse(value))
        if (problems.length > 0) wrong.push({ name, line, problems })
      }
      seen.set(schema, (seen.get(schema) ?? 0) + 1)
    }
  }
  expect(wrong).toEqual([])
  expect(seen.size).toBeGreaterThan(20)
})

describe('what the program reads', () => {
  test('a question of a batch fits exactly where it is read', () => {
    const good = {
      id: 1,
      identity: 'urn:v1:eu:identity:user:ab12-svc/ann',
      action: 'vps:apisvc:get',
      resource: 'urn:v1:eu:resource:vps:x',
      groups: [],
      ip: '192.0.2.1',
      tags: { a: 'b' },
      at: '2027-01-31T12:00:00Z',
      expect: 'allow',
    }
    const context = { at: 0, groups: [] }
    const change = fc.record({
      key: fc.constantFrom(...Object.keys(good), 'other'),
      value: fc.constantFrom<unknown>(undefined, null, 1, true, [], {}, [1], { a: 1 }),
    })
    let refused = 0
    fc.assert(
      fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
        const value = JSON.parse(JSON.stringify({ ...good, ...Object.fromEntries(changes.map(({ key, value }) => [key, value])) }))
        const isRead = typeof readBatchQuestion(value, context, defaultSettings) !== 'string'
        if (!isRead) refused++
        expect({ value, fits: problemsOf('question', value).length === 0 }).toEqual({ value, fits: isRead })
      }),
      { numRuns: 200 },
    )
    expect(refused).toBeGreaterThan(50)
  })

  test('a seed, a lockfile and the body of a 403 fit', () => {
    const yaml = (file: string) => parse(readFileSync(examples + file, 'utf8'))
    const cases = { seed: yaml('serve/seed.yaml'), lockfile: yaml('lockfile/grantwise.lock'), refusal: yaml('acme/refused.json') }
    for (const [name, value] of Object.entries(cases)) {
      expect({ name, problems: problemsOf(name, value) }).toEqual({ name, problems: [] })
      expect(problemsOf(name, [])).not.toEqual([])
    }
    expect(problemsOf('seed', { standIn: { accounts: [{ id: 'ab12-svc', region: 'us' }] } })).not.toEqual([])
    expect(problemsOf('lockfile', { 'grantwise-lock': 2, policies: [] })).not.toEqual([])
  })

  test('files of the examples that a file pattern is for fit where they are read, and not with an unknown field', async () => {
    const catalog = (read('catalog.json') as { schemas: readonly { fileMatch: readonly string[]; url: string }[] }).schemas
    const argvOf: Readonly<Record<string, (file: string) => readonly string[]>> = {
      config: (file) => ['lint', '--config', file, '--print-config', 'x.yaml'],
      iamtest: (file) => ['test', file],
      lockfile: (file) => ['lock', '--check', '-o', file, '-p', 'policies'],
    }
    const seen = new Set<string>()
    for (const path of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
      const schema = catalog.find(({ fileMatch }) => fileMatch.some((pattern) => minimatch(basename(path), pattern, { dot: true })))
      if (!schema) continue
      const name = basename(schema.url, '.schema.json')
      const text = readFileSync(examples + path, 'utf8')
      const example = path.split(/[\\/]/)[0] as string
      const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
      try {
        cpSync(join(examples, example), join(folder, example), { recursive: true })
        for (const [content, isGood] of [
          [text, true],
          [`${text.trimEnd()}\nunknownField: 1\n`, false],
        ] as const) {
          const file = basename(path)
          writeFileSync(join(folder, path), content)
          const { exit } = await mainIn(argvOf[name]?.(file) ?? [], join(folder, dirname(path)))
          expect({ path, fits: problemsOf(name, parse(content)).length === 0 }).toEqual({ path, fits: isGood })
          expect({ path, isGood, isRead: exit !== 2 }).toEqual({ path, isGood, isRead: isGood })
        }
      } finally {
        cleanUp(folder)
      }
      seen.add(name)
    }
    expect([...seen].toSorted()).toEqual(Object.keys(argvOf).toSorted())
  })

  test('a recorded call fits', () => {
    const lines = ['usage/calls.ndjson', 'acme/calls.ndjson'].flatMap((file) =>
      readFileSync(examples + file, 'utf8')
        .trim()
        .split('\n'),
    )
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) expect({ line, problems: problemsOf('recorded-call', JSON.parse(line)) }).toEqual({ line, problems: [] })
  })

  test('a baseline fits, and not with another version or count', () => {
    const entry = { file: 'p.yaml', code: 'expired', policy: 'p', text: 'x', count: 1, fingerprint: 'f' }
    expect(problemsOf('baseline', { version: 1, findings: [entry] })).toEqual([])
    expect(problemsOf('baseline', { version: 2, findings: [] })).not.toEqual([])
    for (const wrong of [
      { ...entry, count: 0 },
      { ...entry, count: '1' },
      { ...entry, fingerprint: undefined },
    ])
      expect(problemsOf('baseline', { version: 1, findings: [wrong] })).not.toEqual([])
  })
})
