/**
 * Verdicts of recent questions, by the places of their names: a question that is asked again, or one that the same patterns match, takes one
 * look-up in place of a scan. A later question takes the slot of an earlier one, so that memory is bounded.
 */
export class RecentVerdicts {
  /** Buckets of four slots, each of three numbers and a verdict: what a processor reads in one access. */
  private slots = new Int32Array(bucketLength * firstSize)
  private mask = firstSize - 1
  private written = 0

  /** A verdict that was kept under three numbers; 0 where none is. */
  of(identity: number, resource: number, action: number): number {
    const { slots } = this
    const bucket = this.bucketOf(identity, resource, action)
    for (let slot = bucket; slot < bucket + bucketLength; slot += slotLength)
      if (slots[slot] === identity && slots[slot + 1] === resource && slots[slot + 2] === action) return slots[slot + 3] as number
    return 0
  }

  /** Keep a verdict, which is not 0 and not there. */
  keep(identity: number, resource: number, action: number, verdict: number): void {
    // Half full, few buckets are.
    if (++this.written > 2 * this.mask && this.mask < mostSize - 1) this.grow()
    const { slots } = this
    const bucket = this.bucketOf(identity, resource, action)
    // A later verdict takes the place of one of four, another one each time.
    let chosen = bucket + slotLength * (this.written & 3)
    for (let slot = bucket; slot < bucket + bucketLength; slot += slotLength) if (slots[slot + 3] === 0) chosen = slot
    slots[chosen] = identity
    slots[chosen + 1] = resource
    slots[chosen + 2] = action
    slots[chosen + 3] = verdict
  }

  /** Drop them all: the numbers have lost their meaning. */
  forget(): void {
    this.slots.fill(0)
    this.written = 0
  }

  private grow(): void {
    const before = this.slots
    this.mask = 2 * this.mask + 1
    this.slots = new Int32Array(bucketLength * (this.mask + 1))
    this.written = 0
    for (let slot = 0; slot < before.length; slot += slotLength)
      if (before[slot + 3] !== 0)
        this.keep(before[slot] as number, before[slot + 1] as number, before[slot + 2] as number, before[slot + 3] as number)
  }

  private bucketOf(identity: number, resource: number, action: number): number {
    const first = Math.imul(identity ^ Math.imul(resource, 0x85ebca6b), 0x9e3779b1)
    const mixed = Math.imul(first ^ (first >>> 15) ^ action, 0xc2b2ae35)
    return bucketLength * ((mixed ^ (mixed >>> 15)) & this.mask)
  }
}

const slotLength = 4
const bucketLength = 4 * slotLength
/** Numbers of buckets: 4 kB at first, 1 MB at most. */
const firstSize = 1 << 6
const mostSize = 1 << 14
