import { describe, expect, test } from 'vitest'
import { idOf } from '../../src/declared/record.ts'
import { defaultSettings } from '../../src/names.ts'
import { readPriorState, readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { factText } from '../../src/simulate/facts.ts'
import { sourceOf } from '../../src/source.ts'
import { questionOf } from '../support/worlds.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const read = (text: string, path = 'x.yaml') => readSource(sourceOf(path, text), defaultSettings)

async function verdict(texts: readonly string[], over: { identity?: string; action?: string; resource?: string } = {}, path = 'x.yaml') {
  const reads = await Promise.all(texts.map((text, i) => read(text, `${i}${path}`)))
  expect(reads.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  const { world } = buildWorld(reads.map(({ facts }) => facts))
  const asked = { identity: ann, action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:vps-1', at: '2026-11-20T12:00:00Z', ...over }
  const { verdict, missing } = decide(world, questionOf(asked))
  return [verdict, ...missing.map(({ fact }) => factText(fact))]
}

async function problems(text: string) {
  const { diagnostics } = await read(text)
  return diagnostics.map(({ code, message, help, span }) => [code, message, help, text.slice(span.start, span.end)])
}

describe('a program of Pulumi', () => {
  const program = (resource: string, more = '') => `name: access
runtime: yaml
variables:
  everywhere: urn:v1:eu:resource:vps:*
  called:
    fn::invoke: { function: "svc:index:getMe" }
resources:
  web:
    type: svc:Iam/resourceGroup:ResourceGroup
    properties: { name: web, resources: ["urn:v1:eu:resource:vps:vps-1"] }
  bucket: { type: "acme:s3:Bucket" }
${more}  ops:
    type: svc:Iam/policy:Policy
    properties:
      name: ops
      identities: ["${ann}"]
      resources: [${resource}]
      allows: ["vps:apisvc:get"]
`
  test.each([
    ['a text', '"urn:v1:eu:resource:vps:vps-1"', ['allow']],
    ['a group of the program', '"${web.urn}"', ['allow']],
    ['a variable', '"${everywhere}"', ['allow']],
    ['a variable that is computed', '"${called}"', ['unknown', 'fn::invoke']],
    ['something else', '"${bucket.urn}"', ['unknown', 'bucket.urn']],
    ['a part of a text', '"urn:v1:eu:resource:vps:${bucket.name}"', ['unknown', 'urn:v1:eu:resource:vps:${bucket.name}']],
    ['a part of another text', '"urn:v1:eu:resource:dnsZone:${bucket.name}"', ['deny']],
    ['what a function gives', '{ "fn::invoke": { function: "f" } }', ['unknown', 'fn::invoke']],
    ['an escape', '"urn:v1:eu:resource:vps:$${web.urn}"', ['deny']],
  ])('%s', async (_, resource, expected) => {
    expect(await verdict([program(resource)])).toEqual(expected)
  })

  test('what is only read, and what is of another provider, is passed over', async () => {
    const other =
      '  seen: { type: "svc:Iam/policy:Policy", get: { id: "1" } }\n  far: { type: "acme:Iam/policy:Policy", properties: { nme: x } }\n'
    const { facts, diagnostics } = await read(program('"${web.urn}"', other))
    expect([facts.policies.map(({ name }) => name.value), diagnostics]).toEqual([['ops'], []])
  })

  test('words and values that are wrong are reported where they are written', async () => {
    expect(await problems(program('"urn:v1:eu:resource:vps:vps-1"').replace('allows', 'alows'))).toEqual([
      ['shape', '`alows` is no attribute of this kind of resource', 'did you mean `allows`?', 'alows'],
    ])
    expect(await problems(program('"urn:v1:eu:resorce:vps:vps-1"'))).toMatchObject([['resource-urn', {}, {}, 'resorce']])
    expect(
      (await problems(program('"urn:v1:eu:resource:vps:${bucket.name}"').replace('"vps:apisvc:get"', '"vps:apisvc"')))[0]?.[3],
    ).toContain('vps:apisvc')
    expect(await problems(program('"${everywhere}"').replace('allows', 'id: 1\n      allows'))).toEqual([
      ['shape', '`id` is given by the service and cannot be written', 'remove it', 'id'],
    ])
  })

  test('an entry counts twice where two spellings give it', async () => {
    const text = program('"${everywhere}"').replace('allows', 'allow: ["vps:apisvc:reboot"]\n      allows')
    expect(await problems(text)).toEqual([
      ['shape', '`allows` says the same as `allow`, which is given too', 'put all under one of them', 'allows'],
    ])
  })

  test('variables that hold one another twice are refused before they fill the memory', async () => {
    const variables = Array.from({ length: 30 }, (_, i) => `  v${i + 1}: ["\${v${i}}", "\${v${i}}"]\n`).join('')
    const text = `name: x\nruntime: yaml\nvariables:\n  v0: a\n${variables}resources:\n  p:\n    type: svc:Iam:Policy\n    properties: { name: p, identities: "\${v30}" }\n`
    expect((await problems(text)).map(([code, message]) => [code, message])).toContainEqual([
      'shape',
      'the values of this program have more than 200000 parts',
    ])
  })

  test.each([
    ['allows', 'unknown'],
    ['"allows[0]"', 'unknown'],
    ['"*"', 'unknown'],
    ['description', 'allow'],
  ])('changes of %s that are not applied leave it: %s', async (path, expected) => {
    const text = `${program('"${everywhere}"').replace('"${ann}"', '"urn:v1:eu:identity:user:ab12-svc/ann"')}    options: { ignoreChanges: [${path}] }\n`
    expect((await verdict([text]))[0]).toBe(expected)
  })

  test.each([
    ['nodejs', ['the runtime is `nodejs`: nothing in `resources` of this file is deployed']],
    ['{ name: yaml, options: { compiler: make } }', ['a compiler makes the program: nothing in `resources` of this file is deployed']],
    ['{ name: yaml }', []],
  ])('the runtime %s', async (runtime, expected) => {
    const found = await problems(program('"${everywhere}"').replace('runtime: yaml', `runtime: ${runtime}`))
    expect(found.map(([, message]) => message)).toEqual(expected)
  })

  test('comments leave findings out', async () => {
    const { ignores } = await read(
      program('"${everywhere}"').replace('      allows', '      # grantwise-ignore unknown-action: in use\n      allows'),
    )
    expect(ignores.map(({ codes }) => codes.map(({ value }) => value))).toEqual([['unknown-action']])
  })
})

describe('a preview of Pulumi', () => {
  const unknown = '04da6b54-80e4-46f7-96ec-b56ff0331ba9'
  const urn = (type: string, name: string) => `urn:pulumi:prod::access::svc:Iam/${type}::${name}`
  const state = (inputs: object, rest: object = {}, type = 'policy:Policy') => ({ type: `svc:Iam/${type}`, inputs, ...rest })
  const inputs = { name: 'ops', identities: [ann], resources: ['urn:v1:eu:resource:vps:vps-1'], allows: ['vps:apisvc:get'] }
  const step = (op: string, over: object = {}) => ({ op, urn: urn('policy:Policy', 'ops'), ...over })
  const text = (...steps: object[]) => JSON.stringify({ steps, changeSummary: {} })

  test.each([
    ['create', [], ['new']],
    ['update', ['old'], ['new']],
    ['same', ['old'], ['new']],
    ['delete', ['old'], []],
    ['create-replacement', [], ['new']],
    ['replace', [], []],
    ['delete-replaced', ['old'], []],
    ['read', [], []],
  ])('what is there with a step `%s`', async (op, before, after) => {
    const written = text(step(op, { oldState: state({ ...inputs, name: 'old' }), newState: state({ ...inputs, name: 'new' }) }))
    const old = await readPriorState(sourceOf('p.json', written), defaultSettings)
    expect(old.facts.policies.map(({ name }) => name.value)).toEqual(before)
    expect((await read(written, 'p.json')).facts.policies.map(({ name }) => name.value)).toEqual(after)
  })

  test('values that are known after the update, and secrets', async () => {
    const policy = (over: object) => text(step('create', { newState: state({ ...inputs, ...over }) }))
    expect(await verdict([policy({ identities: [unknown] })], {}, '.json')).toEqual(['unknown', 'ops.identities[0]'])
    expect(await verdict([policy({ identities: unknown })], {}, '.json')).toEqual(['unknown', 'ops.identities'])
    expect(await verdict([policy({ allows: '[secret]' })], {}, '.json')).toEqual(['unknown', 'ops.allows'])
    const secret = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'x' }
    expect(await verdict([policy({ allows: [secret] })], {}, '.json')).toEqual(['unknown', 'ops.allows[0]'])
  })

  test('a group that a property depends on', async () => {
    const group = {
      op: 'create',
      urn: urn('resourceGroup:ResourceGroup', 'web'),
      newState: state({ name: 'web', resources: ['urn:v1:eu:resource:vps:vps-1'] }, {}, 'resourceGroup:ResourceGroup'),
    }
    const policy = step('create', {
      newState: state({ ...inputs, resources: [unknown] }, { propertyDependencies: { resources: [group.urn] } }),
    })
    expect(await verdict([text(group, policy)], {}, '.json')).toEqual(['allow'])
    expect(await verdict([text(group, policy)], { resource: 'urn:v1:eu:resource:vps:vps-2' }, '.json')).toEqual(['deny'])
  })
})

describe('manifests of Crossplane', () => {
  test.each([
    ['nothing', '{}', '', 'default null'],
    ['the default', '{}', '  providerConfigRef: { name: default }\n', 'default null'],
    ['all of management', '{}', '  managementPolicies: [Observe, Create, Update]\n', 'default null'],
    ['another provider', '{}', '  providerConfigRef: { name: prod }\n', 'prod null'],
    ['a pause', '{ crossplane.io/paused: "true" }', '', 'default crossplane.io/paused'],
    ['the end of a pause', '{ crossplane.io/paused: "false" }', '', 'default null'],
    ['no update', '{}', '  managementPolicies: [Create, Delete]\n', 'default Create Delete'],
  ])('%s says whose account a policy is of', async (_, annotations, spec, expected) => {
    const text = `apiVersion: iam.svc.example.org/v1\nkind: Policy\nmetadata: { name: a, annotations: ${annotations} }\nspec:\n  forProvider: { name: a, identities: ["${ann}"], resources: ["urn:v1:eu:resource:vps:*"], allow: ["vps:apisvc:get"] }\n${spec}`
    const { facts } = await read(text)
    const [name = '', held] = expected.split(/ (.*)/s)
    const id = idOf(`providerConfigRef ${name}`, JSON.stringify([name, '', held === 'null' ? null : held]))
    expect(facts.policies.map(({ account }) => account?.id)).toEqual([id])
  })

  const manifest = (kind: string, name: string, body: string, group = 'iam.svc.example.org') =>
    `apiVersion: ${group}/v1alpha1\nkind: ${kind}\nmetadata: { name: ${name} }\nspec:\n  forProvider:\n${body.replace(/^/gm, '    ')}\n`
  const group = manifest('ResourceGroup', 'web', 'name: web\nresources: ["urn:v1:eu:resource:vps:vps-1"]')
  const policy = (resources: string) =>
    manifest('Policy', 'ops', `name: ops\nidentities: ["${ann}"]\n${resources}\nallow: ["vps:apisvc:get"]`)

  test('a group whose manifest is not applied for now has what there is already, which is not known', async () => {
    const paused = (value: string) => group.replace('name: web }', `name: web, annotations: { crossplane.io/paused: "${value}" } }`)
    const files = (value: string) => [paused(value), policy('resourcesRefs: [{ name: web }]')]
    expect(await verdict(files('false'))).toEqual(['allow'])
    for (const resource of ['urn:v1:eu:resource:vps:vps-1', 'urn:v1:eu:resource:vps:vps-2'])
      expect((await verdict(files('true'), { resource }))[0], resource).toBe('unknown')
  })

  test('a reference to a manifest of another file', async () => {
    const files = [group, policy('resourcesRefs: [{ name: web }]')]
    expect(await verdict(files)).toEqual(['allow'])
    expect(await verdict(files, { resource: 'urn:v1:eu:resource:vps:vps-2' })).toEqual(['deny'])
    expect(await verdict([files[1] as string])).toEqual(['unknown', 'resourceGroup:ResourceGroup/web.urn'])
  })

  test('a reference next to an empty list', async () => {
    expect(await verdict([group, policy('resources: null\nresourcesRefs: [{ name: web }]')])).toEqual(['allow'])
  })

  test('what a selector finds, and what is there besides', async () => {
    const selected = 'resources: ["urn:v1:eu:resource:vps:vps-2"]\nresourcesSelector: { matchLabels: { team: web } }'
    expect(await verdict([policy(selected)])).toEqual(['unknown', 'Policy/ops.resourcesSelector'])
    expect(await verdict([policy(selected)], { resource: 'urn:v1:eu:resource:vps:vps-2' })).toEqual(['allow'])
  })

  test('other manifests are next to them; those of others hold no policy', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n'
    expect(await verdict([`${service}---\n${group}---\n${policy('resourcesRefs: [{ name: web }]')}`])).toEqual(['allow'])
    expect((await read(service)).holdsPolicies).toBe(false)
    expect((await read(manifest('Policy', 'ops', 'name: ops', 'iam.acme.example.org'))).holdsPolicies).toBe(false)
    expect((await read(manifest('Policy', 'ops', 'name: ops', 'svc.example.org'))).holdsPolicies).toBe(false)
    const list = `apiVersion: v1\nkind: List\nitems:\n${[group, policy('resourcesRefs: [{ name: web }]')].map((each) => `- ${each.trimEnd().replaceAll('\n', '\n  ')}\n`).join('')}`
    expect(await verdict([list])).toEqual(['allow'])
  })

  describe('as generated providers call them', () => {
    const group = 'iam.svc.acme.io'
    const iam = (kind: string, name: string, body: string, of = group) => manifest(kind, name, body, of)
    const web = iam('IAMResourceGroup', 'web', 'name: web\nresources: ["urn:v1:eu:resource:vps:vps-1"]')
    const care = iam('IAMPermissionsGroup', 'care', 'name: care\nallow: ["vps:apisvc:get"]')
    const ops = (rest: string, of = group, kind = 'IAMPolicy') => iam(kind, 'ops', `name: ops\nidentities: ["${ann}"]\n${rest}`, of)

    test.each<readonly [shows: string, texts: readonly string[], expected: readonly string[]]>([
      ['a policy', [ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]')], ['allow']],
      [
        'of a namespaced group',
        [ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]', 'iam.svc.m.acme.io')],
        ['allow'],
      ],
      ['with a deny', [ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:*"]\ndeny: ["vps:apisvc:get"]')], ['deny']],
      ['with groups', [web, care, ops('resourcesRefs: [{ name: web }]\npermissionsGroupsRefs: [{ name: care }]')], ['allow']],
      [
        'with a group that is not there',
        [ops('resourcesRefs: [{ name: web }]\nallow: ["vps:apisvc:get"]')],
        ['unknown', 'resourceGroup:IAMResourceGroup/web.urn'],
      ],
      [
        'with identities by reference',
        [
          iam(
            'IAMPolicy',
            'ops',
            'name: ops\nidentitiesRefs: [{ name: team }]\nresources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]',
          ),
        ],
        ['unknown', 'IAMPolicy/ops.identitiesRefs[0]'],
      ],
      [
        'with identities by a selector',
        [
          iam(
            'IAMPolicy',
            'ops',
            'name: ops\nidentitiesSelector: { matchLabels: { a: b } }\nresources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]',
          ),
        ],
        ['unknown', 'IAMPolicy/ops.identitiesSelector'],
      ],
      [
        'with a list of what only counts at first',
        [
          `${iam('IAMPolicy', 'ops', `name: ops\nidentities: ["${ann}"]`)}  initProvider:\n    resources: ["urn:v1:eu:resource:vps:vps-1"]\n    allow: ["vps:apisvc:get"]\n`,
        ],
        // Its value since then is not known.
        ['unknown', 'spec.initProvider.allow', 'spec.initProvider.resources'],
      ],
      [
        'of a kind that nobody knows',
        [ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]', group, 'AccessRule')],
        ['allow'],
      ],
      [
        'of a group that nobody knows',
        [ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]', 'acme.example.org')],
        ['allow'],
      ],
      [
        'that only looks',
        [`${ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]')}  managementPolicies: [Observe]\n`],
        ['deny'],
      ],
      [
        'in a list of one kind',
        [
          `apiVersion: ${group}/v1alpha1\nkind: IAMPolicyList\nitems:\n- ${ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]').trimEnd().replaceAll('\n', '\n  ')}\n`,
        ],
        ['allow'],
      ],
    ])('%s', async (_, texts, expected) => {
      expect(await verdict(texts)).toEqual(expected)
    })

    const base = ops('resources: ["urn:v1:eu:resource:vps:vps-1"]\nallow: ["vps:apisvc:get"]')
    test.each([
      [
        'a composition',
        `apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: { name: x }\nspec:\n  pipeline:\n  - step: make\n    input:\n      resources:\n      - name: ops\n        base:\n          ${base.trimEnd().replaceAll('\n', '\n          ')}\n`,
        'Composition',
        'lint what it renders: `crossplane render … | grantwise lint -`',
      ],
      [
        'a claim',
        `apiVersion: team.example.org/v1\nkind: Access\nmetadata: { name: x }\nspec: { parameters: { identities: ["${ann}"], allow: ["vps:*"] } }\n`,
        'Access',
        'policies are read from `spec.forProvider` of a managed resource',
      ],
    ])('what resembles a policy and is not understood is said: %s', async (_, text, kind, help) => {
      const message = `\`${kind}\` resembles a policy and is not read: what it allows and denies is not known`
      expect(await problems(text)).toEqual([['shape', message, help, kind]])
      const { diagnostics, holdsPolicies } = await read(text)
      expect([diagnostics.map(({ severity }) => severity), holdsPolicies]).toEqual([['error'], true])
    })

    test.each([
      [
        'a policy of another cloud',
        'apiVersion: iam.aws.upbound.io/v1beta1\nkind: Policy\nmetadata: { name: x }\nspec: { forProvider: { policy: "{}", identities: [a], allow: [b] } }\n',
      ],
      [
        'a policy of the network',
        'apiVersion: x.io/v1\nkind: NetworkPolicy\nmetadata: { name: x }\nspec: { deny: [a], allow: [b], identities: [c] }\n',
      ],
      [
        'a resource of ours that holds no access',
        'apiVersion: me.svc.acme.io/v1alpha1\nkind: Group\nmetadata: { name: x }\nspec: { forProvider: { name: urn:v1:x, description: y } }\n',
      ],
    ])('others are passed over: %s', async (_, text) => {
      const { diagnostics, holdsPolicies } = await read(text)
      expect([diagnostics.map(({ message }) => message), holdsPolicies]).toEqual([['no policy here'], false])
    })
  })

  test('what is wrong is reported where it is written', async () => {
    expect(await problems(policy('resource: ["urn:v1:eu:resource:vps:vps-1"]\nresources: ["urn:v1:eu:resource:vps:vps-1"]'))).toEqual([
      ['shape', '`resource` is no attribute of this kind of resource', 'did you mean `resources`?', 'resource'],
    ])
    expect(await problems(policy('resources: "urn:v1:eu:resource:vps:vps-1"'))).toMatchObject([
      ['shape', 'expected a list, found a text', {}, '"urn:v1:eu:resource:vps:vps-1"'],
    ])
  })
})
