import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { highlights } from '../../src/editor/highlights.ts'
import type { EditorFile } from '../../src/editor/model.ts'
import { references } from '../../src/editor/references.ts'
import { selection } from '../../src/editor/selection.ts'
import { tokens } from '../../src/editor/tokens.ts'
import type { Range } from '../../src/source.ts'
import { marked, workspaceFrom } from '../support/editing.ts'

/** Marks that editors set while one reads: places of the same name, ranges to select, colours. A `|` in a text is the cursor. */

const policy = `name: reads
identities: [urn:v1:eu:identity:user:ab12-svc/ann]
resources: [{urn: "urn:v1:eu:resource:vps:*"}]
permissions:
  allow: [{action: "vps:apisvc:get"}, {action: "vps:*"}, {action: "vps:apisvc:reboot"}]
  deny: [{action: vps:apisvc:get}]
`
const textOf = ({ source }: EditorFile, { start, end }: Range) => source.text.slice(start, end)

describe('highlights', () => {
  const highlighted = async (path: string, text: string) => {
    const { workspace, file, offset } = await marked(path, text)
    return highlights(workspace, file, offset).map((each) => `${each.kind} ${textOf(file, each)}`)
  }

  test.each([
    [
      'an action, with the patterns over it',
      policy.replace('"vps:apisvc:get', '"vps:|apisvc:get'),
      ['vps:apisvc:get', 'vps:*', 'vps:apisvc:get'],
    ],
    [
      'a pattern of actions, where it is written again',
      policy.replace('"vps:*"', '"vps|:*"').replace('deny: [{action: vps:apisvc:get', 'deny: [{action: "vps:*"'),
      ['vps:*', 'vps:*'],
    ],
    ['nothing of ours', policy.replace('permissions', 'permi|ssions'), []],
  ])('%s', async (_, text, expected) => {
    expect(await highlighted('p.yaml', text)).toEqual(expected.map((each) => `read ${each}`))
  })

  test('a name is written where it is described', async () => {
    const text = `policies:\n${policy.replace(/^/gm, '    ').replace('    name', '  - name').trimEnd()}\nidentities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/a|nn\n`
    expect(await highlighted('p.yaml', text)).toEqual([
      'read urn:v1:eu:identity:user:ab12-svc/ann',
      'write urn:v1:eu:identity:user:ab12-svc/ann',
    ])
  })

  test('a block of a configuration', async () => {
    const text = `locals {\n  who = ["a"]\n}\nresource "svc_iam_policy" "p" {\n  identities = local.w|ho\n  resources  = local.who\n}\n`
    expect(await highlighted('main.tf', text)).toEqual(expect.arrayContaining(['read local.who']))
  })
})

describe('selection', () => {
  const selected = async (path: string, text: string) => {
    const { file, offset } = await marked(path, text)
    return selection(file, offset).map((each) => textOf(file, each))
  }

  test('from the segment of an action to the file', async () => {
    expect(await selected('p.json', '[{"permissions": {"allow": ["x", {"action": "vps:api|svc:get"}]}}]')).toEqual([
      'apisvc',
      'vps:apisvc:get',
      '"vps:apisvc:get"',
      '"action": "vps:apisvc:get"',
      '{"action": "vps:apisvc:get"}',
      '["x", {"action": "vps:apisvc:get"}]',
      '"allow": ["x", {"action": "vps:apisvc:get"}]',
      '{"allow": ["x", {"action": "vps:apisvc:get"}]}',
      '"permissions": {"allow": ["x", {"action": "vps:apisvc:get"}]}',
      '{"permissions": {"allow": ["x", {"action": "vps:apisvc:get"}]}}',
      '[{"permissions": {"allow": ["x", {"action": "vps:apisvc:get"}]}}]',
    ])
  })

  test('in a fence, then the document', async () => {
    const text = '# Title\n\n```yaml\nname: re|ads\n```\n'
    expect(await selected('p.md', text)).toEqual(['reads', 'name: reads', 'name: reads\n', text.replace('|', '')])
  })

  test('an empty file has itself', async () => {
    expect(await selected('p.yaml', '|')).toEqual([''])
  })
})

describe('tokens', () => {
  const tokenTexts = async (path: string, text: string) => {
    const workspace = await workspaceFrom({ [path]: text })
    const file = workspace.files.get(path) as EditorFile
    return tokens(workspace, file).map((each) => `${each.kind} ${textOf(file, each)}${each.isDeclaration ? ' declared' : ''}`)
  }

  test('the parts of URNs and actions', async () => {
    expect(await tokenTexts('p.yaml', policy)).toEqual([
      'class reads declared',
      'keyword identity',
      'type user',
      'variable ab12-svc/ann',
      'keyword resource',
      'type vps',
      'operator *',
      ...['get', '*', 'reboot', 'get'].flatMap((path) =>
        path === '*' ? ['namespace vps', 'operator *'] : ['namespace vps', 'namespace apisvc', `function ${path}`],
      ),
    ])
  })

  test('a string with escapes is one token, and one over several lines is none', async () => {
    expect(await tokenTexts('p.json', '[{"identities": ["urn:v1:eu:identity:user:ab12-svc\\/ann"]}]')).toEqual([
      'variable urn:v1:eu:identity:user:ab12-svc\\/ann',
    ])
    expect(await tokenTexts('p.yaml', 'name: one\nidentities:\n  - "urn:v1:eu:identity:\n    user"\n')).toEqual(['class one declared'])
  })

  test('the words of a condition', async () => {
    const text = 'conditions:\n  operator: MATCH\n  values:\n    resource.Tag(env): prod\nexpiredAt: "2027-01-01T00:00:00Z"\n'
    expect(await tokenTexts('p.yaml', `name: one\nidentities: []\n${text}`)).toEqual([
      'class one declared',
      'keyword MATCH',
      'property resource.Tag(env)',
      'number 2027-01-01T00:00:00Z',
    ])
  })

  test('only those of a range, where one is given', async () => {
    const workspace = await workspaceFrom({ 'p.yaml': policy })
    const file = workspace.files.get('p.yaml') as EditorFile
    const start = policy.indexOf('resources')
    const end = policy.indexOf('permissions')
    expect(tokens(workspace, file, { start, end }).map((each) => textOf(file, each))).toEqual(['resource', 'vps', '*'])
  })
})

describe('in every example', async () => {
  const root = new URL('../../examples/', import.meta.url).pathname
  const folders = ['team', 'acme', 'terraform']
  const paths = folders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ya?ml|json|tf|md)$/.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length)),
  )
  const workspace = await workspaceFrom(Object.fromEntries(paths.map((path) => [path, readFileSync(root + path, 'utf8')])))
  const files = [...workspace.files.values()]

  test('tokens are in order, apart, and on one line', () => {
    for (const file of files) {
      const found = tokens(workspace, file)
      for (const [i, token] of found.entries()) {
        expect(token.start).toBeLessThan(token.end)
        expect(token.start).toBeGreaterThanOrEqual(found[i - 1]?.end ?? 0)
        expect(textOf(file, token)).not.toMatch(/[\r\n"]/)
      }
    }
  })

  test('each range of a selection is within the next, and holds the cursor', () => {
    for (const file of files) {
      for (let offset = 0; offset <= file.source.text.length; offset += 7) {
        const ranges = selection(file, offset)
        expect(ranges.at(-1)).toEqual({ start: 0, end: file.source.text.length })
        for (const [i, { start, end }] of ranges.entries()) {
          expect(start <= offset && offset <= end).toBe(true)
          const before = ranges[i - 1]
          if (before) expect(start <= before.start && before.end <= end && end - start > before.end - before.start).toBe(true)
        }
      }
    }
  })

  test('the highlights of a name are its references in the file', () => {
    for (const file of files) {
      for (const { range } of file.occurrences(workspace.settings)) {
        const found = highlights(workspace, file, range.start).map(({ start, end }) => `${start}-${end}`)
        const expected = references(workspace, file, range.start).filter(({ path }) => path === file.path)
        expect(found.sort()).toEqual(expected.map(({ start, end }) => `${start}-${end}`).sort())
      }
    }
  })
})
