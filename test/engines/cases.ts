import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import { notationOf, sourceOf } from '../../src/source.ts'
import { conformanceLines } from '../support/conformance.ts'
import { type AskedJson, type CorpusCase, corpusCases } from '../support/public-corpus.ts'
import { testSettings } from '../support/settings.ts'
import { generate, randomOf, type WorldJson } from '../support/worlds.ts'
import { type Call, callOf } from './decided.ts'
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

/** A world that must be readable. */
export async function worldOfJson(world: Partial<WorldJson>): Promise<World> {
  const read = await readWorld([{ name: 'world.json', text: JSON.stringify(world) }])
  if (!read) throw new Error('the world is refused')
  return read
}

const caseOf = async (name: string, { world, questions }: Asked): Promise<Case> => ({
  name,
  world: await worldOfJson(world),
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

/** Worlds as one. */
export const together = (name: string, worlds: readonly Asked[]): Promise<Case> => caseOf(name, joined(worlds))

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
