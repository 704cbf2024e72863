import { loadCatalogue } from '../../src/actions/load.ts'
import { printRecord } from '../../src/actions/record.ts'
import type { Answer } from '../../src/answers/model.ts'
import { answerText } from '../../src/answers/text.ts'
import { fullNameWording } from '../../src/answers/wording.ts'
import { type Address, readAddress } from '../../src/conditions/address.ts'
import type { World } from '../../src/policy.ts'
import { paint } from '../../src/report/colour.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { pick, type Random, randomOf, worldOf } from './worlds.ts'

/** Accounts whose summaries are held against their rows (`test/answers/claims.deep.test.ts`), and what is printed read back. */

export const catalogue = loadCatalogue()
export const actions = new ActionsByType(catalogue)
const wording = fullNameWording()
export const printed = (answer: Answer, all = true) => answerText(answer, { paint: paint(false), wording, all })
export const machine = <T>(answer: Answer) => JSON.parse(JSON.stringify(answer.json())) as T

/** The numbers in `allowed (3 users, 1 group and 1 account)`, added up. */
export const counted = (line: string) =>
  [...(/\(([^;)]*)(?:;[^)]*)?\)$/.exec(line)?.[1] ?? '').matchAll(/\d+/g)].reduce((sum, [n]) => sum + Number(n), 0)

export const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start))

/** A permissions group that no account describes. */
export const unknownGroup = 'urn:v1:eu:permissionsGroup:acme:unknown'

const names = {
  identities: ['user:ab/ann', 'user:ab/bob', 'user:ab/*', 'group:ab/ops', 'group:ab/guests', 'credential:ab/oauth2-1'],
  actions: [
    'vps:apisvc:terminate',
    'vps:apisvc:reboot',
    'vps:apisvc:get',
    'vps:*',
    '*',
    'domain:apisvc:contact/update',
    'account:apisvc:iam/policy/edit',
    'account:apisvc:me/identity/user/edit',
    'account:*',
    '*:terminate',
  ],
  resources: [
    'resource:vps:web-1',
    'resource:vps:*',
    'resource:*',
    'resource:domain:a.example',
    'resource:account:ab',
    'resourceGroup:0f1e',
  ],
}

const conditions = [
  undefined,
  undefined,
  undefined,
  { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '1', 'date(UTC).Hour.LT': '5' } },
  { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
  { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
]

/** An account and the same after a change, as plain JSON. */
export function someAccount(random: Random) {
  const some = (list: readonly string[], most: number) => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, list))),
  ]
  const policy = (_: unknown, i: number) => {
    const list = some(names.actions, 2).map((action) => ({ action }))
    const condition = pick(random, conditions)
    return {
      name: `p${i}`,
      identities: some(names.identities, 2).map((name) => `urn:v1:eu:identity:${name}`),
      resources: some(names.resources, 2).map((name) => ({ urn: `urn:v1:eu:${name}` })),
      permissions:
        random() < 0.75 ? { allow: list, ...(random() < 0.3 && { except: [{ action: 'vps:apisvc:terminate' }] }) } : { deny: list },
      ...(random() < 0.1 && { permissionsGroups: [{ urn: unknownGroup }] }),
      ...(condition && { conditions: condition }),
    }
  }
  const maybe = <T>(part: T) => (random() < 0.6 ? part : {})
  const policies = Array.from({ length: 1 + Math.floor(random() * 4) }, policy)
  const world = {
    ...maybe({ account: 'ab' }),
    identities: [
      { urn: 'urn:v1:eu:identity:user:ab/ann', groups: random() < 0.5 ? ['urn:v1:eu:identity:group:ab/ops'] : [] },
      { urn: 'urn:v1:eu:identity:user:ab/bob', groups: ['urn:v1:eu:identity:group:ab/guests'] },
    ],
    resources: ['vps:web-1', 'vps:web-2', 'domain:a.example', 'account:ab'].map((name) => ({
      urn: `urn:v1:eu:resource:${name}`,
      ...maybe({ tags: { env: pick(random, ['prod', 'dev']) } }),
    })),
    ...maybe({
      resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:0f1e', name: 'g', resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }] }],
    }),
  }
  return [
    { ...world, policies },
    random() < 0.2 ? { ...world, policies } : { ...world, policies: [...policies.slice(1), policy(0, 9)] },
  ] as const
}

/** Accounts, each with the same after a change and a question. */
export function* accounts(seed: number, count: number) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [before, after] = someAccount(random)
    const question = {
      action: pick(
        random,
        names.actions.filter((action) => !action.includes('*')),
      ),
      resource: `urn:v1:eu:${pick(random, ['resource:vps:web-1', 'resource:vps:new', 'resource:domain:a.example'])}`,
    }
    const world = worldOf(before)
    yield { world, after: worldOf(after), question, identities: knownNamesIn([world]).identities }
  }
}

// Questions that are put to decisions: all that can make a difference in these accounts, and no more.

const fewByType: Readonly<Record<string, readonly string[]>> = {
  vps: ['vps:apisvc:terminate', 'vps:apisvc:reboot', 'vps:apisvc:get'],
  domain: ['domain:apisvc:contact/update', 'domain:apisvc:get'],
  account: ['account:apisvc:iam/policy/edit', 'account:apisvc:me/identity/user/edit'],
}

/** A few actions of each type, so that every one of them can be tried. */
export const fewActions = {
  of: (type: string) => fewByType[type] ?? [],
  types: () => Object.keys(fewByType),
  knows: () => true,
} as unknown as ActionsByType
/** The text of a catalogue that knows these actions and no others. */
export const fewCatalogue = printRecord({
  seen: '2026-01',
  brand: 'svc',
  actions: new Map(Object.values(fewByType).flatMap((list) => list.map((name) => [name, { seen: '2026-01' }] as const))),
  types: Object.keys(fewByType),
  serves: new Map(),
  operations: [],
})
export const fewReads: ReadonlySet<string> = new Set(['vps:apisvc:get', 'domain:apisvc:get'])

/** In the range of the conditions of these accounts, and outside of it. */
export const addresses = ['192.0.2.4', '198.51.100.7'].map((text) => readAddress(text) as Address)
/** Within and without the hours of the conditions. */
const hoursOfDay = [3, 12].map((hour) => Date.UTC(2026, 5, 1, hour))

/** Contexts that meet each condition of these accounts, and that miss it. */
export function contextsFor({ resources }: World, resource: string) {
  const isKnown = resources.get(resource)?.tags !== undefined
  const tags = isKnown ? [undefined] : [new Map(), new Map([['env', 'prod']]), new Map([['env', 'dev']])]
  return hoursOfDay.flatMap((at) => addresses.flatMap((ip) => tags.map((own) => ({ at, ip, ...(own && { tags: own }) }))))
}

/** A cell of a matrix read back: `write* 2/5`, `W?`, `·`. */
export function readMark(text: string, of: number) {
  const [, word = '', mark = '', own] = /^(?:(?:read|write|[RW]); )?(none|read|write|all|[·RWA])([*?]?)(?: (\d+)\/\d+)?$/.exec(text) ?? []
  const level = { '·': 'none', R: 'read', W: 'write', A: 'all' }[word] ?? word
  const confidence = { '*': 'sometimes', '?': 'perhaps' }[mark] ?? 'always'
  if (level === '') throw new Error(`no cell: ${text}`)
  return { level, confidence, resources: own === undefined ? of : Number(own) }
}
