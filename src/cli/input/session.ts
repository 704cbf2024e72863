import { resolve } from 'node:path'
import { withWholeGroups } from '../../ask/context.ts'
import { keyOf } from '../../keys.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { supposedWords } from '../../report/supposed.ts'
import { compile, type Engine } from '../../simulate/engine.ts'
import type { ShortNames } from '../../simulate/short-names.ts'
import { supposed } from '../../simulate/supposed.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { refuseProblems } from '../app/refusal.ts'
import { type Fact, type FactOptions, factIn, factsIn, optionsOf, withoutReplaced } from './assumptions.ts'
import { pathsOf } from './policies.ts'
import { readContext } from './question.ts'
import { type SupposedWorld, type Supposition, suppositionOf } from './suppose.ts'
import { type Loader, type Opened, openWorld, type QuestionOptions, type SessionFiles, worldIn } from './world.ts'

/** An assumption with what it means in the world of the session. */
export type SessionAssumption = Fact & { readonly words: string }

/** So many worlds with suppositions are kept: those of single questions come and go. */
const mostWorlds = 8

/** Files that were read once, with the assumptions of the session. */
export class Session {
  facts: readonly SessionAssumption[] = []
  readonly loader: Loader
  private readonly past: (readonly SessionAssumption[])[] = []
  private readonly start: SessionFiles
  private opened: Opened
  /** For the worlds of the last questions. */
  private readonly engines = new Map<World, Engine>()
  private readonly options: QuestionOptions
  private readonly io: Io

  private constructor(opened: Opened, options: QuestionOptions, io: Io) {
    this.opened = opened
    this.options = options
    this.io = io
    const paths = options.policies
    this.start = { read: opened.read, paths }
    const held = (): readonly [SessionFiles, SessionFiles] => [this.start, { read: this.opened.read, paths }]
    this.loader = {
      config: async () => this.opened.config,
      world: async (asked, io, wrong) => {
        const loaded = await worldIn(this.opened, asked, io, wrong, true)
        return loaded && { ...loaded, decide: (world, question) => this.engineOf(world).decide(question) }
      },
      get held() {
        return held()
      },
    }
  }

  /** Read the files, then assume what the options state. Undefined where a file has an error, which was printed. */
  static async open(options: QuestionOptions & FactOptions, io: Io): Promise<Session | undefined> {
    const opened = await openWorld({ ...options, with: [] }, io)
    if (!opened.world) return undefined
    const session = new Session(memoised(opened), options, io)
    for (const fact of factsIn(options)) if (!(await session.add(fact))) return undefined
    session.past.length = 0
    return session
  }

  /** Assume something more. Returns what it means; undefined where its file has an error, which was printed. */
  async assume(words: readonly string[]): Promise<SessionAssumption | undefined> {
    return this.add(factIn(words))
  }

  private async add(fact: Fact): Promise<SessionAssumption | undefined> {
    const unreplaced = withoutReplaced(this.facts, fact) as readonly SessionAssumption[]
    const opened = await this.openedFor([...unreplaced, fact])
    if (!opened) return undefined
    const { world, names, sources } = await this.supposed(opened, unreplaced)
    await this.supposed(opened, [...unreplaced, fact])
    const added = { ...fact, words: this.wordsOf(fact, world, names, sources) }
    this.put([...unreplaced, added], opened)
    return added
  }

  /** Assume only these of the assumptions from now on. False where the files cannot be read. */
  async keep(facts: readonly SessionAssumption[]): Promise<boolean> {
    const opened = await this.openedFor(facts)
    if (!opened) return false
    await this.supposed(opened, facts)
    this.put(facts, opened)
    return true
  }

  /** Take the last change of the assumptions back. False where there is none, or the files cannot be read. */
  async undo(): Promise<boolean> {
    const last = this.past.at(-1)
    if (!last || !(await this.keep(last))) return false
    this.past.splice(-2)
    return true
  }

  /** Read the files again. False where one has an error: all stays as it was. */
  async reload(): Promise<boolean> {
    const opened = await this.read(this.facts)
    if (!opened) return false
    await this.supposed(opened, this.facts)
    this.opened = opened
    return true
  }

  /** The world of the next question, with its short names. */
  async world(): Promise<{ readonly world: World; readonly short: ShortNames }> {
    return this.supposed(this.opened, this.facts)
  }

  /** A summary of the files read, in words. */
  summary(): string {
    const { config, read, world } = this.opened
    const count = (many: number, one: string, more = `${one}s`) => `${many} ${many === 1 ? one : more}`
    const parts = [
      count(world?.policies.length ?? 0, 'policy', 'policies'),
      count(world?.identities.size ?? 0, 'identity', 'identities'),
      count(world?.resources.size ?? 0, 'resource'),
    ]
    const paths = pathsOf(this.options.policies, config).map((path) => shown(displayPath(resolve(this.io.cwd, path), this.io.cwd)))
    return `${parts.join(', ')} in ${count(read.each.length, 'file')} (${paths.join(', ')})`
  }

  private engineOf(world: World): Engine {
    const engine = this.engines.get(world) ?? compile(world)
    if (this.engines.size >= mostWorlds) this.engines.clear()
    this.engines.set(world, engine)
    return engine
  }

  private put(facts: readonly SessionAssumption[], opened: Opened): void {
    this.past.push(this.facts)
    this.facts = facts
    this.opened = opened
  }

  /** The files, read anew where assumptions add others. */
  private async openedFor(facts: readonly Fact[]): Promise<Opened | undefined> {
    const isSame = keyOf(optionsOf(facts).with) === keyOf(optionsOf(this.facts).with)
    return isSame ? this.opened : this.read(facts)
  }

  private async read(facts: readonly Fact[]): Promise<Opened | undefined> {
    const opened = await openWorld({ ...this.options, with: optionsOf(facts).with }, this.io)
    return opened.world && memoised(opened)
  }

  /** The world with assumptions, and the sources that they add. Throws a refusal where one of them fits nothing. */
  private async supposed({ world, short, names, suppose }: Opened, facts: readonly Fact[]) {
    const options = optionsOf(facts)
    const supposition = suppositionOf(options)
    const baseWorld = world as World
    const changed = supposition && (await suppose(supposition, this.options.fullUrns === true))
    const context = withWholeGroups(readContext(options, this.io), short)
    refuseProblems([...context.problems, ...(changed?.problems ?? [])])
    const decided = changed ?? { world: baseWorld, short, names }
    return {
      world: decided.world,
      short: decided.short,
      names: this.options.fullUrns ? new Names([decided.world], true) : decided.names,
      sources: changed?.changes.added ?? [],
    }
  }

  private wordsOf({ option, value }: Fact, world: World, names: Names, added: readonly string[]): string {
    const words: Partial<Record<Fact['option'], string>> = {
      ip: `requests come from ${value}`,
      at: `requests are made at ${value}`,
      owner: `the resource belongs to account ${value}`,
      group: `the requester is in ${value.startsWith('urn:') ? names.identity(value) : value}`,
      tag: `the resource has the tag ${value}`,
      with: `with ${value}`,
    }
    if (words[option] !== undefined) return shown(words[option])
    const { changes } = suppositionOf({ [option]: [value] }) as Supposition
    return supposedWords(supposed(world, { ...changes, added }).steps, [], names).join('; ')
  }
}

/** The same, with the last worlds that were supposed of it. */
function memoised(opened: Opened): Opened {
  const supposedWorlds = new Map<string, Promise<SupposedWorld>>()
  return {
    ...opened,
    suppose: (supposition, isFull) => {
      // The given facts of all questions are part of the key: they may contradict hypothetical ones.
      const key = JSON.stringify([supposition, isFull])
      const supposedWorld = supposedWorlds.get(key) ?? opened.suppose(supposition, isFull)
      if (supposedWorlds.size >= mostWorlds) supposedWorlds.clear()
      supposedWorlds.set(key, supposedWorld)
      return supposedWorld
    },
  }
}
