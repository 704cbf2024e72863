import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import type { EditorFile, Workspace } from '../../src/editor/model.ts'
import type { Completion, TextEdit } from '../../src/editor/types.ts'
import { editorFile, purposeOf, workspaceOf } from '../../src/editor/workspace.ts'
import { defaultSettings } from '../../src/names.ts'
import { isActionLines, isMarkdown } from '../../src/parser/tree.ts'
import { notationOf, type Source, sourceOf } from '../../src/source.ts'
import { readSources } from '../../src/sources/read.ts'
import { allReaders } from '../../src/sources/readers.ts'
import { Zones } from '../../src/zones.ts'

/** 2026-11-23 00:00 UTC. */
export const now = Date.UTC(2026, 10, 23)
const catalogue = loadCatalogue()
const operations = loadOperations()
const settings = { ...defaultSettings, zones: new Zones() }

export const sourceAt = (path: string, text: string): Source =>
  sourceOf(path, text, isMarkdown(path) ? 'markdown' : isActionLines(path) ? 'actions' : (notationOf(path) ?? 'yaml'))

/** A workspace over texts by their paths, read as the linter reads them. */
export async function workspaceFrom(
  texts: Readonly<Record<string, string>>,
  committed?: Readonly<Record<string, string>>,
): Promise<Workspace> {
  const sources = Object.entries(texts).map(([path, text]) => sourceAt(path, text))
  const given = sources.filter(({ path }) => purposeOf(path) === 'policies').map((source) => ({ source, isNamed: true }))
  const { each } = await readSources(given, settings, allReaders)
  const reads = new Map(each.map(({ source, read }) => [source.path, read]))
  const files = new Map(sources.map((source): [string, EditorFile] => [source.path, editorFile({ source, read: reads.get(source.path) })]))
  return workspaceOf({
    files,
    catalogue,
    settings,
    now,
    docs: 'https://docs.example',
    operations: () => operations,
    committed: (path) => committed?.[path],
    readWith: async (source) => {
      const all = given.map((each) => (each.source.path === source.path ? { ...each, source } : each))
      return (await readSources(all, settings, allReaders)).each
    },
  })
}

/** A workspace with one file that has a mark, `|`, at the cursor; other files next to it. */
export async function marked(path: string, text: string, others: Readonly<Record<string, string>> = {}) {
  const offset = text.indexOf('|')
  if (offset < 0) throw new Error('no cursor')
  const workspace = await workspaceFrom({ ...others, [path]: text.slice(0, offset) + text.slice(offset + 1) })
  return { workspace, file: workspace.files.get(path) as EditorFile, offset }
}

/** A text with edits made, none of which overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((out, { start, end, text: to }) => out.slice(0, start) + to + out.slice(end), text)
}

/** A completion inserted, its places filled: its blanks as editors put them, those that the line begins with. */
export function inserted(
  text: string,
  { insert, range, extra = [] }: Completion,
  fill = '',
): { readonly text: string; readonly start: number; readonly end: number } {
  const line = text.lastIndexOf('\n', range.start - 1) + 1
  const blanks = (/^[ \t]*/.exec(text.slice(line, range.start)) as RegExpExecArray)[0]
  const plain = filled(insert, fill).replaceAll('\n', `\n${blanks}`)
  const shift = extra.reduce((sum, edit) => sum + (edit.start <= range.start ? edit.text.length - (edit.end - edit.start) : 0), 0)
  return { text: edited(text, [{ ...range, text: plain }, ...extra]), start: range.start + shift, end: range.start + shift + plain.length }
}

/** A snippet as a text. */
export function filled(snippet: string, fill = ''): string {
  return snippet.replace(/\\([\\$}])|\$(\d)|\$\{\d\|([^,|]*)[^|]*\|\}|\$\{\d:([^}]*)\}/g, (_, plain, stop, first, given) =>
    plain !== undefined ? plain : stop !== undefined ? fill : (first ?? given),
  )
}
