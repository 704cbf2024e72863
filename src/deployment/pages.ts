import { nameIn } from '../hcl/paths.ts'
import { type ChangedFile, type Fact, fact } from './facts.ts'
import { isProgram } from './kinds.ts'
import { namesOf } from './named.ts'
import { reachOf } from './reach.ts'
import { namedPolicies, wordsIn } from './words.ts'

/** Facts of a page with commands that deploy, which a pipeline or a script names, or of which a tool runs the commands. */
export async function pageFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, repository } = file
  if (!/\.(?:md|mdx|markdown|adoc|rst|org)$/.test(path)) return []
  const commands = text.match(/^[ \t]*(?:```|~~~)[^\r\n]*[\r\n][\s\S]*?^[ \t]*(?:```|~~~)/gm) ?? []
  const why = wordsIn(text, file) ?? namedPolicies(text, file) ?? (await namedTaker(commands.join('\n'), file))
  if (why === undefined) return []
  const scripts = repository.texts(isProgram)
  const by = scripts.find((each) => namesOf(each.text, 'shell').has(path))
  if (by) return [fact(file, `\`${by.path}\` names it, and ${why}`, path, text)]
  // A runner of the commands in pages finds them itself.
  const runner = commands.length === 0 ? undefined : scripts.find((each) => runsPages.test(each.text))
  return runner ? [fact(file, `\`${runner.path}\` runs commands of pages, and ${why}`, path, commands, text.match(settings))] : []
}

/** Tools that run the commands of pages: by their names, as a module of Go, or by a path. */
const runsPages =
  /\b(?:runme|mdsh|codedown)\b|\bjoerdav\/xc\b|\bjacobdeichert\/mask\b|(?:^[ \t\ufeff]*|(?:[;&|]|\b(?:run|then|do|exec|sudo)["']?:?|["'[,])\s*)["']?(?:[\w./~-]{0,100}\/)?(?:mask|xc)(?:@\S+)?\s+\w/m

/** Lines of a page that say which task its commands are, and how they are run. */
const settings = /^(?:#{1,6}[ \t]|(?:requires|req|inputs?|env(?:ironment)?|dir(?:ectory)?|run|interactive)[ \t]*:)[^\r\n]*/gim

/** Why commands have a part: they run a program that takes part. */
async function namedTaker(commands: string, file: ChangedFile): Promise<string | undefined> {
  const { programs } = commands === '' ? { programs: [] } : await reachOf(file)
  const words = new Set(commands.match(/[\w@%+~./-]{2,200}/g)?.map(nameIn))
  const taker = programs.find(({ target }) => words.has(target.name))
  return taker && `it runs \`${taker.path}\``
}
