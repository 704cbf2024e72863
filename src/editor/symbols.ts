import { compareText } from '../diagnostic.ts'
import { cut, shown } from '../report/safe.ts'
import { plural } from '../report/words.ts'
import { field } from '../tree.ts'
import { fuzzy } from './completion/candidates.ts'
import type { LooseEntry, LooseMap, LooseNode, LooseText } from './loose/nodes.ts'
import type { EditorFile, NameKind, Workspace } from './model.ts'
import { type Part, rangeInFile } from './parts.ts'
import type { DocumentSymbol, SymbolKind, WorkspaceSymbol } from './types.ts'

/** The outline of a file: what it describes by name, with its fields. */
export function documentSymbols({ parts, purpose }: EditorFile): readonly DocumentSymbol[] {
  return parts.flatMap((part) => part.documents.flatMap((document) => new Outline(part, purpose === 'tests').of(document)))
}

/** The most that a search finds. */
const mostFound = 200

/** The named objects of all files, by letters that the name has in this order. The best come first. */
export function workspaceSymbols({ files, settings }: Workspace, query: string): readonly WorkspaceSymbol[] {
  const ranked: { readonly rank: number; readonly symbol: WorkspaceSymbol }[] = []
  for (const file of files.values()) {
    for (const { kind, text, path, range } of file.definitions(settings)) {
      const rank = fuzzy(query, text)
      if (rank === undefined) continue
      const name = cut(shown(text), longestName)
      ranked.push({ rank, symbol: { name, detail: nameKinds[kind].detail, kind: nameKinds[kind].kind, place: { path, ...range } } })
    }
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || compareText(a.symbol.name, b.symbol.name))
    .slice(0, mostFound)
    .map(({ symbol }) => symbol)
}

const nameKinds: Readonly<Record<NameKind, { readonly kind: SymbolKind; readonly detail: string }>> = {
  policy: { kind: 'policy', detail: 'policy' },
  identity: { kind: 'identity', detail: 'identity' },
  resource: { kind: 'resource', detail: 'resource' },
  resourceGroup: { kind: 'group', detail: 'resource group' },
  permissionsGroup: { kind: 'group', detail: 'permissions group' },
}

/** The most entries of an outline: editors draw all of it. */
const mostSymbols = 5000
/** As much of a text as names a line of an outline. */
const longestName = 120

class Outline {
  private readonly part: Part
  private readonly isTests: boolean
  private left = mostSymbols

  constructor(part: Part, isTests: boolean) {
    this.part = part
    this.isTests = isTests
  }

  /** A document: an unnamed list or object shows what is in it. */
  of(document: LooseNode): readonly DocumentSymbol[] {
    if (document.kind === 'list') return document.items.flatMap((item, i) => this.item(item, i, ''))
    if (document.kind !== 'map') return []
    const title = titleOf(document)
    return title && kindByFields(document) === 'policy' ? [this.named(document, title, '')] : this.entries(document)
  }

  private entries(map: LooseMap): readonly DocumentSymbol[] {
    return map.entries.flatMap((entry) => this.entry(entry))
  }

  private entry(entry: LooseEntry): readonly DocumentSymbol[] {
    const { key, value, labels } = entry
    if (this.left-- <= 0) return []
    const whole = { start: key.start, end: Math.max(key.end, value.end) }
    const blockName = labels?.map(({ value }) => value).join('.')
    return [
      this.symbol(
        blockName || key.value,
        blockName ? key.value : detailOf(value),
        blockName !== undefined && value.kind === 'map' ? blockKind(entry) : value.kind === 'list' ? 'list' : 'field',
        whole,
        labels?.at(-1) ?? key,
        value.kind === 'list'
          ? value.items.flatMap((item, i) => this.item(item, i, key.value))
          : value.kind === 'map'
            ? this.entries(value)
            : [],
      ),
    ]
  }

  /** An item of a list. `list`: the field that holds it. */
  private item(item: LooseNode, index: number, list: string): readonly DocumentSymbol[] {
    if (this.left-- <= 0) return []
    if (item.kind === 'text') return [this.symbol(item.value, '', 'text', item, item, [])]
    if (item.kind === 'null') return []
    const title = item.kind === 'map' ? titleOf(item) : undefined
    if (item.kind === 'map' && title) return [this.named(item, title, list)]
    const children = item.kind === 'map' ? this.entries(item) : item.items.flatMap((inner, i) => this.item(inner, i, ''))
    return [this.symbol(`${index + 1}`, detailOf(item), item.kind === 'list' ? 'list' : 'field', item, item, children)]
  }

  private named(map: LooseMap, title: LooseText, list: string): DocumentSymbol {
    const kind = this.isTests && testLists.has(list) ? 'test' : (listKinds[list] ?? kindByFields(map))
    const isAll = map.entries.length === 1
    return this.symbol(title.value, kind === 'policy' ? policyDetail(map) : '', kind, map, title, isAll ? [] : this.entries(map))
  }

  private symbol(
    name: string,
    detail: string,
    kind: SymbolKind,
    range: { readonly start: number; readonly end: number },
    selection: { readonly start: number; readonly end: number },
    children: readonly DocumentSymbol[],
  ): DocumentSymbol {
    const { part } = this
    return {
      name: cut(shown(name), longestName) || '(no name)',
      detail: cut(shown(detail), longestName),
      kind,
      range: rangeInFile(part, range),
      selection: rangeInFile(part, selection),
      children,
    }
  }
}

/** The kind of a list's items, by the field that holds it. */
const listKinds: Readonly<Record<string, SymbolKind>> = {
  policies: 'policy',
  permissionsGroups: 'group',
  resourceGroups: 'group',
  resources: 'resource',
  identities: 'identity',
  allow: 'text',
  except: 'text',
  deny: 'text',
}

const testLists: ReadonlySet<string> = new Set(['tests', 'allow', 'deny', 'invariants'])

function kindByFields(map: LooseMap): SymbolKind {
  if (field(map, 'identities') || field(map, 'permissions')) return 'policy'
  return 'field'
}

function blockKind({ key, labels }: LooseEntry): SymbolKind {
  if (key.value === 'module') return 'module'
  const type = labels?.[0]?.value ?? ''
  if (type.endsWith('_iam_policy')) return 'policy'
  return /_iam_(?:permissions_group|resource_group)$/.test(type) ? 'group' : 'field'
}

/** The fields that a user knows an object by, in order of preference. */
const titles = ['name', 'urn', 'action', 'id', 'policy'] as const

function titleOf(map: LooseMap): LooseText | undefined {
  for (const key of titles) {
    const value = field(map, key) as LooseNode | undefined
    if (value?.kind === 'text' && value.value !== '') return value
  }
  return undefined
}

function policyDetail(map: LooseMap): string {
  const identities = field(map, 'identities')
  const permissions = field(map, 'permissions')
  const lists = permissions?.kind === 'map' ? permissions : map
  const parts = ['allow', 'except', 'deny'].flatMap((name) => {
    const list = field(lists, name)
    return list?.kind === 'list' && list.items.length > 0 ? [`${name} ${list.items.length}`] : []
  })
  return [...(identities?.kind === 'list' ? [plural(identities.items.length, 'identity')] : []), ...parts].join(', ')
}

function detailOf(node: LooseNode): string {
  if (node.kind === 'text') return node.value
  if (node.kind === 'list') return node.items.length === 0 ? '' : String(node.items.length)
  return ''
}
