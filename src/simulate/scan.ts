import type { Ternary } from './application.ts'
import type { Blocks } from './blocks.ts'
import type { Question } from './decision.ts'
import { anyResource, bitsPerWord, findAll, head, tableLength } from './table.ts'
import type { Unit, UnitPool, Units } from './units.ts'

/**
 * The result of scanning the blocks of a question. One object for all questions of an engine: its fields are written anew for
 * each, so that nothing is allocated.
 */
export class Scan {
  // The results since the start.
  denied: Ternary = 0
  granted: Ternary = 0
  /** Whether any unit had to be looked at itself. */
  weighed = false
  /** Where units that allow or deny were met: block, word, bits that allow, bits that deny. */
  hits = new Int32Array(64)
  hitsEnd = 0
  // Where the words of the patterns that match are, in the block that was located last: of resources, of what is allowed, of
  // what is excepted or denied.
  private resourceHits = new Int32Array(64)
  private allowHits = new Int32Array(64)
  private otherHits = new Int32Array(64)
  private resourceCount = 0
  private allowCount = 0
  private otherCount = 0
  private readonly units: Units
  private readonly blocks: Blocks

  constructor(units: Units, blocks: Blocks) {
    this.units = units
    this.blocks = blocks
  }

  start(): void {
    this.denied = 0
    this.granted = 0
    this.weighed = false
    this.hitsEnd = 0
  }

  /** Add the results of a block and of the shared sources that belong to it. */
  add(block: number, resource: number, action: number, question: Question): void {
    const { data } = this.blocks.store
    const words = data[block + head.words] as number
    if (this.locate(block, resource, action)) {
      const { allowHits, allowCount, otherHits, otherCount } = this
      for (let word = 0; word < words; word++) {
        const about = this.about(block, word)
        if (about === 0) continue
        let allow = together(data, allowHits, allowCount, word)
        const except = together(data, otherHits, otherCount, word)
        let deny = together(data, otherHits, otherCount, word + words)
        const careful = data[block + head.length + word] as number
        deny &= about
        allow &= about & ~except
        if ((deny & ~careful) !== 0) this.denied = 1
        if ((allow & ~careful) !== 0) this.granted = 1
        this.weigh(block, word, about, allow, deny, question)
        if ((allow | deny) !== 0) this.keepHit(block, word, allow, deny)
      }
    }
    this.addShared(block, words, data[block + head.shared] as number, resource, action, question)
  }

  /** Find the words of a block for the patterns that match; false when none of its units is about the resource. */
  locate(block: number, resource: number, action: number): boolean {
    if (!this.locateResource(block, resource)) return false
    const { data } = this.blocks.store
    const { pool } = this.units.actions
    const most = pool[action] as number
    if (most > this.allowHits.length) {
      this.allowHits = new Int32Array(2 * most)
      this.otherHits = new Int32Array(2 * most)
    }
    const words = data[block + head.words] as number
    const resources = data[block + head.resources] as number
    const allows = data[block + head.allows] as number
    const allowsAt = tablesOf(data, block) + (resources === anyResource ? 0 : tableLength(resources, 1 + words))
    const othersAt = allowsAt + tableLength(allows, 1 + words)
    this.allowCount = findAll(data, allowsAt, allows, 1 + words, pool, action, this.allowHits)
    this.otherCount = findAll(data, othersAt, data[block + head.others] as number, 1 + 2 * words, pool, action, this.otherHits)
    return true
  }

  /** The same for the resource alone. */
  locateResource(block: number, resource: number): boolean {
    const { data } = this.blocks.store
    const resources = data[block + head.resources] as number
    this.resourceCount = 0
    if (resources === anyResource) return true
    const { pool } = this.units.resources
    const most = pool[resource] as number
    if (most > this.resourceHits.length) this.resourceHits = new Int32Array(2 * most)
    const stride = 1 + (data[block + head.words] as number)
    this.resourceCount = findAll(data, tablesOf(data, block), resources, stride, pool, resource, this.resourceHits)
    return this.resourceCount > 0
  }

  /** The units of a word that are about the resource. */
  about(block: number, word: number): number {
    const { data } = this.blocks.store
    return data[block + head.resources] === anyResource ? 0x7fffffff : together(data, this.resourceHits, this.resourceCount, word)
  }

  /** The units of a word that allow the action. */
  allows(word: number): number {
    return together(this.blocks.store.data, this.allowHits, this.allowCount, word)
  }

  /** The units of a word that except the action. */
  excepts(word: number): number {
    return together(this.blocks.store.data, this.otherHits, this.otherCount, word)
  }

  /** Call back with a block and with what is shared of it, as far as that is about the resource. */
  eachPart(block: number, resource: number, visit: (part: number) => void): void {
    visit(block)
    const { data } = this.blocks.store
    const first = block + head.length + 2 * (data[block + head.words] as number) + (data[block + head.units] as number)
    const count = data[block + head.shared] as number
    const { pool } = this.units.resources
    const end = resource + (pool[resource] as number)
    for (let i = 0; i < count; i++) {
      const source = this.units.shared[this.blocks.store.data[first + i] as number] as UnitPool
      for (let position = resource + 1; position <= end; position++) {
        const part = this.blocks.ofShared(source, pool[position] as number)
        if (part >= 0) visit(part)
      }
    }
  }

  private keepHit(block: number, word: number, allow: number, deny: number): void {
    if (this.hitsEnd + 4 > this.hits.length) {
      const grown = new Int32Array(this.hits.length * 2)
      grown.set(this.hits)
      this.hits = grown
    }
    const { hits, hitsEnd } = this
    hits[hitsEnd] = block
    hits[hitsEnd + 1] = word
    hits[hitsEnd + 2] = allow
    hits[hitsEnd + 3] = deny
    this.hitsEnd = hitsEnd + 4
  }

  /** The units of a word that have to be looked at themselves. */
  private weigh(block: number, word: number, about: number, allow: number, deny: number, question: Question): void {
    const { data } = this.blocks.store
    const words = data[block + head.words] as number
    const open = about & (data[block + head.length + words + word] as number)
    const first = block + head.length + 2 * words + word * bitsPerWord
    for (let rest = (allow | deny | open) & (data[block + head.length + word] as number); rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest
      const { applies } = this.units.all[data[first + 31 - Math.clz32(bit)] as number] as Unit
      const truth = applies ? applies(question) : 1
      this.weighed = true
      if (truth === 0) continue
      const certainty: Ternary = truth === 1 && (open & bit) === 0 ? 1 : -1
      if (((deny | open) & bit) !== 0 && this.denied !== 1) this.denied = certainty
      if (((allow | open) & bit) !== 0 && this.granted !== 1) this.granted = certainty
    }
  }

  private addShared(block: number, words: number, count: number, resource: number, action: number, question: Question): void {
    const { blocks, units } = this
    const first = block + head.length + 2 * words + (blocks.store.data[block + head.units] as number)
    const { pool } = units.resources
    const end = resource + (pool[resource] as number)
    for (let i = 0; i < count; i++) {
      const source = units.shared[blocks.store.data[first + i] as number] as UnitPool
      for (let position = resource + 1; position <= end; position++) {
        const part = blocks.ofShared(source, pool[position] as number)
        if (part >= 0) this.add(part, resource, action, question)
      }
    }
  }
}

/** Where the three tables of a block start. */
function tablesOf(data: Int32Array, block: number): number {
  const words = data[block + head.words] as number
  return block + head.length + 2 * words + (data[block + head.units] as number) + (data[block + head.shared] as number)
}

/** The bits of a word together, of all that was found in a table. */
function together(data: Int32Array, hits: Int32Array, count: number, word: number): number {
  let bits = 0
  for (let i = 0; i < count; i++) bits |= data[(hits[i] as number) + word] as number
  return bits
}
