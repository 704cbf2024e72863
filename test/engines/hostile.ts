import { type Call, callOf } from './decided.ts'

/** Names, values and logs that are written to be read as SQL, as a pattern, as an escape, or as another text that looks alike. */

/** Texts of printable ASCII: most can be in names. */
const printable = [
  ...[
    "'",
    "''",
    '"',
    '`',
    '\\',
    '\\\\',
    "\\'",
    "a\\'b",
    '%',
    '_',
    '!',
    '!%',
    '%_!',
    '!!_',
    '\\%',
    '\\_',
    'a%b',
    'a_b',
    'a!b',
    '[a-z]',
    '^a$',
    '.+',
  ],
  ...[
    "'; DROP TABLE gw_canary; --",
    "' OR '1'='1",
    '"; DROP TABLE gw_canary; --',
    '\\x27',
    '\\u0027',
    '\\n',
    '&quot;',
    '&name',
    '$$',
    '$1',
    ':name',
    '@x',
    '?',
  ],
  ...[
    '{{ 7 }}',
    '{% raw %}',
    '${x}',
    '<% a %>',
    '--',
    '/* a',
    'a */',
    '#',
    'NULL',
    'a;b',
    "E'a'",
    "U&'a'",
    '0x41',
    '1e9',
    'a  b',
    'A',
    'a',
    'null',
    'a:b',
    'a/b',
  ],
] as const

/** Texts for tags, conditions and logs alone. */
const others = [
  ...[
    '',
    ' ',
    'a ',
    ' a',
    'a\nb',
    'a\r\nb',
    '\n',
    'a\tb',
    '\u0001',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2028',
    'a\ufeffb',
    '\u202e',
    'a\u200bb',
  ],
  ...[
    '\u00e9',
    'e\u0301',
    '\u00df',
    'ss',
    '\u0131',
    '\u0130',
    'K',
    '\u212a',
    '\u00c5',
    '\u212b',
    'A\u030a',
    '\ufb01',
    'fi',
    '\u0430',
    '\uff21',
  ],
  ...[
    '\u{1f511}',
    '\u{1f511}\u{1f511}',
    'a\u{10ffff}',
    '\ufffd',
    '\uffff',
    'x'.repeat(10_000),
    `${"'".repeat(5_000)}%`,
    '\u{1f511}'.repeat(1_000),
  ],
] as const

/** Texts with a character that Postgres knows in no text. */
const withNul = ['\0', 'a\0b', "'\0'"] as const

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const resource = (name: string) => `urn:v1:eu:resource:vps:${name}`
const action = 'vps:apisvc:get'

/** Texts that a pattern, a comparison or a loader that is not exact would take for the same. */
const near = (text: string): readonly string[] => [
  ...new Set([
    text,
    `x${text}`,
    `${text}x`,
    text.replaceAll(/[%_]/g, 'x'),
    text.replaceAll(/[\\!]/g, ''),
    text.replaceAll("''", "'"),
    text.replaceAll('\\\\', '\\'),
    text.toUpperCase(),
    text.toLowerCase(),
    text.normalize('NFKC'),
  ]),
]
const isName = (text: string) => /^[!-)+-~](?:[ -)+-~]*[!-)+-~])?$/.test(text)

const names = printable.filter(isName)

const policy = (name: string, identity: string, on: string, more: object = {}) => ({
  name,
  identities: [identity],
  resources: [{ urn: on }],
  permissions: { allow: [{ action: '*' }] },
  ...more,
})
const match = (key: string, text: string) => ({ conditions: { operator: 'MATCH', values: { [key]: text } } })

const values = [...printable, ...others, ...withNul]

const policies = [
  ...names.flatMap((text) => [
    policy(text, user(text), resource(text)),
    policy(text, user('prefix'), resource(`p${text}*`)),
    policy(text, user('like'), resource(`*${text}*z`)),
    policy(text, group(text), resource('of-group')),
    {
      ...policy(text, user('action'), resource('of-action')),
      permissions: { allow: [{ action: `${action}?${text.replaceAll(' ', '')}*` }] },
    },
  ]),
  ...values.flatMap((text, i) =>
    ['', '.STARTS_WITH', '.ENDS_WITH'].map((operator) =>
      policy(text, user(`tag${i}`), resource(`t${operator}`), match(`resource.Tag(k)${operator}`, text)),
    ),
  ),
  ...printable.map((text, i) => policy(text, user(`key${i}`), resource('keyed'), match(`resource.Tag(${text})`, 'v'))),
]

/** Policies and facts that hold them. */
export const hostileWorld = {
  policies,
  identities: names.map((text) => ({ urn: user(`in ${text}`), groups: [group(text)] })),
  resources: values.map((text, i) => ({ urn: resource(`known${i}`), tags: { k: text, [text]: 'v' } })),
}

/** Calls that name them, and what is near to them. `hasNul`: with the character 0, which not every engine can hold. */
export function hostileCalls(hasNul: boolean): readonly Call[] {
  const asked = (identity: string, on: string, more: Partial<Call> = {}): Call => ({
    ...callOf({ identity, action, resource: on }),
    at_ms: 0,
    ...more,
  })
  const calls = [
    ...names.flatMap((text) => [
      ...near(text).flatMap((each) => [
        asked(user(text), resource(each)),
        asked(user(each), resource(text)),
        asked(user('prefix'), resource(`p${each} 1`)),
        asked(user('like'), resource(`1${each}2z`)),
        asked(user('action'), resource('of-action'), { action: `${action}?${each.replaceAll(' ', '')}1` }),
        asked(user('any'), resource('of-group'), { grps: group(each) }),
        asked(user('any'), resource('of-group'), { grps: `${group('other')}\n${group(each)}` }),
      ]),
      asked(user(`in ${text}`), resource('of-group')),
    ]),
    ...values.flatMap((text, i) => [
      ...near(text).flatMap((each) =>
        ['', '.STARTS_WITH', '.ENDS_WITH'].map((operator) =>
          asked(user(`tag${i}`), resource(`t${operator}`), { tags: JSON.stringify({ k: each }) }),
        ),
      ),
      // A key that is given twice counts in a condition here.
      asked(user(`tag${i}`), resource('t'), { tags: `{"k": "x", "k": ${JSON.stringify(text)}}` }),
      asked(user(`key${i}`), resource('keyed'), { tags: JSON.stringify({ [text]: 'v' }) }),
      ...['identity', 'action', 'resource', 'ip', 'tags', 'owner', 'grps'].map((column) =>
        asked(user('a'), resource('a'), { [column]: text }),
      ),
    ]),
    ...malformed.map((each) => asked(user('a'), resource('a'), each)),
  ]
  return hasNul ? calls : calls.filter((call) => !JSON.stringify(call).includes('\\u0000'))
}

/** Rows of logs with other mistakes. */
const malformed: readonly Partial<Call>[] = [
  ...[{ identity: null }, { action: null }, { resource: null }, { identity: null, action: null, resource: null }],
  ...[
    '[]',
    '{}',
    ' {} ',
    'null',
    '1',
    '"a"',
    '{"k":1}',
    '{"k":null}',
    '{"k":{}}',
    '{"k":"a","k":"b"}',
    '{"k":"a",}',
    "{'k':'a'}",
    '{"k":"\\u0041"}',
    '{"__proto__":"a"}',
  ].map((tags) => ({ tags })),
  ...[
    '10.0.0.1',
    '010.0.0.1',
    '10.0.0',
    '10.0.0.256',
    '1.2.3.4.5',
    '::1',
    '::ffff:10.0.0.1',
    ' 10.0.0.1',
    '10.0.0.1\n',
    '0x0a000001',
    '167772161',
  ].map((ip) => ({ ip })),
  ...[-1, 253_402_300_799_999, 8_640_000_000_000_000, 8_640_000_000_000_001, -8_640_000_000_000_001, Number.MAX_SAFE_INTEGER, null].map(
    (at_ms) => ({ at_ms }),
  ),
  ...['', '\n', `${group('a')}\n`, `${group('a')}\n\n${group('b')}`, `${group('a')}\r\n${group('b')}`].map((grps) => ({ grps })),
]
