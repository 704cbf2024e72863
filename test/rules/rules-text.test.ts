import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { limits } from '../../src/parser/limits.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { looksLikeRules } from '../../src/parser/rules-text.ts'
import { inside, notationOf, position, sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'

async function read(text: string) {
  const source = sourceOf('access-rules', text)
  const { facts, diagnostics, ...rest } = await readSource(source, defaultSettings)
  const requests = facts.credentials ?? []
  const at = (offset: number) => {
    const { line, column } = position(source, offset)
    return `${line}:${column}`
  }
  return {
    ...rest,
    requests: requests.map(({ rules }) => rules.map(({ method, path }) => `${method.value} ${path.value}`)),
    places: requests.map(({ rules }) => rules.map(({ path: { span } }) => `${at(span.start)}-${at(span.end)}`)),
    rules: requests.flatMap(({ rules }) => rules),
    found: diagnostics.map(({ span, message }) => `${at(span.start)} ${message}`),
    diagnostics,
  }
}

describe('a list of rules', () => {
  it('has a rule a line, comments and blank lines, in any line ends', async () => {
    for (const ending of ['\n', '\r\n']) {
      const text = ['# what the backup calls', '', 'GET /me', '  POST\t /vps/*/reboot  # at night', 'GET /a#b', ''].join(ending)
      const { requests, places, found, holdsPolicies } = await read(text)
      expect([found, holdsPolicies]).toEqual([[], true])
      expect(requests).toEqual([['GET /me', 'POST /vps/*/reboot', 'GET /a#b']])
      expect(places).toEqual([['3:5-3:8', '4:9-4:22', '5:5-5:9']])
    }
  })

  it.each([
    ['/me', '1:1 `/me` is no access rule: it does not start with a method'],
    ['- GET /me', '1:1 `- GET /me` is no access rule: it does not start with a method'],
    ['GET', '1:1 `GET` without a path: what it is about is not specified'],
    ['GET # /me', '1:1 `GET` without a path: what it is about is not specified'],
    ['GET /a POST /b', '1:8 more than a method and a path on one line'],
    ['GET /a\nhttps://api.example/createToken/?GET=/b', '2:1 an address among the lines of a list'],
    ['', '1:1 the file is empty'],
    ['# nothing\n\n', '1:1 the file is empty'],
    ['GET /m\u200be', '1:7 U+200B is invisible: the file would not say what it shows'],
  ])('%j is refused', async (text, message) => {
    expect((await read(text)).found).toEqual([message])
  })

  it('keeps the comments that leave findings out', async () => {
    const { ignores } = await read('# grantwise-ignore trailing-slash: asked for so\nGET /vps/\n')
    expect(ignores.map(({ line, reason }) => [line, reason])).toEqual([[2, 'asked for so']])
  })
})

describe('the address of a page that makes a token', () => {
  it.each([
    ['https://api.example/createToken/?GET=/a&POST=/b/*', ['GET /a', 'POST /b/*']],
    ['https://api.example/createToken?GET=/a&GET=/b&GET=/a', ['GET /a', 'GET /b', 'GET /a']],
    ['HTTPS://api.example/createToken/index.cgi?GET=%2Fcloud%2Fproject%2F%2A&&', ['GET /cloud/project/*']],
    ['http://127.0.0.1:8765/eu/createToken/?name=x+y&GET=/me&description=a%20b&duration=1+day&applicationName=z', ['GET /me']],
    ['https://api.example/createToken/?GET=/ip/192.0.2.0%252F24', ['GET /ip/192.0.2.0%2F24']],
    ['https://api.example/createToken/?get=/me&HEAD=/me&GET=', ['get /me', 'HEAD /me', 'GET ']],
    ['https://api.example/createToken/?GET=/a=b?c', ['GET /a=b?c']],
  ])('%s', async (text, expected) => {
    const { requests, found } = await read(text)
    expect([found, requests]).toEqual([[], [expected]])
  })

  it('reports each path at its place, decoded or not', async () => {
    const text = '# from the wiki\nhttps://api.example/createToken/?GET=%2Fv%C3%A9p%2F*&POST=/b\n'
    const { places, rules } = await read(text)
    expect(places).toEqual([['2:38-2:53', '2:59-2:61']])
    const path = rules[0]?.path
    expect(path?.value).toBe('/vép/*')
    const at = (from: number, to: number) => {
      const { start, end } = inside(path as NonNullable<typeof path>, from, to)
      return text.slice(start, end)
    }
    expect([at(0, 1), at(2, 3), at(1, 4), at(4, 6)]).toEqual(['%2F', '%C3%A9', 'v%C3%A9p', '%2F*'])
  })

  it.each([
    ['https://api.example/createToken/?GET[]=/a', '1:34 `GET[]` is no method: brackets do not make a list here'],
    ['https://api.example/createToken/?GET%5B%5D=/a', '1:34 `GET[]` is no method: brackets do not make a list here'],
    ['https://api.example/createToken/?GET=/a&amp;POST=/b', '1:41 `amp;POST` is no method: `&amp;` is an ampersand in HTML only'],
    ['https://api.example/createToken/?GET=/a,/b', '1:38 a comma does not part paths: this would be one path'],
    ['https://api.example/createToken/?GET=/a%ZZ', '1:38 malformed percent-encoding'],
    ['https://api.example/createToken/?G%ET=/a', '1:34 malformed percent-encoding'],
    ['https://api.example/createToken/?GET=/a%2', '1:38 malformed percent-encoding'],
    ['https://api.example/createToken/?GET=/a+b', '1:40 `+` stands for a blank to some programs and for itself to others'],
    ['https://api.example/createToken/?GET=/a#&POST=/b', '1:40 what is behind `#` is not sent: no rule in it is asked for'],
    ['https://api.example/createToken/?GET=/a POST=/b', '1:40 a blank ends the address: what is behind it is not part of it'],
    ['https://api.example/createToken/?Gte=/a', '1:34 `Gte` is no method and nothing else that is known here'],
    [
      'https://api.example/createToken/?GET=/a%E2%80%8B',
      '1:38 the path holds a character that does not show: it is another path than it looks',
    ],
    ['https://api.example/createToken/?GET', '1:34 `GET` without a path: what it is about is not specified'],
    ['https://api.example/createToken/?name=x', '1:1 the address asks for no access: it has no rule'],
    ['https://api.example/?GET=/a', '1:1 not the address of a page that makes a token: its path has no `createToken`'],
    ['https://api.example/createToken/?GET=/a\nGET /b', '2:1 a line behind an address: what it is for cannot be determined'],
  ])('%s is refused', async (text, message) => {
    const { found, diagnostics } = await read(text)
    expect(found).toEqual([message])
    expect(diagnostics[0]?.help).toBeTruthy()
  })

  it('is a request of its own, each', async () => {
    const { requests } = await read('https://a.example/createToken/?GET=/a\nhttps://a.example/createToken/?GET=/b\n')
    expect(requests).toEqual([['GET /a'], ['GET /b']])
  })
})

describe('which text it is', () => {
  it.each([
    ['# x\n\nGET /me', true],
    ['\ufeffpost  /me', true],
    ['DELETE *', true],
    ['https://x', true],
    ['GET', false],
    ['get: /me', false],
    ['name: GET /me', false],
    ['', false],
    ['# only', false],
  ])('%j: %s', (text, expected) => expect(looksLikeRules(text)).toBe(expected))

  it.each(['access-rules', 'app.access-rules', 'a/access-rules.txt', 'b\\x.Access-Rules.TXT'])('%s by its name', (name) =>
    expect(notationOf(name)).toBe('rules'),
  )

  it.each(['access-rules.md', 'my-access-rulesx', 'xaccess-rules', 'rules.txt'])('not %s', (name) =>
    expect(notationOf(name)).not.toBe('rules'),
  )
})

describe('hostile texts', () => {
  it('never throws, and reports what it leaves out', async () => {
    const piece = fc.constantFrom(
      'GET',
      'get',
      ' ',
      '/',
      '*',
      '?',
      '&',
      '=',
      '%',
      '%2F',
      '%C3',
      '#',
      '\n',
      '\r',
      'https://h/createToken/?',
      '[',
      ',/',
      '+',
      '\t',
      '\u202e',
      'é',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { requests, diagnostics, refused } = await read(pieces.join(''))
        expect(refused || diagnostics.length > 0 || requests.flat().length > 0).toBe(true)
        for (const { span, message } of diagnostics) {
          expect(span.start).toBeLessThanOrEqual(span.end)
          expect(message).not.toMatch(/[\n\r]/)
        }
      }),
      { numRuns: effort(1000) },
    )
  })

  it('reads an address of a megabyte, and a list of 100,000 rules', async () => {
    const one = '&GET=%2Fvps%2Fx'
    const long = `https://api.example/createToken/?POST=/a${one.repeat(70_000)}`
    expect(long.length).toBeGreaterThan(effort(1_000_000))
    expect((await read(long)).requests[0]).toHaveLength(70_001)
    expect((await read('GET /vps/a\n'.repeat(100_000))).requests[0]).toHaveLength(100_000)
    // One without an end, and problems without end.
    expect((await read(`https://api.example/createToken/?GET=/${'a'.repeat(1_000_000)}`)).found).toEqual([])
    expect((await read('nothing\n'.repeat(100_000))).found).toHaveLength(100)
  })
})

describe('a text that begins with an access rule or an address', () => {
  it.each<[string, boolean]>([
    ['GET /me', true],
    ['get *', true],
    ['get me', false],
    ['POST\t/a', true],
    ['fetch /a', false],
    ['GETS /a', false],
    ['https://x', true],
    ['HTTP://x', true],
    ['http:/x', false],
    ['\ufeff\n # c\n  GET /a', true],
    ['  \r\nPUT /x', true],
    [`${' '.repeat(150)}GET /a`, true],
    [`${' '.repeat(250)}GET /a`, false],
    ['# c', false],
    ['', false],
    ['GET', false],
    ['{"a": 1}', false],
  ])('%j: %j', (text, isOne) => {
    expect(looksLikeRules(text)).toBe(isOne)
  })
})

describe('a text that is too much', () => {
  it('is refused where it is too long', async () => {
    const comment = '#'.repeat(limits.jsonLength)
    expect((await read(comment)).found).toEqual(['1:1 the file is empty'])
    expect((await read(`${comment}#`)).found).toEqual([
      `1:1 the file is longer than ${limits.jsonLength} characters, the most that is read of it`,
    ])
  })

  it('has so many problems and no more', async () => {
    expect((await read('x\u200b\n'.repeat(120))).found).toHaveLength(limits.problems)
  })

  it.each([
    ['a list', (faults: number) => `${'x\n'.repeat(faults)}GET /me\n`, 'GET /me'],
    ['an address', (faults: number) => `https://h/createToken?${'x&'.repeat(faults)}GET=/me`, 'GET /me'],
  ] as const)('is %s that is read up to the last problem that is reported', async (_, textOf, rule) => {
    const rulesOf = async (faults: number) => (await read(textOf(faults))).requests.flat()
    expect(await rulesOf(limits.problems - 1)).toEqual([rule])
    expect(await rulesOf(limits.problems)).toEqual([])
  })
})

describe('an address without a query', () => {
  const noToken = 'not the address of a page that makes a token: its path has no `createToken`'
  it.each<[string, ...(readonly [number, number, string])[]]>([
    ['https://h/createToken\n', [0, 21, 'the address asks for no access: it has no rule']],
    ['https://h/createToken#x', [21, 23, 'what is behind `#` is not sent: no rule in it is asked for']],
    ['https://h/createToken b', [21, 23, 'a blank ends the address: what is behind it is not part of it']],
    ['https://h/x\n', [0, 11, noToken]],
    ['https://h/x', [0, 11, noToken]],
  ])('%j: %j', async (text, ...wanted) => {
    expect((await read(text)).diagnostics.map(({ span, message }) => [span.start, span.end, message])).toEqual(wanted)
  })
})
