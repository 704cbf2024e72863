import { addTo } from '../collections.ts'
import type { Node } from '../tree.ts'

/** The kind of name that a text is, by the field that holds it. */
export type Role = 'identity' | 'resource' | 'resourceGroup' | 'permissionsGroup' | 'action' | 'instant' | 'text'

/** The kind of value of a field; a field that is not listed holds strings. */
export interface Place {
  readonly role: Role
  /** The shape of its whole value. */
  readonly holds: 'text' | 'texts' | 'maps' | 'permissions' | 'condition'
  /** The field of its items that holds the name. */
  readonly key?: string
  /** The list or field that it is in. */
  readonly field: string
}

const fields: Readonly<Record<string, Omit<Place, 'field'>>> = {
  identities: { role: 'identity', holds: 'texts' },
  groups: { role: 'identity', holds: 'texts' },
  resources: { role: 'resource', holds: 'maps', key: 'urn' },
  permissionsGroups: { role: 'permissionsGroup', holds: 'maps', key: 'urn' },
  resourceGroups: { role: 'resourceGroup', holds: 'maps', key: 'urn' },
  permissions: { role: 'action', holds: 'permissions' },
  allow: { role: 'action', holds: 'maps', key: 'action' },
  except: { role: 'action', holds: 'maps', key: 'action' },
  deny: { role: 'action', holds: 'maps', key: 'action' },
  action: { role: 'action', holds: 'text' },
  conditions: { role: 'text', holds: 'condition' },
  expiredAt: { role: 'instant', holds: 'text' },
}

/** The place of a whole document. */
export const top: Place = { role: 'text', holds: 'text', field: '' }

/** The place under a key of a map. */
export function placeUnder(key: string, place: Place): Place {
  if (key === 'urn') return { role: place.role === 'text' ? 'resource' : place.role, holds: 'text', field: place.field }
  const fieldPlace = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (!fieldPlace) return { role: 'text', holds: 'text', field: key }
  return { ...fieldPlace, field: key === 'action' ? place.field : key }
}

/** Values that are taken for those that are not known, as they are written in the same documents, by field. */
export type Written = ReadonlyMap<string, readonly string[]>

/** The strings in documents, by the fields they are in. */
export function writtenIn(documents: readonly Node[]): Written {
  const valuesByKey = new Map<string, Set<string>>()
  const collect = (node: Node, place: Place) => {
    if (node.kind === 'list') for (const item of node.items) collect(item, place)
    else if (node.kind === 'map') for (const { key, value } of node.entries) collect(value, placeUnder(key.value, place))
    else if (node.kind === 'text') addTo(valuesByKey, fieldKey(place), node.value)
  }
  for (const document of documents) collect(document, top)
  return new Map([...valuesByKey].map(([key, texts]) => [key, [...texts]]))
}

/** A key for places whose strings are compared: names of one kind may be the same in all fields; other strings only in the same field. */
export function fieldKey({ role, field }: Place): string {
  return role === 'text' ? `text ${field}` : role
}
