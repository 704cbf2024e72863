import { pushTo } from '../../collections.ts'
import type { Policy } from '../../policy.ts'
import type { Source } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { textOption } from '../support/options.ts'
import { quote } from '../support/text.ts'
import { baseName, wordsOf } from '../support/words.ts'

const code = 'file-name'

/** The file name for the name of a policy. */
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
  summary: 'A file whose name does not match the policy in it.',
  why:
    'Reports name policies, and people open files. Matching names make a policy easy to find, and a renamed or duplicated policy easy ' +
    'to notice. Files with several policies and standard input are not checked.',
  options: [
    {
      name: 'style',
      type: 'text',
      text: 'how the file name is derived from the policy name',
      required: true,
      choices: Object.keys(styles),
    },
  ],
  *world(context) {
    const style = textOption(context, code, 'style')
    const spell = style !== undefined && Object.hasOwn(styles, style) ? styles[style] : undefined
    if (!spell) return
    const files = new Map<Source, Policy[]>()
    for (const policy of context.world.policies) {
      const { source } = policy.span
      pushTo(files, source, policy)
    }
    for (const [{ path }, [policy, ...others]] of files) {
      if (!policy || others.length > 0 || policy.name.value === '' || path.startsWith('<')) continue
      const expected = spell(policy.name.value)
      const actual = baseName(path)
      if (expected === '' || actual === expected) continue
      yield {
        span: policy.name.span,
        message: `the policy is named ${quote(policy.name.value)}, but its file ${quote(actual)}`,
        help: `rename the file to ${quote(expected)}, or rename the policy`,
      }
    }
  },
}
