import { groupAttributesOf, ownValue } from '../declared/attributes.ts'
import { membershipsOf } from '../parser/members.ts'
import type { Membership } from '../policy.ts'
import { isInSpan, type Span } from '../source.ts'
import type { UnknownNode } from '../tree.ts'
import { attributeOf } from './declarations.ts'
import { evaluate } from './evaluate.ts'
import type { Frame } from './frame.ts'
import { ignoresChanges } from './lifecycle.ts'
import type { Block, Body } from './syntax.ts'
import type { Value } from './types.ts'
import { unknownAt, withoutMarks } from './values.ts'

/** Users, groups of users and memberships, as configurations describe them. */

/** The types of users and groups, without the prefix, and the attribute that each is named by. */
const nameAttributes: Readonly<Record<string, string>> = { me_identity_user: 'login', me_identity_group: 'name' }

/** The attribute that a user or a group is named by; undefined for other types. */
export function nameAttribute(type: string, prefix: string): string | undefined {
  return type.startsWith(`${prefix}_`) ? ownValue(nameAttributes, type.slice(prefix.length + 1)) : undefined
}

/** The value of an attribute as it is applied: what `ignore_changes` keeps is not known. */
export function appliedValue(body: Body, name: string, frame: Frame, address: string): Value | undefined {
  const attribute = attributeOf(body, name)
  if (ignoresChanges(body, name))
    return unknownAt(attribute?.value ?? body.attributes[0] ?? (body.blocks[0] as Span), `${address}.${name}`, frame.scope)
  const value = attribute && evaluate(attribute.value, frame)
  return value?.kind === 'null' ? undefined : value
}

/** One instance of a resource that describes a user or a membership. */
interface MemberInstance {
  readonly block: Block
  readonly prefix: string
  readonly frame: Frame
  readonly address: string
  readonly perhaps: readonly UnknownNode[]
  readonly account: UnknownNode
}

/** The memberships that an instance of a resource describes. */
export function membershipsIn({ block, prefix, frame, address, perhaps, account }: MemberInstance): readonly Membership[] {
  const { body, head, labels } = block
  return membershipsOf({
    address,
    attributes: groupAttributesOf(labels[0] ?? '', prefix) ?? [],
    valueOf: (name) => {
      // The service sets the URN of a user: no argument does.
      const value = name === 'urn' ? undefined : appliedValue(body, name, frame, address)
      return value && withoutMarks(value)
    },
    placeOf: (name, value) => {
      const written = attributeOf(body, name)?.value ?? head
      return isInSpan(value, written) ? value : written
    },
    span: head,
    scope: frame.scope,
    perhaps: perhaps.map((each) => withoutMarks(each)),
    account: withoutMarks(account),
  })
}
