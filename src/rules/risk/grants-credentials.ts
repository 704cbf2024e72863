import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf } from '../support/residual.ts'

export const grantsCredentials: Rule = {
  code: 'grants-credentials',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant with which somebody obtains or resets credentials of others.',
  why:
    'A token, key, console or reset password lets its holder act as a machine or a person, outside these policies and without a trace in them, and it ' +
    'stays valid when the grant is taken back. Counted is what is left after `except`, denies, resources and conditions. Grant such actions by ' +
    'name, on the resources they are needed for.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:setPassword" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^ grants-credentials`,
      `
resources: [{ urn: "urn:v1:eu:resource:publicCloudProject:*" }]
permissions: { allow: [{ action: "publicCloudProject:apisvc:kube/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-credentials`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:reboot" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:*" }], except: [{ action: "*setPassword" }, { action: "vps:apisvc:openConsoleAccess" }, { action: "vps:apisvc:getConsoleUrl" }, { action: "vps:apisvc:backupftp/*" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['credentials'])
      if (exposure) yield exposureFinding(exposure, 'grant such actions by name, on the resources they are needed for')
    },
  },
}
