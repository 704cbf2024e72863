import { expect, test } from 'vitest'
import { partsOfAction, readAction, readActionPattern } from '../../src/actions/action.ts'
import { longestName } from '../../src/names.ts'

const faultOf = (text: string, brand?: string) => readActionPattern(text, brand).faults?.[0]

test.each([
  'vps9:apisvc2:get',
  'z:zZ9:zA0',
  '*',
  '**',
  '*:/',
  'v*',
  'v*:a',
  'vps:*',
  'vps:**',
  'vps:apisvc:image/*',
  'vps:apisvc:im*/get',
  'vps:apisvc:get?a:b *',
  'vps:openstack:a.b_c-9',
  'a:b:c:d',
  'vps:apisvc:image:get/now',
])('legal: %s', (text) => {
  expect(readActionPattern(text).value?.text).toBe(text)
})

test('the parts of an action', () => {
  expect(partsOfAction('vps:apisvc:image/get')).toStrictEqual({
    product: 'vps',
    namespace: 'apisvc',
    path: 'image/get',
    parameter: undefined,
  })
  expect(partsOfAction('v:a:b??c:d')).toStrictEqual({ product: 'v', namespace: 'a', path: 'b', parameter: '?c:d' })
  expect(partsOfAction('v:a:b?')).toStrictEqual({ product: 'v', namespace: 'a', path: 'b', parameter: '' })
})

test.each<[text: string, at: number, suggestion: string | undefined]>([
  ['Vps:apisvc:get', 0, 'vps:apisvc:get'],
  ['9vps:apisvc:get', 0, 'vps:apisvc:get'],
  [':apisvc:get', 0, undefined],
  ['vps/apisvc/image/get', 3, 'vps:apisvc:image/get'],
  ['vps.apisvc.image.get', 3, 'vps:apisvc:image/get'],
  ['vps:apisvc/get', 10, 'vps:apisvc:get'],
  ['vps:apisvc-get', 10, 'vps:apisvc:get'],
  ['vps;apisvc:get', 3, 'vps:apisvc:get'],
  ['vps-get', 3, 'vps:apisvc:get'],
  ['vps/image/get', 3, 'vps:apisvc:image/get'],
  ['vps:image/get', 9, 'vps:apisvc:image/get'],
  ['vps:image-get', 9, 'vps:apisvc:image-get'],
  ['vps:9lives', 4, 'vps:apisvc:9lives'],
  ['vps:image-*', 9, 'vps:apisvc:image-*'],
  ['vps:my-*:get', 6, 'vps:my*:get'],
  ['vps:get?a', 7, 'vps:apisvc:get?a'],
  ['vps::apisvc:get', 4, 'vps:apisvc:get'],
  ['vps:apisvc:image//get', 17, 'vps:apisvc:image/get'],
  ['vps:apisvc:/get', 11, 'vps:apisvc:get'],
  ['vps:open_stack:get', 8, 'vps:openstack:get'],
  ['vps:apisvc:get!', 14, 'vps:apisvc:get'],
  ['vps:apisvc:get!now', 14, 'vps:apisvc:getnow'],
  ['vps:apisvc:ge!!t', 13, undefined],
  ['V ps!', 1, undefined],
])('not allowed in %s at %i: %s is suggested', (text, at, suggestion) => {
  const fault = faultOf(text)
  expect([fault?.from, fault?.to, fault?.suggestion]).toEqual([at, at + 1, suggestion])
})

test.each<[text: string, missing: string, suggestion: string | undefined]>([
  ['vps', 'the namespace and the path are', 'vps:*'],
  ['vps:', 'the path is', 'vps:*'],
  ['vps:get', 'the path is', 'vps:apisvc:get'],
  ['vps:apisvc', 'the path is', 'vps:apisvc:*'],
  ['vps:apisvc:', 'the last word of the path is', 'vps:apisvc:*'],
  ['vps:apisvc:image/', 'the last word of the path is', 'vps:apisvc:image/*'],
])('incomplete: %s', (text, missing, suggestion) => {
  const fault = faultOf(text)
  expect([fault?.from, fault?.to, fault?.suggestion]).toEqual([0, text.length, suggestion])
  expect(fault?.message).toBe(`incomplete: ${missing} missing: expected \`<product>:apisvc:<path>\` or \`<product>:*\``)
})

test.each<[text: string, expected: string]>([
  ['-', 'a product, which starts with a lower-case letter'],
  ['vp-', 'a letter, a digit or `:` in the product'],
  ['vps:-', 'a namespace such as `apiacme`'],
  ['vps:a-', 'a letter, a digit or `:` in the namespace'],
  ['vps:a:?', 'a word of the path'],
  ['vps:a:b,', 'a letter, a digit, `.`, `_`, `-` or `/` in the path'],
])('what is expected at the end of %s', (text, expected) => {
  expect(faultOf(text, 'acme')?.message).toBe(`\`${text.at(-1)}\` is not allowed here: expected ${expected}`)
})

test('a suggestion is no longer than a name may be', () => {
  const word = 'a'.repeat(longestName - 'vps:'.length)
  expect(faultOf(`vps:${word}`)).toMatchObject({ message: expect.stringContaining('incomplete') })
  expect(faultOf(`vps:${word}`)?.suggestion).toBeUndefined()
  expect(faultOf(`vps:${word.slice(2)}-a`)?.suggestion).toBe(`vps:${word.slice(2)}:a`)
})

test('a space is a fault outside the parameter alone', () => {
  expect(faultOf('vps:api svc:get')).toMatchObject({ from: 7, to: 8, stray: true, suggestion: 'vps:apisvc:get' })
  expect(faultOf('vps :apisvc:get?a b')).toMatchObject({ from: 3, to: 4, stray: true })
  expect(faultOf(' *')).toMatchObject({ from: 0, to: 1, suggestion: '*' })
  expect(faultOf('vps ')).toMatchObject({ from: 3 })
  expect(faultOf('vps ')?.suggestion).toBeUndefined()
})

test('a question names one action, and is answered with no pattern', () => {
  expect(readAction('vps:apisvc:get').value).toStrictEqual({ product: 'vps', namespace: 'apisvc', path: 'get', parameter: undefined })
  expect(readAction('vps:*').faults).toStrictEqual([{ from: 4, to: 5, message: 'a question names one action, not a pattern' }])
  expect(readAction('vps').faults?.[0]).not.toHaveProperty('suggestion')
  expect(readAction('vps:get').faults?.[0]?.suggestion).toBe('vps:apisvc:get')
})

test('a question names no action with a `:` in its path, and no entry ends in one', () => {
  const [fault] = readAction('vps:apisvc:image:get').faults ?? []
  expect([fault?.from, fault?.to, fault?.suggestion]).toEqual([16, 17, 'vps:apisvc:image/get'])
  expect(faultOf('vps:apisvc:image:')?.message).toMatch(/^incomplete: the last word of the path is missing/)
})
