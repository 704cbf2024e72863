import { expect, test } from 'vitest'
import { tools } from '../../src/mcp/tools.ts'
import { inFields, resultInFields } from '../../src/mcp/words.ts'

const fieldsOf = (name: string) => tools.find((tool) => tool.name === name)?.fields ?? {}
const facts = fieldsOf('can')

test.each([
  ['can', 'settle it with `--tag env=prod` or `--group`', 'settle it with `tags: env=prod` or `groups`'],
  ['can', 'grantwise: --at `now` is not a date\nhelp: write it', 'grantwise: `at` `now` is not a date\nhelp: write it'],
  [
    'lint',
    '--rule: unknown rule `a`\n  help: `grantwise rules` lists them',
    '`rules`: unknown rule `a`\n  help: the resource `grantwise://rules` lists them',
  ],
  ['suggest', '`--over everything` of the command line lists it', '`over: everything` lists it'],
  ['suggest', '`--pick N --format diff` prints one', 'the structured content prints one'],
  ['who', '`--pick N` prints one, `--full-urns` all', 'the structured content prints one, `--full-urns` of the command line all'],
  ['diff', '    such as user/ann a:b:c d:e --ip 192.0.2.1\n', '    such as user/ann a:b:c d:e ip: 192.0.2.1\n'],
  ['diff', '    such as x \\\n            --ip 192.0.2.1 --tag a=b\n', '    such as x \\\n            ip: 192.0.2.1 tags: a=b\n'],
  ['preview_fixes', 'grantwise: --fix would fix 2 problems in 1 file', 'grantwise: `apply_fixes` would fix 2 problems in 1 file'],
  ['explain_rule', 'Fix: safe, made by `--fix`', 'Fix: safe, made by `apply_fixes`'],
  [
    'explain_rule',
    'Fix: suggested, made by `--fix --fix-level suggested`',
    'Fix: suggested, made by `apply_fixes` with `level: suggested`',
  ],
  ['escalate', 'see `grantwise explain unknown-action`', 'see `explain_rule` with `code: unknown-action`'],
  ['lint', 'compare it with what `grantwise expand` lists', 'compare it with what `expand` lists'],
  ['can', '`grantwise call METHOD PATH` names the actions', '`call` with `method` and `path` names the actions'],
  ['explain_rule', '`can --ip` answers for any address', '`can` with `ip` answers for any address'],
  ['explain_rule', '`grantwise can --ip 10.0.0.1` answers', '`can` with `ip: 10.0.0.1` answers'],
  ['lint', 'lint what it renders: `erb FILE | grantwise lint -`', 'lint what it renders: `erb FILE`, as the `text` of `lint`'],
  ['lint', 'lint what it renders, through `grantwise lint -`', 'lint what it renders, through the `text` of `lint`'],
  // A command that no tool runs, and one with options that its tool has not.
  ['lint', '`grantwise catalogue import` builds one', '`grantwise catalogue import` of the command line builds one'],
  ['can', '`grantwise diff --since` compares', '`grantwise diff --since` of the command line compares'],
  ['lint', 'lint it, or `expand --from` it', 'lint it, or `grantwise expand --from` of the command line it'],
  // No command.
  ['lint', 'the `name` of `grantwise`, `a --b c`', 'the `name` of `grantwise`, `a --b c`'],
  // Long spans are not looked at.
  ['can', `\`--tag ${'a'.repeat(400)}\``, `\`--tag ${'a'.repeat(400)}\``],
  // A name that begins as an option stays.
  ['lint', '--fix: no such file or folder', '--fix: no such file or folder'],
  ['can', '  policy --ip 192.0.2.1', '  policy --ip 192.0.2.1'],
])('%s: %j becomes %j', (tool, text, expected) => {
  expect(inFields(text, fieldsOf(tool), facts, tools)).toBe(expected)
})

test('sentences of results are in the words of tools, and names, files and edits stay', () => {
  const because = 'see `grantwise explain unknown-action`'
  const result = { notes: [because], steps: [{ because, count: 1 }], name: because, diff: `+${because}`, missing: null }
  const said = 'see `explain_rule` with `code: unknown-action`'
  expect(resultInFields(result, (text) => inFields(text, fieldsOf('can'), facts, tools))).toEqual({
    notes: [said],
    steps: [{ because: said, count: 1 }],
    name: because,
    diff: `+${because}`,
    missing: null,
  })
})
