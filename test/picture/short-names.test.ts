import { expect, test } from 'vitest'
import { textWidth, truncatedAmid } from '../../src/picture/element.ts'
import { endsOf, withEnds } from '../../src/picture/short-names.ts'

test.each([
  ['credential/oauth2-bac0b00000000001', 'credential/oauth2-bac0b…00001'],
  ['user/ann, credential/oauth2-bac0b00000000001 and 2 more', 'user/ann, credential/oauth2-bac0b…00001 and 2 more'],
  ['urn:v1:eu:identity:credential:ab12-svc/oauth2-bac0b00000000001', 'urn:v1:eu:identity:credential:ab12-svc/oauth2-bac0b…00001'],
  ['credential/oauth2-1', 'credential/oauth2-1'],
  ['user/a-name-that-is-longer-than-others', 'user/a-name-that-is-longer-than-others'],
])('%s', (words, short) => expect(withEnds(words)).toBe(short))

test.each([
  ['fits', 'user/ann', 20, 'user/ann'],
  ['keeps its start and its end', 'vps:a-server-of-the-team-017', 16, 'vps:a-serv…m-017'],
  ['parts no pair of surrogates', '🍕🍕🍕🍕🍕🍕🍕🍕🍕🍕', 10, '🍕🍕🍕…🍕'],
])('a name %s', (_, name, room, short) => {
  expect(endsOf(name, room)).toBe(short)
  expect(short.length).toBeLessThanOrEqual(room)
  expect(short).not.toMatch(/\p{Cs}/u)
})

test('a name that does not fit keeps its end, and takes no more room', () => {
  const name = `user/${'w'.repeat(80)}-000017`
  expect(truncatedAmid(name, 200, 12)).toMatch(/^user\/w+…000017$/)
  expect(textWidth(truncatedAmid(name, 200, 12), 12)).toBeLessThanOrEqual(200)
  expect(truncatedAmid('user/ann', 200, 12)).toBe('user/ann')
})
