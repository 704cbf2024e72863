import { describe, expect, test } from 'vitest'
import { deploymentChanges } from '../../src/deployment/changes.ts'
import { extendedChanges } from '../../src/deployment/extended.ts'
import { fact, noCommits, type Policies, Repository } from '../../src/deployment/facts.ts'
import { takesFrom } from '../../src/deployment/handing.ts'
import { folderOf } from '../../src/hcl/paths.ts'
import { type GateCase, gateCases } from '../support/gate-cases.ts'

/** Findings about how a change is deployed, without git and without the policies. */

const everything: Policies = {
  files: [],
  folders: [],
  parts: [],
  compared: [''],
  nameUnknown: true,
  inTerraform: true,
  inManifests: true,
  nameGroups: true,
  groupNames: [],
  readTags: true,
  brand: 'svc',
  prefix: 'svc',
}

type Files = Readonly<Record<string, string>>

function statesOf({ base = {}, change = {} }: GateCase): readonly [Files, Files] {
  const texts = (files: typeof base) => Object.entries(files).filter((each): each is [string, string] => typeof each[1] === 'string')
  const before = Object.fromEntries(texts(base))
  const after = Object.fromEntries(texts({ ...base, ...change }))
  return [before, after]
}

function policiesOf(files: Files): Policies {
  const isPolicy = ([path, text]: [string, string]) => /\.(?:tf|ya?ml|json)$/.test(path) && /urn:v1:/.test(text)
  const paths = Object.entries(files).filter(isPolicy)
  return { ...everything, files: paths.map(([path]) => path), folders: paths.map(([path]) => folderOf(path)) }
}

function changes(before: Files, after: Files, policies = policiesOf({ ...before, ...after })) {
  const [a, b] = [before, after].map((files) => new Repository({ paths: Object.keys(files), text: (path) => files[path] }))
  const paths = new Set([...Object.keys(before), ...Object.keys(after)].filter((path) => before[path] !== after[path]))
  return deploymentChanges(a as NonNullable<typeof a>, b as NonNullable<typeof b>, paths, policies)
}

const cases = gateCases().get('deployment.yaml') ?? []

describe('what is noticed of a change', () => {
  test('is noticed of the change that takes it back, of the same files', async () => {
    let noticed = 0
    for (const each of cases) {
      const [before, after] = statesOf(each)
      const [there, back] = [await changes(before, after), await changes(after, before)]
      noticed += there.length
      expect(back.length, each.title).toBe(there.length)
    }
    expect(noticed).toBeGreaterThan(50)
  })

  test('depends on no comment and no empty line', async () => {
    const workflow = 'jobs:\n  a:\n    steps:\n      - run: terraform apply\n'
    const policies = { ...everything, files: ['iam/main.tf'], folders: ['iam'] }
    const to = (text: string) => changes({ '.github/workflows/a.yml': workflow }, { '.github/workflows/a.yml': text }, policies)
    expect(await to(`# applies\n\n${workflow}`)).toEqual([])
    expect(await to(workflow.replace('apply', 'apply -var-file=b.tfvars'))).toEqual([
      { path: '.github/workflows/a.yml', why: 'it has `terraform`' },
    ])
  })

  test('reaches through scripts that a pipeline calls', async () => {
    const policies = { ...everything, inManifests: false, files: ['iam/main.tf'], folders: ['iam'] }
    const files = (name: string): Files => ({
      '.github/workflows/a.yml': `jobs: { a: { steps: [{ run: "make ${name}" }] } }\n`,
      Makefile: 'prod:\n\t./scripts/roll.sh prod\n',
      'scripts/roll.sh': '#!/bin/sh\nexec ./scripts/apply.sh "$1"\n',
      'scripts/apply.sh': '#!/bin/sh\nterraform apply -var-file="$1.tfvars"\n',
    })
    expect(await changes(files('prod'), files('dev'), policies)).toEqual([
      { path: '.github/workflows/a.yml', why: 'it names `scripts/apply.sh`, which takes part in the deployment' },
    ])
    const apart = { ...files('prod'), 'scripts/apply.sh': '#!/bin/sh\necho "$1"\n' }
    expect(await changes(apart, { ...apart, '.github/workflows/a.yml': 'jobs: {}\n' }, policies)).toEqual([])
  })

  test('is the same wherever the same is written', async () => {
    const user = 'resource "svc_me_identity_user" "eve" {\n  login = "eve"\n  group = "ops"\n}\n'
    expect(await changes({ 'a.tf': user }, { 'b.tf': user }, everything)).toEqual([])
    expect(await changes({ 'a.tf': user }, { 'b.tf': user.replace('ops', 'dev') }, everything)).toEqual([
      { path: 'a.tf', why: '`svc_me_identity_user.eve` says who is in which group' },
      { path: 'b.tf', why: '`svc_me_identity_user.eve` says who is in which group' },
    ])
  })
})

describe('what counts since nothing shows that it has no part', () => {
  const policies = { ...everything, inTerraform: false, inManifests: false, files: ['policies/a.json'], folders: ['policies'] }
  const sender = { 'tools/push.py': 'import requests\nrequests.post("https://api/v2/iam/policy")\n' }
  /** Why a file counts whose text changes. */
  const why = async (path: string, files: Files = {}, texts = ['a = 1\n', 'a = 2\n'], about = policies) => {
    const [old = '', now = ''] = texts
    const state = (text: string): Files => ({ ...sender, ...files, [path]: text })
    return (await changes(state(old), state(now), about)).find((each) => each.path === path)?.why
  }

  test.each(['level.conf', 'config.unknown', 'policies/order.txt', 'data/levels.yaml', 'docs/a.yaml', '.hidden/values', 'live/env.hcl'])(
    '%s, whose purpose is not known',
    async (path) => {
      expect(await why(path)).toBe('nothing shows that deployment does not use it')
    },
  )

  test.each([
    'README.md',
    'docs/a.md',
    'web/logo.svg',
    'web/App.tsx',
    'web/locales/de.json',
    'test/a.py',
    '.editorconfig',
    '.vscode/settings.json',
  ])('but not %s, by what it is', async (path) => {
    expect(await why(path)).toBeUndefined()
  })

  test('but not a file of an application that is not about policies', async () => {
    expect(await why('shop/views.py')).toBeUndefined()
    expect(await why('shop/values.ini', { 'shop/views.py': 'a = 1\n' })).toBeUndefined()
    expect(await why('shop/values.ini', { 'shop/views.py': 'import iam_client\n' })).toBe(
      '`shop/views.py` is about policies, and may use it',
    )
  })

  test('a package that a package about policies uses, by way of others', async () => {
    const manifest = (name: string, ...uses: readonly string[]) =>
      JSON.stringify({ name: `@acme/${name}`, dependencies: Object.fromEntries(uses.map((each) => [`@acme/${each}`, '*'])) })
    const files = {
      'packages/send/package.json': manifest('send', 'pick'),
      'packages/send/index.js': 'import "@acme/pick"\nfetch("https://api/v2/iam/policy")\n',
      'packages/pick/package.json': manifest('pick', 'texts'),
      'packages/texts/package.json': manifest('texts'),
      'packages/page/package.json': manifest('page', 'texts'),
    }
    expect(await why('packages/texts/values.ini', files)).toBe('`packages/send/index.js` is about policies, and may use it')
    expect(await why('packages/page/values.ini', files)).toBe(undefined)
  })

  test('of Go, a package that a program which is about policies imports', async () => {
    const files = {
      'go.mod': 'module acme.example/x\n',
      'cmd/send/main.go': 'package main\n\nimport (\n\t"acme.example/x/internal/api"\n\t"acme.example/x/internal/pick"\n)\n',
      'internal/api/api.go': 'package api\n\nvar url = "/v2/iam/policy"\n',
      'internal/pick/other.go': 'package pick\n',
      'cmd/shop/main.go': 'package main\n\nimport "acme.example/x/internal/cart"\n',
    }
    const texts = ['package a\n', 'package a\n\nvar b = 1\n']
    expect(await why('internal/pick/pick.go', files, texts)).toBe('`cmd/send/main.go` is about policies, and may use it')
    expect(await why('internal/cart/cart.go', files, texts)).toBeUndefined()
  })

  test('of a large application, what is in the folder of a file about policies', async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`shop/pages/page${i}.py`, 'a = 1\n']))
    const files = { ...many, 'shop/access/client.py': 'import iam_client\n' }
    expect(await why('shop/access/values.ini', files)).toBe('`shop/access/client.py` is about policies, and may use it')
    expect(await why('shop/pages/values.ini', files)).toBeUndefined()
  })

  test('of manifests that a program goes through, the fields that it names', async () => {
    const reader = 'for (const each of readdirSync("apps")) send(parse(readFileSync(`apps/${each}/package.json`)).version)\n'
    const files = { 'tools/push.mjs': `${reader}fetch("https://api/v2/iam/policy")\n`, 'apps/other/package.json': '{}' }
    const manifest = (version: string, shop: string) => JSON.stringify({ name: 'shop', version, dependencies: { shop } })
    const whyOf = (old: string, now: string) => why('apps/shop/package.json', files, [old, now])
    expect(await whyOf(manifest('1.0.0', '1'), manifest('2.0.0', '1'))).toBe('`tools/push.mjs` may go by what it says')
    expect(await whyOf(manifest('1.0.0', '1'), manifest('1.0.0', '2'))).toBeUndefined()
  })

  test('of lists of requirements what is taken from elsewhere, not versions and their hashes', async () => {
    const listed = (version: string, source = '') => `${source}requests==${version} \\\n    --hash=sha256:${version}\n`
    expect(await why('requirements.txt', {}, [listed('1'), listed('2')])).toBeUndefined()
    expect(await why('requirements.txt', {}, [listed('1'), listed('1', '-e ./libs/other\n')])).toContain('commits of other repositories')
    expect(await why('requirements.txt', {}, [listed('1', '--no-index\n'), listed('2', '--no-index\n')])).toContain('other repositories')
  })

  test.each([
    ['for i in 1 2; do curl -d @$i https://api; done\n', 'nothing shows that deployment does not use it'],
    ['if true; then rsync -a . host:/srv; fi\n', 'nothing shows that deployment does not use it'],
    ['if true; then npm test; fi\n', undefined],
    ['for i in $(seq 3); do psql -h localhost -c "INSERT INTO cart VALUES ($i)"; done\n', undefined],
  ])('a script, by its commands: %j', async (script, expected) => {
    expect(await why('bin/other.sh', {}, ['#!/bin/sh\nset -e\n', `#!/bin/sh\nset -e\n${script}`])).toBe(expected)
  })

  test('commits of other repositories in a list of versions, not versions of packages', async () => {
    const flake = (rev: string, owner: string) =>
      JSON.stringify({ nodes: { a: { locked: { owner, rev, type: 'github' } }, root: { inputs: { a: 'a' } } } })
    expect(await why('flake.lock', {}, [flake('1', 'acme'), flake('2', 'acme')])).toContain('commits of other repositories')
    expect(await why('flake.lock', {}, [flake('1', 'NixOS'), flake('2', 'NixOS')])).toBeUndefined()
    expect(await why('flake.lock', {}, ['{"nodes": {', '{"nodes": { '])).toContain('commits of other repositories')
    const line = (version: string) => `requests==${version}\n`
    expect(await why('tools/requirements.txt', {}, [line('1'), line('2')])).toBeUndefined()
    const pinned = (rev: string) => `orgtool @ git+https://git.acme.example/orgtool@${rev}\n`
    expect(await why('tools/requirements.txt', {}, [pinned('1'), pinned('2')])).toContain('`tools/push.py`')
  })

  test('another image, not another version of it', async () => {
    const object = (image: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { a: "1" }\n---\nimage: registry.acme.example:5000/${image}\n`
    expect(await why('k8s/a.yaml', {}, [object('shop:1.0'), object('shop:1.1')])).toBeUndefined()
    expect(await why('k8s/a.yaml', {}, [object('shop@sha256:ab'), object('shop:1.1')])).toBeUndefined()
    expect(await why('k8s/a.yaml', { 'push/Dockerfile': 'FROM a\nRUN curl /iam/policy\n' }, [object('shop:1.0'), object('push:1.0')])).toBe(
      'it names `push`, which is about policies',
    )
  })

  test('a ConfigMap in a file of several objects, of which another is known', async () => {
    const release =
      'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a }\nspec: { path: ./policies, prune: true }\n'
    const map = (value: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndata: { a: "${value}" }\n`
    const files = { 'push/Dockerfile': 'FROM a\nRUN curl /iam/policy\n', 'k8s/job.yaml': 'apiVersion: batch/v1\nkind: Job\nimage: push\n' }
    const texts = (head: string) => ['1', '2'].map((value) => `${head}${map(value)}`)
    const inManifests = { ...policies, inManifests: true }
    expect(await why('k8s/a.yaml', files, texts(''), inManifests)).toContain('is about policies')
    expect(await why('k8s/a.yaml', files, texts(`${release}---\n`), inManifests)).toContain('is about policies')
    expect(await why('k8s/a.yaml', files, [release, `${release}---\n${map('1')}`], inManifests)).toContain('is about policies')
    expect(await why('k8s/a.yaml', files, [`${release}---\n${map('1')}`, release], inManifests)).toContain('is about policies')
  })

  test('in a large repository, an object that runs a program which sends policies', async () => {
    const many = Object.fromEntries(Array.from({ length: 2100 }, (_, i) => [`shop/page${i}.py`, 'a = 1\n']))
    const files = { ...many, 'services/pusher/send.py': 'import requests\nrequests.post("https://api/v2/iam/policy")\n' }
    const object = (name: string, replicas: number) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec: { replicas: ${replicas} }\n`
    expect(await why('k8s/a.yaml', files, [object('pusher', 1), object('pusher', 0)])).toContain('services/pusher')
    expect(await why('k8s/b.yaml', files, [object('shop', 1), object('shop', 0)])).toBeUndefined()
  })

  test('values of Terraform that a program asks for, not words that any has', async () => {
    const stored = (value: string, protocol: string) =>
      `resource "acme_parameter" "a" {\n  name = "/rollout/wave"\n  value = "${value}"\n}\nresource "acme_rule" "b" {\n  protocol = "${protocol}"\n  type = "application/json"\n}\n`
    const files = {
      'tools/ask.py':
        'import requests\nrequests.post("https://api/v2/iam/policy", json=get("/rollout/wave"), method="POST", type="application/json", via="HTTPS")\n',
    }
    expect(await why('infra/main.tf', files, [stored('a', 'HTTPS'), stored('b', 'HTTPS')])).toContain('`acme_parameter.a`')
    expect(await why('infra/main.tf', files, [stored('a', 'HTTPS'), stored('a', 'HTTP')])).toBeUndefined()
  })

  test('programs of any name, also of one that languages have', async () => {
    const text = '#!/bin/bash\ncurl -d @a.json https://api/v2/iam/policy\n'
    const names = ['shell', 'task', 'py', 'js']
    const files = { ...Object.fromEntries(names.map((name) => [`bin/${name}`, text])), 'shop/views.py': 'a = 1\n' }
    expect(await why('bin/other', files)).toContain('is about policies')
  })

  test('a script, but one that only builds and tests', async () => {
    expect(await why('build.sh', {}, ['npm ci\n', 'npm ci && npm test\n'])).toBeUndefined()
    expect(await why('build.sh', {}, ['npm ci\n', 'npm ci > policies/a.json\n'])).toBeDefined()
    expect(await why('roll.sh', {}, ['./a\n', './b\n'])).toBe('nothing shows that deployment does not use it')
  })
})

describe('published cases without git', () => {
  // The policies of these say the same before and after: what counts is how they are deployed.
  test.each([
    'deployment-through.yaml',
    'deployment-servers.yaml',
    'deployment-digests.yaml',
    'deployment-artifacts.yaml',
    'deployment-packed.yaml',
    'terraform-untracked.yaml',
  ])('of %s', async (name) => {
    for (const each of gateCases().get(name) ?? []) {
      const [before, after] = statesOf(each)
      const all = policiesOf({ ...before, ...after })
      const inTerraform = all.files.some((path) => path.endsWith('.tf'))
      const found = await changes(before, after, { ...all, inTerraform, inManifests: false, parts: inTerraform ? Object.keys(after) : [] })
      expect(
        found.map(({ path }) => path).filter((path) => each.change?.[path] !== undefined),
        each.title,
      ).toHaveLength(each.access === 'unclear' ? Object.keys(each.change ?? {}).filter((path) => before[path] !== after[path]).length : 0)
    }
  })
})

test('a file that is removed, and one that may be run now, count as one that is written does', async () => {
  const policies = { ...everything, files: ['iam/a.json'], folders: ['iam'] }
  const files = {
    'iam/a.json': '{}',
    'run.sh': 'run-parts hooks\ncurl -X PUT -d @iam/a.json $API/iam/policy\n',
    'hooks/10-note': 'echo done\n',
  }
  const { 'hooks/10-note': _, ...fewer } = files
  expect(await changes(files, fewer, policies)).toMatchObject([{ path: 'hooks/10-note' }])
  expect(await changes({ ...files, 'choice.conf': 'all' }, files, policies)).toMatchObject([{ path: 'choice.conf' }])
  const state = (isRun: boolean) =>
    new Repository({ paths: Object.keys(files), text: (path) => files[path as keyof typeof files], isExecutable: () => isRun })
  const found = await deploymentChanges(state(false), state(true), ['hooks/10-note'], policies)
  expect(found).toMatchObject([{ path: 'hooks/10-note' }])
})

describe('a file of the same text that may be run now', () => {
  const policies = { ...everything, inTerraform: false, inManifests: false, files: ['iam/a.json'], folders: ['iam'] }
  const files: Files = {
    'iam/a.json': '{"name": "a"}',
    'run.sh': 'run-parts hooks\nfor each in iam/*.json; do curl -X PUT -d @$each $API/iam/policy; done\n',
    'hooks/10-note': 'echo done\n',
    'hooks/note.py': 'print("done")\n',
    'tools/push.py': 'import requests\nrequests.put(url + "/v2/iam/policy")\n',
    '.github/workflows/a.yml': 'jobs: { a: { steps: [{ run: node tools/choose.mjs }] } }\n',
    'tools/choose.mjs': 'send("iam/a.json")\n',
    'data/levels.yaml': 'a: 1\n',
    'README.md': '# Read me\n',
  }
  const changed = (path: string, isSame = false) => {
    const state = (isRun: boolean) =>
      new Repository({
        paths: Object.keys(files),
        text: (each) => files[each],
        isExecutable: (each) => isRun && each === path,
      })
    return deploymentChanges(state(false), state(true), [path], policies, [], isSame)
  }

  test.each(['run.sh', 'hooks/10-note', 'hooks/note.py', 'tools/push.py', 'tools/choose.mjs', 'data/levels.yaml'])(
    '%s counts',
    async (path) => {
      expect(await changed(path)).toMatchObject([{ path }])
    },
  )
  test('a policy counts where programs choose the files that they send', async () => {
    expect(await changed('iam/a.json', true)).toMatchObject([{ path: 'iam/a.json' }])
  })
  test('a page does not', async () => {
    expect(await changed('README.md', true)).toEqual([])
  })
})

describe('facts of policies', () => {
  const shared = [fact({ path: 'iam/a.json' }, 'its policy has the id of another one', 'a')]
  test.each([
    ['that only the state before has', [shared, []], ['iam/a.json']],
    ['that only the state after has', [[], shared], ['iam/a.json']],
    ['that both have', [shared, shared], []],
  ])('%s', async (_, facts, expected) => {
    const state = () => new Repository({ paths: ['iam/a.json'], text: () => '{}' })
    const found = await deploymentChanges(state(), state(), [], everything, facts)
    expect(found.map(({ path }) => path)).toEqual(expected)
  })
})

test('a package that the configuration extends has another digest in a list of versions, below its version', () => {
  const list = (name: string, digest: string) =>
    `{\n  "packages": {\n    "node_modules/${name}": {\n      "version": "1.0.0",\n      "resolved": "https://npm.acme.example/a.tgz",\n      "integrity": "${digest}"\n    }\n  }\n}\n`
  const state = (text: string) => new Repository({ paths: ['package-lock.json'], text: () => text })
  const changed = (name: string) =>
    extendedChanges(state(list(name, 'sha512-a')), state(list(name, 'sha512-b')), ['package-lock.json'], ['acme-lint'])
  expect(changed('acme-lint')).toMatchObject([{ path: 'package-lock.json' }])
  expect(changed('other')).toEqual([])
})

describe('commits between two states', () => {
  /** The programs that depend on the commits, where one deploys. */
  const dependent = async (script: string, messages: string, touched: readonly string[] = []) => {
    const files: Files = { 'deploy.sh': `${script}\ncurl -X PUT -d @iam/a.json $API/iam/policy\n`, 'iam/a.json': '{}' }
    const state = () => new Repository({ paths: Object.keys(files), text: (path) => files[path] })
    const policies = { ...everything, files: ['iam/a.json'], folders: ['iam'] }
    const found = await deploymentChanges(state(), state(), [], policies, [], true, { messages, touched: () => touched })
    return found.map(({ path }) => path)
  }

  test.each([
    ['a word that a search looks for, without quotes', 'git log -1 --format=%B | grep -q deploy-all', 'Widen: deploy-all'],
    ['a word of four letters', 'git log -1 --format=%B | grep -q "full"', 'A full run'],
    ['a trailer, of which the format is written apart', "as='%(trailers:key=Iam-Level)'", 'Widen\n\nIam-Level: high'],
  ])('count by %s', async (_, script, message) => {
    expect(await dependent(script, message)).toEqual(['deploy.sh'])
    expect(await dependent(script, 'Another message')).toEqual([])
  })

  test('count where one changes a policy and another takes it back, also a policy of which nothing is left', async () => {
    const script = 'for c in $(git rev-list $BASE..HEAD); do ./send $c; done'
    expect(await dependent(script, 'message', ['iam/gone.json'])).toEqual(['deploy.sh'])
    expect(await dependent(script, 'message', ['iam/a.json'])).toEqual(['deploy.sh'])
    expect(await dependent(script, 'message', ['web/page.ts'])).toEqual([])
  })
})

test('of more files than are looked through, none is shown to have no part', async () => {
  const state = (isCut: boolean) => Object.assign(new Repository({ paths: ['README.md'], text: () => 'text' }), { isCut })
  const cut = [{ path: '.', why: 'there are more files than are looked through' }]
  expect(await deploymentChanges(state(true), state(false), [], everything)).toEqual(cut)
  expect(await deploymentChanges(state(false), state(true), [], everything)).toEqual(cut)
  expect(await deploymentChanges(state(false), state(false), [], everything)).toEqual([])
})

test('a file that cannot be read is not shown to have no part, except a page or a picture', async () => {
  const state = (paths: readonly string[]) => new Repository({ paths, text: () => undefined })
  const unreadable = async (path: string) => deploymentChanges(state([]), state([path]), [path], everything)
  expect(await unreadable('iam/all.txt.gz')).toEqual([{ path: 'iam/all.txt.gz', why: 'it cannot be read', isWithoutSign: true }])
  expect(await unreadable('iam/policy.yaml.j2')).toEqual([{ path: 'iam/policy.yaml.j2', why: 'it cannot be read', isWithoutSign: true }])
  expect(await unreadable('docs/picture.png')).toEqual([])
  // The same where it goes.
  expect(await deploymentChanges(state(['iam/x']), state([]), ['iam/x'], everything)).toEqual([
    { path: 'iam/x', why: 'it cannot be read', isWithoutSign: true },
  ])
})

// An expression that tries each way to divide a text would not end here.
describe('a text that repeats one character', () => {
  test('is looked through as a path of artifacts', () => {
    const takes = (path: string) => takesFrom({ script: ['./apply.sh out'] }, 'build', { artifacts: { paths: [path] } })
    expect(takes(`out${'/'.repeat(5000)}`)).toBe(true)
    expect(takes(`out${'/**'.repeat(1000)}`)).toBe(true)
    expect(takes(`${'/'.repeat(5000)}other`)).toBe(false)
  })

  test('is looked through for words of commits', async () => {
    const text = `git log | grep -E /${'\\\\'.repeat(1000)}${'/\\\\'.repeat(1000)} policies/\n`
    const files = {
      'policies/a.json': '{}',
      '.github/workflows/x.yml': 'on: push\njobs: {a: {steps: [{run: ./deploy.sh}]}}\n',
      'deploy.sh': text,
    }
    const [a, b] = [files, { ...files, 'policies/a.json': '[]' }].map(
      (each: Files) => new Repository({ paths: Object.keys(each), text: (path) => each[path] }),
    )
    const commits = { ...noCommits, messages: 'policies/ are narrower' }
    const policies = { ...policiesOf(files), files: ['policies/a.json'], folders: ['policies'] }
    const found = await deploymentChanges(a as never, b as never, new Set(['policies/a.json']), policies, [], false, commits)
    expect(found.map(({ path }) => path)).toContain('deploy.sh')
  })
})
