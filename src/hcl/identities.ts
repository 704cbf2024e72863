import { openFact } from '../parser/policy.ts'
import type { Membership } from '../policy.ts'
import { isInSpan, type Span } from '../source.ts'
import type { Entry, Node, UnknownNode } from '../tree.ts'
import { attributeOf } from './declarations.ts'
import { evaluate } from './evaluate.ts'
import type { Frame } from './frame.ts'
import { ignoresChanges } from './lifecycle.ts'
import type { Block, Body } from './syntax.ts'
import type { Value } from './types.ts'
import { isUnknown, mapAt, spanOf, textNode, textOf, unknownAt, withoutMarks } from './values.ts'

/** Users, groups of users and memberships, as configurations describe them. */

/** The types of users and groups, without the prefix, and the attribute that each is named by. */
const nameAttributes: Readonly<Record<string, string>> = { me_identity_user: 'login', me_identity_group: 'name' }

/** Types that put users into groups: the attributes with the names of groups. */
const groupAttributes: Readonly<Record<string, readonly string[]>> = {
  me_identity_user: ['group', 'groups'],
  me_identity_group_membership: ['group'],
}

/** The group that a user is in whose own group is not given. */
const defaultGroup = 'DEFAULT'

/** The attribute that a user or a group is named by; undefined for other types. */
export function nameAttribute(type: string, prefix: string): string | undefined {
  return ownEntry(nameAttributes, type, prefix)
}

/** Whether resources of a type are users, or put users into groups. */
export function describesMembers(type: string, prefix: string): boolean {
  return ownEntry(groupAttributes, type, prefix) !== undefined
}

function ownEntry<T>(table: Readonly<Record<string, T>>, type: string, prefix: string): T | undefined {
  const word = type.startsWith(`${prefix}_`) ? type.slice(prefix.length + 1) : ''
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/** The value of an attribute as it is applied: what `ignore_changes` keeps is not known. */
export function appliedValue(body: Body, name: string, frame: Frame, address: string): Value | undefined {
  const attribute = attributeOf(body, name)
  if (ignoresChanges(body, name))
    return unknownAt(attribute?.value ?? body.attributes[0] ?? (body.blocks[0] as Span), `${address}.${name}`, frame.scope)
  const value = attribute && evaluate(attribute.value, frame)
  return value?.kind === 'null' ? undefined : value
}

/** One instance of a resource that describes members. */
export interface MemberInstance {
  readonly block: Block
  readonly prefix: string
  readonly frame: Frame
  readonly address: string
  readonly perhaps: readonly UnknownNode[]
  readonly account: UnknownNode
}

/** The memberships that an instance of a resource describes. */
export function membershipsOf({ block, prefix, frame, address, perhaps, account }: MemberInstance): readonly Membership[] {
  const { body, head, labels } = block
  const [type = ''] = labels
  const attributes = ownEntry(groupAttributes, type, prefix) ?? []
  const login = appliedValue(body, 'login', frame, address) ?? unknownAt(head, `${address}.login`, frame.scope)
  const groups = attributes.flatMap((name) => {
    const place = attributeOf(body, name)?.value ?? head
    return groupsIn(appliedValue(body, name, frame, address)).map((value) => ({ value, place: isInSpan(value, place) ? value : place }))
  })
  const isUser = attributes.length > 1
  const isGiven = attributes[0] !== undefined && appliedValue(body, attributes[0], frame, address) !== undefined
  const standard = isUser && !isGiven ? [textNode(head, defaultGroup)] : []
  const one = (group: Value | undefined, place: Span, why: readonly UnknownNode[] = []): Membership => {
    const entries: readonly Entry[] = [
      { key: textNode(head, 'login'), value: login },
      ...(group ? [{ key: textNode(head, 'group'), value: group }] : []),
    ]
    const node = withoutMarks({ ...mapAt(head, entries), perhaps: [...perhaps, ...why], account })
    const [loginNode, groupNode] = node.entries.map(({ value }) => value)
    const unknowns = [...(node.perhaps ?? []), ...[loginNode, groupNode].flatMap((each) => (each && isUnknown(each) ? [each] : []))]
    return {
      login: piecesOf(loginNode as Node),
      group: groupNode && piecesOf(groupNode),
      perhaps: unknowns.map(openFact),
      account: openFact(node.account as UnknownNode),
      address,
      span: spanOf(place),
    }
  }
  return [
    ...(isUser ? [one(undefined, head)] : []),
    ...groups.map(({ value, place }) => one(value, place)),
    // The service gives a user a group where none is written; which one is taken from its documentation, and not certain.
    ...standard.map((group) => one(group, head, [unknownAt(head, `${address}.group`, frame.scope)])),
  ]
}

/** The names of groups in a value: one, or a list of them. */
function groupsIn(value: Value | undefined): readonly Value[] {
  if (!value) return []
  return value.kind === 'list' ? value.items.filter(({ kind }) => kind !== 'null') : [value]
}

/** The literal strings of a name around what is not known. */
function piecesOf(value: Node): readonly string[] {
  const text = textOf(value)
  if (text !== undefined) return [text]
  return value.kind === 'unknown' ? value.pieces : ['', '']
}
