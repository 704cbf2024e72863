import { describe, expect, it } from 'vitest'
import type { Diagnostic, Edit } from '../../src/diagnostic.ts'
import { fixTexts } from '../../src/lint/fix.ts'
import { type Fixable, type FixFile, type Fixing, mayFix, signature } from '../../src/lint/may-fix.ts'
import { defaultSettings } from '../../src/names.ts'
import { noFacts, type ReadSource } from '../../src/parser/read.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { type Notation, type Source, sourceOf } from '../../src/source.ts'

/** The result of `fixTexts` for fixes that are handed to it: which are tried, which stay, and what is said of the others. */

interface Change {
  readonly from: string
  readonly to: string
  readonly safe?: boolean
}

/** A finding for each place where a text is, with a fix that writes another there. */
function offers(source: Source, changes: readonly Change[]): readonly Fixable[] {
  return changes.flatMap(({ from, to, safe = true }) =>
    [...source.text.matchAll(new RegExp(from, 'g'))].map(({ 0: found, index }): Fixable => {
      const span = { source, start: index, end: index + found.length }
      const fix = { description: 'write another', safe, edits: [{ span, text: to }] }
      return { code: 'redundant-action', severity: 'info', message: `\`${found}\``, span, fix }
    }),
  )
}

/** The results that a reader may have for a text. */
interface Said {
  readonly refused?: boolean
  readonly holdsPolicies?: boolean
  readonly problems?: readonly Diagnostic[]
}

const reading = ({ refused = false, holdsPolicies = true, problems = [] }: Said): ReadSource => ({
  kind: 'policies',
  facts: noFacts,
  diagnostics: problems,
  refused,
  holdsPolicies,
  resemblesPolicies: false,
  ignores: [],
})

/** Fixes one text, of which a reader says what is given; how often it was read, and how often findings were looked for. */
async function fixOne(text: string, changes: readonly Change[], say: (source: Source) => Said = () => ({}), level?: 'suggested') {
  const source = sourceOf('p.yaml', text)
  const times = { read: 0, find: 0 }
  const fixed = await fixTexts([{ source, read: reading(say(source)) }], level ?? 'safe', {
    read: (again) => {
      times.read++
      return reading(say(again))
    },
    find: (files) => {
      times.find++
      return files.flatMap((file) => [...file.read.diagnostics, ...offers(file.source, changes)])
    },
  })
  return { ...fixed, ...times, text: fixed.files[0]?.after.source.text }
}

/** A finding as it was before it was no longer called safe. */
const asOffered = (finding: Diagnostic): Diagnostic => ({ ...finding, ...(finding.fix && { fix: { ...finding.fix, safe: true } }) })

const errorAt = (source: Source, code: 'syntax' | 'shape', index = 0): Diagnostic => ({
  code: code as Diagnostic['code'],
  severity: 'error',
  message: `${code} ${index}`,
  span: { source, start: 0, end: 0 },
})

describe('fixes of one text', () => {
  it('are made all at once', async () => {
    const fixed = await fixOne('a '.repeat(30), [{ from: 'a', to: 'b' }])
    expect(fixed).toMatchObject({ text: 'b '.repeat(30), count: 30, read: 1, find: 2 })
  })

  it('are made in ten rounds at most; what is left may still be fixed, and is called safe', async () => {
    const { text, count, findings, mayFix: may } = await fixOne('a', [{ from: 'a$', to: 'aa' }])
    expect([text, count]).toEqual(['a'.repeat(11), 10])
    expect(findings.map((finding) => [finding.fix?.safe, may(finding)])).toEqual([[true, true]])
  })

  it('that overlap wait for the next round, and are not counted before', async () => {
    const changes = [
      { from: 'ab', to: 'x' },
      { from: 'bc', to: 'y' },
    ]
    expect(await fixOne('abc', changes)).toMatchObject({ text: 'xc', count: 1 })
  })

  it('that change nothing do not count', async () => {
    expect(await fixOne('a', [{ from: 'a', to: 'a' }])).toMatchObject({ text: 'a', count: 0 })
  })

  it('are made once where the reader and a rule offer the same', async () => {
    const say = (source: Source) => ({ problems: offers(source, [{ from: 'a', to: 'b' }]) })
    expect(await fixOne('a', [], say)).toMatchObject({ text: 'b', count: 1 })
  })

  it('are made where they are safe, before those that are only suggested', async () => {
    const changes = [
      { from: 'a', to: 'no', safe: false },
      { from: 'a', to: 'yes' },
    ]
    expect(await fixOne('a', changes, undefined, 'suggested')).toMatchObject({ text: 'yes', count: 1 })
  })

  it('of a text that was not handed in are not made', async () => {
    const other = sourceOf('other.yaml', 'a')
    const source = sourceOf('p.yaml', 'a')
    const { count } = await fixTexts([{ source, read: reading({}) }], 'safe', {
      read: () => reading({}),
      find: () => offers(other, [{ from: 'a', to: 'b' }]),
    })
    expect(count).toBe(0)
  })
})

describe('fixes that make a text worse', () => {
  it('are found among the others, without trying those again', async () => {
    const say = ({ text }: Source) => ({ refused: text.includes('!') })
    const changes = [
      { from: 'z', to: '!' },
      { from: 'a', to: 'b' },
    ]
    // All four, both halves, and the two of the first half.
    const { text, count, read, findings, mayFix: may } = await fixOne('z a a a', changes, say)
    expect({ text, count, read }).toEqual({ text: 'z b b b', count: 3, read: 5 })
    expect(findings.map((finding) => [finding.fix?.safe, may(asOffered(finding))])).toEqual([[false, 'not-proven']])
  })

  it('are looked for 200 times; what is not tried is left, and no longer called safe', async () => {
    const say = ({ text }: Source) => ({ refused: text.includes('!') })
    const names = Array.from({ length: 150 }, (_, i) => `z${i};`)
    const {
      text,
      count,
      read,
      findings,
      mayFix: may,
    } = await fixOne(
      names.join(' '),
      names.map((from) => ({ from, to: `!${from}` })),
      say,
    )
    expect([text, count, read]).toEqual([names.join(' '), 0, 200])
    expect(new Set(findings.map((finding) => may(asOffered(finding))))).toEqual(new Set(['not-proven', 'too-many']))
    expect(findings.filter(({ fix }) => fix?.safe)).toEqual([])
  })

  const understood: Said = {}
  /** Before and after: what the reader says of each. `syntax` and `shape` are numbers of errors. */
  type State = Said & { readonly syntax?: number; readonly shape?: number }
  it.each<readonly [string, State, State, boolean]>([
    ['it is understood as before', understood, {}, true],
    ['it is refused', understood, { refused: true }, false],
    ['it has an error', understood, { shape: 1 }, false],
    ['it holds no policy any more', understood, { holdsPolicies: false }, false],
    ['it held no policy before', { holdsPolicies: false }, { holdsPolicies: false }, true],
    ['it holds a policy now', { holdsPolicies: false }, {}, true],
    ['an error is gone', { syntax: 1 }, {}, true],
    ['as many errors of syntax are left', { syntax: 1 }, { syntax: 1 }, true],
    ['there is one more error of syntax', { syntax: 1 }, { syntax: 2 }, false],
    ['an error of syntax stands for another one', { shape: 2 }, { syntax: 1 }, false],
    ['errors other than of syntax come to light', { syntax: 1 }, { shape: 3 }, true],
    ['it had errors, and is refused', { syntax: 1 }, { refused: true }, false],
    ['it was refused, and is still', { refused: true, syntax: 1 }, { refused: true }, true],
    ['it was refused, and is not any more', { refused: true }, {}, true],
    ['it had errors, and holds no policy any more', { syntax: 1 }, { holdsPolicies: false }, false],
  ])('%s', async (_, before, after, stays) => {
    const say = (source: Source): Said => {
      const { syntax = 0, shape = 0, ...state } = source.text === 'a' ? before : after
      const errors = [
        ...Array.from({ length: syntax }, (_, i) => errorAt(source, 'syntax', i)),
        ...Array.from({ length: shape }, (_, i) => errorAt(source, 'shape', i)),
      ]
      return { ...state, problems: [...errors, ...offers(source, [{ from: '^a$', to: 'b' }])] }
    }
    expect(await fixOne('a', [], say)).toMatchObject({ text: stays ? 'b' : 'a', count: stays ? 1 : 0 })
  })
})

describe('what is known of groups', () => {
  const group = 'urn:v1:eu:permissionsGroup:ab12-svc:all'
  const policy = `name: a
identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
permissionsGroups: [{ urn: "${group}" }]
permissions: { allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:reboot" }] }
`
  const groups = `permissionsGroups:
  - urn: "${group}"
    name: all
    permissions: { allow: [{ action: "vps:*" }] }
`
  const read = (source: Source) => readSource(source, defaultSettings)

  it.each([
    ['counts where its file is understood', groups, 1],
    ['does not count where its file is not', `${groups}policies: 1\n`, 0],
  ])('%s', async (_, text, wanted) => {
    const sources = [sourceOf('a.yaml', policy), sourceOf('b.yaml', text)]
    const files = await Promise.all(sources.map(async (source): Promise<FixFile> => ({ source, read: await read(source) })))
    const find = ([first]: readonly FixFile[]) =>
      first ? offers(first.source, [{ from: ', { action: "vps:apisvc:reboot" }', to: '' }]) : []
    expect((await fixTexts(files, 'safe', { read, find })).count).toBe(wanted)
  })
})

describe('whether a finding may be fixed', () => {
  const at = (notation: Notation = 'yaml') => sourceOf('p', 'abcdef', notation)
  const edit = (source: Source, start = 1, end = 2, text = ''): Edit => ({ span: { source, start, end }, text })
  const findingIn = (source: Source, edits: readonly Edit[] = [edit(source)], safe = true): Fixable => ({
    code: 'redundant-action',
    severity: 'info',
    message: 'x',
    policy: 'p',
    span: { source, start: 1, end: 2 },
    fix: { description: 'x', safe, edits },
  })
  const placed =
    (...parts: readonly (readonly [start: number, end: number])[]) =>
    (source: Source) =>
      parts.map(([start, end]) => ({ span: { source, start, end } })) as never
  interface Given extends Said {
    readonly notation?: Notation
    readonly kind?: ReadSource['kind']
    readonly policies?: ReturnType<typeof placed>
    readonly groups?: ReturnType<typeof placed>
    readonly resourceGroups?: ReturnType<typeof placed>
    /** Where policies are if what is not known has another value. */
    readonly open?: ReturnType<typeof placed>
    readonly attempt?: Fixing['attempt']
    readonly uncreated?: readonly [number, number]
    readonly isUnread?: boolean
    readonly edits?: (source: Source) => readonly Edit[]
    readonly safe?: boolean
  }
  const attempt = { level: 'safe', failed: new Map() } as const
  const nothing = () => []

  function judged({ notation, kind = 'policies', attempt, uncreated, isUnread, edits, safe, ...given }: Given) {
    const source = at(notation)
    const { policies = nothing, groups = nothing, resourceGroups = nothing, open, ...said } = given
    const facts = {
      ...noFacts,
      policies: policies(source),
      permissionsGroups: groups(source),
      resourceGroups: resourceGroups(source),
    }
    const read = {
      ...reading(said),
      kind,
      facts,
      ...(open && { open: { facts: () => ({ ...noFacts, policies: open(source) }) } }),
    } as unknown as ReadSource
    return mayFix(findingIn(source, edits?.(source), safe), {
      fileOf: (asked) => (asked === source && !isUnread ? { source, read } : undefined),
      uncreated: uncreated ? [{ source, start: uncreated[0], end: uncreated[1] }] : [],
      ...(attempt && { attempt }),
    })
  }

  const error = { problems: [errorAt(at(), 'shape')] }
  const warning = { problems: [{ ...errorAt(at(), 'shape'), severity: 'warning' as const }] }
  it.each<readonly [string, Given, ReturnType<typeof mayFix>]>([
    ['in a file of policies', {}, true],
    ['in a file that was not read', { isUnread: true }, true],
    ['in a file that was not read, tried', { isUnread: true, attempt }, true],
    ['in the output of a tool', { kind: 'declared' }, 'declared'],
    ['in a configuration in JSON', { notation: 'hcl-json', policies: placed([0, 6]) }, 'json-configuration'],
    ['in what is not created', { uncreated: [0, 4] }, 'not-created'],
    ['beside what is not created', { uncreated: [3, 4] }, true],
    ['in a policy of a configuration', { notation: 'hcl', kind: 'configuration', policies: placed([4, 6], [0, 3]) }, true],
    ['in a permissions group of a configuration', { notation: 'hcl', kind: 'configuration', groups: placed([0, 3]) }, true],
    ['in neither', { notation: 'hcl', kind: 'configuration', policies: placed([4, 6]), groups: placed([2, 4]) }, 'outside-policies'],
    ['in a resource group', { notation: 'hcl', kind: 'configuration', resourceGroups: placed([0, 6]) }, 'outside-policies'],
    ['in a resource group of what is not understood', { notation: 'hcl', resourceGroups: placed([0, 6]), ...error }, true],
    ['in a resource group of what is refused', { notation: 'hcl', resourceGroups: placed([0, 6]), refused: true }, true],
    ['in a resource group, with a warning', { notation: 'hcl', resourceGroups: placed([0, 6]), ...warning }, 'outside-policies'],
    ['in a policy that there may be', { notation: 'hcl', kind: 'configuration', open: placed([0, 3]) }, true],
    ['in a configuration that was not read', { notation: 'hcl', isUnread: true }, 'outside-policies'],
    ['in a configuration, without an edit', { notation: 'hcl', edits: () => [] }, 'outside-policies'],
    ['partly in another file', { attempt, edits: (source) => [edit(source), edit(at())] }, 'other-file'],
    ['partly in another file, not tried', { edits: (source) => [edit(source), edit(at())] }, true],
    ['in what is not understood', { attempt, ...error }, 'not-understood'],
    ['in what is refused', { attempt, refused: true }, 'not-understood'],
    ['in what has a warning', { attempt, ...warning }, true],
    ['in what is not understood, by its reader', { attempt: { ...attempt, isOfReader: true }, ...error }, true],
    ['as a suggestion', { attempt, safe: false }, 'suggested'],
    ['as a suggestion where those are asked for', { attempt: { ...attempt, level: 'suggested' }, safe: false }, true],
    ['as a suggestion, not tried', { safe: false }, true],
  ])('%s', (_, given, wanted) => {
    expect(judged(given)).toBe(wanted)
  })

  it('not without a fix', () => {
    const { fix: _, ...finding } = findingIn(at())
    expect(mayFix(finding, { fileOf: () => undefined, uncreated: [] })).toBe('no-fix')
  })

  it('not again once it failed, wherever it is by then', () => {
    const source = at()
    const tried = findingIn(source)
    const failed = new Map([[signature(tried), 'not-proven' as const]])
    const may = (finding: Fixable) => mayFix(finding, { fileOf: () => undefined, uncreated: [], attempt: { level: 'safe', failed } })
    const moved = { ...tried, span: { source, start: 3, end: 4 }, fix: { ...tried.fix, edits: [edit(source, 3, 4)] } }
    expect([tried, moved].map(may)).toEqual(['not-proven', 'not-proven'])
    const path = sourceOf('q', 'abcdef', 'yaml')
    const others: readonly Fixable[] = [
      { ...tried, code: 'redundant-resource' },
      { ...tried, message: 'y' },
      { ...tried, policy: 'q' },
      { ...tried, fix: { ...tried.fix, edits: [edit(source, 1, 2, 'z')] } },
      { ...tried, span: { ...tried.span, source: path }, fix: { ...tried.fix, edits: [edit(path)] } },
    ]
    expect(others.map(may)).toEqual(others.map(() => true))
  })
})
