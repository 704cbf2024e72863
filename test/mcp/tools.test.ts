import { expect, test } from 'vitest'
import { inputProblems, pathsIn } from '../../src/mcp/fields.ts'
import { readDocument } from '../../src/mcp/resources.ts'
import { callTool, type Host, tools } from '../../src/mcp/tools.ts'

/** The command lines that calls run, in a workspace of which `secret` must not be read. */
async function calling(name: string, input: object, more: Partial<Host> = {}) {
  const lines: (readonly string[])[] = []
  const answer = await callTool(name, input, {
    roots: ['here', 'there'],
    mayWrite: true,
    run: async (root, words) => {
      lines.push([root, ...words])
      return { exit: 0, stdout: words.includes('json') ? '{}' : 'text', stderr: '' }
    },
    refusal: (root, path, mayBeCommit) => (path.includes('secret') ? `${root}: ${path} ${mayBeCommit}` : undefined),
    namesPolicies: async () => false,
    apply: async () => ({ exit: 0, stdout: '{}', stderr: '' }),
    ...more,
  })
  return { lines, isError: answer?.isError === true, text: answer?.content[0]?.text }
}

const fieldsOf = (name: string) => tools.find((tool) => tool.name === name)?.fields ?? {}

test('what clients send is no option: arguments are behind `--`, and values behind `=`', async () => {
  const { lines } = await calling('lint', { root: 'there', paths: ['--config=evil', '-'], preset: 'strict' })
  expect(lines).toEqual([
    ['there', 'lint', '--format', 'json', '--no-color', '--preset=strict', '--', '--config=evil', '-'],
    ['there', 'lint', '--format', 'agent', '--no-color', '--preset=strict', '--', '--config=evil', '-'],
  ])
})

test('each path of an input is held to the workspace, alone or in a list, and only states may name commits', async () => {
  const question = { identity: 'a', action: 'b', resource: 'c' }
  for (const [tool, input, mayBeCommit] of [
    ['lint', { paths: ['a', 'secret'] }, false],
    ['can', { ...question, policies: ['secret'] }, true],
    ['can', { ...question, with: ['secret'] }, false],
    ['diff', { before: 'secret', after: 'b' }, true],
  ] as const) {
    const { lines, isError, text } = await calling(tool, input)
    expect([lines, isError], tool).toEqual([[], true])
    expect(text).toContain(`here: secret ${mayBeCommit}`)
  }
  expect(pathsIn(fieldsOf('lint'), {})).toEqual([])
})

test('fixes are written once, and only where it is said which files', async () => {
  expect(await calling('apply_fixes', {})).toMatchObject({
    lines: [],
    isError: true,
    text: expect.stringContaining('name the files to fix'),
  })
  expect((await calling('apply_fixes', {}, { namesPolicies: async () => true })).lines).toHaveLength(2)
  const { lines } = await calling('apply_fixes', { paths: ['p.yaml'], level: 'suggested' })
  expect(lines).toEqual([
    ['here', 'lint', '--fix', '--format', 'json', '--no-color', '--fix-level=suggested', '--', 'p.yaml'],
    ['here', 'lint', '--format', 'agent', '--no-color', '--', 'p.yaml'],
  ])
  for (const name of ['apply_fixes', 'apply_suggestion'])
    expect(await calling(name, { paths: ['p.yaml'] }, { mayWrite: false }), name).toEqual({ lines: [], isError: false, text: undefined })
})

test('what is wrong with an input is said by field, at the limits too', () => {
  const problems = (tool: string, input: unknown) => inputProblems(fieldsOf(tool), input)
  expect(problems('expand', { patterns: [] })).toEqual(['`patterns`: expected at least one entry'])
  expect(problems('expand', { patterns: ['a'], limit: 1000 })).toEqual([])
  for (const limit of [0, 1001, 1.5, '5']) expect(problems('expand', { patterns: ['a'], limit }), `${limit}`).toHaveLength(1)
  expect(problems('lint', { path: ['a'] })).toEqual(['unknown field `path`: did you mean `paths`?'])
  expect(problems('lint', [])).toEqual(['the arguments are not an object'])
})

test('only the pages of the documentation are read', () => {
  const documents = { names: ['rules', 'semantics', 'rules/idle-deny'], read: (name: string) => `page ${name}` }
  const read = ['rules', 'rules/idle-deny', 'docs/semantics', 'docs/../secret', 'rules/../../secret', 'secret'].map((name) =>
    readDocument(`grantwise://${name}`, documents),
  )
  expect(read).toEqual(['page rules', 'page rules/idle-deny', 'page semantics', undefined, undefined, undefined])
})
