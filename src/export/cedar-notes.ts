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
const items = (texts: readonly string[]) => texts.map((text) => `- ${text}\n`).join('')
const count = (n: number, word: string) => `${n} ${n === 1 ? word : `${word}s`}`

/** What somebody has to know who enforces with the exported policies, in Markdown. */
export function cedarNotes({ zones, tagKeys, groupPatterns, permits, forbids, doubts }: NoteFacts): string {
  const clocks =
    zones.length === 0
      ? 'an empty record: no condition looks at a clock'
      : `for each of ${zones.map(code).join(', ')} what a clock there shows at that instant: \`date\` as year * 10000 + month * 100 + day, \`hour\` from 0 to 23, \`weekday\` from 1 (Monday) to 7 (Sunday). Cedar knows no time zones and no days of the week`
  return `# Enforcing with these policies

\`policies.cedar\` holds ${count(permits, 'permit')} and ${count(forbids, 'forbid')} made from policies, and two of its own: the owning account is
never restricted, and a request that lacks what the others read is forbidden. \`entities.json\` holds what the world
names. Both fit \`schema.cedarschema\`; have Cedar check requests against it, so that a value of the wrong type is an error and not a
policy passed over.

## A request

- principal: \`Account::"<urn>"\` for the account itself, \`Identity::"<urn>"\` for every other identity. Its parents are the groups it is
  in, as \`Group::"<urn>"\`; an identity that is not in \`entities.json\` has to be given as an entity.
- action: \`Action::"call"\`. The name of the action is \`context.action\`, since patterns over actions are matched as text.
- resource: \`Resource::"<urn>"\`, with \`urn\`, \`type\` and \`name\` (the parts of the URN), \`owner\` when it is known, and its tags as
  entity tags. \`tagsKnown\` is true when these are all of its tags; as long as it is false, what depends on a tag is denied.
- \`context.now\`: the instant of the request. \`context.clock\`: ${clocks}.
- \`context.ip\`: the address the request comes from; an IPv4 address written inside IPv6 as the IPv4 address. Without it, what depends
  on it is denied.

${tagKeys.length === 0 ? 'No condition looks at a tag.' : `Conditions look at these tags: ${tagKeys.map(code).join(', ')}.`}
${
  groupPatterns.length === 0
    ? ''
    : `
These entries stand for every group of identities that matches: ${groupPatterns.map(code).join(', ')}. In Cedar each is a \`Group\` that
holds the matching groups. A group that \`entities.json\` does not list has to be given as an entity with them as parents, or a denial
that names them misses its members.
`
}
## What Cedar says otherwise

- Where a fact is missing, grantwise answers unknown. Cedar denies: what is missing grants nothing and lifts no denial.
- Entries, caveats and reasons do not come back; \`@policy\` and \`@source\` of the determining policies tell where to look.
- Membership, tags and owners are those of \`entities.json\`, as they were when it was written. Export again when they change.
- Rights that the service grants by itself count only as far as they are among the policies.

## What is not known

${
  doubts.length === 0
    ? 'Nothing: every entry was understood, and everything it names is described.\n'
    : `Here the policies are conservative: they grant only what is certain, and forbid whatever may be forbidden.\n\n${items(
        doubts.map(({ message, span }) => {
          const { line, column } = position(span.source, span.start)
          return `${visible(span.source.path)}:${line}:${column}: ${visible(message)}`
        }),
      )}`
}`
}
