import { readAction } from '../../src/actions/action.ts'
import { readDescription } from '../../src/actions/describe.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { readRecord } from '../../src/actions/record.ts'
import { matchCall, readCall, routesOf } from '../../src/calls/match.ts'
import { Refusal } from '../../src/cli/app/refusal.ts'
import { isIgnored, readIgnoreFile } from '../../src/cli/input/gitignore.ts'
import { openClient } from '../../src/cli/live/api-client.ts'
import { readAccount } from '../../src/cli/live/pull-account.ts'
import { readAddress, readRange } from '../../src/conditions/address.ts'
import { readConditionKey, readTest } from '../../src/conditions/test.ts'
import { readInstant } from '../../src/conditions/time.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import { readBaseline } from '../../src/lint/baseline.ts'
import { configurationReader } from '../../src/lint/read-config.ts'
import { budgetText, readBudget } from '../../src/lock/budget-file.ts'
import { readLock } from '../../src/lock/read.ts'
import { defaultSettings, type Settings } from '../../src/names.ts'
import { readActionLines } from '../../src/parser/action-list.ts'
import { readWire } from '../../src/parser/json.ts'
import { readJsonLine, strictFault } from '../../src/parser/json-line.ts'
import { readPriorState, readSource } from '../../src/parser/read-source.ts'
import { shapeProblems } from '../../src/parser/shape.ts'
import { type Reading, readTree, treeOf } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { breaksOf } from '../../src/review/chain.ts'
import { readReview } from '../../src/review/read.ts'
import { reviewText } from '../../src/review/text.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { readCommands } from '../../src/sources/commands.ts'
import { readFences } from '../../src/sources/fences.ts'
import { readSuite } from '../../src/suite/read.ts'
import { type MapNode, type Node, plainValue } from '../../src/tree.ts'
import { readIdentity, readIdentityGroup } from '../../src/urn/identity.ts'
import { readPermissionsGroup, readResource, readResourceGroup, readResourcePattern } from '../../src/urn/resource.ts'
import { recordReader } from '../../src/usage/record.ts'
import { type ReadMapping, readColumns, readMapping } from '../../src/warehouse/mapping.ts'
import { Zones } from '../../src/zones.ts'
import { configuration } from '../support/hcl.ts'
import type { Outcome, Target } from './oracles.ts'
import { partsOfCall, unlikeCommonMark, unlikeJsonParse, unlikeTreeSitter, unlikeUrl, unlikeYaml } from './references.ts'

const zones = new Zones()
const settings: Settings = { ...defaultSettings, zones }

const plainOf = ({ documents, diagnostics }: Reading): Outcome => ({ value: documents.map(plainValue), diagnostics })

/** Problems that are no diagnostics, as such. */
const asErrors = (problems: readonly Omit<Diagnostic, 'code' | 'severity'>[]) =>
  problems.map((problem): Diagnostic => ({ code: 'catalogue', severity: 'error', ...problem }))

const ofMapping = ({ mapping, diagnostics = [] }: ReadMapping): Outcome => ({ value: mapping, diagnostics })

async function facts(source: Source, asked: Settings = settings): Promise<Outcome> {
  const read = await readSource(source, asked)
  const { world, diagnostics } = buildWorld([read.facts])
  return {
    value: [read.facts, read.refused, read.holdsPolicies, read.resemblesPolicies, read.ignores, world.account],
    diagnostics: [...read.diagnostics, ...diagnostics],
  }
}

async function declared(text: string): Promise<Outcome> {
  const source = sourceOf('p', text)
  const [after, before] = [await facts(source), await readPriorState(source, settings)]
  return { value: [after.value, before.facts], diagnostics: [...after.diagnostics, ...before.diagnostics] }
}

/** Reads the first document of a text, where there is one, with what its notation says. */
async function ofDocument(text: string, read: (node: Node, reading: Reading) => Outcome | Promise<Outcome>): Promise<Outcome> {
  const reading = await treeOf(sourceOf('p', text))
  const [node] = reading.documents
  if (!node) return { value: undefined, diagnostics: reading.diagnostics }
  const { value, diagnostics } = await read(node, reading)
  return { value, diagnostics: [...reading.diagnostics, ...diagnostics] }
}

function ofConfiguration(files: Readonly<Record<string, string>>): Outcome {
  const { found, diagnostics } = configuration(files)
  return { value: [...found.values()].flat().map(({ node, ...rest }) => [plainValue(node), Object.keys(rest)]), diagnostics }
}

/** A configuration whose variables have values of their own. */
const variables =
  'variable "a" {}\nvariable "b" {\n  type = list(string)\n}\nresource "svc_iam_policy" "p" {\n  name = var.a\n  identities = var.b\n  resources = []\n}\n'

const routes = routesOf(loadOperations())

/** The answer of the service to `pull`: the first line is the status, the rest the body; the token comes as it should. */
async function ofAnswer(text: string): Promise<Outcome> {
  const at = text.indexOf('\n')
  const status = /^\d{3}$/.test(text.slice(0, Math.max(at, 0))) ? Number(text.slice(0, at)) : 200
  const body = text.slice(at + 1)
  const hasNoBody = status === 204 || status === 205 || status === 304
  return ofPull(async (url) =>
    url.endsWith('/token')
      ? new Response('{"access_token":"t","token_type":"Bearer","expires_in":3600}', { headers: { 'content-type': 'application/json' } })
      : new Response(hasNoBody || status < 200 || status > 599 ? null : body, { status: status < 200 || status > 599 ? 200 : status }),
  )
}

/** The answer of the host of tokens. */
const ofToken = (text: string): Promise<Outcome> =>
  ofPull(async (url) => new Response(url.endsWith('/token') ? text : '[]', { headers: { 'content-type': 'application/json' } }))

async function ofPull(answer: (url: string) => Promise<Response>): Promise<Outcome> {
  const host = 'https://host.example'
  const client = openClient(
    { baseUrl: host, authUrl: host, clientId: 'me', clientSecret: 'none', retries: 1, timeout: 60_000 },
    { fetch: (url) => answer(String(url)), now: () => 0, pause: async () => {}, random: () => 0 },
  )
  try {
    return { value: await readAccount(client, { isPartial: false, account: undefined, clientId: 'me', brand: 'svc' }), diagnostics: [] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { value: error.message, diagnostics: [] }
  }
}

function ofNames(text: string): Outcome {
  const [first = '', ...rest] = text.split('\n')
  const second = rest.join('\n')
  const key = readConditionKey(first, zones)
  return {
    value: [
      ...[true, false].flatMap((pattern) => [
        readIdentity(first, { pattern }),
        readResource(first, { pattern }),
        readResourceGroup(first, { pattern }),
      ]),
      readIdentityGroup(first),
      readResourcePattern(first),
      readPermissionsGroup(first),
      readAction(first, 'svc'),
      readInstant(first),
      readAddress(first),
      readRange(first),
      key.value?.operator,
      key.faults,
      key.value && readTest(key.value, second).faults,
    ],
    diagnostics: [],
  }
}

const json = ['{', '}', '[', ']', ':', ',', '"a"', '"', '\\u0041', '\\n', 'true', 'false', 'null', '1.5e3', '"__proto__":', '[1,{"a":[]}]']
const yaml = [
  '- ',
  ': ',
  '? ',
  '|\n',
  '>-\n',
  '---\n',
  '...\n',
  '# ',
  '"a"',
  "'a'",
  '[a, b]',
  '{a: b}',
  '~',
  '&a ',
  '*a',
  '!t ',
  '%YAML 1.2\n',
  '<<: ',
]
const hcl = [
  ...['= ', '{\n}\n', '[for a in b : a]', '{for a, b in c : a => b...}', '${', '%{ if a }', '%{ endif }', '%{ for a in b }', '%{ endfor }'],
  ...['<<-E\n', '\nE\n', '? a : b', '[*]', '.*', '=> ', '...', '&& ', '!= ', '/* ', '*/', '// ', 'each.key', 'var.a', 'local.a', '"${a}"'],
  ...['resource "svc_iam_policy" "p" {\n', 'dynamic "allow" {\n', 'for_each = ', 'count = 2\n', 'jsonencode(', 'toset([', 'merge('],
]
const markdown = ['```json\n', '```\n', '~~~yaml\n', '~~~\n', '> ', '- ', '1. ', '    ', '<!-- ', '-->', '\t', '# a\n', '***\n', '<pre>\n']
const shell = [
  ...[
    "curl -d '",
    "'",
    '"',
    '\\"',
    '\\\n',
    '<<EOF\n',
    "<<-'EOF'\n",
    '\nEOF\n',
    '<<< ',
    '$(',
    ')',
    '`',
    '${',
    '}',
    '$A',
    '${{ ',
    ' }}',
    '|',
  ],
  ...[
    '{"name":"a","identities":[',
    '"permissions":{}',
    ' /v2/iam/policy\n',
    '# grantwise-ignore: x\n',
    "$'",
    '\\x41',
    '((',
    'case a in ',
    'esac',
  ],
]
/** Reads the policies in the commands of a text. */
async function commands(path: string, text: string) {
  const { read, passed, refusal } = await readCommands(sourceOf(path, text, path.endsWith('.sh') ? 'shell' : 'steps'), settings)
  return {
    value: [read.apart.map((each) => each.facts), read.ignores, read.plain, passed, refusal],
    diagnostics: read.apart.flatMap((each) => each.diagnostics),
  }
}
const call = [
  'GET ',
  'POST ',
  '/v1',
  '/v2',
  '/',
  '//',
  '%2F',
  '%',
  '%2e',
  '..',
  '.',
  '?a=b',
  '#a',
  '*',
  '\\',
  'https://h.example',
  '@',
  ';',
  '\t',
]
const parser = /^src\/(parser\/(policy|world|shape|comments|credential|read)|urn|conditions|actions\/action)/

/** Every reader of text that comes from others. */
export const targets: readonly Target[] = [
  {
    name: 'json',
    files: /^test\/corpus\/shapes\/json\/.*\.json$|^examples\/quickstart\/.*\.json$/,
    texts: ['[[],{},[{}],"",0,-0.5,true,false,null,{"a":{"b":[1,2,3]}}]', '"\\ud83d\\ude00\\u00e9\\n"', '{"a":1,"a":2}', "{a:'b',// c\n}"],
    words: json,
    modules: /^src\/parser\/(json|characters)/,
    read: (text) => plainOf(readTree(sourceOf('p', text, 'json'))),
    disagreement: unlikeJsonParse,
  },
  {
    name: 'wire',
    files: /^test\/corpus\/shapes\/json\/.*\.json$/,
    texts: ['{"\\u00e9":1,"e\\u0301":2}', '[1,"\u202e"]'],
    words: json,
    modules: /^src\/parser\/(json|characters)/,
    read: (text) => plainOf(readWire(sourceOf('p', text, 'json'), 10_000)),
    disagreement: unlikeJsonParse,
  },
  {
    name: 'yaml',
    files: /^(test\/corpus\/shapes\/yaml|examples\/(mistakes|team|acme|sources))\/.*\.ya?ml$/,
    texts: [
      'a: |\n  b\n  c\n? d\n: - e\n  - {f: [g, "h"], i: \'j\'}\n',
      '---\na: 1\n...\n---\n- b\n',
      'a: >-\n  b\n\n  c\n',
      '- - a\n  - b: c\n    d:\n',
    ],
    words: yaml,
    modules: /^src\/parser\/(yaml|characters)/,
    read: (text) => plainOf(readTree(sourceOf('p', text, 'yaml'), readYaml)),
    disagreement: unlikeYaml,
  },
  {
    name: 'hcl',
    files: /^(test\/hcl\/corpus|examples\/terraform|test\/corpus\/shapes\/hcl)\/.*\.tf$/,
    words: hcl,
    modules: /^src\/hcl\/(tokens|parse|cursor|expressions|template-text|syntax|parts)/,
    read: (text) => {
      const { body, diagnostics } = readHcl(sourceOf('main.tf', text), '')
      return { value: body, diagnostics }
    },
    disagreement: unlikeTreeSitter,
  },
  {
    name: 'terraform',
    files: /^(test\/hcl\/corpus|examples\/terraform|test\/corpus\/shapes\/hcl)\/.*\.tf$/,
    words: hcl,
    modules: /^src\/hcl\//,
    read: (text) => ofConfiguration({ 'main.tf': text }),
  },
  {
    name: 'terraform-json',
    files: /^test\/(hcl\/corpus|corpus)\/.*\.tf\.json$/,
    words: [...json, '"resource":', '"svc_iam_policy":', '"${var.a}"', '"locals":', '"variable":', '"for_each":', '"dynamic":', '"//":'],
    modules: /^src\/hcl\//,
    read: (text) => ofConfiguration({ 'main.tf.json': text }),
  },
  {
    name: 'terraform-values',
    files: /^test\/.*\.tfvars$/,
    words: hcl,
    modules: /^src\/hcl\//,
    read: (text) => ofConfiguration({ 'main.tf': variables, 'terraform.tfvars': text }),
  },
  {
    name: 'plan',
    files: /^(examples\/plan|test\/corpus\/shapes\/plan)\/.*\.json$/,
    words: [...json, '"after_unknown":', '"child_modules":', '"references":', '"no-op"'],
    modules: /^src\/declared\//,
    read: declared,
  },
  {
    name: 'state',
    files: /^test\/corpus\/shapes\/plan\/state\.json$/,
    words: [...json, '"root_module":', '"resources":', '"values":', '"mode":"managed"', '"child_modules":'],
    modules: /^src\/declared\//,
    read: declared,
  },
  {
    name: 'programs',
    files: /^(examples\/(crossplane|pulumi)|test\/corpus\/shapes)\/.*(pulumi|crossplane|access|manifest|preview).*\.(ya?ml|json)$/i,
    texts: [
      'apiVersion: iam.svc.crossplane.io/v1alpha1\nkind: Policy\nmetadata: {name: a}\nspec:\n  forProvider: {name: a, identities: []}\n',
    ],
    words: [...yaml, 'spec:\n', 'forProvider:\n', 'properties:\n', '${a.b}', 'fn::invoke:\n'],
    modules: /^src\/declared\//,
    read: declared,
  },
  {
    name: 'policies',
    files:
      /^(examples\/(mistakes|team\/policies|acme|quickstart|review|serve)|test\/corpus\/shapes\/(json|yaml|held-out))\/.*\.(ya?ml|json)$/,
    words: [...json, ...yaml],
    modules: parser,
    read: (text) => facts(sourceOf('p', text)),
  },
  {
    name: 'markdown',
    files: /^(test\/corpus\/shapes\/markdown|examples\/sources)\/.*\.md$/,
    texts: ['> - ```json\n>   {}\n>   ```\n', '1. a\n\n   ~~~ yaml x\n   a: b\n   ~~~\n', '<!--\n```json\n-->\n```hcl\na = 1\n```\n'],
    words: markdown,
    modules: /^src\/(parser\/markdown|lint\/fences)/,
    read: async (text) => {
      const { read, passed, refusal } = await readFences(sourceOf('r.md', text), settings)
      return {
        value: [read.apart.map((each) => each.facts), read.ignores, passed, refusal],
        diagnostics: read.apart.flatMap((each) => each.diagnostics),
      }
    },
    disagreement: unlikeCommonMark,
  },
  {
    name: 'scripts',
    files: /^(test\/corpus\/shapes\/scripts|examples\/sources)\/.*\.sh$/,
    texts: [
      `curl /v2/iam/policy -d '{"name":"a","identities":["'"$A"'"],"permissions":{}}'\n`,
      'a <<-E | b "$(c <<\'F\'\n{"identities":[]}\nF\n)"\n\t{"permissions":"${X:-"}"}"}\n\tE\n',
    ],
    words: shell,
    modules: /^src\/(parser\/(?:shell|commands|embedded)|sources\/commands)/,
    read: (text) => commands('p.sh', text),
  },
  {
    name: 'steps',
    files: /^\.github\/workflows\/release\.yml$/,
    texts: [
      `a:\n  script:\n    - |\n      curl /v2/iam/policy -d '{"name":"a","identities":["$A"]}'\n    - "x '{\\"permissions\\":{}}'"\n`,
      `jobs:\n  a:\n    steps:\n      - run: >\n          x '{"identities":\n          ["\${{ a }}"]}'\n      - with: { data: '{"permissions":1}', url: /v2/iam/policy }\n`,
    ],
    words: [...shell, '  - run: |\n', '      ', 'script:\n', '>-\n', '"\\u0041"', "''"],
    modules: /^src\/(parser\/(?:steps|scalars)|sources\/commands)/,
    read: (text) => commands('.gitlab-ci.yml', text),
  },
  {
    name: 'calls',
    files: /^$/,
    texts: [
      'GET /v1/hosting/web/example.org',
      'post https://host.example/v2/iam/policy?x=1#y',
      'DELETE /ip/192.0.2.0%2F24/',
      'PUT /a/%C3%A9/.',
    ],
    words: call,
    modules: /^src\/calls\/match/,
    read: (text) => {
      const read = readCall(...partsOfCall(text))
      return { value: [read, read.call && matchCall(routes, read.call).kind], diagnostics: [] }
    },
    disagreement: unlikeUrl,
  },
  {
    name: 'access-rules',
    files: /^examples\/.*access-rules(\.txt)?$/,
    texts: [
      'GET /me\nPOST /hosting/web/*\n# a\n',
      'https://host.example/createToken/?GET=/me&POST=/b/*&duration=86400\n',
      'PUT\t/a  # b\r\n',
    ],
    words: [...call, '&GET=/', '?', '/createToken/', '%26'],
    modules: /^src\/parser\/rules-text/,
    read: (text) => facts(sourceOf('access-rules', text, 'rules')),
  },
  {
    name: 'action-lists',
    files: /\.actions$/,
    texts: ['vps:apisvc:get\nvps:apisvc:*\n# a\n', '["vps:apisvc:get", "*"]'],
    words: ['vps:apisvc:', '*', '/', '#', '\n', ':', '- '],
    modules: /^src\/(parser\/action-list|actions\/action)/,
    read: (text) => plainOf(readActionLines(sourceOf('a.actions', text, 'actions'))),
  },
  {
    name: 'names',
    files: /^$/,
    texts: [
      'urn:v1:eu:identity:user:ab12-svc/ann',
      'urn:v1:eu:resource:vps:vps-*',
      'urn:v1:eu:resourceGroup:01234567-89ab-cdef-0123-456789abcdef',
      'urn:v1:eu:permissionsGroup:svc:care',
      'vps:apisvc:ip/get',
      '2026-01-15T10:00:00+01:00',
      '2001:db8::1/64',
      'request.IP.IN_RANGE\n10.0.0.0/8',
      'date(Europe/Paris).WeekDay.IN\nmonday,friday',
      'resource.Tag(env).STARTS_WITH\nprod',
    ],
    words: [
      'urn:v1:',
      'eu',
      'identity:',
      'group:',
      'account:',
      'credential:',
      'resource:',
      ':',
      '/',
      '*',
      '(',
      ')',
      '.NOT_',
      '::',
      'ffff:',
      '/32',
      'T',
      'Z',
    ],
    modules: /^src\/(urn|conditions|names|actions\/action)/,
    read: ofNames,
  },
  {
    name: 'lockfile',
    files: /^examples\/lockfile\/grantwise\.lock$|^test\/.*\.lock$/,
    words: [...yaml, 'grantwise-lock: 1\n', 'policies:\n'],
    modules: /^src\/(lock\/read|parser\/(policy|yaml-plain))/,
    read: async (text) => {
      const { world, diagnostics } = await readLock(sourceOf('grantwise.lock', text, 'yaml'), settings)
      return { value: world && [world.account, world.policies], diagnostics }
    },
  },
  {
    name: 'review',
    files: /^examples\/access-review\/review\.yaml$|^test\/schemas\/.*review\.ya?ml$/,
    words: [...yaml, 'grantwise-review: 1\n', 'open:\n', 'decisions:\n', 'decision: keep\n', 'until: 2027-03-31\n', 'access:\n'],
    modules: /^src\/(review\/(read|chain)|parser\/(policy|yaml-plain))/,
    read: async (text) => {
      const { file, diagnostics } = await readReview(sourceOf('review.yaml', text, 'yaml'), settings)
      return { value: file && [file.review, breaksOf(file.review), reviewText(file.review)], diagnostics }
    },
  },
  {
    name: 'budget',
    files: /^examples\/access-budget\/access-budget\.yaml$|^test\/schemas\/.*grantwise-budget\.ya?ml$/,
    words: [...yaml, 'grantwise-budget: 1\n', 'categories: [destruction]\n', 'teams:\n', 'identities:\n', 'described: 1\n', 'raised:\n'],
    modules: /^src\/lock\/budget-file/,
    read: async (text) => {
      const { budget, diagnostics } = await readBudget(sourceOf('access-budget.yaml', text, 'yaml'), settings)
      return { value: budget && [budget, budgetText(budget)], diagnostics }
    },
  },
  {
    name: 'answers',
    files: /^$/,
    texts: [
      '200\n[{"id":"a","name":"p","identities":["urn:v1:eu:identity:user:ab12-svc/ann"],"resources":[{"urn":"urn:v1:eu:resource:vps:*"}],"permissions":{"allow":[{"action":"vps:apisvc:get"}]},"owner":"ab12-svc"}]',
      '200\n[{"id":"b","urn":"urn:v1:eu:resourceGroup:b","name":"g","resources":[{"id":"c","urn":"urn:v1:eu:resource:vps:c"}],"owner":"ab12-svc"}]',
      '403\n{"class":"Client::Forbidden","message":"no","details":{"unauthorizedActionsByIAM":"account:apisvc:iam/policy/get"}}',
      '200\n[]',
      '503\n{"message":"later"}',
      '404\nnot found',
    ],
    words: [...json, '200\n', '403\n', '429\n', '"conditions":{"operator":"MATCH","values":{}}', '"readOnly":true', '"owner":'],
    modules: /^src\/(cli\/live\/(api-client|pull-account)|calls\/forbidden)/,
    read: ofAnswer,
  },
  {
    name: 'tokens',
    files: /^$/,
    texts: [
      '{"access_token":"t","token_type":"Bearer","expires_in":3600}',
      '{"error":"invalid_client","error_description":"no"}',
      '{"access_token":"t"}',
    ],
    words: [...json, '"access_token":', '"token_type":', '"expires_in":', '"error":', '"scope":"all"'],
    modules: /^src\/cli\/live\/api-client/,
    read: ofToken,
  },
  {
    name: 'configuration',
    files: /^(examples|test\/schemas)\/.*(config|grantwise|\.grantwise)[^/]*\.(ya?ml|json)$/,
    texts: ['extends: recommended\nbrand: svc\nrules:\n  wildcard-identity: off\noverrides:\n  - files: ["a/**"]\n    rules: {}\n'],
    words: [...yaml, 'extends: ', 'rules:\n', 'overrides:\n', 'guardrails:\n', 'severity: '],
    modules: /^src\/lint\/(read-config|config|guardrails|globs|profile)/,
    read: async (text) => {
      const files = { textOf: () => ({ message: 'no such file', isMissing: true }) }
      const { configuration: read, diagnostics } = await configurationReader(files)(sourceOf('.grantwise.yaml', text), '/a/.grantwise.yaml')
      return { value: read && Object.keys(read), diagnostics }
    },
  },
  {
    name: 'policy-tests',
    files: /\.iamtest\.(ya?ml|json)$/,
    words: [...yaml, 'tests:\n', 'invariants:\n', 'allow:\n', 'deny:\n', 'context:\n', 'because:\n', 'never: true\n'],
    modules: /^src\/suite\//,
    read: (text) => ofDocument(text, (node) => readSuite(node, 0, settings)),
  },
  {
    name: 'usage',
    files: /^(examples\/usage|test)\/.*\.ndjson$/,
    words: [...json, '"identities_array":', '"_source":', '"fields":', '"message":', '"credential":', '"requested_actions":'],
    modules: /^src\/(usage\/record|parser\/json-line)/,
    read: (text) => {
      const reader = recordReader(settings)
      const lines = text.split('\n')
      return { value: lines.map((line) => [reader.read(line), readJsonLine(line), strictFault(line)]), diagnostics: [] }
    },
  },
  {
    name: 'mapping',
    files: /^docs\/warehouse-input\.md$/,
    texts: [
      'source: a."b.c"\ncolumns:\n  id: no\n  identity: who\n  action: {value: "vps:apisvc:get"}\n  resource: on\n  at: {column: t, format: epoch_ms}\nkeep: [x]\n',
      '{"columns":{"identity":"who","method":"m","path":"p","groups":{"value":["urn:v1:eu:identity:group:a/g"]},"ip":{"value":"::1"}}}',
    ],
    words: [
      ...yaml,
      'columns:\n',
      'source: ',
      'format: ',
      'value: ',
      'rfc3339',
      'array',
      '"`',
      'identity=a,action=b,resource=c,at=d:epoch_s',
    ],
    modules: /^src\/warehouse\/mapping/,
    read: (text) => {
      const option = ofMapping(readColumns(text, settings))
      return option.value ? option : ofDocument(text, (node) => ofMapping(readMapping(node, settings)))
    },
  },
  {
    name: 'catalogue',
    files: /^examples\/catalogue\/(catalogue|earlier)\.json$/,
    texts: ['{"catalogue":1,"seen":"2026-01","brand":"svc","actions":["vps:apisvc:get"],"types":["vps"],"serves":{},"operations":[]}'],
    words: [...json, '"deprecated":', '"replacedBy":', '"noAuthentication":true', '"required":false'],
    modules: /^src\/actions\/(record|rebrand)/,
    read: (text) =>
      ofDocument(text, (node) => {
        const wrong = shapeProblems({ shape: 'catalogue', node })
        if (wrong.length > 0) return { value: undefined, diagnostics: wrong }
        const { record, problems } = readRecord(node as MapNode, 'svc')
        return { value: record, diagnostics: asErrors(problems) }
      }),
  },
  {
    name: 'catalogue-sources',
    files: /^examples\/catalogue\/(api\/.*\.(ya?ml|json)|operators\.yaml)$/,
    texts: [
      '{"apis":[{"path":"/vps","operations":[{"httpMethod":"GET","iamActions":["vps:apisvc:get"]}]}]}',
      '{"openapi":"3.0.3","paths":{"/vps":{"get":{}}}}',
    ],
    words: [...json, '"apis":', '"operations":', '"iamActions":', '"paths":', '"openapi":"3.1.0"', '"servers":', '"apiStatus":'],
    modules: /^src\/actions\/describe/,
    read: (text) =>
      ofDocument(text, (_, { documents }) => {
        const { description, problems } = readDescription(documents, 'svc', 'svc')
        return { value: description, diagnostics: asErrors(problems) }
      }),
  },
  {
    name: 'baseline',
    files: /^$/,
    texts: ['{"version":1,"findings":[{"file":"a.yaml","code":"expired","policy":"p","text":"t","count":1,"fingerprint":"f"}]}'],
    words: [...json, '"version":', '"findings":', '"count":'],
    modules: /^src\/lint\/baseline/,
    read: (text) =>
      ofDocument(text, (node) => {
        const { entries, problems } = readBaseline(node)
        return { value: entries.map(({ value }) => value), diagnostics: problems }
      }),
  },
  {
    name: 'ignore-files',
    files: /^$/,
    texts: ['/a/**/b\n!c/\n*.yaml\nd\\ \n[a-z]?\n'],
    words: ['**', '*', '/', '!', '\\', '[!a-z]', '?', '[', ']', '#', ' '],
    modules: /^src\/cli\/input\/gitignore/,
    read: (text) => {
      const file = readIgnoreFile('', text)
      const paths = ['a/x/y/b', 'c', 'a.yaml', 'd ', 'a/b/c/d/e/f/g/h/i/j.yaml']
      return { value: [file.patterns, paths.map((path) => isIgnored([file], path, false))], diagnostics: [] }
    },
  },
]
