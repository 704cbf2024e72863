import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { partsOfAction, readAction, readActionPattern } from '../src/actions/action.ts'
import { printAddress, printRange, readAddress, readRange } from '../src/conditions/address.ts'
import { numberFrom } from '../src/conditions/sets.ts'
import { printConditionKey, printNumber, readConditionKey, readTest, subjects } from '../src/conditions/test.ts'
import { readDate, readInstant, readWeekday } from '../src/conditions/time.ts'
import { glob, matches } from '../src/glob.ts'
import {
  defaultSettings,
  type Fault,
  headerStart,
  isWideLetter,
  longestName,
  mostWildcards,
  printableFault,
  type Read,
  resourceWord,
  strangeCharacter,
  tooMuch,
  visible,
} from '../src/names.ts'
import { isServiceAccountName, printIdentity, readIdentity, readIdentityGroup } from '../src/urn/identity.ts'
import {
  printResource,
  readPermissionsGroup,
  readResource,
  readResourceGroup,
  readResourcePattern,
  typeAndName,
} from '../src/urn/resource.ts'
import { Zones } from '../src/zones.ts'
import { givenIn, testCases } from './support/cases.ts'
import { effort, isDeep } from './support/effort.ts'

/** Every grammar of a name, as it reads a text. */
const grammars = {
  'identity pattern': (text: string) => readIdentity(text, { pattern: true }),
  'identity group': readIdentityGroup,
  identity: (text: string) => readIdentity(text, { pattern: false }),
  'resource pattern': readResourcePattern,
  resource: (text: string) => readResource(text, { pattern: false }),
  'resource group': (text: string) => readResourceGroup(text, { pattern: false }),
  'permissions group': readPermissionsGroup,
  'action pattern': (text: string) => readActionPattern(text),
  action: (text: string) => readAction(text),
  key: (text) => readConditionKey(text, new Zones()),
  ...Object.fromEntries(
    ['request.IP', 'request.IP.IN', 'request.IP.IN_RANGE', 'date.Hour', 'date.Hour.IN', 'date.Date', 'date.WeekDay', 'date.WeekDay.IN'].map(
      (key) => [key, (text: string) => readTest(keyOf(key), text)],
    ),
  ),
} as Readonly<Record<string, (text: string) => Read<unknown>>>

function keyOf(text: string) {
  const { value } = readConditionKey(text, new Zones())
  if (!value) throw new Error(`no key: ${text}`)
  return value
}

const isLegal = (grammar: string, text: string) => grammars[grammar]?.(text).faults === undefined

describe('a name that is read and printed is the same name', () => {
  test.each([
    'urn:v1:eu:identity:account:xx1111-svc',
    'urn:v1:ca:identity:account:*',
    'urn:v1:ca:identity:account:xx*',
    'urn:v1:eu:identity:user:xx1111-svc/ann',
    'urn:v1:eu:identity:user:xx1111-svc/provider/ann@example.org',
    'urn:v1:eu:identity:user:xx1111-svc/*',
    'urn:v1:eu:identity:user:xx1111-svc/an*',
    'urn:v1:eu:identity:user:*',
    'urn:v1:us:identity:group:xx1111-svc/read only',
    'urn:v1:eu:identity:group:xx1111-svc/équipe.réseau@例',
    'urn:v1:eu:identity:group:xx1111-svc/*',
    'urn:v1:eu:identity:credential:xx1111-svc/oauth2-0123456789abcdef',
    'urn:v1:eu:identity:credential:xx1111-svc/oauth2-EU.0123456789abcdef',
    'urn:v1:eu:identity:credential:xx1111-svc/oauth2-*',
    'urn:v1:eu:identity:credential:xx1111-svc/*',
    'urn:v1:north-1:identity:account:1',
  ])('identity %s', (text) => {
    const { value } = readIdentity(text, { pattern: true })
    expect(value && printIdentity(value)).toBe(text)
    expect(readIdentity(text, { pattern: false }).value !== undefined).toBe(!text.includes('*'))
  })

  test.each([
    'urn:v1:eu:resource:vps:vps-5b48d78b.vps.example.net',
    'urn:v1:eu:resource:ldp/stream:5f1a',
    'urn:v1:eu:resource:ip:10.0.0.0/8',
    'urn:v1:eu:resource:ip:2001:db8::/32',
    'urn:v1:eu:resource:domain:example.org',
    'urn:v1:eu:resource:x:a b',
    'urn:v1:eu:resource:x:?[]{}!$^|()',
    'urn:v1:eu:resource:*',
    'urn:v1:eu:resource:*:*',
    'urn:v1:eu:resource:vps:*',
    'urn:v1:eu:resource:vps:vps-5b*',
    'urn:v1:eu:resource:*:vps-1',
    'urn:v1:eu:resource:vps:a*b*c',
  ])('resource %s', (text) => {
    const { value } = readResourcePattern(text)
    expect(value?.kind).toBe('resource')
    expect(value?.kind === 'resource' && printResource(value)).toBe(text)
    expect(readResource(text, { pattern: false }).value !== undefined).toBe(!text.includes('*'))
  })

  test.each([
    'urn:v1:eu:resourceGroup:3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'urn:v1:eu:resourceGroup:any text',
    'urn:v1:eu:resourceGroup:Büro 𝔸',
    'urn:v1:ca:resourceGroup:*',
    'urn:v1:eu:resourceGroup:a:b',
  ])('resource group %s', (text) => {
    const { value } = readResourcePattern(text)
    expect(value?.kind).toBe('group')
    expect(value?.kind === 'group' && `urn:v1:${value.region}:resourceGroup:${value.id}`).toBe(text)
  })

  test.each([
    'urn:v1:eu:permissionsGroup:svc:globalReadAccess',
    'urn:v1:eu:permissionsGroup:xx1111-svc:my group',
    'urn:v1:eu:permissionsGroup:a:b:c',
  ])('permissions group %s', (text) => {
    const { value } = readPermissionsGroup(text)
    expect(value && `urn:v1:${value.region}:permissionsGroup:${value.owner}:${value.name}`).toBe(text)
  })

  test.each([
    'vps:apisvc:get',
    'webHosting:apisvc:attachedDomain/get',
    'p2:openstack:a.b_c-d/e',
    'kmip:kmip:Get',
    'a:b:c?',
    'vps:apisvc:ips/get?ip=1.2.3.4/5:6 *'.replace(' *', ''),
    'a:b:c?d?e/:',
  ])('action %s', (text) => {
    const { value } = readAction(text)
    expect(
      value && [value.product, value.namespace, value.path + (value.parameter === undefined ? '' : `?${value.parameter}`)].join(':'),
    ).toBe(text)
    expect(value).toEqual(partsOfAction(text))
    expect(readActionPattern(text).value?.text).toBe(text)
  })

  test.each([
    ['resource.Tag(env)', 'resource.Tag(env)'],
    ['resource.Tag(env).EQ', 'resource.Tag(env)'],
    ['resource.Tag(a).b)', 'resource.Tag(a).b)'],
    ['resource.Tag(svc:env x)', 'resource.Tag(svc:env x)'],
    ['resource.Tag(env).starts_with', 'resource.Tag(env).STARTS_WITH'],
    ['resource.Tag(équipe)', 'resource.Tag(équipe)'],
    ['resource.Name', 'resource.Name'],
    ['resource.Name.In', 'resource.Name.IN'],
    ['resource.Type.ENDS_WITH', 'resource.Type.ENDS_WITH'],
    ['request.IP', 'request.IP'],
    ['request.IP.in_range', 'request.IP.IN_RANGE'],
    ['date.Hour', 'date(UTC).Hour'],
    ['date().Hour', 'date(UTC).Hour'],
    ['date(Europe/Paris).Hour.before', 'date(Europe/Paris).Hour.BEFORE'],
    ['date(America/Argentina/Buenos_Aires).WeekDay.IN', 'date(America/Argentina/Buenos_Aires).WeekDay.IN'],
    ['date(UTC).Date.AFTER', 'date(UTC).Date.AFTER'],
  ])('condition key %s is %s', (text, printed) => {
    const key = keyOf(text)
    expect(printConditionKey(key)).toBe(printed)
    expect(keyOf(printed)).toEqual(key)
  })

  test('every subject with each of its operators', () => {
    for (const [kind, { text, operators }] of Object.entries(subjects)) {
      for (const operator of operators) {
        const written = `${text.replace('<key>', 'k').replace('<zone>', 'Europe/Paris')}.${operator}`
        expect(keyOf(written)).toMatchObject({ subject: { kind }, operator })
      }
    }
  })
})

/** A fault on a line: the part that is wrong, the message, then what is suggested, the help, or where the name belongs. */
function faultLine(text: string, { from, to, message, suggestion, help, belongsIn }: Fault): string {
  const remedies = [suggestion && ` → ${suggestion}`, help && ` (${help})`, belongsIn && ` [${belongsIn}]`]
  return `${JSON.stringify(text.slice(from, to))} ${message}${remedies.filter((each) => each !== undefined).join('')}`
}

const user = 'urn:v1:eu:identity:user:a/b'
const long = 'a'.repeat(longestName + 1)

const malformed = givenIn(new URL('names.cases', import.meta.url))

describe('a malformed name is shown where it is wrong, with what was expected and meant', () => {
  const tried = new Set<string>()
  testCases(new URL('names.cases', import.meta.url), (text, { grammar = '' }) => {
    tried.add(grammar)
    const faults = grammars[grammar]?.(text).faults ?? []
    for (const { suggestion } of faults) if (suggestion !== undefined) expect(isLegal(grammar, suggestion)).toBe(true)
    // A part that is not there has no field: messages and reports print the fields that are there.
    expect(faults.flatMap((fault) => Object.values<unknown>({ ...fault }))).not.toContain(undefined)
    return faults.map((fault) => faultLine(text, fault))
  })

  test('the cases have every grammar', () => {
    expect([...tried].sort()).toEqual(Object.keys(grammars).sort())
  })

  test.each([
    ['identity pattern', 'urn:v1:eu:identity:user:'],
    ['identity pattern', 'urn:v1:eu:identity:user:a/'],
    ['action pattern', ''],
    ['resource pattern', 'urn:v1:eu:resource:vps:'],
    ['permissions group', 'urn:v1:eu:permissionsGroup:a:'],
  ])('%s: a name that begins with `%s` is at most as long as names are', (grammar, start) => {
    const text = `${start}${long}`
    const [fault] = grammars[grammar]?.(text).faults ?? []
    expect(fault).toMatchObject({ from: 0, to: text.length, message: expect.stringContaining('longer than 2048') })
    expect([fault?.suggestion, fault?.help, fault?.belongsIn]).toEqual([undefined, undefined, undefined])
  })

  test('a character that is not allowed, in full', () => {
    expect(strangeCharacter('日')?.message).toBe('the character U+65E5 (`日`) is not allowed in a name')
    expect(strangeCharacter('\u200b')?.message).toBe('the character U+200B (`\\u{200b}`) is not allowed in a name')
    expect(strangeCharacter('\u0430')?.message).toBe('the character U+0430 (`\u0430`) is not allowed in a name: it looks like `a`')
    expect(strangeCharacter('a😀', (point) => point > 0xffff)).toBeUndefined()
    expect(strangeCharacter('😀é', (point) => point > 0xffff)).toMatchObject({ from: 2, to: 3, suggestion: '😀e' })
  })

  test('nothing is suggested for a text that is too long', () => {
    expect(strangeCharacter(`é${'a'.repeat(longestName - 1)}`)?.suggestion).toBe(`e${'a'.repeat(longestName - 1)}`)
    expect(strangeCharacter(`é${'a'.repeat(longestName)}`)).not.toHaveProperty('suggestion')
    expect(tooMuch('a'.repeat(longestName))).toBeUndefined()
    expect(tooMuch(`${'*a'.repeat(mostWildcards)}**`)).toMatchObject({ from: 2 * mostWildcards, to: 2 * mostWildcards + 1 })
  })

  test('blanks around a name are a slip, and a name of another kind is none', () => {
    expect(readIdentity(`${user} `, { pattern: true }).faults?.[0]?.stray).toBe(true)
    expect(readIdentity('urn:v1:eu:resource:vps:a', { pattern: true }).faults?.[0]).not.toHaveProperty('stray')
    expect(readResource('urn:v1:eu:resourceGroup:x', { pattern: false }).faults?.[0]).not.toHaveProperty('belongsIn')
  })

  test('every resource group, where `*` is written for it', () => {
    expect(readResourceGroup('*', { pattern: true }).faults?.[0]?.suggestion).toBe('urn:v1:eu:resourceGroup:*')
  })

  test('an account without a type gets no suggestion, in any of the faults', () => {
    const { faults = [] } = readResourcePattern('urn:v1:eu:resource:')
    expect(faults.map(({ suggestion }) => suggestion)).toEqual([undefined, undefined])
  })

  test.each([
    ['identity pattern', 'urn:v1:eu:identity:user:/b', 1],
    ['identity pattern', 'urn:v1:eu:identity:user:/ *', 2],
    ['identity pattern', 'urn:v1:eu:identity:account:/b', 2],
    ['resource pattern', 'urn:v1:eu:resource::a', 1],
    ['resource pattern', 'urn:v1:eu:resource::', 2],
  ])('each wrong part gives one fault: %s %s, %d', (grammar, text, count) => {
    expect(grammars[grammar]?.(text).faults).toHaveLength(count)
  })

  test('letters beyond ASCII are those that show something', () => {
    expect([0x41, 0x61, 0xa0, 0x3164, 0xfe0f, 0x1f600].filter(isWideLetter)).toEqual([])
    expect([0xaa, 0xe9, 0x65e5, 0x20bb7].every(isWideLetter)).toBe(true)
  })

  test('a fault in words', () => {
    const fault = { from: 0, to: 1, message: 'is wrong' }
    expect(printableFault('a\n', fault)).toStrictEqual({ message: '`a\\u{a}`: is wrong' })
    expect(printableFault('a'.repeat(300), fault)).toEqual({ message: `\`${'a'.repeat(200)}\`: is wrong` })
    expect(printableFault('a', { ...fault, help: 'do so' })).toEqual({ message: '`a`: is wrong', help: 'do so' })
    expect(printableFault('a', { ...fault, belongsIn: 'resources' })).toEqual({
      message: '`a`: is wrong',
      help: 'list it under `resources`',
    })
    expect(printableFault('a', { ...fault, help: 'do so', belongsIn: 'resources' }).help).toBe('do so')
    expect(printableFault('a', { ...fault, suggestion: 'b', help: 'do so' }).help).toBe('did you mean `b`?')
  })

  test('what the brand makes of other names', () => {
    expect(resourceWord(defaultSettings)).toBe('svc_iam_')
    expect(resourceWord({ ...defaultSettings, resourcePrefix: 'acme' })).toBe('acme_iam_')
    expect(headerStart(defaultSettings)).toBe('X-Service')
    expect(headerStart({ ...defaultSettings, brand: 'acme' })).toBe('X-Acme')
    expect(headerStart({ ...defaultSettings, headerPrefix: 'Own' })).toBe('X-Own')
  })

  test('the joiners of an emoji stay', () => {
    expect(visible('\u{1f469}\u200d\u{1f4bb}')).toBe('\u{1f469}\u200d\u{1f4bb}')
  })

  test('a range that is no block is printed with both ends', () => {
    const range = (from: string, to: string) => {
      const [first, last] = [readAddress(from), readAddress(to)]
      return first && last && printRange({ family: first.family, first: first.value, last: last.value })
    }
    expect(range('10.0.0.1', '10.0.0.4')).toBe('10.0.0.1-10.0.0.4')
    expect(range('10.0.0.0', '10.0.0.2')).toBe('10.0.0.0-10.0.0.2')
    expect(range('0.0.0.0', '0.0.0.2')).toBe('0.0.0.0-0.0.0.2')
    expect(range('10.0.0.4', '10.0.0.7')).toBe('10.0.0.4/30')
    expect(range('::1', '::2')).toBe('::1-::2')
    expect(range('::2', '::3')).toBe('::2/127')
  })

  test('a number of a clock is printed as a condition has it', () => {
    expect([0, 6].map((number) => printNumber('weekday', number))).toEqual(['Monday', 'Sunday'])
    expect([0, 8, 23].map((number) => printNumber('hour', number))).toEqual(['0', '8', '23'])
    expect([20270131, 10102].map((number) => printNumber('date', number))).toEqual(['2027-01-31', '0001-01-02'])
  })

  test('a number of a clock has another one next to it unless it is the first or the last', () => {
    expect([0, 6].flatMap((number) => [numberFrom('weekday', number, -1), numberFrom('weekday', number, 1)])).toEqual([
      undefined,
      1,
      5,
      undefined,
    ])
    expect([0, 23].flatMap((number) => [numberFrom('hour', number, -1), numberFrom('hour', number, 1)])).toEqual([
      undefined,
      1,
      22,
      undefined,
    ])
    expect([numberFrom('date', 20261231, 1), numberFrom('date', 20270301, -1)]).toEqual([20270101, 20270228])
  })

  test('the longest address, the shortest gap and the last minute of an offset are understood', () => {
    expect(readAddress('ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255')).toEqual({ family: 6, value: 2n ** 128n - 1n })
    expect(readAddress('1:2:3:4:5:6:7::')).toEqual(readAddress('1:2:3:4:5:6:7:0'))
    expect(readAddress('1:2:3:4:5:6:7:8:9')).toBeUndefined()
    expect(readAddress('1.2.3.4::')).toBeUndefined()
    expect(readInstant('2027-01-01T00:00:00+00:59')).toBe(Date.UTC(2026, 11, 31, 23, 1))
    expect(readInstant('2026-12-31T23:59:60Z')).toBe(Date.UTC(2027, 0, 1))
  })

  test('an account has no name of its own', () => {
    expect(readIdentity('urn:v1:eu:identity:account:xx', { pattern: false }).value).toMatchObject({ account: 'xx', name: '' })
    expect(isServiceAccountName('oauth2-a b')).toBe(false)
    expect(isServiceAccountName('oauth2-abc*')).toBe(true)
    expect(isServiceAccountName('oauth3-abc*')).toBe(false)
  })

  test('several faults at once, each with the text in which all are put right', () => {
    const { faults = [] } = readIdentity('URN:v2:EU:identity:user:a/b', { pattern: true })
    expect(faults.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [4, 6],
      [7, 9],
    ])
    expect(new Set(faults.map((fault) => fault.suggestion))).toEqual(new Set([user]))
  })

  test.each(['équipe', 'команда', '開発', '\u{20bb7}野', '\u{1d11e}', '\u{f0000}', '\u{10428}-2', '\ud842', 'x\u{e0041}'])(
    'a group or login may be written in the letters of any script, beyond the first plane too: %j',
    (name) => {
      const isOfLetters = /^[\p{L}\p{M}\p{N}-]+$/u.test(name)
      for (const kind of ['group', 'user']) {
        const read = readIdentity(`urn:v1:eu:identity:${kind}:ab12-svc/${name}`, { pattern: false })
        expect(read.value?.name).toBe(isOfLetters ? name : undefined)
        expect(read.faults?.[0]?.stray).toBe(isOfLetters ? undefined : true)
      }
      expect(readIdentity(`urn:v1:eu:identity:user:${name}/ann`, { pattern: false }).value).toBe(undefined)
    },
  )

  test.each(['identity pattern', 'action pattern', 'resource pattern'])(
    'a stray character is distinguished from a wrong name: %s',
    (grammar) => {
      const stray = (text: string) => grammars[grammar]?.(text).faults?.map((fault) => fault.stray)
      expect(stray('urn:v1:eu:x\u200b')).toEqual([true])
      expect(stray('9')?.includes(true)).toBe(false)
    },
  )
})

describe('any text', () => {
  // Texts of the pieces that names are made of get further into a grammar than random ones.
  const pieces = [
    'urn',
    ':',
    'v1',
    'eu',
    'identity',
    'resource',
    'resourceGroup',
    'permissionsGroup',
    'user',
    'account',
    'credential',
    'oauth2-',
    '/',
    '*',
    'a',
    'B',
    '1',
    ' ',
    '.',
    ',',
    '?',
    '-',
    'vps',
    'apisvc',
    'get',
    'resource.Tag(',
    ')',
    'request.IP',
    'date(',
    'Europe/Paris',
    '.Hour',
    '.IN',
    'é',
    '\u200b',
    '10.0.0.1',
    '/8',
    'Monday',
    '2026-01-01',
    '\ud800',
    '😀',
    '',
  ]
  const texts = fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((list) => list.join('')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...malformed, user, 'urn:v1:eu:resource:vps:a', 'vps:apisvc:get'),
          fc.nat(60),
          fc.nat(2),
          fc.constantFrom(...pieces),
        )
        .map(([text, at, drop, put]) => text.slice(0, at) + put + text.slice(at + drop)),
    },
  )

  test.each(Object.entries(grammars))('is read without a throw, and what is suggested is legal: %s', (grammar, read) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { value, faults } = read(text)
        if (faults === undefined) return value !== undefined
        return faults.length > 0 && faults.every((fault) => isSound(grammar, text, fault))
      }),
      { numRuns: effort(1500) },
    )
  })

  function isSound(grammar: string, text: string, { from, to, message, suggestion }: Fault): boolean {
    const isInside = from >= 0 && from <= to && to <= text.length && (from < to || to === 0 || /empty|``/.test(message))
    const isWorded = /^[^A-Z]/.test(message) && !message.endsWith('.')
    return isInside && isWorded && (suggestion === undefined || (suggestion !== text && isLegal(grammar, suggestion)))
  }
})

describe('which actions and patterns are legal', () => {
  /** The grammar of the policy language, section 1, word for word. */
  const action = /^[a-z][A-Za-z0-9]*:[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*(\?.*)?$/

  function words(letters: string, longest: number): string[] {
    const out = ['']
    for (let from = 0, length = 0; length < longest; length++) {
      const to = out.length
      for (; from < to; from++) for (const letter of letters) out.push(out[from] + letter)
    }
    return out
  }

  test.each(['', 'a:a:', 'a:a:a/'])('an action is, exactly when the grammar says so: every text that starts with %j', (start) => {
    for (const text of words('aA1.:/?-', start !== '' ? 4 : isDeep ? 6 : 5).map((word) => start + word)) {
      expect(readAction(text).faults === undefined, text).toBe(action.test(text))
    }
  })

  test('a pattern is, exactly when it matches some legal action: every pattern of four characters', () => {
    const actions = words('a:/?', 9).filter((text) => action.test(text))
    expect(actions.length).toBeGreaterThan(effort(200))
    let legal = 0
    for (const text of words('a:/?*', 4)) {
      const pattern = glob(text)
      const matchesSome = actions.some((candidate) => matches(pattern, candidate))
      if (matchesSome) legal++
      expect(readActionPattern(text).faults === undefined, text).toBe(matchesSome)
    }
    expect(legal).toBeGreaterThan(effort(100))
  })
})

// covers: T18
describe('addresses', () => {
  const accepted: readonly (readonly [text: string, printed: string])[] = [
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['10.0.0.1', '10.0.0.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['1.2.3.4', '1.2.3.4'],
    ['127.0.0.1', '127.0.0.1'],
    ['100.100.100.100', '100.100.100.100'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8::A', '2001:db8::a'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:1:0:0:1:1:1', '::1:0:0:1:1:1'],
    ['0:0:1:0:0:0:1:1', '0:0:1::1:1'],
    ['0:0:0:1:1:1:0:0', '::1:1:1:0:0'],
    ['fe80::1', 'fe80::1'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['::ffff:a00:1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:a00:1', '10.0.0.1'],
    ['::10.0.0.1', '::a00:1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304'],
    ['::fffe:10.0.0.1', '::fffe:a00:1'],
    ['::ffff:0:0', '0.0.0.0'],
  ]
  test.each(accepted)('%s is %s', (text, printed) => {
    const address = readAddress(text)
    expect(address && printAddress(address)).toBe(printed)
    expect(readAddress(printed)).toEqual(address)
  })

  const refused = [
    '',
    ' ',
    '1',
    '10',
    '10.1',
    '10.0.1',
    '10.0.0.0.1',
    '10.0.0.',
    '.10.0.0.1',
    '10..0.1',
    '10.0.0.1.',
    '010.0.0.1',
    '10.00.0.1',
    '10.0.0.01',
    '00.0.0.0',
    '0x7f.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '256.0.0.1',
    '10.0.0.256',
    '10.0.0.999',
    '10.0.0.1000',
    '-1.0.0.1',
    '+1.0.0.1',
    '1e1.0.0.1',
    '10.0.0.1 ',
    ' 10.0.0.1',
    '10.0.0.1\n',
    '10.0.0.1\0',
    '10. 0.0.1',
    '10.0.0.1/32',
    '10.0.0.1:80',
    '[10.0.0.1]',
    '１０.0.0.1',
    '10。0。0。1',
    '١٠.0.0.1',
    'localhost',
    'a.b.c.d',
    ':',
    ':::',
    '::::',
    '1:2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4::5:6:7:8',
    '1::2::3',
    ':1::',
    '::1:',
    '1:',
    ':1',
    '12345::',
    '::12345',
    '::g',
    '::-1',
    '::1%eth0',
    'fe80::1%25eth0',
    'fe80::1%',
    '[::1]',
    '[::1]:80',
    '::1/128',
    ' ::1',
    '::1 ',
    '::1\n',
    '::ffff:010.0.0.1',
    '::ffff:10.0.0',
    '::ffff:10.0.0.256',
    '::ffff:10.0.0.1.2',
    '::10.0.0.1:1',
    '10.0.0.1::',
    '1.2.3.4:5:6:7:8:9:10',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::ffff:0x0a.0.0.1',
    '::٠',
    '0000:00000::',
    '::ffff:1.2.3.4%1',
  ]
  test.each(refused)('%j is none', (text) => {
    expect(readAddress(text)).toBeUndefined()
  })

  test('120 forms and more are tried', () => {
    expect(accepted.length + refused.length + blocks.length + badBlocks.length).toBeGreaterThanOrEqual(120)
  })

  const blocks: readonly (readonly [block: string, printed: string, size: bigint, hostBits: boolean])[] = [
    ['0.0.0.0/0', '0.0.0.0/0', 1n << 32n, false],
    ['10.0.0.0/8', '10.0.0.0/8', 1n << 24n, false],
    ['10.1.2.3/8', '10.0.0.0/8', 1n << 24n, true],
    ['192.0.2.0/24', '192.0.2.0/24', 256n, false],
    ['192.0.2.255/31', '192.0.2.254/31', 2n, true],
    ['192.0.2.1/32', '192.0.2.1/32', 1n, false],
    ['128.0.0.0/1', '128.0.0.0/1', 1n << 31n, false],
    ['::/0', '::/0', 1n << 128n, false],
    ['2001:db8::/32', '2001:db8::/32', 1n << 96n, false],
    ['2001:db8::1/32', '2001:db8::/32', 1n << 96n, true],
    ['::1/128', '::1/128', 1n, false],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8', 1n << 24n, false],
    ['::ffff:0:0/96', '0.0.0.0/0', 1n << 32n, false],
    ['::ffff:10.0.0.1/128', '10.0.0.1/32', 1n, false],
  ]
  test.each(blocks)('%s is %s', (text, printed, size, hostBits) => {
    const range = readRange(text)
    expect(range && printRange(range)).toBe(printed)
    expect(range && range.last - range.first + 1n).toBe(size)
    expect(range?.hostBits).toBe(hostBits)
  })

  const badBlocks = [
    '',
    '/',
    '/8',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/8 ',
    '10.0.0.0 /8',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10/8',
    '10.0.0/24',
    '::/129',
    '::/',
    '::',
    '2001:db8::/032',
    'fe80::%1/64',
    '10.0.0.0/1e1',
    '10.0.0.0/8.0',
    '0x0a.0.0.0/8',
  ]
  test.each(badBlocks)('%j is no block', (text) => {
    expect(readRange(text)).toBeUndefined()
  })

  // covers: M46
  test('reading what is printed gives the address back, in both families', () => {
    const four = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }).map((value) => ({ family: 4 as const, value }))
    const six = fc
      .tuple(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }))
      // Zeros in long runs, as addresses have them.
      .map(([value, mask]) => ({ family: 6 as const, value: value & mask & (value << 17n) & ((1n << 128n) - 1n) }))
      .filter(({ value }) => value >> 32n !== 0xffffn)
    fc.assert(
      fc.property(fc.oneof(four, six), (address) => {
        const read = readAddress(printAddress(address))
        return read?.family === address.family && read.value === address.value
      }),
      { numRuns: effort(5000) },
    )
  })

  // covers: M29b
  test('a shorter prefix holds what a longer one holds, and twice as much', () => {
    for (const [base, most] of [
      ['203.0.113.77', 32],
      ['2001:db8:77::1', 128],
    ] as const) {
      let inner = readRange(`${base}/${most}`)
      expect(inner && inner.last - inner.first).toBe(0n)
      for (let length = most - 1; length >= 0; length--) {
        const outer = readRange(`${base}/${length}`)
        if (!outer || !inner) throw new Error('no block')
        expect(outer.first <= inner.first && outer.last >= inner.last).toBe(true)
        expect(outer.last - outer.first + 1n).toBe(2n * (inner.last - inner.first + 1n))
        inner = outer
      }
    }
  })
})

describe('instants', () => {
  const at = Date.UTC
  const accepted: readonly (readonly [text: string, instant: number])[] = [
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01t00:00:00z', 0],
    ['2026-11-20T12:00:00Z', at(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00+00:00', at(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00-00:00', at(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00+01:00', at(2026, 10, 20, 11)],
    ['2026-11-20T12:00:00-05:30', at(2026, 10, 20, 17, 30)],
    ['2026-11-20T12:00:00+14:00', at(2026, 10, 19, 22)],
    ['2026-11-20T00:30:00+23:59', at(2026, 10, 19, 0, 31)],
    ['2026-11-20T12:00:00.5Z', at(2026, 10, 20, 12, 0, 0, 500)],
    ['2026-11-20T12:00:00.001Z', at(2026, 10, 20, 12, 0, 0, 1)],
    ['2026-11-20T12:00:00.999Z', at(2026, 10, 20, 12, 0, 0, 999)],
    ['2026-11-20T12:00:00.9999999Z', at(2026, 10, 20, 12, 0, 0, 999)],
    [`2026-11-20T12:00:00.${'9'.repeat(40)}Z`, at(2026, 10, 20, 12, 0, 0, 999)],
    ['2026-11-20T12:00:00.0009Z', at(2026, 10, 20, 12)],
    ['2024-02-29T00:00:00Z', at(2024, 1, 29)],
    ['2000-02-29T00:00:00Z', at(2000, 1, 29)],
    ['1969-12-31T23:59:59Z', -1000],
    ['1969-12-31T23:59:59.25Z', -750],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['9999-12-31T23:59:59Z', 253_402_300_799_000],
    // Leap seconds are at the end of a day in UTC, and count as the second after it.
    ['2016-12-31T23:59:60Z', at(2017, 0, 1)],
    ['2017-01-01T00:59:60+01:00', at(2017, 0, 1)],
    ['2016-12-31T23:59:60.75Z', at(2017, 0, 1, 0, 0, 0, 750)],
    ['1968-12-31T23:59:60.5Z', at(1969, 0, 1, 0, 0, 0, 500)],
    ['2015-06-30T19:59:60-04:00', at(2015, 6, 1)],
  ]
  test.each(accepted)('%s', (text, instant) => {
    expect(readInstant(text)).toBe(instant)
  })

  // Every thousandth: a fraction is cut off, not rounded, and never by the way a number is kept.
  test('every millisecond of a second', () => {
    for (let ms = 0; ms < effort(1000); ms++)
      expect(readInstant(`2026-11-20T12:00:00.${String(ms).padStart(3, '0')}Z`)).toBe(at(2026, 10, 20, 12) + ms)
  })

  test('every instant that a machine prints', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
        (date) => readInstant(date.toISOString()) === date.getTime(),
      ),
      { numRuns: effort(3000) },
    )
  })

  test.each([
    '',
    '2026',
    '2026-11-20',
    '2026-11-20T12:00Z',
    '2026-11-20T12:00:00',
    '2026-11-20 12:00:00Z',
    '2026-11-20T12:00:00 Z',
    ' 2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00Z ',
    '2026-11-20T12:00:00Z\n',
    '2026-11-20T12:00:00+0100',
    '2026-11-20T12:00:00+01',
    '2026-11-20T12:00:00+1:00',
    '2026-11-20T12:00:00.Z',
    '2026-11-20T12:00:00,5Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T12:00:61Z',
    '2026-11-20T12:00:00+24:00',
    '2026-11-20T12:00:00+01:60',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '20261120T120000Z',
    '2026-W47-5T12:00:00Z',
    '+12026-11-20T12:00:00Z',
    '-0001-11-20T12:00:00Z',
    '26-11-20T12:00:00Z',
    '2026-11-20T12:00:00EST',
    '2026-11-20T12:00:00[Europe/Paris]',
    '1763640000',
    'tomorrow',
    '2026-11-20T12:00:60Z',
    '2016-12-31T22:59:60Z',
    '2016-12-31T23:59:60+01:00',
    '２026-11-20T12:00:00Z',
  ])('%j is none', (text) => {
    expect(readInstant(text)).toBeUndefined()
  })
})

describe('dates, weekdays and zones', () => {
  test.each([
    ['2026-11-20', 20261120],
    ['2024-02-29', 20240229],
    ['0001-01-01', 10101],
    ['2026-02-29', undefined],
    ['2026-2-1', undefined],
    ['2026-11-31', undefined],
    ['20261120', undefined],
    ['2026-11-20T00:00:00Z', undefined],
    [' 2026-11-20', undefined],
  ])('date %j: %j', (text, value) => {
    expect(readDate(text)).toBe(value)
  })

  test.each([
    ['Monday', 0],
    ['monday', 0],
    ['SUNDAY', 6],
    ['wEdNeSdAy', 2],
    ['Mon', undefined],
    ['', undefined],
    ['0', undefined],
    [' Monday', undefined],
  ])('weekday %j: %j', (text, value) => {
    expect(readWeekday(text)).toBe(value)
  })

  // covers: T19
  test.each([
    ['UTC', true],
    ['Europe/Paris', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Asia/Kathmandu', true],
    ['Etc/GMT+5', true],
    ['GMT', true],
    ['', false],
    ['Europe', false],
    ['Europe/Atlantis', false],
    ['+01:00', false],
    ['-05:00', false],
    ['Z', false],
    ['Europe/Paris ', false],
    ['../Europe/Paris', false],
    ['Europe/Paris\0', false],
  ])('zone %j: %j', (text, known) => {
    expect(new Zones().get(text) !== undefined).toBe(known)
  })
})

describe('the edges of names', () => {
  // covers: T31
  test('eight wildcards are understood, and nine are not', () => {
    expect(tooMuch('a*'.repeat(mostWildcards))).toBe(undefined)
    expect(tooMuch('a**'.repeat(mostWildcards))).toBe(undefined)
    expect(tooMuch('a*'.repeat(mostWildcards + 1))?.message).toBe(`more than ${mostWildcards} wildcards`)
  })

  test('the name of a resource begins at the first colon behind its type', () => {
    expect(typeAndName('urn:v1:eu:resource:ldp/stream:a:b:c')).toEqual({ type: 'ldp/stream', name: 'a:b:c' })
  })

  test('the name of a service account has something behind its prefix, unless a wildcard is there', () => {
    expect(['oauth2-', 'oauth2-a', 'oauth2-*', 'oauth2*', 'oauth3*'].map(isServiceAccountName)).toEqual([false, true, true, true, false])
  })

  test('a wildcard behind the account leaves the account known', () => {
    const of = (text: string) => readIdentity(text, { pattern: true }).value
    expect(of('urn:v1:eu:identity:user:ab12-svc/x*')).toMatchObject({ account: 'ab12-svc', name: 'x*' })
    expect(of('urn:v1:eu:identity:user:ab12*')).toMatchObject({ account: undefined, name: 'ab12*' })
  })
})
