import { readFacts } from '../../src/parser/policy.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { notationOf, sourceOf } from '../../src/source.ts'
import { conformanceLines } from '../support/conformance.ts'
import { effort } from '../support/effort.ts'
import { type AskedJson, type CorpusCase, corpusCases } from '../support/public-corpus.ts'
import { testSettings } from '../support/settings.ts'
import { generate, randomOf, type WorldJson } from '../support/worlds.ts'
import { type Call, callOf } from './decided.ts'
import { hostileCalls, hostileWorld } from './hostile.ts'
import { type Asked, joined } from './joined.ts'

/** Worlds and calls that engines decide. */

export interface Case {
  readonly name: string
  readonly world: World
  readonly calls: readonly Call[]
}

/** The world of some files; undefined where one of them is refused. */
async function readWorld(files: readonly { readonly name: string; readonly text: string }[]): Promise<World | undefined> {
  const reads = await Promise.all(files.map(({ name, text }) => readSource(sourceOf(name, text, notationOf(name)), testSettings)))
  const built = buildWorld(reads.map(({ facts }) => facts))
  const problems = [...reads.flatMap(({ diagnostics }) => diagnostics), ...built.diagnostics]
  return problems.some(({ severity }) => severity === 'error') ? undefined : built.world
}

/** A world without an error in what it means; what looks like a template is read as it is written. */
export function worldOfJson(written: Partial<WorldJson>): World {
  const tree = readTree(sourceOf('world.json', JSON.stringify(written)))
  const { facts, diagnostics } = readFacts(tree.documents, testSettings)
  const { world, diagnostics: more } = buildWorld([facts])
  const errors = [...tree.diagnostics, ...diagnostics, ...more].filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(`the world is refused: ${errors.map(({ message }) => message).join('; ')}`)
  return world
}

const caseOf = (name: string, { world, questions }: Asked): Case => ({
  name,
  world: worldOfJson(world),
  calls: questions.map(callOf),
})

const hasWorld = (each: CorpusCase): each is CorpusCase & { world: Partial<WorldJson>; questions: readonly AskedJson[] } =>
  each.world !== undefined && each.questions !== undefined

/** The conformance cases, each world with its questions. */
export const conformance = (): readonly Asked[] => conformanceLines().map(({ world, queries }) => ({ world, questions: queries }))

/** The cases of the public corpus that are one world each. */
export const corpus = (): readonly Asked[] => corpusCases().filter(hasWorld)

/** Generated worlds, with ten questions to each. */
export function generated(seed: number, worlds: number): readonly Asked[] {
  const random = randomOf(seed)
  return Array.from({ length: worlds }, () => generate(random, 10))
}

/** One in so many of all of these. */
export const mixed = (share: number): readonly Asked[] =>
  [...conformance(), ...corpus(), ...generated(1, 500)].filter((_, i) => i % share === 0)

/** Worlds as one. */
export const together = (name: string, worlds: readonly Asked[]): Case => caseOf(name, joined(worlds))

/** Worlds as one, so many at a time: classes of instants are as many as the times that all policies name. */
export const inBatches = (name: string, worlds: readonly Asked[], size: number): readonly Case[] =>
  Array.from({ length: Math.ceil(worlds.length / size) }, (_, i) => together(`${name}, batch ${i}`, worlds.slice(i * size, (i + 1) * size)))

/** The generated worlds that each engine decides over: 167, and 10,000 in a deep run. */
export const generatedBatches = (seed: number): readonly Case[] => inBatches('generated', generated(seed, effort(10_000, 60)), 500)

/** Worlds as one as they are: of names that several describe, the last description counts. */
export function merged(name: string, cases: readonly Case[]): Case {
  const all = <K, V>(part: (world: World) => ReadonlyMap<K, V>) => new Map(cases.flatMap(({ world }) => [...part(world)]))
  const accounts = cases.flatMap(({ world: { account } }) => (account === undefined ? [] : [account]))
  return {
    name,
    world: {
      policies: cases.flatMap(({ world }) => world.policies),
      permissionsGroups: all(({ permissionsGroups }) => permissionsGroups),
      resourceGroups: all(({ resourceGroups }) => resourceGroups),
      resources: all(({ resources }) => resources),
      identities: all(({ identities }) => identities),
      ...(accounts[0] !== undefined && { account: accounts[0] }),
    },
    calls: cases.flatMap(({ calls }) => calls),
  }
}

/** Worlds as one, with hostile texts in names, values and calls. */
export function withHostile(worlds: readonly Asked[], hasNul: boolean): Case {
  const { world, questions } = joined(worlds)
  const policies = [...hostileWorld.policies, ...(world.policies ?? [])]
  const resources = [...hostileWorld.resources, ...(world.resources ?? [])]
  const identities = [...hostileWorld.identities, ...(world.identities ?? [])]
  return {
    name: 'hostile texts',
    world: worldOfJson({ ...world, policies, resources, identities }),
    calls: [...hostileCalls(hasNul), ...questions.map(callOf)],
  }
}

/** The cases of the public corpus that are files. */
export async function corpusOfFiles(): Promise<readonly Case[]> {
  const cases: Case[] = []
  for (const { name, files, questions } of corpusCases()) {
    if (!files || !questions) continue
    const world = await readWorld(files.map((file) => ({ name: file.name, text: file.lines.join('\n') })))
    if (world) cases.push({ name, world, calls: questions.map(callOf) })
  }
  return cases
}
