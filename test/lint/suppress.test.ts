import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import type { Code, Diagnostic } from '../../src/diagnostic.ts'
import { applyBaseline, baselineOf, readBaseline } from '../../src/lint/baseline.ts'
import { valueText } from '../../src/lint/fingerprint.ts'
import { applyComments, type SuppressionResult } from '../../src/lint/suppress.ts'
import { ignoreComments } from '../../src/parser/comments.ts'
import { readJson } from '../../src/parser/json.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { baselineText } from '../../src/report/lint.ts'
import { rules } from '../../src/rules/index.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { runProgram } from '../support/scenario.ts'

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
        // A file that could not be read has no texts to distinguish from comments.
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
  const suppressing = (text: string, codes: readonly Code[], broken = false): SuppressionResult => {
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

  test('lists a hundred comments of one kind in a file, and how many more there are', () => {
    const line = '# grantwise-ignore unknown-action: why\n'
    expect(suppressing(`${line.repeat(100)}a: VALUE\n`, []).upkeep).toHaveLength(100)
    const { upkeep } = suppressing(`${line.repeat(3_000)}# grantwise-ignore nonsense: why\na: VALUE\n`, [])
    expect(codesOf(upkeep).filter((code) => code === 'unused-ignore')).toHaveLength(101)
    expect(codesOf(upkeep).filter((code) => code === 'ignore-unknown-code')).toHaveLength(1)
    expect(upkeep.map(({ message }) => message)).toContain('2900 more such comments from here on: the first 100 of them are listed')
  })

  test('leaves out what is named, and nothing else', () => {
    const { kept, suppressed, upkeep } = suppressing('a: VALUE # grantwise-ignore unknown-action, expired: why', [
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
    const { kept, suppressed, upkeep } = suppressing(`a: VALUE # grantwise-ignore ${code}: why`, [code])
    expect(codesOf(kept)).toEqual([code])
    expect(suppressed).toEqual([])
    expect(codesOf(upkeep)).toEqual(['ignore-unknown-code'])
  })

  test('judges only what could have been found', () => {
    expect(codesOf(suppressing('a: VALUE # grantwise-ignore expired: why', []).upkeep)).toEqual(['unused-ignore'])
    expect(suppressing('a: VALUE # grantwise-ignore expired: why', [], true).upkeep).toEqual([])
    expect(suppressing('a: VALUE # grantwise-ignore inner-wildcard: why', []).upkeep).toEqual([])
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

  test('holds for each of two files with the same finding, and names the one that is new or gone', () => {
    const [a, b] = findingsOf(['a.yaml', 'b.yaml'].map((path) => ({ path, code: 'expired', policy: 'p', value: 'x' })))
    const [first, second] = [a, b] as [Diagnostic, Diagnostic]
    const both = baselineOf([first, second], rules, same)
    expect(both.map(({ file, count }) => `${file} ${count}`)).toEqual(['a.yaml 1', 'b.yaml 1'])
    for (const [left, gone] of [
      [first, second],
      [second, first],
    ] as const) {
      const fixed = applyBaseline([left], read(baselineText(both)).entries, rules, same, () => true)
      expect(fixed.kept).toEqual([])
      expect(fixed.upkeep.map(({ message }) => message)).toEqual([
        expect.stringContaining(`\`${gone.span.source.path}\` is not found any more`),
      ])
      // Recorded for one file, and now in both.
      const one = read(baselineText(baselineOf([left], rules, same))).entries
      expect(applyBaseline([first, second], one, rules, same, () => true)).toMatchObject({ kept: [gone], upkeep: [] })
      // Where its own file has it no more, it has moved.
      expect(applyBaseline([gone], one, rules, same, () => true)).toMatchObject({ kept: [], upkeep: [] })
    }
  })

  test('says how often a finding is still found, of files that were looked at', () => {
    const three = findingsOf(['x', 'x', 'x'].map((value) => ({ path: 'a.yaml', code: 'expired', policy: 'p', value })))
    const { entries } = read(baselineText(baselineOf(three, rules, same)))
    const upkeepOf = (isJudged: boolean) => applyBaseline(three.slice(0, 1), entries, rules, same, () => isJudged).upkeep
    expect(upkeepOf(true).map(({ code, message }) => [code, message])).toEqual([
      ['stale-baseline', '`expired` at `x` in policy `p` of `a.yaml` is found 1 of 3 times: recorded here, it would hide a new one'],
    ])
    expect(upkeepOf(false)).toEqual([])
  })

  test('of another version is not read', () => {
    const { entries, problems } = read('{"version": 2, "findings": []}')
    expect([entries, problems.map(({ code, message }) => [code, message])]).toEqual([
      [],
      [['baseline', 'a baseline of another version: 1 is the one that is read']],
    ])
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

  test('takes a text, and an entry of a map, for the same in every notation and kind of quotes', () => {
    const valueIn = (path: string, value: string) => {
      const source = sourceOf(path, `x ${value} y`)
      return valueText({ source, start: 2, end: 2 + value.length })
    }
    const entry = ['resource.Name', 'db-1'] as const
    const texts: readonly (readonly [path: string, written: string])[] = [
      ['p.json', '"resource.Name":"db-1"'],
      ['p.json', '"resource.Name" :\n  "db-1"'],
      ['p.json', '"resource.\\u004eame": "db-1"'],
      ['p.yaml', 'resource.Name: db-1'],
      ['p.yaml', '"resource.Name": db-1'],
      ['p.yaml', "'resource.Name': 'db-1'"],
      ['p.yaml', 'resource.Name:   "db-1"'],
      ['p.tf', '"resource.Name" = "db-1"'],
      ['p.tf', '"resource.Name"   = "db-1"'],
      ['p.tf', '"resource.Name" : "db-1"'],
      ['p.tf', 'resource.Name = "db-1"'],
      ['p.tf.json', '"resource.Name": "db-1"'],
      ['p.md', 'resource.Name: db-1'],
    ]
    for (const [path, written] of texts)
      expect({ path, written, is: valueIn(path, written) }).toEqual({ path, written, is: `${entry[0]}": "${entry[1]}` })
    // A text that is written like an entry is none.
    expect(valueIn('p.json', '"resource.Name\\": \\"db-1"')).toBe('resource.Name\\": \\"db-1')
    // A text, with what has to be escaped in one notation or another.
    const same = (...written: readonly (readonly [string, string])[]) =>
      expect([...new Set(written.map(([path, text]) => valueIn(path, text)))]).toHaveLength(1)
    same(['p.json', '"it\'s"'], ['p.yaml', "'it''s'"], ['p.yaml', "it's"], ['p.yaml', '"it\'s"'], ['p.tf', '"it\'s"'])
    same(['p.json', '"the \\"old\\" one"'], ['p.yaml', 'the "old" one'], ['p.yaml', `'the "old" one'`], ['p.tf', '"the \\"old\\" one"'])
    same(['p.json', '"a\\\\b"'], ['p.yaml', 'a\\b'], ['p.yaml', "'a\\b'"])
    same(['p.json', '"a  b"'], ['p.yaml', 'a\n  b'])
  })

  test('takes texts that differ for others, whatever quotes, colons and commas they hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: fc.constantFrom(...'ab":\\\'=,{} \n'), maxLength: 6 }), { minLength: 1, maxLength: 2 }), {
          minLength: 2,
          maxLength: 20,
        }),
        (values) => {
          // As JSON: a text, or a key with a text. Of blanks, how many there are does not count.
          const written = values.map((parts) => parts.map((part) => JSON.stringify(part)).join(': '))
          const sourced = written.map((text) => sourceOf('p.json', text))
          const plain = (text: string) => text.replace(/ +/g, ' ')
          const found = new Set(sourced.map((source) => valueText({ source, start: 0, end: source.text.length })))
          expect(found.size).toBe(new Set(written.map(plain)).size)
        },
      ),
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

    test('holds for the same policies in another notation, and for as many files as it was written from', async () => {
      const when = { 'resource.Name': 'db-1' }
      const base = { identities: ['urn:v1:eu:identity:user:ab12-svc/ann'], resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }] }
      const json = {
        name: 'p',
        ...base,
        permissions: { allow: [{ action: 'vps:apisvc:rebooot' }] },
        conditions: { operator: 'MATCH', values: when },
      }
      const yaml =
        `name: p\nidentities: ['${base.identities[0]}']\nresources:\n  - urn: '${base.resources[0]?.urn}'\n` +
        `permissions: { allow: [{ action: 'vps:apisvc:rebooot' }] }\nconditions:\n  operator: MATCH\n  values:\n    'resource.Name': 'db-1'\n`
      const hcl =
        `resource "svc_iam_policy" "p" {\n  name       = "p"\n  identities = ["${base.identities[0]}"]\n  resources  = ["${base.resources[0]?.urn}"]\n` +
        `  allow      = ["vps:apisvc:rebooot"]\n  conditions {\n    operator = "MATCH"\n    values   = { "resource.Name" = "db-1" }\n  }\n}\n`
      const files = {
        'p.json': JSON.stringify(json),
        'p.yaml': yaml,
        'plain.yaml': yaml.replaceAll("'", ''),
        'double.yaml': yaml.replaceAll("'", '"'),
        'p.tf': hcl,
      }
      for (const [name, text] of Object.entries(files)) put(`${name}.d/${name}`, text)
      for (const name of Object.keys(files)) {
        expect(await runProgram(['lint', '--write-baseline', 'known.json', `${name}.d`], work)).toMatchObject({ exit: 0 })
        expect(JSON.parse(readFileSync(join(work, 'known.json'), 'utf8')).findings.length).toBeGreaterThan(1)
        for (const other of Object.keys(files)) {
          const { stdout, exit } = await runProgram(['lint', '--baseline', 'known.json', `${other}.d`], work)
          expect({ name, other, stdout, exit }).toEqual({ name, other, stdout: '', exit: 0 })
        }
      }
      // Two files with the same findings: recorded from one of them, those of the other are new; recorded from both, none is.
      await runProgram(['lint', '--write-baseline', 'known.json', 'p.yaml.d'], work)
      const both = await runProgram(['lint', '--baseline', 'known.json', 'p.yaml.d', 'plain.yaml.d'], work)
      expect(both.exit).toBe(1)
      expect(both.stdout).toContain('plain.yaml.d/plain.yaml:')
      expect(both.stdout).not.toContain('p.yaml.d/p.yaml:')
      await runProgram(['lint', '--write-baseline', 'known.json', 'p.yaml.d', 'plain.yaml.d'], work)
      expect(await runProgram(['lint', '--baseline', 'known.json', 'p.yaml.d', 'plain.yaml.d'], work)).toMatchObject({
        exit: 0,
        stdout: '',
      })
    })

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
