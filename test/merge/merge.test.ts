import { describe, expect, test } from 'vitest'
import { mergeTexts, type Versions } from '../../src/merge/merge.ts'
import { testSettings } from '../support/settings.ts'

const header = (name: string) => [
  `name: ${name}`,
  'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]',
  'resources: [{ urn: "urn:v1:eu:resource:vps:*" }]',
  'permissions:',
]
const allow = (...actions: readonly string[]) =>
  [...header('a'), '  allow:', ...actions.map((action) => `    - action: ${action}`), ''].join('\n')

/** What becomes of three texts where git's own merge has a conflict: the text, or why there is none. */
async function merge(versions: Versions, notation: 'yaml' | 'json' | 'hcl' = 'yaml', lineMerge?: string) {
  const result = await mergeTexts(versions, notation, testSettings, () => lineMerge)
  return result.kind === 'merged' ? result.text : result.kind === 'left' ? `left: ${result.why}` : result.conflict
}

describe('lists', () => {
  test('entries that both add at one place', async () => {
    const [base, ours, theirs] = [
      allow('vps:apisvc:get'),
      allow('vps:apisvc:get', 'vps:apisvc:reboot'),
      allow('vps:apisvc:get', 'vps:apisvc:start # ops'),
    ]
    expect(await merge({ base, ours, theirs })).toBe(allow('vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:start # ops'))
  })
  test('an entry that both add is there once', async () => {
    const base = allow('vps:apisvc:get')
    const [ours, theirs] = [allow('vps:apisvc:get', 'vps:apisvc:reboot'), allow('vps:apisvc:reboot', 'vps:apisvc:get', 'vps:apisvc:start')]
    expect(await merge({ base, ours, theirs })).toBe(allow('vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:start'))
  })
  test('one removes the last entry, the other adds behind it', async () => {
    const base = allow('vps:apisvc:get', 'vps:apisvc:reboot')
    const [ours, theirs] = [allow('vps:apisvc:get'), allow('vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:start')]
    expect(await merge({ base, ours, theirs })).toBe(allow('vps:apisvc:get', 'vps:apisvc:start'))
    expect(await merge({ base, ours: theirs, theirs: ours })).toBe(allow('vps:apisvc:get', 'vps:apisvc:start'))
  })
})

describe('what both together would grant', () => {
  test('a deny removed here, an allow added there', async () => {
    const deny = ['  deny:', '    - action: vps:apisvc:terminate', ''].join('\n')
    const base = allow('vps:apisvc:get') + deny
    const [ours, theirs] = [allow('vps:apisvc:get', 'vps:apisvc:terminate') + deny, allow('vps:apisvc:get')]
    expect(await merge({ base, ours, theirs })).toMatchObject({ why: 'together' })
  })
})

describe('documents', () => {
  const named = (name: string) => ['# About it.', ...header(name), '  allow: [{ action: "vps:apisvc:get" }]', ''].join('\n')
  const file = (...names: readonly string[]) => names.map(named).join('---\n')
  test('both remove another one of two: that is no edit of one document', async () => {
    expect(await merge({ base: file('a', 'b'), ours: file('a'), theirs: file('b') })).toMatchObject({ why: 'layout' })
  })
  test('one removes a document in front, in between or at the end, and both add one', async () => {
    const base = file('a', 'b', 'c')
    expect(await merge({ base, ours: file('a', 'b', 'c', 'd'), theirs: file('b', 'c', 'e') })).toBe(file('b', 'c', 'd', 'e'))
    expect(await merge({ base, ours: file('b', 'c', 'e'), theirs: file('a', 'b', 'c', 'd') })).toBe(file('b', 'c', 'e', 'd'))
    expect(await merge({ base, ours: file('a', 'b', 'c', 'd'), theirs: file('a', 'c', 'e') })).toBe(file('a', 'c', 'd', 'e'))
    expect(await merge({ base, ours: file('d', 'a', 'b', 'c'), theirs: file('e', 'a') })).toBe(file('d', 'a', 'e'))
  })
  test('with other marks than those between them, the layout is not understood', async () => {
    const [base, ours, theirs] = [file('a', 'b'), file('a', 'b', 'c'), file('a', 'b', 'd')].map((text) => text.replace('---', '--- # next'))
    expect(await merge({ base, ours, theirs } as Versions)).toMatchObject({ why: 'layout' })
  })
})

describe('HCL', () => {
  const block = (name: string, ...lines: readonly string[]) =>
    [
      `resource "svc_iam_policy" "${name}" {`,
      `  name       = "${name}"`,
      '  identities = [svc_iam_group.ops.urn]',
      '  resources  = ["urn:v1:eu:resource:vps:*"]',
      ...lines.map((line) => `  ${line}`),
      '}',
      '',
    ].join('\n')
  const list = (name: string, ...entries: readonly string[]) => [`${name} = [`, ...entries.map((entry) => `  ${entry}`), ']']
  const [get, start, stop] = ['"vps:apisvc:get",', '"vps:apisvc:start", // mornings', '"vps:apisvc:stop", # nights']
  const hcl = (base: string, ours: string, theirs: string) => merge({ base, ours, theirs }, 'hcl')

  test('entries that both add to a list, with their comments', async () => {
    const base = block('a', ...list('allow', get))
    const [ours, theirs] = [block('a', ...list('allow', get, start)), block('a', ...list('allow', get, '# All of them.', stop))]
    expect(await hcl(base, ours, theirs)).toBe(block('a', ...list('allow', get, start, '# All of them.', stop)))
  })
  test('one removes the last entry with its comment, the other adds behind it', async () => {
    const base = block('a', ...list('allow', get, start))
    const [ours, theirs] = [block('a', ...list('allow', get)), block('a', ...list('allow', get, start, stop))]
    expect(await hcl(base, ours, theirs)).toBe(block('a', ...list('allow', get, stop)))
    expect(await hcl(base, theirs, ours)).toBe(block('a', ...list('allow', get, stop)))
  })
  test('a list on one line becomes one of lines where what is added has a comment', async () => {
    const base = block('a', 'allow = ["vps:apisvc:get"]')
    const [ours, theirs] = [block('a', 'allow = ["vps:apisvc:get", "vps:apisvc:list"]'), block('a', ...list('allow', get, stop))]
    expect(await hcl(base, ours, theirs)).toBe(block('a', ...list('allow', get, '"vps:apisvc:list",', stop)))
  })
  test('a reference in a list is an entry', async () => {
    const [base, ours, theirs] = ['', 'svc_iam_group.web.urn', 'var.more'].map((more) =>
      block('a', 'allow = ["vps:apisvc:get"]').replace('ops.urn]', more === '' ? 'ops.urn]' : `ops.urn, ${more}]`),
    ) as [string, string, string]
    expect(await hcl(base, ours, theirs)).toBe(base.replace('ops.urn]', 'ops.urn, svc_iam_group.web.urn, var.more]'))
  })
  test('resources that both add, and one that one side removes', async () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => block(name, 'allow = ["vps:apisvc:get"]')) as [string, string, string, string]
    expect(await hcl(`${a}\n${b}`, `${a}\n${b}\n${c}`, `${a}\n# New.\n${d}`)).toBe(`${a}\n${c}\n# New.\n${d}`)
  })
  test('attributes that one side adds and removes', async () => {
    const base = block('a', 'allow = ["vps:apisvc:get"]', 'description = "x"')
    const ours = block('a', 'allow = ["vps:apisvc:get", "vps:apisvc:start"]', 'description = "x"')
    expect(await hcl(base, ours, block('a', 'allow = ["vps:apisvc:get"]', 'deny = ["vps:apisvc:stop"]'))).toBe(
      block('a', 'allow = ["vps:apisvc:get", "vps:apisvc:start"]', 'deny = ["vps:apisvc:stop"]'),
    )
  })
  test('the same expression changed by both is left to git, and so is the order of a list that is no policy', async () => {
    const own = block('a', 'allow = local.verbs')
    const locals = (...verbs: readonly string[]) =>
      `locals {\n  verbs = [${verbs.map((verb) => `"vps:apisvc:${verb}"`).join(', ')}]\n}\n\n${own}`
    expect(await hcl(locals('get'), locals('get', 'start'), locals('get', 'stop'))).toBe(
      'left: both sides change `locals › verbs`, which is not literal',
    )
  })
  test('what git makes of expressions is compared with the sides', async () => {
    const file = (allow: string, deny: string, verbs: string) =>
      `locals {\n  verbs = [\n${verbs}  ]\n}\n\n${block('a', `allow = [${allow}]`, deny)}`
    const [base, ours] = ['"vps:apisvc:get"', '"vps:apisvc:get", "vps:apisvc:stop"'].map((allow, i) =>
      file(allow, 'deny = ["vps:apisvc:stop"]', i === 0 ? '    1,\n    2,\n' : '    0,\n    1,\n    2,\n'),
    ) as [string, string]
    const theirs = file('"vps:apisvc:get"', '', '    1,\n    2,\n    3,\n')
    const lines = file('"vps:apisvc:get", "vps:apisvc:stop"', '', '    0,\n    1,\n    2,\n    3,\n')
    expect(await merge({ base, ours, theirs }, 'hcl', lines)).toMatchObject({ why: 'together' })
    expect(await merge({ base, ours, theirs }, 'hcl', lines.replace(', "vps:apisvc:stop"', ''))).toBe(
      'left: both sides change `locals › verbs`, which is not literal',
    )
  })
  test('a value of one word that both change is a conflict', async () => {
    const [base, ours, theirs] = ['x', 'y', 'z'].map((text) => block('a', 'allow = ["vps:apisvc:get"]', `description = "${text}"`))
    expect(await hcl(base as string, ours as string, theirs as string)).toEqual({
      why: 'both change',
      path: ['svc_iam_policy.a', 'description'],
    })
  })
  test('conditions that both change, and a resource that one removes and the other changes, are conflicts', async () => {
    const tagged = (tag: string) =>
      block('a', 'allow = ["vps:apisvc:get"]', 'conditions {', '  operator = "MATCH"', `  values = { "resource.Tag(env)" = "${tag}" }`, '}')
    expect(await hcl(tagged('a'), tagged('b'), tagged('c'))).toEqual({ why: 'both change', path: ['svc_iam_policy.a', 'conditions'] })
    const rest = block('b', 'allow = ["vps:apisvc:get"]')
    expect(await hcl(`${tagged('a')}\n${rest}`, rest, `${tagged('b')}\n${rest}`)).toEqual({
      why: 'removed and changed',
      path: ['svc_iam_policy.a'],
    })
  })
  test('a deny removed here, an allow added there: also for a group that is not known', async () => {
    const deny = 'deny = ["vps:apisvc:stop"]'
    const [base, ours] = ['allow = ["vps:apisvc:get"]', 'allow = ["vps:apisvc:get", "vps:apisvc:stop"]'].map((allow) =>
      block('a', allow, '', deny),
    )
    expect(await merge({ base, ours, theirs: block('a', 'allow = ["vps:apisvc:get"]') } as Versions, 'hcl')).toMatchObject({
      why: 'together',
    })
  })
})
