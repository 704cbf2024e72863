import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './oracles.ts'

/** The folders whose files texts begin with. */
const folders = ['examples', 'test']
/** The longest file that is taken, in characters. */
const longestFile = 8192

/** Paths of files of this repository, relative to its root, sorted. */
function filesOf(root: string): readonly string[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, '/').length).replaceAll('\\', '/'))
    .sort()
}

/** The file that holds the corpus of a target: a list of texts, as JSON. */
export function corpusFile(root: string, { name }: Target): string {
  return join(root, 'test/fuzz/corpus', `${name}.json`)
}

/** The corpus of a target; none where there is none yet. */
export function corpusOf(root: string, target: Target): readonly string[] {
  const file = corpusFile(root, target)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly string[]) : []
}

/** A corpus as a file: a text on each line, in ASCII, so that no tool changes what is in it. */
export function corpusText(texts: readonly string[]): string {
  const line = (text: string) => JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `[\n${texts.map(line).join(',\n')}\n]\n`
}

/** Where the texts of a target begin: its corpus, what it names, and files. */
export function seedsOf(root: string, target: Target): readonly string[] {
  const files = filesOf(root).filter((path) => target.files.test(path))
  const texts = files.map((path) => readFileSync(join(root, path), 'utf8')).filter((text) => text.length <= longestFile)
  return [...new Set([...corpusOf(root, target), ...(target.texts ?? []), ...texts])]
}
