import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import type { Code, Diagnostic } from '../src/diagnostic.ts'
import { applyBaseline, baselineOf, readBaseline } from '../src/lint/baseline.ts'
import { applyComments, type Sifted } from '../src/lint/suppress.ts'
import { ignoreComments } from '../src/parser/comments.ts'
import { readJson } from '../src/parser/json.ts'
import { readTree } from '../src/parser/tree.ts'
import { readYaml } from '../src/parser/yaml.ts'
import { baselineText } from '../src/report/baseline.ts'
import { rules } from '../src/rules/index.ts'
import { type Source, sourceOf } from '../src/source.ts'
import { effort } from './support/effort.ts'
import { runProgram } from './support/scenario.ts'

const commentsIn = (text: string) => {
  const source = sourceOf('p.yaml', text)
  return ignoreComments(source, readTree(source, readYaml).documents)
}
const summary = (text: string) =>
  commentsIn(text).map(({ codes, reason, line }) => ({ codes: codes.map((code) => code.value), reason, line }))

describe('comments that leave findings out', () => {
  test.each<[string, string, ReturnType<typeof summary>]>([
    ['on the line itself', 'a: 1 # grantwise-ignore x: why', [{ codes: ['x'], reason: 'why', line: 1 }]],
    ['on the line above', '# grantwise-ignore x: why\na: 1', [{ codes: ['x'], reason: 'why', line: 2 }]],
    ['above, indented', 'a:\n   # grantwise-ignore x: why\n   b: 1', [{ codes: ['x'], reason: 'why', line: 3 }]],
    ['above other comments', '# grantwise-ignore x: why\n# more\r\n  # more\r\na: 1', [{ codes: ['x'], reason: 'why', line: 4 }]],
    ['not above an empty line', '# grantwise-ignore x: why\n\na: 1', [{ codes: ['x'], reason: 'why', line: 2 }]],
    ['several codes', 'a: 1 # grantwise-ignore x, y,z: why', [{ codes: ['x', 'y', 'z'], reason: 'why', line: 1 }]],
    ['a reason with a colon', 'a: 1 #grantwise-ignore x: why: because', [{ codes: ['x'], reason: 'why: because', line: 1 }]],
    ['several marks', 'a: 1 ## grantwise-ignore x: why  ', [{ codes: ['x'], reason: 'why', line: 1 }]],
    ['no reason', 'a: 1 # grantwise-ignore x', [{ codes: ['x'], reason: '', line: 1 }]],
    ['no code', 'a: 1 # grantwise-ignore: why', [{ codes: [], reason: 'why', line: 1 }]],
    ['nothing else', 'a: 1 # grantwise-ignore', [{ codes: [], reason: '', line: 1 }]],
    ['in a flow list', 'a: [1, # grantwise-ignore x: why\n  2]', [{ codes: ['x'], reason: 'why', line: 1 }]],
    ['behind the mark of a block text', 'a: | # grantwise-ignore x: why\n  text\n', [{ codes: ['x'], reason: 'why', line: 1 }]],
    ['behind a block text', 'a: |\n  text\n# grantwise-ignore x: why\nb: 1', [{ codes: ['x'], reason: 'why', line: 4 }]],
    ['a comment about such comments', 'a: 1 # see grantwise-ignore x: why', []],
    ['another word', 'a: 1 # grantwise-ignored x: why', []],
    ['no blank before it', 'a: b# grantwise-ignore x: why', []],
    ['within double quotes', 'a: "b # grantwise-ignore x: why"', []],
    ['within single quotes, over lines', "a: 'b\n  # grantwise-ignore x: why'", []],
    ['within a block text', 'a: |\n  # grantwise-ignore x: why\n', []],
    ['within a folded text', 'a: >-\n  b\n  # grantwise-ignore x: why\nc: 1', []],
    ['within a key', '"a # grantwise-ignore x: why": 1', []],
  ])('%s', (_, text, expected) => {
    expect(summary(text)).toEqual(expected)
  })

  test('are found where the tokens say that there is a comment', () => {
    const piece = fc.constantFrom(
      '# grantwise-ignore x: y',
      ' # grantwise-ignore x: y',
      '#',
      '"',
      "'",
      '\n',
      '\n  ',
      'a: ',
      '- ',
      'b',
      ' ',
      '|\n  ',
      '>\n ',
      '[',
      ']',
      ', ',
      '\r\n',
      '---\n',
    )
    let found = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('')
        const source = sourceOf('p.yaml', text)
        const reading = readTree(source, readYaml)
        // What could not be read has no texts to distinguish from comments.
        fc.pre(reading.diagnostics.length === 0 && reading.documents.length > 0)
        const expected: number[] = []
        let at = 0
        let isText = false
        for (const token of new Lexer().lex(text)) {
          if (!isText && /^#+[ \t]*grantwise-ignore(?=[ \t:]|$)/.test(token)) expected.push(at)
          if (!isText && (token === '\x02' || token === '\x18')) continue
          isText = token === '\x1f' && !isText
          if (token !== '\x1f') at += token.length
        }
        const comments = ignoreComments(source, reading.documents)
        found += comments.length
        expect(comments.map(({ span }) => span.start)).toEqual(expected)
      }),
      { numRuns: effort(5_000) },
    )
    expect(found).toBeGreaterThan(effort(500))
  })

  test('cost time in proportion to the text, however many there are', () => {
    const many = '# grantwise-ignore x: y\n'.repeat(40_000)
    expect(commentsIn(`a: 1\n${many}b: 2`)).toHaveLength(40_000)
    const source = sourceOf('p.yaml', `a: |\n${'  # grantwise-ignore x: y\n'.repeat(30_000)}`)
    expect(ignoreComments(source, readTree(source, readYaml).documents)).toEqual([])
    expect(commentsIn(`a: "${'grantwise-ignore '.repeat(60_000)}"`)).toEqual([])
  })
})

/** A finding at the first `text` of a line of its own in a source. */
const finding = (source: Source, code: Code, text: string, policy?: string): Diagnostic => {
  const start = source.text.indexOf(text)
  return {
    code,
    severity: 'warning',
    message: 'm',
    span: { source, start, end: start + text.length },
    ...(policy !== undefined && { policy }),
  }
}

// covers: T26
describe('applying comments', () => {
  const sifted = (text: string, codes: readonly Code[], broken = false): Sifted => {
    const source = sourceOf('p.yaml', text)
    const findings = codes.map((code) => finding(source, code, 'VALUE'))
    const documents = readTree(source, readYaml).documents
    return applyComments(
      findings,
      ignoreComments(source, documents),
      rules,
      (code) => code !== 'inner-wildcard',
      new Set(broken ? [source] : []),
    )
  }
  const codesOf = (findings: readonly Diagnostic[]) => findings.map(({ code }) => code)

  test('leaves out what is named, and nothing else', () => {
    const { kept, suppressed, upkeep } = sifted('a: VALUE # grantwise-ignore unknown-action, expired: why', [
      'unknown-action',
      'expired',
      'empty-list',
    ])
    expect(codesOf(kept)).toEqual(['empty-list'])
    expect(suppressed.map(({ finding: { code }, by, reason }) => [code, by, reason])).toEqual([
      ['unknown-action', 'comment', 'why'],
      ['expired', 'comment', 'why'],
    ])
    expect(upkeep).toEqual([])
  })

  test.each(rules.filter((rule) => 'reader' in rule || 'upkeep' in rule).map(({ code }) => code))('never leaves out %s', (code) => {
    const { kept, suppressed, upkeep } = sifted(`a: VALUE # grantwise-ignore ${code}: why`, [code])
    expect(codesOf(kept)).toEqual([code])
    expect(suppressed).toEqual([])
    expect(codesOf(upkeep)).toEqual(['ignore-unknown-code'])
  })

  test('judges only what could have been found', () => {
    expect(codesOf(sifted('a: VALUE # grantwise-ignore expired: why', []).upkeep)).toEqual(['unused-ignore'])
    expect(sifted('a: VALUE # grantwise-ignore expired: why', [], true).upkeep).toEqual([])
    expect(sifted('a: VALUE # grantwise-ignore inner-wildcard: why', []).upkeep).toEqual([])
  })
})

describe('a baseline', () => {
  const codes: readonly Code[] = ['unknown-action', 'expired', 'empty-list', 'syntax', 'unused-ignore']
  const written = fc.record({
    path: fc.constantFrom('a.yaml', 'b.yaml', 'c/d.json'),
    code: fc.constantFrom(...codes),
    policy: fc.option(fc.constantFrom('p', 'q', '__proto__'), { nil: undefined }),
    value: fc.oneof(fc.constantFrom('x', '"x"', 'y  z', 'y z', ''), fc.string({ unit: 'binary', maxLength: 8 })),
  })
  const findingsOf = (list: readonly { path: string; code: Code; policy: string | undefined; value: string }[]) =>
    list.map(({ path, code, policy, value }) => finding(sourceOf(path, `before ${value} after`), code, value, policy))
  const read = (text: string) => {
    const [root] = readJson(sourceOf('baseline.json', text)).documents
    return readBaseline(root as NonNullable<typeof root>)
  }
  const same = (path: string) => path
  const hideable = ({ code }: Diagnostic) => code !== 'syntax' && code !== 'unused-ignore'

  // covers: T26
  test('hides all that it was written from, and nothing of it is stale', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), (list) => {
        const findings = findingsOf(list)
        const { entries, problems } = read(baselineText(baselineOf(findings, rules, same)))
        expect(problems).toEqual([])
        const { kept, suppressed, upkeep } = applyBaseline(findings, entries, rules, same, () => true)
        expect(kept).toEqual(findings.filter((each) => !hideable(each)))
        expect(suppressed.map((each) => each.finding)).toEqual(findings.filter(hideable))
        expect(upkeep).toEqual([])
      }),
      { numRuns: effort(2_000) },
    )
  })

  test('is the same whatever the order of the findings', () => {
    fc.assert(
      fc.property(
        fc
          .array(written, { maxLength: 12 })
          .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(baselineText(baselineOf(findingsOf(shuffled), rules, same))).toBe(baselineText(baselineOf(findingsOf(list), rules, same)))
        },
      ),
      { numRuns: effort(1_000) },
    )
  })

  test('hides as many as it records, and says which are gone', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), fc.array(written, { maxLength: 8 }), (before, after) => {
        const [old, now] = [findingsOf(before), findingsOf(after)]
        const { entries } = read(baselineText(baselineOf(old, rules, same)))
        const { kept, suppressed, upkeep } = applyBaseline(now, entries, rules, same, () => true)
        const recorded = old.filter(hideable).length
        expect(kept.length + suppressed.length).toBe(now.length)
        expect(suppressed.length).toBeLessThanOrEqual(recorded)
        // Something is stale exactly when not all of it was found again.
        expect(upkeep.length > 0).toBe(suppressed.length < recorded)
      }),
      { numRuns: effort(2_000) },
    )
  })

  describe('on disk', () => {
    let work: string
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(work, name)), { recursive: true })
      writeFileSync(join(work, name), text)
    }
    beforeEach(() => {
      work = mkdtempSync(join(tmpdir(), 'grantwise-'))
    })
    afterEach(() => rmSync(work, { recursive: true }))
    const policy = (name: string, ...actions: string[]) =>
      `name: ${name}\nidentities: [urn:v1:eu:identity:user:ab12-svc/ann]\nresources: [{ urn: urn:v1:eu:resource:vps:${name} }]\n` +
      `permissions:\n  allow:\n${actions.map((action) => `    - action: ${action}\n`).join('')}`

    test('outlives edits elsewhere, moves and other folders to run in; a fixed finding has to leave it', async () => {
      put('p/a.yaml', policy('one', 'vps:apisvc:rebooot', 'vps:apisvc:reboott'))
      expect(await runProgram(['lint', '--write-baseline', 'base/known.json', 'p'], work)).toMatchObject({ exit: 2 })
      mkdirSync(join(work, 'base'))
      expect(await runProgram(['lint', '--write-baseline', 'base/known.json', 'p'], work)).toMatchObject({ exit: 0, stdout: '' })
      const first = readFileSync(join(work, 'base/known.json'), 'utf8')
      expect(JSON.parse(first).findings).toHaveLength(2)

      put('p/a.yaml', `# edited\n\n${policy('one', 'vps:apisvc:get', 'vps:apisvc:rebooot', 'vps:apisvc:reboott')}`)
      expect(await runProgram(['lint', '--baseline', 'base/known.json', 'p'], work)).toMatchObject({ exit: 0, stdout: '' })
      expect(await runProgram(['lint', '--baseline', '../base/known.json', '.'], join(work, 'p'))).toMatchObject({ exit: 0, stdout: '' })
      await runProgram(['lint', '--write-baseline', '../base/again.json', '.'], join(work, 'p'))
      expect(readFileSync(join(work, 'base/again.json'), 'utf8')).toBe(first)

      rmSync(join(work, 'p/a.yaml'))
      put('p/moved/b.yaml', policy('one', 'vps:apisvc:rebooot', 'vps:apisvc:reboott'))
      expect(await runProgram(['lint', '--baseline', 'base/known.json', 'p'], work)).toMatchObject({ exit: 0, stdout: '' })

      put('p/moved/b.yaml', policy('one', 'vps:apisvc:reboot', 'vps:apisvc:reboott'))
      const { stdout, exit } = await runProgram(['lint', '--baseline', 'base/known.json', 'p'], work)
      expect(exit).toBe(1)
      expect(stdout).toMatch(/^base\/known\.json:4:5: warning stale-baseline: `unknown-action` at `vps:apisvc:rebooot` in policy `one` /)
    })
  })
})
