import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf, unbounded } from '../support/residual.ts'

export const unboundedDestruction: Rule = {
  code: 'unbounded-destruction',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant to delete or empty every resource of a kind, under no condition.',
  why:
    'What is terminated, deleted or reinstalled is gone with its data, and a slip or a stolen credential then takes all of it at once. Name the resources, ' +
    'bind the grant to a condition, or keep the last step for somebody else with `except`.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:terminate" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^ unbounded-destruction`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions:
  allow: [{ action: "vps:*" }]
#                   ^^^^^^^ unbounded-destruction
  except: [{ action: "*terminate" }]`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:vps-5b1d.example" }]
permissions: { allow: [{ action: "vps:apisvc:terminate" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:reboot" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['destruction'], unbounded)
      if (exposure)
        yield exposureFinding(exposure, 'name the resources, bind the grant to a condition, or take the actions out with `except`')
    },
  },
}
