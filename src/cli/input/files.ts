import { basename, dirname, resolve } from 'node:path'
import type { FileUse, Skipped } from '../../coverage.ts'
import { compareText } from '../../diagnostic.ts'
import type { Mapping } from '../../diff/mapped.ts'
import { keyOf } from '../../keys.ts'
import { exampleNotationOf, isActionLines } from '../../parser/tree.ts'
import { type Notation, notationOf, type Source, sourceOf } from '../../source.ts'
import type { Folders } from '../../sources/files.ts'
import { isPointer, limits, mayHoldPolicy, type Problem } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isBelow } from '../app/paths.ts'
import type { Origin } from '../app/record.ts'
import { TrackedFiles } from './git-folder.ts'
import { type Rewriting, rewritingMessage, rewritingOf, rewritingsOf } from './gitattributes.ts'
import {
  type Bytes,
  bytesIn,
  decode,
  invalidNameProblem,
  isPipe,
  isShellScript,
  isUnnameable,
  kindAt,
  kindOf,
  type Reader,
  type RefusedKind,
  readInput,
  readPipe,
  refusals,
  scratchMemory,
  sniff,
  type Text,
} from './read-file.ts'
import { attributesAt } from './rewritten.ts'
import { configurationTest, ownFile, type Search, searchFor, testReason, walkFolder } from './walk.ts'

/** A file to be read. */
export interface Candidate {
  /** As shown to users. */
  readonly path: string
  /** Absolute; undefined for standard input. */
  readonly file: string | undefined
  /** Undefined for standard input without a name: its first character decides. */
  readonly notation: Notation | undefined
  /** Named on the command line, and not found in a folder: it must hold a policy. */
  readonly isNamed: boolean
  /** Its content, where that does not come from the file: from git. */
  readonly bytes?: Buffer
  /** Where it was read from. */
  readonly origin?: Origin | undefined
  /** The files around it, where they are not those of its folder on the disk: those of its commit. */
  readonly around?: Folders
  /** Absolute: a pipe, which is read once and is in no folder. */
  readonly pipe?: string
  /** How what is deployed of it may differ from what is read: it is refused where it does. */
  readonly rewritings?: readonly Rewriting[]
  /** Its name is one of our own: it is read for policies, which do not belong there. */
  readonly isOwn?: true
}

/** The files to read. */
export interface Selection {
  /** Files, folders, globs, or `-` for standard input. */
  readonly paths: readonly string[]
  /** Files by their names alone, no globs: from a list. */
  readonly listed?: readonly ListedFile[]
  /** The path of standard input: determines its notation and configuration. */
  readonly stdinName?: string
  /** The notation of standard input, where its path does not determine it. */
  readonly stdinNotation?: Notation
  /** Named files are skipped when they hold no policy, or are of a kind that never does; an empty selection is then allowed. */
  readonly ifPolicy?: boolean
  /** Nothing at all is fine: there may be nothing on a list. */
  readonly mayBeEmpty?: boolean
  /** Whether Markdown is read for its fenced code blocks, and scripts for what their commands are given: where they are named, or in folders too. */
  readonly fences?: 'named' | 'all'
  /** A file that is named may be a list of actions and nothing else. */
  readonly actionLists?: boolean
  /** The other files in the folders of configurations; by default those on the disk. */
  readonly folders?: Folders
  /** A named file may be a pipe, such as `<(…)` of a shell. */
  readonly pipes?: boolean
  /** Decisions depend on the files: a text that may differ where it is deployed is refused, even if it can be read here. */
  readonly decides?: boolean
  /** A renaming of texts before they are parsed. */
  readonly mapping?: Mapping
}

/** A file of a list. */
export interface ListedFile {
  /** Relative to the working folder, or absolute. */
  readonly path: string
  readonly bytes?: Buffer
  /** Where that was read from. */
  readonly origin?: Origin
  /** See `Candidate`. */
  readonly around?: Folders
  /** Named by the user: it has to hold policies, even if the selection is lenient with others. */
  readonly isNamed?: boolean
  /** How it may differ from what is deployed, where that is not to be read from the folder: of a commit. */
  readonly rewritings?: readonly Rewriting[]
}

export interface Discovery {
  /** Sorted by path, no file twice. */
  readonly candidates: readonly Candidate[]
  /** Files with names of our own, which are no candidates. */
  readonly own: readonly Candidate[]
  readonly problems: readonly Problem[]
  /** Symbolic links and special files that were found and skipped. */
  readonly skipped: number
  /** Skipped files, where they were searched for. */
  readonly passed: readonly Skipped[]
  /** The folders that were searched whole: absolute. */
  readonly searched: readonly string[]
}

/**
 * Find the files of a selection. Only `.gitignore` files are read; symbolic links are never followed. The same paths give the
 * same list, independent of the file system's order.
 */
export async function discover(selection: Selection, reader: Reader): Promise<Discovery> {
  const finder = new Finder(selection, reader)
  for (const path of selection.paths) await finder.addPath(path)
  for (const each of selection.listed ?? []) finder.addListed(each)
  if (selection.fences) await finder.addSent()
  return finder.discovery()
}

/** Collects the files of a selection. */
class Finder {
  private readonly candidates = new Map<string, Candidate>()
  private readonly ownFiles = new Map<string, Candidate>()
  private readonly attributes = new Map<string, ReturnType<typeof attributesAt>>()
  private readonly problems: Problem[] = []
  private readonly passed: Skipped[] = []
  private readonly searched: string[] = []
  private skipped = 0
  private readonly selection: Selection
  private readonly cwd: string
  private readonly reader: Reader
  /** Named files without a policy are skipped. */
  private readonly isLenient: boolean

  constructor(selection: Selection, reader: Reader) {
    this.selection = selection
    this.cwd = reader.cwd
    this.reader = reader
    this.isLenient = selection.ifPolicy === true
  }

  async addPath(path: string): Promise<void> {
    if (path === '-') return this.addInput()
    const file = resolve(this.cwd, path)
    const kind = kindOf(path, this.cwd)
    if (kind === 'file') return this.addNamed(file)
    const isOfPipe = (kind === 'link' || kind === 'special') && isPipe(file)
    if (isOfPipe && this.selection.pipes) return this.addPipe(file)
    const search = await searchFor(path, kind, this.cwd)
    if (search) {
      if (kind === 'folder') this.searched.push(file)
      this.addSearched(kind === 'folder' ? '' : path, search)
    } else if (path === '') this.problems.push({ path: "''", message: refusals.missing })
    else if (isOfPipe && !this.isLenient) this.problem(file, 'a pipe: give what it holds as standard input, and name that with `-`')
    else this.refuse(file, kind as RefusedKind)
  }

  addListed(listed: ListedFile): void {
    const { path, bytes } = listed
    const file = resolve(this.cwd, path)
    const kind = bytes ? 'file' : path.includes('\0') ? 'missing' : kindAt(file)
    if (kind === 'file') this.addNamed(file, listed)
    else if (kind !== 'folder') this.refuse(file, kind)
    else if (this.isLenient) this.pass(file, 'a folder')
    else this.problem(file, 'a folder, expected a file')
  }

  /** Add the files that commands of the scripts among them send to the service: `-d @policy.json`. */
  async addSent(): Promise<void> {
    const scripts = [...this.candidates.values()].filter(({ notation }) => notation === 'shell' || notation === 'steps')
    if (scripts.length === 0) return
    const { sentFiles } = await import('./sent-files.ts')
    for (const file of await sentFiles(scripts, this.reader)) {
      if (this.candidates.has(file) || ownFile.test(basename(file)) || this.isTest(file, false)) continue
      const [path, rewritings] = [displayPath(file, this.cwd), this.rewritingsAt(file)]
      // Whatever its name, the service takes JSON.
      this.candidates.set(file, { path, file, notation: notationOf(file) ?? 'json', isNamed: false, rewritings })
    }
  }

  discovery(): Discovery {
    const { candidates: candidatesByPath, skipped, passed, searched } = this
    // A path that is named twice is one path.
    const problems = [...new Map(this.problems.map((each) => [keyOf(each.path, each.message), each])).values()]
    problems.sort((a, b) => compareText(a.path, b.path) || compareText(a.message, b.message))
    // Which of too many to read would be a guess.
    if (candidatesByPath.size > limits.files) problems.push(tooMany)
    const candidates =
      candidatesByPath.size > limits.files ? [] : [...candidatesByPath.values()].sort((a, b) => compareText(a.path, b.path))
    const ownCandidates = [...this.ownFiles.values()].sort((a, b) => compareText(a.path, b.path)).slice(0, limits.files)
    return { candidates, own: ownCandidates, problems, skipped, passed, searched }
  }

  private addInput(): void {
    const { stdinName, stdinNotation } = this.selection
    const isNamed = !this.isLenient
    const file = stdinName === undefined ? undefined : resolve(this.cwd, stdinName)
    if (file !== undefined && this.isTest(file, isNamed)) return
    const notation = stdinNotation ?? (stdinName === undefined ? undefined : this.notationOf(stdinName))
    this.candidates.set('-', { path: file === undefined ? '<stdin>' : displayPath(file, this.cwd), file: undefined, notation, isNamed })
  }

  private addPipe(file: string): void {
    const path = displayPath(file, this.cwd)
    if (/^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/0)$/.test(file)) this.addInput()
    else this.candidates.set(file, { path, file: undefined, notation: this.selection.stdinNotation, isNamed: !this.isLenient, pipe: file })
  }

  private addNamed(file: string, { bytes, origin, around, isNamed = !this.isLenient, rewritings }: Omit<ListedFile, 'path'> = {}): void {
    if (this.isTest(file, isNamed)) return
    const notation =
      this.notationOf(file) ??
      (isNamed && textName.test(file) ? 'rules' : this.selection.fences && isShellScript(file, bytes) ? 'shell' : undefined)
    if (!isNamed && notation === undefined) this.pass(file, 'unsupported file type')
    else if (notation) {
      const candidate = {
        path: displayPath(file, this.cwd),
        file,
        notation,
        isNamed,
        ...(bytes && { bytes, origin, ...(around && { around }) }),
      }
      if (!isNamed && ownFile.test(basename(file))) this.ownFiles.set(file, { ...candidate, isOwn: true })
      else this.candidates.set(file, { ...candidate, rewritings: rewritings ?? this.rewritingsAt(file) })
    } else if (exampleNotationOf(file) === 'markdown') this.problem(file, 'Markdown: its policies are examples; only `lint` reads them')
    else if (exampleNotationOf(file)) this.problem(file, 'a script: only `lint` reads the policies in its commands')
    else if (templateAdvice(file) !== undefined)
      this.problem(file, `a template: what it grants is not known until it is filled in: ${templateAdvice(file)}`)
    else this.problem(file, `unsupported file type: expected a name that ends in ${fileEndings}`)
  }

  /** The ways in which the deployed content of a file in a folder may differ from that on the disk. */
  private rewritingsAt(file: string): readonly Rewriting[] {
    const folder = dirname(file)
    const cached = this.attributes.get(folder)
    const folderAttributes = cached ?? attributesAt(folder, this.reader)
    this.attributes.set(folder, folderAttributes)
    if (!cached)
      this.problems.push(...folderAttributes.unread.map((each) => ({ path: displayPath(each.file, this.cwd), message: each.message })))
    return rewritingsOf(folderAttributes.attributes, folderAttributes.prefix + basename(file))
  }

  /** Add what a search finds. `pattern`: as it was given; '' for a folder. */
  private addSearched(pattern: string, search: Search): void {
    const readsExamples = this.selection.fences === 'all' || exampleNotationOf(pattern) !== undefined
    const notation = readsExamples ? (name: string) => notationOf(name) ?? this.exampleNotationOf(name) : notationOf
    const walk = walkFolder({ ...search, notation, ...(this.selection.decides && { decides: true }) }, this.reader)
    for (const { path, file, rewritings } of walk.files) {
      if (this.candidates.has(file)) continue
      // Whether a name in YAML is one of a pipeline depends on its folders, which a search does not look at.
      const fileNotation = (readsExamples ? this.exampleNotationOf(file) : undefined) ?? notation(file)
      const candidate = { path, file, notation: fileNotation, isNamed: false }
      this.candidates.set(file, rewritings ? { ...candidate, rewritings } : candidate)
    }
    for (const each of walk.own) this.ownFiles.set(each.file, { ...each, notation: notation(each.file), isNamed: false, isOwn: true })
    this.problems.push(...walk.problems)
    if (this.selection.decides) this.refuseLeftOut(search, notation)
    this.passed.push(...walk.passed)
    this.skipped += walk.skipped
    if (pattern !== '' && walk.files.length === 0)
      this.problems.push({ path: pattern, message: `the pattern matches no file that ends in ${fileEndings}` })
  }

  /** Files that a sparse checkout leaves out are deployed with the rest. */
  private refuseLeftOut({ top, wants }: Search, notation: (name: string) => Notation | undefined): void {
    for (const file of new TrackedFiles().leftOutBelow(top))
      if (notation(file) && wants(displayPath(file, top)) && kindAt(file) === 'missing')
        this.problem(file, 'left out by a sparse checkout: `git sparse-checkout add` its folder')
  }

  /** The notation of a file that is named. */
  private notationOf(path: string): Notation | undefined {
    const { actionLists } = this.selection
    return this.exampleNotationOf(path) ?? notationOf(path) ?? (actionLists && isActionLines(path) ? 'actions' : undefined)
  }

  private exampleNotationOf(path: string): Notation | undefined {
    return this.selection.fences ? exampleNotationOf(path) : undefined
  }

  private isTest(file: string, isNamed: boolean): boolean {
    const isTest = configurationTest.test(file)
    if (isTest && isNamed) this.problem(file, `${testReason}: name the folder of the configuration`)
    else if (isTest) this.pass(file, testReason)
    return isTest
  }

  private refuse(file: string, kind: RefusedKind): void {
    // A list may name a path that is not a file any more.
    if (this.isLenient && (kind === 'link' || kind === 'special')) this.pass(file, refusals[kind])
    else this.problem(file, kind === 'missing' && isUnnameable(file) ? `${refusals.missing}, or ${invalidNameProblem}` : refusals[kind])
  }

  private problem(file: string, message: string): void {
    this.problems.push({ path: displayPath(file, this.cwd), message })
  }

  private pass(file: string, reason: string): void {
    this.passed.push({ path: displayPath(file, this.cwd), reason })
  }
}

export const tooMany: Problem = { path: '', message: `more than ${limits.files} files to read: name fewer folders, or narrower ones` }

/** The advice for files that a program fills in, by the endings of their names. */
const templates: readonly (readonly [ending: RegExp, advice: string])[] = [
  [/\.erb$/i, 'lint what it renders: `erb FILE | grantwise lint -`'],
  [/\.(?:j2|jinja2?)$/i, 'lint what it renders: `jinja2 FILE VALUES | grantwise lint -`'],
  [/\.tftpl$/i, 'lint the configuration that calls `templatefile`'],
  [/\.(?:tpl|tmpl|gotmpl|mustache|hbs)$/i, 'lint what it renders, through `grantwise lint -`'],
]

const templateAdvice = (file: string): string | undefined => templates.find(([ending]) => ending.test(file))?.[1]

/** Files that are taken for access rules where they are named: found in a folder, they may be anything. */
const textName = /\.(?:txt|rules)$/i
/** Whether a file is read where it is named, by its name: more than is read of a folder. */
export function isReadWhereNamed(path: string): boolean {
  return notationOf(path) !== undefined || exampleNotationOf(path) !== undefined || isActionLines(path)
}
/** The endings of files that are read. */
export const fileEndings = '`.json`, `.jsonc`, `.yaml`, `.yml`, `.tf` or `.tofu`'

/** Whether a file, given by its absolute path, is among those that paths name, even if it does not exist. */
export async function withinPaths(paths: readonly string[], cwd: string): Promise<(file: string) => boolean> {
  const tests = await Promise.all(
    paths.map(async (path): Promise<(file: string) => boolean> => {
      const top = resolve(cwd, path)
      const search = kindAt(top) === 'missing' ? await searchFor(path, 'missing', cwd) : undefined
      if (search) return (file) => isBelow(file, search.top) && search.wants(displayPath(file, search.top))
      return (file) => file === top || isBelow(file, top)
    }),
  )
  return (file) => tests.some((test) => test(file))
}

export type Read = { readonly source: Source; readonly message?: undefined } | { readonly source?: undefined; readonly message: string }

/** Read one candidate to text; synchronously, except for standard input. `as`: its use in the record of the run, until more is known. */
export function readCandidate(
  candidate: Candidate,
  { stdin, record }: Pick<Io, 'stdin' | 'record'>,
  as: FileUse,
  memory?: Buffer,
  decides = false,
): Read | Promise<Read> {
  const { path, bytes: givenBytes, file, pipe, origin } = candidate
  const note = (bytes: Uint8Array) => record?.note(path, as, bytes, origin)
  const noted = (bytes: Buffer) => {
    const text = decode(bytes)
    if (text.text !== undefined) note(bytes)
    return asRead(candidate, text, decides)
  }
  const readOf = ({ bytes, message }: Bytes) => (bytes ? noted(bytes) : { message })
  if (givenBytes) return noted(givenBytes)
  if (file !== undefined) return readOf(bytesIn(file, memory ?? scratchMemory()))
  return (pipe === undefined ? readInput(stdin()) : readPipe(pipe, { stdin })).then(readOf)
}

function asRead({ path, notation, rewritings = [], isNamed }: Candidate, { text, message }: Text, decides: boolean): Read {
  if (text === undefined) return { message: message ?? '' }
  const rewriting = isPointer(text) ? undefined : rewritingOf(rewritings, text)
  if (rewriting && (decides || isNamed || mayHoldPolicy(text))) return { message: rewritingMessage(rewriting) }
  return { source: sourceOf(path, text, notation ?? sniff(text)) }
}
