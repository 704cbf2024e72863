import { riskCategories } from '../../actions/sensitive.ts'
import { isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { residuals } from '../support/residual.ts'
import { quote, some } from '../support/text.ts'
import { counted } from '../support/words.ts'

export const riskyWildcard: Rule = {
  code: 'risky-wildcard',
  section: 'risk',
  severity: 'info',
  preset: 'strict',
  security: 5.5,
  summary: 'A wildcard that takes sensitive actions along.',
  why:
    'Nobody who reads the entry sees them, and the service adds more without asking. The message counts what is left of them after `except`, denies, ' +
    'resources and conditions, kind by kind, and names the gravest. Write the actions out that are needed, or take these out with `except`.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:s*" }] }
#                                ^^^^^^^^^^^^^^^ risky-wildcard`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:ips/*" }, { action: "vps:apisvc:setPassword" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:s*" }], except: [{ action: "vps:apisvc:snapshot/*" }, { action: "vps:apisvc:setPassword" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const seen = new Set<unknown>()
      for (const { entry, group, actions } of residuals(policy, context)) {
        if (group !== undefined || !isPattern(entry.value) || seen.has(entry)) continue
        seen.add(entry)
        const byCategory = riskCategories.flatMap((category) => {
          const of = actions.filter((action) => action.category === category)
          return of.length === 0 ? [] : [{ category, of }]
        })
        const gravest = byCategory.flatMap(({ of }) => of.map(({ action }) => action))
        const counts = byCategory.map(({ category, of }) => `${of.length} ${words[category]}`).join(', ')
        yield {
          span: entry.span,
          message: `${quote(entry.value.text)} takes ${counted(actions.length, 'sensitive action')} along (${counts}): ${some(gravest, 3)}`,
          help: 'write out the actions that are needed, or take these out with `except`',
        }
      }
    },
  },
}

const words = {
  escalation: 'to gain rights',
  credentials: 'to obtain credentials',
  audit: 'to switch off guards',
  exposure: 'to open or hand over',
  exfiltration: 'to carry data out',
  tagging: 'to tag',
  spend: 'to spend',
  destruction: 'to destroy',
} as const
