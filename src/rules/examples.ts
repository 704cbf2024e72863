// Generated from the files of the rules by `npm run generate`: do not edit.
import type { RuleCode } from '../codes.ts'
import type { RuleExamples } from './rule.ts'

export const examples: Readonly<Record<RuleCode, RuleExamples>> = {
  'access-path-start': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"vps/*\" }\n#                            ^^^^^^^ access-path-start\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"https://api.example/1.0/me\" }\n#                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access-path-start\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"*\" },\n  { \"method\": \"GET\", \"path\": \"/me\" }\n] }"},
    ],
  },
  'account-action': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"account:apisvc:me/bill/get\" }] }\n#                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ account-action"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:publicCloudProject:0123456789abcdef\" }]\npermissions: { allow: [{ action: \"account:apisvc:iam/resource/tag/add\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/bill/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:*\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/bill/get\" }] }"},
    ],
  },
  'account-case': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:user:ab12-svc/bob\", \"urn:v1:eu:identity:user:AB12-svc/eve\"]\n#                                                                                                                     ^^^^^^^^ account-case"},
      {"text":"\npolicies:\n  - name: finance\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:account:Ab12-svc\" }]\n#                                                  ^^^^^^^^ account-case\n    permissions: { allow: [{ action: \"account:apisvc:me/bill/get\" }] }\naccount: ab12-svc"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:user:ab13-svc/ann\"]"},
    ],
  },
  'action-pattern': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps\" }]\n#                    ^^^ action-pattern"},
      {"text":"\npermissions:\n  allow:\n    - action: VPS:apisvc:get\n#             ^ action-pattern\n    - action: vps:apisvc:ips//get\n#                            ^ action-pattern"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:ips/get\" }, { action: \"dnsZone:*\" }, { action: \"*/get\" }]"},
    ],
  },
  'action-without-resource': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]\npermissions:\n  allow: [{ action: \"webHosting:apisvc:get\" }, { action: \"vps:apisvc:reboot\" }]\n#                                                        ^^^^^^^^^^^^^^^^^^^ action-without-resource"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:domain:example.org\" }]\npermissions: { deny: [{ action: \"dnsZone:apisvc:record/delete\" }] }\n#                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ action-without-resource"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }, { urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"webHosting:apisvc:get\" }, { action: \"vps:apisvc:reboot\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resourceGroup:aa0713ab-ed13-4f1a-89a5-32aeb0cb936d\" }]\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:loadbalancer:*\" }]\npermissions: { allow: [{ action: \"ipLoadbalancing:*\" }, { action: \"*/get\" }] }"},
    ],
  },
  'after-is-inclusive': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).WeekDay.AFTER: Friday } }\n#                                                                 ^^^^^^ after-is-inclusive"},
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).Date.AFTER: \"2026-03-01\" } }\n#                                                              ^^^^^^^^^^^^ after-is-inclusive"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).WeekDay.GE: Friday, date(UTC).Date.BEFORE: \"2026-03-01\" } }"},
    ],
  },
  'allow-everything': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"*\" }]\n#                   ^^^ allow-everything"},
      {"text":"\npermissions:\n  allow: [{ action: \"*:apisvc:*\" }]\n#                   ^^^^^^^^^^^^ allow-everything\n  deny: [{ action: \"account:*\" }]"},
    ],
    good: [
      {"text":"\n- name: svc-default\n  readOnly: true\n  identities: [\"urn:v1:eu:identity:account:ab12-svc\"]\n  resources: [{ urn: \"urn:v1:eu:resourceGroup:aa0713ab-ed13-4f1a-89a5-32aeb0cb936d\" }]\n  permissions: { allow: [{ action: \"*\" }] }"},
      {"text":"\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:svc:globalAdmin\n    name: globalAdmin\n    permissions: { allow: [{ action: \"*\" }] }"},
      {"text":"\npermissions:\n  allow: [{ action: \"webHosting:*\" }, { action: \"*/get\" }]"},
      {"text":"\npermissions:\n  deny: [{ action: \"*\" }]"},
    ],
  },
  'allow-meets-deny': {
    bad: [
      {"text":"\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:*\" }] }\n- name: nobody reinstalls\n#       ^^^^^^^^^^^^^^^^^ allow-meets-deny\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }"},
      {"text":"\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:*\" }] }\n- name: frozen servers\n#       ^^^^^^^^^^^^^^ allow-meets-deny\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
    good: [
      {"text":"\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:*\" }], except: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: nobody reinstalls\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
  },
  'allow-never-applies': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\nconditions: { operator: MATCH, values: { resource.Type.IN: \"dnsZone, domain\" } }\n#                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ allow-never-applies"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\nconditions: { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: prod } }\n#                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ allow-never-applies","options":{"untaggable":["vps"]}},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:*\" }]\nconditions: { operator: MATCH, values: { resource.Type.IN: \"vps, vrack\" } }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { resource.Tag(env): prod } }\n    - { operator: MATCH, values: { request.IP: 203.0.113.7 } }","options":{"untaggable":["vps"]}},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resourceGroup:5b0c\" }]\nconditions: { operator: MATCH, values: { resource.Type: vps } }"},
    ],
  },
  'allow-under-deny': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:get\" }, { action: \"vps:apisvc:snapshot/create\" }]\n#                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ allow-under-deny\n  deny: [{ action: \"vps:apisvc:snapshot/*\" }]"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:snapshot/*\" }]"},
    ],
  },
  'any-address': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }\n#                                                             ^^^^^^^^^ any-address"},
    ],
    good: [
      {"text":"\npermissions: { deny: [{ action: \"vps:*\" }] }\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: \"::/0\" } }"},
      {"text":"\nconditions: { operator: NOT, conditions: [{ operator: MATCH, values: { request.IP.IN_RANGE: \"::/0\" } }] }"},
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }"},
    ],
  },
  'blank-around-tag': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Tag(env): \"prod \" } }\n#                                                           ^^^^^^^ blank-around-tag"},
      {"text":"\nconditions: { operator: MATCH, values: { \"resource.Tag( env)\": prod } }\n#                                                      ^^^^ blank-around-tag"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Tag(env): \"in production\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: \"in \" } }"},
    ],
  },
  'clock-change-hour': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { date(Europe/Paris).Hour: \"2\" } }\n#                                                                 ^^^ clock-change-hour"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { date(Europe/Paris).Hour: \"4\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { date(Europe/Paris).Hour.IN: \"1, 2, 3\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).Hour: \"2\" } }"},
    ],
  },
  'condition-bypassed': {
    bad: [
      {"text":"\n- name: restarts from the office\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n  conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }\n#                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ condition-bypassed\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }"},
    ],
    good: [
      {"text":"\n- name: restarts from the office\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n  conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }\n- name: ann looks at servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:get\" }] }"},
      {"text":"\n- name: restarts from the office\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n  conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }\n- name: restarts from one desk\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n  conditions: { operator: MATCH, values: { request.IP: 203.0.113.7 } }"},
    ],
  },
  'condition-key': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values: { \"date.Hour(Europe/Paris)\": \"8\" }\n#            ^^^^^^^^^^^^^^^^^^^^^^^ condition-key"},
      {"text":"\nconditions:\n  operator: NOT\n  conditions:\n    - operator: MATCH\n      values:\n        request.ip: 192.0.2.1\n#       ^^^^^^^^^^ condition-key\n        resource.Tag(env): prod"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour: \"8\"\n    resource.Tag(env): prod"},
    ],
  },
  'condition-operator': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values: { \"resource.Tag(env).IN\": \"prod,staging\" }\n#                              ^^ condition-operator"},
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    request.IP.INRANGE: 192.0.2.0/24\n#              ^^^^^^^ condition-operator"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    resource.Tag(env).STARTS_WITH: prod\n    request.IP.in_range: 192.0.2.0/24"},
    ],
  },
  'condition-shape': {
    bad: [
      {"text":"\nconditions:\n  operator: and\n#           ^^^ condition-shape\n  conditions:\n    - operator: MATCH\n      values: { \"resource.Tag(env)\": prod }"},
      {"text":"\nconditions:\n  operator: MATCH\n  values: { \"resource.Tag(env)\": prod }\n  conditions:\n# ^^^^^^^^^^ condition-shape\n    - operator: MATCH\n      values: { request.IP: 192.0.2.1 }"},
      {"text":"\nconditions:\n  operator: NOT\n  values: { \"resource.Tag(env)\": prod }\n# ^^^^^^ condition-shape"},
      {"text":"\nconditions:\n  operator: AND\n  conditions:\n    - operator: OR\n#               ^^ condition-shape\n      conditions: []\n    - operator: MATCH\n#               ^^^^^ condition-shape"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: AND\n  conditions:\n    - operator: NOT\n      conditions:\n        - operator: MATCH\n          values: { \"resource.Tag(env)\": prod }\n    - operator: MATCH\n      values: { request.IP: 192.0.2.1 }"},
    ],
  },
  'condition-timezone': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values: { \"date(Europe/Pari).Hour.GE\": \"8\" }\n#                 ^^^^^^^^^^^ condition-timezone"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: MATCH\n  values: { \"date(Europe/Paris).Hour.GE\": \"8\", \"date().Hour.LT\": \"18\" }"},
    ],
  },
  'condition-type-without-action': {
    bad: [
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\nconditions: { operator: MATCH, values: { resource.Type.IN: \"vps, dnsZone\" } }\n#                                                                ^^^^^^^ condition-type-without-action"},
      {"text":"\npermissions: { deny: [{ action: \"dnsZone:apisvc:record/delete\" }] }\nconditions: { operator: MATCH, values: { resource.Type: domain } }\n#                                                       ^^^^^^ condition-type-without-action"},
    ],
    good: [
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }, { action: \"dnsZone:*\" }] }\nconditions: { operator: MATCH, values: { resource.Type.IN: \"vps, dnsZone\" } }"},
      {"text":"\npermissions: { allow: [{ action: \"*/get\" }] }\nconditions: { operator: MATCH, values: { resource.Type: dnsZone } }"},
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\nconditions: { operator: NOT, conditions: [{ operator: MATCH, values: { resource.Type: dnsZone } }] }"},
    ],
  },
  'condition-value': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    request.IP: 192.0.2.0/24\n#               ^^^^^^^^^^^^ condition-value\n    date(Europe/Paris).WeekDay.IN: Monday, Tusday, Wednesday\n#                                          ^^^^^^ condition-value"},
      {"text":"\nconditions:\n  operator: MATCH\n  values: { \"date().Hour.LT\": \"24\", \"date().Date.BEFORE\": \"2026-02-30\" }\n#                              ^^ condition-value\n#                                                          ^^^^^^^^^^ condition-value"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    request.IP.IN_RANGE: 192.0.2.0/24\n    date(Europe/Paris).WeekDay.IN: monday, tuesday\n    date().Hour.LT: \"18\"\n    resource.Tag(env): anything at all"},
    ],
  },
  'control-plane-resource': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ control-plane-resource\npermissions: { allow: [{ action: \"account:apisvc:iam/*\" }] }"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/bill/*\" }, { action: \"account:apisvc:iam/policy/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { deny: [{ action: \"account:apisvc:iam/*\" }] }"},
    ],
  },
  'dead-policy': {
    bad: [
      {"text":"\npolicies:\n  - name: group readers\n#         ^^^^^^^^^^^^^ dead-policy\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:nothing\" }]\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:nothing\n    permissions: { allow: [{ action: \"vps:apisvc:get\" }], except: [{ action: \"vps:*\" }] }"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\nconditions: { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resourceGroup:5b0c\" }]"},
    ],
  },
  'default-group-writes': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/DEFAULT\"]\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ default-group-writes\npermissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"vps:apisvc:reboot\" }] }","options":{"groups":["DEFAULT"]}},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/DEFAULT\"]\npermissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"vps:*\" }] }","options":{"groups":["DEFAULT"]}},
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/DEFAULT\", \"urn:v1:eu:identity:group:ab12-svc/ops\"]\npermissions: { allow: [{ action: \"vps:apisvc:ips/get\" }] }","options":{"groups":["DEFAULT"]}},
    ],
  },
  'default-resource-group': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ default-resource-group","options":{"groups":["4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11"]}},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resourceGroup:aa0713ab-ed13-4f1a-89a5-32aeb0cb936d\" }]","options":{"groups":["4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11"]}},
    ],
  },
  'deny-expires': {
    bad: [
      {"text":"\n- name: no reinstalls\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n  expiredAt: \"2027-01-31T23:59:59Z\"\n#            ^^^^^^^^^^^^^^^^^^^^^^ deny-expires\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }"},
    ],
    good: [
      {"text":"\n- name: no reinstalls\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n  expiredAt: \"2027-01-31T23:59:59Z\"\n- name: ann restarts servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
      {"text":"\n- name: no reinstalls\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n  expiredAt: \"2027-01-31T23:59:59Z\"\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }\n  expiredAt: \"2026-12-31T23:59:59Z\""},
    ],
  },
  'deny-fails-open': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\nconditions: { operator: MATCH, values: { resource.Type: dnsZone } }\n#                                        ^^^^^^^^^^^^^^^^^^^^^^ deny-fails-open"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:domain:*\" }]\npermissions: { deny: [{ action: \"domain:*\" }] }\nconditions:\n  operator: AND\n  conditions:\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }\n    - { operator: MATCH, values: { resource.Tag(env): prod } }\n#                                  ^^^^^^^^^^^^^^^^^^^^^^^ deny-fails-open","options":{"untaggable":["domain"]}},
      {"text":"\npolicies:\n  - name: keep production\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:vps-1\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n    conditions: { operator: MATCH, values: { \"resource.Tag(env)\": prod } }\n#                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ deny-fails-open\nresources:\n  - { urn: \"urn:v1:eu:resource:vps:vps-1\", tags: { team: web } }\n  - { urn: \"urn:v1:eu:resource:vps:vps-2\", tags: { env: prod } }"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\nconditions: { operator: MATCH, values: { resource.Tag(env): prod } }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:domain:*\" }]\npermissions: { deny: [{ action: \"domain:*\" }] }\nconditions: { operator: NOT, conditions: [{ operator: MATCH, values: { resource.Tag(env): test } }] }","options":{"untaggable":["domain"]}},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:dom*:*\" }]\npermissions: { deny: [{ action: \"domain:*\" }] }\nconditions: { operator: MATCH, values: { resource.Tag(env): prod } }","options":{"untaggable":["domain"]}},
    ],
  },
  'deny-for-account': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:account:ab12-svc\"]\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deny-for-account\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { deny: [{ action: \"account:apisvc:iam/policy/delete\" }] }"},
      {"text":"\naccount: ab12-svc\npolicies:\n  - name: keep servers\n    identities: [\"urn:v1:eu:identity:account:ab12-svc\"]\n#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deny-for-account\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
    good: [
      {"text":"\naccount: ab12-svc\npolicies:\n  - name: keep servers\n    identities: [\"urn:v1:eu:identity:account:ab12-svc\", \"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
      {"text":"\naccount: ab12-svc\npolicies:\n  - name: not the partner\n    identities: [\"urn:v1:eu:identity:account:cd34-svc\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
      {"text":"\naccount: ab12-svc\npolicies:\n  - name: leave the partner's servers alone\n    identities: [\"urn:v1:eu:identity:account:ab12-svc\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }\nresources:\n  - { urn: \"urn:v1:eu:resource:vps:vps-3\", owner: cd34-svc }"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:account:cd34-svc\"]\npermissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
  },
  'deny-misses-identity': {
    bad: [
      {"text":"\nidentities: [{ urn: \"urn:v1:eu:identity:user:ab12-svc/ann\", groups: [\"urn:v1:eu:identity:group:ab12-svc/operators\"] }]\npolicies:\n  - name: no terminate\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/operator\"]\n#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deny-misses-identity\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
    good: [
      {"text":"\nidentities: [{ urn: \"urn:v1:eu:identity:user:ab12-svc/ann\", groups: [\"urn:v1:eu:identity:group:ab12-svc/operators\"] }]\npolicies:\n  - name: no terminate\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/contractors\", \"urn:v1:eu:identity:group:ab12-svc/operators\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
      {"text":"\nidentities: [{ urn: \"urn:v1:eu:identity:user:ab12-svc/ann\", groups: [\"urn:v1:eu:identity:group:ab12-svc/operators\"] }]\npolicies:\n  - name: no terminate\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/operator\", \"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }\n  - name: reboot\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/operator\", \"urn:v1:eu:identity:group:ab12-svc/operators\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
  },
  'deny-misses-nested': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"*\" }]\n  deny: [{ action: \"*:terminate\" }]\n#                  ^^^^^^^^^^^^^ deny-misses-nested"},
      {"text":"\npolicies:\n  - name: operations end nothing\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n    permissions: { deny: [{ action: \"*:terminate\" }] }\n#                                   ^^^^^^^^^^^^^ deny-misses-nested\n  - name: nobody else does\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/dev\"]\n    resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n    permissions: { deny: [{ action: \"*/terminate\" }] }"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: operations end nothing\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n    permissions: { deny: [{ action: \"*:terminate\" }] }\n  - name: nobody ends a part\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/*\"]\n    resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n    permissions: { deny: [{ action: \"*/terminate\" }] }"},
      {"text":"\npermissions:\n  allow: [{ action: \"*\" }]\n  deny: [{ action: \"*:terminate\" }, { action: \"*/terminate\" }]"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:terminate\" }]"},
    ],
  },
  'deprecated-action': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:rescue/start\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-action","catalogue":[{"name":"vps:apisvc:rescue/start","deprecated":{"from":"2025-06-30","until":"2026-06-30","replacedBy":["vps:apisvc:reboot"]}}]},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:rescue/*\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^ deprecated-action","catalogue":[{"name":"vps:apisvc:rescue/start","deprecated":{"from":"2025-06-30","until":"2026-06-30","replacedBy":["vps:apisvc:reboot"]}}]},
    ],
    good: [
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }","catalogue":[{"name":"vps:apisvc:rescue/start","deprecated":{"from":"2025-06-30","until":"2026-06-30","replacedBy":["vps:apisvc:reboot"]}}]},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:rescue/start\" }, { action: \"vps:apisvc:reboot\" }]","catalogue":[{"name":"vps:apisvc:rescue/start","deprecated":{"from":"2025-06-30","until":"2026-06-30","replacedBy":["vps:apisvc:reboot"]}}]},
    ],
  },
  'duplicate-definition': {
    bad: [
      {"text":"\npolicies: []\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators\n    permissions: { allow: [{ action: \"vps:*\" }], deny: [{ action: \"vps:apisvc:terminate\" }] }\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators\n#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ duplicate-definition\n    permissions: { allow: [{ action: \"vps:*\" }] }"},
      {"text":"\npolicies: []\nidentities:\n  - { urn: urn:v1:eu:identity:user:ab12-svc/bob, groups: [urn:v1:eu:identity:group:ab12-svc/ops] }\n  - { urn: urn:v1:eu:identity:user:ab12-svc/bob, groups: [urn:v1:eu:identity:group:ab12-svc/audit] }\n#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ duplicate-definition"},
    ],
    good: [
      {"text":"\npolicies: []\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators\n    permissions: { allow: [{ action: \"vps:*\" }], deny: [{ action: \"vps:apisvc:terminate\" }] }\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }], allow: [{ action: \"vps:*\" }] }"},
      {"text":"\npolicies: []\nidentities:\n  - { urn: urn:v1:eu:identity:user:ab12-svc/bob, groups: [urn:v1:eu:identity:group:ab12-svc/ops, urn:v1:eu:identity:group:ab12-svc/dev] }\n  - { urn: urn:v1:eu:identity:user:ab12-svc/bob, groups: [urn:v1:eu:identity:group:ab12-svc/dev, urn:v1:eu:identity:group:ab12-svc/ops] }\n  - { urn: urn:v1:eu:identity:user:ab12-svc/bob }"},
    ],
  },
  'duplicate-name': {
    bad: [
      {"text":"\n- name: web readers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n- name: web readers\n#       ^^^^^^^^^^^ duplicate-name\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
    ],
    good: [
      {"text":"\n- name: web readers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n- name: Web readers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
    ],
  },
  'effectively-everything': {
    bad: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources:\n      - urn: urn:v1:eu:resource:webHosting:example*\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ effectively-everything\n      - urn: urn:v1:eu:resource:webHosting:staging*\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org\n  - urn: urn:v1:eu:resource:webHosting:example.com\n  - urn: urn:v1:eu:resource:webHosting:staging.example.org"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources:\n      - urn: urn:v1:eu:resource:webHosting:example*\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org\n  - urn: urn:v1:eu:resource:webHosting:example.com\n  - urn: urn:v1:eu:resource:webHosting:staging.example.org"},
    ],
  },
  'empty-list': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:get\" }]\n  deny: []\n#       ^^ empty-list"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:get\" }]\n  except: null"},
    ],
  },
  'empty-resource-group': {
    bad: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\" }]\n#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ empty-resource-group\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresourceGroups:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n    resources: []"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resourceGroup:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresourceGroups:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n    resources: []"},
    ],
  },
  'equivalent-policies': {
    bad: [
      {"text":"\n- name: zone editors\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/dns\"]\n  resources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }]\n  permissions: { allow: [{ action: \"dnsZone:apisvc:record/*\" }] }\n- name: dns people\n#       ^^^^^^^^^^ equivalent-policies\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/dns\"]\n  resources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }, { urn: \"urn:v1:eu:resource:dnsZone:example.net\" }]\n  permissions: { allow: [{ action: \"dnsZone:apisvc:record/create\" }, { action: \"dnsZone:apisvc:record/*\" }] }"},
    ],
    good: [
      {"text":"\n- name: zone editors\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/dns\"]\n  resources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }]\n  permissions: { allow: [{ action: \"dnsZone:apisvc:record/*\" }] }\n- name: zone editors for now\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/dns\"]\n  resources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }]\n  permissions: { allow: [{ action: \"dnsZone:apisvc:record/*\" }] }\n  expiredAt: \"2027-01-31T23:59:59Z\""},
    ],
  },
  'escalates-through-resource': {
    bad: [
      {"text":"\npolicies:\n  - name: deployment\n    identities: [\"urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy\"]\n    resources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }]\n    permissions: { allow: [{ action: \"dnsZone:apisvc:record/*\" }] }\n  - name: server care\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"vps:apisvc:reinstall\" }] }\n#                                                                  ^^^^^^^^^^^^^^^^^^^^^^ escalates-through-resource","options":{"runsAs":[{"resource":"urn:v1:eu:resource:vps:ci-*","identity":"urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy"}]}},
    ],
    good: [
      {"text":"\npolicies:\n  - name: deployment\n    identities: [\"urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n  - name: server care\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:*\" }] }","options":{"runsAs":[{"resource":"urn:v1:eu:resource:vps:ci-*","identity":"urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy"}]}},
      {"text":"\npolicies:\n  - name: deployment\n    identities: [\"urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy\"]\n    resources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }]\n    permissions: { allow: [{ action: \"dnsZone:apisvc:record/*\" }] }\n  - name: server care\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }\n  - name: not the runners\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:ci-*\" }]\n    permissions: { deny: [{ action: \"vps:*\" }] }","options":{"runsAs":[{"resource":"urn:v1:eu:resource:vps:ci-*","identity":"urn:v1:eu:identity:credential:ab12-svc/oauth2-deploy"}]}},
    ],
  },
  'except-is-not-deny': {
    bad: [
      {"text":"\n- name: servers without reinstall\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\n  permissions:\n    allow: [{ action: \"vps:*\" }]\n    except: [{ action: \"vps:apisvc:reinstall\" }]\n#                      ^^^^^^^^^^^^^^^^^^^^^^ except-is-not-deny\n- name: server repair\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:re*\" }] }"},
      {"text":"\npolicies:\n  - name: servers\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions:\n      allow: [{ action: \"vps:*\" }]\n      except: [{ action: \"vps:apisvc:reinstall\" }]\n#                        ^^^^^^^^^^^^^^^^^^^^^^ except-is-not-deny\n    permissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:repair\" }]\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:repair\n    permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
    good: [
      {"text":"\n- name: servers without reinstall\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions:\n    allow: [{ action: \"vps:*\" }]\n    except: [{ action: \"vps:apisvc:reinstall\" }]\n- name: test servers with it\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:test-*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: leads with it\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/leads\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }"},
      {"text":"\n- name: servers without reinstall\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: server repair\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: nobody reinstalls\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
  },
  'except-swallows-allow': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:reinstall\" }, { action: \"vps:apisvc:reboot\" }]\n  except:\n    - action: vps:*\n#             ^^^^^ except-swallows-allow"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  except: [{ action: \"vps:apisvc:reinstall\" }]"},
    ],
  },
  'except-without-deny': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  except: [{ action: \"vps:apisvc:setPassword\" }]\n#                    ^^^^^^^^^^^^^^^^^^^^^^^^ except-without-deny"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  except: [{ action: \"vps:apisvc:setPassword\" }]\n  deny: [{ action: \"vps:apisvc:setPassword\" }]"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  except: [{ action: \"vps:apisvc:ips/edit\" }]"},
    ],
  },
  'expired': {
    bad: [
      {"text":"\nexpiredAt: \"2024-12-31T23:59:59Z\"\n#          ^^^^^^^^^^^^^^^^^^^^^^ expired"},
    ],
    good: [
      {"text":"\nexpiredAt: \"2096-12-31T23:59:59+01:00\""},
      {"text":"\nexpiredAt: null"},
    ],
  },
  'expired-ignore': {
    bad: [
      {"text":"\nignores:\n  - files: policy.yaml\n    codes: unknown-action\n    reason: the new action is announced for January\n    until: \"2026-01-14\"\n#          ^^^^^^^^^^^^ expired-ignore","path":".grantwise.yaml"},
    ],
    good: [
      {"text":"\nignores:\n  - files: policy.yaml\n    codes: unknown-action\n    reason: the new action is announced for January\n    until: \"2026-01-15\"","path":".grantwise.yaml"},
    ],
  },
  'expires-before-window': {
    bad: [
      {"text":"\nexpiredAt: \"2026-06-30T23:59:59+02:00\"\n#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ expires-before-window\nconditions: { operator: MATCH, values: { date(Europe/Paris).Date.AFTER: \"2026-07-01\" } }"},
    ],
    good: [
      {"text":"\nexpiredAt: \"2026-06-30T23:59:59Z\"\nconditions: { operator: MATCH, values: { date(Europe/Paris).Date.AFTER: \"2026-06-01\" } }"},
      {"text":"\nexpiredAt: \"2026-06-30T23:59:59Z\"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { date(UTC).Date.AFTER: \"2026-07-01\" } }\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }"},
    ],
  },
  'expires-soon': {
    bad: [
      {"text":"\nexpiredAt: \"2026-02-01T00:00:00Z\"\n#          ^^^^^^^^^^^^^^^^^^^^^^ expires-soon","options":{"days":30}},
    ],
    good: [
      {"text":"\nexpiredAt: \"2026-02-01T00:00:00Z\"","options":{"days":10}},
    ],
  },
  'expires-too-late': {
    bad: [
      {"text":"\nexpiredAt: \"2035-01-01T00:00:00Z\"\n#          ^^^^^^^^^^^^^^^^^^^^^^ expires-too-late","options":{"days":365}},
      {"text":"\nname: web readers\n#     ^^^^^^^^^^^ expires-too-late","options":{"days":365,"always":true}},
    ],
    good: [
      {"text":"\nexpiredAt: \"2026-10-01T00:00:00Z\"","options":{"days":365}},
      {"text":"\nexpiredAt: null","options":{"days":365}},
    ],
  },
  'expiry-date': {
    bad: [
      {"text":"\nexpiredAt: \"2027-02-30T23:59:59Z\"\n#          ^^^^^^^^^^^^^^^^^^^^^^ expiry-date"},
      {"text":"\nexpiredAt: 2027-01-31\n#          ^^^^^^^^^^ expiry-date"},
    ],
    good: [
      {"text":"\nexpiredAt: \"2027-01-31T23:59:59+01:00\""},
    ],
  },
  'file-name': {
    bad: [
      {"text":"\nname: Web developers\n#     ^^^^^^^^^^^^^^ file-name","options":{"style":"kebab-case"},"path":"policies/developers.yaml"},
    ],
    good: [
      {"text":"\nname: Web developers","options":{"style":"kebab-case"},"path":"policies/web-developers.yaml"},
      {"text":"\nname: web readers","options":{"style":"same"},"path":"web readers.yaml"},
    ],
  },
  'foreign-account': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:user:cd34-svc/bob\"]\n#                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ foreign-account","options":{"trusted":["ab12-svc"]}},
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:user:cd34-svc/bob\"]\n#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ foreign-account\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\naccount: ab12-svc"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:cd34-svc/bob\"]","options":{"trusted":["ab12-svc","cd34-svc"]}},
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:cd34-svc/bob\"]"},
      {"text":"\npolicies:\n  - name: no web editors\n    identities: [\"urn:v1:eu:identity:user:cd34-svc/bob\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { deny: [{ action: \"webHosting:apisvc:edit\" }] }\naccount: ab12-svc"},
    ],
  },
  'foreign-resource': {
    bad: [
      {"text":"\npolicies:\n  - name: operators\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:vps-9.example.com\" }]\n#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ foreign-resource\n    permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\nresources:\n  - urn: urn:v1:eu:resource:vps:vps-9.example.com\n    owner: cd34-svc\naccount: ab12-svc"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: operators\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:vps-1.example.com\" }, { urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:reboot\" }, { action: \"account:apisvc:me/get\" }] }\nresources:\n  - urn: urn:v1:eu:resource:vps:vps-1.example.com\naccount: ab12-svc"},
    ],
  },
  'grants-audit-changes': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/accessRestriction/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-audit-changes"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/logs/audit/get\" }] }"},
    ],
  },
  'grants-credentials': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:setPassword\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^ grants-credentials"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:publicCloudProject:*\" }]\npermissions: { allow: [{ action: \"publicCloudProject:apisvc:kube/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-credentials"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"*setPassword\" }, { action: \"vps:apisvc:openConsoleAccess\" }, { action: \"vps:apisvc:getConsoleUrl\" }, { action: \"vps:apisvc:backupftp/*\" }] }"},
    ],
  },
  'grants-escalation': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:iam/policy/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-escalation"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions:\n  allow: [{ action: \"account:*\" }]\n#                   ^^^^^^^^^^^ grants-escalation\n  except: [{ action: \"account:apisvc:iam/*\" }]"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:iam/policy/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"account:*\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions:\n  allow: [{ action: \"account:apisvc:iam/*\" }]\n  deny: [{ action: \"account:apisvc:iam/*/create\" }, { action: \"account:apisvc:iam/*/edit\" }, { action: \"account:apisvc:iam/*/delete\" }, { action: \"account:apisvc:iam/*\" }]"},
    ],
  },
  'grants-exposure': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:changeContact/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-exposure"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:ip:*\" }]\npermissions: { allow: [{ action: \"ip:apisvc:firewall/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^ grants-exposure"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:ip:*\" }]\npermissions: { allow: [{ action: \"ip:apisvc:firewall/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:dnsZone:*\" }]\npermissions:\n  allow: [{ action: \"dnsZone:apisvc:record/*\" }]\n  except: [{ action: \"dnsZone:apisvc:record/create\" }, { action: \"dnsZone:apisvc:record/edit\" }]"},
    ],
  },
  'grants-product-escalation': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:publicCloudProject:p1\" }]\npermissions: { allow: [{ action: \"publicCloudProject:apisvc:user/role/edit\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-product-escalation"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:publicCloudProject:p1\" }]\npermissions: { allow: [{ action: \"publicCloudProject:apisvc:user/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:iam/policy/*\" }] }"},
    ],
  },
  'grants-spending': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/order/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-spending"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"order:*\" }] }\n#                                ^^^^^^^^^ grants-spending"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\npermissions: { allow: [{ action: \"account:apisvc:me/order/get\" }] }"},
    ],
  },
  'grants-tagging': {
    bad: [
      {"text":"\n- name: taggers\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\n  permissions: { allow: [{ action: \"account:apisvc:iam/resource/tag/*\" }] }\n#                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-tagging\n- name: test servers\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/students\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n  conditions: { operator: MATCH, values: { resource.Tag(env): test } }"},
    ],
    good: [
      {"text":"\n- name: taggers\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\n  permissions: { allow: [{ action: \"account:apisvc:iam/resource/tag/*\" }] }\n- name: test servers\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/students\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:test-1.example\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
  },
  'identity-mix': {
    bad: [
      {"text":"\nidentities:\n  - urn:v1:eu:identity:group:ab12-svc/web\n  - urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ identity-mix","options":{"separate":true}},
      {"text":"\nidentities:\n  - urn:v1:eu:identity:group:ab12-svc/web\n  - urn:v1:eu:identity:group:ab12-svc/ops\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ identity-mix","options":{"most":1}},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/web\", \"urn:v1:eu:identity:user:ab12-svc/ann\"]","options":{"most":2,"separate":true}},
    ],
  },
  'identity-urn': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:usr:ab12-svc/ann\"]\n#                                ^^^ identity-urn"},
      {"text":"\nidentities:\n  - urn:v1:eu:resource:vps:vps-1.example.net\n#             ^^^^^^^^ identity-urn\n  - ab12-svc/ann\n#   ^^^^^^^^^^^^ identity-urn"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:account:ab12-svc/ann\"]\n#                                                ^^^^ identity-urn"},
    ],
    good: [
      {"text":"\nidentities:\n  - urn:v1:eu:identity:account:ab12-svc\n  - urn:v1:eu:identity:user:ab12-svc/ann\n  - urn:v1:eu:identity:group:ab12-svc/read only\n  - urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef"},
    ],
  },
  'idle-deny': {
    bad: [
      {"text":"\n- name: nobody reinstalls\n#       ^^^^^^^^^^^^^^^^^ idle-deny\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: ann restarts servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
    good: [
      {"text":"\n- name: nobody reinstalls\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:*\" }] }"},
    ],
  },
  'idle-except': {
    bad: [
      {"text":"\npermissions:\n  allow:  [{ action: \"vps:apisvc:ips/get\" }]\n  except: [{ action: \"dnsZone:apisvc:record/delete\" }]\n#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ idle-except"},
      {"text":"\npermissions:\n  except: [{ action: \"vps:apisvc:reinstall\" }]\n#                    ^^^^^^^^^^^^^^^^^^^^^^ idle-except\n  deny:   [{ action: \"vps:apisvc:terminate\" }]"},
    ],
    good: [
      {"text":"\npermissions:\n  allow:  [{ action: \"vps:apisvc:*\" }]\n  except: [{ action: \"vps:apisvc:reinstall\" }]"},
    ],
  },
  'ignore-unknown-code': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:rebooot # grantwise-ignore unknown-acton: announced for next month\n#                                                   ^^^^^^^^^^^^^ ignore-unknown-code"},
      {"text":"\n# grantwise-ignore unused-ignore: comments come and go\n#                  ^^^^^^^^^^^^^ ignore-unknown-code\ndescription: a team of its own"},
    ],
    good: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action: announced for next month"},
    ],
  },
  'ignore-without-reason': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ignore-without-reason"},
    ],
    good: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action: announced for next month"},
      {"text":"\npermissions:\n  allow:\n    # grantwise-ignore unknown-action: announced for next month\n    - action: vps:apisvc:rebooot"},
      {"text":"\ndescription: \"text, not a comment: # grantwise-ignore unknown-action\""},
    ],
  },
  'impossible-condition': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).WeekDay.IN: \"Monday, Tuesday\", date(UTC).WeekDay: Friday } }\n#                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^ impossible-condition"},
      {"text":"\nconditions:\n  operator: AND\n  conditions:\n    - { operator: MATCH, values: { resource.Tag(env): prod } }\n    - { operator: MATCH, values: { resource.Tag(env): test } }\n#                                  ^^^^^^^^^^^^^^^^^^^^^^^ impossible-condition"},
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 10.0.0.0/8, request.IP.IN: \"192.0.2.1, 192.0.2.2\" } }\n#                                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ impossible-condition"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { date(Europe/Paris).Hour.GE: \"18\" } }\n    - { operator: MATCH, values: { date(Europe/Paris).Hour.LT: \"8\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: prod, resource.Tag(env).ENDS_WITH: od-2 } }"},
    ],
  },
  'individual-user': {
    bad: [
      {"text":"\nidentities:\n  - urn:v1:eu:identity:user:ab12-svc/ann\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ individual-user\n  - urn:v1:eu:identity:group:ab12-svc/web"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/web\", \"urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef\"]"},
    ],
  },
  'inner-wildcard': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:*/get\" }]\n#                               ^ inner-wildcard"},
      {"text":"\npermissions:\n  deny: [{ action: \"vps:*:reinstall\" }]\n#                       ^ inner-wildcard"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:*\" }, { action: \"*/get\" }]"},
    ],
  },
  'list-in-tag': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Tag(env): \"prod,dev\" } }\n#                                                           ^^^^^^^^^^ list-in-tag"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { resource.Tag(env): prod } }\n    - { operator: MATCH, values: { resource.Tag(env): dev } }"},
    ],
  },
  'list-under-equality': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Name: \"web-1, web-2\" } }\n#                                                       ^^^^^^^^^^^^^^ list-under-equality"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type: \"vps,domain\" } }\n#                                                       ^^^^^^^^^^^^ list-under-equality"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Name.IN: \"web-1, web-2\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type: vps } }"},
    ],
  },
  'literal-pattern-character': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:shop-?.example\" }]\n#                                                      ^ literal-pattern-character"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:vps-[0-9]*\" }]\n#                                              ^^^^^ literal-pattern-character"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:{shop,blog}.example\" }]\n#                                                 ^^^^^^^^^^^ literal-pattern-character"},
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:get?${serviceName}\" }] }\n#                                                ^^^^^^^^^^^^^^ literal-pattern-character"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:shop-*\" }]\npermissions: { allow: [{ action: \"webHosting:apisvc:get?anything\" }] }"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/operators of {eu\"]"},
    ],
  },
  'local-user': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ local-user","options":{"federated":["ab12-svc"]}},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/sso/ann@example.org\", \"urn:v1:eu:identity:user:cd34-svc/bob\"]","options":{"federated":["ab12-svc"]}},
    ],
  },
  'member-beside-group': {
    bad: [
      {"text":"\npolicies:\n  - name: web readers\n    identities:\n      - urn:v1:eu:identity:user:ab12-svc/ann\n#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ member-beside-group\n      - urn:v1:eu:identity:group:ab12-svc/web\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nidentities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/ann\n    groups: [urn:v1:eu:identity:group:ab12-svc/web]"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\", \"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nidentities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/ann\n    groups: [urn:v1:eu:identity:group:ab12-svc/web]\n  - urn: urn:v1:eu:identity:user:ab12-svc/bob"},
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/trainees\", \"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nidentities:\n  - urn: urn:v1:eu:identity:group:ab12-svc/trainees\n    groups: [urn:v1:eu:identity:group:ab12-svc/web]"},
    ],
  },
  'member-beside-resource-group': {
    bad: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources:\n      - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n      - urn: urn:v1:eu:resource:webHosting:example.org\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ member-beside-resource-group\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresourceGroups:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources:\n      - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n      - urn: urn:v1:eu:resource:webHosting:example.com\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresourceGroups:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]"},
    ],
  },
  'mergeable-policies': {
    bad: [
      {"text":"\n- name: ann restarts servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }, { action: \"vps:apisvc:start\" }] }\n- name: bob restarts servers\n#       ^^^^^^^^^^^^^^^^^^^^ mergeable-policies\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:start\" }, { action: \"vps:apisvc:reboot\" }] }"},
    ],
    good: [
      {"text":"\n- name: ann restarts servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n- name: bob restarts servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
  },
  'missing-description': {
    bad: [
      {"text":"\nname: web readers\n#     ^^^^^^^^^^^ missing-description"},
      {"text":"\nname: web readers\ndescription: tbd\n#            ^^^ missing-description"},
      {"text":"\nname: web readers\ndescription: Web-Readers\n#            ^^^^^^^^^^^ missing-description"},
    ],
    good: [
      {"text":"\nname: web readers\ndescription: The support desk looks up the state of customer websites"},
    ],
  },
  'missing-list-call': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/*\" }\n#                            ^^^^^^^^ missing-list-call\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps\" },\n  { \"method\": \"GET\", \"path\": \"/vps/*\" }\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"POST\", \"path\": \"/vps/*\" }\n] }"},
    ],
  },
  'mixed-regions': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\nresources:\n  - urn: urn:v1:eu:resource:webHosting:*\n  - urn: urn:v1:ca:resource:webHosting:*\n#               ^^ mixed-regions"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:ca:identity:user:ab12-svc/ann\"]\n#                    ^^ mixed-regions\nresources: [{ urn: \"urn:v1:ca:resource:webHosting:*\" }]"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:ca:identity:user:ab12-svc/ann\"]\nresources: [{ urn: \"urn:v1:ca:resource:webHosting:*\" }]"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:ca:identity:user:cd34-svc/ann\"]\nresources:\n  - urn: urn:v1:eu:resource:webHosting:*\n  - urn: urn:v1:ca:resource:webHosting:*"},
    ],
  },
  'mixed-time-zones': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.GE: \"8\"\n    date().Hour.LT: \"18\"\n#   ^^^^^^^^^^^^^^ mixed-time-zones"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.GE: \"8\"\n    date(Europe/Paris).Hour.LT: \"18\""},
    ],
  },
  'naming-convention': {
    bad: [
      {"text":"\nname: Web Readers\n#     ^^^^^^^^^^^ naming-convention","options":{"style":"kebab-case"}},
      {"text":"\nname: readers of the web\n#     ^^^^^^^^^^^^^^^^^^ naming-convention","options":{"patterns":["web-*","dns-*"]}},
    ],
    good: [
      {"text":"\nname: web-readers","options":{"style":"kebab-case","patterns":["web-*"]}},
      {"text":"\nname: Anything at all"},
    ],
  },
  'needless-nesting': {
    bad: [
      {"text":"\nconditions:\n  operator: AND\n#           ^^^ needless-nesting\n  conditions:\n    - { operator: MATCH, values: { request.IP: 203.0.113.7 } }"},
      {"text":"\nconditions:\n  operator: NOT\n#           ^^^ needless-nesting\n  conditions:\n    - operator: NOT\n      conditions: [{ operator: MATCH, values: { request.IP: 203.0.113.7 } }]"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: NOT\n  conditions:\n    - { operator: MATCH, values: { request.IP: 203.0.113.7 } }"},
    ],
  },
  'never-equal': {
    bad: [
      {"text":"\nvariable \"extra\" {\n  type    = list(string)\n  default = []\n}\nresource \"svc_iam_policy\" \"guard\" {\n  count      = var.extra == [] ? 0 : 1\n#              ^^^^^^^^^^^^^^^ never-equal\n  name       = \"guard\"\n  identities = [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources  = [\"urn:v1:eu:resource:vps:*\"]\n  deny       = [\"vps:apisvc:terminate\"]\n}","path":"main.tf"},
      {"text":"\nvariable \"tags\" {\n  type = map(string)\n}\nresource \"svc_iam_policy\" \"guard\" {\n  count      = {} != var.tags ? 1 : 0\n#              ^^^^^^^^^^^^^^ never-equal\n  name       = \"guard\"\n  identities = [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources  = [\"urn:v1:eu:resource:vps:*\"]\n  deny       = [\"vps:apisvc:terminate\"]\n}","path":"main.tf"},
      {"text":"\nlocals {\n  names = toset([\"ann\"])\n  users = local.names == [\"ann\"] ? [\"ann\"] : [\"bob\"]\n#         ^^^^^^^^^^^^^^^^^^^^^^ never-equal\n}\nresource \"svc_iam_policy\" \"reboot\" {\n  name       = \"reboot\"\n  identities = [for name in local.users : \"urn:v1:eu:identity:user:ab12-svc/${name}\"]\n  resources  = [\"urn:v1:eu:resource:vps:*\"]\n  allow      = [\"vps:apisvc:reboot\"]\n}","path":"main.tf"},
    ],
    good: [
      {"text":"\nvariable \"extra\" {\n  type    = list(string)\n  default = []\n}\nresource \"svc_iam_policy\" \"guard\" {\n  count      = length(var.extra) == 0 || var.extra == tolist([\"none\"]) ? 0 : 1\n  name       = \"guard\"\n  identities = [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources  = [\"urn:v1:eu:resource:vps:*\"]\n  deny       = [\"vps:apisvc:terminate\"]\n}","path":"main.tf"},
      {"text":"\nvariable \"extra\" {\n  default = []\n}\nresource \"svc_iam_policy\" \"guard\" {\n  count      = var.extra == [] ? 0 : 1\n  name       = \"guard\"\n  identities = [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources  = [\"urn:v1:eu:resource:vps:*\"]\n  deny       = [\"vps:apisvc:terminate\"]\n}","path":"main.tf"},
    ],
  },
  'no-identities': {
    bad: [
      {"text":"\nidentities: []\n#           ^^ no-identities"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]"},
    ],
  },
  'no-known-request': {
    bad: [
      {"text":"\npolicies:\n  - name: ops reinstall projects\n#         ^^^^^^^^^^^^^^^^^^^^^^ no-known-request\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:publicCloudProject:0123456789abcdef\" }]\n    permissions: { allow: [{ action: \"*:apisvc:reinstall\" }] }"},
      {"text":"\npermissionsGroups:\n  - urn: \"urn:v1:eu:permissionsGroup:ab12-svc:servers\"\n    name: servers\n    permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\npolicies:\n  - name: ops restart websites\n#         ^^^^^^^^^^^^^^^^^^^^ no-known-request\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]\n    permissions: {}\n    permissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:servers\" }]"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: ops restart\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:web-1\" }]\n    permissions: { allow: [{ action: \"*:apisvc:reinstall\" }] }"},
      {"text":"\npolicies:\n  - name: ops read\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]\n    permissions: { allow: [{ action: \"*:apisvc:get\" }] }"},
    ],
  },
  'no-permissions': {
    bad: [
      {"text":"\nname: web readers\npermissions: {}\n#^^^^^^^^^^ no-permissions"},
      {"text":"\nname: no reinstall\npermissions:\n#^^^^^^^^^^ no-permissions\n  except: [{ action: \"vps:apisvc:reinstall\" }]"},
    ],
    good: [
      {"text":"\npermissions:\n  deny: [{ action: \"vps:apisvc:reinstall\" }]"},
      {"text":"\npermissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:svc:globalReadAccess\" }]"},
    ],
  },
  'no-resources': {
    bad: [
      {"text":"\nresources: []\n#          ^^ no-resources"},
    ],
    good: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:vps:*"},
    ],
  },
  'old-catalogue': {
    bad: [
      {"text":"\nname: web readers\n#     ^^^^^^^^^^^ old-catalogue","options":{"days":30}},
    ],
    good: [
      {"text":"\nname: web readers"},
    ],
  },
  'only-private-addresses': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 10.20.0.0/16 } }\n#                                                             ^^^^^^^^^^^^ only-private-addresses"},
      {"text":"\npermissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\nconditions:\n  operator: NOT\n  conditions: [{ operator: MATCH, values: { request.IP.IN: \"192.168.1.10, 172.16.0.1\" } }]\n#                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^ only-private-addresses"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN: \"203.0.113.8, 192.168.1.11\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 198.51.100.0/24 } }"},
    ],
  },
  'overridden-action': {
    bad: [
      {"text":"\n- name: nobody reinstalls\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }, { action: \"vps:apisvc:reinstall\" }] }\n#                                                                   ^^^^^^^^^^^^^^^^^^^^^^ overridden-action"},
    ],
    good: [
      {"text":"\n- name: nobody reinstalls the first server\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }, { action: \"vps:apisvc:reinstall\" }] }"},
    ],
  },
  'overridden-policy': {
    bad: [
      {"text":"\n- name: nobody reinstalls\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:re*\" }] }\n- name: ann reinstalls\n#       ^^^^^^^^^^^^^^ overridden-policy\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
    good: [
      {"text":"\n- name: nobody reinstalls\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }"},
      {"text":"\n- name: ann is away\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n  permissions: { deny: [{ action: \"*\" }] }\n- name: ann runs servers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }"},
    ],
  },
  'partial-segment': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps*\" },\n  { \"method\": \"GET\", \"path\": \"/me*\" }\n#                            ^^^^^^ partial-segment\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/me\" },\n  { \"method\": \"GET\", \"path\": \"/me/*\" },\n  { \"method\": \"GET\", \"path\": \"/vps/prod-*\" }\n] }"},
    ],
  },
  'path-parameter': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/{serviceName}\" }\n#                            ^^^^^^^^^^^^^^^^^^^^ path-parameter\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/:id/ips\" },\n#                            ^^^^^^^^^^^^^^ path-parameter\n  { \"method\": \"GET\", \"path\": \"/me/bill/<billId>\" },\n#                            ^^^^^^^^^^^^^^^^^^^ path-parameter\n  { \"method\": \"GET\", \"path\": \"/domain/$zone/record\" },\n#                            ^^^^^^^^^^^^^^^^^^^^^^ path-parameter\n  { \"method\": \"GET\", \"path\": \"/vps/*\" }\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/*/ips\" }\n] }"},
    ],
  },
  'path-without-action': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/auth/currentCredential\" }\n#                            ^^^^^^^^^^^^^^^^^^^^^^^^^ path-without-action\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/me\" },\n  { \"method\": \"GET\", \"path\": \"/auth/time\" }\n] }"},
    ],
  },
  'permissions-group-urn': {
    bad: [
      {"text":"\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:svc\n#                                   ^^^ permissions-group-urn"},
      {"text":"\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:svc:global*\n#                                             ^ permissions-group-urn"},
    ],
    good: [
      {"text":"\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:svc:globalReadAccess"},
    ],
  },
  'placeholder-in-urn': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:<nic>/ann\"]\n#                                     ^^^^^ placeholder-in-urn"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:credential:ab12-svc/oauth2-YOUR_CLIENT_ID\"]\n#                                                           ^^^^^^^^^^^^^^ placeholder-in-urn"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:publicCloudProject:{projectId}\" }]\n#                                                         ^^^^^^^^^^^ placeholder-in-urn"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:storageNetApp:xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\" }]\n#                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ placeholder-in-urn"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:okms:00000000-0000-0000-0000-000000000000\" }]\n#                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ placeholder-in-urn"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:xx1111-svc/max\", \"urn:v1:eu:identity:group:ab12-svc/my_group\"]\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:xxx.example.org\" }, { urn: \"urn:v1:eu:resource:domain:your-domain.example\" }]"},
      {"text":"\npermissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:0000-care\" }]"},
    ],
  },
  'policy-for-nobody': {
    bad: [
      {"text":"\nidentities: [{ urn: \"urn:v1:eu:identity:user:ab12-svc/ann\", groups: [\"urn:v1:eu:identity:group:ab12-svc/ops\"] }]\npolicies:\n  - name: contractors\n#         ^^^^^^^^^^^ policy-for-nobody\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/contractors\", \"urn:v1:eu:identity:user:ab12-svc/zed\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
    good: [
      {"text":"\nidentities: [{ urn: \"urn:v1:eu:identity:user:ab12-svc/ann\", groups: [\"urn:v1:eu:identity:group:ab12-svc/ops\"] }]\npolicies:\n  - name: contractors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/contractors\", \"urn:v1:eu:identity:user:ab12-svc/ann\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
      {"text":"\npolicies:\n  - name: contractors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/contractors\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
  },
  'policy-name': {
    bad: [
      {"text":"\nname: \"\"\n#     ^^ policy-name"},
      {"text":"\nname: \" web readers\"\n#     ^^^^^^^^^^^^^^ policy-name"},
      {"text":"\nname: svc-web-readers\n#     ^^^^ policy-name"},
    ],
    good: [
      {"text":"\nname: web readers"},
      {"text":"\nname: svc-web-readers\nreadOnly: true"},
    ],
  },
  'prefix-without-separator': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:prod*\" }]\n#                                                     ^ prefix-without-separator"},
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:prod*\" }]\n#                                                         ^ prefix-without-separator\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresources:\n  - urn: urn:v1:eu:resource:webHosting:prod-1.example.org\n  - urn: urn:v1:eu:resource:webHosting:products.example.org"},
    ],
    good: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:webHosting:prod-*\n  - urn: urn:v1:eu:resource:webHosting:*"},
    ],
  },
  'private-address': {
    bad: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 10.20.0.0/16 } }\n#                                                       ^^^^^^^^^^^^ private-address"},
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN: \"203.0.113.7, 192.168.1.10\" } }\n#                                                                     ^^^^^^^^^^^^ private-address"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }"},
      {"text":"\nconditions: { operator: NOT, conditions: [{ operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }] }"},
    ],
  },
  'range-host-bits': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.7/24 } }\n#                                                             ^^^^^^^^^^^^^^ range-host-bits"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }"},
    ],
  },
  'read-only-in-name': {
    bad: [
      {"text":"\nname: server readers\npermissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"vps:apisvc:snapshot/delete\" }] }\n#                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ read-only-in-name"},
      {"text":"\nname: support desk\ndescription: Read-only access to the servers\npermissions: { allow: [{ action: \"vps:*\" }] }\n#                                ^^^^^^^ read-only-in-name"},
    ],
    good: [
      {"text":"\nname: server readers\npermissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"*/get\" }] }"},
      {"text":"\nname: read and write\npermissions: { allow: [{ action: \"vps:apisvc:snapshot/delete\" }] }"},
      {"text":"\nname: server readers\npermissions: { allow: [{ action: \"vps:apisvc:snapshot/*\" }], except: [{ action: \"vps:apisvc:snapshot/*\" }] }"},
    ],
  },
  'read-only-policy': {
    bad: [
      {"text":"\nname: web readers\nreadOnly: true\n#^^^^^^^ read-only-policy"},
    ],
    good: [
      {"text":"\n- name: web readers\n  id: 6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10\n  readOnly: true\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
    ],
  },
  'redundant-access-rule': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/*\" },\n  { \"method\": \"GET\", \"path\": \"/vps/my-server/ips\" }\n#                            ^^^^^^^^^^^^^^^^^^^^ redundant-access-rule\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/*\" },\n  { \"method\": \"POST\", \"path\": \"/vps/my-server/reboot\" },\n  { \"method\": \"GET\", \"path\": \"/vps\" }\n] }"},
    ],
  },
  'redundant-action': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:ips/get\n#             ^^^^^^^^^^^^^^^^^^ redundant-action\n    - action: vps:apisvc:*"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:reinstall\" }, { action: \"vps:apisvc:reinstall\" }]\n#                                                      ^^^^^^^^^^^^^^^^^^^^^^ redundant-action"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:ips/*\" }, { action: \"vps:apisvc:get\" }]\n  except: [{ action: \"vps:apisvc:ips/delete\" }]"},
    ],
  },
  'redundant-condition': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.LT: \"18\"\n    date(Europe/Paris).Hour.LE: \"20\"\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-condition"},
      {"text":"\nconditions:\n  operator: MATCH\n  values: { date(UTC).WeekDay.IN: \"Monday, Tuesday, monday\" }\n#                                                   ^^^^^^ redundant-condition"},
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }\n    - { operator: MATCH, values: { resource.Name: prod-web } }\n#                                  ^^^^^^^^^^^^^^^^^^^^^^^ redundant-condition"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.GE: \"8\"\n    date(Europe/Paris).Hour.LT: \"18\"\n    date(UTC).Hour.LT: \"20\"\n    date(Europe/Paris).WeekDay.IN: Monday, Tuesday"},
    ],
  },
  'redundant-identity': {
    bad: [
      {"text":"\nidentities:\n  - urn:v1:eu:identity:group:ab12-svc/web\n  - urn:v1:eu:identity:group:ab12-svc/web\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-identity"},
      {"text":"\nidentities:\n  - urn:v1:eu:identity:user:ab12-svc/ann\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-identity\n  - urn:v1:eu:identity:user:ab12-svc/*\npermissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:user:cd34-svc/ann\", \"urn:v1:eu:identity:group:ab12-svc/ann\"]"},
    ],
  },
  'redundant-policy': {
    bad: [
      {"text":"\n- name: server team\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }\n- name: server restarts\n#       ^^^^^^^^^^^^^^^ redundant-policy\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }, { action: \"vps:apisvc:start\" }] }"},
    ],
    good: [
      {"text":"\n- name: server team\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"vps:apisvc:reboot\" }] }\n- name: server restarts\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
      {"text":"\n- name: server team in office hours\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { allow: [{ action: \"vps:*\" }] }\n  conditions: { operator: MATCH, values: { date(Europe/Paris).Hour.LT: \"18\" } }\n- name: server restarts\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\n  permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
  },
  'redundant-range': {
    bad: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.64/26 } }\n#                                                       ^^^^^^^^^^^^^^^ redundant-range"},
      {"text":"\nconditions:\n  operator: MATCH\n  values: { request.IP.IN: \"203.0.113.7, 2001:db8::1, 203.0.113.7\" }\n#                                                     ^^^^^^^^^^^ redundant-range"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/25 } }\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.128/25 } }\n    - { operator: MATCH, values: { request.IP.IN: \"198.51.100.1, 198.51.100.2\" } }"},
    ],
  },
  'redundant-resource': {
    bad: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:vps:vps-1.example.net\n#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-resource\n  - urn: urn:v1:eu:resource:vps:*"},
    ],
    good: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:vps:vps-1.example.net\n  - urn: urn:v1:ca:resource:vps:vps-1.example.net\n  - urn: urn:v1:eu:resource:vps:vps-2*\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:ca:identity:user:cd34-svc/ann\"]"},
    ],
  },
  'redundant-today': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:migration2016/*\n#             ^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-today\n    - action: \"*/create\"\n    - action: \"*/get\""},
    ],
    good: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:migration2016/*\n    - action: \"*/get\""},
    ],
  },
  'repeated-by-group': {
    bad: [
      {"text":"\npolicies:\n  - name: operators\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }\n#                                    ^^^^^^^^^^^^^^^^^^^ repeated-by-group\n    permissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:server-care\" }]\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care\n    permissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: operators\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissions: { allow: [{ action: \"vps:apisvc:reinstall\" }] }\n    permissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:server-care\" }]\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care\n    permissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"vps:apisvc:reinstall\" }] }"},
    ],
  },
  'required-condition': {
    bad: [
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"vps:apisvc:terminate\" }] }\n#                                                              ^^^^^^^^^^^^^^^^^^^^^^ required-condition\nconditions: { operator: MATCH, values: { \"resource.Tag(env)\": staging } }","options":{"actions":["*:terminate"],"keys":["request.IP"]}},
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:get\" }] }\n#                                ^^^^^^^^^^^^^^^^ required-condition\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { request.IP: 203.0.113.7 } }\n    - { operator: MATCH, values: { \"resource.Tag(env)\": staging } }","options":{"actions":["vps:*"],"keys":["request.IP","date.Hour"]}},
    ],
    good: [
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:terminate\" }] }\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24, \"resource.Tag(env)\": staging } }","options":{"actions":["*:terminate"],"keys":["request.IP"]}},
      {"text":"\npermissions: { allow: [{ action: \"vps:*\" }], except: [{ action: \"vps:apisvc:terminate\" }] }","options":{"actions":["*:terminate"],"keys":["request.IP"]}},
    ],
  },
  'resource-outside-condition': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:vps-1\" }, { urn: \"urn:v1:eu:resource:vps:prod-*\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource-outside-condition\npermissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\nconditions: { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }, { urn: \"urn:v1:eu:resource:webHosting:*\" }]\n#                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource-outside-condition\nconditions: { operator: MATCH, values: { resource.Type: vps, resource.Tag(env): prod } }"},
      {"text":"\npolicies:\n  - name: keep production\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:vps-1\" }, { urn: \"urn:v1:eu:resource:vps:vps-2\" }]\n#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource-outside-condition\n    permissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\n    conditions: { operator: MATCH, values: { \"resource.Tag(env)\": prod } }\nresources:\n  - { urn: \"urn:v1:eu:resource:vps:vps-1\", tags: { team: web } }\n  - { urn: \"urn:v1:eu:resource:vps:vps-2\", tags: { env: prod } }"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:vps-1\" }, { urn: \"urn:v1:eu:resource:vps:prod-*\" }]\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }\n    - { operator: MATCH, values: { resource.Tag(env): prod } }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }, { urn: \"urn:v1:eu:resourceGroup:5b0c\" }]\nconditions: { operator: MATCH, values: { resource.Type: vps } }"},
    ],
  },
  'resource-urn': {
    bad: [
      {"text":"\nresources:\n  - urn: \"*\"\n#         ^ resource-urn"},
      {"text":"\nresources:\n  - urn: urn:v1:*:resource:vps:vps-1.example.net\n#               ^ resource-urn"},
      {"text":"\nresources:\n  - urn: urn:v1:eu:ressource:vps:vps-1.example.net\n#                  ^^^^^^^^^ resource-urn\n  - urn: urn:v1:eu:resource:vps\n#                           ^^^ resource-urn"},
    ],
    good: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:vps:vps-1.example.net\n  - urn: urn:v1:eu:resource:ip:192.0.2.0/24\n  - urn: urn:v1:eu:resourceGroup:0b8f4a52-52bd-4d63-8d0e-63a1f5f0c9b7"},
    ],
  },
  'resource-wildcard': {
    bad: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:vps*\n#                              ^ resource-wildcard"},
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:domain:*.example.org\n#                                  ^ resource-wildcard\n  - urn: urn:v1:eu:resourceGroup:prod-*\n#                                     ^ resource-wildcard"},
    ],
    good: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:vps:*\n  - urn: urn:v1:eu:resource:webHosting:prod-*\n  - urn: urn:v1:ca:resource:*\n  - urn: urn:v1:eu:resourceGroup:*\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:ca:identity:user:cd34-svc/ann\"]"},
    ],
  },
  'resource-without-action': {
    bad: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:webHosting:*\n  - urn: urn:v1:eu:resource:vps:*\n#        ^^^^^^^^^^^^^^^^^^^^^^^^ resource-without-action\npermissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }, { urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"webHosting:apisvc:get\" }, { action: \"*:reboot\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }, { urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\npermissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:svc:globalReadAccess\" }]"},
    ],
  },
  'risky-wildcard': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:s*\" }] }\n#                                ^^^^^^^^^^^^^^^ risky-wildcard"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:ips/*\" }, { action: \"vps:apisvc:setPassword\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:s*\" }], except: [{ action: \"vps:apisvc:snapshot/*\" }, { action: \"vps:apisvc:setPassword\" }] }"},
    ],
  },
  'self-service-tag': {
    bad: [
      {"text":"\n- name: staging\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:*\" }] }\n  conditions: { operator: MATCH, values: { \"resource.Tag(env)\": staging } }\n#                                          ^^^^^^^^^^^^^^^^^^^ self-service-tag\n- name: tagging\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n  resources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\n  permissions: { allow: [{ action: \"account:apisvc:iam/resource/tag/*\" }] }"},
    ],
    good: [
      {"text":"\n- name: staging\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:*\" }] }\n  conditions: { operator: MATCH, values: { \"resource.Tag(env)\": staging } }\n- name: tagging\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/leads\"]\n  resources: [{ urn: \"urn:v1:eu:resource:account:ab12-svc\" }]\n  permissions: { allow: [{ action: \"account:apisvc:iam/resource/tag/*\" }] }"},
    ],
  },
  'server-field': {
    bad: [
      {"text":"\n- name: web readers\n  id: 6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10\n# ^^ server-field\n  createdAt: \"2025-03-01T09:00:00Z\"\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
    ],
    good: [
      {"text":"\n- name: web readers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
      {"text":"\n- name: web readers\n  id: 6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10\n  createdAt: \"2025-03-01T09:00:00Z\"\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n- name: web editors\n  id: 0b8f4a52-52bd-4d63-8d0e-63a1f5f0c9b7\n  createdAt: \"2025-03-01T09:00:00Z\"\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:edit\" }] }"},
    ],
  },
  'service-account-name': {
    bad: [
      {"text":"\nidentities:\n  - urn:v1:eu:identity:credential:ab12-svc/0123456789abcdef\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ service-account-name"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef\"]"},
    ],
  },
  'shadowed-deny': {
    bad: [
      {"text":"\n- name: nobody terminates\n  identities: [\"urn:v1:eu:identity:user:*\", \"urn:v1:eu:identity:group:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n  permissions: { deny: [{ action: \"*/terminate\" }, { action: \"vps:apisvc:terminate\" }] }\n- name: students do not terminate servers\n#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shadowed-deny\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/students\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
    good: [
      {"text":"\n- name: nobody terminates\n  identities: [\"urn:v1:eu:identity:user:*\"]\n  resources: [{ urn: \"urn:v1:eu:resource:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }\n- name: students do not terminate servers\n  identities: [\"urn:v1:eu:identity:group:ab12-svc/students\"]\n  resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n  permissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
  },
  'shape': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  denny: [{ action: \"vps:apisvc:terminate\" }]\n# ^^^^^ shape"},
      {"text":"\npermissions:\n  allow: [\"vps:apisvc:get\"]\n#         ^^^^^^^^^^^^^^^^ shape"},
      {"text":"\npermissions: { allow: [{ action: \"vps:*\" }] }\nexpiredat: \"2030-01-01T00:00:00Z\"\n#^^^^^^^^ shape"},
      {"text":"\n- name: web readers\n#       ^^^^^^^^^^^ shape\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:terminate\" }]\nexpiredAt: \"2030-01-01T00:00:00Z\""},
    ],
  },
  'size-limit': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:user:ab12-svc/bob\"]\n#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ size-limit","options":{"identities":1}},
      {"text":"\n- name: web readers\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n- name: web editors\n#       ^^^^^^^^^^^ size-limit\n  identities: [\"urn:v1:eu:identity:user:ab12-svc/bob\"]\n  resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n  permissions: { allow: [{ action: \"webHosting:apisvc:edit\" }] }","options":{"policies":1}},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:user:ab12-svc/cleo\"]","options":{"identities":2,"allow":1,"policies":10}},
    ],
  },
  'stale-baseline': {
    bad: [
      {"text":"\n{\n  \"version\": 1,\n  \"findings\": [\n    {\"file\":\"policy.yaml\",\"code\":\"expired\",\"policy\":\"web readers\",\"text\":\"2024-12-31\",\"count\":1,\"fingerprint\":\"00000000000000000000000000000000\"},\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ stale-baseline\n    {\"file\":\"policy.yaml\",\"code\":\"unknown-action\",\"policy\":\"web readers\",\"text\":\"vps:apisvc:rebooot\",\"count\":1,\"fingerprint\":\"27cc8940a223b6989d853c5ecb0dad86\"}\n  ]\n}","path":"baseline.json"},
    ],
    good: [
      {"text":"\n{\n  \"version\": 1,\n  \"findings\": [\n    {\"file\":\"policy.yaml\",\"code\":\"unknown-action\",\"policy\":\"web readers\",\"text\":\"vps:apisvc:rebooot\",\"count\":1,\"fingerprint\":\"27cc8940a223b6989d853c5ecb0dad86\"}\n  ]\n}","path":"baseline.json"},
    ],
  },
  'stray-character': {
    bad: [
      {"text":"\npermissions:\n  deny: [{ action: \" vps:apisvc:terminate\" }]\n#                   ^ stray-character"},
      {"text":"\npermissions:\n  deny: [{ action: \"vрs:apisvc:terminate\" }]\n#                    ^ stray-character"},
      {"text":"\ndescription: \"may not ‮terminate\"\n#                     ^ stray-character"},
    ],
    good: [
      {"text":"\ndescription: pour l'équipe à Genève\npermissions:\n  deny: [{ action: \"vps:apisvc:terminate\" }]"},
    ],
  },
  'syntax': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: *\n#             ^ syntax"},
      {"text":"\n{\n  \"name\": \"web readers\",\n  \"identities\": [\"urn:v1:eu:identity:user:ab12-svc/ann\"],\n  \"resources\": [{ \"urn\": \"urn:v1:eu:resource:vps:*\" }],\n  \"permissions\": {\n    \"deny\": [{ \"action\": \"vps:apisvc:terminate\" }],\n    \"deny\": [{ \"action\": \"vps:apisvc:reinstall\" }]\n#   ^^^^^^ syntax\n  }\n}"},
    ],
    good: [
      {"text":"\npermissions:\n  deny:\n    - action: \"*\""},
      {"text":"\n{\n  \"name\": \"web readers\",\n  \"identities\": [\"urn:v1:eu:identity:user:ab12-svc/ann\"],\n  \"resources\": [{ \"urn\": \"urn:v1:eu:resource:vps:*\" }],\n  \"permissions\": {\n    \"deny\": [{ \"action\": \"vps:apisvc:terminate\" }, { \"action\": \"vps:apisvc:reinstall\" }]\n  }\n}"},
    ],
  },
  'temporary-without-expiry': {
    bad: [
      {"text":"\nname: temporary access for the migration\n#     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ temporary-without-expiry"},
      {"text":"\nname: web editors\ndescription: Interim access of the agency\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ temporary-without-expiry"},
    ],
    good: [
      {"text":"\nname: temporary access for the migration\nexpiredAt: \"2026-06-30T23:59:59Z\""},
      {"text":"\nname: temporary access\nconditions: { operator: MATCH, values: { date(UTC).Date.BEFORE: \"2026-07-01\" } }"},
      {"text":"\nname: contemporary art"},
    ],
  },
  'trailing-slash': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps//ips\" }\n#                            ^^^^^^^^^^^ trailing-slash\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/domain/zone/\" }\n#                            ^^^^^^^^^^^^^^^ trailing-slash\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps\" },\n  { \"method\": \"GET\", \"path\": \"/vps/*\" }\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/domain/zone\" },\n  { \"method\": \"GET\", \"path\": \"/domain/zone/\" }\n] }"},
    ],
  },
  'unbounded-destruction': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:terminate\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^ unbounded-destruction"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions:\n  allow: [{ action: \"vps:*\" }]\n#                   ^^^^^^^ unbounded-destruction\n  except: [{ action: \"*terminate\" }]"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\npermissions: { allow: [{ action: \"vps:apisvc:terminate\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
  },
  'unbounded-reads': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:snapshot/*\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^ unbounded-reads"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:vps-5b1d.example\" }]\npermissions: { allow: [{ action: \"vps:apisvc:snapshot/*\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:snapshot/create\" }] }\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }"},
    ],
  },
  'unknown-access-path': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vsp\" },\n#                            ^^^^^^ unknown-access-path\n  { \"method\": \"DELETE\", \"path\": \"/vps\" }\n#                               ^^^^^^ unknown-access-path\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/my-server/ips\" },\n  { \"method\": \"GET\", \"path\": \"/vps/*\" },\n  { \"method\": \"GET\", \"path\": \"/1.0/me\" },\n  { \"method\": \"GET\", \"path\": \"/v2/iam/policy\" }\n] }"},
    ],
  },
  'unknown-action': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:reinstal\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^^ unknown-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apiSvc:*\" }]\n#                        ^^^^^^ unknown-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:backup/plan/get\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:ips:get\" }, { action: \"a:b:c:d\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^ unknown-action\n#                                                     ^^^^^^^^^ unknown-action"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:reinstall\" }, { action: \"publicCloudProject:openstack:computeOperator\" }, { action: \"okms:apikms:*\" }]"},
    ],
  },
  'unknown-condition-type': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type: webhosting } }\n#                                                       ^^^^^^^^^^ unknown-condition-type"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type.IN: \"vps, dnszone\" } }\n#                                                                ^^^^^^^ unknown-condition-type"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type.STARTS_WITH: lpd/ } }\n#                                                                   ^^^^ unknown-condition-type"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type.IN: \"vps, ldp/stream\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { resource.Type.STARTS_WITH: ldp/ } }"},
    ],
  },
  'unknown-identity': {
    bad: [
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/anne\"]\n#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-identity\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nidentities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/ann"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:user:ab12-svc/ann\", \"urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nidentities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/ann"},
    ],
  },
  'unknown-method': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"get\", \"path\": \"/me\" }\n#             ^^^^^ unknown-method\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"*\", \"path\": \"/me\" }\n#             ^^^ unknown-method\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/me\" },\n  { \"method\": \"DELETE\", \"path\": \"/me/sshKey/*\" }\n] }"},
    ],
  },
  'unknown-permissions-group': {
    bad: [
      {"text":"\npolicies:\n  - name: operators\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:ab12-svc:servercare\" }]\n#                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-permissions-group\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care\n    permissions: { allow: [{ action: \"vps:*\" }] }"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: operators\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\n    permissionsGroups:\n      - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care\n      - urn: urn:v1:eu:permissionsGroup:svc:globalReadAccess\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care\n    permissions: { allow: [{ action: \"vps:*\" }] }"},
    ],
  },
  'unknown-product': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vpss:apisvc:get\" }]\n#                    ^^^^ unknown-product"},
      {"text":"\npermissions:\n  allow: [{ action: \"webHosting:*\" }]\n  deny: [{ action: \"webhosting:apisvc:delete\" }]\n#                   ^^^^^^^^^^ unknown-product"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:get\" }, { action: \"okms:apisvc:resource/get\" }]"},
    ],
  },
  'unknown-protected-action': {
    bad: [
      {"text":"\npermissions:\n  deny: [{ action: \"vps:apisvc:reinstal\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^ unknown-protected-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"dnsZone:*\" }]\n  except:\n    - action: dnsZone:apisvc:zone/delete\n#             ^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-protected-action\n    - action: dnsZone:apisvc:record/delete"},
      {"text":"\npermissions:\n  deny: [{ action: \"vps:apiscv:terminate\" }]\n#                       ^^^^^^ unknown-protected-action"},
      {"text":"\npermissions:\n  deny: [{ action: \"vps:apisvc:ips:delete\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^^^ unknown-protected-action"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"dnsZone:*\" }]\n  except: [{ action: \"dnsZone:apisvc:record/delete\" }]\n  deny: [{ action: \"vps:apisvc:reinstall\" }]"},
    ],
  },
  'unknown-region': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:ue:identity:user:ab12-svc/ann\"]\n#                    ^^ unknown-region"},
      {"text":"\nresources:\n  - urn: urn:v1:ap:resource:webHosting:*\n#               ^^ unknown-region"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:ca:identity:user:ab12-svc/ann\"]\nresources: [{ urn: \"urn:v1:ca:resource:webHosting:*\" }]"},
    ],
  },
  'unknown-resource': {
    bad: [
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources:\n      - urn: urn:v1:eu:resource:webHosting:exmaple.org\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-resource\n      - urn: urn:v1:eu:resource:webHosting:staging-*\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-resource\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources:\n      - urn: urn:v1:eu:resource:webHosting:example.org\n      - urn: urn:v1:eu:resource:webHosting:*\n      - urn: urn:v1:eu:resource:domain:example.com\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }, { action: \"domain:apisvc:get\" }] }\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org"},
    ],
  },
  'unknown-resource-group': {
    bad: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c12\" }]\n#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-resource-group\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresourceGroups:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\nresourceGroups:\n  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:example.org\" }]"},
    ],
  },
  'unknown-type': {
    bad: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:webhosting:example.org\n#                           ^^^^^^^^^^ unknown-type"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:ipLoadbalancing:*\" }]\n#                                      ^^^^^^^^^^^^^^^ unknown-type"},
    ],
    good: [
      {"text":"\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org\n  - urn: urn:v1:eu:resource:ldp/stream:*\n  - urn: urn:v1:eu:resource:loadbalancer:*"},
    ],
  },
  'unscoped-resource': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:*\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^^ unscoped-resource\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\npermissions: { allow: [{ action: \"vps:apisvc:reboot\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:*\" }]\npermissions: { allow: [{ action: \"*/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:*\" }]\npermissions: { allow: [{ action: \"account:apisvc:iam/resource/tag/add\" }] }"},
    ],
  },
  'unsorted-list': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:reboot\n    - action: vps:apisvc:get\n#             ^^^^^^^^^^^^^^ unsorted-list\n    - action: vps:apisvc:stop"},
    ],
    good: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:get\n    - action: vps:apisvc:reboot\n    - action: vps:apisvc:stop"},
    ],
  },
  'untagged-matches': {
    bad: [
      {"text":"\nconditions:\n  operator: NOT\n  conditions:\n    - { operator: MATCH, values: { resource.Tag(env): prod } }\n#                                  ^^^^^^^^^^^^^^^^^ untagged-matches"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: AND\n  conditions:\n    - { operator: NOT, conditions: [{ operator: MATCH, values: { resource.Tag(env): prod } }] }\n    - { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: \"\" } }"},
      {"text":"\nconditions:\n  operator: NOT\n  conditions: [{ operator: MATCH, values: { resource.Tag(reviewed): \"yes\" } }]\npermissions: { deny: [{ action: \"vps:*\" }] }"},
    ],
  },
  'unused-ignore': {
    bad: [
      {"text":"\npermissions:\n  allow:\n    - action: vps:apisvc:reboot # grantwise-ignore unknown-action: announced for next month\n#                                                  ^^^^^^^^^^^^^^ unused-ignore"},
      {"text":"\nignores:\n  - files: policy.yaml\n    codes: [unknown-action, expired]\n#                           ^^^^^^^ unused-ignore\n    reason: the new action is announced for next month","path":".grantwise.yaml"},
    ],
    good: [
      {"text":"\npermissions:\n  allow:\n    # grantwise-ignore unknown-action: announced for next month\n    - action: vps:apisvc:rebooot"},
      {"text":"\nignores:\n  - files: policy.yaml\n    codes: unknown-action\n    reason: the new action is announced for next month","path":".grantwise.yaml"},
    ],
  },
  'unused-tag': {
    bad: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n    conditions: { operator: MATCH, values: { \"resource.Tag(Env)\": prod } }\n#                                            ^^^^^^^^^^^^^^^^^^^ unused-tag\n  - name: web readers\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n    conditions: { operator: MATCH, values: { \"resource.Tag(env)\": production } }\n#                                                                 ^^^^^^^^^^ unused-tag\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org\n    tags: { env: prod }"},
    ],
    good: [
      {"text":"\npolicies:\n  - name: web editors\n    identities: [\"urn:v1:eu:identity:group:ab12-svc/web\"]\n    resources: [{ urn: \"urn:v1:eu:resource:webHosting:*\" }]\n    permissions: { allow: [{ action: \"webHosting:apisvc:get\" }] }\n    conditions: { operator: MATCH, values: { \"resource.Tag(env).STARTS_WITH\": pro } }\nresources:\n  - urn: urn:v1:eu:resource:webHosting:example.org\n    tags: { env: prod }"},
    ],
  },
  'vacuous-condition': {
    bad: [
      {"text":"\nconditions:\n  operator: OR\n# ^^^^^^^^^^^^ vacuous-condition\n  conditions:\n    - { operator: MATCH, values: { date(Europe/Paris).Hour.LT: \"18\" } }\n    - { operator: MATCH, values: { date(Europe/Paris).Hour.GE: \"8\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { date().WeekDay.GE: Monday } }\n#                                        ^^^^^^^^^^^^^^^^^^^^^^^^^ vacuous-condition"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps:*\" }]\nconditions: { operator: MATCH, values: { resource.Type: vps } }\n#                                        ^^^^^^^^^^^^^^^^^^ vacuous-condition"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/1 } }\n    - { operator: MATCH, values: { request.IP.IN_RANGE: 128.0.0.0/1 } }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:vps*:*\" }]\nconditions: { operator: MATCH, values: { resource.Type: vps } }"},
      {"text":"\nconditions: { operator: AND, conditions: [] }"},
    ],
  },
  'whole-account-grant': {
    bad: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:account:cd34-svc\"]\n#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ whole-account-grant\npermissions: { allow: [{ action: \"vps:*\" }] }"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:account:cd34-svc\"]\npermissions: { allow: [{ action: \"vps:apisvc:get\" }, { action: \"vps:apisvc:snapshot/*\" }] }"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:account:cd34-svc\"]\npermissions: { deny: [{ action: \"vps:*\" }] }"},
    ],
  },
  'whole-api': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/*\" },\n#                            ^^^^ whole-api\n  { \"method\": \"POST\", \"path\": \"/*\" },\n  { \"method\": \"PUT\", \"path\": \"/*\" },\n  { \"method\": \"DELETE\", \"path\": \"/*\" }\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/*\" },\n  { \"method\": \"POST\", \"path\": \"/*\" },\n  { \"method\": \"PUT\", \"path\": \"/*\" }\n] }"},
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/vps/*\" },\n  { \"method\": \"POST\", \"path\": \"/vps/*\" },\n  { \"method\": \"PUT\", \"path\": \"/vps/*\" },\n  { \"method\": \"DELETE\", \"path\": \"/vps/*\" }\n] }"},
    ],
  },
  'whole-api-method': {
    bad: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/*\" }\n#                            ^^^^ whole-api-method\n] }"},
    ],
    good: [
      {"text":"\n{ \"accessRules\": [\n  { \"method\": \"GET\", \"path\": \"/me\" },\n  { \"method\": \"GET\", \"path\": \"/vps/*\" }\n] }"},
    ],
  },
  'whole-product': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n#                   ^^^^^^^ whole-product"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:snapshot/*\" }, { action: \"vps:apisvc:get\" }]"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"*\" }]"},
    ],
  },
  'wide-range': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/1 } }\n#                                                             ^^^^^^^^^ wide-range"},
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.112.0/20 } }\n#                                                             ^^^^^^^^^^^^^^ wide-range","options":{"four":24}},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }"},
      {"text":"\npermissions: { deny: [{ action: \"vps:*\" }] }\nconditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }"},
    ],
  },
  'wildcard-as-text': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Name: prod-* } }\n#                                                            ^ wildcard-as-text"},
      {"text":"\nconditions: { operator: MATCH, values: { \"resource.Tag(env)\": \"*\" } }\n#                                                              ^ wildcard-as-text"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }"},
    ],
  },
  'wildcard-for-one-action': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:reinst*\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^ wildcard-for-one-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"*:apisvc:openConsoleAccess\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-for-one-action"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:reinstall\" }, { action: \"billingAccount:*\" }]\n  deny: [{ action: \"vps:apisvc:termin*\" }]"},
    ],
  },
  'wildcard-growth': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:*\" }]\n#                   ^^^^^^^^^^^^^^ wildcard-growth","options":{"since":"2026-03"},"catalogue":[{"name":"vps:apisvc:snapshot/share","since":"2026-05"},{"name":"vps:apisvc:console/open","since":"2026-02"}]},
    ],
    good: [
      {"text":"\npermissions: { allow: [{ action: \"vps:apisvc:*\" }] }","options":{"since":"2026-05"},"catalogue":[{"name":"vps:apisvc:snapshot/share","since":"2026-05"},{"name":"vps:apisvc:console/open","since":"2026-02"}]},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:*\" }, { action: \"vps:apisvc:snapshot/share\" }]\n  except: [{ action: \"vps:apisvc:snapshot/*\" }]","options":{"since":"2026-03"},"catalogue":[{"name":"vps:apisvc:snapshot/share","since":"2026-05"},{"name":"vps:apisvc:console/open","since":"2026-02"}]},
    ],
  },
  'wildcard-identity': {
    bad: [
      {"text":"\nidentities:\n  - urn:v1:eu:identity:user:ab12-svc/*\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-identity"},
      {"text":"\nidentities:\n  - urn:v1:eu:identity:user:ab12-svc/ann\n  - urn:v1:eu:identity:account:*\n#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-identity"},
    ],
    good: [
      {"text":"\nidentities: [\"urn:v1:eu:identity:group:ab12-svc/ops\"]"},
      {"text":"\nidentities: [\"urn:v1:eu:identity:user:ab12-svc/*\"]\npermissions: { deny: [{ action: \"vps:apisvc:terminate\" }] }"},
    ],
  },
  'wildcard-in-product': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"ip*\" }]\n#                    ^^^ wildcard-in-product"},
      {"text":"\npermissions:\n  allow:\n    - action: vps*\n#             ^^^^ wildcard-in-product\n    - action: dnsZone:apisvc:get"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"ip:*\" }]\n  deny: [{ action: \"license*\" }]"},
    ],
  },
  'wildcard-without-action': {
    bad: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:snapshots/*\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-without-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:*\" }]\n  deny: [{ action: \"vps:apisvc:reinstalls*\" }, { action: \"vps:reinstall*\" }]\n#                  ^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-without-action\n#                                                        ^^^^^^^^^^^^^^^^ wildcard-without-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:*:get\" }]\n#                   ^^^^^^^^^^^^^^^^^^ wildcard-without-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:backup/plan/*\" }]\n#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-without-action"},
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:re*art\" }]\n#                   ^^^^^^^^^^^^^^^^^^^ wildcard-without-action"},
    ],
    good: [
      {"text":"\npermissions:\n  allow: [{ action: \"vps:apisvc:snapshot/*\" }]"},
    ],
  },
  'window-over': {
    bad: [
      {"text":"\nconditions: { operator: MATCH, values: { date(Europe/Paris).Date.BEFORE: \"2025-07-01\" } }\n#                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ window-over"},
      {"text":"\npermissions: { deny: [{ action: \"vps:apisvc:reinstall\" }] }\nconditions:\n  operator: AND\n  conditions:\n    - { operator: MATCH, values: { date(UTC).WeekDay.GE: Saturday } }\n    - { operator: MATCH, values: { date(UTC).Date.IN: \"2025-12-24, 2025-12-27\" } }\n#                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ window-over"},
    ],
    good: [
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).Date: \"2099-01-15\" } }"},
      {"text":"\nconditions: { operator: NOT, conditions: [{ operator: MATCH, values: { date(UTC).Date.BEFORE: \"2025-07-01\" } }] }"},
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { date(UTC).Date.BEFORE: \"2025-07-01\" } }\n    - { operator: MATCH, values: { request.IP: 203.0.113.7 } }"},
    ],
  },
  'wrapping-range': {
    bad: [
      {"text":"\nconditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.GE: \"22\"\n    date(Europe/Paris).Hour.LT: \"6\"\n#                               ^^^ wrapping-range"},
    ],
    good: [
      {"text":"\nconditions:\n  operator: OR\n  conditions:\n    - { operator: MATCH, values: { date(Europe/Paris).Hour.GE: \"22\" } }\n    - { operator: MATCH, values: { date(Europe/Paris).Hour.LT: \"6\" } }"},
      {"text":"\nconditions: { operator: MATCH, values: { date(UTC).Hour.GE: \"6\", date(UTC).Hour.LT: \"22\", date(Asia/Tokyo).Hour.LT: \"5\" } }"},
    ],
  },
  'write-without-read': {
    bad: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:dnsZone:example.org\" }]\npermissions: { allow: [{ action: \"dnsZone:apisvc:record/delete\" }] }\n#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write-without-read"},
    ],
    good: [
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:dnsZone:example.org\" }]\npermissions: { allow: [{ action: \"dnsZone:apisvc:record/delete\" }, { action: \"dnsZone:apisvc:record/get\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:dnsZone:example.org\" }]\npermissions: { allow: [{ action: \"dnsZone:apisvc:record/*\" }] }"},
      {"text":"\nresources: [{ urn: \"urn:v1:eu:resource:dnsZone:example.org\" }]\npermissions: { allow: [{ action: \"dnsZone:apisvc:record/delete\" }] }\npermissionsGroups: [{ urn: \"urn:v1:eu:permissionsGroup:svc:globalReadAccess\" }]"},
    ],
  },
}
