import { expect, test } from 'vitest'
import type { World } from '../../src/policy.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import type { Engine } from '../../src/web/engine/index.ts'
import { contextsFor, fewReads, someAccount, unknownGroup } from '../support/claims.ts'
import {
  about,
  changesOf,
  conditionHolds,
  day,
  engineGiven,
  everyAction,
  moduleOf,
  numberIn,
  ofEngine,
  plainPage,
} from '../support/claims-page.ts'
import { untilSeen } from '../support/effort.ts'
import type { PlainElement } from '../support/elements.ts'
import { pageOf } from '../support/page.ts'
import { expectSame } from '../support/same.ts'
import { hour } from '../support/timed.ts'
import { pick, randomOf, worldOf } from '../support/worlds.ts'

/** Claims of the page about questions, edits and what an edit changes, against decisions over the texts as they would be. */

type Outcome = Awaited<ReturnType<Engine['can']>> | Awaited<ReturnType<Engine['who']>>
const [{ open }, { headline, outcomeParts }, { editsPart }] = await Promise.all([
  moduleOf<{ open: (given: object) => Engine }>('engine', 'index'),
  moduleOf<{
    headline: (outcome: Outcome, asked: object) => string
    outcomeParts: (outcome: Outcome, before: Outcome | undefined, shown: object) => readonly (PlainElement | false)[]
  }>('ask', 'outcome'),
  moduleOf<{ editsPart: (page: unknown, identity: number, resource: number, cell: unknown) => PlainElement | undefined }>(
    'app',
    'matrix-edits',
  ),
])

const textOf = (account: object) => JSON.stringify(account, null, 1)
const { now, path } = ofEngine
const engineOf = (text: string) => open(engineGiven(text))

const verdictWords = { allow: 'yes', deny: 'no', unknown: 'it depends' } as const
const parts = (all: readonly (PlainElement | false)[]) => all.filter((part) => part !== false)

/** Whether a name is one that a pattern matches, as an answer names it. */
const matchesIn = (pattern: string, name: string) =>
  new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (each) => (each === '*' ? '.*' : `\\${each}`))}$`).test(name)

const everybody = ['user:ab/*', 'group:ab/ops', 'group:ab/guests', 'credential:ab/oauth2-1'].map((name) => `urn:v1:eu:identity:${name}`)
const anything = { identities: everybody, resources: [{ urn: 'urn:v1:eu:resource:*' }] }
const guard = { ...anything, name: 'guard', permissions: { deny: [{ action: '*' }] } }
const unknown = { ...anything, name: 'unknown', permissions: {}, permissionsGroups: [{ urn: unknownGroup }] }
const cats = { ...anything, identities: ['urn:v1:eu:identity:user:ab/cat'], permissions: { allow: [{ action: '*' }] } }
const owner = 'urn:v1:eu:identity:account:ab'

/**
 * Policies that bring what is rare: nothing granted, a deny that cannot be edited, one whose end leaves all unknown, a grant by day, one with many
 * ways to end it.
 */
const rare: Readonly<Record<number, readonly object[]>> = {
  1: [],
  4: [{ ...guard, readOnly: true }],
  6: [guard, unknown],
  7: [{ ...cats, name: 'days', conditions: day }],
  3: [{ ...cats, name: 'two', identities: ['ann', 'bob'].map((name) => `urn:v1:eu:identity:user:ab/${name}`) }],
}

/** Two states of an account and a question; in some a group is unknown, or the owner asks. */
function* asked(seed: number, count: number) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [before, after] = someAccount(random)
    const kind = i % 12
    const policies = (all: readonly object[]) =>
      rare[kind] ?? (kind === 2 ? all.map((each) => ({ ...each, permissionsGroups: [{ urn: unknownGroup }] })) : all)
    const owners = kind === 5 ? { account: 'ab', identities: [...before.identities, { urn: owner }] } : {}
    // Of some, an edit allows what was denied.
    const opened = { ...guard, permissions: { allow: [{ action: '*' }] } }
    const texts = (kind === 0 ? [[guard], [opened]] : [before, after].map((account) => policies(account.policies))).map((all) =>
      textOf({ ...after, ...owners, policies: all }),
    ) as [string, string]
    const [old, edited] = texts.map((text) => worldOf(JSON.parse(text))) as [World, World]
    const { identities, resources } = knownNamesIn([old, edited])
    const resource = pick(random, resources)
    const action = pick(random, about.of(resource.split(':')[4] as string))
    const identity = kind === 5 ? owner : kind === 3 || kind === 7 ? 'urn:v1:eu:identity:user:ab/ann' : pick(random, identities)
    yield { random, texts, old, edited, things: { identities, resources }, identity, action, resource }
  }
}

/** Marks of the command line in a part of a page: backticks and options. What a command prints is folded away and keeps them. */
function rawIn(part: PlainElement | undefined): readonly string[] {
  if (!part || part.attributes.get('class') === 'printed') return []
  return /`|--[a-z]/.test(part.textContent) ? [part.textContent] : []
}

test('the answers of what-if: who may, who may not, and without the edit', async () => {
  const seen = { yes: 0, no: 0, depends: 0, without: 0, nobody: 0, nothing: 0, they: 0, always: 0, when: 0, perhaps: 0, denied: 0 }
  for (const { texts, old, edited, things, ...question } of untilSeen(seen, 360, (count) => asked(431, count))) {
    const engine = engineOf(texts[0])
    const edits = { [path]: texts[1] }
    const shown = (kind: string) => ({ asked: { kind, ...question }, openPlace: () => undefined, textOf: () => undefined })
    // One question, with and without the edit.
    const { identity, action, resource } = question
    const can = (with_: object) => engine.can([identity, action, resource], {}, with_ as Record<string, string>)
    const [outcome, before] = [await can(edits), await can({})]
    const [head, ...rest] = parts(outcomeParts(outcome, before, shown('can')))
    const [was, is] = [old, edited].map((world) => decide(world, { identity, action, resource, groups: [], at: now }).verdict)
    const words = { allow: 'Yes', deny: 'No', unknown: 'It depends' }[is as 'allow']
    expect(head?.textContent.startsWith(`${words}. `), head?.textContent).toBe(true)
    for (const part of [head, ...rest]) expect(rawIn(part)).toEqual([])
    expect(/ (may or may not|may not|may) /.exec(head?.textContent ?? '')?.[1]).toBe(
      { allow: 'may', deny: 'may not', unknown: 'may or may not' }[is as 'allow'],
    )
    expect(headline(outcome, { kind: 'can' })).toBe(words)
    seen[is === 'allow' ? 'yes' : is === 'deny' ? 'no' : 'depends']++
    const without = rest.map(({ textContent }) => /^Without your edit: (.*)\.$/.exec(textContent)?.[1]).find((each) => each !== undefined)
    expect(without, `${was} ${is}`).toBe(was === is ? undefined : verdictWords[was as 'allow'])
    if (without !== undefined) seen.without++
    // Rows of who and what.
    const names = new Names([edited])
    const identitiesIn = (pattern: string) => things.identities.filter((urn) => matchesIn(pattern, names.identity(urn)))
    const resourcesIn = (pattern: string) => things.resources.filter((urn) => matchesIn(pattern, names.resource(urn)))
    for (const kind of ['who', 'what'] as const) {
      const answer = await (kind === 'who' ? engine.who(action, resource, {}, edits) : engine.what(identity, undefined, {}, edits))
      const [title, ...others] = parts(outcomeParts(answer, undefined, shown(kind)))
      const head = /^(.*?)\. /.exec(title?.textContent ?? '')?.[1] ?? ''
      for (const part of [title, ...others]) expect(rawIn(part)).toEqual([])
      const table = others.flatMap((part) => part.all('table')).find(({ attributes }) => attributes.get('class') === 'list answer')
      const titles =
        table
          ?.all('thead')[0]
          ?.all('th')
          .map(({ textContent }) => textContent) ?? []
      const rows = (table?.all('tbody')[0]?.all('tr') ?? []).filter((row) => row.all('td').length === titles.length)
      const read = rows.map((row) => {
        const cell = (name: string) => row.all('td')[titles.indexOf(name)]
        const list = (name: string) => {
          const own = cell(name)
          const items = own?.all('li').flatMap((each) => (each.all('ul').length > 0 ? [] : [each.textContent]))
          return own === undefined ? undefined : items?.length ? items : [own.textContent]
        }
        const when = cell('When')
        return {
          verdict: cell('Allowed')?.textContent,
          who: list('Who')?.flatMap(identitiesIn),
          actions: list('May do')?.flatMap((pattern) => everyAction.filter((name) => matchesIn(pattern, name))),
          on: list('On')?.flatMap(resourcesIn),
          when: when?.childNodes[0]?.textContent,
          hasDetails: when?.all('p').some(({ textContent }) => /^(?:except|but not|ends)/.test(textContent)) === true,
        }
      })
      const some = things.identities.filter((each) => kind === 'who' || each === identity)
      const on = kind === 'who' ? [resource] : things.resources
      const verdicts = (who: string, resource: string, action: string) =>
        contextsFor(edited, resource).map((context) => ({
          ...context,
          tags: context.tags ?? edited.resources.get(resource)?.tags,
          verdict: decide(edited, { identity: who, action, resource, groups: [], ...context }).verdict,
        }))
      const where = () =>
        `${kind} ${action} ${resource} ${title?.textContent}\n${JSON.stringify(read)}\n${JSON.stringify(JSON.parse(texts[1]))}`
      if (/^No(?:body|thing)/.test(head)) {
        seen[kind === 'who' ? 'nobody' : 'nothing']++
        expectSame(headline(answer, { kind }), head, where)
        // Each resource has an owner.
        if (kind === 'who') expectSame(head !== 'Nobody', true, where)
        for (const who of some)
          for (const each of on)
            for (const what of kind === 'who' ? [action] : about.of(each.split(':')[4] as string))
              expectSame(
                verdicts(who, each, what).every(({ verdict }) => verdict === 'deny'),
                true,
                where,
              )
      }
      if (/^(?:They|It) may$/.test(head)) seen.they++
      for (const { verdict, who = [identity], actions = [action], on: own = [resource], when, hasDetails } of read) {
        if (verdict === 'perhaps') seen.perhaps++
        if (verdict === 'no') seen.denied++
        if (hasDetails) continue
        const isAlways = when === undefined || when === 'always'
        for (const name of who)
          for (const place of own)
            for (const what of actions) {
              if (!about.of(place.split(':')[4] as string).includes(what)) continue
              for (const context of verdicts(name, place, what)) {
                const holds = isAlways || conditionHolds(when, context)
                if (!holds) continue
                seen[isAlways ? 'always' : 'when']++
                if (verdict === 'yes') expectSame(context.verdict, 'allow', () => `${name} ${when} ${where()}`)
                if (verdict === 'no') expectSame(context.verdict, 'deny', () => `${name} ${when} ${where()}`)
              }
            }
      }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('the smallest edits of a cell: how many turn it, when, and what else they change', async () => {
  const seen = { turning: 0, only: 0, always: 0, nobody: 0, opens: 0, closes: 0, depends: 0, none: 0, ending: 0, already: 0, more: 0 }
  for (const { random, texts, edited: world, things, ...asks } of untilSeen(seen, 360, (count) => asked(433, count))) {
    const text = texts[1]
    const data = { ...pageOf(world, about, fewReads), whatIf: {} }
    const engine = engineOf(text)
    const { page, tables } = plainPage(data as Parameters<typeof plainPage>[0])
    const [i, j] = [
      data.identities.findIndex(({ urn }) => urn === asks.identity),
      data.resources.findIndex(({ urn }) => urn === asks.resource),
    ]
    if (i < 0 || j < 0) continue
    const { identity, resource } = asks
    let last: Awaited<ReturnType<Engine['suggest']>> | undefined
    const suggest = async (...args: Parameters<Engine['suggest']>) => {
      last = await engine.suggest(...args)
      return last
    }
    const part = editsPart({ ...page, has: () => true, engine: async () => ({ suggest }) }, i, j, tables.cell(i, j)) as PlainElement
    const action = pick(random, about.of(resource.split(':')[4] as string))
    const [select] = part.all('select') as [PlainElement]
    select.value = String(data.actions.indexOf(action))
    select.listeners.get('change')?.()
    const result = part.all('div').find(({ attributes }) => attributes.get('role') === 'status') as PlainElement
    while (/^Looking for edits/.test(result.textContent) || result.textContent === '') await new Promise(setImmediate)
    const said = result.textContent
    const where = () => `${identity} ${action} ${resource}\n${said}\n${JSON.stringify(JSON.parse(text))}`
    const verdictAt = (of: World, at: number) => decide(of, { identity, action, resource, groups: [], at }).verdict
    const times = Array.from({ length: 24 }, (_, k) => now + k * hour)
    const already = /^It is (allowed|denied) as it is\.$/.exec(said)?.[1]
    if (already) {
      seen.already++
      for (const at of times) expectSame(verdictAt(world, at), already === 'allowed' ? 'allow' : 'deny', where)
    }
    if (said.startsWith('It depends on facts')) {
      seen.depends++
      expectSame(
        times.some((at) => verdictAt(world, at) === 'unknown'),
        true,
        where,
      )
    }
    const answer = last?.answer
    if (!answer) throw new Error(where())
    const [, count = '0', wish] = /^(\d+) edits? after which it would be (allowed|denied)/.exec(said) ?? []
    const wished = answer.to
    const after = answer.edits.map((edits) => worldOf(JSON.parse(edits[path] ?? text)))
    const turning = after.filter((edited) => times.some((at) => verdictAt(edited, at) === wished)).length
    if (answer.answer !== 'edits') continue
    expectSame(Number(count), turning, where)
    if (wish === undefined) {
      seen.none++
      expect(said).toContain(`No small edit was found after which it would be ${wished === 'allow' ? 'allowed' : 'denied'}.`)
      const ending = numberIn(said, /(\d+) edits? after which the denial ends and the answer is unknown/)
      expectSame(ending, after.filter((edited) => times.some((at) => verdictAt(edited, at) === 'unknown')).length, where)
      if (ending > 0) seen.ending++
      continue
    }
    seen.turning++
    expect(wish).toBe(wished === 'allow' ? 'allowed' : 'denied')
    const items = result.all('ol')[0]?.all('li') as readonly PlainElement[]
    const left = numberIn(said, /and (\d+) more/)
    expectSame(items.length + left, turning, where)
    if (left > 0) seen.more++
    for (const [k, item] of items.entries()) {
      const edited = after[k] as World
      const only = item
        .all('p')
        .map(({ textContent }) => /^Only (.*)\.$/.exec(textContent)?.[1])
        .find((each) => each !== undefined)
      seen[only === undefined ? 'always' : 'only']++
      for (const at of times) {
        const holds = only === undefined || conditionHolds(only, { at, ip: undefined, tags: world.resources.get(resource)?.tags })
        if (holds !== undefined) expectSame(verdictAt(edited, at) === wished, holds, () => `${k} ${only} ${where()}`)
      }
      // Other changes take the longest to find: of the first ones.
      if (k > 1) continue
      const others = item.all('p').at(-1)?.textContent ?? ''
      const differing = { gained: [0, 0], lost: [0, 0] }
      for (const [side, worlds] of [
        ['gained', [world, edited]],
        ['lost', [edited, world]],
      ] as const)
        for (const who of things.identities)
          for (const on of things.resources) {
            const changes = changesOf(worlds, who, on)
            for (const what of new Set(changes.map((each) => each.action))) {
              if (who === identity && on === resource && what === action) continue
              const own = changes.filter((each) => each.action === what && each.change !== 'none')
              if (own.some(({ change }) => change !== 'open')) (differing[side][0] as number)++
              if (own.length > 0) (differing[side][1] as number)++
            }
          }
      const counts = { gained: numberIn(others, /opens (\d+) other/), lost: numberIn(others, /closes (\d+) other/) }
      const about = () => `${others} ${JSON.stringify(differing)} ${where()}`
      if (others.startsWith('Nothing else changes, for anybody.')) seen.nobody++
      if (counts.gained > 0) seen.opens++
      if (counts.lost > 0) seen.closes++
      for (const side of ['gained', 'lost'] as const) {
        const [least = 0, most = 0] = differing[side]
        expectSame(least <= counts[side] && counts[side] <= most, true, about)
      }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
