import type { Rule } from '../rule.ts'
import { cannotServe, productOf, typesOfEntry } from '../support/scopes.ts'
import { quote, some } from '../support/text.ts'
import { countWritten } from '../support/written.ts'

export const resourceWithoutAction: Rule = {
  code: 'resource-without-action',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  summary: 'A resource that none of the actions of the policy can be about.',
  why:
    'Every entry of the policy is about other types of resources, so that listing this one changes nothing today. It does as soon as somebody adds ' +
    'an action to the policy: then the resource is in reach without having been looked at again.',
  examples: {
    bad: [
      `
resources:
  - urn: urn:v1:eu:resource:webHosting:*
  - urn: urn:v1:eu:resource:vps:*
#        ^^^^^^^^^^^^^^^^^^^^^^^^ resource-without-action
permissions: { allow: [{ action: "webHosting:apisvc:get" }] }`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }, { urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "webHosting:apisvc:get" }, { action: "*:reboot" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }, { urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:svc:globalReadAccess" }]`,
    ],
  },
  check: {
    *policy({ resources, permissions, permissionsGroups, node }, context) {
      const { world, catalogue } = context
      const sets = permissionsGroups.map(({ value }) => world.permissionsGroups.get(value.text)?.permissions)
      if (sets.includes(undefined) || permissionsGroups.length !== countWritten(node, 'permissionsGroups')) return
      const entries = [permissions, ...sets].flatMap((set) => (set ? [...set.allow, ...set.deny] : []))
      if (entries.length === 0 || permissions.allow.length !== countWritten(node, 'permissions', 'allow')) return
      const products = [...new Set(entries.map((entry) => productOf(entry.value, context)))]
      const reached = (resource: (typeof resources)[number]) =>
        typesOfEntry(resource, context).some((type) =>
          products.some((product) => product === undefined || !cannotServe(product, type, catalogue)),
        )
      // Where nothing is reached, the actions are in the wrong policy: another rule says so of each.
      if (!resources.some(reached)) return
      for (const resource of resources) {
        if (reached(resource)) continue
        yield {
          span: resource.span,
          message: `no action of this policy can be about ${quote(resource.value.text)}: they are of ${some(
            products.flatMap((product) => product ?? []),
            3,
          )}`,
          help: 'remove it, or add the action it was listed for',
        }
      }
    },
  },
}
