import { digest, type Entry, type Node } from '../tree.ts'
import { kindOfPulumi } from './attributes.ts'
import type { Side } from './plan.ts'
import {
  contentOf,
  type Declaration,
  type Declared,
  entriesOf,
  itemsOf,
  listNode,
  mapAt,
  nameAt,
  spanOf,
  textOf,
  unknownAt,
  valueAt,
} from './record.ts'

/** Whether a document is what `pulumi preview --json` writes. */
export function isPreview(document: Node): boolean {
  return itemsOf(valueAt(document, 'steps')).some(
    (step) => textOf(valueAt(step, 'op')) !== undefined && textOf(valueAt(step, 'urn')) !== undefined,
  )
}

/** The marker of Pulumi for a value that is not known yet. */
const placeholder = '04da6b54-80e4-46f7-96ec-b56ff0331ba9'
/** The key of a map that is no map but something special, a secret for example. */
const special = '4dabf18193072939515e22adb298388d'
const masked = '[secret]'

/** The steps of which something is there on a side, and the state that says what. */
const states: Readonly<Record<Side, { readonly name: string; readonly steps: readonly (string | undefined)[] }>> = {
  before: { name: 'oldState', steps: ['same', 'update', 'delete', 'delete-replaced', 'refresh', 'discard'] },
  after: { name: 'newState', steps: ['same', 'update', 'create', 'create-replacement', 'import', 'refresh'] },
}

/** The records that a preview leads to, or that are there before it. */
export function readPreview(document: Node, side: Side, brand: string): Declaration {
  const scope = document.source.path
  const { name, steps } = states[side]
  let whole: string | undefined
  const records = itemsOf(valueAt(document, 'steps')).flatMap((step): readonly Declared[] => {
    if (!steps.includes(textOf(valueAt(step, 'op')))) return []
    const state = valueAt(step, name) ?? valueAt(step, 'newState') ?? valueAt(step, 'oldState')
    const address = textOf(valueAt(step, 'urn')) ?? ''
    const kind = kindOfPulumi(textOf(valueAt(state, 'type')) ?? '', brand)
    if (!state || !kind) return []
    const inputs = valueAt(state, 'inputs')
    const short = address.split('::').at(-1) ?? address
    // A secret in a state that stays the same has one value; for others, nothing says whether it changes.
    const isSame = textOf(valueAt(step, 'op')) === 'same'
    const attributes = visibleEntries(inputs, short, isSame ? 'same' : side === 'after' ? `after ${content()}` : 'before')
    const written = valueAt(state, 'outputs', 'urn')
    const id = textOf(valueAt(state, 'id'))
    const urn = [written, valueAt(state, 'id')].find((each) => each?.kind === 'text' && each.value.startsWith('urn:v1:'))
    const isGiven = urn === undefined && kind === 'resourceGroup' && id !== undefined && id !== '' && id !== placeholder
    return [
      {
        kind,
        address,
        attributes,
        span: spanOf(inputs ?? state),
        ...(kind !== 'policy' && (urn ? { urn } : isGiven ? {} : { urn: nameAt(state, `${short}.urn`, `${scope} ${address}`) })),
        ...(id !== undefined && id !== placeholder && { id }),
      },
    ]
  })
  return { records: side === 'after' ? tied(records, document) : records, diagnostics: [] }

  function content(): string {
    whole ??= digest(document.source.text)
    return whole
  }

  function known(value: Node, path: string, open: string): Node {
    if (value.kind === 'text' && (value.value === placeholder || value.value === masked)) return unknownAt(value, path, scope, open)
    if (value.kind === 'list') {
      const items = value.items.map((item, i) => known(item, `${path}[${i}]`, open))
      return listNode(value, items)
    }
    if (value.kind !== 'map') return value
    // The text of a secret is encrypted: the same one is the same secret.
    return valueAt(value, special) ? unknownAt(value, path, scope, contentOf(value)) : mapAt(value, visibleEntries(value, path, open))
  }

  /** Those of the provider itself, which begin with `__`, are left out. */
  function visibleEntries(node: Node | undefined, path: string, open: string): readonly Entry[] {
    const entries = entriesOf(node).filter(({ key }) => !key.value.startsWith('__'))
    return entries.map(({ key, value }) => ({ key, value: known(value, `${path}.${key.value}`, open) }))
  }
}

/** Tie names that are not known to the groups that a property depends on, where as many are unknown as it depends on. */
function tied(records: readonly Declared[], document: Node): readonly Declared[] {
  const names = new Map(records.flatMap(({ address, urn }) => (urn?.kind === 'unknown' ? [[address, urn] as const] : [])))
  if (names.size === 0) return records
  const stepOf = new Map(itemsOf(valueAt(document, 'steps')).map((step) => [textOf(valueAt(step, 'urn')) ?? '', step]))
  return records.map((record) => ({
    ...record,
    attributes: record.attributes.map(({ key, value }) => {
      const dependencies = itemsOf(valueAt(stepOf.get(record.address), 'newState', 'propertyDependencies', key.value)).map(
        (each) => textOf(each) ?? '',
      )
      const groups = [...new Set(dependencies)].map((each) => names.get(each))
      const unknowns = value.kind === 'list' ? value.items.filter(({ kind }) => kind === 'unknown') : []
      if (value.kind !== 'list' || unknowns.length === 0 || unknowns.length !== groups.length || groups.includes(undefined))
        return { key, value }
      const items = value.items.map((item) => {
        const name = groups[unknowns.indexOf(item)]
        return item.kind === 'unknown' && name ? { ...name, ...spanOf(item) } : item
      })
      return { key, value: listNode(value, items) }
    }),
  }))
}
