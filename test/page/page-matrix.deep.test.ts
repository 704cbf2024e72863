import { expect, test } from 'vitest'
import { levels } from '../../src/actions/reads.ts'
import { Tables } from '../../src/page/tables.ts'
import { type Graph, graphFrom, graphOf } from '../../src/picture/graph.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { ActionsByType } from '../../src/symbolic/described.ts'
import { partsOf } from '../../src/web/graph/parts.ts'
import { effort } from '../support/effort.ts'
import { actions, gridFor, instants } from '../support/grid.ts'
import { levelOf } from '../support/levels.ts'
import { pageOf } from '../support/page.ts'
import { generate, type Random, randomOf, worldOf } from '../support/worlds.ts'

/** Every action is about every type: more than a catalogue says, so that nothing is overlooked. */
const everyAction = { of: () => actions, types: () => ['t'] } as unknown as ActionsByType
const reads = new Set(actions.filter((action) => action.endsWith(':a') || action.endsWith(':ab')))

function someWorld(random: Random): World {
  const { world } = generate(random, 0, { policies: 6, conditions: 0.6, missing: 0, groups: 0.2 })
  return worldOf({ ...world, resources: world.resources.map((each) => ({ tags: {}, ...each })) })
}

/** Every hour of the day and every day of the week, in some years, so that few conditions are not met by any. */
const times = [...instants, ...Array.from({ length: 24 }, (_, i) => Date.UTC(2025 + (i % 3), (i * 5) % 12, 1 + i, i, 30))]

test('every cell of the page says of each action what `can` answers, at every time and from every address', () => {
  const seen = new Map<string, number>()
  const conditional: string[] = []
  for (let seed = 0; seed < effort(120, 20); seed++) {
    const world = someWorld(randomOf(7000 + seed))
    const data = pageOf(world, everyAction, reads)
    const tables = new Tables(data)
    data.identities.forEach(({ urn: identity }, i) => {
      data.resources.forEach(({ urn: resource }, j) => {
        const cell = tables.cell(i, j)
        const where = { seed, identity, resource }
        const grid = gridFor(world, resource, times)
        const allowedAt = grid.map(({ at, ip, tags }) =>
          actions.filter(
            (action) => decide(world, { identity, resource, action, groups: [], at, ip, ...(tags && { tags }) }).verdict === 'allow',
          ),
        )
        const reached = allowedAt.map((allowed) => levels.indexOf(levelOf(allowed, actions, reads)))
        const key = `${cell?.level ?? 'none'} ${cell?.confidence ?? 'always'}`
        seen.set(key, (seen.get(key) ?? 0) + 1)
        // Nothing above the level of the cell is ever reached; one that is always reached is reached everywhere.
        const level = levels.indexOf(cell?.level ?? 'none')
        expect({ ...where, most: Math.max(...reached) <= level }).toEqual({ ...where, most: true })
        if (!cell || cell.confidence === 'always')
          expect({ ...where, reached: [...new Set(reached)] }).toEqual({ ...where, reached: [level] })
        if (!cell || cell.isRoot) return
        for (const [number, action] of data.actions.entries()) {
          const part = cell.parts.find((each) => tables.hasAction(each.actions, number))
          const times = allowedAt.filter((allowed) => allowed.includes(action)).length
          const found = times === 0 ? 'never' : times === grid.length ? 'always' : 'sometimes'
          // The grid need not hold every context of a condition: it may find one to hold everywhere, or nowhere.
          if (part?.confidence === 'sometimes') conditional.push(found)
          else expect({ ...where, action, found }).toEqual({ ...where, action, found: part?.confidence ?? 'never' })
        }
      })
    })
  }
  expect(conditional.filter((found) => found === 'sometimes').length).toBeGreaterThan(conditional.length * 0.8)
  for (const kind of ['all always', 'none always', 'read always', 'write always', 'write sometimes']) expect(seen.has(kind)).toBe(true)
})

test('a part of a cell names the entries that decide', () => {
  let compared = 0
  for (let seed = 0; seed < effort(60, 20); seed++) {
    const world = someWorld(randomOf(8000 + seed))
    const data = pageOf(world, everyAction, reads)
    const tables = new Tables(data)
    data.identities.forEach(({ urn: identity }, i) => {
      data.resources.forEach(({ urn: resource }, j) => {
        for (const part of tables.cell(i, j)?.parts ?? []) {
          const action = data.actions[tables.actionsIn(part.actions)[0] as number] as string
          for (const { at, ip, tags } of gridFor(world, resource)) {
            const { verdict, clauses } = decide(world, { identity, resource, action, groups: [], at, ip, ...(tags && { tags }) })
            const listed = new Set(
              [...part.allow, ...part.deny].map(
                (entry) => `${data.entries[entry]?.policy} ${data.entries[entry]?.list} ${data.entries[entry]?.text}`,
              ),
            )
            const deciding = clauses.map(({ policy, list, entry }) => `${world.policies.indexOf(policy)} ${list} ${entry.value.text}`)
            if (verdict !== 'allow' && clauses.length === 0) continue
            compared++
            expect({ seed, identity, resource, action, missing: deciding.filter((each) => !listed.has(each)) }).toMatchObject({
              missing: [],
            })
          }
        }
      })
    })
  }
  expect(compared).toBeGreaterThan(effort(1_000, 20))
})

test('a permissions group that two policies name is named for each by its own policy', () => {
  const [care, web] = ['urn:v1:eu:permissionsGroup:ab12-svc:care', 'urn:v1:eu:resource:vps:web']
  const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
  const policy = (name: string, ...identities: string[]) => ({
    name,
    identities: identities.map(user),
    resources: [{ urn: web }],
    permissions: {},
    permissionsGroups: [{ urn: care }],
  })
  const world = worldOf({
    policies: [policy('of ann', 'ann'), policy('of bob', 'bob'), policy('of both', 'cal'), policy('of both again', 'cal')],
    permissionsGroups: [{ urn: care, name: 'care', permissions: { allow: actions.slice(0, 2).map((action) => ({ action })) } }],
    resources: [{ urn: web, tags: {} }],
  })
  const data = pageOf(world, everyAction, reads)
  const tables = new Tables(data)
  const policiesOf = (name: string) => {
    const [i, j] = [data.identities.findIndex(({ urn }) => urn === user(name)), data.resources.findIndex(({ urn }) => urn === web)]
    const entries = (tables.cell(i, j)?.parts ?? []).flatMap((part) => part.allow)
    return [...new Set(entries.map((entry) => data.policies[data.entries[entry]?.policy as number]?.name))].sort()
  }
  expect(policiesOf('ann')).toEqual(['of ann'])
  expect(policiesOf('bob')).toEqual(['of bob'])
  expect(policiesOf('cal')).toEqual(['of both', 'of both again'])
})

test('the cell of a type is the highest of its resources, and counts those that have it', () => {
  let partly = 0
  for (let seed = 0; seed < effort(300, 10); seed++) {
    const data = pageOf(someWorld(randomOf(9000 + seed)), everyAction, reads)
    const tables = new Tables(data)
    for (const i of data.identities.keys()) {
      tables.byType(i).forEach((cell, type) => {
        const own = data.resources.flatMap((resource, j) => (resource.type === type ? [tables.cell(i, j)] : []))
        const ranks = own.map((each) => levels.indexOf(each?.level ?? 'none'))
        const highest = Math.max(...ranks)
        const resources = highest === 0 ? 0 : ranks.filter((rank) => rank === highest).length
        expect(cell).toMatchObject({ level: levels[highest], resources, of: own.length })
        if (resources > 0 && resources < own.length) partly++
      })
    }
  }
  expect(partly).toBeGreaterThan(5)
})

test('the graph of the page has the boxes and arrows of the graph of the world', () => {
  let arrows = 0
  for (let seed = 0; seed < effort(300, 10); seed++) {
    const world = someWorld(randomOf(7500 + seed))
    const data = pageOf(world, everyAction, reads)
    const said = ({ nodes, edges }: Graph) => ({
      nodes: nodes.map(({ kind, id }) => `${kind} ${id}`).sort(),
      edges: edges.map(({ from, to, kind }) => `${nodes[from]?.id} ${kind} ${nodes[to]?.id}`).sort(),
    })
    const ours = said(graphFrom(partsOf(data, new Tables(data))))
    expect(ours).toEqual(said(graphOf(world, { at: data.made })))
    arrows += ours.edges.length
  }
  expect(arrows).toBeGreaterThan(200)
})
