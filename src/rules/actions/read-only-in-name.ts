import type { Policy } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { quote, some } from '../support/text.ts'
import { grantedActions, isWriting } from '../support/verbs.ts'
import { wordsOf } from '../support/words.ts'

/** Words that promise read-only access, and words that contradict it. */
const reading: ReadonlySet<string> = new Set(
  'read reads reader readers reading readonly view views viewer viewers viewing watch watcher watchers auditor auditors'.split(' '),
)
const writing: ReadonlySet<string> = new Set(
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
  summary: 'A policy named read-only that grants an action that changes something.',
  why:
    'A policy for readers gets little scrutiny and is handed out freely. Remove the action, or rename the policy. The promise is taken ' +
    'from the name, or from `read-only` in the description; actions removed by `except` and `deny` of the policy do not count.',
  *policy(policy, context) {
    const promise = promiseOf(policy)
    if (!promise) return
    const { allow, except, deny } = policy.permissions
    const taken = [...except, ...deny].map(({ value }) => value)
    for (const entry of allow) {
      const writes = grantedActions(context, entry.value, taken).filter(isWriting)
      if (writes.length === 0) continue
      yield {
        span: entry.span,
        message: `${quote(promise.value)} promises read-only access, but this ${entry.value.pieces.length > 1 ? `allows ${some(writes, 2)}` : 'changes something'}`,
        help: 'only allow reading actions, or rename the policy',
        related: [{ message: 'read-only according to this', span: promise.span }],
      }
    }
  },
}

function promiseOf({ name, description }: Policy): Located<string> | undefined {
  const words = wordsOf(name.value)
  if (words.some((word) => writing.has(word))) return undefined
  if (words.some((word) => reading.has(word))) return name
  const said = description ? wordsOf(description.value) : []
  const only = said.includes('readonly') || said.some((word, i) => word === 'read' && said[i + 1] === 'only')
  return only && !said.some((word) => writing.has(word)) ? description : undefined
}
