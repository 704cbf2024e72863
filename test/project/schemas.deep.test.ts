import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { minimatch } from 'minimatch'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { defaultSettings } from '../../src/names.ts'
import { readBatchQuestion } from '../../src/simulate/question.ts'
import { mainIn, servingIn } from '../support/in-process.ts'
import { cleanUp, prepare, readScenario, runLine, wordsOf } from '../support/scenario.ts'

/** The schemas of `schemas/`: ready for the public store, and true of what the program reads and prints. */

type Schema = Readonly<Record<string, unknown>>
const folder = new URL('../../schemas/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.schema.json'))
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Schema
const schemas = new Map(files.map((file) => [file.replace('.schema.json', ''), read(file)]))
const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

/** A validator as the store uses it: draft 7, strict. `change`: made of each schema first. */
function validator(change: (schema: Schema) => Schema = (schema) => schema): Ajv {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictRequired: false, strictTuples: false, allErrors: true })
  for (const [, schema] of schemas) ajv.addSchema(change(schema))
  return ajv
}
const ajv = validator()

/** A schema that accepts no property but those that it describes. */
function withoutOthers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOthers)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, each]) => [key, key === 'examples' ? each : withoutOthers(each)])
  return { ...('properties' in value && 'type' in value && { additionalProperties: false }), ...Object.fromEntries(parts) }
}
const closed = validator((schema) => withoutOthers(schema) as Schema)
const idOf = (name: string) => String(schemas.get(name)?.$id)

function problemsOf(name: string, value: unknown, by = ajv): readonly string[] {
  const check = by.getSchema(idOf(name))
  if (!check) throw new Error(`there is no schema \`${name}\``)
  check(value)
  return (check.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}

/**
 * Where a schema does not say of which type a value is, or which fields or items it has: each pattern of pointers, and why.
 * What is next to `required` in an `anyOf` says of an object which fields it needs.
 */
const deliberate: readonly (readonly [place: RegExp, why: string])[] = [
  [/^(answer|question)\.schema\.json#.*\/id$/, 'a question may have any id'],
  [/\/rules\/additionalProperties\/anyOf\/1\/items\/1$/, 'the options of a rule are its own'],
  [/^policy\..*\/group$/, 'the service lists what it knows of a group, which decides nothing'],
  [/\/(currentState|targetSpec)$/, 'any resource of the API'],
]

/** Every part of a schema, with the pointer to it. */
function* partsOf(schema: unknown, at = ''): Generator<readonly [pointer: string, part: Schema]> {
  if (typeof schema !== 'object' || schema === null) return
  yield [at, schema as Schema]
  for (const [key, each] of Object.entries(schema)) {
    if (key === 'properties' || key === 'definitions')
      for (const [name, part] of Object.entries(each as object)) yield* partsOf(part, `${at}/${key}/${name}`)
    else if (['items', 'additionalProperties'].includes(key) && !Array.isArray(each)) yield* partsOf(each, `${at}/${key}`)
    else if (['items', 'anyOf', 'allOf'].includes(key))
      for (const [i, part] of (each as readonly Schema[]).entries()) yield* partsOf(part, `${at}/${key}/${i}`)
  }
}

function isVague({ type, enum: values, $ref, anyOf, allOf, items, properties, additionalProperties, required }: Schema): boolean {
  if ($ref !== undefined || allOf !== undefined || values !== undefined) return false
  const types = [type ?? []].flat()
  if (types.length === 0) return anyOf === undefined && required === undefined
  const isOpen = additionalProperties === undefined || additionalProperties === true
  return (types.includes('array') && items === undefined) || (types.includes('object') && properties === undefined && isOpen)
}

/** Every property of a schema, with the pointer to it. */
function* propertiesOf(value: unknown, at = ''): Generator<readonly [pointer: string, property: Schema]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key === 'examples') continue
    if (key === 'properties') for (const [name, property] of Object.entries(each as object)) yield [`${at}/properties/${name}`, property]
    yield* propertiesOf(each, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** Properties that were looked at, without a reference: many schemas share them, and each takes a validator of its own. */
const described = new Set<string>()

describe.each([...schemas])('%s', (name, schema) => {
  test('is of draft 7, compiles by the letter, and has an address, a title and a description', () => {
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: `https://unpkg.com/grantwise/schemas/${name}.schema.json`,
      title: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\.$/),
    })
    expect(ajv.getSchema(idOf(name))).toBeTypeOf('function')
  })

  test('describes every property, with an example that fits', () => {
    const wrong: unknown[] = []
    for (const [pointer, property] of propertiesOf(schema)) {
      const { description, examples } = property
      const text = JSON.stringify(property)
      if (!text.includes('"$ref"') && described.has(text)) continue
      described.add(text)
      if (typeof description !== 'string') wrong.push(`${pointer}: no description`)
      if (!Array.isArray(examples) || examples.length === 0) wrong.push(`${pointer}: no example`)
      else if (!examples.every((example) => ajv.validate({ $ref: `${idOf(name)}#${encodeURI(pointer)}` }, example)))
        wrong.push({ pointer, examples, errors: ajv.errors })
    }
    expect(wrong).toEqual([])
  })
})

test('says of every value what it is, except where there is a reason not to', () => {
  const vague = [...schemas].flatMap(([name, schema]) =>
    [...partsOf(schema)].flatMap(([pointer, part]) => (isVague(part) ? [`${name}.schema.json#${pointer}`] : [])),
  )
  expect(vague.filter((place) => !deliberate.some(([allowed]) => allowed.test(place)))).toEqual([])
  expect(deliberate.filter(([allowed]) => !vague.some((place) => allowed.test(place)))).toEqual([])
})

test('says in a sentence what users write into each field of a file, with an example that holds something', () => {
  const wrong: unknown[] = []
  for (const { url } of catalog.schemas) {
    const name = basename(url, '.schema.json')
    for (const [pointer, { description, examples }] of propertiesOf(schemas.get(name))) {
      const isEmpty = (examples as readonly unknown[]).some((each) => JSON.stringify(each).length < 3 && !Number.isInteger(each))
      if (String(description).split(' ').length < 4 || !String(description).endsWith('.') || isEmpty)
        wrong.push({ name, pointer, description, examples })
    }
  }
  expect(wrong).toEqual([])
})

test('docs/schemas.md lists every schema', () => {
  const page = readFileSync(new URL('../../docs/schemas.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1])
  expect(listed.toSorted()).toEqual([...schemas.keys()].toSorted())
})

interface Catalog {
  readonly $schema: string
  readonly version: number
  readonly schemas: readonly {
    readonly name: string
    readonly description: string
    readonly fileMatch: readonly string[]
    readonly url: string
  }[]
}
const catalog = read('catalog.json') as unknown as Catalog

/** The schemas that editors choose for a file, by its name. */
const chosenFor = (file: string): readonly string[] =>
  catalog.schemas
    .filter(({ fileMatch }) => fileMatch.some((pattern) => minimatch(file, pattern, { dot: true, matchBase: true })))
    .map(({ url }) => basename(url, '.schema.json'))

/** Files of other programs, many of which the store has schemas for. The last ones have policies of other services. */
const others =
  '.eslintrc.json .eslintrc.yaml .prettierrc .prettierrc.yaml .golangci.yml .gitlab-ci.yml .pre-commit-config.yaml .markdownlint.json .releaserc.json .swcrc .travis.yml ' +
  '.github/workflows/ci.yml .github/dependabot.yml .vscode/settings.json Chart.lock Chart.yaml Taskfile.yml angular.json ansible.cfg azure-pipelines.yml biome.json bun.lock ' +
  'cargo.lock compose.yaml composer.lock docker-compose.yml flake.lock jest.config.json kustomization.yaml lerna.json mkdocs.yml openapi.yaml package-lock.json package.json ' +
  'poetry.lock pnpm-lock.yaml pyproject.toml renovate.json serverless.yml skaffold.yaml swagger.json tsconfig.json tslint.json values.yaml yarn.lock .terraform.lock.hcl ' +
  'baseline.json catalog.json catalog-info.yaml catalogue.json policies.yaml policy.json policy.yaml questions.ndjson seed.yaml seeds.json test.yaml world.json world.yaml ' +
  'iam-policy.json efs-csi-driver.iam-policy.json aws-e2e.iam-policy.json lambda.iam-policy.yaml s3-policy.json bucket.policy.json trust-policy.json role.policy.yaml'

describe('catalog.json', () => {
  test('has the form of the store', () => {
    expect(Object.keys(catalog)).toEqual(['$schema', 'version', 'schemas'])
    expect(catalog).toMatchObject({ $schema: 'https://json.schemastore.org/schema-catalog.json', version: 1 })
    const [names, urls] = [catalog.schemas.map(({ name }) => name), catalog.schemas.map(({ url }) => url)]
    expect(names).toEqual([...new Set(names)].toSorted())
    expect(new Set(urls).size).toBe(urls.length)
    for (const each of catalog.schemas) {
      expect(Object.keys(each)).toEqual(['name', 'description', 'fileMatch', 'url'])
      const { name, description, fileMatch, url } = each
      expect([...schemas.values()].map(({ $id }) => $id)).toContain(url)
      expect(url).toMatch(/^https:\/\//)
      expect(name).toMatch(/^grantwise /)
      // No period, as in the store.
      expect(description).not.toMatch(/\.$/)
      expect(new Set(fileMatch).size).toBe(fileMatch.length)
    }
  })

  test('has patterns that name grantwise or its tests, each for one schema, and for no file of others', () => {
    for (const { fileMatch, url } of catalog.schemas)
      for (const pattern of fileMatch) {
        expect(pattern).toMatch(/^(\.|\*\.)?(grantwise[.-]|iamtest\.)/)
        for (const file of [pattern.replace('*', 'team'), `deep/${pattern.replace('*', '')}`])
          expect({ file, chosen: chosenFor(file) }).toEqual({ file, chosen: [basename(url, '.schema.json')] })
      }
    expect(others.split(' ').filter((file) => chosenFor(file).length > 0)).toEqual([])
  })
})

/** The output of a run, as values. */
type Printed = (schema: string) => Promise<readonly unknown[]>

const valuesIn = (schema: string, text: string): readonly unknown[] =>
  lineSchemas.includes(schema)
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [parse(text)]
const lineSchemas = ['finding', 'answer', 'replayed-call', 'recorded-call', 'request-log']

/** A command in a folder of the examples. */
const printed =
  (folder: string, ...argv: readonly string[]): Printed =>
  async (schema) =>
    valuesIn(schema, (await mainIn(argv, examples + folder)).stdout)
const asJson = (folder: string, ...argv: readonly string[]) => printed(folder, ...argv, '--format', 'json')
const acme = (...argv: readonly string[]) => asJson('acme', ...argv)
/** A file that a command writes, in a copy of the examples. */
const written =
  (file: string, folder: string, ...argv: readonly string[]): Printed =>
  (schema) =>
    inCopy(folder, async (copy) => {
      await mainIn(argv, copy)
      return valuesIn(schema, readFileSync(join(copy, file), 'utf8'))
    })

/** A command in a repository with three commits, of which one cannot be read: the last changes what bob may do. */
const committed =
  (...argv: readonly string[]): Printed =>
  (schema) =>
    inCopy('acme', async (copy) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: copy, stdio: 'pipe' })
      const file = join(copy, 'policies', 'extra.yaml')
      const extra = (identities: string) =>
        writeFileSync(
          file,
          `name: extra\n${identities}: ['urn:v1:eu:identity:user:acme-svc/bob']\nresources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }]\npermissions: { allow: [{ action: 'vps:*' }] }\n`,
        )
      git('init', '--quiet')
      git('add', '.')
      git('commit', '--quiet', '--message', 'one (#1)')
      for (const identities of ['identites', 'identities']) {
        extra(identities)
        git('add', '.')
        git('commit', '--quiet', '--message', identities)
      }
      return valuesIn(schema, (await mainIn([...argv, '--format', 'json'], copy)).stdout)
    })

async function inCopy<T>(folder: string, run: (copy: string) => Promise<T>): Promise<T> {
  const top = mkdtempSync(join(tmpdir(), 'grantwise-'))
  try {
    cpSync(join(examples, folder), join(top, folder), { recursive: true })
    return await run(join(top, folder))
  } finally {
    cleanUp(top)
  }
}

/** Files that an emulator writes while it runs and when it ends, by the names of the files. */
async function emulate(): Promise<Readonly<Record<string, string>>> {
  const files = ['--ready-file', 'ready', '--request-log', 'log', '--record', 'record', '--export-on-exit', 'seed']
  return await inCopy('serve', async (copy) => {
    const read = (file: string) => readFileSync(join(copy, file), 'utf8')
    const ready = await servingIn(copy, ['--seed', 'seed.yaml', '--demo-credentials', ...files], async () => {
      const { regions, demonstration } = JSON.parse(read('ready'))
      const secrets = `client_id=${demonstration.clientId}&client_secret=${demonstration.clientSecret}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const granted = await fetch(regions.eu.token, { method: 'POST', headers, body: `grant_type=client_credentials&${secrets}&scope=all` })
      const { access_token } = (await granted.json()) as { readonly access_token: string }
      for (const path of ['/v1/hosting/web/example.org', '/v2/iam/policy', '/v1/no/such/path'])
        await fetch(`${regions.eu.url}${path}`, { headers: { authorization: `Bearer ${access_token}` } })
      return read('ready')
    })
    return { ready, log: read('log'), record: read('record'), seed: read('seed') }
  })
}
let emulation: ReturnType<typeof emulate> | undefined
const emulated =
  (file: string): Printed =>
  async (schema) => {
    emulation ??= emulate()
    return valuesIn(schema, (await emulation)[file] as string)
  }

const [at, bob, web] = ['2026-06-01T12:00:00Z', 'user/bob', 'vps:web-1']
const robot = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-pipeline'
const mistaken = ['expired.yaml', 'misspelt-field.yaml', 'redundant-entries.yaml', 'unquoted-wildcard.yaml']
const usage = (...argv: readonly string[]) => printed('usage', 'least', '--from', 'calls.ndjson', ...argv)

/** Where each schema comes true: runs that print what it describes. */
const outputs: Readonly<Record<string, readonly Printed[]>> = {
  lint: [acme('lint', 'policies'), asJson('mistakes', 'lint', '.'), acme('lint', 'policies', '--show-suppressed', '--preset', 'auditor')],
  finding: [printed('mistakes', 'lint', ...mistaken, '--format', 'ndjson')],
  gitlab: [
    printed('mistakes', 'lint', ...mistaken, '--format', 'gitlab'),
    printed('review', 'diff', 'before.yaml', 'after.yaml', '--format', 'gitlab'),
  ],
  'effective-config': [
    printed('acme', 'lint', '--print-config', 'policies/new.yaml'),
    printed('guardrails', 'lint', '--print-config', 'new.yaml', '--rule', 'expired=off'),
    printed('acme', 'lint', '--print-config', 'x.yaml', '--rule', 'expires-soon=info', '--rule-option', 'expires-soon.days=3'),
  ],
  can: [
    acme('can', bob, 'vps:apisvc:reboot', web, '--at', at),
    acme('can', bob, 'vps:apisvc:reboot', web, '--explain'),
    acme('can', bob, 'vps:apisvc:terminate', web, '--explain'),
  ],
  history: [
    committed('history', bob, 'vps:apisvc:terminate', web),
    committed('history', bob),
    committed('history', '--test', 'acme.iamtest.yaml', '-p', 'policies'),
  ],
  blame: [committed('blame', 'policies/extra.yaml')],
  filter: [
    acme('filter', bob, 'vps:apisvc:reboot', '--dialect', 'duckdb'),
    acme('filter', 'kim', 'dnsZone:apisvc:record/edit', 'dnsZone:*', '--dialect', 'spark', '--ip', '192.0.2.1', '--owner-column', 'o'),
  ],
  answer: [printed('team', 'can', '--batch', 'questions.ndjson', '-p', 'policies', '-p', 'world.yaml')],
  call: [acme('call', 'POST', '/v1/vps/web-1/reboot', '--identity', bob)],
  grant: [acme('call', '--from-403', 'refused.json', '--identity', bob)],
  who: [acme('who', 'vps:apisvc:reboot', web), acme('who', '*:terminate', 'vps:*')],
  what: [acme('what', bob), acme('what', 'user/*'), acme('what', bob, '--expand'), acme('what', bob, 'urn:v1:eu:resource:vps:*')],
  expand: [acme('expand', 'vps:apisvc:ips/*')],
  diff: [
    asJson('review', 'diff', 'before.yaml', 'after.yaml'),
    acme('diff', 'policies/account.yaml', 'policies'),
    asJson('lockfile', 'lock', '--check', '-p', 'proposed'),
  ],
  merge: [
    asJson('merge', 'diff', '--merge', 'base', 'cleanup', 'retire'),
    asJson('merge', 'diff', '--merge', 'cleanup', 'base', 'cleanup'),
  ],
  test: [acme('test'), acme('test', '--coverage'), asJson('tests', 'test'), acme('test', '--mutate')],
  compare: [acme('compare', 'user/alice', bob)],
  escalate: [acme('escalate', 'user/alice'), acme('escalate', bob)],
  policies: [acme('policies', 'user/alice')],
  matrix: [acme('matrix'), acme('matrix', '--type', 'vps', '--resources')],
  report: [acme('report', '-o', '-'), acme('report', '-o', '-', '--before', 'pull-request')],
  timeline: [asJson('timeline', 'timeline', '-p', 'policies.yaml', '--from', at)],
  suggest: [acme('suggest', bob, 'vps:apisvc:terminate', web), acme('suggest', bob, 'vps:apisvc:reboot', web)],
  'review-apply': [asJson('access-review', 'review', '--apply', '-p', 'policies', '--at', '2026-12-01T09:00:00Z')],
  approvers: [
    asJson('approvers', 'approvers', 'before', 'after'),
    asJson('approvers', 'approvers', 'before', 'after', '--approved-by', 'kim'),
  ],
  budget: [
    asJson('access-budget', 'budget'),
    asJson('access-budget', 'budget', '-p', 'proposed', '-p', 'world.yaml'),
    asJson('access-budget', 'budget', '-p', 'proposed', '-p', 'world.yaml', '--base', 'policies'),
  ],
  'review-check': [asJson('access-review', 'review', '--check', '-p', 'policies', '--at', '2026-12-01T09:00:00Z')],
  minimise: [asJson('proposals', 'minimise', '-p', 'policies.yaml')],
  replay: [acme('replay', 'calls.ndjson', '-p', 'policies')],
  'replayed-call': [printed('acme', 'replay', 'calls.ndjson', '-p', 'policies', '--all', '--format', 'ndjson')],
  rules: [acme('rules'), acme('explain')],
  rule: [acme('rules', 'resource-urn'), acme('explain', 'expires-too-late')],
  version: [printed('acme', '--version', '--json')],
  'catalogue-info': [acme('catalogue', 'info'), acme('catalogue', 'info', 'vps')],
  least: [usage('--format', 'json'), usage('--generalise', 'all', '--format', 'json'), usage('-p', 'in-force', '--format', 'json')],
  'diff-plan': [
    asJson('terraform-apply', 'diff', 'policies', 'proposed', '--plan', 'plan.json', '--identity', robot),
    asJson('terraform-apply', 'diff', 'policies', 'policies', '--plan', 'backup.json', '--identity', robot),
  ],
  'least-plan': [asJson('terraform-apply', 'least', '--from', 'plan.json', '--identity', robot)],
  'least-code': [
    asJson('source-code', 'least', '--from', 'src', '--generalise', 'all', '--identity', robot),
    asJson('source-code', 'least', '--from', 'more', '--identity', robot),
  ],
  'can-code': [asJson('source-code', 'can', robot, '--code', 'src', '-p', 'policies')],
  'can-plan': [
    asJson('terraform-apply', 'can', robot, '--plan', 'plan.json', '-p', 'policies'),
    asJson('terraform-apply', 'can', robot, '--plan', 'teams.json', '-p', 'policies'),
  ],
  'least-rules': [usage('--access-rules', '--format', 'json')],
  credential: [
    usage('--access-rules', '--format', 'request'),
    printed('acme', 'from-operations', 'GET /vps/{serviceName}', 'POST /vps/vps-1/reboot'),
  ],
  policy: [
    usage('--format', 'policies'),
    printed('convert', 'convert', '--to', 'json', 'policy.yaml'),
    printed('convert', 'convert', '--to', 'yaml', 'policy.yaml'),
  ],
  world: [
    printed(
      'convert',
      'convert',
      '--to',
      'yaml',
      'world.tf',
      '--urn',
      'svc_iam_permissions_group.look=urn:v1:eu:permissionsGroup:ab12-svc:look',
    ),
  ],
  catalogue: [
    printed(
      'catalogue',
      'catalogue',
      'import',
      'api/actions.json',
      'api/vps.json',
      'api/snapshots.yaml',
      '--seen',
      '2026-09',
      '--base',
      'earlier.json',
    ),
  ],
  lockfile: [printed('acme', 'lock', '-o', '-')],
  baseline: [written('known.json', 'mistakes', 'lint', ...mistaken, '--write-baseline', 'known.json')],
  config: [written('.grantwise.yaml', 'team/policies', 'init')],
  ready: [emulated('ready')],
  'request-log': [emulated('log')],
  'recorded-call': [emulated('record')],
  seed: [emulated('seed')],
}

describe('what the program prints', () => {
  test.each(Object.entries(outputs))('fits `%s`, which describes all of it', async (name, runs) => {
    for (const [i, run] of runs.entries()) {
      const values = await run(name)
      expect(values.length).toBeGreaterThan(0)
      for (const value of values) expect({ i, value, problems: problemsOf(name, value, closed) }).toEqual({ i, value, problems: [] })
    }
  })

  test('is refused by the schema where a field is missing or of another type', async () => {
    const [decision] = (await acme('can', bob, 'vps:apisvc:reboot', web)('can')) as [object]
    for (const key of ['verdict', 'reason', 'clauses', 'missing', 'caveats']) {
      expect(problemsOf('can', { ...decision, [key]: undefined })).not.toEqual([])
      expect(problemsOf('can', { ...decision, [key]: 1 })).not.toEqual([])
    }
  })
})

/** The schema of what a command prints, and of each line where it prints lines: the first row that a command line fits. */
const printedBy: readonly (readonly [command: string, having: string, schema: string, isLines?: 'lines'])[] = [
  ['lint', '--print-config', 'effective-config'],
  ['lint', 'gitlab', 'gitlab'],
  ['lint', 'ndjson', 'finding', 'lines'],
  ['lint', 'sarif', 'sarif'],
  ['lint', 'rdjson', 'reviewdog'],
  ['lint', 'rdjsonl', 'reviewdog'],
  ['lint', 'json', 'lint'],
  ['can', '--batch', 'answer', 'lines'],
  ['can', '--plan', 'can-plan'],
  ['can', '--code', 'can-code'],
  ['call', '--from-403', 'grant'],
  ['least', '--access-rules', 'least-rules'],
  ['least', 'plan.json', 'least-plan'],
  ['least', '--from src', 'least-code'],
  ['least', '--from more', 'least-code'],
  ['least', 'policies', 'policy'],
  ['replay', 'ndjson', 'replayed-call', 'lines'],
  ['catalogue', 'import', 'catalogue'],
  ['catalogue', 'info', 'catalogue-info'],
  ['convert', 'json', 'policy'],
  ['fmt', '-', 'policy'],
  ['diff', 'gitlab', 'gitlab'],
  ['diff', 'sarif', 'sarif'],
  ['lock', '--check', 'diff'],
  ['review', '--check', 'review-check'],
  ['review', '--apply', 'review-apply'],
  ['rules', 'json', 'rules'],
  ['--version', '--json', 'version'],
  ['from-operations', '', 'credential'],
  // The language that it is written in has a format of its own.
  ['export', 'entities', 'cedar'],
  ...['can', 'filter', 'call', 'who', 'what', 'expand', 'escalate', 'diff', 'test', 'compare', 'policies', 'matrix', 'timeline'].map(
    (name) => [name, '', name] as const,
  ),
  ...['approvers', 'budget', 'suggest', 'minimise', 'replay', 'least'].map((name) => [name, '', name] as const),
]
/** Formats of others, whose schemas are tested elsewhere. */
const foreign = ['sarif', 'reviewdog', 'cedar']

test('every JSON that a scenario prints fits the schema of its command', async () => {
  const scenarioFolder = new URL('../cli/', import.meta.url)
  const seen = new Map<string, number>()
  const wrong: unknown[] = []
  for (const name of readdirSync(scenarioFolder).filter((file) => file.endsWith('.scenario'))) {
    const { setup, commands } = readScenario(readFileSync(new URL(name, scenarioFolder), 'utf8'))
    for (const { line, stdout } of commands) {
      // The text of a scenario is what is printed, as `cli.test.ts` holds; only what it leaves out has to be printed here.
      const hasGap = stdout.includes('...')
      // A macro of dbt has a comment first.
      if (!/^(\[|\{(?!#)|\.\.\.$)/.test(stdout[0] ?? '')) continue
      const work = hasGap ? prepare(setup) : ''
      const text = hasGap ? (await runLine(line, work)).stdout : stdout.join('\n')
      if (hasGap) cleanUp(work)
      if (!/^[[{]/.test(text)) continue
      const words = wordsOf(line.split(' < ')[0] ?? '')
      const given = words.slice(words.indexOf('grantwise') + 1)
      const [, , schema, isLines] =
        printedBy.find(
          ([command, having]) => given[0] === command && (having === '' || given.some((each) => each.split('=').includes(having))),
        ) ?? []
      if (schema === undefined) {
        wrong.push(`${name}: ${line}: no schema is known of what it prints`)
        continue
      }
      if (foreign.includes(schema)) continue
      for (const value of isLines ? text.trim().split('\n') : [text]) {
        const problems = problemsOf(schema, JSON.parse(value), closed)
        if (problems.length > 0) wrong.push({ name, line, problems })
      }
      seen.set(schema, (seen.get(schema) ?? 0) + 1)
    }
  }
  expect(wrong).toEqual([])
  expect(seen.size).toBeGreaterThan(20)
})

/** A run that reads a file of the positive or negative ones, in its folder: whether it is accepted. */
type Reader = (file: string, folder: string) => Promise<boolean>
const exits =
  (...argv: readonly string[]): Reader =>
  async (file, folder) =>
    (
      await mainIn(
        argv.map((each) => (each === 'FILE' ? file : each)),
        folder,
      )
    ).exit === 0
const configured =
  (field: string, ...argv: readonly string[]): Reader =>
  async (file, folder) => {
    writeFileSync(join(folder, 'x.grantwise.yaml'), `${field}: ${file}\n`)
    return await exits(...argv, '--config', 'x.grantwise.yaml')(file, folder)
  }
const bobs = ['--identity', 'urn:v1:eu:identity:user:ab12-svc/bob']

/** How each file that a pattern is for is read. What `pull` remembers is read where there is a service. */
const readers: Readonly<Record<string, Reader>> = {
  policy: exits('lint', '--no-config', 'FILE'),
  world: exits('lint', '--no-config', 'FILE'),
  config: exits('lint', '--config', 'FILE', '--print-config', 'x.yaml'),
  iamtest: exits('test', '--no-config', 'FILE'),
  catalogue: configured('catalogue', 'catalogue', 'info'),
  baseline: exits('lint', '--no-config', '--baseline', 'FILE', 'web.grantwise-policy.yaml'),
  credential: exits('call', 'GET', '/vps', ...bobs, '--credential', 'FILE', '--no-config', '-p', 'listed.grantwise-policy.json'),
  lockfile: exits('lock', '--check', '--no-config', '-o', 'FILE', '-p', 'locked.yaml', '--format', 'json'),
  'access-budget': exits('budget', '--update', '--raise', 'why', '--dry-run', '--no-config', '--file', 'FILE', '-p', 'locked.yaml'),
  review: exits('review', 'FILE', '--dry-run', '--no-config', '-p', 'locked.yaml'),
  seed: async (file, folder) => {
    const isServed = servingIn(folder, ['--seed', file], async () => true)
    return await isServed.catch((error: Error) => !error.message.includes('nothing is served'))
  },
}

describe('files for the store', () => {
  const top = fileURLToPath(new URL('../schemas/', import.meta.url))
  const cases = ['positive', 'negative'].flatMap((kind) =>
    readdirSync(top + kind).flatMap((name) => readdirSync(`${top}${kind}/${name}`).map((file) => [kind, name, file] as const)),
  )

  test('there is one at least of each kind for each schema that has patterns', () => {
    const names = catalog.schemas.map(({ url }) => basename(url, '.schema.json')).toSorted()
    for (const kind of ['positive', 'negative'])
      expect([...new Set(cases.flatMap(([of, name]) => (of === kind ? [name] : [])))].toSorted()).toEqual(names)
  })

  test.each(cases)('%s/%s/%s fits or not, and is read or not', async (kind, name, file) => {
    const isGood = kind === 'positive'
    const text = readFileSync(`${top}${kind}/${name}/${file}`, 'utf8')
    expect(chosenFor(file)).toEqual([name])
    expect({ problems: problemsOf(name, parse(text)) }).toEqual({ problems: isGood ? [] : expect.arrayContaining([expect.anything()]) })
    const reads = readers[name]
    if (!reads) return
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
    try {
      cpSync(`${top}positive/policy`, folder, { recursive: true })
      writeFileSync(
        join(folder, 'locked.yaml'),
        readFileSync(`${top}positive/lockfile/grantwise.lock`, 'utf8').replace(/^grantwise-lock.*\n/, ''),
      )
      writeFileSync(join(folder, file), text)
      expect(await reads(file, folder)).toBe(isGood)
    } finally {
      cleanUp(folder)
    }
  })
})

test('every schema is checked against what the program prints or reads', () => {
  // The last ones are read from a line or the body of a response.
  const checked = new Set([...Object.keys(outputs), ...Object.keys(readers), 'pull-record', 'question', 'refusal'])
  expect([...checked].toSorted()).toEqual([...schemas.keys()].toSorted())
})

describe('what the program reads', () => {
  test('a question of a batch fits exactly where it is read', () => {
    const good = {
      id: 1,
      identity: 'urn:v1:eu:identity:user:ab12-svc/ann',
      action: 'vps:apisvc:get',
      resource: 'urn:v1:eu:resource:vps:x',
      groups: [],
      ip: '192.0.2.1',
      tags: { a: 'b' },
      at: '2027-01-31T12:00:00Z',
      expect: 'allow',
    }
    const context = { at: 0, groups: [] }
    const change = fc.record({
      key: fc.constantFrom(...Object.keys(good), 'other'),
      value: fc.constantFrom<unknown>(undefined, null, 1, true, [], {}, [1], { a: 1 }),
    })
    let refused = 0
    fc.assert(
      fc.property(fc.array(change, { maxLength: 2 }), (changes) => {
        const value = JSON.parse(JSON.stringify({ ...good, ...Object.fromEntries(changes.map(({ key, value }) => [key, value])) }))
        const isRead = typeof readBatchQuestion(value, context, defaultSettings) !== 'string'
        if (!isRead) refused++
        expect({ value, fits: problemsOf('question', value).length === 0 }).toEqual({ value, fits: isRead })
      }),
      { numRuns: 200 },
    )
    expect(refused).toBeGreaterThan(50)
  })

  test('a seed, a lockfile and the body of a 403 fit', () => {
    const yaml = (file: string) => parse(readFileSync(examples + file, 'utf8'))
    const cases = {
      seed: yaml('serve/seed.yaml'),
      lockfile: yaml('lockfile/grantwise.lock'),
      review: yaml('access-review/review.yaml'),
      'access-budget': yaml('access-budget/access-budget.yaml'),
      refusal: yaml('acme/refused.json'),
    }
    for (const [name, value] of Object.entries(cases)) {
      expect({ name, problems: problemsOf(name, value) }).toEqual({ name, problems: [] })
      expect(problemsOf(name, [])).not.toEqual([])
    }
    expect(problemsOf('seed', { standIn: { accounts: [{ id: 'ab12-svc', region: 'us' }] } })).not.toEqual([])
    expect(problemsOf('lockfile', { 'grantwise-lock': 2, policies: [] })).not.toEqual([])
  })

  test('files of the examples that a file pattern is for fit where they are read, and not with an unknown field', async () => {
    const argvOf: Readonly<Record<string, (file: string) => readonly string[]>> = {
      config: (file) => ['lint', '--config', file, '--print-config', 'x.yaml', '--allow-rules-from', '.'],
      iamtest: (file) => ['test', file],
      lockfile: (file) => ['lock', '--check', '-o', file, '-p', 'policies'],
    }
    const seen = new Set<string>()
    for (const path of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
      const [name] = chosenFor(basename(path))
      if (name === undefined) continue
      const text = readFileSync(examples + path, 'utf8')
      const example = path.split(/[\\/]/)[0] as string
      const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
      try {
        cpSync(join(examples, example), join(folder, example), { recursive: true })
        for (const [content, isGood] of [
          [text, true],
          [`${text.trimEnd()}\nunknownField: 1\n`, false],
        ] as const) {
          const file = basename(path)
          writeFileSync(join(folder, path), content)
          const { exit } = await mainIn(argvOf[name]?.(file) ?? [], join(folder, dirname(path)))
          expect({ path, fits: problemsOf(name, parse(content)).length === 0 }).toEqual({ path, fits: isGood })
          expect({ path, isGood, isRead: exit !== 2 }).toEqual({ path, isGood, isRead: isGood })
        }
      } finally {
        cleanUp(folder)
      }
      seen.add(name)
    }
    expect([...seen].toSorted()).toEqual(Object.keys(argvOf).toSorted())
  })

  test('a recorded call fits', () => {
    const lines = ['usage/calls.ndjson', 'acme/calls.ndjson'].flatMap((file) =>
      readFileSync(examples + file, 'utf8')
        .trim()
        .split('\n'),
    )
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) expect({ line, problems: problemsOf('recorded-call', JSON.parse(line)) }).toEqual({ line, problems: [] })
  })

  test('a baseline fits, and not with another version or count', () => {
    const entry = { file: 'p.yaml', code: 'expired', policy: 'p', text: 'x', count: 1, fingerprint: 'f' }
    expect(problemsOf('baseline', { version: 1, findings: [entry] })).toEqual([])
    expect(problemsOf('baseline', { version: 2, findings: [] })).not.toEqual([])
    for (const wrong of [
      { ...entry, count: 0 },
      { ...entry, count: '1' },
      { ...entry, fingerprint: undefined },
    ])
      expect(problemsOf('baseline', { version: 1, findings: [wrong] })).not.toEqual([])
  })
})
