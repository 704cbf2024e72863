import { visible } from '../../names.ts'
import { inside } from '../../source.ts'
import { isSpelling } from '../../spelling.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { quote } from '../support/text.ts'
import { nodeAt } from '../support/written.ts'

const longest = 255

export const policyName: Rule = {
  code: 'policy-name',
  section: 'document',
  severity: 'error',
  fixes: ['safe'],
  summary: 'A policy name that is empty, too long, padded, unprintable or reserved.',
  why:
    'A name is how people and reports speak of a policy. An empty one, one with invisible characters or one that starts or ends with a blank ' +
    'cannot be told from others, and the service keeps names that start with the brand word and `-` for the policies that it manages itself. ' +
    'More than 255 characters are more than a name.',
  examples: {
    bad: [
      `
name: ""
#     ^^ policy-name`,
      `
name: " web readers"
#     ^^^^^^^^^^^^^^ policy-name`,
      `
name: svc-web-readers
#     ^^^^ policy-name`,
    ],
    good: [
      `
name: web readers`,
      `
name: svc-web-readers
readOnly: true`,
    ],
  },
  check: {
    *policy({ name, node, readOnly }, { settings }) {
      // A name of the wrong type is not here to be judged.
      if (nodeAt(node, 'name')?.kind !== 'text') return
      const { value, span } = name
      // One that stands in the file as itself is reported by the readers; this is about one that is written as an escape.
      const written = span.source.text.slice(span.start, span.end)
      const strange = [...value.matchAll(/\P{ASCII}|[\0-\x1f\x7f]/gu)].find(
        ({ 0: c, index }) => visible(c) !== c && !isSpelling(value, index) && !written.includes(c),
      )
      const reserved = `${settings.brand}-`
      if (value.trim() === '')
        yield { span, message: 'the policy has no name', help: 'give it a name that says what it grants and to whom' }
      else if (strange) {
        yield {
          span: inside(name, strange.index, strange.index + strange[0].length),
          message: `${quote(strange[0])} in the name of a policy cannot be seen`,
          help: 'remove it',
          ...replacement(span, seen(value), seen(value) !== ''),
        }
      } else if (value.trim() !== value)
        yield {
          span,
          message: `the name ${quote(value)} starts or ends with a blank`,
          help: `write ${quote(value.trim())}`,
          ...replacement(span, value.trim(), true),
        }
      else if (value.length > longest) yield { span, message: `the name has ${value.length} characters`, help: `keep it to ${longest}` }
      else if (value.startsWith(reserved) && !readOnly) {
        yield {
          span: inside(name, 0, reserved.length),
          message: `names that start with ${quote(reserved)} are reserved for policies that the service manages`,
          help: 'choose another name',
        }
      }
    },
  },
}

/** A name without what cannot be seen. */
function seen(name: string): string {
  return name.replace(/\P{ASCII}|[\0-\x1f\x7f]/gu, (c, at: number) => (visible(c) === c || isSpelling(name, at) ? c : '')).trim()
}
