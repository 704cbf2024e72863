import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf } from '../support/residual.ts'

export const grantsExposure: Rule = {
  code: 'grants-exposure',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant with which a resource can be opened to others or handed to them.',
  why:
    'Firewalls, access lists, shares, name records and contacts decide who reaches a service and to whom it belongs: a change there lets strangers in, or ' +
    'leads names, mail and whole services elsewhere. Counted is what is left after `except`, denies, resources and conditions. Grant such actions by ' +
    'name to those whose work it is.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:changeContact/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-exposure`,
      `
resources: [{ urn: "urn:v1:eu:resource:ip:*" }]
permissions: { allow: [{ action: "ip:apisvc:firewall/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^ grants-exposure`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:ip:*" }]
permissions: { allow: [{ action: "ip:apisvc:firewall/get" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:dnsZone:*" }]
permissions:
  allow: [{ action: "dnsZone:apisvc:record/*" }]
  except: [{ action: "dnsZone:apisvc:record/create" }, { action: "dnsZone:apisvc:record/edit" }]`,
    ],
  },
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['exposure'])
      if (exposure) yield exposureFinding(exposure, 'grant such actions by name to those whose work it is')
    },
  },
}
