import {
  account,
  allow,
  and,
  ann,
  ask,
  credential,
  decides,
  deny,
  group,
  match,
  not,
  or,
  pairs,
  permissions,
  permissionsGroup,
  reboot,
  resource,
  resourceGroup,
  under,
  unknown,
  unordered,
  user,
  web,
  world,
} from './build.mjs'
import { denyingFormulas, granting, unreadableConditions } from './conditions.mjs'
import { factName, factsOf, holds, settled, written } from './formulas.mjs'

const ip = match({ 'request.IP': '192.0.2.1' })
const env = match({ 'resource.Tag(env)': 'prod' })
const far = resourceGroup('far')
const remote = permissionsGroup('remote', 'svc')
const noted = (notes, question) => ({ ...question, expected: { ...question.expected, notes } })

/**
 * A missing fact of each kind, as the part of a policy that depends on it: in a policy that grants (or denies) something, the
 * policy counts where the fact holds.
 */
const facts = [
  ['the address', { when: ip }, 'request.IP'],
  ['a tag', { when: env }, 'resource.Tag(env)'],
  ['a resource group', { on: far }, `resourceGroup:${far}`],
  ['a condition', { when: match({ 'request.Country': 'FR' }) }, 'condition:request.Country=FR'],
]
const other = [
  ['another tag', { when: match({ 'resource.Tag(team)': 'web' }) }, 'resource.Tag(team)'],
  ['another resource group', { on: resourceGroup('near') }, `resourceGroup:${resourceGroup('near')}`],
]

/** Policies that each count where a missing fact of their own holds, or always: all ways to complete them, gone through. */
function answer(rows) {
  const letters = [...new Set(rows.flatMap(([, fact]) => (fact ? [fact] : [])))]
  const { verdict, missing } = settled(letters, (given) => {
    const counting = rows.filter(([, fact]) => fact === undefined || given[fact]).map(([effect]) => effect)
    return counting.includes('deny') ? 'deny' : counting.includes('allow') ? 'allow' : 'deny'
  })
  return missing ? ask(verdict, { missing: missing.sort() }) : ask(verdict)
}
const rowsOf = (...rows) => ({
  world: world(rows.map(([effect, fact]) => ({ [effect]: reboot, ...fact?.[1] }))),
  question: answer(rows.map(([effect, fact]) => [effect, fact?.[2]])),
})
const asked = (what, ...rows) => {
  const { world, question } = rowsOf(...rows)
  return decides(what, world, question)
}

/** The actions of a permissions group that the world does not describe. */
const outcomes = ['allow', 'deny', 'nothing']
const open = (what, policies, verdictOf, rest = {}) => {
  const { verdict, missing } = settled(['group'], ({ group }) => verdictOf(group), { group: outcomes })
  return decides(what, world(policies, rest), missing ? unknown(`permissionsGroup:${remote}`) : ask(verdict))
}

/** Two formulas over missing facts, one in a policy that grants, one in a policy that denies or grants as well. */
const letters = ['a', 't', ['NOT', 'a'], ['NOT', 't'], ['AND', 'a', 't'], ['OR', 'a', 't']]
const saidOf = (formula) =>
  typeof formula === 'string' ? { a: 'address', t: 'tag' }[formula] : `${formula[0]}(${formula.slice(1).map(saidOf).join(', ')})`
const two = (first, second, effect) => {
  const rows = [
    ['allow', first],
    [effect, second],
  ]
  const { verdict, missing } = settled(factsOf(first, second), (given) => {
    const counting = rows.filter(([, formula]) => holds(formula, given)).map(([each]) => each)
    return counting.includes('deny') ? 'deny' : counting.includes('allow') ? 'allow' : 'deny'
  })
  return decides(
    `allow if ${saidOf(first)}, ${effect} if ${saidOf(second)}`,
    world([
      { allow: reboot, when: written(first) },
      { [effect]: reboot, when: written(second) },
    ]),
    ask(verdict, missing && { missing: missing.map(factName).sort() }),
  )
}

/** Comparisons of one tag that together leave it no way, or every way. */
const tag = (operator, value) => match({ [`resource.Tag(env)${operator && `.${operator}`}`]: value })
const oneTag = [
  ['two texts at once', and(tag('', 'prod'), tag('', 'dev')), 'deny'],
  ['a text and its prefix', and(tag('', 'prod'), tag('STARTS_WITH', 'pr')), 'unknown'],
  ['a text and a prefix of another', and(tag('', 'prod'), tag('STARTS_WITH', 'dev')), 'deny'],
  ['a text and a suffix of another', and(tag('', 'prod'), tag('ENDS_WITH', 'dev')), 'deny'],
  ['two prefixes of one text', and(tag('STARTS_WITH', 'p'), tag('STARTS_WITH', 'pr')), 'unknown'],
  ['two prefixes of no text', and(tag('STARTS_WITH', 'pr'), tag('STARTS_WITH', 'pa')), 'deny'],
  ['two suffixes of one text', and(tag('ENDS_WITH', 'd'), tag('ENDS_WITH', 'od')), 'unknown'],
  ['two suffixes of no text', and(tag('ENDS_WITH', 'od'), tag('ENDS_WITH', 'ad')), 'deny'],
  ['a prefix and a suffix', and(tag('STARTS_WITH', 'pr'), tag('ENDS_WITH', 'od')), 'unknown'],
  ['a prefix and a suffix, which overlap', and(tag('STARTS_WITH', 'pro'), tag('ENDS_WITH', 'od'), not(tag('', 'prood'))), 'unknown'],
  ['a text or anything else', or(tag('', 'prod'), not(tag('', 'prod'))), 'allow'],
  ['a prefix or not the prefix', or(tag('STARTS_WITH', 'p'), not(tag('STARTS_WITH', 'p'))), 'allow'],
  ['a text without its prefix', and(tag('', 'prod'), not(tag('STARTS_WITH', 'p'))), 'deny'],
  ['a text without its suffix', and(tag('', 'prod'), not(tag('ENDS_WITH', 'd'))), 'deny'],
  ['a longer prefix without a shorter', and(tag('STARTS_WITH', 'pro'), not(tag('STARTS_WITH', 'pr'))), 'deny'],
  ['a shorter prefix without a longer', and(tag('STARTS_WITH', 'pr'), not(tag('STARTS_WITH', 'pro'))), 'unknown'],
  ['every text, but a tag may be absent', tag('STARTS_WITH', ''), 'unknown'],
  ['every text, under NOT', not(tag('STARTS_WITH', '')), 'unknown'],
  ['neither of two texts', not(tag('', 'prod'), tag('', 'dev')), 'unknown'],
  ['the empty text', tag('', ''), 'unknown'],
  ['the empty text with a prefix', and(tag('', ''), tag('STARTS_WITH', 'a')), 'deny'],
]
const address = (operator, value) => match({ [`request.IP${operator && `.${operator}`}`]: value })
const oneAddress = [
  ['two addresses at once', and(address('', '192.0.2.1'), address('', '192.0.2.2')), 'deny'],
  ['one address in two notations', and(address('', '2001:db8::1'), address('', '2001:db8:0::1')), 'unknown'],
  ['an address in a block that holds it', and(address('', '192.0.2.1'), address('IN_RANGE', '192.0.2.0/24')), 'unknown'],
  ['an address in a block that does not', and(address('', '192.0.2.1'), address('IN_RANGE', '198.51.100.0/24')), 'deny'],
  ['two blocks, one in the other', and(address('IN_RANGE', '10.0.0.0/8'), address('IN_RANGE', '10.1.0.0/16')), 'unknown'],
  ['two blocks side by side', and(address('IN_RANGE', '10.0.0.0/9'), address('IN_RANGE', '10.128.0.0/9')), 'deny'],
  [
    'both halves of a block, without the block',
    and(or(address('IN_RANGE', '10.0.0.0/9'), address('IN_RANGE', '10.128.0.0/9')), not(address('IN_RANGE', '10.0.0.0/8'))),
    'deny',
  ],
  [
    'a block without both its halves',
    and(address('IN_RANGE', '10.0.0.0/8'), not(address('IN_RANGE', '10.0.0.0/9'), address('IN_RANGE', '10.128.0.0/9'))),
    'deny',
  ],
  ['a block without one of its halves', and(address('IN_RANGE', '10.0.0.0/8'), not(address('IN_RANGE', '10.0.0.0/9'))), 'unknown'],
  ['a block of two addresses, without both', and(address('IN_RANGE', '192.0.2.4/31'), not(address('IN', '192.0.2.4, 192.0.2.5'))), 'deny'],
  [
    'a block of four addresses, without three',
    and(address('IN_RANGE', '192.0.2.4/30'), not(address('IN', '192.0.2.4, 192.0.2.5, 192.0.2.7'))),
    'unknown',
  ],
  ['every address of both families', or(address('IN_RANGE', '0.0.0.0/0'), address('IN_RANGE', '::/0')), 'allow'],
  ['every address of one family', address('IN_RANGE', '0.0.0.0/0'), 'unknown'],
  ['both families at once', and(address('IN_RANGE', '0.0.0.0/0'), address('IN_RANGE', '::/0')), 'deny'],
  ['neither family', not(address('IN_RANGE', '0.0.0.0/0'), address('IN_RANGE', '::/0')), 'deny'],
  ['an address or any other', or(address('', '192.0.2.1'), not(address('', '192.0.2.1'))), 'allow'],
  ['a mapped block and the block', and(address('IN_RANGE', '::ffff:10.0.0.0/104'), not(address('IN_RANGE', '10.0.0.0/8'))), 'deny'],
]
const ofOne =
  (name) =>
  ([what, when, verdict]) =>
    decides(what, world({ allow: reboot, when }), ask(verdict, verdict === 'unknown' ? { missing: [name] } : {}))

const shopOf = (...resources) => ({ resourceGroups: [{ urn: far, name: 'far', resources }] })
const groupOf = (urn, lists) => ({ urn, name: urn.split(':').at(-1), permissions: permissions(lists) })
const every = resourceGroup('*')

export const section = 'Unknown'
export const cases = [
  under(
    'These facts may be missing',
    facts.flatMap(([what, fields, name]) => [
      decides(`${what}, of a policy that grants`, world({ allow: reboot, ...fields }), unknown(name)),
      decides(`${what}, of a policy that denies`, world([{ allow: '*' }, { deny: reboot, ...fields }]), unknown(name)),
      decides(
        `${what}, of a policy about another action`,
        world([{ allow: reboot }, { deny: 'vps:apisvc:get', ...fields }]),
        allow(),
        deny({ who: user('bob') }),
      ),
      decides(`${what}, of a policy for somebody else`, world([{ allow: reboot }, { who: user('bob'), deny: reboot, ...fields }]), allow()),
      decides(
        `${what}, of a policy that has expired`,
        world([{ allow: reboot }, { deny: reboot, until: '2026-06-30T00:00:00Z', ...fields }]),
        allow(),
      ),
    ]),
    decides(
      'the address, given',
      world({ allow: reboot, when: ip }),
      unknown('request.IP'),
      allow({ ip: '192.0.2.1' }),
      deny({ ip: '192.0.2.2' }),
    ),
    decides(
      'the address, given, of a policy that denies',
      world([{ allow: '*' }, { deny: reboot, when: ip }]),
      unknown('request.IP'),
      deny({ ip: '192.0.2.1' }),
      allow({ ip: '192.0.2.2' }),
    ),
    decides(
      'the tags, given',
      world({ allow: reboot, when: env }),
      unknown('resource.Tag(env)'),
      allow({ tags: { env: 'prod' } }),
      deny({ tags: { env: 'dev' } }),
      deny({ tags: {} }),
    ),
    decides(
      'the tags, given, of a policy that denies',
      world([{ allow: '*' }, { deny: reboot, when: env }]),
      unknown('resource.Tag(env)'),
      deny({ tags: { env: 'prod' } }),
      allow({ tags: { env: 'dev' } }),
      allow({ tags: {} }),
    ),
    decides(
      'the tags of a resource that the world describes without them',
      world({ allow: reboot, when: env }, { resources: [{ urn: web }] }),
      unknown('resource.Tag(env)'),
    ),
    decides(
      'the tags of a resource that is described with none',
      world({ allow: reboot, when: env }, { resources: [{ urn: web, tags: {} }] }),
      deny(),
    ),
    decides(
      'the tags of a resource whose neighbour has them',
      world({ allow: reboot, when: env }, { resources: [{ urn: resource('web-2'), tags: { env: 'prod' } }] }),
      unknown('resource.Tag(env)'),
      deny({ on: resource('web-2') }),
    ),
    decides(
      'the members of a group, described',
      world({ on: far, allow: reboot }, shopOf({ urn: web })),
      allow(),
      deny({ on: resource('a') }),
    ),
    decides('the members of a group, described as none', world({ on: far, allow: reboot }, shopOf()), deny()),
    decides(
      'a member that is known by an id of nothing',
      world({ on: far, allow: reboot }, shopOf({ id: 'r-9' })),
      unknown(`resourceGroup:${far}`),
    ),
    decides(
      'a member that is known by an id of nothing, beside the resource',
      world({ on: far, allow: reboot }, shopOf({ id: 'r-9' }, { urn: web })),
      allow(),
      unknown(`resourceGroup:${far}`, { on: resource('a') }),
    ),
    decides('every resource group, none of which is described', world({ on: every, allow: reboot }), unknown(`resourceGroup:${every}`)),
    decides(
      'every resource group, one of which holds it',
      world({ on: every, allow: reboot }, shopOf({ urn: web })),
      allow(),
      unknown(`resourceGroup:${every}`, { on: resource('a') }),
    ),
    decides(
      'every resource group, one of which is described as empty',
      world({ on: every, allow: reboot }, shopOf()),
      unknown(`resourceGroup:${every}`),
    ),
    decides(
      'every resource group, in a policy that denies',
      world([{ allow: '*' }, { on: every, deny: reboot }]),
      unknown(`resourceGroup:${every}`),
    ),
    decides(
      'every resource group grants and denies',
      world([
        { on: every, allow: reboot },
        { on: every, deny: reboot },
      ]),
      deny(),
    ),
    decides(
      'every resource group of another region',
      world({ on: resourceGroup('*', 'ca'), allow: reboot }),
      unknown(`resourceGroup:${resourceGroup('*', 'ca')}`),
    ),
    decides(
      'a group that is not described, beside the resource itself',
      world({ on: [far, web], allow: reboot }),
      allow(),
      unknown(`resourceGroup:${far}`, { on: resource('a') }),
    ),
    decides(
      'a group that is not described, beside one that holds it',
      world({ on: [resourceGroup('near'), far], allow: reboot }, shopOf({ urn: web })),
      allow(),
    ),
    decides(
      'a member of a group is a member of every group',
      world(
        [
          { on: every, allow: reboot },
          { on: far, deny: reboot },
        ],
        shopOf({ urn: web }),
      ),
      deny(),
    ),
    unreadableConditions.flatMap(([what, key, value]) => [
      decides(
        `${what}: \`${key}\` ${JSON.stringify(value)}`,
        world({ allow: reboot, when: match({ [key]: value }) }),
        unknown(`condition:${key}=${value}`, { ip: '192.0.2.1', tags: { env: 'prod' } }),
      ),
      decides(
        `under NOT, ${what}: \`${key}\` ${JSON.stringify(value)}`,
        world({ allow: reboot, when: not(match({ [key]: value })) }),
        unknown(`condition:${key}=${value}`, { ip: '192.0.2.1', tags: { env: 'prod' } }),
      ),
    ]),
    decides('an operator that no condition has', world({ allow: reboot, when: { operator: 'XOR', conditions: [] } }), ask('unknown')),
    decides('an operator in other case', world({ allow: reboot, when: { operator: 'and', conditions: [] } }), ask('unknown')),
    decides(
      'an operator that no condition has, under NOT',
      world({ allow: reboot, when: not({ operator: 'XOR', conditions: [] }) }),
      ask('unknown'),
    ),
    decides(
      'MATCH with conditions',
      world({ allow: reboot, when: { operator: 'MATCH', conditions: [match({ 'resource.Name': 'web-1' })] } }),
      ask('unknown'),
    ),
    decides('AND with values', world({ allow: reboot, when: { operator: 'AND', values: { 'resource.Name': 'web-1' } } }), ask('unknown')),
    decides(
      'NOT with values',
      world([{ allow: '*' }, { deny: reboot, when: { operator: 'NOT', values: { 'resource.Name': 'web-1' } } }]),
      ask('unknown'),
    ),
    decides(
      'a condition that is not understood, beside one that does not hold',
      world({ allow: reboot, when: match({ 'request.Country': 'FR', 'resource.Name': 'db-1' }) }),
      deny(),
    ),
    decides(
      'a condition that is not understood, where one of two must hold and the other does',
      world({ allow: reboot, when: or(match({ 'request.Country': 'FR' }), match({ 'resource.Name': 'web-1' })) }),
      allow(),
    ),
    decides(
      'the same condition that is not understood, for and against',
      world({ allow: reboot, when: or(match({ 'request.Country': 'FR' }), not(match({ 'request.Country': 'FR' }))) }),
      allow(),
    ),
    decides(
      'two conditions that are not understood, for and against',
      world({ allow: reboot, when: or(match({ 'request.Country': 'FR' }), not(match({ 'request.Country': 'DE' }))) }),
      unknown(['condition:request.Country=DE', 'condition:request.Country=FR']),
    ),
    open('a permissions group of which nothing is known', { named: remote }, (group) => (group === 'allow' ? 'allow' : 'deny')),
    open('a permissions group of which nothing is known, beside an allow', { allow: reboot, named: remote }, (group) =>
      group === 'deny' ? 'deny' : 'allow',
    ),
    open('a permissions group of which nothing is known, beside a deny', { deny: reboot, named: remote }, () => 'deny'),
    open('a permissions group of which nothing is known, beside an exception', { allow: '*', except: reboot, named: remote }, (group) =>
      group === 'allow' ? 'allow' : 'deny',
    ),
    open('a permissions group of which nothing is known, beside a policy that grants', [{ named: remote }, { allow: reboot }], (group) =>
      group === 'deny' ? 'deny' : 'allow',
    ),
    open('a permissions group of which nothing is known, beside a policy that denies', [{ named: remote }, { deny: reboot }], () => 'deny'),
    open(
      'a permissions group of which nothing is known, in a policy for somebody else',
      [{ who: user('bob'), named: remote }, { allow: reboot }],
      () => 'allow',
    ),
    open(
      'a permissions group of which nothing is known, in a policy that has expired',
      [{ named: remote, until: '2026-06-30T00:00:00Z' }, { allow: reboot }],
      () => 'allow',
    ),
    open(
      'a permissions group of which nothing is known, in a policy whose conditions do not hold',
      [{ named: remote, when: match({ 'resource.Name': 'db-1' }) }, { allow: reboot }],
      () => 'allow',
    ),
    open(
      'a permissions group of which nothing is known, named by two policies',
      [{ named: remote }, { on: 'urn:v1:eu:resource:*', named: remote }],
      (group) => (group === 'allow' ? 'allow' : 'deny'),
    ),
    open('a permissions group of which nothing is known, named twice', { named: [remote, remote] }, (group) =>
      group === 'allow' ? 'allow' : 'deny',
    ),
    open(
      'a permissions group of which nothing is known, beside one that grants',
      { named: [remote, permissionsGroup('care')] },
      (group) => (group === 'deny' ? 'deny' : 'allow'),
      { permissionsGroups: [groupOf(permissionsGroup('care'), { allow: reboot })] },
    ),
    open(
      'a permissions group of which nothing is known, beside one that denies',
      { named: [remote, permissionsGroup('care')] },
      () => 'deny',
      { permissionsGroups: [groupOf(permissionsGroup('care'), { deny: reboot })] },
    ),
    decides(
      'two permissions groups of which nothing is known',
      world({ named: [remote, permissionsGroup('more', 'svc')] }),
      unknown([`permissionsGroup:${permissionsGroup('more', 'svc')}`, `permissionsGroup:${remote}`]),
    ),
    decides(
      'two permissions groups of which nothing is known, beside an allow',
      world({ allow: reboot, named: [remote, permissionsGroup('more', 'svc')] }),
      unknown([`permissionsGroup:${permissionsGroup('more', 'svc')}`, `permissionsGroup:${remote}`]),
    ),
    decides(
      'a permissions group under an address',
      world({ named: remote, when: ip }),
      unknown([`permissionsGroup:${remote}`, 'request.IP']),
    ),
    decides(
      'a permissions group under an address, beside an allow',
      world([{ named: remote, when: ip }, { allow: reboot }]),
      unknown([`permissionsGroup:${remote}`, 'request.IP']),
      allow({ ip: '192.0.2.2' }),
      unknown(`permissionsGroup:${remote}`, { ip: '192.0.2.1' }),
    ),
    decides(
      'a permissions group of which nothing is known, and the account itself',
      world({ who: 'urn:v1:eu:identity:account:ab12-svc', named: remote }, { account: 'ab12-svc' }),
      allow({ who: 'urn:v1:eu:identity:account:ab12-svc' }),
    ),
  ),
  under(
    'The verdict is `allow` or `deny` if every possible value',
    facts.flatMap((fact) => [
      asked(`${fact[0]}: allow if, beside an allow`, ['allow', fact], ['allow']),
      asked(`${fact[0]}: allow if, beside a deny`, ['allow', fact], ['deny']),
      asked(`${fact[0]}: deny if, beside a deny and an allow`, ['deny', fact], ['deny'], ['allow']),
      asked(`${fact[0]}: deny if, and nothing grants`, ['deny', fact]),
      asked(`${fact[0]}: allow if and deny if`, ['allow', fact], ['deny', fact]),
      asked(`${fact[0]}: allow if, deny if, beside an allow`, ['allow', fact], ['deny', fact], ['allow']),
      asked(`${fact[0]}: two policies that grant if`, ['allow', fact], ['allow', fact]),
    ]),
    unordered([...facts, ...other])
      .filter(([x, y]) => x !== y)
      .flatMap(([x, y]) => [
        asked(`allow if ${x[0]}, allow if ${y[0]}`, ['allow', x], ['allow', y]),
        asked(`allow if ${x[0]}, deny if ${y[0]}`, ['allow', x], ['deny', y]),
        asked(`deny if ${x[0]}, allow if ${y[0]}`, ['deny', x], ['allow', y]),
        asked(`deny if ${x[0]}, deny if ${y[0]}, beside an allow`, ['allow'], ['deny', x], ['deny', y]),
      ]),
    pairs(letters, letters).flatMap(([x, y]) => (x === y ? [] : [two(x, y, 'deny')])),
    unordered(letters).flatMap(([x, y]) => (x === y ? [] : [two(x, y, 'allow')])),
    denyingFormulas,
    oneTag.map(ofOne('resource.Tag(env)')).map((each) => ({ ...each, what: `one tag: ${each.what}` })),
    oneAddress.map(ofOne('request.IP')).map((each) => ({ ...each, what: `one address: ${each.what}` })),
    decides(
      'a fact given, and another missing',
      world({ allow: reboot, when: and(ip, env) }),
      unknown(['request.IP', 'resource.Tag(env)']),
      unknown('resource.Tag(env)', { ip: '192.0.2.1' }),
      deny({ ip: '192.0.2.2' }),
      unknown('request.IP', { tags: { env: 'prod' } }),
      deny({ tags: {} }),
      allow({ ip: '192.0.2.1', tags: { env: 'prod' } }),
    ),
    decides(
      'a fact given, and another missing, of which one suffices',
      world({ allow: reboot, when: or(ip, env) }),
      unknown(['request.IP', 'resource.Tag(env)']),
      allow({ ip: '192.0.2.1' }),
      unknown('resource.Tag(env)', { ip: '192.0.2.2' }),
      allow({ tags: { env: 'prod' } }),
      unknown('request.IP', { tags: {} }),
      deny({ ip: '192.0.2.2', tags: {} }),
    ),
    decides(
      'a fact that only matters with another',
      world([
        { allow: reboot, when: and(ip, env) },
        { deny: reboot, when: env },
      ]),
      deny(),
      deny({ ip: '192.0.2.1' }),
    ),
    decides(
      'tags of two keys, each for itself',
      world([
        { allow: reboot, when: env },
        { deny: reboot, when: match({ 'resource.Tag(team)': 'db' }) },
      ]),
      unknown(['resource.Tag(env)', 'resource.Tag(team)']),
      allow({ tags: { env: 'prod' } }),
      deny({ tags: { env: 'prod', team: 'db' } }),
    ),
    decides(
      'a resource group inside another pattern',
      world([
        { on: every, allow: reboot },
        { on: far, deny: reboot },
      ]),
      unknown([`resourceGroup:${every}`, `resourceGroup:${far}`]),
    ),
    decides(
      'a resource group inside another pattern, the other way round',
      world([
        { on: every, deny: reboot },
        { on: far, allow: reboot },
      ]),
      deny(),
    ),
    granting(['OR', ['AND', 'a', 't'], ['AND', ['NOT', 'a'], ['NOT', 't']]]),
    granting(['OR', ['AND', 'a', 't'], ['AND', 'a', ['NOT', 't']], ['NOT', 'a']]),
    granting(['AND', ['OR', 'a', 't'], ['OR', 'a', ['NOT', 't']]]),
    granting(['AND', ['OR', 'a', 's'], ['OR', ['NOT', 'a'], 's']]),
    granting(['OR', 'c', ['NOT', 'c']]),
    granting(['AND', 'c', ['NOT', 'c']]),
    granting(['OR', ['AND', 'c', 'a'], ['AND', 'c', ['NOT', 'a']]]),
  ),
  under(
    'The groups of an identity are those in the world',
    decides('no group is assumed', world({ who: group('ops'), allow: '*' }), deny(), noted(['groups-unknown', 'managed-policies'], deny())),
    decides('no group is assumed to deny', world([{ allow: '*' }, { who: group('ops'), deny: '*' }]), noted([], allow())),
    decides('given none', world({ who: group('ops'), allow: '*' }), noted(['groups-unknown', 'managed-policies'], deny({ groups: [] }))),
    decides(
      'given another',
      world({ who: group('ops'), allow: '*' }),
      noted(['groups-unknown', 'managed-policies'], deny({ groups: [group('dev')] })),
    ),
    decides('given that one', world({ who: group('ops'), allow: '*' }), noted([], allow({ groups: [group('ops')] }))),
    decides(
      'the world gives another',
      world({ who: group('ops'), allow: '*' }, { identities: [{ urn: ann, groups: [group('dev')] }] }),
      noted(['groups-unknown', 'managed-policies'], deny()),
    ),
    decides(
      'those in the world and those given',
      world(
        [
          { who: group('ops'), allow: 'vps:*' },
          { who: group('dev'), allow: 'vps:apisvc:reinstall', deny: reboot },
        ],
        { identities: [{ urn: ann, groups: [group('ops')] }] },
      ),
      allow(),
      deny({ groups: [group('dev')] }),
    ),
    decides(
      'a group of another account would not help',
      world({ who: group('ops', 'cd34-svc'), allow: '*' }),
      noted(['managed-policies'], deny()),
    ),
    decides(
      'a group that grants another action',
      world({ who: group('ops'), allow: 'vps:apisvc:get' }),
      noted(['managed-policies'], deny()),
    ),
    decides(
      'a group that grants it on another resource',
      world({ who: group('ops'), on: resource('db-1'), allow: '*' }),
      noted(['managed-policies'], deny()),
    ),
    decides(
      'a group that a deny would stop',
      world([
        { who: group('ops'), allow: '*' },
        { deny: '*', who: user('bob') },
        { who: group('ops'), deny: reboot },
      ]),
      noted(['managed-policies'], deny()),
    ),
    decides(
      'a group whose policy has expired',
      world({ who: group('ops'), allow: '*', until: '2026-06-30T00:00:00Z' }),
      noted(['managed-policies'], deny()),
    ),
    decides('a pattern over groups', world({ who: group('*'), allow: '*' }), noted(['groups-unknown', 'managed-policies'], deny())),
    decides('an explicit deny is not lifted by groups', world([{ who: group('ops'), allow: '*' }, { deny: reboot }]), noted([], deny())),
    decides(
      'a service account may be in a group',
      world({ who: group('ops'), allow: '*' }),
      noted(['groups-unknown', 'managed-policies'], deny({ who: 'urn:v1:eu:identity:credential:ab12-svc/oauth2-77' })),
    ),
    decides(
      'a group is in no other group',
      world({ who: group('ops'), allow: '*' }),
      noted(['managed-policies'], deny({ who: group('dev') })),
    ),
  ),
  under(
    '`groups-unknown` |',
    decides(
      'among two groups, one',
      world([
        { who: group('dev'), allow: 'vps:apisvc:get' },
        { who: group('ops'), allow: reboot, readOnly: true },
      ]),
      noted(['groups-unknown'], deny()),
    ),
    decides('not for what is allowed', world([{ who: group('ops'), allow: '*' }, { allow: reboot }]), noted([], allow())),
  ),
  under(
    '`inner-wildcard` |',
    decides('an entry that grants', world({ allow: 'vps:*:reboot' }), noted(['inner-wildcard'], allow())),
    decides(
      'an entry that takes the only grant away',
      world({ allow: reboot, except: 'vps:*:reboot', readOnly: true }),
      noted(['inner-wildcard'], deny()),
    ),
    decides('a resource with a wildcard inside is another thing', world({ on: resource('web-*'), allow: reboot }), noted([], allow())),
  ),
  under(
    '`managed-policies` |',
    decides('a policy of the service for another action', world({ allow: 'vps:apisvc:get', readOnly: true }), noted([], deny())),
    decides(
      'a policy that the account could edit',
      world({ allow: 'vps:apisvc:get', owner: 'ab12-svc' }),
      noted(['managed-policies'], deny()),
    ),
  ),
  under(
    '`root-unknown` |',
    decides(
      'for the account of another region, too',
      world({ who: account('ab12-svc', 'ca'), allow: '*' }),
      noted(['root-unknown'], allow({ who: account('ab12-svc', 'ca') })),
    ),
    decides('not for a service account', world({ who: credential('77'), allow: '*' }), noted([], allow({ who: credential('77') }))),
    decides(
      'for an account alone',
      world([{ who: ['urn:v1:eu:identity:account:ab12-svc', ann], allow: '*' }]),
      noted(['root-unknown'], allow({ who: 'urn:v1:eu:identity:account:ab12-svc' })),
      noted([], allow()),
    ),
  ),
]
