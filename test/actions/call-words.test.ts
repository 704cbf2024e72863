import { describe, expect, test } from 'vitest'
import { readActionPattern } from '../../src/actions/action.ts'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations, type Operation } from '../../src/actions/operations.ts'
import { counted } from '../support/counted.ts'

/** Actions that are written in the words of an API call: the suggestion is the action that the call needs. */

const catalogue = loadCatalogue()
const verbs: Readonly<Record<Operation['method'], string>> = { GET: 'get', POST: 'create', PUT: 'edit', PATCH: 'edit', DELETE: 'delete' }

/** The literal words of a path behind its first parameter; of one without parameters, all. */
function literals(path: string): readonly string[] {
  const rest = path.includes('}') ? path.slice(path.indexOf('}') + 1) : path
  return rest.split('/').filter((word) => word !== '' && !word.startsWith('{'))
}

const camel = ([first = '', ...rest]: readonly string[]) =>
  first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/** How often the suggestion is the action that the operation needs, another one, or none: over all operations that need one action. */
function tried(written: (method: Operation['method'], words: readonly string[]) => string) {
  const counts = { right: 0, wrong: 0, none: 0 }
  for (const { method, path, actions } of loadOperations()) {
    const words = literals(path)
    const [needed, second] = actions
    if (!needed || second || words.length === 0) continue
    const [product = '', namespace = ''] = needed.name.split(':')
    const name = `${product}:${namespace}:${written(method, words)}`
    if (catalogue.has(name)) continue
    const suggested = catalogue.nearestAction(name)
    counts[suggested === undefined ? 'none' : suggested === needed.name ? 'right' : 'wrong']++
  }
  const all = counts.right + counts.wrong + counts.none
  counted(all)
  return { ...counts, all }
}

describe('the action that a call needs is suggested for', () => {
  test.each<[how: string, least: number, written: Parameters<typeof tried>[0]]>([
    ['its method and the words of its path', 0.9, (method, words) => [method.toLowerCase(), ...words].join('/')],
    ['a verb and the words of its path in camel case', 0.89, (method, words) => camel([verbs[method], ...words])],
  ])('%s, in %d of all calls, and another one in less than 0.2 %', (_, least, written) => {
    const { right, wrong, all } = tried(written)
    expect(all).toBeGreaterThan(4000)
    expect(right / all).toBeGreaterThan(least)
    expect(wrong / all).toBeLessThan(0.002)
  })

  test.each([
    ['vps:apisvc:createSnapshot', 'vps:apisvc:snapshot/create'],
    ['vps:apisvc:snapshotCreate', 'vps:apisvc:snapshot/create'],
    ['vps:apisvc:post/snapshots', 'vps:apisvc:snapshot/create'],
    ['vps:apisvc:snapshot/POST', 'vps:apisvc:snapshot/create'],
    ['vps:apisvc:listIps', 'vps:apisvc:ips/get'],
    ['vps:apisvc:createNothing', undefined],
    ['vps:apisvc:create', undefined],
  ])('%s: %s', (written, meant) => {
    expect(catalogue.nearestAction(written)).toBe(meant)
  })
})

test.each<[text: string, isCall: boolean]>([
  ['POST /vps/{serviceName}/createSnapshot', true],
  ['GET  /v1/me', true],
  ['vps:apisvc: get', false],
  ['POST vps', false],
  ['get /vps', false],
])('%s: whether the message names the call, %s', (text, isCall) => {
  const [fault] = readActionPattern(text).faults ?? []
  expect(fault?.message.startsWith('a call of the API, not an action: expected `<product>:apisvc:<path>`')).toBe(isCall)
})
