import type { Membership } from '../policy.ts'
import type { Span } from '../source.ts'
import type { Node, TextNode, UnknownNode } from '../tree.ts'
import { openFact } from './policy.ts'

/** Users and memberships as tools describe them: resources of Terraform, by their attributes. */

/** The group that a user is in whose own group is not given. */
const defaultGroup = 'DEFAULT'

/** A resource that describes a user or a membership. */
export interface MemberResource {
  readonly address: string
  /** The attributes with the names of groups: see `groupAttributesOf`. */
  readonly attributes: readonly string[]
  /** The value of an attribute; undefined where it has none. */
  readonly valueOf: (name: string) => Node | undefined
  /** Where a value of an attribute is written. */
  readonly placeOf: (name: string, value: Node) => Span
  readonly span: Span
  readonly scope: string
  readonly perhaps: readonly UnknownNode[]
  readonly account?: UnknownNode
}

/** The user that a resource describes, and the groups that it puts a user into. */
export function membershipsOf(resource: MemberResource): readonly Membership[] {
  const { address, attributes, placeOf, span, scope, perhaps, account } = resource
  const resourcePlace = { source: span.source, start: span.start, end: span.end }
  const unknown = (name: string): UnknownNode => ({
    ...resourcePlace,
    kind: 'unknown',
    expression: `${address}.${name}`,
    scope,
    pieces: ['', ''],
  })
  const givenValue = (name: string) => {
    const value = resource.valueOf(name)
    return value && isGiven(value) ? value : undefined
  }
  const login = givenValue('login') ?? unknown('login')
  const urn = givenValue('urn')
  const membership = (group: Node | undefined, place: Span, why: readonly UnknownNode[] = []): Membership => {
    const unknowns = [...perhaps, ...why, ...[login, group].flatMap((each) => (each?.kind === 'unknown' ? [each] : []))]
    return {
      ...(urn?.kind === 'text' && { urn: urn.value }),
      login: piecesOf(login),
      group: group && piecesOf(group),
      perhaps: unknowns.map(openFact),
      ...(account && { account: openFact(account) }),
      address,
      span: { source: place.source, start: place.start, end: place.end },
    }
  }
  const groups = attributes.flatMap((name) => groupsIn(givenValue(name)).map((value) => membership(value, placeOf(name, value))))
  const [main = ''] = attributes
  if (attributes.length === 1) return groups
  // Which group the service chooses where none is written is taken from its documentation, and not certain.
  const standard: TextNode = { ...resourcePlace, kind: 'text', value: defaultGroup }
  return [
    membership(undefined, resourcePlace),
    ...groups,
    ...(givenValue(main) ? [] : [membership(standard, resourcePlace, [unknown(main)])]),
  ]
}

/** Whether a value is one to the provider, which leaves out `""` as it does `null`. */
function isGiven(value: Node): boolean {
  return value.kind !== 'null' && !(value.kind === 'text' && value.value === '')
}

/** The names of groups in a value: one, or a list of them. */
function groupsIn(value: Node | undefined): readonly Node[] {
  if (!value) return []
  return value.kind === 'list' ? value.items.filter(isGiven) : [value]
}

/** The literal strings of a name around what is not known. */
function piecesOf(value: Node): readonly string[] {
  if (value.kind === 'text') return [value.value]
  if (value.kind === 'number') return [String(value.value)]
  return value.kind === 'unknown' ? value.pieces : ['', '']
}
