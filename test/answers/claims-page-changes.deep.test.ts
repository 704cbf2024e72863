import { expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { changes, changesOf, conditionHolds, moduleOf, numberIn, shown, type View } from '../support/claims-page.ts'
import { effort } from '../support/effort.ts'
import type { PlainElement } from '../support/elements.ts'
import { expectSame } from '../support/same.ts'

/** Claims of the page about a change, in the view of changes and in the summary, against decisions before and after it. */

const { changes: view, summaryOf } = await moduleOf<{ changes: View; summaryOf: (page: unknown) => readonly PlainElement[] }>(
  'app',
  'changes',
)

const sides = ['gained', 'lost'] as const

/** The names of a kind: those of the page by their number, others as they are. */
const named = (names: readonly (number | string)[], urns: readonly { readonly urn: string }[]) =>
  names.map((name) => (typeof name === 'string' ? name : (urns[name]?.urn as string)))

const sizeOf = (...sets: readonly (ReadonlySet<string> | undefined)[]) => new Set(sets.flatMap((set) => [...(set ?? [])])).size

/** Names that nothing describes, some of which policies of these accounts are about. */
const strangers = ['user:ab/zed', 'credential:ab/oauth2-1'].map((name) => `urn:v1:eu:identity:${name}`)
const elsewhere = ['vps:zed', 'domain:zed', 'account:zed'].map((name) => `urn:v1:eu:resource:${name}`)

test('the changes: who gets and loses what, when and with which confidence', () => {
  const seen = { some: 0, none: 0, more: 0, when: 0, always: 0, perhaps: 0, gone: 0, open: 0 }
  const counts = { nobody: 0, some: 0, perhaps: 0, both: 0, beyond: 0, none: 0 }
  for (const { data, page, worlds, tables } of changes(411, effort(120, 10))) {
    const difference = data.difference as NonNullable<PageData['difference']>
    const place = shown(view, '', page)
    const [summary] = summaryOf(page) as [PlainElement]
    for (const each of [place, summary])
      expect(each.textContent.includes('Not everything could be compared: there may be more.')).toBe(difference.isOpen)
    if (difference.isOpen) seen.open++
    const things = knownNamesIn(worlds.gained)
    for (const [i, side] of sides.entries()) {
      const section = place.all('section')[i] as PlainElement
      const cards = section.all('article')
      const title = section.all('h2')[0]?.textContent ?? ''
      expect(numberIn(title, /: (\d+) change/)).toBe(cards.length)
      expect(section.textContent.includes('Nothing.')).toBe(cards.length === 0)
      seen[cards.length === 0 ? 'none' : 'some']++
      // The cards, each as the data has it.
      const claims = cards.map((card, j) => {
        const change = difference[side][j] as (typeof difference)['gained'][number]
        const [head, actions, ...rest] = card.all('p').map(({ textContent }) => textContent) as [string, string, ...string[]]
        const names = { identities: named(change.identities, data.identities), resources: named(change.resources, data.resources) }
        const lists = /^\S+ \S+ (.*) on (.*)$/.exec(head)?.slice(1) ?? []
        for (const [k, own] of [names.identities, names.resources].entries()) {
          const [, listed = '', more = '0'] = /^(.*?)(?: and (\d+) more)?$/.exec(lists[k] as string) ?? []
          const shorts = listed.split(', ')
          expect(shorts).toEqual(own.slice(0, shorts.length).map((urn) => tables.shortNames.get(urn) ?? urn))
          expect(shorts.length + Number(more)).toBe(own.length)
          if (more !== '0') seen.more++
        }
        expect(numberIn(actions, /^(\d+) action/)).toBe(change.actions.length)
        expect(actions).toContain(change.actions.join(', '))
        if (typeof change.identities[0] === 'string') seen.gone++
        const when = rest.find((line) => line.startsWith('When: '))?.slice(6)
        const isSure = !rest.some((line) => line.startsWith('Perhaps: '))
        expect(isSure).toBe(change.isCertain)
        seen[!isSure ? 'perhaps' : when === undefined ? 'always' : 'when']++
        return { ...names, actions: change.actions, when, isSure }
      })
      // Against decisions: each holds when it is said to, and nothing else changes.
      const [sure, perhaps, open] = Array.from({ length: 3 }, () => [new Set<string>(), new Set<string>()] as const)
      const found = { sure, perhaps, open } as Record<string, readonly Set<string>[]>
      for (const identity of things.identities)
        for (const resource of things.resources) {
          const own = claims.filter((claim) => claim.identities.includes(identity) && claim.resources.includes(resource))
          for (const { action, change, ...context } of changesOf(worlds[side], identity, resource)) {
            for (const [k, name] of [identity, resource].entries()) found[change]?.[k]?.add(name)
            const holding = own
              .filter(({ actions }) => actions.includes(action))
              .map((claim) => ({ ...claim, holds: claim.when === undefined || conditionHolds(claim.when, context) }))
            const where = () => `${side} ${identity} ${action} ${resource} ${change} ${JSON.stringify(holding)}`
            if (holding.some(({ holds, isSure }) => holds && isSure)) expectSame(change, 'sure', where)
            else if (holding.some(({ holds }) => holds)) expectSame(change !== 'none', true, where)
            else if (change !== 'open' && !difference.isOpen && holding.every(({ holds }) => holds === false))
              expectSame(change, 'none', where)
          }
        }
      // The numbers of the summary.
      const words = summary.all('li')[i]?.textContent ?? ''
      const where = `${words} ${JSON.stringify(Object.values(found).map((names) => names.map((own) => [...own])))}`
      const verb = side === 'gained' ? 'gains?' : 'loses?'
      const [certain = [], maybe = []] = ['', 'perhaps '].map((confidence) => {
        const sentence = words
          .replace(/^. (?:gained|lost) /, '')
          .split(/(?<=resources?\.) /)
          .find((each) => new RegExp(` ${confidence}${verb} access to`).test(each) && each.includes(' perhaps ') === (confidence !== ''))
        const [, who = '', on = '0'] = new RegExp(`^(.*?) ${confidence}${verb} access to (\\d+) resource`).exec(sentence ?? '') ?? []
        const count = numberIn(who, /^(\d+) identities$/)
        return [who === '' || who === 'No identity' ? 0 : count > 0 ? count : who.split(', ').length, Number(on)]
      })
      // Access that may not be certain is not said to be, and no identity is left out.
      for (const k of [0, 1]) {
        const [isSure, isSaid] = [certain[k] ?? 0, (certain[k] ?? 0) + (maybe[k] ?? 0)]
        expect(isSure, where).toBeLessThanOrEqual(sizeOf(sure?.[k]))
        expect(maybe[k], where).toBeLessThanOrEqual(sizeOf(sure?.[k], perhaps?.[k], open?.[k]))
        expect(isSaid, where).toBeGreaterThanOrEqual(sizeOf(sure?.[k], perhaps?.[k]))
      }
      const [isSure, isPerhaps] = [certain, maybe].map(([who = 0]) => who > 0)
      expect(/No identity (?:gains|loses|is known to (?:gain|lose)) access to what is described\./.test(words), where).toBe(
        !isSure && !isPerhaps,
      )
      counts[isSure ? (isPerhaps ? 'both' : 'some') : isPerhaps ? 'perhaps' : 'nobody']++
      const beyond = numberIn(words, /(\d+) more changes? for things that are not described/)
      expect(beyond).toBe(difference.beyond[side])
      if (beyond > 0) counts.beyond++
      else if (!difference.isOpen && cards.length === 0) {
        // Then those who are not described have no new and no lost access, either.
        counts.none++
        for (const identity of strangers)
          for (const resource of [...elsewhere, ...things.resources])
            for (const { change } of changesOf(worlds[side], identity, resource))
              expectSame(change === 'none' || change === 'open', true, () => `${identity} ${resource} ${where}`)
      }
    }
  }
  for (const [kind, count] of [...Object.entries(seen), ...Object.entries(counts)]) expect(count, kind).toBeGreaterThan(0)
})
