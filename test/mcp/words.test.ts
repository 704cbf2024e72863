import { expect, test } from 'vitest'
import { tools } from '../../src/mcp/tools.ts'
import { inFields } from '../../src/mcp/words.ts'

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
  // A name that begins as an option stays.
  ['lint', '--fix: no such file or folder', '--fix: no such file or folder'],
  ['can', '  policy --ip 192.0.2.1', '  policy --ip 192.0.2.1'],
])('%s: %j becomes %j', (tool, text, expected) => {
  expect(inFields(text, fieldsOf(tool), facts)).toBe(expected)
})
