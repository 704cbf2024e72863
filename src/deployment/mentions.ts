import { folderOf, nameIn } from '../hcl/paths.ts'
import { isTerragruntName } from '../hcl/tools.ts'
import type { FileText, Repository } from './facts.ts'
import { isCode, isConfiguration, isManifestFile, isProgram } from './kinds.ts'

/** Which files name others by which they deploy: in pipelines and scripts, configurations, and objects of what applies manifests. */
interface Mentions {
  /** By the name of a file, some of the files that have it as a word: two programs, and two others. */
  readonly names: ReadonlyMap<string, readonly string[]>
  /** The same for a name with its folder, and for a folder of which any file may be meant: `env/*`, `env/${…}`. */
  readonly places: ReadonlyMap<string, readonly string[]>
  readonly folders: ReadonlyMap<string, readonly string[]>
  /** The names of files that several have. */
  readonly common: ReadonlySet<string>
}

/** How much text is looked through for names. */
const mostText = 64 * 2 ** 20

const mayName = (path: string): boolean =>
  isProgram(path) ||
  isConfiguration(path) ||
  isTerragruntName(nameIn(path)) ||
  isManifestFile(path) ||
  /(?:^|\/)\.grantwise\.\w+$/.test(path)

/** Words in a manifest that decide what is applied. */
const deploys =
  /toolkit\.fluxcd\.io|argoproj\.io|cattle\.io|crossplane\.io|configsync\.gke\.io|configmanagement\.gke\.io|kustomize\.config|^(?:resources|bases|components|patches|helmCharts|include|extends|dependencies):|iam\.[\w.]{1,300}\/v\d|\bProviderConfig\b/m

/** A file that names another, by its name, by its place, or by its folder as a whole; undefined where none does. */
export function mentioned(path: string, repository: Repository): string | undefined {
  const mentions = repository.once(mentioned, () => mentionsIn(repository))
  const name = nameIn(path)
  const folder = folderOf(path)
  const other = (files: readonly string[] = []) => {
    const [first, ...rest] = files.filter((file) => file !== path)
    return first !== undefined && isProgram(first) ? (rest.find((file) => !isProgram(file)) ?? first) : first
  }
  const byName = mentions.common.has(name) ? undefined : other(mentions.names.get(name))
  return (
    byName ??
    (folder === '' ? undefined : (other(mentions.places.get(`${nameIn(folder)}/${name}`)) ?? other(mentions.folders.get(nameIn(folder)))))
  )
}

/** A file that has a word: the name of an object. */
export function fileWithWord(word: string, path: string, repository: Repository): string | undefined {
  const found = repository.once(mentioned, () => mentionsIn(repository))
  return found.names.get(word)?.find((file) => file !== path)
}

/** Source code that pipelines and scripts name. */
export function codeRun(repository: Repository): readonly FileText[] {
  return repository.once(codeRun, () => {
    const words = new Set(repository.texts(isProgram).flatMap(({ text }) => text.match(/[\w@%+~.-]{2,200}/g) ?? []))
    // Frameworks find commands by their names: `manage.py sync_policies` runs `shop/management/commands/sync_policies.py`.
    const isCommand = (path: string) => /(?:^|\/)commands\//i.test(path) && words.has(nameIn(path).replace(/\.\w+$/, ''))
    const paths = repository.paths.filter((path) => isCode(path) && (words.has(nameIn(path)) || isCommand(path)))
    repository.prefetch(paths)
    return paths.flatMap((path) => {
      const text = repository.text(path)
      return text === undefined ? [] : [{ path, text }]
    })
  })
}

function mentionsIn(repository: Repository): Mentions {
  const counts = new Map<string, number>()
  for (const path of repository.paths) counts.set(nameIn(path), (counts.get(nameIn(path)) ?? 0) + 1)
  const [names, places, folders] = [new Map<string, string[]>(), new Map<string, string[]>(), new Map<string, string[]>()]
  const programs = new Set(repository.paths.filter(isProgram))
  const add = (to: Map<string, string[]>, word: string, path: string) => {
    const known = to.get(word)
    if (!known) to.set(word, [path])
    else if (!known.includes(path) && known.filter((each) => programs.has(each) === programs.has(path)).length < 2) known.push(path)
  }
  let textLeft = mostText
  const look = ({ path, text }: FileText) => {
    textLeft -= text.length
    if (textLeft < 0) {
      repository.isCut = true
      return
    }
    const named = repository.ofText(text, namedBy)
    for (const word of named.names) add(names, word, path)
    for (const word of named.places) add(places, word, path)
    for (const word of named.folders) add(folders, word, path)
  }
  for (const each of repository.texts(mayName))
    if (!isManifestFile(each.path) || isProgram(each.path) || deploys.test(each.text)) look(each)
  // Source code that is named by these is run by them, and names others.
  for (const each of codeRun(repository)) look(each)
  return { names, places, folders, common: new Set([...counts].flatMap(([name, count]) => (count > 1 ? [name] : []))) }
}

/** The words, places and folders that a text has. */
function namedBy(text: string) {
  const namesBy = (pattern: RegExp, wordOf: (match: RegExpMatchArray) => string) => [...new Set([...text.matchAll(pattern)].map(wordOf))]
  return {
    names: namesBy(/[\w@%+~.-]{2,200}/g, ([word]) => word.replace(/^\.+|(?<!\.)\.+$/g, '')),
    places: namesBy(/(?<![\w@%+~.-])([\w@%+~.-]{1,200})\/(?=([\w@%+~.-]{1,200}))/g, ([, folder, name]) => `${folder}/${name}`),
    folders: [
      ...namesBy(/(?<![\w@%+~.-])([\w@%+~.-]{1,200})\/?(?=\/\*|\/\$|\/"|\/'|\/\s|\/\)|\/`|\/$)/gm, ([, folder]) => folder as string),
      // A folder that a command looks through, without a trailing slash.
      ...namesBy(
        /\b(?:fileset|find|ls|run-parts|cd|-f|-R|path|files?|src|dir\w*|glob|open|join|scandir|listdir|walk|readdir|root|folder)\b["'(:=,\s]{1,4}["']?(?:[\w.${}-]{1,100}\/){0,8}([\w-]{2,100})(?=["'\s,);]|$)/gim,
        ([, folder]) => folder as string,
      ),
    ],
  }
}
