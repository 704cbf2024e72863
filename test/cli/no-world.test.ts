import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** A note that nothing describes the members and tags that answers depend on. */

const note = 'grantwise: note: no world file: people and resources are unknown\n'
const [ann, server] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:vps-1']

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
  mkdirSync(join(work, 'policies'))
})
afterEach(() => rmSync(work, { recursive: true }))

const policy = (identity: string, resource = server, condition = '') => `name: p
identities: ["${identity}"]
resources: [{ urn: "${resource}" }]
permissions: { allow: [{ action: "vps:apisvc:get" }] }
${condition}`
const put = (text: string, file = 'policies/p.yaml') => writeFileSync(join(work, file), text)
const ofGroup = policy('urn:v1:eu:identity:group:ab12-svc/ops')

const run = (...args: string[]) => mainIn(args, work, { NO_COLOR: '1' })
const countIn = (text: string) => text.split(note).length - 1
const notes = async (...args: string[]) => countIn((await run(...args)).stderr)

const [asked, of] = [
  ['can', ann, 'vps:apisvc:get', server],
  ['-p', 'policies'],
]

describe('without a world file', () => {
  test.each([
    asked,
    [...asked, '--format', 'json'],
    ['who', 'vps:apisvc:get', server],
    ['what', ann],
    ['matrix'],
    ['timeline'],
    ['escalate', ann],
    ['suggest', ann, 'vps:apisvc:get', server],
    ['graph', '--format', 'mermaid'],
  ])('%s says it once, apart from its answer', async (...args) => {
    put(ofGroup)
    const { stdout, stderr } = await run(...args, ...of)
    expect(stderr).toBe(note)
    expect(stdout).not.toContain('no world file')
    if (args.includes('json')) expect(JSON.parse(stdout)).toMatchObject({ verdict: 'deny' })
  })

  test('diff and report say it once for all that they compare', async () => {
    put(ofGroup)
    put(ofGroup, 'other.yaml')
    expect(await notes('diff', 'policies', 'other.yaml')).toBe(1)
    expect(await notes('report', 'policies', '--before', 'other.yaml', '-o', 'report.html')).toBe(1)
  })

  test('tests say it once, and not where they describe members themselves', async () => {
    put(ofGroup)
    const asked = { name: 't', identity: ann, action: 'vps:apisvc:get', resource: server, expect: 'deny' }
    const suite = { policies: ['policies'], tests: [asked] }
    put(JSON.stringify(suite), 'a.iamtest.json')
    put(JSON.stringify(suite), 'b.iamtest.json')
    expect(await notes('test')).toBe(1)
    const described = { ...suite, identities: [{ urn: ann, groups: [] }] }
    put(JSON.stringify(described), 'a.iamtest.json')
    expect(await notes('test', 'a.iamtest.json')).toBe(0)
  })

  test('the answer is the same as with a world file that describes another resource', async () => {
    put(ofGroup)
    const { stdout, exit } = await run(...asked, ...of)
    put(JSON.stringify({ policies: [], account: 'ab12-svc', resources: [{ urn: `${server}0` }] }), 'world.json')
    expect(await run(...asked, ...of, '-p', 'world.json')).toEqual({ stdout, stderr: '', exit })
  })

  test.each([
    ['tags', policy(ann, server, 'conditions: { operator: MATCH, values: { resource.Tag(env): dev } }\n'), 1],
    ['groups of resources', policy(ann, 'urn:v1:eu:resourceGroup:0a1b2c3d-0000-4000-8000-000000000000'), 1],
    ['users and resources by their names', policy(ann), 0],
  ])('policies about %s', async (_, text, count) => {
    put(text)
    expect(await notes(...asked, ...of)).toBe(count)
  })
})

describe('where it is not said', () => {
  const world = JSON.stringify({ identities: [{ urn: ann, groups: [] }] })

  test('with a world file among the paths', async () => {
    put(ofGroup)
    put(world, 'world.json')
    expect(await notes(...asked, ...of, '-p', 'world.json')).toBe(0)
  })

  test('with one of the configuration, as `init` names it, whatever it describes', async () => {
    put(ofGroup)
    put(world, 'world.json')
    await mainIn(['init'], work)
    expect(await notes(...asked)).toBe(0)
    put('{ "resources": [], "account": "ab12-svc", "policies": [] }', 'world.json')
    expect(await run(...asked)).toMatchObject({ stderr: '', exit: 1 })
  })

  test('with facts of a configuration', async () => {
    put(
      `resource "svc_iam_policy" "p" {
  name       = "p"
  identities = ["urn:v1:eu:identity:group:ab12-svc/ops"]
  resources  = ["${server}"]
  allow      = ["vps:apisvc:get"]
}
resource "svc_me_identity_user" "ann" {
  login = "ann"
  email = "ann@example.org"
  group = "ops"
}
`,
      'main.tf',
    )
    expect(await notes('who', 'vps:apisvc:get', server, '-p', 'main.tf')).toBe(0)
  })

  test('where a file cannot be read, which is said instead', async () => {
    put(`${ofGroup}identites: []\n`)
    expect(await run(...asked, ...of)).toMatchObject({ exit: 2, stderr: expect.not.stringContaining('no world file') })
  })
})
