import type { Catalogue } from '../../actions/catalogue.ts'
import { loadCatalogue } from '../../actions/load.ts'
import type { Operation } from '../../actions/operations.ts'
import { intendedBy } from '../../actions/suggest.ts'
import type { Answered } from '../../ask/access.ts'
import type { CanAsked } from '../../ask/can.ts'
import { type ContextGiven, readContext } from '../../ask/context.ts'
import { compareText, type Diagnostic } from '../../diagnostic.ts'
import { keyOf } from '../../keys.ts'
import type { Level } from '../../lint/config.ts'
import { fixTexts } from '../../lint/fix.ts'
import { fixFiles } from '../../lint/fix-files.ts'
import { type LintRun, lintFiles } from '../../lint/lint-files.ts'
import { type FixLevel, isFixable } from '../../lint/may-fix.ts'
import type { Profile } from '../../lint/profile.ts'
import type { IgnoreEntry } from '../../lint/suppress.ts'
import type { EngineInput, GivenSource } from '../../page/given.ts'
import { unpack } from '../../page/pack.ts'
import { settled } from '../../parser/memberships.ts'
import { plainTreeOf } from '../../parser/plain-tree.ts'
import type { ReadSource } from '../../parser/read.ts'
import type { World } from '../../policy.ts'
import type { Wish } from '../../propose/suggest.ts'
import { paint } from '../../report/colour.ts'
import { record } from '../../report/lint.ts'
import { Names } from '../../report/names.ts'
import type { Problem } from '../../simulate/decision.ts'
import { withKnownTags } from '../../simulate/question.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { type Source, sourceOf } from '../../source.ts'
import { decidableWorld } from '../../sources/decidable.ts'
import { type FileRead, type ReadFiles, withReads } from '../../sources/files.ts'
import { readSources } from '../../sources/read.ts'
import { ActionsByType, isDescribed } from '../../symbolic/described.ts'
import type { MapNode } from '../../tree.ts'
import { describesAnything } from '../../world.ts'

/** Texts that replace the given ones, by their paths; other paths are new files. */
export type Edits = Readonly<Record<string, string>>

/** The answer to a question, or the problems with it or with the texts. */
export type Outcome<T> =
  | { readonly problems: readonly Problem[]; readonly answer?: undefined }
  | { readonly problems?: undefined; readonly answer: T }

/** Texts that were read, and their edits. */
interface Side {
  readonly files: ReadFiles
  readonly edits: Edits
}

const plain = paint(false)

/**
 * The commands over the texts of a page: `can`, `who`, `what`, `suggest`, `diff`, `lint`, each over the texts with edits in some
 * of them. Every result is plain JSON.
 */
export class Engine {
  private readonly given: EngineInput
  private readonly profiles: readonly Profile[]
  private readonly profileNumbers: ReadonlyMap<string, number>
  private readonly base: Promise<Side>
  private readonly reads = new Map<string, Promise<ReadFiles>>()
  private last: { readonly key: string; readonly side: Promise<Side> } | undefined
  private known: Promise<Known> | undefined

  constructor(input: EngineInput) {
    this.given = input
    this.profiles = input.profiles.map(({ levels, options, named }) => ({
      levels: new Map(levels as readonly (readonly [string, Level])[]),
      options: new Map(options),
      named: new Set(named),
    }))
    this.profileNumbers = new Map(input.sources.map(({ path, profile }) => [path, profile]))
    this.base = this.readAll()
  }

  /** `can IDENTITY ACTION RESOURCE`. */
  async can(asked: CanAsked, circumstances: ContextGiven = {}, edits: Edits = {}) {
    return this.over(edits, async (world) => {
      const { settings, now } = this.given
      const short = new ShortNames(world)
      const { answerCan, answerJson, decisionText, decisionWords, readCan } = await import('./more.ts')
      const { question, problems } = readCan(asked, readContext(circumstances, now), short, settings)
      if (!question || problems.length > 0) return { problems }
      const answer = await answerCan(world, short, question, settings.brand, async () => (await this.knowledge()).catalogue)
      const names = new Names([world])
      const { decision } = answer.explanation
      return {
        answer: {
          ...answerJson(decision, world, answer.question, answer.turning),
          identity: names.identity(answer.question.identity),
          resource: names.resource(answer.question.resource),
          words: decisionWords({ ...answer, names }, world),
          text: decisionText({ ...answer, names }, world, plain),
          ...(answer.notes.length > 0 && { notes: answer.notes }),
        },
      }
    })
  }

  /** `who ACTION RESOURCE`. */
  async who(action: string, resource: string, circumstances: ContextGiven = {}, edits: Edits = {}) {
    return this.over(edits, async (world) => {
      const { settings, now } = this.given
      const { answerWho, isOverSeveral, readWho } = await import('./more.ts')
      const { problems, ...asked } = readWho(action, resource, readContext(circumstances, now), new ShortNames(world), settings.brand)
      if (problems.length > 0) return { problems }
      const { catalogue } = await this.knowledge()
      const answer = answerWho(world, asked, circumstances, isOverSeveral(asked) ? catalogue : undefined)
      return { answer: await this.shown(answer, circumstances, world, catalogue) }
    })
  }

  /** `what IDENTITY [RESOURCE]`. */
  async what(identity: string, resource: string | undefined, circumstances: ContextGiven = {}, edits: Edits = {}) {
    return this.over(edits, async (world) => {
      const { answerWhat, readWhat } = await import('./more.ts')
      const { problems, ...asked } = readWhat(identity, resource, readContext(circumstances, this.given.now), new ShortNames(world))
      if (problems.length > 0) return { problems }
      const { catalogue } = await this.knowledge()
      return { answer: await this.shown(answerWhat(world, asked, circumstances, catalogue), circumstances, world, catalogue) }
    })
  }

  private async shown(answer: Answered, circumstances: ContextGiven, world: World, catalogue: Catalogue) {
    const { brand } = this.given.settings
    const names = new Names([world])
    const { answerRows, answerText, circumstanceWords, notesText, supposedText, unknownNames, wordingOf } = await import('./more.ts')
    const wording = wordingOf(names, answer.from)
    const notes = unknownNames(answer.asked, { catalogue, brand, names: new ShortNames(world), isDecided: answer.isDecided })
    return {
      ...answer.answer.json(),
      verdict: answer.verdict,
      reasons: answer.answer.notes,
      ...(answer.answer.none && { none: answer.answer.none.text.split('\n')[0] as string }),
      rows: answerRows(answer.answer, wording),
      text: `${supposedText(circumstanceWords(circumstances))}${notesText(notes)}${answerText(answer.answer, { paint: plain, wording })}`,
      notes,
    }
  }

  /** `suggest IDENTITY ACTION RESOURCE`: the smallest edits that turn the answer, or that bring the one that is wished. */
  async suggest(asked: CanAsked, circumstances: ContextGiven = {}, edits: Edits = {}, to?: Wish) {
    return this.over(edits, async (world, { each }) => {
      const { settings, now } = this.given
      const { conditionPhrase, notesText, readCan, suggest, suggestJson, suggestText, turnedWords, unknownNames, Windows } = await import(
        './more.ts'
      )
      const { question, problems } = readCan(asked, readContext(circumstances, now), new ShortNames(world), settings)
      if (!question || problems.length > 0) return { problems }
      const [open] = each.flatMap(({ read }) => read.open?.unknowns ?? [])
      if (open) return { problems: [{ message: `not all is known of these policies: \`${open.expression}\`` }] }
      const { catalogue } = await this.knowledge()
      const short = new ShortNames(world)
      const tagged = withKnownTags(question, world)
      const suggested = await suggest(each, world, tagged, to, (source) => this.readAgain(source), {
        actions: new ActionsByType(catalogue),
        intended: intendedBy(catalogue),
        allTimes: circumstances.at === undefined,
      })
      const notes = unknownNames(question, { catalogue, brand: settings.brand, names: short, isDecided: suggested.kind === 'already' })
      return {
        answer: {
          ...suggestJson(tagged, suggested, world),
          edits: suggested.suggestions.map(({ files }): Edits => {
            return Object.fromEntries(files.flatMap(({ path, after }) => (after === undefined ? [] : [[path, after] as const])))
          }),
          onlyWhen: suggested.suggestions.map((each) => {
            const words = turnedWords(each, new Windows({ from: tagged.at }))
            return words === undefined ? null : conditionPhrase(words)
          }),
          text: `${notesText(notes)}${suggestText(tagged, suggested, { paint: plain, names: new Names([world]), over: 'known', isDescribed: isDescribed([world]) })}`,
        },
      }
    })
  }

  /** An edited text as it reads; one that was given as it was understood takes no edit. */
  private async readAgain(source: Source): Promise<FileRead['read']> {
    const given = this.given.sources.find(({ path }) => path === source.path)
    if (given?.read) return { ...fileOf(given).read, refused: true }
    return ((await this.read(source.path, source.text)).each[0] as FileRead).read
  }

  /** `lint`: the findings in the texts. */
  async lint(edits: Edits = {}) {
    const side = await this.side(edits)
    const { findings, suppressed } = lintFiles(await this.run(side))
    return {
      findings: findings.map((finding, number) => ({
        ...record(finding),
        number,
        start: finding.span.start,
        end: finding.span.end,
        fix: finding.fix ? { description: finding.fix.description, isSafe: finding.fix.safe } : null,
      })),
      suppressed: suppressed.length,
      problems: side.files.problems,
    }
  }

  /** The edits with one fix made, of a finding by its number in `lint`; unchanged where it cannot be proved to be safe. */
  async fix(number: number, edits: Edits = {}): Promise<Edits> {
    const side = await this.side(edits)
    const run = await this.run(side)
    const finding = lintFiles(run).findings[number]
    if (!finding || !isFixable(finding)) return edits
    let first = true
    const { files } = await fixTexts(side.files.each, 'suggested', {
      read: (source) => this.read(source.path, source.text).then(({ each }) => (each[0] as FileRead).read),
      find: () => {
        const found: readonly Diagnostic[] = first ? [finding] : []
        first = false
        return found
      },
      // Other files that could not be read have fixes as well.
      mayChange: (path) => path === finding.span.source.path,
    })
    return this.changed(edits, files)
  }

  /** `lint --fix`: the edits with everything fixed that may be, in files that are edited or that are named. */
  async fixAll(paths: readonly string[], edits: Edits = {}, level: FixLevel = 'safe'): Promise<Edits> {
    const { changed } = await fixFiles(await this.run(await this.side(edits)), level, { readers: {} })
    return this.changed(
      edits,
      changed.filter(({ after }) => paths.includes(after.source.path)),
    )
  }

  private changed(
    edits: Edits,
    files: readonly { readonly before: Pick<FileRead, 'source'>; readonly after: Pick<FileRead, 'source'> }[],
  ): Edits {
    const made = files.filter(({ before, after }) => before.source.text !== after.source.text)
    return { ...edits, ...Object.fromEntries(made.map(({ after }) => [after.source.path, after.source.text])) }
  }

  /** `diff`: from the given texts to those with edits. */
  async diff(edits: Edits) {
    const [before, after] = [await this.base, await this.side(edits)]
    const allFacts = [...before.files.facts, ...after.files.facts]
    const [first, second] = [before, after].map(({ files }) => decidableWorld(files, allFacts))
    const errors = [...(first?.errors ?? []), ...(second?.errors ?? [])]
    if (!first?.world || !second?.world) return { problems: problemsOf(errors, after.files) }
    const { catalogue } = await this.knowledge()
    const worlds = [first.world, second.world]
    const { answerText, changeWords, diff, differenceAnswer, wordingOf } = await import('./more.ts')
    const difference = diff(first.world, second.world, {
      catalogue,
      within: { from: this.given.now },
      ...(describesAnything(worlds) && { described: new ActionsByType(catalogue) }),
    })
    const view = { over: isDescribed(worlds) ? ('known' as const) : ('everything' as const), names: new Names(worlds) }
    const answer = differenceAnswer({ difference }, view.over)
    return {
      answer: {
        ...answer.json(),
        words: changeWords(difference, view.names),
        text: answerText(answer, { paint: plain, wording: wordingOf(view.names, difference.described?.from) }),
      },
    }
  }

  /** The edits as a patch that `git apply` takes. */
  async patch(edits: Edits): Promise<string> {
    const { unifiedDiff } = await import('./more.ts')
    const sourcesByPath = new Map(this.given.sources.map((source) => [source.path, source]))
    return Object.entries(edits)
      .sort(([a], [b]) => compareText(a, b))
      .map(([path, text]) => {
        const old = sourcesByPath.get(path)
        return unifiedDiff(old?.place ?? this.placeOf(path), old?.text, text)
      })
      .join('')
  }

  /** The place of a new file in its repository: next to the files whose paths are shown relative to the same folder. */
  private placeOf(path: string): string {
    const sample = this.given.sources.find(({ place, path: shown }) => place?.endsWith(shown))
    return `${sample?.place?.slice(0, -sample.path.length) ?? ''}${path}`
  }

  /** Answer over the world of the texts, if it has no errors. */
  private async over<T>(edits: Edits, answer: (world: World, files: ReadFiles) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const { files } = await this.side(edits)
    const { world, errors } = decidableWorld(files)
    return world ? answer(world, files) : { problems: problemsOf(errors, files) }
  }

  private knowledge(): Promise<Known> {
    this.known ??= this.learn()
    return this.known
  }

  private async learn(): Promise<Known> {
    const { catalogue: text, settings } = this.given
    if (text === undefined) {
      const operations = async () => (await import('./more.ts')).loadOperations(settings.brand)
      return { catalogue: loadCatalogue(settings.brand), operations }
    }
    const [node] = (await plainTreeOf(sourceOf('catalogue', text))).documents
    const { catalogueOfRecord, readRecord } = await import('./more.ts')
    const { record: read } = readRecord(node as MapNode, settings.brand)
    return { catalogue: catalogueOfRecord(read), operations: async () => read.operations }
  }

  private async run({ files }: Side): Promise<LintRun> {
    const { settings, now } = this.given
    const sources = new Map(files.each.map(({ source }) => [source.path, source]))
    const ignores = this.given.ignores.map(
      ({ packed, about, judged }): IgnoreEntry => ({
        ...unpack<IgnoreEntry>(packed, sources),
        isAbout: (path) => about.includes(path),
        isJudged: (code) => judged.includes(code),
      }),
    )
    const { catalogue, operations } = await this.knowledge()
    const hasRequests = files.each.some(({ read }) => (read.facts.credentials ?? []).length > 0)
    const routes = hasRequests ? await operations() : []
    const profileOf = (path: string) => this.profiles[this.profileNumbers.get(path) ?? 0]
    return {
      files,
      settings,
      now,
      catalogue,
      operations: () => routes,
      ignores,
      ...(this.profiles.length > 0 && { profileOf: profileOf as (path: string) => Profile }),
    }
  }

  private side(edits: Edits): Promise<Side> {
    const changedTexts = Object.entries(edits).filter(
      ([path, text]) => this.given.sources.find((each) => each.path === path)?.text !== text,
    )
    if (changedTexts.length === 0) return this.base
    const key = JSON.stringify(changedTexts)
    if (this.last?.key !== key) this.last = { key, side: this.edited(Object.fromEntries(changedTexts)) }
    return this.last.side
  }

  private async edited(edits: Edits): Promise<Side> {
    const { files } = await this.base
    const reads = await Promise.all(Object.entries(edits).map(([path, text]) => this.read(path, text)))
    const each = [...files.each.filter(({ source }) => edits[source.path] === undefined), ...reads.flatMap((read) => read.each)]
    return {
      edits,
      files: {
        ...withReads(files, sorted(each)),
        problems: [...files.problems, ...reads.flatMap(({ problems }) => problems)],
        isPartial: files.isPartial || reads.some(({ isPartial }) => isPartial),
      },
    }
  }

  /** One text. What was read last of a path is kept, since most edits are to one of several files. */
  private read(path: string, text: string): Promise<ReadFiles> {
    const key = keyOf(path, text)
    const knownReads = this.reads.get(key)
    if (knownReads) return knownReads
    if (this.reads.size > mostReads) this.reads.clear()
    const notation = this.given.sources.find((source) => source.path === path)?.notation
    const read = readSources([{ source: sourceOf(path, text, notation), isNamed: true }], this.given.settings, {})
    this.reads.set(key, read)
    return read
  }

  private async readAll(): Promise<Side> {
    const { sources, settings } = this.given
    const unreadSources = sources.filter(({ read }) => !read)
    const files = await readSources(
      unreadSources.map(({ path, text, notation }) => ({ source: sourceOf(path, text, notation) })),
      settings,
      {},
    )
    const understood = sources.filter(({ read }) => read).map(fileOf)
    return { edits: {}, files: withReads(files, sorted([...files.each, ...understood])) }
  }
}

/** How many readings are kept: each holds a text and what it says. */
const mostReads = 50

interface Known {
  readonly catalogue: Catalogue
  readonly operations: () => Promise<readonly Operation[]>
}

function fileOf({ path, text, notation, read }: GivenSource): FileRead {
  const source = sourceOf(path, text, notation)
  const unpacked = unpack<ReadSource>((read as NonNullable<typeof read>).packed, new Map([[path, source]]))
  // Packing loses functions: without this one, memberships that a configuration describes would not count.
  const facts = 'settle' in unpacked.facts ? { ...unpacked.facts, settle: settled } : unpacked.facts
  return { source, read: { ...unpacked, facts }, file: undefined }
}

const sorted = (files: readonly FileRead[]) => files.toSorted((a, b) => compareText(a.source.path, b.source.path))

function problemsOf(errors: readonly Diagnostic[], { problems }: ReadFiles): readonly Problem[] {
  return [
    ...errors.map(({ message, help, span }) => ({ message: `${span.source.path}: ${message}`, ...(help !== undefined && { help }) })),
    ...problems.map(({ path, message }) => ({ message: `${path}: ${message}` })),
  ]
}
