import type { Policy } from '../../policy.ts'
import type { Source } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { textOption } from '../support/options.ts'
import { quote } from '../support/text.ts'
import { baseName, wordsOf } from '../support/words.ts'

const code = 'file-name'

/** What the file of a policy is called. */
const styles: Readonly<Record<string, (name: string) => string>> = {
  same: (name) => name,
  'kebab-case': (name) => wordsOf(name).join('-'),
  snake_case: (name) => wordsOf(name).join('_'),
}

export const fileName: Rule = {
  code,
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  summary: 'A file that is not called like the policy in it.',
  why:
    'Reports name policies, people open files. Where the two are called alike nobody has to search, a renamed policy is seen, and two policies of ' +
    'one name cannot lie side by side. Files that hold several policies are not judged, nor what comes from standard input.',
  options: [
    {
      name: 'style',
      type: 'text',
      text: 'how the file is called for the name of the policy',
      required: true,
      choices: Object.keys(styles),
    },
  ],
  examples: {
    bad: [
      {
        path: 'policies/developers.yaml',
        options: { style: 'kebab-case' },
        text: `
name: Web developers
#     ^^^^^^^^^^^^^^ file-name`,
      },
    ],
    good: [
      { path: 'policies/web-developers.yaml', options: { style: 'kebab-case' }, text: '\nname: Web developers' },
      { path: 'web readers.yaml', options: { style: 'same' }, text: '\nname: web readers' },
    ],
  },
  check: {
    *world(context) {
      const style = textOption(context, code, 'style')
      const spell = style !== undefined && Object.hasOwn(styles, style) ? styles[style] : undefined
      if (!spell) return
      const files = new Map<Source, Policy[]>()
      for (const policy of context.world.policies) {
        const { source } = policy.span
        const list = files.get(source)
        if (list) list.push(policy)
        else files.set(source, [policy])
      }
      for (const [{ path }, [policy, ...others]] of files) {
        if (!policy || others.length > 0 || policy.name.value === '' || path.startsWith('<')) continue
        const expected = spell(policy.name.value)
        const actual = baseName(path)
        if (expected === '' || actual === expected) continue
        yield {
          span: policy.name.span,
          message: `the policy is called ${quote(policy.name.value)}, its file ${quote(actual)}`,
          help: `call the file ${quote(expected)}, or rename the policy`,
        }
      }
    },
  },
}
