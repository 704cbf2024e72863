/**
 * A rule about all policies together.
 * @type {import('grantwise').Rule}
 */
export const tooManyPolicies = {
  code: 'acme/too-many-policies',
  section: 'whole set',
  severity: 'warning',
  summary: 'A user is named in more policies than people can keep in mind.',
  why: 'What a user may do is hard to see when it is spread over many policies. Name a group of which the user is a member instead.',
  options: [{ name: 'most', type: 'number', text: 'how many policies may name a user (default: 2)' }],
  *world({ world, options }) {
    const { most = 2 } = options('acme/too-many-policies')
    const named = new Map()
    for (const { identities } of world.policies)
      for (const { value, span } of identities)
        if (value.kind === 'user' && !value.text.includes('*')) named.set(value.text, [...(named.get(value.text) ?? []), span])
    for (const [urn, [first, ...others]] of named) {
      if (others.length < most) continue
      yield {
        span: first,
        message: `\`${urn}\` is named in ${others.length + 1} policies`,
        help: 'name a group instead',
        related: others.map((span) => ({ message: 'here, too', span })),
      }
    }
  },
}
