import { expect, test } from 'vitest'
import type { RowWords } from '../../src/answers/wording.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import type { Engine } from '../../src/web/engine/index.ts'
import { contextsFor, someAccount, unknownGroup } from '../support/claims.ts'
import { changesOf, conditionHolds, engineGiven, everyAction, moduleOf, numberIn, ofEngine } from '../support/claims-page.ts'
import { untilSeen } from '../support/effort.ts'
import type { PlainElement } from '../support/elements.ts'
import { expectSame } from '../support/same.ts'
import { pick, randomOf, worldOf } from '../support/worlds.ts'

/** Claims of the page while a text is edited: the cards of what an edit changes, the findings and their button, and how much is left out. */

type Parts = readonly (PlainElement | false | undefined)[]
type Finding = Awaited<ReturnType<Engine['lint']>>['findings'][number]
const [{ open }, { answerTable, changeCards }, { findingsPart }] = await Promise.all([
  moduleOf<{ open: (given: object) => Engine }>('engine', 'index'),
  moduleOf<{
    answerTable: (caption: string, rows: readonly RowWords[], open: () => void) => PlainElement
    changeCards: (side: 'gained' | 'lost', rows: readonly RowWords[], open: () => void) => Parts
  }>('ask', 'answers'),
  moduleOf<{ findingsPart: (own: readonly Finding[], handling: object) => Parts }>('ask', 'findings'),
])

const nowhere = () => undefined
const { path } = ofEngine
const engineOf = (text: string) => open(engineGiven(text))
const shown = (parts: Parts) => parts.filter((part): part is PlainElement => typeof part === 'object')
const matchesIn = (pattern: string, name: string) =>
  new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (each) => (each === '*' ? '.*' : `\\${each}`))}$`).test(name)

/** Texts before and after an edit: in some it is not known what a policy grants, and in some many policies come and go. */
function* edits(seed: number, count: number) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const [before, after] = someAccount(random)
    const many = Array.from({ length: 45 }, (_, k) => ({
      name: `many ${k}`,
      identities: [`urn:v1:eu:identity:user:ab/many-${k}`],
      resources: [{ urn: `urn:v1:eu:resource:vps:many-${k}` }],
      permissions: { allow: [{ action: pick(random, everyAction) }] },
    }))
    const unknown = {
      ...many[0],
      name: 'unknown',
      identities: ['urn:v1:eu:identity:user:ab/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:*' }],
      permissions: {},
      permissionsGroups: [{ urn: unknownGroup }],
    }
    const more = i % 9 === 4 ? many : i % 5 === 2 ? [unknown] : []
    const texts = [before, { ...after, policies: [...after.policies, ...more] }].map((each) =>
      JSON.stringify({ ...each, resources: after.resources }),
    )
    const isBack = random() < 0.3
    yield { texts: (isBack ? texts.toReversed() : texts) as [string, string] }
  }
}

test('the cards of what an edit changes', async () => {
  const seen = { gained: 0, lost: 0, perhaps: 0, when: 0, always: 0, details: 0, more: 0 }
  for (const { texts } of untilSeen(seen, 120, (count) => edits(441, count))) {
    const { answer } = await engineOf(texts[0]).diff({ [path]: texts[1] })
    if (!answer) continue
    const [old, edited] = texts.map((text) => worldOf(JSON.parse(text))) as [ReturnType<typeof worldOf>, ReturnType<typeof worldOf>]
    const { identities, resources } = knownNamesIn([old, edited])
    const names = new Names([old, edited])
    for (const side of ['gained', 'lost'] as const) {
      const rows = answer.words[side]
      const cards = shown(changeCards(side, rows, nowhere))
      const left = numberIn(cards.at(-1)?.textContent ?? '', /^and (\d+) more changes?$/)
      if (left > 0) seen.more++
      expect(cards.length + left - Number(left > 0)).toBe(rows.length)
      for (const [k, card] of cards.slice(0, cards.length - Number(left > 0)).entries()) {
        const row = rows[k] as RowWords
        const where = () => `${side} ${card.textContent}\n${texts.join('\n')}`
        const [head = '', ...rest] = card.all('p').map(({ textContent }) => textContent)
        const [, who = '', perhaps, verb, actions = '', on = ''] = /^(.*?) (perhaps )?may (now|no longer) do (.*) on (.*)$/.exec(head) ?? []
        expectSame(verb, side === 'gained' ? 'now' : 'no longer', where)
        seen[side]++
        const when = rest.map((line) => /^When: (.*)$/.exec(line)?.[1]).find((each) => each !== undefined)
        // Names that a row leaves out are in its card.
        const details = row.details.filter(({ label }) => label !== 'such as' && label !== 'matches')
        for (const { items } of details) {
          const left = items.filter((item) => !card.textContent.includes(item)).length
          if (left > 0) expectSame(card.textContent.includes(` and ${left} more`), true, where)
        }
        if (details.length > 0) seen.details++
        if (perhaps) seen.perhaps++
        if (details.length > 0 || /and \d+ more$/.test(who) || /and \d+ more$/.test(actions) || /and \d+ more$/.test(on)) continue
        seen[when === undefined ? 'always' : 'when']++
        const among = (list: string, all: readonly string[], nameOf: (urn: string) => string) =>
          all.filter((urn) => list.split(', ').some((pattern) => matchesIn(pattern, nameOf(urn))))
        const worlds = side === 'gained' ? [old, edited] : [edited, old]
        const actionsIn = among(actions, everyAction, (name) => name)
        for (const identity of among(who, identities, (urn) => names.identity(urn)))
          for (const resource of among(on, resources, (urn) => names.resource(urn)))
            for (const { action, change, ...context } of changesOf(worlds, identity, resource)) {
              const holds = when === undefined || conditionHolds(when, context)
              if (!actionsIn.includes(action) || !holds) continue
              // A certain verdict is so, and one that is perhaps so is not certainly otherwise.
              if (!perhaps) expectSame(change, 'sure', () => `${identity} ${action} ${resource} ${where()}`)
              else expectSame(change === 'none', false, () => `${identity} ${action} ${resource} ${where()}`)
            }
      }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('the findings of a file: how many there are, and how many one button fixes', async () => {
  const seen = { none: 0, some: 0, button: 0, without: 0, fixed: 0, more: 0, likely: 0 }
  const random = randomOf(442)
  for (const i of untilSeen(seen, 60)) {
    const [account] = someAccount(random)
    const policies = account.policies.slice(0, i % 4)
    // Entries that are there twice, and many actions that the catalogue does not have.
    const twice = policies.map((policy) => ({
      ...policy,
      identities: random() < 0.5 ? [...policy.identities, ...policy.identities] : policy.identities,
    }))
    const wrong = Array.from({ length: i % 7 === 3 ? 70 : 0 }, (_, k) => ({ action: `vps:apisvc:wrong${k}` }))
    // Of some it is likely what was meant.
    const likely = i % 3 === 1 ? [{ action: 'vps:apisvc:re*ot' }] : []
    const misspelt = { ...policies[0], name: 'misspelt', permissions: { allow: [...wrong, ...likely, ...likely, ...likely] } }
    const text = JSON.stringify(
      { ...account, policies: [...twice, ...(wrong.length + likely.length > 0 && policies[0] ? [misspelt] : [])] },
      null,
      1,
    )
    const engine = engineOf(text)
    const { findings } = await engine.lint()
    let pressed = 0
    const handling = { goTo: nowhere, rule: (code: string) => code, fix: nowhere, fixAll: () => pressed++ }
    const parts = shown(findingsPart(findings, handling))
    const where = () => `${parts.map(({ textContent }) => textContent).join('\n')}\n${text}`
    const head = parts[0]?.textContent ?? ''
    expectSame(head === 'No findings in this file' ? 0 : numberIn(head, /^(\d+) findings?$/), findings.length, where)
    seen[findings.length === 0 ? 'none' : 'some']++
    const left = numberIn(parts.at(-1)?.textContent ?? '', /^and (\d+) more$/)
    if (left > 0) seen.more++
    const listed = parts.filter(({ attributes }) => attributes.get('class')?.startsWith('finding '))
    expectSame(listed.length + left, findings.length, where)
    // Findings of a file that cannot be edited have no fix.
    const closed = shown(findingsPart(findings, { ...handling, fix: undefined, fixAll: undefined }))
    expect(closed.flatMap((part) => part.all('button')).every(({ textContent }) => textContent.startsWith('line '))).toBe(true)
    const safe = findings.filter(({ fixable }) => fixable)
    const button = parts.find(({ tag, textContent }) => tag === 'button' && textContent.startsWith('Fix all '))
    expectSame(button === undefined, safe.length < 2, where)
    if (!button) {
      seen.without++
      continue
    }
    seen.button++
    if (findings.some(({ fix, fixable }) => fix && !fixable)) seen.likely++
    expectSame(button.textContent, `Fix all ${safe.length} safe ones`, where)
    button.listeners.get('click')?.()
    expect(pressed).toBe(1)
    // All of them go, and with them no access.
    const fixed = (await engine.fixAll([path], {}))[path]
    if (fixed === undefined) continue
    seen.fixed++
    const after = (await engine.lint({ [path]: fixed })).findings
    expectSame(after.filter(({ fixable }) => fixable).length, 0, where)
    const [old, edited] = [text, fixed].map((each) => worldOf(JSON.parse(each))) as [ReturnType<typeof worldOf>, ReturnType<typeof worldOf>]
    const { identities, resources } = knownNamesIn([old, edited])
    for (const identity of identities)
      for (const resource of resources)
        for (const action of everyAction)
          for (const context of contextsFor(old, resource)) {
            const [was, is] = [old, edited].map((world) => decide(world, { identity, resource, action, groups: [], ...context }).verdict)
            expectSame(is, was, where)
          }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('the rows of an answer, and how many are left out', async () => {
  const seen = { none: 0, one: 0, more: 0 }
  const user = (k: number) => `urn:v1:eu:identity:user:ab/u-${String(k).padStart(3, '0')}`
  for (const count of [1, 40, 99, 100, 101, 102, 130]) {
    // Each of them may do something else.
    const policies = Array.from({ length: count }, (_, k) => ({
      name: `p${k}`,
      identities: [user(k)],
      resources: [{ urn: `urn:v1:eu:resource:vps:web-${k}` }],
      permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
    }))
    const { answer } = await engineOf(JSON.stringify({ policies })).who('vps:apisvc:reboot', 'urn:v1:eu:resource:vps:*')
    const rows = (answer?.rows ?? []) as readonly RowWords[]
    expect(rows.length).toBe(count)
    const lines = answerTable('Rows', rows, nowhere).all('tbody')[0]?.all('tr') ?? []
    const last = lines.at(-1)?.textContent ?? ''
    const left = numberIn(last, /^and (\d+) more rows?$/)
    seen[left === 0 ? 'none' : left === 1 ? 'one' : 'more']++
    expect(lines.length - Number(left > 0) + left).toBe(rows.length)
    if (left > 0) expect(last).toBe(`and ${left} more row${left === 1 ? '' : 's'}`)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('a detail of many items says how many more there are than it has, in a card and in a table', () => {
  const rowOf = (count: number) => {
    const items = Array.from(
      { length: count },
      (_, k) => `vps:apisvc:reboot on vps:web-${k} for user/u-${k}: AFTER still allows it (policy ${k})`,
    )
    const all: RowWords = {
      verdict: 'allow',
      who: ['a'],
      actions: ['b'],
      on: ['c'],
      when: undefined,
      details: [{ label: 'except', items }],
      by: [],
    }
    return all
  }
  for (const count of [1, 8, 9, 60]) {
    const row = rowOf(count)
    const [card] = shown(changeCards('lost', [row], nowhere))
    for (const words of [card?.textContent ?? '', answerTable('Rows', [row], nowhere).textContent]) {
      const left = row.details.flatMap(({ items }) => items).filter((item) => !words.includes(item)).length
      expect(left, words).toBe(Math.max(0, count - 8))
      expect(/ and (\d+) more/.exec(words)?.[1], words).toBe(left > 0 ? String(left) : undefined)
    }
  }
})
