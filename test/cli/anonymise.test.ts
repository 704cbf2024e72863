import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wordsOf } from '../../src/cli/input/words.ts'
import { mainIn } from '../support/in-process.ts'

/** The files of `anonymise`, as their receiver reads them. */

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'grantwise-'))
const question = ['urn:v1:eu:identity:user:um07-svc/jane.roe', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:umbrella-1']

const world = `identities:
  - { urn: urn:v1:eu:identity:user:um07-svc/jane.roe, groups: [urn:v1:eu:identity:group:um07-svc/site] }
`
const policies = `# Jane's own, agreed with Umbrella
- name: restarts by Jane
  identities: [urn:v1:eu:identity:group:um07-svc/site]
  resources: [{ urn: "urn:v1:eu:resource:vps:umbrella*" }]
  permissions: { allow: [{ action: vps:apisvc:reboot }] }
  conditions: { operator: MATCH, values: { "resource.Tag(it's)": "a 'live' one" } }
`

/** The verdict line of a command line that is in a file, run in its folder. */
async function rerun(file: string, folder: string): Promise<string> {
  const line = /^# grantwise (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  return (await mainIn([...wordsOf(line), '--format', 'compact'], folder)).stdout
}

test('the files of a folder answer as the input did, and the test in them passes', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'policies.yaml'), policies)
  writeFileSync(join(folder, 'world.yaml'), world)
  const asked = [...question, '--tag', "it's=a 'live' one", '--at', '2026-05-04T10:00:00Z']
  const outcome = await mainIn(['anonymise', ...asked, '-o', 'out/shared', '--mapping', 'names.json'], folder)
  expect(outcome.exit).toBe(0)
  const shared = join(folder, 'out/shared')
  expect(readdirSync(shared).sort()).toEqual(['policies.yaml', 'question.iamtest.yaml', 'world.yaml'])
  expect(await rerun(join(shared, 'policies.yaml'), shared)).toMatch(/^allow · granted · policies\.yaml:\d+:\d+ allow/)
  const tested = await mainIn(['test', '--no-config'], shared)
  expect(tested.stdout).toContain('1 passed in 1 file')
  const texts = readdirSync(shared).map((name) => readFileSync(join(shared, name), 'utf8'))
  expect(texts.join('\n')).not.toMatch(/jane|roe|um07|umbrella|site|live|restart|agreed/i)
  const mapping = JSON.parse(readFileSync(join(folder, 'names.json'), 'utf8')) as Record<string, string>
  expect(mapping['urn:v1:eu:identity:user:um07-svc/jane.roe']).toBe('urn:v1:eu:identity:user:alfa-svc/bravo.charlie')
  expect(mapping['restarts by Jane']).toBe('policy-1')
})

test('the notation of the input does not matter', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'tf'))
  const policy = {
    name: 'restarts by Jane',
    identities: [question[0]],
    resources: [{ urn: 'urn:v1:eu:resource:vps:umbrella*' }],
    permissions: { allow: [{ action: question[1] }] },
  }
  const hcl = `resource "svc_iam_policy" "jane" {
  name       = "restarts by Jane"
  identities = ["${question[0]}"]
  resources  = ["urn:v1:eu:resource:vps:umbrella*"]
  allow      = ["${question[1]}"]
}
`
  writeFileSync(join(folder, 'p.json'), `\ufeff${JSON.stringify([policy], undefined, 2).replaceAll('\n', '\r\n')}`)
  writeFileSync(join(folder, 'tf/main.tf'), hcl)
  const said = async (path: string) => (await mainIn(['anonymise', ...question, '-p', path, '--no-config'], folder)).stdout
  expect(await said('p.json')).toContain('urn:v1:eu:resource:vps:delta*')
  expect(await said('tf')).toBe(await said('p.json'))
})

test('what Terraform does not know yet stays unknown', async () => {
  const folder = temporaryFolder()
  const hcl = `variable "who" {}
variable "hidden_group" {}
resource "svc_iam_resource_group" "umbrella" {
  name      = "umbrella"
  resources = [var.who]
}
resource "svc_iam_policy" "jane" {
  name       = "restarts by \${var.who}"
  identities = [var.who, "urn:v1:eu:identity:group:um07-svc/\${var.hidden_group}"]
  resources  = [svc_iam_resource_group.umbrella.urn, "urn:v1:eu:resource:vps:umbrella-2"]
  allow      = ["${question[1]}"]
}
resource "svc_iam_policy" "umbrella" {
  name       = "never"
  identities = ["${question[0]}"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  deny       = [var.who]
}
`
  writeFileSync(join(folder, 'main.tf'), hcl)
  const outcome = await mainIn(
    ['anonymise', ...question, '-p', '.', '--group', 'urn:v1:eu:identity:group:um07-svc/x', '-o', 'shared'],
    folder,
  )
  expect(outcome.stderr).toBe('')
  const shared = join(folder, 'shared')
  const before = (
    await mainIn(['can', ...question, '-p', '.', '--group', 'urn:v1:eu:identity:group:um07-svc/x', '--format', 'compact'], folder)
  ).stdout
  const after = await rerun(join(shared, 'policies.yaml'), shared)
  const missing = (line: string) => /missing (.*)$/m.exec(line)?.[1]?.split(', ').length
  expect(after).toMatch(/^unknown · unknown/)
  expect(missing(after)).toBe(missing(before))
  expect(readFileSync(join(shared, 'policies.yaml'), 'utf8')).not.toMatch(/umbrella|hidden|jane|var/i)
})

test('a tag with a line break leaves the head of a file in its comment', async () => {
  const folder = temporaryFolder()
  const policy = policies.replace("a 'live' one", 'two\\nlines')
  writeFileSync(join(folder, 'p.yaml'), policy)
  const asked = [
    ...question,
    '--group',
    'urn:v1:eu:identity:group:um07-svc/site',
    '--tag',
    "it's=two\nlines",
    '-p',
    'p.yaml',
    '--no-config',
  ]
  const { stdout, exit } = await mainIn(['anonymise', ...asked], folder)
  expect(exit).toBe(0)
  expect(stdout).toMatch(/^# grantwise .* --tag \$'foxtrot\\'golf=hotel\\u000aindia' .*\n# allow: granted by policy-1\npolicies:\n/)
  writeFileSync(join(folder, 'shared.yaml'), stdout)
  expect((await mainIn(['lint', 'shared.yaml', '--no-config', '--only', 'shape'], folder)).exit).not.toBe(2)
})
