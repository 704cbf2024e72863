import type { Files } from '../hcl/tools.ts'
import type { Settings } from '../names.ts'
import type { ConfigurationFiles, Folders, GivenFile } from './files.ts'

/** A question to the files around, with a test whether the answer is still the same. */
type Check = (now: { readonly around: Folders; files: Files | undefined }) => boolean | Promise<boolean>

interface Known {
  readonly given: readonly GivenFile[]
  readonly settings: Settings
  readonly checks: readonly Check[]
  readonly result: ConfigurationFiles
}

/** The number of readings that are kept: of the present texts, and of a few in which one differs. */
const most = 4

/**
 * Reads configurations for callers that read mostly the same ones many times: an earlier result is reused where the input is the
 * same, and every question to the files around has the same answer as before.
 */
export class RecalledConfigurations {
  private known: readonly Known[] = []

  /** `asked`: the settings as the caller keeps them, which `settings` are made of anew each time. */
  async read(
    givenFiles: readonly GivenFile[],
    settings: Settings,
    folders: Folders | undefined,
    asked: Settings,
  ): Promise<ConfigurationFiles> {
    const { readConfigurationFiles } = await import('./configurations.ts')
    if (!folders) return readConfigurationFiles(givenFiles, settings)
    for (const each of this.known)
      if (each.settings === asked && areSame(each.given, givenFiles) && (await allHold(each.checks, folders))) return each.result
    const checks: Check[] = []
    const result = await readConfigurationFiles(givenFiles, settings, watched(folders, checks))
    this.known = [{ given: givenFiles, settings: asked, checks, result }, ...this.known].slice(0, most)
    return result
  }
}

async function allHold(checks: readonly Check[], around: Folders): Promise<boolean> {
  const now = { around, files: undefined }
  for (const check of checks) if (!(await check(now))) return false
  return true
}

function areSame(before: readonly GivenFile[], now: readonly GivenFile[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ source, file, isNamed, isElsewhere }, i) => {
      const other = now[i] as GivenFile
      return source === other.source && file === other.file && isNamed === other.isNamed && isElsewhere === other.isElsewhere
    })
  )
}

/** The same files around, with a check for each question that is asked. */
function watched(around: Folders, checks: Check[]): Folders {
  const { cwd, nameOf } = around
  return {
    cwd,
    nameOf,
    get top() {
      const { top } = around
      checks.push((now) => now.around.top === top)
      return top
    },
    list: (path) => {
      const answer = around.list(path)
      checks.push((now) => isEqual(now.around.list(path), answer))
      return answer
    },
    read: (path) => {
      const answer = around.read(path)
      const text = typeof answer === 'object' ? answer.text : undefined
      checks.push((now) => {
        const other = now.around.read(path)
        return typeof other === 'object' ? other.text === text : other === answer
      })
      return answer
    },
    tools: async (texts, folders) => {
      checks.push(async (now) => {
        now.files = (await now.around.tools(texts, folders)).files
        return true
      })
      const tools = await around.tools(texts, folders)
      return tools.files ? { ...tools, files: watchedFiles(tools.files, checks) } : tools
    },
  }
}

function watchedFiles(files: Files, checks: Check[]): Files {
  return {
    read: (path) => {
      const answer = files.read(path)
      checks.push(({ files: now }) => isEqual(now?.read(path), answer))
      return answer
    },
    list: (path) => {
      const answer = files.list(path)
      checks.push(({ files: now }) => isEqual(now?.list(path), answer))
      return answer
    },
    mark: (path) => {
      const answer = files.mark(path)
      checks.push(({ files: now }) => now?.mark(path) === answer)
      return answer
    },
    around: () => {
      const answer = files.around()
      checks.push(({ files: now }) => {
        const other = now?.around()
        return other !== undefined && isEqual(other.files, answer.files) && isEqual([...other.configured], [...answer.configured])
      })
      return answer
    },
    text: (path) => {
      const answer = files.text(path)
      checks.push(({ files: now }) => now?.text(path) === answer)
      return answer
    },
    side: files.side,
  }
}

/** Whether two answers are the same word, or lists of the same. */
function isEqual(a: ArrayLike<unknown> | undefined, b: ArrayLike<unknown> | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
