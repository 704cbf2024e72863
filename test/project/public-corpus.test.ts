import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { factText } from '../../src/simulate/facts.ts'
import { notationOf, sourceOf } from '../../src/source.ts'
import { findNewAccess } from '../../src/symbolic/gained.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { isDeep, isWhole } from '../support/effort.ts'
import { type CorpusCase, corpusCases, corpusFiles } from '../support/public-corpus.ts'
import { testSettings } from '../support/settings.ts'
import { type QuestionJson, questionOf } from '../support/worlds.ts'

/**
 * The corpus for other implementations (conformance/README.md): that it is what it says, that this implementation agrees, and that
 * the runner says so. What the runner says of other implementations is tried in a deep run, which also writes figures/corpus.json.
 */

const root = new URL('../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), 'utf8')
const script = (name: string) => import(new URL(`scripts/${name}`, root).href)
const scripted = {
  ...(await script('conformance.mjs')),
  ...(await script('conformance/sentences.mjs')),
  ...(await script('conformance/renamed.mjs')),
} as {
  readonly staleFiles: () => Promise<readonly string[]>
  readonly sentencesOf: (page: string) => readonly { readonly section: string; readonly sentence: string }[]
  readonly renamed: (each: CorpusCase) => string
}
const cases = corpusCases()

/** The world of all texts together; undefined where one of them is refused. */
async function worldOfFiles(texts: readonly { readonly name: string; readonly text: string }[]): Promise<World | undefined> {
  const reads = await Promise.all(texts.map(({ name, text }) => readSource(sourceOf(name, text, notationOf(name)), testSettings)))
  const built = buildWorld(reads.map(({ facts }) => facts))
  const problems = [...reads.flatMap(({ diagnostics }) => diagnostics), ...built.diagnostics]
  return problems.some(({ severity }) => severity === 'error') ? undefined : built.world
}
const read = (world: object) => worldOfFiles([{ name: 'world.json', text: JSON.stringify(world) }])
const worldOfCase = ({ world, files }: CorpusCase) =>
  files ? worldOfFiles(files.map(({ name, lines }) => ({ name, text: lines.join('\n') }))) : read(world as object)

test('this implementation agrees: decisions, what is missing, notes', async () => {
  const wrong: string[] = []
  let asked = 0
  for (const each of cases) {
    if (each.before) continue
    const world = await worldOfCase(each)
    if (each.expected) {
      asked++
      if (world) wrong.push(`${each.name}: it is not refused`)
      continue
    }
    if (!world) {
      wrong.push(`${each.name}: it is refused`)
      continue
    }
    const engine = compile(world)
    for (const [i, { expected, ...written }] of (each.questions ?? []).entries()) {
      const question = questionOf(written)
      for (const { verdict, missing, caveats } of [decide(world, question), engine.decide(question)]) {
        asked++
        const facts = missing.map(({ fact }) => factText(fact)).sort()
        if (verdict !== expected.verdict) wrong.push(`${each.name} [${i}]: ${verdict}, not ${expected.verdict}`)
        else if (expected.missing && facts.join(' ') !== [...expected.missing].sort().join(' '))
          wrong.push(`${each.name} [${i}]: ${facts.join(' ')} are missing, not ${expected.missing.join(' ')}`)
        else if (expected.notes && [...caveats].sort().join() !== [...expected.notes].sort().join())
          wrong.push(`${each.name} [${i}]: notes ${caveats.join()}, not ${expected.notes.join()}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(4000)
})

test('this implementation agrees: differences', async () => {
  const wrong: string[] = []
  for (const { name, before, after, expected } of cases) {
    if (!before || !after || !expected || !('new' in expected)) continue
    const [old, now] = [(await read(before)) as World, (await read(after)) as World]
    const { regions, culprits } = findNewAccess(sideOf(now, old), sideOf(old, now))
    if (culprits.length > 0) wrong.push(`${name}: given up`)
    if (regions.length > 0 !== expected.new) wrong.push(`${name}: ${regions.length} regions`)
    if (!expected.example) continue
    const verdicts = [old, now].map((world) => decide(world, questionOf(expected.example as QuestionJson)).verdict).join()
    if (verdicts !== 'deny,allow') wrong.push(`${name}: the example is answered with ${verdicts}`)
  }
  expect(wrong).toEqual([])
})

const sentences: readonly { readonly section: string; readonly sentence: string }[] = scripted.sentencesOf(text('docs/semantics.md'))
const sentenceOf = ({ name }: CorpusCase) => name.slice(0, name.indexOf(' — '))

describe('the corpus', () => {
  test('has 1,000 cases or more, as many as its README says, of every kind, in 2 MB', () => {
    expect(cases.length).toBeGreaterThan(1000)
    expect(text('conformance/README.md')).toContain(`\n${cases.length.toLocaleString('en')} cases of what policies mean`)
    const verdicts = cases.flatMap(({ questions = [] }) => questions.map(({ expected }) => expected.verdict))
    for (const verdict of ['allow', 'deny', 'unknown'])
      expect(verdicts.filter((each) => each === verdict).length, verdict).toBeGreaterThan(200)
    const kinds = cases.map(({ expected, files }) => (expected ? Object.entries(expected)[0]?.join() : files ? 'files' : 'world'))
    for (const kind of ['refused,true', 'new,true', 'new,false', 'files', 'world'])
      expect(kinds.filter((each) => each === kind).length, kind).toBeGreaterThan(50)
    expect(Buffer.byteLength([...corpusFiles().keys()].map((name) => text(`conformance/cases/${name}`)).join(''))).toBeLessThan(2_000_000)
  })

  test('has the form that its schema describes', () => {
    const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(
      JSON.parse(text('conformance/schema.json')),
    )
    for (const [name, file] of corpusFiles()) expect(validate(file) || validate.errors?.slice(0, 3), name).toBe(true)
    expect(
      validate({ version: '1.0.0', section: 'Names', cases: [{ name: 'a — b', tests: 'semantics.md#names', world: { policies: [] } }] }),
    ).toBe(false)
  })

  test('is what the tables say', async () => {
    expect(await scripted.staleFiles()).toEqual([])
  })

  test('no two cases have one name, or are the same after renaming', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
    expect(new Set(cases.map((each) => scripted.renamed(each))).size).toBe(cases.length)
  })

  test('renaming is seen through, and nothing else is', () => {
    const [first] = cases as [CorpusCase]
    const changed = (from: RegExp, to: string) => scripted.renamed(JSON.parse(JSON.stringify(first).replaceAll(from, to)))
    expect(JSON.stringify(first)).toContain('0123456789abcdef')
    expect(changed(/0123456789abcdef/g, 'zz99qqq')).toBe(scripted.renamed(first))
    expect(changed(/"verdict":"allow"/g, '"verdict":"deny"')).not.toBe(scripted.renamed(first))
    expect(changed(/"identities":\["urn:v1:eu/g, '"identities":["urn:v1:ca')).not.toBe(scripted.renamed(first))
  })

  test('every sentence has a case, or a reason in the README why not', () => {
    const [, list = ''] = /## Sentences without a case\n([\s\S]*?)\n## /.exec(text('conformance/README.md')) ?? []
    const reasons = new Map(
      [...list.matchAll(/^- (.*)\n {2}(\S.*)$/gm)].map(([, sentence, reason]) => [sentence as string, reason as string]),
    )
    const tested = new Set(cases.map(sentenceOf))
    expect(sentences.length).toBeGreaterThan(80)
    expect(sentences.filter(({ sentence }) => sentence.includes(' — '))).toEqual([])
    expect(sentences.map(({ sentence }) => sentence).filter((each) => !tested.has(each) && !reasons.has(each))).toEqual([])
    expect([...reasons.keys()].filter((each) => tested.has(each) || !sentences.some(({ sentence }) => sentence === each))).toEqual([])
  })

  test('every case is named after a sentence of the section that it points to', () => {
    const known = new Set(sentences.map(({ section, sentence }) => `${section}\n${sentence}`))
    const wrong = [...corpusFiles().values()].flatMap(({ section, cases }) =>
      cases.filter((each) => !known.has(`${section}\n${sentenceOf(each)}`) || each.tests !== `semantics.md#${section.toLowerCase()}`),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  test('is not part of the package', () => {
    expect(JSON.parse(text('package.json')).files.filter((each: string) => each.startsWith('conformance'))).toEqual([])
  })
})

test('sentences are split at their ends, and rows of tables are kept', () => {
  const page =
    '# A\n\nOne `a.b`. Two (P).\nThree\ngoes on: here.\n\n| x | y |\n|---|---|\n| a | b. C |\n\n## B c\n1. four;\n2. five. *Six*.\n'
  expect(scripted.sentencesOf(page).map(({ section, sentence }) => `${section}: ${sentence}`)).toEqual([
    'A: One `a.b`.',
    'A: Two (P).',
    'A: Three goes on: here.',
    'A: a | b. C',
    'B c: four;',
    'B c: five.',
    'B c: *Six*.',
  ])
})

describe('the runner', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'grantwise-corpus-'))
  afterAll(() => rmSync(temporary, { recursive: true }))
  const path = (name: string) => fileURLToPath(new URL(name, root))
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path('conformance/run.mjs'), ...args], {
      encoding: 'utf8',
      cwd: temporary,
    })
    return { status, stdout, stderr }
  }
  /** An adapter that answers each case with what an expression makes of it. */
  const adapter = (name: string, answer: string) => {
    writeFileSync(
      join(temporary, name),
      `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line)
  process.stdout.write(JSON.stringify(${answer}) + '\\n')
}
`,
    )
    return [process.execPath, join(temporary, name)]
  }
  const denies = `given.before ? { new: false } : { answers: given.questions.map(() => ({ verdict: 'deny' })) }`
  const numbers = (stdout: string) => /(\d+) cases, (\d+) agree, (\d+) do not/.exec(stdout)?.slice(1).map(Number)

  if (isDeep)
    test('with the adapter of grantwise and the built program: all cases agree', () => {
      const summary = join(temporary, 'summary.json')
      const { status, stdout, stderr } = run('--summary', summary, process.execPath, path('conformance/adapters/grantwise.mjs'))
      expect({ status, stdout, stderr }).toEqual({
        status: 0,
        stdout: `corpus 1.0.0: ${cases.length} cases, ${cases.length} agree, 0 do not\n`,
        stderr: '',
      })
      const reached = JSON.parse(readFileSync(summary, 'utf8'))
      expect(reached).toMatchObject({
        cases: cases.length,
        sentences: new Set(cases.map(sentenceOf)).size,
        agreed: cases.length,
        failed: 0,
      })
      if (isWhole) writeFigures(reached)
    })

  test('names the cases that an implementation gets wrong', () => {
    const { status, stdout } = run(...adapter('denies.mjs', denies))
    const isRight = ({ expected, questions = [] }: CorpusCase) =>
      expected
        ? 'new' in expected && !expected.new
        : questions.every(({ expected: { verdict, notes = [] } }) => verdict === 'deny' && notes.length === 0)
    const wrong = cases.filter((each) => !isRight(each))
    expect(status).toBe(1)
    expect([...stdout.matchAll(/^failed: (.*)$/gm)].map(([, name]) => name)).toEqual(wrong.map(({ name }) => name))
    expect(numbers(stdout)).toEqual([cases.length, cases.length - wrong.length, wrong.length])
    expect(stdout).toContain(`\n  semantics.md#names\n  deny, not allow: question 1, {"identity":"urn:v1:eu:`)
  })

  if (!isDeep) return

  test('asks about witnesses, and does not believe them', () => {
    const only = ['--only', 'a policy is added']
    const example = `{ identity: 'urn:v1:eu:identity:user:ab12-svc/ann', action: 'vps:apisvc:reboot', resource: 'urn:v1:eu:resource:vps:web-1', at: '2026-07-01T12:00:00Z' }`
    const answering = (before: string, after: string) =>
      `given.before ? { new: true, witness: ${example} } : { answers: [{ verdict: given.world.policies.length > 0 ? '${after}' : '${before}' }] }`
    expect(run(...only, ...adapter('right.mjs', answering('deny', 'allow'))).status).toBe(0)
    for (const [before, after] of [
      ['allow', 'allow'],
      ['deny', 'deny'],
      ['deny', 'unknown'],
    ] as const) {
      const { status, stdout } = run(...only, ...adapter('wrong.mjs', answering(before, after)))
      expect(status).toBe(1)
      expect(stdout).toContain(`its own witness is answered with ${before} before and ${after} after`)
    }
    expect(run(...only, ...adapter('none.mjs', '{ new: true }')).stdout).toContain('there is no witness')
  })

  test('says what was left out', () => {
    const { status, stdout } = run('--without', 'differences,refusals,files,unknown,notes', ...adapter('denies.mjs', denies))
    const left = cases.filter(
      ({ before, expected, files, questions = [] }) =>
        !before && !expected && !files && !questions.some((each) => each.expected.verdict === 'unknown'),
    )
    const wrong = left.filter(({ questions = [] }) => questions.some(({ expected }) => expected.verdict === 'allow'))
    expect(status).toBe(1)
    expect(numbers(stdout)).toEqual([left.length, left.length - wrong.length, wrong.length])
    expect(stdout).toMatch(/\nleft out: \d+ that need `differences`|\nleft out: .*`differences`/)
    expect(stdout).toMatch(/\nnot compared: notes\n$/)
  })

  test('exits with 2 where the cases cannot be run', () => {
    const last = (args: readonly string[]) => {
      const { status, stderr } = run(...args)
      return `${status} ${stderr.split('\n')[0]}`
    }
    expect(last([])).toMatch(/^2 Usage: /)
    expect(last(['--without', 'everything', 'true'])).toBe('2 no such part of the corpus: everything')
    expect(last(['--only', 'no such name', 'true'])).toBe('2 there are no such cases')
    expect(last(['no-such-command-here'])).toMatch(/^2 cannot run no-such-command-here: /)
    expect(last([process.execPath, '-e', 'process.exit(3)'])).toBe('2 the command ended before its last answer (exit code 3)')
    expect(last(['--timeout', '0.2', process.execPath, '-e', 'setInterval(() => {}, 1000)'])).toMatch(/^2 no answer within 0.2 s: /)
  })

  test('an answer that cannot be read is a case that fails', () => {
    const only = ['--only', 'a policy is added']
    expect(run(...only, ...adapter('error.mjs', `{ error: 'no idea' }`)).stdout).toContain('error: no idea')
    expect(run(...only, ...adapter('null.mjs', 'null')).stdout).toContain('the answer is no object')
    expect(run(...only, process.execPath, '-e', 'process.stdin.once("data", () => console.log("?"))').stdout).toContain(
      'the answer is no line of JSON',
    )
  })

  if (spawnSync('python3', ['--version']).status === 0)
    test('the adapter in Python that the README shows', () => {
      const [, code = ''] = /```python\n([\s\S]*?)```/.exec(text('conformance/README.md')) ?? []
      writeFileSync(join(temporary, 'adapter.py'), code)
      writeFileSync(
        join(temporary, 'mine.py'),
        `import json
class Refused(Exception): pass
def load(files):
    try:
        return [json.loads(each["text"]) for each in files if each["name"].endswith(".json")]
    except ValueError as error:
        raise Refused(error)
def decide(world, question): return {"verdict": "deny"}
def new_access(before, after): return None
`,
      )
      const { status, stdout, stderr } = run('--without', 'notes', 'python3', join(temporary, 'adapter.py'))
      const [asked, agreed] = numbers(stdout) ?? []
      expect({ status, stderr, asked }).toEqual({ status: 1, stderr: '', asked: cases.length })
      // It denies everything, finds nothing new, and refuses what Python does not read as JSON.
      const { stdout: denied } = run('--without', 'notes', ...adapter('denies.mjs', denies))
      expect(agreed).toBeGreaterThan(numbers(denied)?.[1] as number)
      expect(stdout).not.toContain('error: ')
    })
})

/** The figures of a release. */
function writeFigures(reached: { readonly cases: number; readonly agreed: number; readonly sentences: number }) {
  const figures = {
    claim: 'a public corpus for other implementations, each case named after the sentence it tests',
    wanted: { cases: 1000, agreed: 'all', sentences: 'each tested, or listed with a reason' },
    reached: {
      cases: reached.cases,
      agreed: reached.agreed,
      sentences: sentences.length,
      tested: reached.sentences,
      listed: sentences.length - reached.sentences,
    },
    at: new Date().toISOString().slice(0, 10),
    command: 'node conformance/run.mjs node conformance/adapters/grantwise.mjs',
  }
  mkdirSync(new URL('figures/', root), { recursive: true })
  writeFileSync(new URL('figures/corpus.json', root), `${JSON.stringify(figures, null, 2)}\n`)
}
