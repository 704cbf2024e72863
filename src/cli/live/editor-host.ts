import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ownRulesOf } from '../../lint/config-problems.ts'
import { RuleFault } from '../../lint/rule-fault.ts'
import type { Candidate, FolderHost, Host, Texts } from '../../lsp/host.ts'
import type { EditorSettings } from '../../lsp/settings.ts'
import { exampleNotationOf, isActionLines } from '../../parser/tree.ts'
import { notationOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { openBaseline } from '../input/baseline.ts'
import { type Config, type Configs, configNames, openConfigs, withOwnRules } from '../input/config.ts'
import { discover, type Selection, withinPaths } from '../input/files.ts'
import { foldersOf } from '../input/folders.ts'
import { committedText, headCommit } from '../input/git.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkCodes, givenLevels } from '../input/levels.ts'
import { pathsOf } from '../input/policies.ts'
import { readText, sniff, textAt } from '../input/read-file.ts'
import { discoverTests } from '../input/test-files.ts'
import { noOptions } from '../input/world.ts'

/** The files, the clock and the configurations of this machine, for the language server. */
export function editorHost(io: Io, allowRulesFrom: readonly string[] = []): Host {
  const byRoot = new Map<string, FolderConfigs>()
  const folders = allowRulesFrom.map((folder) => resolve(io.cwd, folder))
  return {
    now: io.now,
    after: (wait, act) => {
      const timer = setTimeout(act, wait)
      return () => clearTimeout(timer)
    },
    version,
    cwd: io.cwd,
    fileOf,
    rootOf: (uri) => {
      const file = fileOf(uri)
      return file === undefined ? undefined : realOf(file)
    },
    uriOf: (file) => pathToFileURL(file).href,
    textOf: (file) => readText(file).text,
    folderOf: (file) => dirname(file),
    isWithin,
    folder: (root, texts) => {
      const configs = byRoot.get(root) ?? new FolderConfigs()
      byRoot.set(root, configs)
      return folderHost({ ...io, cwd: root, texts }, configs, folders)
    },
    refusal: (error) => {
      if (error instanceof RuleFault) return { message: error.message, diagnostics: error.diagnostics }
      if (!(error instanceof Refusal)) return undefined
      const { message, help, diagnostics } = error
      return { message: help ? `${message} (${help})` : message, diagnostics }
    },
  }
}

/** The path of a file, with the links on the way to it followed: only the file itself may be one. */
function fileOf(uri: string): string | undefined {
  if (!/^file:/i.test(uri)) return undefined
  let file: string
  try {
    file = fileURLToPath(uri)
  } catch {
    return undefined
  }
  if (file.includes('\0')) return undefined
  return join(realOf(dirname(resolve(file))), basename(file))
}

/** A folder with all links on the way to it followed; of what is not there, the nearest folder around it that is. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return dirname(folder) === folder ? folder : join(realOf(dirname(folder)), basename(folder))
  }
}

/** The configurations of a folder, as they were last read. */
class FolderConfigs {
  readonly byFile = new Map<string, Config>()
  /** The states of the files that each of them was read from. */
  private readonly read = new Map<string, ReadonlyMap<string, string | undefined>>()

  /** Forget what has changed since. */
  refresh(state: (file: string) => string | undefined): void {
    for (const [file, states] of this.read) {
      if ([...states].every(([each, before]) => state(each) === before)) continue
      this.read.delete(file)
      this.byFile.delete(file)
    }
  }

  keep(state: (file: string) => string | undefined, io: Io): void {
    for (const [file, { files, catalogue }] of this.byFile) {
      if (this.read.has(file)) continue
      const inputs = [...files.map((path) => resolve(io.cwd, path)), ...(catalogue ? [catalogue.value] : [])]
      this.read.set(file, new Map(inputs.map((each) => [each, state(each)])))
    }
  }
}

function folderHost(io: Io & { readonly texts: Texts }, folderConfigs: FolderConfigs, allowRulesFrom: readonly string[]): FolderHost {
  const { cwd } = io
  const state = (file: string) => io.texts(file) ?? stampOf(file)
  const selection = (main: Pick<Config, 'policies' | 'world'>, settings: EditorSettings): Selection => ({
    paths: pathsOf([], main as Config),
    fences: settings.fences ? 'all' : 'named',
    actionLists: true,
    mayBeEmpty: true,
  })
  return {
    root: cwd,
    fileOf: (path) => resolve(cwd, path),
    nameOf: (file) => displayPath(file, cwd),
    portable,
    kindOf: (file) => (configNames.includes(basename(file)) ? 'config' : testFile.test(file) ? 'test' : undefined),
    notationOf: (file) => exampleNotationOf(file) ?? notationOf(file) ?? (isActionLines(file) ? 'actions' : undefined),
    openConfigs: async ({ config }) => {
      folderConfigs.refresh(state)
      const configs = await openConfigs(config === undefined ? {} : { config: config as string }, io, folderConfigs.byFile)
      folderConfigs.keep(state, io)
      return {
        ...configs,
        load: async (paths) => {
          await configs.load(paths)
          folderConfigs.keep(state, io)
        },
      }
    },
    withRules: (configs, report) => withOwnRules(configs as Configs, allowRulesFrom, io, report),
    find: async (main, settings) => {
      const { candidates, problems } = await discover(selection(main, settings), io)
      const files = candidates.flatMap(({ file, path, notation, isNamed }): Candidate[] =>
        file === undefined ? [] : [{ file, path, notation: notation ?? sniff(textAt(file, 'none', io).text ?? ''), isNamed }],
      )
      return { candidates: files, problems }
    },
    wants: (main) => withinPaths(pathsOf([], main as Config), cwd),
    stampOf,
    read: (file) => {
      const { text, message } = readText(file)
      return text === undefined ? { message } : { text }
    },
    folders: foldersOf(io),
    findTestsAndConfigs: async () => {
      const { files } = await discoverTests(['.'], io)
      const configs = configNames.map((name) => join(cwd, name)).filter((file) => stampOf(file) !== undefined)
      return [...files.map(({ file }) => file), ...configs]
    },
    committed: (file) => committedText(file, io),
    head: () => headCommit(io),
    blame: async (file, { config }, pause) => {
      const { readFileBlame } = await import('../input/blamed.ts')
      const options = { ...noOptions, ...(config !== undefined && { config: config as string }) }
      return (await readFileBlame(file, { given: [], asker: 'since when', options, pause }, io)).report
    },
    catalogue: (main) => catalogueFor(main as Config, io),
    operations: (main) => operationsFor(main as Config, io),
    levels: ({ preset, rules }, configs) => {
      const rule = Object.entries(rules).map(([code, level]) => `${code}=${level}`)
      return givenLevels({ preset, rule, ruleOption: [] }, ownRulesOf(configs))
    },
    baseline: (file) => {
      const baseline = openBaseline({ baseline: isAbsolute(file) ? file : join(cwd, file), writeBaseline: undefined }, io)
      return (baseline as NonNullable<typeof baseline>).apply(() => true)
    },
    checkConfigs: (configs) => checkCodes(configs as readonly Config[]),
  }
}

const testFile = /\.iamtest\.(ya?ml|json)$/

/** A stamp of a file that differs after a change. */
function stampOf(file: string): string | undefined {
  try {
    const { mtimeMs, ctimeMs, size, ino } = lstatSync(file)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch {
    return undefined
  }
}
