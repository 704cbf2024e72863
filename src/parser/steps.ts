import { lineStarts, position, type Source, type Span, sourceOf } from '../source.ts'
import { field, type MapNode, type Node, type TextNode } from '../tree.ts'
import { type CommandText, type CommandTexts, commandTexts, hasPolicyWord, isServiceAddress, literalText } from './commands.ts'
import { type IgnoreComment, ignoreInComment } from './comments.ts'
import { scalarPlaces } from './scalars.ts'
import { treeOf } from './tree.ts'

/**
 * The scripts in the steps of pipelines, such as workflows of GitHub and jobs of GitLab, and the JSON that is given to actions.
 */

/** Keys whose values are shell scripts: a string, or a list with a line in each item. */
const scriptKeys: ReadonlySet<string> = new Set(['run', 'script', 'before_script', 'after_script'])

/** The strings in a pipeline that may hold policies. */
export async function stepTexts(source: Source): Promise<CommandTexts> {
  if (!hasPolicyWord(source.text) && !isServiceAddress(source.text)) return { texts: [], ignores: [], files: [] }
  // Anchors, aliases and tags are usual here: what is reported about them does not matter.
  const { documents } = await treeOf(sourceOf(source.path, source.text, 'yaml'))
  const all: CommandTexts[] = []
  for (const document of documents) {
    const scripts: string[] = []
    visit(document, source, 'none', all, undefined, scripts)
    if (scripts.length > 0) visitAnchored(document, source, new Set(scripts), all)
  }
  const texts = all.flatMap((each) => each.texts)
  return {
    texts,
    ignores: all.flatMap(({ ignores }) => ignores),
    files: all.flatMap(({ files }) => files),
    isCut: all.some((each) => each.isCut),
  }
}

/** The place of a node in a pipeline: a value given to an action is never a script. */
type Place = 'none' | 'script' | 'input'

/** Readers bound how deep a tree is. `aliases`: where the names of aliases go that stand for scripts. */
function visit(node: Node, source: Source, place: Place, all: CommandTexts[], siblings: MapNode | undefined, aliases: string[]): void {
  if (node.kind === 'list') for (const item of node.items) visit(item, source, place, all, siblings, aliases)
  else if (node.kind === 'text') {
    const alias = place === 'script' ? aliasIn(node, source) : undefined
    if (alias === undefined) all.push(scalarTexts(node, source, place, siblings))
    else aliases.push(alias)
  } else if (node.kind === 'map') {
    const isShell = isShellStep(node)
    for (const { key, value } of node.entries) {
      if (place === 'input') visit(value, source, 'input', all, node, aliases)
      else if (scriptKeys.has(key.value) && isShell) visit(value, source, 'script', all, node, aliases)
      else visit(value, source, key.value === 'with' ? 'input' : 'none', all, node, aliases)
    }
  }
}

/** The name in an alias: the reader of YAML keeps it as a text that is written without quotes. */
function aliasIn({ value, start, end }: TextNode, { text }: Source): string | undefined {
  return value.startsWith('*') && text.slice(start, end) === value ? value.slice(1) : undefined
}

/**
 * Reads what the aliases of scripts stand for as scripts, such as `.setup: &setup [...]`. Where its key is one of scripts, it was read there.
 */
function visitAnchored(node: Node, source: Source, names: ReadonlySet<string>, all: CommandTexts[]): void {
  if (node.kind === 'list') for (const item of node.items) visitAnchored(item, source, names, all)
  if (node.kind !== 'map') return
  for (const { key, value } of node.entries) {
    if (scriptKeys.has(key.value)) continue
    const anchor = /^\s*&(\S+)\s/.exec(source.text.slice(key.end, value.start).replace(/^["']?\s*:/, ''))?.[1]
    if (anchor !== undefined && names.has(anchor)) visit(value, source, 'script', all, undefined, [])
    else visitAnchored(value, source, names, all)
  }
}

/** Whether the shell of a step is one of those that are read. */
function isShellStep(step: MapNode): boolean {
  const shell = field(step, 'shell')
  return shell?.kind !== 'text' || /^(?:bash|sh|zsh|dash|ksh)\b/.test(shell.value)
}

function scalarTexts(node: TextNode, source: Source, place: Place, siblings: MapNode | undefined): CommandTexts {
  const nothing = { texts: [], ignores: [], files: [] }
  if (!hasPolicyWord(node.value) && !(place === 'script' && isServiceAddress(node.value))) return nothing
  const inFile = { ...node, source }
  const places = scalarPlaces(inFile)
  if (!places) return nothing
  const script = { text: node.value, ...places, hasExpressions: true }
  const above = ignoreAbove(inFile)
  const ignored = <T extends CommandText>(text: T): T => (above && !text.ignore ? { ...text, ignore: above } : text)
  if (place !== 'script') {
    const isSent = siblings?.entries.some(({ value }) => value.kind === 'text' && value !== node && isServiceAddress(value.value)) === true
    const text = literalText(source, script, isSent)
    return text ? { ...nothing, texts: [ignored(text)], ignores: above ? [above] : [] } : nothing
  }
  const { texts, ignores, ...rest } = commandTexts(source, script)
  return { ...rest, texts: texts.map(ignored), ignores: above && texts.length > 0 ? [above, ...ignores] : ignores }
}

/** The comment of YAML right above the line that a string begins on. */
function ignoreAbove({ source, start, end }: Span): IgnoreComment | undefined {
  const starts = lineStarts(source)
  const { line } = position(source, start)
  for (let above = line - 1; above > 0; above--) {
    const from = starts[above - 1] as number
    const written = source.text.slice(from, starts[above] as number)
    const indentation = written.length - written.trimStart().length
    if (written[indentation] !== '#') return undefined
    const ignore = ignoreInComment({ source, start: from + indentation, end: from + written.trimEnd().length })
    if (ignore) return { ...ignore, line, lastLine: position(source, end).line }
  }
  return undefined
}
