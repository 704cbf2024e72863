import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { resourceWord, type Settings } from '../../names.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { isThere, kindAt, readText } from '../input/read-file.ts'
import { isGlob, walkFolder } from '../input/walk.ts'
import type { Writing } from '../output/writing.ts'

/** The commands that each clone runs once: git takes no program from a repository. */
const commands = [
  'git config merge.grantwise.name "policies by meaning"',
  'git config merge.grantwise.driver "npx --no-install grantwise merge-driver --marker-size %L -- %O %A %B %P"',
]

/** `init --merge-driver`: the lines that are missing in `.gitattributes`, and the commands that they need. */
export async function setUpMergeDriver(writing: Writing, io: Io): Promise<ExitCode> {
  const { policies = ['.'], settings } = await loadConfig({}, io)
  const file = join(io.cwd, '.gitattributes')
  const before = isThere(file) ? readFileSync(file, 'utf8') : ''
  const present = new Set(before.split(/\r?\n/))
  const lines = policies.flatMap((path) => patternsOf(path, settings, io)).map((pattern) => `${pattern} merge=grantwise`)
  const missing = lines.filter((line) => !present.has(line))
  if (missing.length > 0) {
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    await writing.write(file, `${before}${gap}${missing.join('\n')}\n`)
  }
  if (!writing.isDry) io.stdout.write(`${missing.length > 0 ? 'wrote' : 'nothing is missing in'} .gitattributes; each clone runs once:\n`)
  if (writing.diffOption === undefined) io.stdout.write(commands.map((line) => `  ${line}\n`).join(''))
  return writing.exitCode(exit.success)
}

/** The files of a path of policies as git's patterns: those of a folder, by their endings. */
function patternsOf(path: string, settings: Settings, io: Io): readonly string[] {
  const { cwd } = io
  const plain = portable(displayPath(path, cwd)).replace(/^\.\//, '').replace(/\/+$/, '')
  if (plain.startsWith('../') || plain.startsWith('/'))
    throw new Refusal(
      `${path}: outside of this folder, and .gitattributes is about what is below it`,
      'run it in the folder of the configuration',
    )
  if (isGlob(plain) || /\.(?:json|ya?ml|tf|tofu)$/i.test(plain)) return [quotedPattern(plain)]
  const folder = plain === '.' || plain === '' ? '' : `${plain}/**/`
  return ['json', 'yaml', 'yml', ...configurationEndings(path, settings, io)].map((ending) => quotedPattern(`${folder}*.${ending}`))
}

/** The endings of the files of a folder that declare policies as resources. */
function configurationEndings(path: string, settings: Settings, io: Io): readonly string[] {
  const top = resolve(io.cwd, path)
  if (kindAt(top) !== 'folder') return []
  const { files } = walkFolder({ top, wants: (each) => /\.(?:tf|tofu)$/i.test(each) }, io)
  const holding = files.filter(({ file }) => readText(file).text?.includes(resourceWord(settings)))
  return ['tf', 'tofu'].filter((ending) => holding.some(({ file }) => file.toLowerCase().endsWith(`.${ending}`)))
}

/** A pattern with blanks is written in quotes. */
const quotedPattern = (pattern: string) => (/[\s"\\]/.test(pattern) ? JSON.stringify(pattern) : pattern)
