import { describe, expect, test } from 'vitest'
import { Mapping, mapsFault, type Renaming } from '../../src/diff/mapped.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { generate, type QuestionJson, questionOf, randomOf, worldOf } from '../support/worlds.ts'

const map = (text: string): Renaming => {
  const [from = '', to = ''] = text.split('=')
  return { from, to }
}
const mapped = (text: string, ...maps: readonly string[]) => new Mapping(maps.map(map)).text(text, 'x.yaml')

describe('names are mapped', () => {
  test.each([
    ['staging-1 staging', ['staging=prod'], 'prod-1 prod'],
    ['stagings restaging staging2', ['staging=prod'], 'stagings restaging staging2'],
    ['urn:v1:eu:identity:user:ab12-svc/ann', ['ab12-svc=cd34-svc'], 'urn:v1:eu:identity:user:cd34-svc/ann'],
    // The longest first, and all at once.
    ['ab12-svc ab12', ['ab12=x', 'ab12-svc=y'], 'y x'],
    ['a b', ['a=b', 'b=a'], 'b a'],
    ['été ét', ['ét=x'], 'été x'],
    ['a.c abc', ['a.c=x'], 'x abc'],
  ])('in %s by %j', (text, maps, expected) => expect(mapped(text, ...maps)).toBe(expected))

  test('on as many lines', () => {
    expect(mapped('a: staging\r\nb: staging\n', 'staging=prod').split('\n')).toHaveLength(3)
  })
})

test.each(['=b', 'a=', 'a=a', 'a\nb=c', 'a=b\nc', 'a=b"', "a=b'", 'a=b: c', 'a= b', 'a=b ', 'a=b\\', 'a={b}', 'a=b#', 'a=$b', 'a=\u2028b'])(
  'no map: %j',
  (text) => expect(mapsFault([map(text)])).toBeDefined(),
)

test.each([[['a=b', 'a=c']], [['a=c', 'b=c']]])('no maps together: %j', (maps) => expect(mapsFault(maps.map(map))).toBeDefined())

test('a name that is there already would be one with another', () => {
  const mapping = new Mapping([map('a=b')])
  mapping.source(sourceOf('x.yaml', 'a b'))
  expect(mapping.fault()?.message).toBe('--map `a=b`: BEFORE has `b` already (x.yaml): the two would be one')
})

test('a name that occurs nowhere is no map', () => {
  const mapping = new Mapping([map('a=b'), map('c=d')])
  mapping.source(sourceOf('x.yaml', 'a'))
  expect(mapping.fault()?.message).toBe('--map `c=d`: `c` occurs nowhere in BEFORE')
})

test('names that become one cannot be mapped back', () => {
  const mapping = new Mapping([map('x=b'), map('y=a-b')])
  mapping.source(sourceOf('x.yaml', 'a-x y'))
  expect(mapping.fault()?.message).toBe('--map: x.yaml cannot be mapped back: two names may have become one')
})

test.each(Array.from({ length: effort(40) }, (_, i) => i))('there and back is the same, and answers stay with their names (%s)', (seed) => {
  const { world: written, questions } = generate(randomOf(9900 + seed), 20)
  const texts = [written, ...questions].map((each) => JSON.stringify(each))
  // Accounts and names alike, such as `user:ab/a`.
  const names = [...new Set(texts.flatMap((text) => text.match(/(?<=:(?:user|group|credential):)[a-z]+\/[a-z]+(?=[/"])/g) ?? []))]
  const maps = names.map((from, i): Renaming => ({ from, to: `${from.split('/')[0]}/other${i}` }))
  expect(maps.length).toBeGreaterThan(0)
  expect(mapsFault(maps)).toBeUndefined()
  const [there, back] = [new Mapping(maps), new Mapping(maps.map(({ from, to }) => ({ from: to, to: from })))]
  const mapped = texts.map((text) => there.text(text, 'x.json'))
  expect(there.fault()).toBeUndefined()
  expect(mapped.map((text) => back.text(text, 'x.json'))).toEqual(texts)
  const [before, after] = [worldOf(written), worldOf(JSON.parse(mapped[0] as string) as object)]
  // A pattern over names may match one and not the other.
  if (/:identity:[^"]*\*/.test(texts[0] as string)) return
  questions.forEach((question, i) => {
    const asked = questionOf(JSON.parse(mapped[i + 1] as string) as QuestionJson)
    expect(decide(after, asked).verdict).toBe(decide(before, questionOf(question)).verdict)
  })
})
