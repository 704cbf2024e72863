import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { plain } from '../tree.ts'
import { type ChangedFile, type Fact, fact } from './facts.ts'
import { isConfiguration } from './kinds.ts'
import { essenceOf, isRecord } from './pipelines.ts'
import { reachOf } from './reach.ts'
import { settings } from './settings-of-tools.ts'

/** Facts of settings that are known by their names. */
export function settingFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies } = file
  const found = settings.find(([pattern, needs]) => pattern.test(path) && (needs === undefined || policies[needs]))
  return found ? [fact(file, found[2], path, essenceOf(text))] : []
}

/** What a configuration of the linter says of what is read and compared. */
const asked = ['policies', 'world', 'extends', 'brand', 'regions', 'terraform', 'deployment', 'catalogue']

/** Facts of configurations of the linter: both sides are read by the one in the working folder. */
export async function lintingFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  if (!/(?:^|\/)\.grantwise\.(?:ya?ml|json)$/.test(path)) return []
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && plain(documents[0])
  const said = isRecord(value) ? asked.flatMap((word) => (value[word] === undefined ? [] : [[word, value[word]]])) : []
  return said.length === 0 ? [] : [fact(file, 'it says what is read and compared', path, said)]
}

/** Attributes of git that say how files are shown, merged or kept, and nothing of which are used. */
const plainAttributes =
  /^[-!]?(?:text|eol|crlf|binary|diff|merge|filter|whitespace|conflict-marker-size|delta|encoding|ident|working-tree-encoding|lockable|linguist-[\w-]+|gitlab-[\w-]+|codeowners|export-subst)(?:=|$)/

/** Facts of git attributes: line endings where the contents of files are values, and attributes by which programs may choose files. */
export async function attributeFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, name, text, policies, repository } = file
  if (name !== '.gitattributes') return []
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#|$)/.test(line))
  const found: Fact[] = []
  const isValue = policies.inTerraform && repository.texts(isConfiguration).some((each) => /<<|file|sha|md5/.test(each.text))
  const endings = lines.filter((line) => /\s-?!?(?:text|eol|crlf)\b/.test(line))
  if (isValue && endings.length > 0) found.push(fact(file, 'it sets the line endings of files whose contents are values', path, endings))
  const chosen = lines.filter((line) =>
    line
      .trim()
      .split(/\s+/)
      .slice(1)
      .some((word) => !plainAttributes.test(word)),
  )
  const { programs } = chosen.length === 0 ? { programs: [] } : await reachOf(file)
  const by = programs.find((each) => /\battr\b|check-attr|\barchive\b|attributes|[gG]it/.test(each.text))
  if (by) found.push(fact(file, `\`${by.path}\` may choose files by its attributes`, path, chosen))
  return found
}
