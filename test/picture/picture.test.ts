import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { matches } from '../../src/glob.ts'
import { dotText } from '../../src/picture/dot.ts'
import { type Picture, part, svgText, textWidth, truncated } from '../../src/picture/element.ts'
import { svgFile } from '../../src/picture/file.ts'
import { foldGraph, onPaths } from '../../src/picture/fold.ts'
import { columnOf, type Graph, type GraphEdge, graphOf } from '../../src/picture/graph.ts'
import { graphSvg } from '../../src/picture/graph-svg.ts'
import { graphmlText } from '../../src/picture/graphml.ts'
import { layout } from '../../src/picture/layout.ts'
import { isDrawn, mermaidText } from '../../src/picture/mermaid.ts'
import { mergedBars, ticks, timelineChart, timelineSvg } from '../../src/picture/timeline.ts'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { groupsNamed } from '../../src/world.ts'
import { type Zone, Zones } from '../../src/zones.ts'
import { effort } from '../support/effort.ts'
import { actions, gridFor } from '../support/grid.ts'
import { mainIn } from '../support/in-process.ts'
import { wordsOf } from '../support/scenario.ts'
import { generate, randomOf, usualKnobs, worldOf } from '../support/worlds.ts'
import { type Element, parseXml } from '../support/xml.ts'

const acme = fileURLToPath(new URL('../../examples/acme', import.meta.url))
const at = Date.UTC(2026, 10, 23)

const someWorld = (random: () => number): World => worldOf(generate(random, 0, usualKnobs).world)

/** Nodes that are reached from a node over some edges. */
function reachedFrom(graph: Graph, id: string, isTaken: (edge: GraphEdge) => boolean): ReadonlySet<string> {
  const found = new Set([graph.nodes.findIndex((node) => node.id === id)])
  for (const place of found) for (const edge of graph.edges) if (edge.from === place && isTaken(edge)) found.add(edge.to)
  return new Set([...found].map((place) => graph.nodes[place]?.id ?? ''))
}

/** Whether a policy names an identity, and a resource: by its entries. */
function names(policy: Policy, world: World, identity: string, resource: string): boolean {
  const members = [identity, ...(world.identities.get(identity)?.groups ?? [])]
  return (
    policy.identities.some(({ value }) => members.some((member) => matches(value.glob, member))) &&
    policy.resources.some(({ value }) =>
      value.kind === 'group' ? groupsNamed(world, value).some((group) => group.members.has(resource)) : matches(value.glob, resource),
    )
  )
}

describe('the graph', () => {
  test('has a path for each identity and resource that a policy names, and no other', () => {
    const random = randomOf(31)
    let some = 0
    for (let i = 0; i < effort(600, 30); i++) {
      const world = someWorld(random)
      const graph = graphOf(world, { at })
      const { identities, resources } = knownNamesIn([world])
      for (const [number, policy] of world.policies.entries()) {
        const own = `policy ${number}`
        for (const identity of identities) {
          const isAbout = reachedFrom(graph, identity, ({ kind }) => kind === 'member' || kind === 'matches' || kind === 'named').has(own)
          const reached = reachedFrom(graph, own, ({ kind }) => kind === 'allow' || kind === 'deny' || kind === 'contains')
          const hasEffect = graph.edges.some(({ from, kind }) => graph.nodes[from]?.id === own && (kind === 'allow' || kind === 'deny'))
          for (const resource of resources) {
            const isNamed = hasEffect && names(policy, world, identity, resource)
            if (isNamed) some++
            expect({ identity, own, resource, path: isAbout && reached.has(resource) }).toEqual({ identity, own, resource, path: isNamed })
          }
        }
      }
    }
    expect(some).toBeGreaterThan(50)
  })

  test('has a path with an allow for everything that `can` allows', () => {
    const random = randomOf(32)
    let allowed = 0
    for (let i = 0; i < effort(300, 20); i++) {
      const world = someWorld(random)
      const { identities, resources } = knownNamesIn([world])
      for (const resource of resources) {
        for (const point of gridFor(world, resource)) {
          const graph = graphOf(world, { at: point.at })
          for (const identity of identities) {
            const isAllowed = actions.some(
              (action) =>
                decide(world, {
                  identity,
                  action,
                  resource,
                  groups: [],
                  at: point.at,
                  ip: point.ip,
                  ...(point.tags && { tags: point.tags }),
                }).verdict === 'allow',
            )
            if (!isAllowed) continue
            allowed++
            expect(reachedFrom(graph, identity, ({ kind, isOver }) => kind !== 'deny' && !isOver)).toContain(resource)
          }
          break
        }
      }
    }
    expect(allowed).toBeGreaterThan(20)
  })

  test('marks what has ended, conditions, and what an account owns', () => {
    const policy = (name: string, rest: object) => ({
      name,
      identities: ['urn:v1:eu:identity:user:ab/a'],
      resources: [{ urn: 'urn:v1:eu:resource:t:a' }],
      permissions: { allow: [{ action: 'p:apisvc:a' }] },
      ...rest,
    })
    const world = worldOf({
      account: 'ab',
      policies: [
        policy('over', { expiredAt: '2026-01-01T00:00:00Z' }),
        policy('open', { conditions: { operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } } }),
        policy('no', { permissions: { deny: [{ action: 'p:apisvc:a' }] } }),
        policy('group', { permissions: {}, permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:acme:unknown' }] }),
        policy('ends', { expiredAt: new Date(at).toISOString() }),
      ],
      identities: [{ urn: 'urn:v1:eu:identity:account:ab', groups: [] }],
    })
    const { nodes, edges } = graphOf(world, { at })
    const out = (label: string) =>
      edges.filter(({ from }) => nodes[from]?.label === label).map(({ from: _, to, ...rest }) => ({ ...rest, to: nodes[to]?.label }))
    expect(out('over')).toEqual([{ kind: 'allow', isOver: true, to: 't:a' }])
    expect(out('open')).toEqual([{ kind: 'allow', isConditional: true, to: 't:a' }])
    expect(out('no')).toEqual([{ kind: 'deny', to: 't:a' }])
    // It may grant anything. A policy applies up to the instant of its expiry.
    expect(out('group')).toEqual([{ kind: 'allow', to: 't:a' }])
    expect(nodes.find(({ label }) => label === 'group')).toMatchObject({ note: 'a permissions group is not described' })
    expect(out('ends')).toEqual([{ kind: 'allow', to: 't:a' }])
    expect(out('account')).toEqual([{ kind: 'owns', to: 'what the account owns' }])
    expect(nodes.find(({ label }) => label === 'over')).toMatchObject({ isOver: true, note: 'ended 2026-01-01' })
    expect(nodes.find(({ label }) => label === 'open')).toMatchObject({ note: 'from 192.0.2.1' })
  })
})

/** A world of an account of some size. */
function largeWorld(policies: number, users: number, things: number): World {
  const identity = (i: number) => `urn:v1:eu:identity:user:ab/u${i}`
  const group = (i: number) => `urn:v1:eu:identity:group:ab/g${i % 20}`
  const resource = (i: number) => `urn:v1:eu:resource:type${i % 12}:r${i}`
  return worldOf({
    policies: Array.from({ length: policies }, (_, i) => ({
      name: `policy ${i}`,
      identities: [i % 3 === 0 ? identity(i % users) : group(i)],
      resources: [{ urn: i % 2 === 0 ? `urn:v1:eu:resource:type${i % 12}:*` : resource(i % things) }],
      permissions: { [i % 9 === 0 ? 'deny' : 'allow']: [{ action: 'p:apisvc:a' }] },
    })),
    identities: Array.from({ length: users }, (_, i) => ({ urn: identity(i), groups: [group(i), group(i * 7 + 1)] })),
    resources: Array.from({ length: things }, (_, i) => ({ urn: resource(i), tags: {} })),
  })
}

describe('clusters', () => {
  const graph = graphOf(largeWorld(200, 100, 300), { at })
  const sizeOf = ({ nodes }: Graph) => nodes.reduce((sum, { members }) => sum + (members?.length ?? 1), 0)
  const columnSizes = ({ nodes }: Graph) => [0, 1, 2, 3, 4].map((column) => nodes.filter(({ kind }) => columnOf[kind] === column).length)

  test('stand for every node once, and their arrows for every arrow between them', () => {
    for (const most of [1, 5, 40]) {
      const less = foldGraph(graph, { most })
      expect(sizeOf(less)).toBe(graph.nodes.length)
      expect(Math.max(...columnSizes(less))).toBeLessThanOrEqual(Math.max(most, 1))
      expect(less.edges.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(graph.edges.length)
      const places = new Map(less.nodes.flatMap((node, i) => (node.members ?? []).map((member) => [member, i] as const)))
      for (const [place, node] of graph.nodes.entries())
        if (!places.has(place))
          places.set(
            place,
            less.nodes.findIndex(({ id }) => id === node.id),
          )
      const keys = new Set(graph.edges.map(({ from, to, kind }) => `${places.get(from)} ${places.get(to)} ${kind}`))
      expect(new Set(less.edges.map(({ from, to, kind }) => `${from} ${to} ${kind}`))).toEqual(keys)
    }
  })

  test('of groups and of patterns over identities are called by what they hold', () => {
    const many = (kind: 'group' | 'identityPattern') =>
      Array.from({ length: 10 }, (_, i) => ({ kind, id: `${kind} ${i}`, label: `${kind} ${i}`, type: kind }))
    const { nodes } = foldGraph({ nodes: [...many('group'), ...many('identityPattern')], edges: [] } as unknown as Graph, { most: 4 })
    expect(nodes.map(({ id, kind, members }) => [id, kind, members?.length])).toEqual([
      ['groups', 'group', 10],
      ['patterns over identities', 'identityPattern', 10],
    ])
  })

  test('open by their names, and in runs where they are large', () => {
    const open = foldGraph(graph, { most: 15, expanded: new Set(['type3']) })
    expect(open.nodes.filter(({ kind, type }) => kind === 'resource' && type === 'type3').length).toBe(25)
    expect(foldGraph(graph, { most: 5, expanded: new Set(['all']) }).nodes).toHaveLength(graph.nodes.length)
    const runs = foldGraph(graph, { most: 15, expanded: new Set(['type3']), run: 10 })
    const own = runs.nodes.filter(({ type }) => type === 'type3')
    expect(own.map(({ id, members }) => [id, members?.length])).toEqual([
      ['type3 1', 10],
      ['type3 2', 10],
      ['type3 3', 5],
    ])
    const second = foldGraph(graph, { most: 15, expanded: new Set(['type3', 'type3 2']), run: 10 })
    expect(second.nodes.filter(({ type }) => type === 'type3')).toHaveLength(12)
  })

  test('only paths that pass what is selected are kept', () => {
    const place = (id: string) => new Set([graph.nodes.findIndex((node) => node.id === id)])
    const from = place('urn:v1:eu:identity:user:ab/u3')
    const to = place('urn:v1:eu:resource:type3:r3')
    const kept = onPaths(graph, [from, to])
    const ids = [...kept].map((each) => graph.nodes[each]?.id ?? '')
    expect(ids).toContain('urn:v1:eu:identity:user:ab/u3')
    for (const id of ids) {
      const reached = reachedFrom(graph, id, () => true)
      expect(reached).toContain('urn:v1:eu:resource:type3:r3')
      expect(reachedFrom(graph, 'urn:v1:eu:identity:user:ab/u3', () => true)).toContain(id)
    }
    expect(onPaths(graph, [from, place('policy 1'), place('policy 2')]).size).toBe(0)
  })

  test('keep Mermaid within what GitHub draws', () => {
    const large = graphOf(largeWorld(1000, 500, 2000), { at })
    expect(isDrawn(large, mermaidText(large, []))).toBe(false)
    const less = foldGraph(large, { most: 8 })
    expect(isDrawn(less, mermaidText(less, []))).toBe(true)
  })
})

describe('the layout', () => {
  const crossings = (graph: Graph, y: (place: number) => number) => {
    let count = 0
    const straight = graph.edges.filter(({ from, to }) => column(graph, to) - column(graph, from) === 1)
    for (const a of straight)
      for (const b of straight)
        if (column(graph, a.from) === column(graph, b.from) && (y(a.from) - y(b.from)) * (y(a.to) - y(b.to)) < 0) count++
    return count / 2
  }
  const column = ({ nodes }: Graph, place: number) => columnOf[(nodes[place] as Graph['nodes'][number]).kind]

  test('puts boxes of a column apart, lines from left to right, and few across each other', () => {
    const graph = graphOf(largeWorld(40, 20, 30), { at })
    const sizes = graph.nodes.map((_, i) => ({ width: 100, height: i % 2 === 0 ? 26 : 40 }))
    const { boxes, lines, height } = layout(graph, sizes, { gap: 10 })
    for (const [i, a] of boxes.entries()) {
      expect(a.y).toBeGreaterThanOrEqual(0)
      expect(a.y + a.height).toBeLessThanOrEqual(height + 0.01)
      for (const b of boxes.slice(i + 1)) if (a.x === b.x) expect(a.y + a.height <= b.y - 9 || b.y + b.height <= a.y - 9).toBe(true)
    }
    for (const [i, line] of lines.entries()) {
      const { from, to } = graph.edges[i] as GraphEdge
      if (column(graph, from) !== column(graph, to))
        expect(line.map(({ x }) => x)).toEqual(line.map(({ x }) => x).toSorted((a, b) => a - b))
    }
    const ours = crossings(graph, (place) => boxes[place]?.y ?? 0)
    expect(ours).toBeLessThan(crossings(graph, (place) => place) * 0.6)
  })

  test('is the same for the same graph', () => {
    const graph = graphOf(largeWorld(30, 20, 20), { at })
    const again = graphOf(largeWorld(30, 20, 20), { at })
    expect(svgFile(graphSvg(again, { title: 'x' }))).toBe(svgFile(graphSvg(graph, { title: 'x' })))
  })
})

const hostile = [
  '<img src=x onerror=alert(1)> & "quotes" `ticks` #35; \\N %% end',
  '1. first **bold** [link](javascript:alert(1))',
  'evil \u202egnp.exe \u200b\u2028 ]]> --> </style><script>alert(1)</script>',
  'x'.repeat(10_000),
  '漢字'.repeat(500),
]

const plainWorld = worldOf({
  policies: hostile.map((_, i) => ({
    name: `name ${i}`,
    identities: ['urn:v1:eu:identity:user:ab/<b>"&\\', 'urn:v1:eu:identity:group:ab/*'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:<i>"&\\--x' }, { urn: 'urn:v1:eu:resource:*' }],
    permissions: { [i === 1 ? 'deny' : 'allow']: [{ action: 'vps:*' }] },
    expiredAt: `203${i}-01-01T00:00:00Z`,
  })),
  identities: [{ urn: 'urn:v1:eu:identity:user:ab/<b>"&\\', groups: ['urn:v1:eu:identity:group:ab/g'] }],
})
/** Readers refuse some of these names: pictures do not rely on that. */
const hostileWorld: World = {
  ...plainWorld,
  policies: plainWorld.policies.map((policy, i) => ({ ...policy, name: { ...policy.name, value: hostile[i] as string } })),
}

const all = (element: Element): readonly Element[] => [element, ...element.children.flatMap(all)]

/** Elements that a picture may hold: nothing that runs or loads. */
function checkSvg(text: string): Element {
  const root = parseXml(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
  const tags = new Set(all(root).map(({ name }) => name))
  expect([...tags].filter((tag) => !/^(?:svg|g|title|desc|style|defs|pattern|rect|path|text)$/.test(tag))).toEqual([])
  for (const { attributes } of all(root)) {
    for (const [name, value] of Object.entries(attributes)) {
      expect(name).not.toMatch(/^on|href|^style$/)
      if (name !== 'xmlns') expect(value).not.toMatch(/url\((?!#)/)
    }
  }
  const sheet = all(root).find(({ name }) => name === 'style')?.text ?? ''
  expect(sheet).toContain('prefers-color-scheme: dark')
  expect(sheet).not.toMatch(/@import|url\(/)
  expect(root.children.slice(0, 2).map(({ name }) => name)).toEqual(['title', 'desc'])
  expect(root.attributes.role).toBe('img')
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u2028]/)
  return root
}

describe('names that others choose', () => {
  const graph = graphOf(hostileWorld, { at })

  test('are text in an SVG, and cut', () => {
    const root = checkSvg(svgFile(graphSvg(graph, { title: hostile[0] as string, notes: [hostile[3] as string] })))
    const texts = all(root).filter(({ name }) => name === 'text')
    expect(texts.some(({ text }) => text.startsWith('<img src=x'))).toBe(true)
    expect(Math.max(...texts.map(({ text }) => text.length))).toBeLessThan(200)
    const chart = timelineChart(hostileWorld, { from: at, to: at + 5000 * 86_400_000 })
    expect(chart.rows).toHaveLength(5)
    checkSvg(svgFile(timelineSvg(chart, hostile[0] as string)))
  })

  test('are quoted in DOT', () => {
    const text = dotText(graph, [])
    // Graphviz: identifiers in quotes, in which a backslash takes the next character along.
    const rest = text.replace(/"(?:[^"\\\n]|\\[^\n])*"/g, 'q')
    expect(rest).toMatch(/^digraph access \{\n[\w\s=.;[\]q{}>#-]*\}\n$/)
    for (const [quoted] of text.matchAll(/"(?:[^"\\\n]|\\[^\n])*"/g)) expect(quoted).not.toMatch(/&(?!amp;)/)
  })

  // Graphviz is asked in a deep run, which says where it is not installed.
  if (process.env.GRANTWISE_DEEP)
    test('are what Graphviz reads, with every node and edge', () => {
      const random = randomOf(83)
      for (const some of [graph, ...Array.from({ length: 20 }, () => graphOf(someWorld(random), { at }))]) {
        const { error, status, stdout, stderr } = spawnSync('dot', ['-Tdot_json'], { input: dotText(some, []), encoding: 'utf8' })
        if (error) throw new Error(`\`dot\` cannot be run (${error.message}): install Graphviz (\`apt-get install graphviz\`)`)
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
        const read: { objects?: readonly Record<string, unknown>[]; edges?: readonly Record<string, number>[] } = JSON.parse(stdout)
        const drawn = (read.objects ?? []).filter(({ shape }) => shape !== undefined)
        expect(drawn).toHaveLength(some.nodes.length)
        const labels = drawn.map(({ label, name }) => [String(label), String(name)])
        expect(labels.every(([label = '', name = '']) => label !== '' && name !== '')).toBe(true)
        expect(read.edges ?? []).toHaveLength(some.edges.length)
      }
    })

  test('are numbers of characters in Mermaid where they could mean something', () => {
    const lines = mermaidText(graph, []).trimEnd().split('\n')
    const label = '"(?:[\\p{L}\\p{M}\\p{N} ,/+():=….–-]|#\\d+;)*(?:<br>(?:[\\p{L}\\p{M}\\p{N} ,/+():=….–-]|#\\d+;)*)?"'
    const node = /^ {2}n\d+[[(/]{1,2}LABEL[\])/]{1,2}$/u.source.replace('LABEL', label)
    const known = [
      node,
      '^flowchart LR$',
      '^ {2}n\\d+ [-.x>]+(?:\\|"[a-z ]+"\\|)? n\\d+$',
      '^ {2}(?:linkStyle|class|classDef) [\\w,:#. -]+$',
    ]
    for (const line of lines) expect(known.some((each) => new RegExp(each, 'u').test(line)) ? '' : line).toBe('')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600)
    expect(lines.some((line) => line.includes('"1#46; first'))).toBe(true)
  })

  test('are text in GraphML, with every node and edge', () => {
    const root = parseXml(graphmlText(graph))
    const found = all(root)
    const ids = new Set(found.filter(({ name }) => name === 'node').map(({ attributes }) => attributes.id))
    const edges = found.filter(({ name }) => name === 'edge')
    expect(ids.size).toBe(graph.nodes.length)
    expect(edges).toHaveLength(graph.edges.length)
    for (const { attributes } of edges) for (const end of [attributes.source, attributes.target]) expect(ids).toContain(end)
    const keys = new Set(found.filter(({ name }) => name === 'key').map(({ attributes }) => attributes.id))
    for (const { attributes } of found.filter(({ name }) => name === 'data')) expect(keys).toContain(attributes.key)
    expect(found.some(({ text }) => text === graph.nodes.find(({ kind }) => kind === 'policy')?.label)).toBe(true)
  })

  test('fit where they are put', () => {
    for (const text of [...hostile, 'short', '']) {
      const cut = truncated(text, 100, 12)
      expect(textWidth(cut, 12)).toBeLessThanOrEqual(100)
      if (cut !== text) expect(cut.endsWith('…')).toBe(true)
    }
    expect(svgText(part('text', { x: 1, y: undefined }, 'a<b'))).toBe('<text x="1">a&#60;b</text>\n')
  })
})

describe('the timeline', () => {
  test('has a bar exactly where a policy applies', () => {
    const random = randomOf(33)
    let [solid, hatched, none] = [0, 0, 0]
    for (let i = 0; i < effort(1500); i++) {
      const { world: written } = generate(random, 0, { ...usualKnobs, missing: 0, conditions: 1 })
      const world = worldOf({ ...written, resources: [] })
      for (const [number, policy] of world.policies.entries()) {
        const [from, length] = [Date.UTC(2026, 0, 1) + Math.floor(random() * 300) * 86_400_000, 10 * 86_400_000]
        const { rows } = timelineChart({ ...world, policies: [policy] }, { from, to: from + length })
        const entry = policy.permissions.allow[0]
        const identity = policy.identities[0]?.value.text.replace(/\*$/, 'a')
        const resource = policy.resources.find(({ value }) => value.kind === 'resource')?.value.text.replaceAll('*', 't')
        if (
          !rows[0] ||
          !entry ||
          !identity ||
          !resource ||
          policy.permissions.except.length > 0 ||
          policy.permissions.deny.length > 0 ||
          policy.permissionsGroups.length > 0
        )
          continue
        const action = entry.value.text.replaceAll('*', 'a')
        if (!resource.includes(':t') || !/^\w+:apisvc:./.test(action)) continue
        // The owning account needs no policy.
        if (identity.includes(':identity:account:')) continue
        for (let j = 0; j < 12; j++) {
          const instant = from + Math.floor(random() * (length + 1))
          const bar = rows[0].bars.find((each) => instant >= each.from && instant < each.to)
          const { verdict } = decide({ ...world, policies: [policy] }, { identity, action, resource, groups: [], at: instant })
          if (verdict === 'unknown' || (bar?.isConditional && verdict === 'deny') || (bar?.isConditional && verdict === 'allow')) {
            // Facts that are not given decide: the name and the type of the resource are.
            expect({ number, isConditional: bar?.isConditional }).toEqual({ number, isConditional: true })
            hatched++
            continue
          }
          expect({ number, instant, verdict }).toEqual({ number, instant, verdict: bar ? 'allow' : 'deny' })
          if (bar) solid++
          else none++
        }
      }
    }
    expect(Math.min(solid, hatched, none)).toBeGreaterThan(effort(400))
  })

  test('draws bars that are close as one, and covers all of them', () => {
    const bars = Array.from({ length: 300 }, (_, i) => ({ from: i * 10, to: i * 10 + 4 }))
    expect(mergedBars(bars, 3000, 3000)).toEqual(bars)
    expect(mergedBars(bars, 3000, 300)).toEqual([{ from: 0, to: 2994, count: 300 }])
    const mixed = [
      { from: 0, to: 5 },
      { from: 6, to: 9, isConditional: true as const },
      { from: 10, to: 20 },
    ]
    expect(mergedBars(mixed, 1000, 100)).toEqual(mixed)
  })

  test('has round dates of the zone on its axis', () => {
    const zones = new Zones()
    const labels = (from: number, days: number, zone: string) => ticks(from, from + days * 86_400_000, zones.get(zone) as Zone)
    expect(labels(Date.UTC(2026, 2, 27), 5, 'Europe/Paris').map((each) => [each.label, new Date(each.at).toISOString()])).toEqual([
      ['2026-03-28', '2026-03-27T23:00:00.000Z'],
      ['2026-03-29', '2026-03-28T23:00:00.000Z'],
      ['2026-03-30', '2026-03-29T22:00:00.000Z'],
      ['2026-03-31', '2026-03-30T22:00:00.000Z'],
      ['2026-04-01', '2026-03-31T22:00:00.000Z'],
    ])
    expect(labels(at, 300, 'UTC').map(({ label }) => label)).toEqual(['2027-01-01', '2027-04-01', '2027-07-01'])
    for (const days of [0.1, 1, 3, 9, 40, 90, 400, 5000, 100_000]) {
      const count = labels(at, days, 'America/New_York').length
      expect(count).toBeGreaterThanOrEqual(1)
      expect(count).toBeLessThanOrEqual(11)
    }
  })
})

describe('the matrix', () => {
  test('has the levels of the JSON in each cell, as SVG and as a page', async () => {
    for (const options of [[], ['--type', 'vps', '--resources'], ['--identity', 'user/*']]) {
      const run = async (format: string) =>
        (await mainIn(['matrix', '--format', format, '--at', '2026-11-23T12:00:00Z', ...options], acme)).stdout
      const json = JSON.parse(await run('json')) as { rows: { cells: { level: string; conditional: boolean }[] }[] }
      const expected = json.rows.map(({ cells }) =>
        cells.map(({ level, conditional }) => `${level}${level !== 'none' && conditional ? ' unsure' : ''}`),
      )
      const svg = checkSvg(await run('svg'))
      const rows = svg.children.filter(({ name, attributes }) => name === 'g' && attributes.transform?.startsWith('translate(0'))
      expect(
        rows.map((row) =>
          row.children
            .filter(({ name }) => name === 'g')
            .map((cell) => {
              const word = cell.children.find(({ name }) => name === 'text')?.text ?? ''
              expect(word.startsWith(cell.attributes.class ?? '?')).toBe(true)
              return `${cell.attributes.class}${cell.children.some(({ attributes }) => attributes.fill === 'url(#hatch)') ? ' unsure' : ''}`
            }),
        ),
      ).toEqual(expected)
      const page = await run('html')
      const cells = [...page.matchAll(/<td class="([^"]*)"/g)].map(([, name]) => name)
      expect(cells).toEqual(expected.flat())
      expect(page).not.toMatch(/<script|<img|\son\w+=|href/)
      expect(page).toContain("default-src 'none'; style-src 'sha256-".replaceAll("'", '&#39;'))
    }
  })
})

describe('docs/pictures.md', () => {
  const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
  const page = readFileSync(`${docs}pictures.md`, 'utf8')
  // A command in a block of its own, then what it makes: a block of Mermaid, or an image.
  const shown = [...page.matchAll(/```sh\ngrantwise (.+)\n```\n\n(?:```mermaid\n([\s\S]*?)```|!\[[^\]]+\]\(([^)]+)\))/g)]

  test('shows a graph in Mermaid, and an image of each kind', () => {
    expect(shown.map(([, , mermaid, image]) => (mermaid === undefined ? image : 'mermaid')).sort()).toEqual([
      'images/access.svg',
      'images/matrix.svg',
      'images/timeline.svg',
      'mermaid',
    ])
  })

  test.each(shown.map(([, command, mermaid, image]) => [command as string, mermaid, image] as const))(
    '%s',
    async (command, mermaid, image) => {
      const args = wordsOf(command.replace(/ -o \S+$/, ' --format svg').replace(/ > \S+$/, ''))
      const { stdout, stderr } = await mainIn(args, acme)
      expect(stderr).toBe('')
      if (image !== undefined && process.env.UPDATE_EXAMPLES === '1') writeFileSync(`${docs}${image}`, stdout)
      expect(stdout).toBe(image === undefined ? mermaid : readFileSync(`${docs}${image}`, 'utf8'))
    },
  )
})

test('all dates are by the clock of the zone that the picture names, that of an expiry too', async () => {
  const { stdout } = await mainIn(['timeline', '--from', '2031-01-01T00:00:00Z', '--horizon', '120d', '--format', 'svg'], acme)
  expect(stdout).toContain('Dates in Europe/Paris')
  expect(stdout).toContain('>until Tue 2031-04-01 01:59:59 · user/kim<')
  expect(stdout).toContain('>ends 2031-04-01<')
  expect(stdout).not.toContain('ends 2031-03-31')
})

test('a picture is a tree of elements and texts', () => {
  const tree: Picture = part('g', { a: 1 }, part('text', {}, 'x'), 'y')
  expect(tree).toEqual({ tag: 'g', attributes: { a: 1 }, children: [{ tag: 'text', attributes: {}, children: ['x'] }, 'y'] })
})
