import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { position } from '../source.ts'

export interface NoteFacts {
  readonly zones: readonly string[]
  readonly tagKeys: readonly string[]
  readonly groupPatterns: readonly string[]
  readonly permits: number
  readonly forbids: number
  readonly doubts: readonly Diagnostic[]
}

const code = (text: string) => `\`${visible(text).replaceAll('`', "'")}\``
const items = (strings: readonly string[]) => strings.map((text) => `- ${text}\n`).join('')
const count = (n: number, word: string) => `${n} ${n === 1 ? word : `${word}s`}`

/** How to enforce the exported policies, in Markdown. */
export function cedarNotes({ zones, tagKeys, groupPatterns, permits, forbids, doubts }: NoteFacts): string {
  const clocks =
    zones.length === 0
      ? 'an empty record: no condition uses a clock'
      : `for each of ${zones.map(code).join(', ')} the local time at that instant: \`date\` as year * 10000 + month * 100 + day, \`hour\` from 0 to 23, \`weekday\` from 1 (Monday) to 7 (Sunday). Cedar has no time zones and no days of the week`
  return `# Enforcing with these policies

\`policies.cedar\` has ${count(permits, 'permit')} and ${count(forbids, 'forbid')} made from policies, and two additional ones: the owning account is
never restricted, and incomplete requests are forbidden. \`entities.json\` has the entities of the world. Both conform to
\`schema.cedarschema\`. Have Cedar validate requests with it: otherwise a value of the wrong type silently disables a policy.

## A request

- principal: \`Account::"<urn>"\` for the account itself, \`Identity::"<urn>"\` for every other identity. Its parents are its
  groups, \`Group::"<urn>"\`. Add identities that are not in \`entities.json\` as entities.
- action: \`Action::"call"\`. The name of the action is \`context.action\`, because action patterns are matched as strings.
- resource: \`Resource::"<urn>"\`, with \`urn\`, \`type\` and \`name\` (the parts of the URN), \`owner\` when it is known, and its tags as
  entity tags. \`tagsKnown\` is true if these are all of its tags; otherwise, what depends on a tag is denied.
- \`context.now\`: the instant of the request. \`context.clock\`: ${clocks}.
- \`context.ip\`: the source address; an IPv4-mapped IPv6 address as the IPv4 address. Without it, what depends on it is denied.

${tagKeys.length === 0 ? 'No condition uses a tag.' : `Conditions use these tags: ${tagKeys.map(code).join(', ')}.`}
${
  groupPatterns.length === 0
    ? ''
    : `
These entries match groups of identities: ${groupPatterns.map(code).join(', ')}. In Cedar each is a \`Group\` with the matching groups as
members. Add groups that are not in \`entities.json\` as entities with these as parents; otherwise denies do not apply to their members.
`
}
## Differences

- If a fact is missing, grantwise answers unknown, and Cedar denies.
- Cedar returns no entries, caveats and reasons; see \`@policy\` and \`@source\` of the determining policies.
- Membership, tags and owners are those in \`entities.json\`. Export again when they change.
- Permissions that the service grants itself only count if they are in the policies.

## Unknown facts

${
  doubts.length === 0
    ? 'None.\n'
    : `The policies are conservative about these: they only grant what is certain, and forbid what may be denied.\n\n${items(
        doubts.map(({ message, span }) => {
          const { line, column } = position(span.source, span.start)
          return `${visible(span.source.path)}:${line}:${column}: ${visible(message)}`
        }),
      )}`
}`
}
