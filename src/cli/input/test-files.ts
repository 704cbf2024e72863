import { resolve } from 'node:path'
import { compareText } from '../../diagnostic.ts'
import { type Notation, notationOf } from '../../source.ts'
import { limits, type Problem } from '../../sources/limits.ts'
import { displayPath } from '../app/paths.ts'
import { tooMany } from './files.ts'
import { kindOf, type Reader, type RefusedKind, refusals } from './read-file.ts'
import { searchFor, walkFolder } from './walk.ts'

/** The names of files of policy tests. */
const testFile = /\.iamtest\.(ya?ml|json)$/

/** Whether a file of this name holds policy tests. */
export const isTestFile = (file: string): boolean => testFile.test(file)

/** A file of policy tests. */
export interface TestFile {
  /** As shown to users. */
  readonly path: string
  /** Absolute. */
  readonly file: string
  readonly notation: Notation
}

/** Find the files of policy tests under paths: files, folders or globs. Sorted by path, no file twice. */
export async function discoverTests(
  paths: readonly string[],
  reader: Reader,
): Promise<{ readonly files: readonly TestFile[]; readonly problems: readonly Problem[]; readonly searched: readonly string[] }> {
  const { cwd } = reader
  const byFile = new Map<string, TestFile>()
  const problems: Problem[] = []
  const searched: string[] = []
  const add = (file: string) => byFile.set(file, { path: displayPath(file, cwd), file, notation: notationOf(file) as Notation })
  for (const path of paths) {
    const file = resolve(cwd, path)
    const kind = kindOf(path, cwd)
    if (kind === 'file') {
      if (testFile.test(file)) add(file)
      else
        problems.push({
          path: displayPath(file, cwd),
          message: 'not a file of policy tests: expected a name that ends in `.iamtest.yaml`, `.iamtest.yml` or `.iamtest.json`',
        })
      continue
    }
    const search = await searchFor(path, kind, cwd)
    if (!search) {
      problems.push({
        path: path === '' ? "''" : displayPath(file, cwd),
        message: refusals[kind as RefusedKind],
      })
      continue
    }
    searched.push(search.top)
    const wants = (each: string) => testFile.test(each) && search.wants(each)
    const walk = walkFolder({ top: search.top, wants, isOwn: () => false }, reader)
    for (const each of walk.files) add(each.file)
    problems.push(...walk.problems)
  }
  if (byFile.size > limits.files) problems.push(tooMany)
  return { files: [...byFile.values()].sort((a, b) => compareText(a.path, b.path)).slice(0, limits.files), problems, searched }
}
