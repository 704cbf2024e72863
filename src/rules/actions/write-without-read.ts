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
  summary: 'An action that changes or deletes something, granted without the one that shows it.',
  why:
    'Who may delete a record but not list the records has to guess its id; a control panel or a program that reads before it writes fails at the ' +
    'first step. The reading action of the same name exists in the catalogue, and no policy of this set grants it to anybody.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:dnsZone:example.org" }]
permissions: { allow: [{ action: "dnsZone:apisvc:record/delete" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write-without-read`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:dnsZone:example.org" }]
permissions: { allow: [{ action: "dnsZone:apisvc:record/delete" }, { action: "dnsZone:apisvc:record/get" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:dnsZone:example.org" }]
permissions: { allow: [{ action: "dnsZone:apisvc:record/*" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:dnsZone:example.org" }]
permissions: { allow: [{ action: "dnsZone:apisvc:record/delete" }] }
permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:svc:globalReadAccess" }]`,
    ],
  },
  check: {
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
          message: `${quote(value.text)} is granted, and nothing grants ${quote(read)}`,
          help: `grant ${quote(read)} too, or drop the entry`,
        }
      }
    },
  },
}

const answers = new WeakMap<RuleContext, Map<string, boolean>>()

/** Whether any permission set of the world allows an action; remembered for the run. */
function grantedAnywhere(action: string, context: RuleContext): boolean {
  const known = answers.get(context) ?? new Map<string, boolean>()
  answers.set(context, known)
  let answer = known.get(action)
  if (answer === undefined) {
    const { policies, permissionsGroups } = context.world
    const sets = [...policies, ...permissionsGroups.values()].map(({ permissions }) => permissions)
    answer = sets.some(({ allow }) => allow.some((entry) => matches(entry.value, action)))
    known.set(action, answer)
  }
  return answer
}
