import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import type { Node } from '../tree.ts'
import { type ChangedFile, type Fact, fact, type Policies, type Repository } from './facts.ts'
import { isConfiguration, isObject, isYaml } from './kinds.ts'
import { choosesByName } from './loops.ts'
import type { Consumer } from './reach.ts'
import { programsIn, sendersOf } from './senders.ts'
import { writtenValue } from './written.ts'

/** Comments that are instructions to a template engine. */
const acting = /^\s*#(?:@|.*(?:\{[{%#]|[#%}]\}))|#\s?(?:[\w.-]+-set(?:ters?)?:|\{\s*"\$)/

/** Keywords that git replaces in an archive or a checkout, where attributes say so. */
const keyword = /\$(?:Format:|Id(?:\$|:))/

/** Facts of what is replaced in policies before they are applied: comments that a template engine acts on, and keywords of git. */
export function templateFacts({ path, text, policies }: ChangedFile): readonly Fact[] {
  if (!policies.files.includes(path)) return []
  const lines = text.split(/\r?\n/)
  const linesWith = (pattern: RegExp) => lines.flatMap((line, i) => (pattern.test(line) ? [`${i} ${line}`] : []))
  const [acted, replaced] = [isYaml(path) ? linesWith(acting) : [], linesWith(keyword)]
  return [
    ...(acted.length > 0 ? [fact({ path }, 'a template engine may act on its comments', path, acted, lines.length)] : []),
    ...(replaced.length > 0 ? [fact({ path }, 'git may put something else in the place of a keyword', path, replaced)] : []),
  ]
}

/** The program that takes a file of policies by its name, in one of two states: see `choosesByName`. */
export type ChooserOf = (path: string) => Consumer | undefined

export async function chooserIn(policies: Policies, before: Repository, after: Repository): Promise<ChooserOf> {
  const [now, old] = [
    { policies, repository: after },
    { policies, repository: before },
  ]
  const [first, second] = [choosesByName(await programsIn(now), now), choosesByName(await programsIn(old), old)]
  return (path) => first(path) ?? second(path)
}

/**
 * Facts of the files of policies where programs deploy them: their paths, by which programs choose files, and other parts that
 * programs may look at. `chooserOf`: the program that takes a file by its name.
 */
export async function placeFacts(policies: Policies, repository: Repository, chooserOf?: ChooserOf): Promise<readonly Fact[]> {
  const around = { policies, repository }
  const paths = new Set(repository.paths)
  const programs = await programsIn(around)
  const senderOf = await sendersOf(around)
  const facts: Fact[] = []
  for (const path of policies.files) {
    if (!paths.has(path)) continue
    const text = repository.text(path) ?? ''
    if (isConfiguration(path)) {
      const chooser = programs.find(({ text: own }) => targets.test(own) || (looksAtText.test(own) && /\.tf\b/.test(own)))
      if (chooser) facts.push(fact({ path }, `\`${chooser.path}\` may choose by what is in it`, path, text))
      continue
    }
    const by = senderOf(text)
    if (by === undefined) continue
    const chooser = chooserOf === undefined || isObject(text) ? by : chooserOf(path)
    if (chooser) facts.push(fact({ path }, `\`${chooser.path}\` chooses files by their paths`, path, repository.isExecutable(path)))
    const seen = await seenIn(path, text, programs)
    if (seen !== undefined) facts.push(fact({ path }, `\`${seen.by}\` may choose by what is in it`, path, seen.mark))
  }
  return facts
}

/** Programs that search the raw text of files: their matches may be in comments. */
const looksAtText =
  /(?:^[ \t\ufeff]*|(?:[;&(){]|\b(?:if|then|do|while|!)|\bcat\s[^|\n]{0,1000}\|)\s*)(?:!\s*)?(?:[ef]?grep|rg|git\s+grep|sed|awk|head|tail|md5sum|sha\d+sum|cksum|wc)\b|-exec\s+[ef]?grep|xargs\s[^\n]{0,1000}grep|\bre\.\w+\(|\bin\s+(?:\w*text|raw|body|\w*contents?|\w*source|src|data|line|first)\b|(?<!name|path|file|stem|suffix|rel|base|ext|entry|f|p)\.(?:includes|match|test|contains|startswith|startsWith|indexOf|starts_with)\(|strings\.(?:Contains|HasPrefix)\((?!\w*(?:name|path|file)\b)|bytes\.Contains|regexp\.|include\?|=~\s*\/|hashlib|createHash|readline|\bread\s+-r\s+\w+\s*<|lookup\((?!\s*['"]env\b|\s*['"]file['"][^)|]*\)\s*\|\s*from_)|regex_search|\.splitlines|\bgit['",\s]{1,6}(?:log|blame|show|shortlog)\b|content-based/im

/** Programs that send the files that a push changes: a policy that is written in another way, or once more, is sent. */
const sendsChanged =
  /\bgit['",\s]{1,6}(?:diff|diff-tree|show|log|whatchanged)\b[^\n]{0,1000}--(?:name-only|name-status|diff-filter)|changed[-_]files|list-files|\bgit\.(?:diff|changed)/i

/** Programs that apply some resources of a configuration by their addresses. */
const targets = /\b(?:terraform|tofu|terragrunt)\b[\s\S]{0,400}?-(?:target|replace)[=\s"'\\]{1,8}(?:[\w-]{1,100}\.|\$)/

/** Programs that look at how large files are, and at the places of items in lists. */
const looksAtSize = /\s-size\s|getsize|st_size|\.Size\(\)|\bwc\s+-c|\bstat\s+-|File\.size|statSync|byteLength/
const looksAtOrder =
  /\.\[-?\d|\[-?\d+\]|\[\d*:-?\d*\]|\.first\b|\.last\b|\bfirst\(|\blast\(|\.at\(|\.slice\(|\.take\(|islice|\bnth\b|Select-Object -First/
/** Programs that depend on the order of items in other ways: they count, stop, or keep earlier items. */
const countsItems =
  /\b(?:break|return|exit|throw|raise|die|enumerate|zip|next|index|reduce|fold|accumulate|shift|pop|limit|range|count|until|last|first|prev\w*|seen|merge|assign|update)\b|\+\+|\+=|\.entries\(|\bi\b|[Oo]rder|fail-fast|-[Bb]reak/
/** Programs that load the first document of a file. */
const loadsFirst = /\bYAML\.(?:\w+_)?load(?:_file)?\b/

/** A key for an item of a list: its name, else its whole value. */
function titleOf(item: Node): unknown {
  const name = item.kind === 'map' ? item.entries.find(({ key }) => key.value === 'name') : undefined
  return writtenValue(name ? name.value : item)
}

/** Fields that decide who may do what: these are compared as access. */
const access: ReadonlySet<string> = new Set(
  'identities resources permissions allow except deny permissionsGroups permissions_groups conditions expiredAt expired_at urn action'.split(
    ' ',
  ),
)

/** The part of a file of policies that programs may look at, other than access: values under keys that they name, or the whole text. */
async function seenIn(path: string, text: string, programs: readonly Consumer[]) {
  const reader = programs.find((each) => looksAtText.test(each.text) || sendsChanged.test(each.text))
  if (reader) return { by: reader.path, mark: text }
  const weigher = programs.find((each) => looksAtSize.test(each.text))
  if (weigher) return { by: weigher.path, mark: text.length }
  const { documents } = await treeOf(sourceOf(path, text))
  const isList = documents.length === 1 && documents[0]?.kind === 'list'
  const picker =
    documents.length > 1 || isList
      ? programs.find((each) => looksAtOrder.test(each.text) || (!isList && loadsFirst.test(each.text)))
      : undefined
  if (picker) return { by: picker.path, mark: documents.flatMap((each) => (each.kind === 'list' ? each.items : [each])).map(titleOf) }
  const values = documents.flatMap((each) => valuesIn(each))
  const isOrdered = programs.some((each) => countsItems.test(each.text))
  for (const { path: by, text: words } of programs) {
    // The name of a step of a pipeline is none that it looks for.
    const wordsSeen = new Set((isYaml(by) ? words.replace(/(?<!\\)"(?:name|description)":/g, ' ') : words).match(/[\w-]+/g))
    const mark = values.filter(([key]) => wordsSeen.has(key))
    if (mark.length > 0) return { by, mark: isOrdered ? mark : mark.map((each) => JSON.stringify(each)).sort() }
  }
  return undefined
}

function valuesIn(node: Node): readonly (readonly [string, unknown])[] {
  if (node.kind === 'list') return node.items.flatMap(valuesIn)
  if (node.kind !== 'map') return []
  return node.entries.flatMap(({ key, value }) =>
    access.has(key.value) ? [] : [[key.value, writtenValue(value)] as const, ...valuesIn(value)],
  )
}
