import { randomOf } from '../support/worlds.ts'
import { longest, type Material, mutated, stretched } from './mutate.ts'
import { type Fault, faultOf, type Target } from './oracles.ts'

/** Something wrong, with the least text that shows it. */
export interface Finding extends Fault {
  readonly target: string
  readonly text: string
}

/** The result of trying a reader. */
export interface Campaign {
  /** Texts that reach all that was reached: the fewest and shortest that were found. */
  readonly corpus: readonly string[]
  readonly executions: number
  /** Branches that were taken. */
  readonly edges: number
  /** The most steps of a reading of 64 KB: how often a branch was taken. */
  readonly worst: number
  readonly findings: readonly Finding[]
}

export interface CampaignOptions {
  /** The counters of the instrumented code, one for each branch. */
  readonly edges: Uint32Array
  readonly seeds: readonly string[]
  readonly words: readonly string[]
  readonly seed: number
  /** Whether to go on, after so many executions. */
  readonly goesOn: (executions: number) => boolean
  /** Find out how many steps readings of long texts take. */
  readonly counted?: boolean
  /** Whether to keep texts for the branches that they reach. Without, mutations of the seeds are all that is tried. */
  readonly guided?: boolean
}

/** The most steps for 64 KB. Steps are the same on every machine and in every run, which time is not. */
export const mostSteps = 10_000_000
/** A reading that takes so many milliseconds of CPU time for 64 KB spends them where no steps are counted: no slow machine needs so long. */
const mostTime = 20_000
const block = 64 * 1024
/** One in so many readings is of a text of 64 KB, and one in so many is compared with another. */
const eachLong = 40
const eachThorough = 16
const mostFindings = 10

/** How often a branch was taken, in classes: a text that takes it in another class is new. */
const classes = Uint8Array.from({ length: 256 }, (_, n) =>
  n === 0 ? 0 : n < 4 ? 1 << (n - 1) : n < 8 ? 8 : n < 16 ? 16 : n < 32 ? 32 : n < 128 ? 64 : 128,
)

/** Tries a reader with texts that grow out of others, and keeps those that take a branch more or more often. */
export async function campaign(target: Target, options: CampaignOptions): Promise<Campaign> {
  const { edges, seeds, words, seed, goesOn, counted = false, guided = true } = options
  const random = randomOf(seed)
  const seen = new Uint8Array(edges.length)
  const texts: string[] = []
  const findings = new Map<string, Finding>()
  let executions = 0
  let worst = 0

  const attempt = async (text: string, thorough: boolean) => {
    edges.fill(0)
    executions++
    return faultOf(target, text, thorough)
  }
  const note = async (fault: Fault, text: string) => {
    if (findings.has(fault.kind)) return
    const least = await smallest(text, async (each) => (await attempt(each, true))?.kind === fault.kind)
    findings.set(fault.kind, { ...((await attempt(least, true)) ?? fault), target: target.name, text: least })
  }
  const one = async (text: string, isSeed: boolean) => {
    const fault = await attempt(text, false)
    const isNew = marked(seen, edges)
    if ((isNew && guided) || isSeed) texts.push(text)
    const later = fault ?? (isNew || isSeed || executions % eachThorough === 0 ? await attempt(text, true) : undefined)
    if (later) await note(later, text)
  }
  const long = async (material: Material) => {
    const text = stretched(material, random, block)
    if (text.length < block / 4) return
    const before = process.cpuUsage()
    edges.fill(0)
    await target.read(text)
    const { user, system } = process.cpuUsage(before)
    const [steps, time] = [stepsIn(edges), (user + system) / 1000].map((each) => Math.round((each * block) / Math.max(text.length, block)))
    worst = Math.max(worst, steps as number)
    if ((steps as number) > mostSteps || (time as number) > mostTime)
      await note({ kind: 'too slow', message: `${steps} steps and ${time} ms for 64 KB` }, text)
    const fault = await attempt(text, false)
    if (fault) await note(fault, text)
  }

  for (const text of seeds.length > 0 ? seeds : ['']) await one(text.slice(0, 2 * longest), true)
  while (goesOn(executions) && findings.size < mostFindings) {
    // Those that came last are tried more: they have been tried the least.
    const recent = texts.slice(-50)
    const material = { texts: random() < 0.4 ? recent : texts, words }
    if (counted && executions % eachLong === 0) await long(material)
    await one(mutated(material, random), false)
  }
  const covered = seen.reduce((sum, each) => sum + (each === 0 ? 0 : 1), 0)
  return { corpus: texts, executions, edges: covered, worst, findings: [...findings.values()] }
}

/** Adds what was taken to what was seen; whether there was anything new. */
function marked(seen: Uint8Array, edges: Uint32Array): boolean {
  let isNew = false
  for (let i = 0; i < edges.length; i++) {
    const count = edges[i] as number
    if (count === 0) continue
    const bit = classes[Math.min(count, 255)] as number
    if (((seen[i] as number) & bit) === 0) {
      seen[i] = (seen[i] as number) | bit
      isNew = true
    }
  }
  return isNew
}

/** How often branches were taken. */
function stepsIn(edges: Uint32Array): number {
  return edges.reduce((sum, each) => sum + each, 0)
}

/** The shortest text for which something still holds, by leaving out ever smaller parts. */
export async function smallest(text: string, holds: (text: string) => Promise<boolean>, most = 600): Promise<string> {
  let least = text
  let left = most
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < least.length && left > 0; ) {
      const shorter = least.slice(0, at) + least.slice(at + size)
      left--
      if (await holds(shorter)) least = shorter
      else at += size
    }
  }
  return least
}

/**
 * The fewest and shortest texts that take every branch that all of them take; counts do not matter. Each is cut down as far as it
 * does, with at most so many tries for all of them.
 */
export async function minimised(target: Target, edges: Uint32Array, texts: readonly string[], most = 20_000): Promise<readonly string[]> {
  const takenBy = async (text: string) => {
    edges.fill(0)
    if (await faultOf(target, text, false)) return []
    return [...edges.keys()].filter((i) => edges[i] !== 0)
  }
  const sorted = [...new Set(texts)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const users = new Uint16Array(edges.length)
  const kept: { text: string; taken: readonly number[] }[] = []
  for (const text of sorted) {
    const taken = await takenBy(text)
    if (taken.every((i) => users[i] !== 0)) continue
    for (const i of taken) users[i] = (users[i] as number) + 1
    kept.push({ text, taken })
  }
  // From the longest on: what others take as well is left out, and the rest cut down to what no other takes.
  const least: string[] = []
  let left = most
  for (const { text, taken } of kept.toReversed()) {
    for (const i of taken) users[i] = (users[i] as number) - 1
    const needed = taken.filter((i) => users[i] === 0)
    if (needed.length === 0) continue
    const holds = async (shorter: string) => {
      left--
      const set = new Set(await takenBy(shorter))
      return needed.every((i) => set.has(i))
    }
    const short = await smallest(text, holds, Math.min(left, 300))
    for (const i of await takenBy(short)) users[i] = (users[i] as number) + 1
    least.push(short)
  }
  return least.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}
