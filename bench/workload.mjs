/**
 * A world of so many policies and questions to it, half of them allowed. The same size and seed give the same texts.
 *
 * One identity for each policy: four in five are users in up to three groups, the others are those groups. A policy has up to five
 * identities, five resources (60 % one resource, 30 % a beginning, 10 % everything) and twenty actions (60 % one action, 35 %
 * a product or a part of one, 5 % everything) of up to three products; 10 % take something out again, 2 % deny.
 * Half of the questions that are denied are allowed ones with one thing changed.
 */
export function workload(size, count, seed) {
  const random = randomOf(seed * 1_000_003 + size)
  const below = (n) => Math.floor(random() * n)
  const pick = (list) => list[below(list.length)]
  const some = (most, make) => [...new Set(Array.from({ length: 1 + below(most) }, make))]
  const digits = (n, width) => String(n).padStart(width, '0')

  const account = 'ab12-svc'
  const products = Array.from({ length: 100 }, (_, i) => `product${digits(i, 2)}`)
  const names = Math.max(10, Math.floor(size / 10))
  const everything = 'urn:v1:eu:resource:*'
  const userCount = Math.ceil(size * 0.8)
  const users = Array.from({ length: userCount }, (_, i) => `urn:v1:eu:identity:user:${account}/user-${digits(i, 6)}`)
  const groups = Array.from(
    { length: Math.max(1, size - userCount) },
    (_, i) => `urn:v1:eu:identity:group:${account}/group-${digits(i, 6)}`,
  )
  const identities = [...users, ...groups]

  const groupsOf = new Map(users.map((user) => [user, Array.from(new Set(Array.from({ length: below(4) }, () => pick(groups))))]))
  const membersOf = new Map(groups.map((group) => [group, []]))
  for (const [user, list] of groupsOf) for (const group of list) membersOf.get(group).push(user)
  for (const [group, members] of membersOf) {
    if (members.length > 0) continue
    const user = pick(users)
    groupsOf.get(user).push(group)
    members.push(user)
  }

  const action = (product) => `${product}:apisvc:part${below(5)}/call${below(6)}`
  const resource = (product) => `urn:v1:eu:resource:${product}:${product}-${digits(below(names), 7)}`
  const actionEntry = (product) => {
    const roll = random()
    if (roll < 0.6) return action(product)
    if (roll < 0.95) return random() < 0.5 ? `${product}:*` : `${product}:apisvc:part${below(5)}/*`
    return '*'
  }
  const resourceEntry = (product) => {
    const roll = random()
    if (roll < 0.6) return resource(product)
    if (roll < 0.75) return `urn:v1:eu:resource:${product}:*`
    return roll < 0.9 ? `${resource(product).slice(0, -1 - below(3))}*` : everything
  }

  const policies = Array.from({ length: size }, (_, i) => {
    const about = some(3, () => pick(products))
    const kind = random()
    const allow = some(20, () => actionEntry(pick(about)))
    const except = kind < 0.1 ? some(3, () => (random() < 0.7 ? action(pick(about)) : `${pick(about)}:apisvc:part${below(5)}/*`)) : []
    const deny = kind > 0.98 ? some(3, () => actionEntry(pick(about))) : []
    return {
      name: `policy-${i}`,
      identities: some(5, () => pick(identities)),
      resources: some(5, () => resourceEntry(pick(about))),
      allow,
      except,
      deny,
    }
  })

  const policiesOf = new Map()
  for (const policy of policies) {
    for (const identity of policy.identities) {
      const known = policiesOf.get(identity)
      if (known) known.push(policy)
      else policiesOf.set(identity, [policy])
    }
  }
  /** The meaning, in the plainest way: what every engine's answers are held to. */
  const verdictOf = (user, act, on) => {
    const matches = (entry) => (text) => (text.endsWith('*') ? entry.startsWith(text.slice(0, -1)) : text === entry)
    const applying = [user, ...groupsOf.get(user)]
      .flatMap((identity) => policiesOf.get(identity) ?? [])
      .filter((policy) => policy.resources.some(matches(on)))
    if (applying.some(({ deny }) => deny.some(matches(act)))) return 'deny'
    return applying.some(({ allow, except }) => allow.some(matches(act)) && !except.some(matches(act))) ? 'allow' : 'deny'
  }

  /** A resource that a pattern takes in: a beginning of a name is filled up with digits. */
  const within = (place, product) => {
    const dash = place.indexOf('-')
    if (dash < 0) return resource(product)
    const given = place.slice(dash + 1, -1)
    return `${place.slice(0, dash + 1)}${given}${digits(below(10 ** (7 - given.length)), 7 - given.length)}`
  }

  /** An action and a resource of one product that two entries take in, if there are any. */
  const meeting = (policy) => {
    const [wanted, place] = [pick(policy.allow), pick(policy.resources)]
    const product = wanted !== '*' ? wanted.slice(0, wanted.indexOf(':')) : place !== everything ? place.split(':')[4] : pick(products)
    const act = wanted.endsWith('/*') ? `${wanted.slice(0, -1)}call${below(6)}` : wanted.endsWith('*') ? action(product) : wanted
    return [act, place.endsWith('*') ? within(place, product) : place]
  }
  const allowed = []
  for (let tries = 0; allowed.length < count / 2 && tries < count * 100; tries++) {
    const policy = pick(policies)
    const identity = pick(policy.identities)
    const user = membersOf.has(identity) ? pick(membersOf.get(identity)) : identity
    const [act, on] = meeting(policy)
    if (act.slice(0, act.indexOf(':')) === on.split(':')[4] && verdictOf(user, act, on) === 'allow') allowed.push([user, act, on])
  }
  const denied = []
  for (let tries = 0; denied.length < count / 2 && tries < count * 100; tries++) {
    const product = pick(products)
    let question = [pick(users), action(product), resource(product)]
    if (random() < 0.5 && allowed.length > 0) {
      const near = pick(allowed)
      const own = near[1].slice(0, near[1].indexOf(':'))
      question = near.with(
        ...pick([
          [0, pick(users)],
          [1, action(own)],
          [2, resource(own)],
        ]),
      )
    }
    if (verdictOf(...question) === 'deny') denied.push(question)
  }
  const questions = [...allowed.map((each) => [...each, 'allow']), ...denied.map((each) => [...each, 'deny'])]
  for (let i = questions.length - 1; i > 0; i--) {
    const j = below(i + 1)
    ;[questions[i], questions[j]] = [questions[j], questions[i]]
  }
  return {
    policies: policies.map(({ name, identities: who, resources, allow, except, deny }) => ({
      name,
      identities: who,
      resources: resources.map((urn) => ({ urn })),
      permissions: {
        allow: entries(allow),
        ...(except.length > 0 && { except: entries(except) }),
        ...(deny.length > 0 && { deny: entries(deny) }),
      },
    })),
    identities: [...groupsOf].map(([urn, list]) => ({ urn, groups: list })),
    questions: questions.map(([identity, act, on, expect]) => ({ identity, action: act, resource: on, expect })),
  }
}

const entries = (list) => list.map((action) => ({ action }))

/** The same numbers for the same seed: a generator of 32 bits. */
function randomOf(seed) {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
