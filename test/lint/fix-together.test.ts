import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { fixFiles } from '../../src/lint/fix-files.ts'
import { lintFiles } from '../../src/lint/lint-files.ts'
import type { FixLevel } from '../../src/lint/may-fix.ts'
import type { Profile } from '../../src/lint/profile.ts'
import type { Settings } from '../../src/names.ts'
import type { Policy } from '../../src/policy.ts'
import { rules } from '../../src/rules/index.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { type Notation, notationOf, sourceOf } from '../../src/source.ts'
import type { Folders } from '../../src/sources/files.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { testSettings } from '../support/settings.ts'

const catalogue = loadCatalogue()

/** Files that are fixed together: texts in Markdown, lists of actions, and configurations whose files refer to one another. */

interface Change {
  readonly from: string
  readonly to: string
  readonly safe?: boolean
}

/** A rule that finds texts in the file of a policy, and writes others there. */
const offering = (changes: readonly Change[]): Rule => ({
  code: 'own/text',
  section: 'actions',
  severity: 'info',
  summary: 'another text',
  why: 'for this test',
  policy: ({ span: { source } }: Policy) =>
    changes.flatMap(({ from, to, safe = true }) => {
      const start = source.text.indexOf(from)
      const span = { source, start, end: start + from.length }
      return start < 0 ? [] : [{ span, message: 'x', fix: { description: 'x', safe, edits: [{ span, text: to }] } }]
    }),
})

const only: Profile = {
  levels: new Map([...rules.map(({ code }) => [code, 'off'] as const), ['own/text', 'info'] as const]),
  options: new Map(),
}

/** A folder is listed for its files, for files of values, and for what is around it. */
const listsOfReading = 4

/** Files next to those that are given. */
interface Beside {
  /** From this reading of their folder on, another file is there: one by which a policy is not created. */
  readonly appearsAt: number
  /** The policy that is not created any more: `c` by default. */
  readonly gone?: string
  /** The given files come from elsewhere, as from standard input. */
  readonly isElsewhere?: boolean
  /** Their folder cannot be listed. */
  readonly isUnlisted?: boolean
}

const notationAt = (path: string): Notation =>
  path.endsWith('.md') ? 'markdown' : path.endsWith('.actions') ? 'actions' : (notationOf(path) ?? 'yaml')

/** Fixes texts by their paths. The texts that changed, how many fixes were made, and what is found in the files as they are then. */
async function fixed(
  texts: Readonly<Record<string, string>>,
  changes: readonly Change[],
  {
    level = 'safe',
    beside,
    settings = testSettings,
  }: { readonly level?: FixLevel; readonly beside?: Beside; readonly settings?: Settings } = {},
) {
  const { isElsewhere = false, isUnlisted = false } = beside ?? {}
  const given = Object.entries(texts).map(([path, text]) => ({
    source: sourceOf(path, text, notationAt(path)),
    isNamed: true,
    isElsewhere,
    ...(beside && !isElsewhere && { file: `/all/${path}` }),
  }))
  let lists = 0
  const folders: Folders | undefined = beside && {
    cwd: '/all',
    top: '/all',
    nameOf: (path) => path.replace('/all/', ''),
    list: (path) =>
      path === '/all'
        ? [...Object.keys(texts), ...(Math.ceil(++lists / listsOfReading) < beside.appearsAt ? [] : ['late_override.tf'])]
        : [],
    read: () => ({ text: `resource "svc_iam_policy" "${beside.gone ?? 'c'}" {\n  count = 0\n}\n` }),
    tools: async () => ({}),
  }
  const options = { actionLists: true, ...(folders && !isUnlisted && { folders }) }
  const files = await readSources(given, settings, allReaders, options)
  const run = {
    files,
    catalogue,
    settings,
    now: Date.UTC(2026, 0, 15),
    ...(changes.length > 0 && { ownRules: [offering(changes)], profileOf: () => only }),
  }
  const result = await fixFiles(run, level, { ...options, readers: allReaders })
  return {
    listed: lists / listsOfReading,
    count: result.count,
    texts: Object.fromEntries(result.changed.map(({ before, after }) => [before.source.path, after.source.text])),
    left: lintFiles({ ...run, files: result.files }).findings.map(({ code }) => code),
  }
}

const policy = (name: string, allow: string, description = 'old') => `resource "svc_iam_policy" "${name}" {
  name        = "${name}"
  description = "${description}"
  identities  = ["urn:v1:eu:identity:group:ab12-svc/web"]
  resources   = ["urn:v1:eu:resource:vps:vps-1.example.net"]
  allow       = ${allow}
}
`
const wide = '["vps:*", "vps:apisvc:get"]'
const narrow = '["vps:*"]'
/** Gives up what the rest says as well. */
const repeated = { from: wide, to: narrow }

describe('a document with policies in fenced blocks', () => {
  const text = (allow: string) => `Before: see vps-2.

\`\`\`yaml
name: a
identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
permissions: { allow: [${allow}] }
\`\`\`
`
  const before = text('{ action: "vps:*" }, { action: "vps:apisvc:get" }')

  it('is fixed in its blocks, and read as a document again', async () => {
    expect(await fixed({ 'a.md': before }, [])).toMatchObject({ count: 1, texts: { 'a.md': text('{ action: "vps:*" }') }, left: [] })
  })

  it('keeps what is outside of them', async () => {
    const changes = [{ from: 'vps-2', to: 'vps-3' }]
    expect(await fixed({ 'a.md': before }, changes)).toMatchObject({ count: 0, texts: {}, left: ['own/text'] })
  })
})

describe('a list of actions', () => {
  it.each([
    ['a.actions', 'vps:apisvc:get\nvps:apisvc:rebooot\n', 'vps:apisvc:get\nvps:apisvc:reboot\n'],
    ['a.json', '["vps:apisvc:get", "vps:apisvc:rebooot"]', '["vps:apisvc:get", "vps:apisvc:reboot"]'],
  ])('is fixed, and read as such again: %s', async (path, before, after) => {
    expect(await fixed({ [path]: before }, [], { level: 'suggested' })).toMatchObject({ count: 1, texts: { [path]: after }, left: [] })
  })
})

describe('files of a configuration', () => {
  const both = { 'a.tf': policy('a', wide), 'b.tf': policy('b', wide) }
  const fixedBoth = { 'a.tf': policy('a', narrow), 'b.tf': policy('b', narrow) }

  it.each([
    ['one of them', { ...both, 'b.tf': policy('b', narrow) }, { 'a.tf': policy('a', narrow) }],
    ['several', both, fixedBoth],
    ['with one that holds no policy', { ...both, 'c.tf': 'output "a" {\n  value = "svc_iam_policy"\n}\n' }, fixedBoth],
    ['with policies in other notations', { ...both, 'p.yaml': 'resourceGroups: []\n' }, fixedBoth],
  ])('are fixed: %s', async (_, texts, after) => {
    expect(await fixed(texts, [repeated])).toMatchObject({ count: Object.keys(after).length, texts: after, left: [] })
  })

  it('are read again with the settings of the run', async () => {
    const settings = { ...testSettings, resourcePrefix: 'acme' }
    const named = (text: string) => text.replace('svc_', 'acme_')
    const after = { 'a.tf': named(policy('a', narrow)) }
    expect(await fixed({ 'a.tf': named(policy('a', wide)) }, [repeated], { settings })).toMatchObject({ count: 1, texts: after })
  })

  it('are fixed where a suggestion changes what they say', async () => {
    const changes = [{ ...repeated, to: '["vps:apisvc:get"]', safe: false }]
    const after = { 'a.tf': policy('a', '["vps:apisvc:get"]'), 'b.tf': policy('b', '["vps:apisvc:get"]') }
    expect(await fixed(both, changes, { level: 'suggested' })).toMatchObject({ count: 2, texts: after, left: [] })
    expect(await fixed(both, changes)).toMatchObject({ count: 0, texts: {} })
  })

  it('are not fixed where a suggestion names what is declared nowhere', async () => {
    const changes = [{ ...repeated, to: '[local.gone]', safe: false }]
    expect(await fixed(both, changes, { level: 'suggested' })).toMatchObject({ count: 0, texts: {} })
  })

  it('are not fixed where another of them would be none any more', async () => {
    const changes = [{ from: 'svc_iam_policy', to: 'other_role' }]
    expect(await fixed({ 'a.tf': policy('a', narrow), 'c.tf': 'locals {\n  a = "x"\n}\n' }, changes)).toMatchObject({ count: 0, texts: {} })
  })

  it('are not fixed next to one that is too long to be read', async () => {
    const long = (length: number) => ({ ...both, 'c.tf': `# ${'x'.repeat(length)}\n` })
    expect(await fixed(long(1000), [repeated])).toMatchObject({ count: 2, texts: fixedBoth })
    expect(await fixed(long(1024 * 1024), [repeated])).toMatchObject({ count: 0, texts: {} })
  })

  const withOther = { ...both, 'c.tf': policy('c', narrow) }

  it('are read again with what is next to them', async () => {
    // At first, for each of the two fixes, and for both together.
    expect(await fixed(withOther, [repeated], { beside: { appearsAt: 5 } })).toMatchObject({ listed: 4, count: 2, texts: fixedBoth })
  })

  it('are read again without it where they are not there', async () => {
    const beside = { appearsAt: 1, isElsewhere: true }
    expect(await fixed(withOther, [repeated], { beside })).toMatchObject({ listed: 0, count: 2, texts: fixedBoth })
  })

  it('are read again as a part of their folder where it cannot be listed', async () => {
    const local = (allow: string) => policy('a', allow).replace('["urn:v1:eu:resource:vps:vps-1.example.net"]', 'local.declared_elsewhere')
    const beside = { appearsAt: 1, isElsewhere: true, isUnlisted: true }
    expect(await fixed({ 'a.tf': local(wide) }, [repeated], { beside })).toMatchObject({ listed: 0, texts: { 'a.tf': local(narrow) } })
  })

  it.each([
    ['others', 'for the first fix', 2, 'c'],
    ['others', 'for both together', 4, 'c'],
    ['the first of them', 'for both together', 4, 'a'],
    ['the second of them', 'for both together', 4, 'b'],
  ])('stay as they are where %s no longer say the same when they are read again %s', async (_, __, appearsAt, gone) => {
    expect((await fixed(withOther, [repeated], { beside: { appearsAt, gone } })).texts).toEqual({})
  })

  it('stay as they are by themselves: what was fixed elsewhere is kept', async () => {
    const world = (allow: string) => `name: y
identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
permissions: { allow: [{ action: "vps:*" }${allow}] }
`
    const changes = [repeated, { from: ', { action: "vps:apisvc:get" }', to: '' }]
    const beside = { appearsAt: 4 }
    const { texts } = await fixed({ ...withOther, 'y.yaml': world(', { action: "vps:apisvc:get" }') }, changes, { beside })
    expect(texts).toEqual({ 'y.yaml': world('') })
  })
})
