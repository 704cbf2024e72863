import { hasInnerWildcard, isPattern, matches } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import { readIdentity } from '../urn/identity.ts'
import { resourceGroupOf } from '../world.ts'
import { applicationOf, type Holds, namesOpenGroup, type Ternary } from './application.ts'
import { groupOf, judge } from './decide.ts'
import type { Caveat, Clause, Decision, Question, Verdict } from './decision.ts'
import { PatternIndex } from './pattern-index.ts'
import { compareSpans, inFileOrder, traces } from './reference.ts'
import { bitsPerWord, findAll, head, Store, wherever, writeBlock } from './table.ts'

/**
 * The meaning of `reference.ts`, fast: patterns become numbers, what an identity meets becomes a block of bits, and a
 * decision looks up three texts and combines bits. It shares types and the wildcard code with the reference and nothing
 * that judges; the tests hold one to the other. Only where three-valued logic says unknown is the question handed to the
 * exact completion. Blocks are written when they are first needed.
 */
export interface Engine {
  /** The verdict alone: nothing is allocated where texts are known and no unknown fact counts. */
  verdict(question: Question): Verdict
  /** The whole decision, equal to that of `decide`. An entry is the same object in all decisions that rest on it. */
  decide(question: Question): Decision
  /**
   * The same, where identity, action and resource were all asked about before; else undefined. For callers that read names
   * by their grammar first: these have been read. Also undefined when it is time to forget, which `decide` does.
   */
  decideKnown(question: Question): Decision | undefined
}

/** A permission set of one policy: what a bit in a block stands for. */
interface Unit {
  readonly policy: Policy
  readonly order: number
  /** Undefined: a permissions group that the world does not hold. */
  readonly set: PermissionSet | undefined
  readonly group: string | undefined
  /** Where its lists of pattern numbers are: see `UnitLists`. */
  readonly place: number
  /** Undefined: it applies wherever identity and resource match. */
  readonly applies: Holds | undefined
  /** Whether one of its entries has a wildcard in the middle. */
  readonly hasInner: boolean
  /** One for each entry of the list, made when first asked for. */
  allow?: readonly Clause[]
  deny?: readonly Clause[]
}

/** Units that come together: those of one name, or of one pattern. */
interface Source {
  readonly units: number[]
  /** Its number among those of many units; -1 for the others. */
  shared: number
}

/** Many units, found and put into blocks by the number of a resource pattern. */
interface Shared {
  readonly units: readonly number[]
  readonly byResource: Map<number, number[]>
  readonly blocks: Map<number, number>
}

/** The units that name groups of accounts: those of one account, and those of every account whose name a pattern matches. */
interface Lifters {
  readonly named: ReadonlyMap<string, Shared>
  readonly open: readonly { readonly value: Policy['identities'][number]['value']; readonly source: Shared }[]
}

/** How tables are built; answers do not depend on it. */
export interface EngineOptions {
  /** A name or pattern with more permission sets than this has tables of its own, which its identities share. */
  readonly mostCopied?: number
}

/**
 * How much is remembered of identities and groups that neither policies nor the inventory name, as numbers in blocks:
 * 65,536 of them, or fewer where many patterns match each.
 */
const mostStrange = 1 << 24
/** What remembering one of them costs beside its block: its text, and places in maps. */
const costOfStranger = 1 << 8
/** How many answers about further groups are remembered. */
const mostLifts = 1 << 18

const none = { missing: [], clauses: [] } as const

/** Build the tables of a world (docs/semantics.md, Decision). */
export function compile(world: World, { mostCopied = bitsPerWord }: EngineOptions = {}): Engine {
  const resourceIndex = new PatternIndex()
  const actionIndex = new PatternIndex()
  /** Matches every resource: for groups whose members are not all known. */
  const anywhere = resourceIndex.add({ text: '*', pieces: ['', ''] })
  const units: Unit[] = []
  const lists = new Store()
  const named = new Map<string, Source>()
  const byPattern = new Map<string, { readonly pattern: Policy['identities'][number]['value']; readonly source: Source }>()
  const shared: Shared[] = []
  let hasReadOnly = false
  let hasInnerExcept = false

  for (const [order, policy] of world.policies.entries()) {
    hasReadOnly ||= policy.readOnly
    const resources = resourceNumbers(policy)
    const applies = applicationOf(policy, world)
    addUnit(policy.permissions, undefined)
    for (const { value } of policy.permissionsGroups) addUnit(world.permissionsGroups.get(value.text)?.permissions, value.text)

    function addUnit(set: PermissionSet | undefined, group: string | undefined): void {
      if (set && set.allow.length + set.deny.length === 0) return
      const unit = units.length
      const isInner = (list: 'allow' | 'except' | 'deny') => set?.[list].some((entry) => hasInnerWildcard(entry.value)) === true
      const hasInner = isInner('allow') || isInner('deny')
      units.push({ policy, order, set, group, place: writeLists(resources, set), applies, hasInner })
      hasInnerExcept ||= isInner('except')
      for (const { value } of policy.identities) {
        const { units: list } = sourceOf(value)
        if (list.at(-1) !== unit) list.push(unit)
      }
    }
  }
  for (const source of [...named.values(), ...Array.from(byPattern.values(), (each) => each.source)]) {
    if (source.units.length <= mostCopied) continue
    source.shared = shared.length
    shared.push(sharedOf(source.units))
  }

  function sourceOf(identity: Policy['identities'][number]['value']): Source {
    const pattern = isPattern(identity.glob)
    const known = pattern ? byPattern.get(identity.text)?.source : named.get(identity.text)
    if (known) return known
    const source: Source = { units: [], shared: -1 }
    if (pattern) byPattern.set(identity.text, { pattern: identity, source })
    else named.set(identity.text, source)
    return source
  }

  function resourceNumbers(policy: Policy): ReadonlySet<number> {
    const numbers = new Set<number>()
    for (const { value } of policy.resources) {
      if (value.kind === 'resource') numbers.add(resourceIndex.add(value.glob))
      else
        for (const member of resourceGroupOf(world, value.text)?.members ?? [])
          numbers.add(resourceIndex.add({ text: member, pieces: [member] }))
    }
    if (namesOpenGroup(policy, world)) numbers.add(anywhere)
    return numbers
  }

  function writeLists(resources: ReadonlySet<number>, set: PermissionSet | undefined): number {
    const { allow, except, deny } = set ?? { allow: [], except: [], deny: [] }
    const place = lists.take(4 + resources.size + allow.length + except.length + deny.length)
    const { data } = lists
    data.set([resources.size, allow.length, except.length, deny.length], place)
    let at = place + 4
    for (const number of resources) data[at++] = number
    for (const list of [allow, except, deny]) for (const entry of list) data[at++] = actionIndex.add(entry.value)
    return place
  }

  const arePoliciesInOrder = world.policies.every(
    (policy, i) => i === 0 || compareSpans((world.policies[i - 1] as Policy).span, policy.span) <= 0,
  )

  let blocks = new Store()
  let identities = new Map<string, number>()
  let groups = new Map<string, number>()
  let strange = 0
  const accounts: string[] = []
  const accountNumbers = new Map<string, number>()

  const placeOf = (unit: number) => (units[unit] as Unit).place
  const marksOf = (unit: number) => {
    const { applies, set } = units[unit] as Unit
    return (applies ? 1 : 0) | (set ? 0 : 2)
  }
  const write = (own: readonly number[], from: readonly number[], account: number, byResource: boolean) =>
    writeBlock(blocks, { units: own, shared: from, account, byResource, placeOf, marksOf, lists: lists.data })

  /** The block of an identity with the groups that the world gives it. */
  function blockOf(identity: string): number {
    const known = identities.get(identity)
    return known === undefined ? learn(identity) : known
  }

  function learn(identity: string): number {
    const before = blocks.length
    const { kind, account } = readIdentity(identity, { pattern: false }).value ?? {}
    const number = account !== undefined && (kind === 'account' || kind === 'user' || kind === 'credential') ? accountNumber(account) : -1
    const block = blockFor([identity, ...(world.identities.get(identity)?.groups ?? [])], kind === 'account' ? -2 - number : number)
    if (!named.has(identity) && !world.identities.has(identity)) strange += costOfStranger + blocks.length - before
    identities.set(identity, block)
    return block
  }

  /** Drop what questions made grow, so that memory does not follow them. Between questions only: places of blocks are lost. */
  function forget(): void {
    blocks = new Store()
    identities = new Map()
    groups = new Map()
    for (const source of lifters?.named.values() ?? []) source.blocks.clear()
    for (const { source } of lifters?.open ?? []) source.blocks.clear()
    lifted = new Map()
    liftedSize = 0
    accounts.length = 0
    accountNumbers.clear()
    for (const source of shared) source.blocks.clear()
    strange = 0
  }

  function accountNumber(account: string): number {
    let number = accountNumbers.get(account)
    if (number === undefined) {
      number = accounts.length
      accounts.push(account)
      accountNumbers.set(account, number)
    }
    return number
  }

  /** The block of a group that comes with a question. */
  function groupBlockOf(group: string): number {
    const known = groups.get(group)
    if (known !== undefined) return known
    const before = blocks.length
    const block = blockFor([group], -1)
    if (!named.has(group) && !isInInventory(group)) strange += costOfStranger + blocks.length - before
    groups.set(group, block)
    return block
  }

  let inventory: ReadonlySet<string> | undefined

  /** Whether the world puts an identity into a group. */
  function isInInventory(group: string): boolean {
    inventory ??= new Set(Array.from(world.identities.values()).flatMap(({ groups }) => groups))
    return inventory.has(group)
  }

  function blockFor(members: readonly string[], account: number): number {
    const own = new Set<number>()
    const from = new Set<number>()
    const add = (source: Source) => {
      if (source.shared >= 0) from.add(source.shared)
      else for (const unit of source.units) own.add(unit)
    }
    for (const member of members) {
      const source = named.get(member)
      if (source) add(source)
    }
    for (const { pattern, source } of byPattern.values()) if (members.some((member) => matches(pattern.glob, member))) add(source)
    return write([...own], [...from], account, true)
  }

  /** The block of those units of a shared source that name a resource pattern; -1 when there are none. */
  function sharedBlock(source: Shared, resource: number): number {
    const known = source.blocks.get(resource)
    if (known !== undefined) return known
    if (source.byResource.size === 0) index(source.units, source.byResource)
    const found = source.byResource.get(resource)
    const block = found ? write(found, [], -1, false) : -1
    source.blocks.set(resource, block)
    return block
  }

  function index(all: Iterable<number>, byResource: Map<number, number[]>): void {
    for (const unit of all) {
      const { place } = units[unit] as Unit
      const end = place + 4 + (lists.data[place] as number)
      for (let at = place + 4; at < end; at++) {
        const number = lists.data[at] as number
        const list = byResource.get(number)
        if (list) list.push(unit)
        else byResource.set(number, [unit])
      }
    }
  }

  // What the scans since the last reset found. Numbers of the closure, so that nothing is allocated to hold them.
  let denied: Ternary = 0
  let granted: Ternary = 0
  let weighed = false
  // Where the words of the patterns that match are, in the block that is scanned: of resources, of what is allowed, of
  // what is excepted or denied.
  let resourceHits = new Int32Array(64)
  let allowHits = new Int32Array(64)
  let otherHits = new Int32Array(64)
  let resourceCount = 0
  let allowCount = 0
  let otherCount = 0

  /** Find the words of a block for the patterns that match; false when none of its units is about the resource. */
  function locate(block: number, resource: number, action: number): boolean {
    const { data } = blocks
    const words = data[block + head.words] as number
    let table = block + head.length + 2 * words + (data[block + head.units] as number) + (data[block + head.shared] as number)
    const resources = data[block + head.resources] as number
    resourceCount = 0
    if (resources !== wherever) {
      const { pool } = resourceIndex
      if ((pool[resource] as number) > resourceHits.length) resourceHits = new Int32Array(2 * (pool[resource] as number))
      resourceCount = findAll(data, table, resources, 1 + words, pool, resource, resourceHits)
      if (resourceCount === 0) return false
      table += resources * (1 + words)
    }
    const { pool } = actionIndex
    const most = pool[action] as number
    if (most > allowHits.length) {
      allowHits = new Int32Array(2 * most)
      otherHits = new Int32Array(2 * most)
    }
    const allows = data[block + head.allows] as number
    allowCount = findAll(data, table, allows, 1 + words, pool, action, allowHits)
    table += allows * (1 + words)
    otherCount = findAll(data, table, data[block + head.others] as number, 1 + 2 * words, pool, action, otherHits)
    return true
  }

  /** The bits of a word together, of all that was found in a table. */
  function together(hits: Int32Array, count: number, word: number): number {
    const { data } = blocks
    let bits = 0
    for (let i = 0; i < count; i++) bits |= data[(hits[i] as number) + word] as number
    return bits
  }

  /** The units of a word that are about the resource. */
  function here(block: number, word: number): number {
    return blocks.data[block + head.resources] === wherever ? 0x7fffffff : together(resourceHits, resourceCount, word)
  }

  function scan(block: number, resource: number, action: number, question: Question): void {
    const { data } = blocks
    const words = data[block + head.words] as number
    if (words > 0 && locate(block, resource, action)) {
      for (let word = 0; word < words; word++) {
        const about = here(block, word)
        if (about === 0) continue
        let allow = together(allowHits, allowCount, word)
        let except = 0
        let deny = 0
        if (otherCount > 0) {
          except = together(otherHits, otherCount, word)
          deny = together(otherHits, otherCount, word + words)
        }
        const careful = data[block + head.length + word] as number
        deny &= about
        allow &= about & ~except
        if ((deny & ~careful) !== 0) denied = 1
        if ((allow & ~careful) !== 0) granted = 1
        if ((about & careful) !== 0) weigh(block, word, about, allow, deny, question)
        if ((allow | deny) !== 0) keepHit(block, word, allow, deny)
      }
    }
    const count = data[block + head.shared] as number
    if (count > 0) scanShared(block, words, count, resource, action, question)
  }

  // Where the scans since the last reset met units that allow or deny: block, word, bits that allow, bits that deny.
  let hits = new Int32Array(64)
  let hitsEnd = 0

  function keepHit(block: number, word: number, allow: number, deny: number): void {
    if (hitsEnd + 4 > hits.length) {
      const grown = new Int32Array(hits.length * 2)
      grown.set(hits)
      hits = grown
    }
    hits[hitsEnd] = block
    hits[hitsEnd + 1] = word
    hits[hitsEnd + 2] = allow
    hits[hitsEnd + 3] = deny
    hitsEnd += 4
  }

  /** The units of a word that have to be looked at themselves. */
  function weigh(block: number, word: number, about: number, allow: number, deny: number, question: Question): void {
    weighed = true
    const { data } = blocks
    const words = data[block + head.words] as number
    const open = about & (data[block + head.length + words + word] as number)
    const first = block + head.length + 2 * words + word * bitsPerWord
    for (let rest = (allow | deny | open) & (data[block + head.length + word] as number); rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      const { applies } = units[data[first + 31 - Math.clz32(bit)] as number] as Unit
      const truth = applies ? applies(question) : 1
      if (truth === 0) continue
      const certainty: Ternary = truth === 1 && (open & bit) === 0 ? 1 : -1
      if (((deny | open) & bit) !== 0 && denied !== 1) denied = certainty
      if (((allow | open) & bit) !== 0 && granted !== 1) granted = certainty
    }
  }

  function scanShared(block: number, words: number, count: number, resource: number, action: number, question: Question): void {
    const first = block + head.length + 2 * words + (blocks.data[block + head.units] as number)
    for (let i = 0; i < count; i++) {
      const source = shared[blocks.data[first + i] as number] as Shared
      const end = resource + (resourceIndex.pool[resource] as number)
      for (let at = resource + 1; at <= end; at++) {
        const part = sharedBlock(source, resourceIndex.pool[at] as number)
        if (part >= 0) scan(part, resource, action, question)
      }
    }
  }

  /** Scan for the identity and the groups it brings. */
  function scanAll(block: number, resource: number, action: number, question: Question): void {
    denied = 0
    granted = 0
    hitsEnd = 0
    scan(block, resource, action, question)
    for (let i = 0; i < question.groups.length; i++) scan(groupBlockOf(question.groups[i] as string), resource, action, question)
  }

  const ownerOf = (question: Question) => question.owner ?? world.resources.get(question.resource)?.owner ?? world.account

  /** Below -1: the number of the account that the identity is; from 0: of the account it belongs to. */
  const accountOf = (block: number) => blocks.data[block + head.account] as number

  function verdict(question: Question): Verdict {
    if (strange > mostStrange) forget()
    const block = blockOf(question.identity)
    const account = accountOf(block)
    if (account < -1 && accounts[-2 - account] === ownerOf(question)) return 'allow'
    const resource = resourceIndex.of(question.resource)
    const action = actionIndex.of(question.action)
    scanAll(block, resource, action, question)
    if (denied === 1 || granted === 0) return 'deny'
    if (denied === 0 && granted === 1) return 'allow'
    return exactly(question, block, resource).verdict
  }

  function decide(question: Question): Decision {
    if (strange > mostStrange) forget()
    return decideAt(question, blockOf(question.identity), resourceIndex.of(question.resource), actionIndex.of(question.action))
  }

  function decideKnown(question: Question): Decision | undefined {
    const block = identities.get(question.identity)
    const resource = resourceIndex.known(question.resource)
    const action = actionIndex.known(question.action)
    if (block === undefined || resource === undefined || action === undefined || strange > mostStrange) return undefined
    return decideAt(question, block, resource, action)
  }

  function decideAt(question: Question, block: number, resource: number, action: number): Decision {
    const account = accountOf(block)
    const owner = account < -1 ? ownerOf(question) : undefined
    if (account < -1 && accounts[-2 - account] === owner) return root
    scanAll(block, resource, action, question)
    const isRootUnknown = account < -1 && owner === undefined
    if (denied === 1 || (denied === 0 && granted === 1)) {
      const list = denied === 1 ? 'deny' : 'allow'
      const clauses = clausesOf(question, action, list)
      const caveats = restingOn[(restsOnInner ? 1 : 0) + (isRootUnknown ? 2 : 0)] as readonly Caveat[]
      return list === 'deny'
        ? { verdict: 'deny', reason: 'denied', clauses, missing: none.missing, caveats }
        : { verdict: 'allow', reason: 'granted', clauses, missing: none.missing, caveats }
    }
    if (granted !== 0 || hasInnerExcept) return exactly(question, block, resource)
    const lifts = account >= 0 && groupWouldLift(account, question, resource, action)
    return defaults[(lifts ? 1 : 0) + (hasReadOnly ? 0 : 2) + (isRootUnknown ? 4 : 0)] as Decision
  }

  /** Call back with each block that the question is about. */
  function eachPart(question: Question, block: number, resource: number, visit: (part: number) => void): void {
    for (let which = -1; which < question.groups.length; which++) {
      const whole = which < 0 ? block : groupBlockOf(question.groups[which] as string)
      visit(whole)
      const words = blocks.data[whole + head.words] as number
      const first = whole + head.length + 2 * words + (blocks.data[whole + head.units] as number)
      const count = blocks.data[whole + head.shared] as number
      for (let i = 0; i < count; i++) {
        const end = resource + (resourceIndex.pool[resource] as number)
        for (let at = resource + 1; at <= end; at++) {
          const part = sharedBlock(shared[blocks.data[first + i] as number] as Shared, resourceIndex.pool[at] as number)
          if (part >= 0) visit(part)
        }
      }
    }
  }

  const unitAt = (block: number, word: number, bit: number) =>
    blocks.data[block + head.length + 2 * (blocks.data[block + head.words] as number) + word * bitsPerWord + 31 - Math.clz32(bit)] as number

  // Whether the entries that were last collected have a wildcard in the middle among them.
  let restsOnInner = false

  /** The entries by which units that surely apply allow, or deny, of what the last scans met; in file order. */
  function clausesOf(question: Question, action: number, list: 'allow' | 'deny'): readonly Clause[] {
    const met: number[] = []
    for (let hit = 0; hit < hitsEnd; hit += 4) {
      for (let bits = hits[hit + (list === 'allow' ? 2 : 3)] as number; bits !== 0; bits &= bits - 1)
        met.push(unitAt(hits[hit] as number, hits[hit + 1] as number, bits & -bits))
    }
    if (met.length > 1) met.sort((a, b) => a - b)
    restsOnInner = false
    let isOrdered = arePoliciesInOrder || met.length === 1
    let last = -1
    const clauses: Clause[] = []
    for (let i = 0; i < met.length; i++) {
      const number = met[i] as number
      const unit = units[number] as Unit
      // An identity meets a unit twice where it is in several groups that the policy names.
      if (number === last || (unit.applies && unit.applies(question) !== 1)) continue
      last = number
      isOrdered &&= unit.group === undefined || met.length === 1
      const from = clauses.length
      addClauses(clauses, unit, action, list)
      if (unit.hasInner) restsOnInner ||= clauses.some(({ entry }, at) => at >= from && hasInnerWildcard(entry.value))
    }
    return isOrdered ? clauses : inFileOrder(clauses)
  }

  function addClauses(clauses: Clause[], unit: Unit, action: number, list: 'allow' | 'deny'): void {
    const { policy, set, group, place } = unit
    if (!set) return
    unit[list] ??= set[list].map((entry) => (group === undefined ? { policy, list, entry } : { policy, list, entry, group }))
    const { data } = lists
    const { pool } = actionIndex
    let at = place + 4 + (data[place] as number)
    if (list === 'deny') at += (data[place + 1] as number) + (data[place + 2] as number)
    const last = action + (pool[action] as number)
    for (let i = 0; i < set[list].length; i++) {
      for (let j = action + 1; j <= last; j++) if (pool[j] === data[at + i]) clauses.push((unit[list] as readonly Clause[])[i] as Clause)
    }
  }

  /** The exact answer where the quick one does not say: by the policies that are about the resource, in written order. */
  function exactly(question: Question, block: number, resource: number): Decision {
    const orders = new Set<number>()
    eachPart(question, block, resource, (part) => {
      const words = blocks.data[part + head.words] as number
      if (words === 0 || !locate(part, resource, resource)) return
      const count = blocks.data[part + head.units] as number
      for (let word = 0; word < words; word++) {
        for (let bits = here(part, word); bits !== 0; bits &= bits - 1) {
          const bit = bits & -bits
          if (word * bitsPerWord + 31 - Math.clz32(bit) < count) orders.add((units[unitAt(part, word, bit)] as Unit).order)
        }
      }
    })
    const policies = [...orders].sort((a, b) => a - b).map((order) => world.policies[order] as Policy)
    return judge(world, question, traces({ ...world, policies }, question))
  }

  let lifters: Lifters | undefined

  /** Made of what the world names alone, so that accounts that questions bring cost nothing. */
  function liftersOf(): Lifters {
    const ofAccounts = new Map<string, Set<number>>()
    const ofPatterns = new Map<string, { readonly value: Policy['identities'][number]['value']; readonly units: Set<number> }>()
    for (const [number, { policy, set }] of units.entries()) {
      if (set?.allow.length === 0) continue
      for (const { value } of policy.identities) {
        if (value.kind !== 'group') continue
        if (value.account === undefined) entryOf(ofPatterns, value.text, () => ({ value, units: new Set<number>() })).units.add(number)
        else entryOf(ofAccounts, value.account, () => new Set<number>()).add(number)
      }
    }
    return {
      named: new Map(Array.from(ofAccounts, ([account, found]) => [account, sharedOf([...found])])),
      open: Array.from(ofPatterns.values(), ({ value, units: found }) => ({ value, source: sharedOf([...found]) })),
    }
  }

  /** What is known to lift, and not to: of an account, a class of resources and a class of actions. */
  let lifted = new Map<number, Map<number, Map<number, boolean>>>()
  let liftedSize = 0
  let liftedEpoch = 0
  /** Whether the last search looked at nothing but the classes of its texts. */
  let isGeneral = true

  /** As in `decide.ts`: whether one more group of the account would turn a default deny. */
  function groupWouldLift(account: number, question: Question, resource: number, action: number): boolean {
    const epoch = resourceIndex.epoch + actionIndex.epoch
    if (liftedEpoch !== epoch || liftedSize > mostLifts) {
      lifted = new Map()
      liftedSize = 0
      liftedEpoch = epoch
    }
    const known = lifted.get(account)?.get(resource)?.get(action)
    if (known !== undefined) return known
    isGeneral = true
    const answer = findLift(accounts[account] as string, question, resource, action)
    if (isGeneral) {
      const classes = entryOf(lifted, account, () => new Map<number, Map<number, boolean>>())
      entryOf(classes, resource, () => new Map<number, boolean>()).set(action, answer)
      liftedSize++
    }
    return answer
  }

  function findLift(account: string, question: Question, resource: number, action: number): boolean {
    lifters ??= liftersOf()
    const own = lifters.named.get(account)
    if (own && findLiftIn(own, account, question, resource, action)) return true
    for (const { value, source } of lifters.open) {
      const group = groupOf(value, account)
      if (group !== undefined && findLiftIn(source, account, question, resource, action, group)) return true
    }
    return false
  }

  /** Whether a unit of a source lifts: by a group that it names of the account, or by the one group that is given. */
  function findLiftIn(source: Shared, account: string, question: Question, resource: number, action: number, group?: string): boolean {
    const end = resource + (resourceIndex.pool[resource] as number)
    for (let at = resource + 1; at <= end; at++) {
      const part = sharedBlock(source, resourceIndex.pool[at] as number)
      if (part < 0) continue
      const words = blocks.data[part + head.words] as number
      for (let word = 0; word < words; word++) {
        locate(part, resource, action)
        const open = blocks.data[part + head.length + words + word] as number
        const allow = open | together(allowHits, allowCount, word)
        const except = together(otherHits, otherCount, word)
        for (let bits = allow & ~except; bits !== 0; bits &= bits - 1) {
          const unit = units[unitAt(part, word, bits & -bits)] as Unit
          if (!mayApply(unit, question)) continue
          if (group !== undefined) return lifts(group)
          if (anyLifts(unit, account)) return true
        }
      }
    }
    return false

    function anyLifts({ policy }: Unit, name: string): boolean {
      return policy.identities.some(({ value }) => {
        const named = value.account === name ? groupOf(value, name) : undefined
        return named !== undefined && lifts(named)
      })
    }

    /** Whether being in a group would turn the default deny, where something that the group is granted applies. */
    function lifts(name: string): boolean {
      denied = 0
      weighed = false
      hitsEnd = 0
      scan(groupBlockOf(name), resource, action, question)
      if (hasWeighed()) isGeneral = false
      return !isDenied()
    }
  }

  function mayApply({ applies }: Unit, question: Question): boolean {
    if (!applies) return true
    isGeneral = false
    return applies(question) !== 0
  }

  // Read through functions, since what a scan found changes behind the reader's back.
  const isDenied = () => denied === 1
  const hasWeighed = () => weighed

  return { verdict, decide, decideKnown }
}

/** What a map holds for a key, made when it holds nothing. */
function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function sharedOf(units: readonly number[]): Shared {
  return { units, byResource: new Map(), blocks: new Map() }
}

const root: Decision = { verdict: 'allow', reason: 'root', ...none, caveats: [] }

/** Caveats of what rests on entries: bit 0 inner-wildcard, bit 1 root-unknown. */
const restingOn: readonly (readonly Caveat[])[] = [[], ['inner-wildcard'], ['root-unknown'], ['inner-wildcard', 'root-unknown']]

/** Default denies by their caveats: bit 0 groups-unknown, bit 1 managed-policies, bit 2 root-unknown. */
const defaults: readonly Decision[] = Array.from({ length: 8 }, (_, bits) => ({
  verdict: 'deny',
  reason: 'default',
  ...none,
  caveats: (['groups-unknown', 'managed-policies', 'root-unknown'] as const).filter((_, bit) => (bits & (1 << bit)) !== 0),
}))
