import { matches } from '../../glob.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { quote } from '../support/text.ts'

/** Actions for which one has to look first, by the last word of their name. */
const blind = ['/edit', '/delete']

export const writeWithoutRead: Rule = {
  code: 'write-without-read',
  section: 'actions',
  severity: 'info',
  preset: 'auditor',
  precision: 'medium',
  summary: 'An action that changes or deletes something, granted without the action that reads it.',
  why:
    'Someone who may delete a record but not list records has to guess its id. Control panels and programs that read before they write ' +
    'fail. The catalogue has a reading action of the same name, and no policy grants it to anybody.',
  *policy({ permissions, permissionsGroups }, context) {
    const { world, catalogue } = context
    // A permissions group that is not known may hold the reading action.
    if (permissionsGroups.some(({ value }) => !world.permissionsGroups.has(value.text))) return
    for (const { value, span } of permissions.allow) {
      const verb = blind.find((end) => value.pieces.length === 1 && value.text.endsWith(end))
      if (verb === undefined) continue
      const read = `${value.text.slice(0, -verb.length)}/get`
      if (!catalogue.has(value.text) || !catalogue.has(read) || grantedAnywhere(read, context)) continue
      yield {
        span,
        message: `${quote(value.text)} is granted, but ${quote(read)} is not`,
        help: `also grant ${quote(read)}, or remove the entry`,
      }
    }
  },
}

const answers = () => new Map<string, boolean>()

/** Whether any permission set of the world allows an action; remembered for the run. */
function grantedAnywhere(action: string, context: RuleContext): boolean {
  const grantedByAction = context.once(answers)
  let answer = grantedByAction.get(action)
  if (answer === undefined) {
    const { policies, permissionsGroups } = context.world
    const sets = [...policies, ...permissionsGroups.values()].map(({ permissions }) => permissions)
    answer = sets.some(({ allow }) => allow.some((entry) => matches(entry.value, action)))
    grantedByAction.set(action, answer)
  }
  return answer
}
