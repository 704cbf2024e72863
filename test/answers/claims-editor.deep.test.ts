import { expect, test } from 'vitest'
import { hover } from '../../src/editor/hover.ts'
import { lenses, resolveLens } from '../../src/editor/lenses.ts'
import type { EditorFile } from '../../src/editor/model.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { catalogue, contextsFor, fewActions, someAccount } from '../support/claims.ts'
import { workspaceFrom } from '../support/editing.ts'
import { untilSeen } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { pick, randomOf, worldOf } from '../support/worlds.ts'

/** Counts and sums in the lenses and hovers of an editor, against the text and against decisions. */

const everyAction = catalogue.products.flatMap((product) => catalogue.actionsOf(product))
const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
const matchesAs = (pattern: string, text: string) =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\/]/g, '\\$&').replace(/\*/g, '.*')}$`).test(text)

test('the lenses of an editor', async () => {
  const seen = { groups: 0, members: 0, others: 0, same: 0, gained: 0, nobody: 0 }
  const random = randomOf(95)
  for (const _ of untilSeen(seen, 300)) {
    const [before, after] = someAccount(random)
    const text = JSON.stringify(after, null, 1)
    const [old, now] = [worldOf(before), worldOf(after)]
    const workspace = await workspaceFrom({ 'p.json': text }, { 'p.json': JSON.stringify(before) })
    const file = workspace.files.get('p.json') as EditorFile
    const { identities, resources } = knownNamesIn([now])
    for (const lens of lenses(workspace, file)) {
      const policy = after.policies.find(({ name }) => name === lens.about)
      if (policy) {
        const groups = policy.identities.filter((urn) => urn.includes(':group:'))
        const members = after.identities.filter((each) => each.groups.some((group) => groups.includes(group))).length
        expect(numberIn(lens.title, /(\d+) groups?/), lens.title).toBe(groups.length)
        expect(numberIn(lens.title, /\((\d+) described members?\)/), lens.title).toBe(members)
        expect(numberIn(lens.title, /(\d+) (?:others?|identity|identities)$/), lens.title).toBe(policy.identities.length - groups.length)
        if (groups.length > 0) seen.groups++
        if (members > 0) seen.members++
        if (policy.identities.length > groups.length) seen.others++
        continue
      }
      const { markdown } = await resolveLens(workspace, file, lens)
      if (lens.kind === 'grants') {
        const [summary = ''] = markdown.split('\n')
        if (!summary.startsWith('the same access')) {
          seen.gained++
          continue
        }
        seen.same++
        for (const identity of identities)
          for (const resource of resources)
            for (const action of fewActions.of(resource.split(':')[4] as string))
              for (const context of contextsFor(now, resource)) {
                const [was, is] = [old, now].map((world) => decide(world, { identity, resource, action, groups: [], ...context }).verdict)
                expectSame(is, was, () => markdown)
              }
        continue
      }
      if (!/^nobody but the owning account$/m.test(markdown)) continue
      seen.nobody++
      for (const identity of identities.filter((urn) => !urn.includes(':identity:account:')))
        for (const action of fewActions.of(lens.about.split(':')[4] as string))
          for (const context of contextsFor(now, lens.about))
            expectSame(
              decide(now, { identity, resource: lens.about, action, groups: [], ...context }).verdict === 'allow',
              false,
              () => markdown,
            )
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('the hovers of an editor', async () => {
  const seen = { granted: 0, named: 0, more: 0, pattern: 0 }
  const random = randomOf(96)
  for (const _ of untilSeen(seen, 300)) {
    const [account] = someAccount(random)
    const many =
      random() < 0.2
        ? [0, 1, 2, 3, 4, 5].flatMap((i) => account.policies.map((each) => ({ ...each, name: `${each.name}-${i}` })))
        : account.policies
    const text = JSON.stringify({ ...account, policies: many }, null, 1)
    const workspace = await workspaceFrom({ 'p.json': text })
    const file = workspace.files.get('p.json') as EditorFile
    const shownAt = (name: string, from = 0) => hover(workspace, file, text.indexOf(`"${name}"`, from) + 2)?.markdown ?? ''
    const policy = pick(random, many)
    const about = shownAt(policy.name)
    const line = /allows (\d+) actions? of the catalogue/.exec(about)
    const { allow = [], except = [] } = policy.permissions as Readonly<Record<'allow' | 'except', readonly { readonly action: string }[]>>
    expect(line !== null, about).toBe(allow.length > 0)
    if (line) {
      seen.granted++
      const granted = everyAction.filter(
        (name) => allow.some(({ action }) => matchesAs(action, name)) && !except.some(({ action }) => matchesAs(action, name)),
      )
      expect(Number(line[1]), about).toBe(granted.length)
    }
    const identity = pick(random, policy.identities)
    const said = shownAt(identity, text.indexOf(`"${policy.name}"`))
    if (identity.includes('*')) {
      seen.pattern++
      expect(numberIn(said, /Pattern over identities: (\d+) described/), said).toBe(
        account.identities.filter(({ urn }) => matchesAs(identity, urn)).length,
      )
      continue
    }
    const own = [identity, ...(account.identities.find(({ urn }) => urn === identity)?.groups ?? [])]
    const naming = many.filter(({ identities }) => identities.some((each) => own.some((urn) => matchesAs(each, urn))))
    seen.named++
    expect(numberIn(said, /^(\d+) polic(?:y|ies)$/m), said).toBe(naming.length)
    const left = numberIn(said, /^- and (\d+) more$/m)
    if (left > 0) seen.more++
    expect(said.split('\n').filter((each) => each.startsWith('- **')).length + left, said).toBe(naming.length)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
