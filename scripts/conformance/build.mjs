/** Words for the tables of the corpus: whatever a table does not say is one usual user, action, resource and instant. */

export const user = (login, account = 'ab12-svc', region = 'eu') => `urn:v1:${region}:identity:user:${account}/${login}`
export const group = (name, account = 'ab12-svc', region = 'eu') => `urn:v1:${region}:identity:group:${account}/${name}`
export const credential = (client, account = 'ab12-svc', region = 'eu') =>
  `urn:v1:${region}:identity:credential:${account}/oauth2-${client}`
export const account = (id = 'ab12-svc', region = 'eu') => `urn:v1:${region}:identity:account:${id}`
export const resource = (name, type = 'vps', region = 'eu') => `urn:v1:${region}:resource:${type}:${name}`
export const resourceGroup = (id, region = 'eu') => `urn:v1:${region}:resourceGroup:${id}`
export const permissionsGroup = (name, owner = 'ab12-svc', region = 'eu') => `urn:v1:${region}:permissionsGroup:${owner}:${name}`

export const ann = user('ann')
export const web = resource('web-1')
export const reboot = 'vps:apisvc:reboot'
/** A Wednesday. */
export const noon = '2026-07-01T12:00:00Z'

const list = (given) => (given === undefined ? [] : [given].flat())

/** The lists of a permission set, those that are not empty. */
export function permissions(lists) {
  return Object.fromEntries(
    ['allow', 'except', 'deny'].flatMap((key) => (lists[key] === undefined ? [] : [[key, list(lists[key]).map((action) => ({ action }))]])),
  )
}

/** A policy for the usual user and resource: `who`, `on`, `allow`, `except`, `deny`, `named` groups, `when`, `until`; other fields as they are. */
export function policy({ name = 'p', who = ann, on = web, allow, except, deny, named, when, until, ...rest }) {
  return {
    name,
    identities: list(who),
    resources: list(on).map((urn) => ({ urn })),
    permissions: permissions({ allow, except, deny }),
    ...(named !== undefined && { permissionsGroups: list(named).map((urn) => ({ urn })) }),
    ...(when !== undefined && { conditions: when }),
    ...(until !== undefined && { expiredAt: until }),
    ...rest,
  }
}

/** A world of policies, written short and named in order, and whatever else a world describes. */
export function world(policies, rest = {}) {
  return { policies: list(policies).map((each, i) => policy({ name: 'pqrstuvw'[i], ...each })), ...rest }
}

export const match = (values) => ({ operator: 'MATCH', values })
export const and = (...conditions) => ({ operator: 'AND', conditions })
export const or = (...conditions) => ({ operator: 'OR', conditions })
export const not = (...conditions) => ({ operator: 'NOT', conditions })

/** A question with its verdict; besides the facts of the question, `missing` and `notes` that are expected. */
export function ask(verdict, { who = ann, action = reboot, on = web, at = noon, missing, notes, ...rest } = {}) {
  return {
    identity: who,
    action,
    resource: on,
    at,
    ...rest,
    expected: { verdict, ...(missing && { missing }), ...(notes && { notes }) },
  }
}
export const allow = (fields) => ask('allow', fields)
export const deny = (fields) => ask('deny', fields)
export const unknown = (missing, fields) => ask('unknown', { ...fields, missing: list(missing) })

/** A case about decisions over one world. */
export const decides = (what, world, ...questions) => ({ what, world, questions: questions.flat() })
/** A case about a world that is refused. */
export const refuses = (what, world) => ({ what, world, expected: { refused: true } })
/** The same for files. */
export const files = (what, texts, ...questions) => ({ what, files: named(texts), questions: questions.flat() })
export const refusesFiles = (what, texts) => ({ what, files: named(texts), expected: { refused: true } })
const named = (texts) => Object.entries(texts).map(([name, text]) => ({ name, lines: text.split('\n') }))
/** A case about new access: none, or some, with one request that shows it. */
export const nothingNew = (what, before, after) => ({ what, before, after, expected: { new: false } })
export const isNew = (what, before, after, request = {}) => {
  const { expected: _, ...example } = allow(request)
  return { what, before, after, expected: { new: true, example } }
}

/** Cases under the one sentence of docs/semantics.md that begins with these words. */
export const under = (beginning, ...cases) => ({ beginning, cases: cases.flat(Number.POSITIVE_INFINITY) })

/** Every pair of two lists. */
export const pairs = (a, b) => a.flatMap((x) => b.map((y) => [x, y]))
/** Every pair of one list, without regard to order. */
export const unordered = (items) => items.flatMap((x, i) => items.slice(i).map((y) => [x, y]))
