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

/** The result of three texts where git's own merge has a conflict: the text, or why there is none. */
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
    expect(await merge({ base, ours, theirs })).toMatchObject({
      why: 'together',
      difference: { gained: [{ causes: [{ by: 'theirs', what: 'deny `vps:apisvc:terminate`' }, { by: 'ours' }] }] },
    })
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
  test('a conflict of literal parts is one, whatever expressions both change as well', async () => {
    const file = (verbs: string, text: string) => `${block('a', `allow = ${verbs}`, `description = "${text}"`)}`
    expect(await hcl(file('local.a', 'x'), file('local.b', 'y'), file('local.c', 'z'))).toEqual({
      why: 'both change',
      path: ['svc_iam_policy.a', 'description'],
    })
  })
  test('an expression that one removes or both add is left to git, and one that one side changes is taken', async () => {
    const file = (allow: string, deny?: string) => block('a', `allow = ${allow}`, ...(deny === undefined ? [] : [`deny  = ${deny}`]))
    const one = '["vps:apisvc:get"]'
    const expression = 'left: both sides change `svc_iam_policy.a › deny`, which is not literal'
    expect(await hcl(file(one, 'local.a'), file(one), file(one, 'local.b'))).toBe(expression)
    expect(await hcl(file(one, 'local.a'), file(one, 'local.b'), file(one))).toBe(expression)
    expect(await hcl(file(one), file(one, 'local.a'), file(one, 'local.b'))).toBe(expression)
    expect(
      await hcl(file(one, 'local.a'), file('["vps:apisvc:get", "vps:apisvc:list"]', 'local.a'), file(one, 'concat(\n    local.a,\n  )')),
    ).toBe(file('["vps:apisvc:get", "vps:apisvc:list"]', 'concat(\n    local.a,\n  )'))
  })
  test('numbers, booleans and null are literal', async () => {
    for (const values of [
      ['1', '2', '3'],
      ['true', 'false', 'null'],
      ['null', 'true', '7'],
    ]) {
      const [base, ours, theirs] = values.map((value) => `locals {\n  x = ${value}\n}\n\n${block('a', 'allow = []')}`) as [
        string,
        string,
        string,
      ]
      expect(await hcl(base, ours, theirs)).toEqual({ why: 'both change', path: ['locals', 'x'] })
    }
  })
  test('blocks of one address are distinguished by their order, and a data source is no resource', async () => {
    const file = (...locals: readonly string[]) =>
      [...locals.map((x, i) => `locals {\n  x${i} = ${x}\n}\n`), block('a', 'allow = []')].join('\n')
    expect(await hcl(file('1', '2', '3'), file('1', '5', '3'), file('1', '2', '4'))).toBe(file('1', '5', '4'))
    expect(await hcl(file('1', '2', '3'), file('1', '2', '5'), file('1', '2', '4'))).toEqual({
      why: 'both change',
      path: ['locals[2]', 'x2'],
    })
    const data = (x: string) => `data "svc_iam_policy" "a" {\n  names = [${x}]\n}\n\n${block('a', 'allow = []')}`
    expect(await hcl(data('"x"'), data('"x", "y"'), data('"x", "z"'))).toBe(
      'left: both sides change `data.svc_iam_policy.a › names`, which is not literal',
    )
    const other = (x: string) => `resource "svc_vps" "a" {\n  names = [${x}]\n}\n\n${block('a', 'allow = []')}`
    expect(await hcl(other('"x"'), other('"x", "y"'), other('"x", "z"'))).toBe(
      'left: both sides change `svc_vps.a › names`, which is not literal',
    )
  })
  test('attributes behind blocks, and parts that share a line', async () => {
    const file = (...lines: readonly string[]) =>
      block('a', 'conditions {', '  operator = "MATCH"', '  values = { "resource.Tag(env)" = "dev" }', '}', ...lines)
    const get = 'allow = ["vps:apisvc:get"]'
    expect(await hcl(file(get), file(get, 'deny = ["vps:apisvc:stop"]'), file(get, 'description = "x"'))).toBe(
      file(get, 'deny = ["vps:apisvc:stop"]', 'description = "x"'),
    )
    expect(
      await hcl(file(get, 'except = [] # none'), file('allow = ["vps:apisvc:get", "vps:apisvc:list"]', 'except = [] # none'), file(get)),
    ).toBe(file('allow = ["vps:apisvc:get", "vps:apisvc:list"]'))
    const short = (x: string) => `locals { x = ${x} }\n${block('a', 'allow = []')}`
    expect(await hcl(short('1'), short('1').replace(block('a', 'allow = []'), block('a', get)), block('a', 'allow = []'))).toBe(
      block('a', get),
    )
    expect(await hcl(short('1'), short('1').replace('allow = []', get), short('1').replace('x = 1', ''))).toBe(
      `locals {  }\n${block('a', get)}`,
    )
  })
  test('an error leaves it to git', async () => {
    const [base, ours, theirs] = ['1', '2', '3'].map((allow) => block('a', `allow = ${allow}`)) as [string, string, string]
    expect(await hcl(base, ours, theirs)).toMatch(/^left: .*allow/)
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

describe('what is read', () => {
  const [one, two, three] = [allow('vps:apisvc:get'), allow('vps:apisvc:start'), allow('vps:apisvc:stop')] as [string, string, string]
  const broken = one.replace('allow:', 'allwo:')

  test('a version that is the same on two sides is not read', async () => {
    expect(await merge({ base: 'x: [', ours: 'y: [', theirs: 'y: [' })).toBe('y: [')
    expect(await merge({ base: 'x: [', ours: 'y: [', theirs: 'x: [' })).toBe('y: [')
    expect(await merge({ base: 'x: [', ours: 'x: [', theirs: 'y: [' })).toBe('y: [')
  })
  test('an error in one version leaves all to git', async () => {
    for (const [base, ours, theirs] of [
      [broken, two, three],
      [two, broken, three],
      [two, three, broken],
    ] as const)
      expect(await merge({ base, ours, theirs })).toMatch(/^left: .*allwo/)
  })
  test('a file that holds no policy, or values that are not known, is left to git', async () => {
    expect(await merge({ base: 'a: 1', ours: 'a: 2', theirs: 'a: 3' })).toMatch(/^left: .*polic/)
    expect(await merge({ base: '[]', ours: '[ ]', theirs: '[  ]' }, 'json')).toBe('left: it holds no policy')
    expect(await merge({ base: 'variable "a" {}\n', ours: 'variable "b" {}\n', theirs: 'variable "c" {}\n' }, 'hcl')).toBe(
      'left: it holds no policy',
    )
    expect(await merge({ base: 'a = [\n', ours: 'b = [\n', theirs: 'c = [\n' }, 'hcl')).toMatch(/^left: /)
  })
  test('a warning leaves nothing to git', async () => {
    const hidden = '# a\u200bb\n'
    expect(await merge({ base: hidden + one, ours: hidden + allow('vps:apisvc:get', 'vps:apisvc:stop'), theirs: hidden + two })).toBe(
      hidden + allow('vps:apisvc:stop', 'vps:apisvc:start'),
    )
    const [base, ours, theirs] = [resource('get'), `${resource('get')}\nvariable "a" {}\n`, resource('stop')]
    expect(await merge({ base: hidden + base, ours: hidden + ours, theirs: hidden + theirs }, 'hcl')).toBe(
      `${hidden}${theirs}\nvariable "a" {}\n`,
    )
  })
  test('a plan with values that are not known is left to git', async () => {
    const plan = (action: string) =>
      `${JSON.stringify({
        format_version: '1.2',
        resource_changes: [
          {
            address: 'svc_iam_policy.a',
            mode: 'managed',
            type: 'svc_iam_policy',
            name: 'a',
            change: {
              actions: ['create'],
              before: null,
              after: { name: 'a', resources: ['urn:v1:eu:resource:vps:*'], allow: [`vps:apisvc:${action}`] },
              after_unknown: { identities: true },
            },
          },
        ],
      })}\n`
    expect(await merge({ base: plan('get'), ours: plan('start'), theirs: plan('stop') }, 'json')).toBe(
      'left: it holds values that are not known',
    )
  })
  test('a template is left to git', async () => {
    const of = (...actions: readonly string[]) =>
      allow(...actions.map((action) => `vps:apisvc:${action}`)).replace('user:ab12-svc/ann', 'user:ab12-svc/{{ login }}')
    expect(await merge({ base: of('get'), ours: of('get', 'start'), theirs: of('get', 'stop') })).toMatch(/^left: /)
  })
  test('as many policies as groups of permissions are policies', async () => {
    const world = (...actions: readonly string[]) =>
      [
        'policies:',
        ...allow(...actions.map((action) => `vps:apisvc:${action}`))
          .trimEnd()
          .split('\n')
          .map((line, i) => `  ${i === 0 ? '- ' : '  '}${line}`),
        'permissionsGroups:',
        '  - urn: urn:v1:eu:permissionsGroup:ab12-svc:readers',
        '    name: readers',
        '    permissions: { allow: [{ action: "vps:apisvc:list" }] }',
        '',
      ].join('\n')
    expect(await merge({ base: world('get'), ours: world('get', 'start'), theirs: world('get', 'stop') })).toBe(
      world('get', 'start', 'stop'),
    )
  })
  test('a file that both add is merged where it is the same, and else a conflict', async () => {
    expect(await merge({ base: '\n', ours: one, theirs: two })).toEqual({ why: 'both add', path: [] })
    expect(await merge({ base: '', ours: `# x\n${one}`, theirs: one })).toBe(`# x\n${one}`)
    const both = (name: string) => [one, '---\n', one.replace('name: a', `name: ${name}`)].join('')
    expect(await merge({ base: '', ours: both('b'), theirs: both('c') })).toBe(`${both('b')}---\n${one.replace('name: a', 'name: c')}`)
  })
})

/** A policy as a resource of one action. */
const resource = (action: string) =>
  [
    'resource "svc_iam_policy" "x" {',
    '  name       = "x"',
    '  identities = ["urn:v1:eu:identity:user:ab12-svc/ann"]',
    '  resources  = ["urn:v1:eu:resource:vps:*"]',
    `  deny       = ["vps:apisvc:${action}"]`,
    '}',
    '',
  ].join('\n')

describe('comments', () => {
  const base = allow('vps:apisvc:get', 'vps:apisvc:start')
  test('one behind an entry that the other side removes is not dropped', async () => {
    const ours = allow('vps:apisvc:get # daily', 'vps:apisvc:start')
    expect(await merge({ base, ours, theirs: allow('vps:apisvc:start') })).toEqual({ why: 'layout' })
  })
  test('a merge of lines without an edit of one side is not taken, and one with an error is not', async () => {
    const [ours, theirs] = [allow('vps:apisvc:get', 'vps:apisvc:start', 'vps:apisvc:stop'), allow('vps:apisvc:start')]
    const both = allow('vps:apisvc:start', 'vps:apisvc:stop')
    for (const lines of [ours, theirs, allow('vps:apisvc:stop', 'vps:apisvc:stop'), `${both}x: 1\n`])
      expect(await merge({ base, ours, theirs }, 'yaml', lines)).toBe(both)
    expect(await merge({ base, ours, theirs }, 'yaml', allow('vps:apisvc:stop', 'vps:apisvc:start'))).toBe(
      allow('vps:apisvc:stop', 'vps:apisvc:start'),
    )
  })
  test('a merge of lines without a comment of one side is not taken', async () => {
    const [ours, theirs] = [`${base}# About ours.\n`, allow('vps:apisvc:get')]
    expect(await merge({ base, ours, theirs }, 'yaml', theirs)).toBe(`${theirs}# About ours.\n`)
  })
  test('nor is one that has another comment of the same side in its place, on either side', async () => {
    const noted = `# Old.\n${base}`
    const [ours, theirs] = [`# New.\n${base}`, `# Old.\n${allow('vps:apisvc:get')}`]
    const both = `# New.\n${allow('vps:apisvc:get')}`
    expect(await merge({ base: noted, ours, theirs }, 'yaml', theirs)).toBe(both)
    expect(await merge({ base: noted, ours: theirs, theirs: ours }, 'yaml', theirs)).toBe(both)
    const [hclBase, hclOurs] = ['# Old.', '# New.'].map((comment) => `variable "a" {} ${comment}\n${resource('a')}`) as [string, string]
    const hclTheirs = `variable "a" {} # Old.\n${resource('b')}`
    expect(await merge({ base: hclBase, ours: hclOurs, theirs: hclTheirs }, 'hcl', hclTheirs)).toBe(
      `variable "a" {} # New.\n${resource('b')}`,
    )
  })
  test('one that moves to other columns is the same', async () => {
    const [ours, theirs] = [
      allow('vps:apisvc:get', 'vps:apisvc:start', 'vps:apisvc:stop'),
      allow('vps:apisvc:get', 'vps:apisvc:start', 'vps:apisvc:list').replace(
        '    - action: vps:apisvc:list',
        '# Also.\n    - action: vps:apisvc:list',
      ),
    ]
    expect(await merge({ base, ours, theirs })).toBe(
      allow('vps:apisvc:get', 'vps:apisvc:start', 'vps:apisvc:stop', 'vps:apisvc:list').replace(
        '    - action: vps:apisvc:list',
        '    # Also.\n    - action: vps:apisvc:list',
      ),
    )
  })
  test('one that a side removes may go, and one that is there twice is there twice', async () => {
    const noted = allow('vps:apisvc:get # x', 'vps:apisvc:start # x')
    const ours = allow('vps:apisvc:get', 'vps:apisvc:start # x', 'vps:apisvc:stop')
    const lines = allow('vps:apisvc:get', 'vps:apisvc:start # x', 'vps:apisvc:stop', 'vps:apisvc:list')
    const theirs = allow('vps:apisvc:get # x', 'vps:apisvc:start # x', 'vps:apisvc:list')
    expect(await merge({ base: noted, ours, theirs }, 'yaml', lines)).toBe(lines)
    const [withMore, withOther] = [allow('vps:apisvc:get # x', 'vps:apisvc:start # x', 'vps:apisvc:stop'), theirs]
    const all = allow('vps:apisvc:get # x', 'vps:apisvc:start # x', 'vps:apisvc:stop', 'vps:apisvc:list')
    expect(await merge({ base: noted, ours: withMore, theirs: withOther }, 'yaml', lines)).toBe(all)
  })
})

describe('entries and fields', () => {
  const file = (...lines: readonly string[]) => [...header('a'), ...lines, ''].join('\n')
  test('how often an entry occurs counts', async () => {
    const of = (...actions: readonly string[]) => allow(...actions.map((action) => `vps:apisvc:${action}`))
    expect(await merge({ base: of('get', 'list'), ours: of('get', 'list', 'get'), theirs: of('list') })).toMatchObject({
      why: 'both change',
    })
    expect(await merge({ base: of('get'), ours: of('get', 'get', 'list'), theirs: of('get', 'get', 'stop') })).toBe(
      of('get', 'get', 'list', 'stop'),
    )
    expect(await merge({ base: of('get'), ours: of('get', 'list'), theirs: of('get', 'get') })).toBe(of('get', 'list', 'get'))
    expect(await merge({ base: of('get', 'get'), ours: of('get', 'get', 'list'), theirs: of('get') })).toBe(of('get', 'list'))
  })
  test('a list from which all go, and to which others come', async () => {
    const of = (...actions: readonly string[]) => allow(...actions.map((action) => `vps:apisvc:${action}`))
    expect(await merge({ base: of('get', 'list'), ours: of('get'), theirs: of('list', 'stop', 'start') })).toBe(of('stop', 'start'))
  })
  test('entries of one line and of lines', async () => {
    const [base, ours] = [
      file('  allow: [{ action: vps:apisvc:get }]'),
      file('  allow: [{ action: vps:apisvc:get }, { action: vps:apisvc:stop }]'),
    ]
    const lines = file('  allow:', '    - action: vps:apisvc:get', '    - action: vps:apisvc:start')
    expect(await merge({ base, ours, theirs: lines })).toBe(
      file('  allow: [{ action: vps:apisvc:get }, { action: vps:apisvc:stop }, { action: vps:apisvc:start }]'),
    )
    expect(await merge({ base, ours: lines, theirs: ours })).toBe(
      file('  allow:', '    - action: vps:apisvc:get', '    - action: vps:apisvc:start', '    - { action: vps:apisvc:stop }'),
    )
    const emptied = file('  allow: [{ action: vps:apisvc:stop }]')
    expect(await merge({ base, ours: emptied, theirs: lines.replace(/ {4}- action: vps:apisvc:get\n/, '') })).toBe(
      file('  allow: [{ action: vps:apisvc:stop }, { action: vps:apisvc:start }]'),
    )
  })
  test('fields that one side adds, removes and changes', async () => {
    const [base, ours] = [file('  allow: []', 'description: x'), file('  allow: [{ action: vps:apisvc:get }]', 'description: x')]
    expect(await merge({ base, ours, theirs: file('  allow: []', 'description: y') })).toBe(
      file('  allow: [{ action: vps:apisvc:get }]', 'description: y'),
    )
    expect(await merge({ base, ours, theirs: file('  allow: []') })).toBe(file('  allow: [{ action: vps:apisvc:get }]'))
    expect(await merge({ base, ours: file('  allow: []'), theirs: ours })).toBe(file('  allow: [{ action: vps:apisvc:get }]'))
    const more = file('  allow: []', 'description: x', '# Until summer.', '# Then ask.', 'expiredAt: 2030-01-01T00:00:00Z')
    expect(await merge({ base, ours, theirs: more })).toBe(more.replace('[]', '[{ action: vps:apisvc:get }]'))
    expect(await merge({ base, ours: file('  allow: []', 'description: y'), theirs: file('  allow: []') })).toEqual({
      why: 'removed and changed',
      path: ['description'],
    })
    expect(await merge({ base, ours: file('  allow: []', 'description: y'), theirs: file('  allow: []', 'description: z') })).toEqual({
      why: 'both change',
      path: ['description'],
    })
  })
  test('fields in JSON', async () => {
    const json = (allow: readonly string[], more: object = {}, ...space: readonly number[]) =>
      `${JSON.stringify(
        {
          name: 'a',
          identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
          resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
          permissions: { allow: allow.map((action) => ({ action: `vps:apisvc:${action}` })) },
          ...more,
        },
        null,
        ...space,
      )}\n`
    for (const space of [undefined, 2]) {
      const at = space === undefined ? [] : [space]
      const base = json(['get'], {}, ...at)
      expect(
        await merge({ base, ours: json(['get', 'list'], {}, ...at), theirs: json(['get'], { description: 'x' }, ...at) }, 'json'),
      ).toBe(
        space === undefined
          ? json(['get', 'list'], { description: 'x' }).replace(',"description":', ', "description": ')
          : json(['get', 'list'], { description: 'x' }, 2),
      )
      expect(
        await merge(
          {
            base: json(['get'], { description: 'x' }, ...at),
            ours: json(['get'], { description: 'y' }, ...at),
            theirs: json(['get', 'list'], { description: 'x' }, ...at),
          },
          'json',
        ),
      ).toBe(
        space === undefined
          ? json(['get', 'list'], { description: 'y' }).replace('},{', '}, {')
          : json(['get', 'list'], { description: 'y' }, 2),
      )
    }
  })
  test('a condition is one value: changed by one side only', async () => {
    const when = (tag: string, ...actions: readonly string[]) =>
      [allow(...actions), `conditions: { operator: MATCH, values: { "resource.Tag(env)": ${tag} } }\n`].join('')
    const base = when('dev', 'vps:apisvc:get', 'vps:apisvc:start')
    const [ours, theirs] = [when('test', 'vps:apisvc:get', 'vps:apisvc:start'), when('dev', 'vps:apisvc:get')]
    const both = when('test', 'vps:apisvc:get')
    expect(await merge({ base, ours, theirs })).toBe(both)
    expect(await merge({ base, ours: theirs, theirs: ours })).toBe(both)
    expect(await merge({ base, ours, theirs: both })).toBe(both)
    expect(await merge({ base, ours, theirs: when('prod', 'vps:apisvc:get') })).toEqual({ why: 'both change', path: ['conditions'] })
  })
  test('policies of a list by their names, with their comments and in their columns', async () => {
    const item = (name: string, indent = '', ...actions: readonly string[]) =>
      [
        `${indent}# About ${name},`,
        `${indent}# as agreed.`,
        ...allow(...(actions.length > 0 ? actions : ['vps:apisvc:get']))
          .replace('name: a', `name: ${name}`)
          .trimEnd()
          .split('\n')
          .map((line, i) => `${indent}${i === 0 ? '- ' : '  '}${line}`),
        '',
      ].join('\n')
    const base = item('a') + item('b')
    expect(await merge({ base, ours: base + item('c'), theirs: base + item('d') })).toBe(base + item('c') + item('d'))
    // Comments above what a side removes stay where they are.
    const merged = await merge({ base, ours: base + item('c'), theirs: item('a') })
    expect(merged).toBe([item('a'), '# About b,\n# as agreed.\n', item('c')].join(''))
    expect(await merge({ base, ours: base + item('c'), theirs: base + item('c', '', 'vps:apisvc:stop') })).toEqual({
      why: 'both add',
      path: ['c'],
    })
    expect(await merge({ base, ours: base + item('c'), theirs: item('c') + base + item('d') })).toBe(base + item('c') + item('d'))
    expect(await merge({ base, ours: item('a'), theirs: item('a') + item('b', '', 'vps:apisvc:stop') })).toEqual({
      why: 'removed and changed',
      path: ['b'],
    })
    const below = (...items: readonly string[]) => `policies:\n${items.join('')}`
    expect(
      await merge({
        base: below(item('a', '  ')),
        ours: below(item('a', '  '), item('c', '  ')),
        theirs: below(item('a', '      '), item('d', '      ')),
      }),
    ).toBe(below(item('a', '  '), item('c', '  '), item('d', '  ')))
  })
  test('things of one name twice are entries', async () => {
    const item = (action: string) =>
      `- {name: a, identities: ["urn:v1:eu:identity:user:ab12-svc/ann"], resources: [{urn: "urn:v1:eu:resource:vps:*"}], permissions: {allow: [{action: "vps:apisvc:${action}"}]}}\n`
    const [base, ours, theirs] = [[], ['list'], ['stop']].map((more) => ['get', 'start', ...more].map(item).join('')) as [
      string,
      string,
      string,
    ]
    expect(await merge({ base, ours, theirs })).toBe(['get', 'start', 'list', 'stop'].map(item).join(''))
  })
  test('resources of a world by their URNs', async () => {
    const world = (env: string, tier: string) =>
      [
        'policies:',
        ...allow('vps:apisvc:get')
          .trimEnd()
          .split('\n')
          .map((line, i) => `  ${i === 0 ? '- ' : '  '}${line}`),
        'resources:',
        '  - urn: urn:v1:eu:resource:vps:x',
        '    tags:',
        `      env: ${env}`,
        `      tier: ${tier}`,
        '',
      ].join('\n')
    expect(await merge({ base: world('dev', 'one'), ours: world('prod', 'one'), theirs: world('dev', 'two') })).toBe(world('prod', 'two'))
    expect(await merge({ base: world('dev', 'one'), ours: world('prod', 'one'), theirs: world('test', 'one') })).toEqual({
      why: 'both change',
      path: ['resources', 'urn:v1:eu:resource:vps:x', 'tags', 'env'],
    })
  })
  test('texts over several lines stay where they are, and the edits of the other side come to them', async () => {
    const described = (text: string, ...actions: readonly string[]) => `${allow('vps:apisvc:get', ...actions)}description: ${text}\n`
    const [base, ours, theirs] = [described('x'), described('x', 'vps:apisvc:stop'), described('|\n  y\n  z')]
    expect(await merge({ base, ours, theirs })).toBe(described('|\n  y\n  z', 'vps:apisvc:stop'))
    expect(await merge({ base, ours: theirs, theirs: ours })).toBe(described('|\n  y\n  z', 'vps:apisvc:stop'))
    const two = (one: string, other: string) => `${described(one)}---\n${described(other).replace('name: a', 'name: b')}`
    expect(await merge({ base: two('x', 'x'), ours: two('|\n  y', 'x'), theirs: two('x', '>\n  z') })).toEqual({ why: 'layout' })
  })
})
