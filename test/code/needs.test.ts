import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { readCall, routesOf } from '../../src/calls/match.ts'
import type { CodeCall } from '../../src/code/calls.ts'
import { type CodeNeeds, needsOfCode } from '../../src/code/needs.ts'
import { keyOf } from '../../src/keys.ts'
import { sourceOf } from '../../src/source.ts'

/** The needs of several calls next to those of each by itself, for every operation of the catalogue. */

const routes = routesOf(loadOperations())
const catalogue = loadCatalogue()
const about = { identity: 'urn:v1:eu:identity:user:ab12-svc/ann', context: { at: 0, groups: [] }, resources: [], actions: [] }
const needsOf = (calls: readonly CodeCall[]): CodeNeeds => needsOfCode(calls, routes, catalogue, about)

const span = { source: sourceOf('a.sh', ''), start: 0, end: 0 }
const calls = routes.operations.flatMap(({ branch, method, path }): CodeCall[] => {
  const { call } = readCall(method, `/${branch}${path.replace(/\{\w+\}/g, 'one')}`)
  return call ? [{ at: span, language: 'shell', call, shown: path }] : []
})
const byItself = calls.map((call) => ({ call, result: needsOf([call]) }))

test('a call is free where it needs no action, and all of what it needs is known', () => {
  expect(needsOf(calls).free.map(({ call }) => call)).toEqual(
    byItself.flatMap(({ call, result }) => (result.needs.length === 0 && result.gaps.length === 0 ? [call] : [])),
  )
  expect(byItself.some(({ result }) => result.needs.length === 0 && result.gaps.length > 0)).toBe(true)
  expect(byItself.some(({ result }) => result.free.length === 1)).toBe(true)
})

test('a need is certain where one of its calls certainly has it, in whichever order they are', () => {
  const certainty = new Map<string, { readonly call: CodeCall; readonly isCertain: boolean }[]>()
  for (const { call, result } of byItself)
    for (const { action, resource, isCertain } of result.needs) {
      const key = keyOf(action, resource)
      certainty.set(key, [...(certainty.get(key) ?? []), { call, isCertain }])
    }
  let mixed = 0
  for (const [key, uses] of certainty) {
    const [sure, open] = [uses.find(({ isCertain }) => isCertain), uses.find(({ isCertain }) => !isCertain)]
    if (!sure || !open) continue
    mixed++
    for (const order of [
      [sure.call, open.call],
      [open.call, sure.call],
    ]) {
      const need = needsOf(order).needs.find(({ action, resource }) => keyOf(action, resource) === key)
      expect(need, key).toMatchObject({ isCertain: true, uses: order.map((call) => ({ call })) })
    }
  }
  expect(mixed).toBeGreaterThan(0)
})
