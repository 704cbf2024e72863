import { groupAttributesOf } from '../declared/attributes.ts'
import { isPlan, readDeclared, type Side } from '../declared/declared.ts'
import type { DeclaredMember } from '../declared/record.ts'
import { withoutOverlaps } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { Membership } from '../policy.ts'
import type { Source } from '../source.ts'
import { field, unknownsIn } from '../tree.ts'
import { ignoreComments } from './comments.ts'
import { membershipsOf } from './members.ts'
import { settled } from './memberships.ts'
import type { ReadSource } from './read.ts'
import { toPolicies } from './read-open.ts'
import { type Reading, syntaxError } from './reading.ts'

/** The policies that a tool describes in a text; undefined where no document is one of a tool. */
export async function readDeclaredText(source: Source, reading: Reading, settings: Settings, side: Side): Promise<ReadSource | undefined> {
  const { notation } = source
  const { formatIn, brand, resourcePrefix = brand } = settings
  const stranger = formatIn === 'tfplan' ? reading.documents.find((document) => !isPlan(document)) : undefined
  if (stranger) {
    const help = 'write it with `terraform show -json PLAN`'
    const { start } = stranger
    const diagnostics = [
      ...reading.diagnostics,
      syntaxError(source, start, Math.min(start + 1, source.text.length), 'this is no plan in JSON', help),
    ]
    return toPolicies(source, { ...reading, documents: [], diagnostics }, settings)
  }
  const declared = readDeclared(reading.documents, resourcePrefix, side, settings.adjacent)
  if (!declared) return undefined
  const { documents, members, addresses, ids, isOutput } = declared
  const unknowns = unknownsIn(documents)
  const read = await toPolicies(source, { ...reading, documents, unknowns }, settings)
  const diagnostics = withoutOverlaps([...read.diagnostics, ...declared.diagnostics])
  const memberships = members.flatMap((member) => membershipsIn(member, resourcePrefix))
  return {
    ...read,
    facts: memberships.length > 0 ? { ...read.facts, memberships, settle: settled } : read.facts,
    kind: 'declared',
    // A fix is written for policies as the service writes them.
    diagnostics: diagnostics.map(({ fix: _, ...rest }) => rest),
    holdsPolicies: read.holdsPolicies || declared.diagnostics.length > 0,
    ignores: notation === 'json' ? [] : ignoreComments(source, reading.documents),
    addresses,
    ids,
    isOutput,
  }
}

/** The memberships of a user, or the one that a resource describes. */
function membershipsIn({ type, address, value, span, perhaps = [] }: DeclaredMember, prefix: string): readonly Membership[] {
  return membershipsOf({
    address,
    attributes: groupAttributesOf(type, prefix) ?? [],
    valueOf: (name) => field(value, name),
    placeOf: (_, each) => each,
    span,
    scope: span.source.path,
    perhaps,
  })
}
