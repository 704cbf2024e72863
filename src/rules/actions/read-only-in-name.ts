import type { Glob } from '../../glob.ts'
import { overlaps } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { quote, some } from '../support/text.ts'
import { granted, isWriting } from '../support/verbs.ts'
import { wordsOf } from '../support/words.ts'

/** Words of a name that promise that nothing is changed, and words that take the promise back. */
const reading = new Set(
  'read reads reader readers reading readonly view views viewer viewers viewing watch watcher watchers auditor auditors'.split(' '),
)
const writing = new Set(
  (
    'write writes writer writers writing edit edits editor editors editing admin admins administrator administrators manage manager managers ' +
    'management operator operators operate full owner owners create delete update change modify maintain maintainer maintainers rw not no'
  ).split(' '),
)

export const readOnlyInName: Rule = {
  code: 'read-only-in-name',
  section: 'actions',
  severity: 'warning',
  preset: 'strict',
  security: 4,
  precision: 'medium',
  summary: 'A policy that calls itself one for reading and grants an action that changes something.',
  why:
    'Nobody looks twice at a policy for readers, and it is given away freely. Take the action out, or give the policy a name that says what it ' +
    'does. The promise is read from the name, and from `read-only` in the description; what `except` and `deny` of the policy take away does not count.',
  examples: {
    bad: [
      `
name: server readers
permissions: { allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:snapshot/delete" }] }
#                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ read-only-in-name`,
      `
name: support desk
description: Read-only access to the servers
permissions: { allow: [{ action: "vps:*" }] }
#                                ^^^^^^^ read-only-in-name`,
    ],
    good: [
      `
name: server readers
permissions: { allow: [{ action: "vps:apisvc:get" }, { action: "*/get" }] }`,
      `
name: read and write
permissions: { allow: [{ action: "vps:apisvc:snapshot/delete" }] }`,
      `
name: server readers
permissions: { allow: [{ action: "vps:apisvc:snapshot/*" }], except: [{ action: "vps:apisvc:snapshot/*" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const promise = promiseOf(policy)
      if (!promise) return
      const { allow, except, deny } = policy.permissions
      for (const entry of allow) {
        const taken = [...except, ...deny].map((other) => other.value).filter((pattern: Glob) => overlaps(pattern, entry.value))
        const writes = writesOf(entry, taken, context)
        if (writes.length === 0) continue
        yield {
          span: entry.span,
          message: `${quote(promise.value)} promises to read only, and this ${entry.value.pieces.length > 1 ? `allows ${some(writes, 2)}` : 'changes something'}`,
          help: 'allow what reads, or name the policy for what it does',
          related: [{ message: 'the promise', span: promise.span }],
        }
      }
    },
  },
}

function writesOf(entry: Located<Glob>, taken: readonly Glob[], context: RuleContext): readonly string[] {
  return granted(context, entry.value, taken).filter(isWriting)
}

function promiseOf({ name, description }: Policy): Located<string> | undefined {
  const words = wordsOf(name.value)
  if (words.some((word) => writing.has(word))) return undefined
  if (words.some((word) => reading.has(word))) return name
  const said = description ? wordsOf(description.value) : []
  const only = said.includes('readonly') || said.some((word, i) => word === 'read' && said[i + 1] === 'only')
  return only && !said.some((word) => writing.has(word)) ? description : undefined
}
