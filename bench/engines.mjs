/**
 * The engines that are measured. `prepare` puts a world into an engine's notation, which does not count; `load` has the
 * engine read it and gives the function that answers, which do. What an engine cannot do by itself is done by hand before it
 * is asked, in its favour. `most`: the largest world it is asked about.
 */
export const engines = {
  map: {
    most: Number.POSITIVE_INFINITY,
    prepare: ({ questions }) => questions,
    /** A look-up of answers that are ready: what no engine can be faster than. */
    load: async (questions) => {
      const ready = new Map()
      for (const { identity, action, resource, expect } of questions) {
        const actions = ready.get(identity) ?? new Map()
        const resources = actions.get(action) ?? new Map()
        ready.set(identity, actions.set(action, resources.set(resource, expect)))
      }
      return ({ identity, action, resource }) => ready.get(identity).get(action).get(resource)
    },
  },

  grantwise: {
    most: Number.POSITIVE_INFINITY,
    prepare: ({ texts }) => texts,
    load: async (texts) => {
      const { compile } = await import('../dist/library/index.js')
      const engine = compile(await worldOf(texts))
      return (question) => engine.verdict(question)
    },
  },

  /** The whole set, parsed before it is asked. */
  cedar: {
    most: 10_000,
    prepare: async ({ texts }) => {
      const { exportCedar } = await import('../dist/library/index.js')
      return exportCedar(await worldOf(texts))
    },
    load: async ({ policies, request }) => {
      const cedar = await cedarEngine()
      parseSet(cedar, 'all', policies)
      return (question) => cedarVerdict(cedar, 'all', request(question))
    },
  },

  /** A set for each user, with the policies that may be about the user, chosen by hand. */
  'cedar-sliced': {
    most: 10_000,
    prepare: async ({ texts, questions }) => {
      const { exportCedar } = await import('../dist/library/index.js')
      const world = await worldOf(texts)
      const policiesOf = byIdentity(world.policies, (policy) => policy.identities.map(({ value }) => value.text))
      const asking = new Set(questions.map(({ identity }) => identity))
      return new Map(
        [...asking].map((user) => {
          const identity = world.identities.get(user)
          const policies = chosen(policiesOf, [user, ...(identity?.groups ?? [])])
          return [user, exportCedar({ ...world, policies, identities: new Map(identity && [[user, identity]]) })]
        }),
      )
    },
    load: async (exports) => {
      const cedar = await cedarEngine()
      for (const [user, { policies }] of exports) parseSet(cedar, user, policies)
      return (question) => cedarVerdict(cedar, question.identity, exports.get(question.identity).request(question))
    },
  },

  /** A row for each identity of a policy and each of its lists; a function of ours looks through the list. */
  casbin: {
    most: 10_000,
    prepare: ({ policies, identities }) => {
      const row = (identity, policy, effect) =>
        [
          'p',
          identity,
          joined(policy.resources.map(({ urn }) => urn)),
          joined(policy.permissions[effect]),
          joined(effect === 'allow' ? policy.permissions.except : []),
          effect,
        ].join(', ')
      const rows = policies.flatMap((policy) =>
        policy.identities.flatMap((identity) =>
          ['allow', 'deny'].filter((effect) => policy.permissions[effect]).map((effect) => row(identity, policy, effect)),
        ),
      )
      const members = identities.flatMap(({ urn, groups }) => groups.map((group) => `g, ${urn}, ${group}`))
      return [...rows, ...members].join('\n')
    },
    load: async (rows) => {
      const { newEnforcer, newModelFromString, StringAdapter } = await import('casbin')
      const model = newModelFromString(`
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act, exc, eft
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = g(r.sub, p.sub) && among(r.obj, p.obj) && among(r.act, p.act) && !among(r.act, p.exc)
`)
      const enforcer = await newEnforcer(model, new StringAdapter(rows))
      const lists = new Map()
      await enforcer.addFunction('among', (text, written) => {
        const list = lists.get(written) ?? (written === '-' ? [] : written.split(' '))
        lists.set(written, list)
        return list.some((entry) => (entry.endsWith('*') ? text.startsWith(entry.slice(0, -1)) : text === entry))
      })
      return ({ identity, action, resource }) => (enforcer.enforceSync(identity, resource, action) ? 'allow' : 'deny')
    },
  },

  /** Given with each question the policies that may be about the user, chosen by hand. */
  'iam-simulate': {
    most: 100_000,
    prepare: ({ policies, identities }) => {
      const documents = policies.map((policy) => [policy, { name: policy.name, policy: asDocument(policy) }])
      const policiesOf = byIdentity(documents, ([{ identities: who }]) => who)
      const groupsOf = new Map(identities.map(({ urn, groups }) => [urn, groups]))
      return new Map(identities.map(({ urn }) => [urn, chosen(policiesOf, [urn, ...groupsOf.get(urn)]).map(([, document]) => document)]))
    },
    load: async (documentsOf) => {
      const { runUnsafeSimulation } = await import('@cloud-copilot/iam-simulate')
      return ({ identity, action, resource }) => {
        const called = shortAction(action)
        const simulation = {
          request: {
            principal: `arn:cloud:iam::1:user/${identity.slice(identity.indexOf('/') + 1)}`,
            action: called,
            resource: { resource: shortResource(resource), accountId: '1' },
            contextVariables: { 'call:action': called },
          },
          identityPolicies: documentsOf.get(identity),
          serviceControlPolicies: [],
          resourceControlPolicies: [],
        }
        return runUnsafeSimulation(simulation, {}) === 'Allowed' ? 'allow' : 'deny'
      }
    },
  },
}

async function worldOf(texts) {
  const { buildWorld, defaultSettings, readSource, sourceOf } = await import('../dist/library/index.js')
  const parts = []
  for (const [i, text] of texts.entries()) {
    const { facts, diagnostics } = await readSource(sourceOf(`${i}.json`, text), defaultSettings)
    if (diagnostics.length > 0) throw new Error(diagnostics[0].message)
    parts.push(facts)
  }
  return buildWorld(parts).world
}

function byIdentity(items, identitiesOf) {
  const index = new Map()
  for (const item of items) {
    for (const identity of identitiesOf(item)) {
      const known = index.get(identity)
      if (known) known.push(item)
      else index.set(identity, [item])
    }
  }
  return index
}

const chosen = (index, names) => [...new Set(names.flatMap((name) => index.get(name) ?? []))]

const cedarEngine = async () => (await import('@cedar-policy/cedar-wasm/nodejs')).default

function parseSet(cedar, name, staticPolicies) {
  const answer = cedar.preparsePolicySet(name, { staticPolicies })
  if (answer.type !== 'success') throw new Error(JSON.stringify(answer.errors[0]))
}

function cedarVerdict(cedar, preparsedPolicySetId, request) {
  return cedar.statefulIsAuthorized({ ...request, preparsedPolicySetId }).response.decision
}

const joined = (list = []) => list.map((entry) => entry.action ?? entry).join(' ') || '-'

/** That engine's notation: a service, a colon, a name. */
const shortAction = (action) => action.replace(':apisvc:', ':')
const shortResource = (urn) =>
  urn === 'urn:v1:eu:resource:*' ? '*' : `arn:cloud:${urn.slice('urn:v1:eu:resource:'.length).replace(':', ':eu:1:')}`

/** An exception from an allow list becomes a condition next to it: in that language nothing else is as narrow. */
function asDocument({ resources, permissions: { allow, except = [], deny } }) {
  const Resource = resources.map(({ urn }) => shortResource(urn))
  const names = (list) => list.map(({ action }) => shortAction(action))
  const Condition = except.length > 0 && { StringNotLike: { 'call:action': names(except) } }
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: names(allow), Resource, ...(Condition && { Condition }) },
      ...(deny ? [{ Effect: 'Deny', Action: names(deny), Resource }] : []),
    ],
  }
}
