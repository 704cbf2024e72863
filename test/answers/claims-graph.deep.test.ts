import { expect, test } from 'vitest'
import { dotText } from '../../src/picture/dot.ts'
import { foldGraph } from '../../src/picture/fold.ts'
import { edgeWords, type Graph, type GraphEdge, type GraphNode, graphOf } from '../../src/picture/graph.ts'
import { graphSvg, wordsOf } from '../../src/picture/graph-svg.ts'
import { mermaidText } from '../../src/picture/mermaid.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { addresses, contextsFor, unknownGroup } from '../support/claims.ts'
import { untilSeen } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { from, hour, timedAccounts, to, weekHolds } from '../support/timed.ts'
import { worldOf } from '../support/worlds.ts'

/** Claims of boxes and arrows of `graph` about access, held against decisions of the policies that they stand for. */

const asked = [
  'vps:apisvc:terminate',
  'vps:apisvc:reboot',
  'vps:apisvc:get',
  'domain:apisvc:contact/update',
  'account:apisvc:iam/policy/edit',
  'account:apisvc:me/identity/user/edit',
]
const instants = Array.from({ length: Math.ceil((to - from) / (3 * hour)) }, (_, i) => from + i * 3 * hour)
const allContexts = (world: World, resource: string, at: number) =>
  [...new Set(contextsFor(world, resource).map(({ tags }) => tags))].flatMap((tags) =>
    addresses.map((ip) => ({ at, ip, ...(tags && { tags }) })),
  )

/** The actions that one policy alone allows or denies, at an instant. */
function decidedBy(world: World, number: number, question: Omit<Question, 'action' | 'groups'>, wanted: 'granted' | 'denied') {
  const alone = { ...world, policies: [world.policies[number] as World['policies'][number]] }
  return asked.filter((action) => decide(alone, { ...question, action, groups: [], owner: 'other' }).reason === wanted)
}

/** The policies on paths from an identity to a resource over arrows of a kind that are not over. */
function policiesBetween({ nodes, edges }: Graph, identity: string, resource: string, kind: 'allow' | 'deny') {
  const placeOf = (id: string) => nodes.findIndex((node) => node.id === id)
  const live = edges.filter(({ isOver }) => !isOver)
  const ahead = (starts: ReadonlySet<number>, kinds: readonly string[]) =>
    new Set(live.flatMap((edge) => (starts.has(edge.from) && kinds.includes(edge.kind) ? [edge.to] : [])))
  const self = new Set([placeOf(identity)])
  const who = new Set([...self, ...ahead(self, ['member', 'matches'])])
  const reach = new Set([...who, ...ahead(who, ['matches'])])
  const end = placeOf(resource)
  const holders = new Set([end])
  for (let i = 0; i < 2; i++) for (const edge of live) if (edge.kind === 'contains' && holders.has(edge.to)) holders.add(edge.from)
  return [...ahead(reach, ['named'])].flatMap((policy) => {
    const arrows = live.filter((edge) => edge.from === policy && edge.kind === kind && holders.has(edge.to))
    return arrows.length === 0
      ? []
      : [{ number: Number(nodes[policy]?.id.slice('policy '.length)), isSure: arrows.some(({ isConditional }) => !isConditional) }]
  })
}

test('there is a path where a policy grants or denies, and one without a condition always does', () => {
  const seen = { granted: 0, denied: 0, sure: 0, none: 0, owned: 0 }
  for (const { account: some, random } of untilSeen(seen, 350, (count) => timedAccounts(301, count))) {
    const owner = random() < 0.3 ? [{ urn: 'urn:v1:eu:identity:account:ab' }] : []
    const account = { ...some, identities: [...some.identities, ...owner] }
    const world = worldOf(account)
    const { identities, resources } = knownNamesIn([world])
    const graph = graphOf(world, { at: from })
    for (const identity of identities)
      for (const resource of resources) {
        const where = () => `${identity} ${resource}\n${JSON.stringify(account)}`
        if (decide(world, { identity, resource, action: 'vps:apisvc:get', groups: [], at: from }).reason === 'root') {
          seen.owned++
          const owned = graph.nodes.findIndex(({ kind }) => kind === 'ownership')
          expect(graph.edges.some((edge) => edge.kind === 'contains' && edge.from === owned && graph.nodes[edge.to]?.id === resource)).toBe(
            true,
          )
          continue
        }
        for (const [kind, reason] of [
          ['allow', 'granted'],
          ['deny', 'denied'],
        ] as const) {
          const found = policiesBetween(graph, identity, resource, kind)
          if (found.length === 0) seen.none++
          for (const [number, policy] of world.policies.entries()) {
            const arrow = found.find((each) => each.number === number)
            const isOpen = policy.permissionsGroups.some(({ value }) => value.text === unknownGroup)
            if (arrow && !arrow.isSure) continue
            const end = policy.expiresAt?.value ?? Number.POSITIVE_INFINITY
            const times = arrow ? [from, to].filter((at) => at <= end) : instants.filter((_, i) => i % 37 === 0)
            for (const at of times)
              for (const context of allContexts(world, resource, at)) {
                const decided = decidedBy(world, number, { identity, resource, ...context }, reason)
                if (!arrow) expectSame(decided, [], where)
                else if (!isOpen) expectSame(decided.length > 0, true, () => `${policy.name.value} ${kind} ${where()}`)
              }
            if (arrow) seen[reason]++
            if (arrow && !isOpen) seen.sure++
          }
        }
      }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

/** Whether the words about the condition of a policy hold. */
function holds(words: string, { at, ip, tags }: Pick<Question, 'at' | 'ip' | 'tags'>): boolean {
  return words.split(', ').every((part) => {
    if (part.startsWith('from 192')) return ip === addresses[0]
    if (part.startsWith('tag env = ')) return tags?.get('env') === part.slice('tag env = '.length)
    return weekHolds(part, at)
  })
}

test('what a box says of a policy: when it applies, until when, and what is not known', () => {
  const seen = { ended: 0, until: 0, never: 0, when: 0, open: 0, always: 0 }
  for (const { account, random } of untilSeen(seen, 600, (count) => timedAccounts(302, count))) {
    const [first, ...others] = account.policies
    const never = { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '5', 'date(UTC).Hour.LT': '5' } }
    const policies = random() < 0.1 ? [{ ...first, conditions: never }, ...others] : account.policies
    const world = worldOf({ ...account, policies })
    for (const { kind, id, note, isOver } of graphOf(world, { at: from }).nodes) {
      if (kind !== 'policy') continue
      const policy = world.policies[Number(id.slice('policy '.length))] as World['policies'][number]
      const parts = note?.split('; ') ?? []
      const isOpen = policy.permissionsGroups.some(({ value }) => value.text === unknownGroup)
      expect(parts.includes('a permissions group is not described')).toBe(isOpen)
      if (isOpen) seen.open++
      const [date] = parts.flatMap((part) => /^(?:ended|until) (.*)$/.exec(part)?.[1] ?? [])
      const end = policy.expiresAt?.value
      expect(date).toBe(end === undefined ? undefined : new Date(end).toISOString().slice(0, 10))
      const hasEnded = parts.some((part) => part.startsWith('ended '))
      expect(hasEnded).toBe(end !== undefined && end < from)
      if (date !== undefined) seen[hasEnded ? 'ended' : 'until']++
      const isNever = parts.includes('never applies')
      expect(isOver === true).toBe(hasEnded || isNever)
      const when = parts.find((part) => !/^(?:ended|until|never applies|a permissions group)/.test(part))
      seen[isNever ? 'never' : when === undefined ? 'always' : 'when']++
      // About everything, so that only its condition decides.
      const { conditions } = policies.find(({ name }) => name === policy.name.value) as { conditions?: object }
      const everything = {
        name: 'p',
        identities: ['urn:v1:eu:identity:user:ab/*'],
        resources: [{ urn: 'urn:v1:eu:resource:*' }],
        permissions: { allow: [{ action: '*' }] },
        ...(conditions && { conditions }),
      }
      const alone = worldOf({ policies: [everything] })
      for (let at = from; at < to; at += 3 * hour)
        for (const ip of addresses)
          for (const tags of [new Map<string, string>(), new Map([['env', 'prod']])]) {
            const question = { identity: 'urn:v1:eu:identity:user:ab/x', resource: 'urn:v1:eu:resource:vps:x', action: 'vps:apisvc:get' }
            const { verdict } = decide(alone, { ...question, groups: [], at, ip, tags })
            const isSaid = !isNever && (when === undefined || holds(when, { at, ip, tags }))
            expectSame(verdict === 'allow', isSaid, () => `${note} ${new Date(at).toISOString()} ${JSON.stringify(policy.name.value)}`)
          }
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

/** The arrows of the whole graph that an arrow of a folded one replaces. */
function arrowsBehind(whole: Graph, { nodes }: Graph, { from, to, kind }: GraphEdge): readonly GraphEdge[] {
  const places = (node: GraphNode) => new Set(node.members ?? [whole.nodes.findIndex(({ id }) => id === node.id)])
  const [starts, ends] = [places(nodes[from] as GraphNode), places(nodes[to] as GraphNode)]
  return whole.edges.filter((edge) => edge.kind === kind && starts.has(edge.from) && ends.has(edge.to))
}

test('an arrow for several says no more than the weakest of them, in every format', () => {
  const seen = { one: 0, several: 0, mixed: 0, over: 0, partlyOver: 0, conditional: 0 }
  for (const { account, random } of untilSeen(seen, 400, (count) => timedAccounts(303, count))) {
    const policies = [0, 1].flatMap((i) => account.policies.map((each) => ({ ...each, name: `${each.name}-${i}` })))
    const world = worldOf({ ...account, policies })
    const whole = graphOf(world, { at: from })
    const graph = foldGraph(whole, { most: random() < 0.5 ? 2 : 1 })
    const behind = graph.edges.map((edge) => arrowsBehind(whole, graph, edge))
    expect(behind.reduce((sum, { length }) => sum + length, 0)).toBe(whole.edges.length)
    const svg = JSON.stringify(graphSvg(graph, { title: 'x' }))
    const [dot, mermaid] = [dotText(graph, []), mermaidText(graph, [])]
    for (const [i, edge] of graph.edges.entries()) {
      const own = behind[i] as readonly GraphEdge[]
      const live = own.filter(({ isOver }) => !isOver)
      const isOver = live.length === 0
      const isConditional = own.some((each) => each.isConditional && (isOver || !each.isOver))
      const where = `${edge.kind} ${JSON.stringify(own)}`
      expect([edge.count ?? 1, edge.isOver === true, edge.isConditional === true], where).toEqual([own.length, isOver, isConditional])
      const [start, end] = [graph.nodes[edge.from], graph.nodes[edge.to]]
      const condition = !isConditional ? '' : own.length === 1 ? ', under a condition' : ', some or all under a condition'
      const words = `${edgeWords[edge.kind]}`
      const marks = `${condition}${isOver ? ', no longer' : ''}`
      expect(svg).toContain(
        JSON.stringify(`${start?.label} ${words} ${end?.label}${marks}${own.length === 1 ? '' : ` (${own.length})`}`).slice(1, -1),
      )
      expect(dot).toContain(`tooltip="${words}${marks}"${own.length === 1 ? '' : ` label="${own.length}"`}`)
      const line =
        mermaid
          .split('\n')
          .find(
            (each) =>
              new RegExp(`^ {2}n${edge.from} (?:-->|-\\.->|--x|-\\.-x)(?:\\|.*\\|)? n${edge.to}$`).test(each) &&
              (edge.kind === 'deny') === /--x|-x/.test(each),
          ) ?? ''
      expect(/ if"|allowed|denied/.test(line) || !/allow|deny/.test(edge.kind), where).toBe(
        isConditional || isOver || !/allow|deny/.test(edge.kind),
      )
      seen[own.length === 1 ? 'one' : 'several']++
      if (isConditional) seen.conditional++
      if (isOver) seen.over++
      else if (own.length > live.length) seen.partlyOver++
      if (isConditional && own.some((each) => !each.isConditional)) seen.mixed++
    }
    // The sentence for those who do not see the picture.
    const said = wordsOf(graph)
    for (const [, count, title] of said.matchAll(/(\d+) (identities|groups and patterns|policies|groups of resources|resources)\b/g))
      expect(Number(count), `${title} ${said}`).toBe(Number(new RegExp(`(\\d+) ${title}`).exec(wordsOf(whole))?.[1]))
    expect(Number(/(\d+) arrows? den/.exec(said)?.[1])).toBe(
      behind.filter((own) => own[0]?.kind === 'deny' && own.some((each) => !each.isOver)).length,
    )
    // Every name is in one box, and the box says how many.
    const boxes = graph.nodes.map((node) => node.members?.length ?? 1)
    expect(boxes.reduce((a, b) => a + b, 0)).toBe(whole.nodes.length)
    for (const { members, note } of graph.nodes) if (members) expect(Number(note?.split(' ')[0])).toBe(members.length)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
