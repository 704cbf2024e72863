import { expect, test } from 'vitest'
import { isPolicyTest } from '../../src/deployment/tests.ts'

/** Files of policy tests, of which no policy can be made, whatever sends them to the service. */

const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const question = `tests:\n  - { name: q, identity: "${bob}", action: "vps:apisvc:get", resource: "urn:v1:eu:resource:vps:a", expect: deny }\n`
const group =
  'permissionsGroups:\n  - { urn: "urn:v1:eu:permissionsGroup:ab12-svc:g", name: g, permissions: { allow: [{ action: "*" }] } }\n'
const policy = `name: evil\nidentities: ["${bob}"]\nresources: [{ urn: "urn:v1:eu:resource:vps:*" }]\npermissions: { allow: [{ action: "*" }] }\n`

test.each([
  ['questions', 'p.iamtest.yaml', question, true],
  ['questions with the paths of policies', 'a/p.iamtest.yml', `policies: [policies]\n${question}`, true],
  ['another name', 'p.yaml', question, false],
  ['a policy', 'p.iamtest.yaml', policy, false],
  ['a policy with tests', 'p.iamtest.yaml', policy + question, false],
  ['a policy in a second document', 'p.iamtest.yaml', `${question}---\n${policy}`, false],
  ['a permissions group', 'p.iamtest.yaml', group + question, false],
  ['a policy in the list of paths', 'p.iamtest.yaml', `policies:\n  - ${policy.trimEnd().replaceAll('\n', '\n    ')}\n${question}`, false],
  ['a key that is given twice', 'p.iamtest.json', '{"tests": [], "tests": [{"name": "q"}]}', false],
  ['a text that is none', 'p.iamtest.yaml', '{', false],
])('%s', async (_, path, text, isTest) => {
  expect(await isPolicyTest(path, text, 'svc')).toBe(isTest)
})
