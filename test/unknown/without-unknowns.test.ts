import { describe, expect, test } from 'vitest'
import { covers, glob, overlaps } from '../../src/glob.ts'
import type { Condition, OpenEntry, OpenFact, PermissionSet, PermissionsGroup, Policy } from '../../src/policy.ts'
import { type Span, sourceOf } from '../../src/source.ts'
import { exactNames, factNamer, type Namer, withoutUnknowns } from '../../src/unknown/without-unknowns.ts'
import { readIdentity } from '../../src/urn/identity.ts'
import { readResourcePattern } from '../../src/urn/resource.ts'

const source = sourceOf('p.tf', 'ab\ncd\nef\n')
const other = sourceOf('q.tf', '  \n')
/** A place, as long as one character. */
const at = (start: number, of = source): Span => ({ source: of, start, end: start + 1 })

const identity = (name: string) => ({
  value: readIdentity(`urn:v1:eu:identity:user:ab12-svc/${name}`, { pattern: false }).value as never,
  span: at(0),
})
const resource = (text: string) => ({ value: readResourcePattern(text).value as never, span: at(0) })
const patterns = (...texts: string[]) => texts.map((text) => ({ value: glob(text), span: at(0) }))
const permissions = (set: Partial<Record<keyof PermissionSet, string[]>> = {}): PermissionSet => ({
  allow: patterns(...(set.allow ?? [])),
  except: patterns(...(set.except ?? [])),
  deny: patterns(...(set.deny ?? [])),
})

function policyWith(more: Partial<Policy> = {}): Policy {
  return {
    name: { value: 'p', span: at(0) },
    identities: [identity('ann')],
    resources: [resource('urn:v1:eu:resource:vps:x')],
    permissions: permissions({ allow: ['a'], except: ['e'], deny: ['d'] }),
    permissionsGroups: [],
    readOnly: false,
    span: at(1),
    ...more,
  } as Policy
}

const fact = (words: string, more: Partial<OpenFact> = {}): OpenFact => ({ fact: words, scope: 's', span: at(3), ...more })
const entry = (list: OpenEntry['list'], words: string, bound = '*', more: Partial<OpenFact> = {}): OpenEntry => ({
  list,
  bound: glob(bound),
  ...fact(words, more),
})
const opaque = (text: string, more: object = {}): Condition => ({ kind: 'opaque', text, span: at(4), ...more })
const match = { kind: 'match', span: at(4) } as Condition

const simple: Namer = ({ fact: words }, about) => `${words}/${about}`

function condition(of: Condition): string {
  if (of.kind === 'match') return 'match'
  if (of.kind === 'opaque') return `${of.text}@${of.span.start}${of.isValue ? '' : '!'}${of.scope === undefined ? '' : ` in ${of.scope}`}`
  return `${of.kind}@${of.span.start}(${of.operands.map(condition).join(', ')})`
}

/** A pattern, with what replaces it. */
const written = ({ text, glob: pattern, words }: { text: string; glob?: { words?: string }; words?: string }) => {
  const said = words ?? pattern?.words
  return said === undefined ? text : `${text}=${said}`
}

function shown({ identities, resources, permissions: set, permissionsGroups, condition: only, ...rest }: Policy): readonly string[] {
  const { open, perhaps } = rest
  expect({ open, perhaps }).toEqual({})
  expect(rest).toMatchObject({ name: { value: 'p' }, readOnly: false, span: at(1) })
  return [
    identities
      .map(({ value }) => `${value.kind} ${written({ ...value, text: value.text.replace('urn:v1:eu:identity:user:ab12-svc/', '') })}`)
      .join(),
    resources.map(({ value }) => written(value as never)).join(),
    (['allow', 'except', 'deny'] as const).map((list) => `${list} ${set[list].map(({ value }) => written(value)).join()}`).join('; '),
    permissionsGroups.map(({ value }) => value.text).join(),
    only ? condition(only) : '',
  ]
}

const results = (policy: Policy, groups: Readonly<Record<string, PermissionsGroup>> = {}, name: Namer = simple) =>
  withoutUnknowns([policy], new Map(Object.entries(groups)), name).policies.map(shown)

const ann = 'user ann'
const vps = 'urn:v1:eu:resource:vps:x'
const all = 'allow a; except e; deny d'

describe('a policy all of which is known', () => {
  test('stays the same object', () => {
    for (const policy of [policyWith(), policyWith({ condition: match }), policyWith({ condition: opaque('x') })])
      expect(withoutUnknowns([policy], new Map(), simple).policies[0]).toBe(policy)
  })

  test('has the names of the world in its conditions', () => {
    const operands = [
      match,
      opaque('x'),
      opaque('y', { scope: 's' }),
      { kind: 'not', operands: [opaque('z', { scope: 's' })], span: at(6) },
    ]
    const [first] = results(policyWith({ condition: { kind: 'or', operands, span: at(7) } as Condition }))
    expect(first).toEqual([ann, vps, all, '', 'or@7(match, x@4!, y/condition@4, not@6(z/condition@4))'])
    const seen: OpenFact[] = []
    const note: Namer = (each) => {
      seen.push(each)
      return 'n'
    }
    results(policyWith({ condition: opaque('x', { scope: 's', id: 'i' }) }), {}, note)
    results(policyWith({ condition: opaque('x', { scope: 's' }) }), {}, note)
    expect(seen).toEqual([
      { fact: 'x', scope: 's', id: 'i', span: at(4) },
      { fact: 'x', scope: 's', span: at(4) },
    ])
    expect(Object.keys(seen[1] as OpenFact)).not.toContain('id')
  })
})

describe('a policy that may not be there', () => {
  test('is there under the condition that all hold', () => {
    const perhaps = [fact('x'), fact('y', { span: at(6) })]
    expect(results(policyWith({ open: [], perhaps }))).toEqual([[ann, vps, all, '', 'and@1(x/there@3, y/there@6)']])
    expect(results(policyWith({ open: [], perhaps: [fact('x')] }))).toEqual([[ann, vps, all, '', 'x/there@3']])
    expect(results(policyWith({ open: [], perhaps: [fact('x')], condition: match }))).toEqual([
      [ann, vps, all, '', 'and@1(match, x/there@3)'],
    ])
    expect(results(policyWith({ open: [] }))).toEqual([[ann, vps, all, '', '']])
    expect('condition' in (withoutUnknowns([policyWith({ open: [] })], new Map(), simple).policies[0] as Policy)).toBe(false)
  })
})

describe('an unknown identity', () => {
  const results1 = (bound: string, more: Partial<Policy> = {}) =>
    results(policyWith({ open: [entry('identities', 'x', bound)], ...more })).map(([who, , , , only]) => [who, only])

  test('is everybody within its bound, under the condition that it is so', () => {
    const user = 'urn:v1:eu:identity:user:xy99-svc/bob'
    expect(covers(glob(user), glob('urn:v1:*:identity:*'))).toBe(false)
    expect(results1(user)).toEqual([
      [ann, ''],
      [`user ${user}=x`, 'x/identities@3'],
    ])
    // Groups too, where it may be one of them, unless it may be any caller.
    for (const bound of ['urn:v1:*:identity:group:*', 'urn:v1:eu:identity:g*', 'urn:v1:eu:*s']) {
      expect(overlaps(glob(bound), glob('urn:v1:*:identity:group:*'))).toBe(true)
      expect(results1(bound)).toEqual([
        [ann, ''],
        [`user ${bound}=x,group ${bound}=x`, 'x/identities@3'],
      ])
    }
    for (const bound of ['*', 'urn:*', 'urn:v1:*:identity:*'])
      expect(results1(bound)).toEqual([
        [ann, ''],
        [`user ${bound}=x`, 'x/identities@3'],
      ])
  })

  test('is the only one where no other is known', () => {
    expect(results1('*', { identities: [] })).toEqual([['user *=x', 'x/identities@3']])
    expect(results(policyWith({ open: [], identities: [] }))).toEqual([])
  })

  test('is written as it is in the source', () => {
    const [, unknown] = withoutUnknowns(
      [policyWith({ open: [entry('identities', 'x', 'urn:v1:eu:identity:group:*')] })],
      new Map(),
      simple,
    ).policies
    const bound = 'urn:v1:eu:identity:group:*'
    const who = (kind: string) => ({
      value: { text: bound, region: '', kind, account: undefined, name: bound, glob: { ...glob(bound), words: 'x' } },
      span: at(3),
    })
    expect(unknown?.identities).toEqual([who('user'), who('group')])
  })
})

describe('an unknown resource', () => {
  const open = (bound: string, more: Partial<Policy> = {}) => policyWith({ open: [entry('resources', 'x', bound)], ...more })
  const unknownOf = (bound: string) => withoutUnknowns([open(bound)], new Map(), simple).policies[1]?.resources

  test.each([
    ['*', '*', '*', ''],
    ['urn:*', '*', '*', ''],
    ['urn:v1:*:resource:*', '*', '*', ''],
    ['urn:v1:eu:resource:vps', 'eu', 'vps', ''],
    ['urn:v1:eu:resource:vps:a:b*', 'eu', 'vps', 'a:b*'],
    ['urn:v1:*:resource:v*:\nx', '*', 'v*', '\nx'],
    ['urn:v1:e*', '*', '*', ''],
    ['urn:v1:eu:resourceGroup:x', '*', '*', ''],
  ])('within %s', (bound, region, type, name) => {
    const text = region === '*' && type === '*' && name === '' ? '*' : bound
    const wanted = /resource:/.test(bound) ? bound : text
    expect(unknownOf(bound)).toEqual([
      { value: { kind: 'resource', text: wanted, region, type, name, glob: { ...glob(wanted), words: 'x' } }, span: at(3) },
    ])
  })

  test('is under a condition, with each identity that is known and each that is not', () => {
    const policy = policyWith({
      open: [entry('resources', 'x'), entry('identities', 'y'), entry('resources', 'z', 'urn:v1:eu:resource:vps')],
    })
    expect(results(policy)).toEqual([
      [ann, vps, all, '', ''],
      [ann, '*=x', all, '', 'x/resources@3'],
      [ann, 'urn:v1:eu:resource:vps=z', all, '', 'z/resources@3'],
      ['user *=y', vps, all, '', 'y/identities@3'],
      ['user *=y', '*=x', all, '', 'and@1(y/identities@3, x/resources@3)'],
      ['user *=y', 'urn:v1:eu:resource:vps=z', all, '', 'and@1(y/identities@3, z/resources@3)'],
    ])
    expect(results(open('*', { resources: [] }))).toEqual([[ann, '*=x', all, '', 'x/resources@3']])
  })
})

describe('an unknown permission', () => {
  const lists = (open: readonly OpenEntry[], set?: Partial<Record<keyof PermissionSet, string[]>>) =>
    results(policyWith({ open, ...(set && { permissions: permissions(set) }) })).map(([, , list, , only]) => [list, only])

  test('is allowed or denied in a part of its own, under the condition that it is so', () => {
    expect(lists([entry('allow', 'x', 'vps:*'), entry('deny', 'y')])).toEqual([
      [all, ''],
      ['allow vps:*=x; except e; deny ', 'x/allow@3'],
      ['allow ; except ; deny *=y', 'y/deny@3'],
    ])
  })

  test('may be an exception: it is certainly taken from what is allowed, and not where it is another', () => {
    const excepts = [entry('except', 'x', 'v*'), entry('except', 'y', 'w*', { span: at(6) })]
    expect(lists(excepts)).toEqual([
      ['allow a; except e,v*=x,w*=y; deny d', ''],
      ['allow a; except e; deny ', 'not@3(x/except@3, y/except@6)'],
    ])
    expect(lists([...excepts, entry('allow', 'z')])).toEqual([
      ['allow a; except e,v*=x,w*=y; deny d', ''],
      ['allow a; except e; deny ', 'not@3(x/except@3, y/except@6)'],
      ['allow *=z; except e,v*=x,w*=y; deny ', 'z/allow@3'],
      ['allow *=z; except e; deny ', 'and@1(z/allow@3, not@3(x/except@3, y/except@6))'],
    ])
    expect(lists(excepts, { deny: ['d'] })).toEqual([['allow ; except v*=x,w*=y; deny d', '']])
  })

  test('in a group of permissions is in a part of the policies that name it', () => {
    const group = (more: Partial<PermissionsGroup>): PermissionsGroup =>
      ({ permissions: permissions({ allow: ['ga'], except: ['ge'], deny: ['gd'] }), span: at(0), ...more }) as PermissionsGroup
    const named = (text: string) => ({ value: { text } as never, span: at(0) })
    const groups = {
      'urn:g': group({ open: [entry('allow', 'x', 'g*'), entry('except', 'y')] }),
      'urn:h': group({}),
    }
    const policy = policyWith({ permissionsGroups: [named('urn:g'), named('urn:h'), named('urn:none')] })
    const given = { permissions: 'urn:g,urn:h,urn:none' }
    expect(results(policy, groups)).toEqual([
      [ann, vps, all, given.permissions, ''],
      [ann, vps, 'allow ga; except ge; deny ', '', 'not@3(y/except@3)'],
      [ann, vps, 'allow g*=x; except ge,*=y; deny ', '', 'x/allow@3'],
      [ann, vps, 'allow g*=x; except ge; deny ', '', 'and@1(x/allow@3, not@3(y/except@3))'],
    ])
    expect(results({ ...policy, condition: match }, groups)[1]?.at(-1)).toBe('and@1(match, not@3(y/except@3))')
    const without = policyWith({ permissionsGroups: [named('urn:h')] })
    const { policies, permissionsGroups } = withoutUnknowns([without], new Map(Object.entries(groups)), simple)
    expect(policies[0]).toBe(without)
    // An identity that is certainly in a group stays there.
    expect(permissionsGroups.get('urn:h')).toBe(groups['urn:h'])
    const set = permissions({ allow: ['ga'], except: ['ge'], deny: ['gd'] })
    const except = [...set.except, { value: { ...glob('*'), words: 'y' }, span: at(3) }]
    expect(permissionsGroups.get('urn:g')).toEqual({ span: at(0), permissions: { ...set, except } })
    expect([...permissionsGroups.keys()]).toEqual(['urn:g', 'urn:h'])
  })
})

describe('what facts are called', () => {
  const namer = (policies: readonly Partial<Policy>[], groups: readonly Partial<PermissionsGroup>[] = []) =>
    factNamer(
      policies.map((policy) => policyWith(policy)),
      groups as PermissionsGroup[],
    )

  test('by their own words, where these mean one thing', () => {
    const name = namer([{ open: [entry('allow', 'x'), entry('allow', 'x')], perhaps: [fact('y')] }], [{ open: [entry('allow', 'x')] }, {}])
    expect([name(fact('x'), 'allow'), name(fact('y'), 'there'), name(fact('other'), 'deny')]).toEqual(['x', 'y', 'other'])
  })

  test('with the list, where they are in several', () => {
    const name = namer([{ open: [entry('allow', 'x')] }, { condition: opaque('x', { scope: 's' }) }], [{ open: [entry('deny', 'y')] }])
    expect([name(fact('x'), 'allow'), name(fact('x'), 'condition'), name(fact('y'), 'deny')]).toEqual(['x in allow', 'x in condition', 'y'])
    expect(namer([{ open: [entry('allow', 'x')], perhaps: [fact('x')] }])(fact('x'), 'there')).toBe('x in there')
    expect(namer([{ open: [entry('allow', 'x')] }], [{ open: [entry('deny', 'x')] }])(fact('x'), 'deny')).toBe('x in deny')
  })

  test('of conditions, at all depths, where they have a scope', () => {
    const deep = {
      kind: 'and',
      operands: [match, { kind: 'not', operands: [opaque('x', { scope: 't' })], span: at(0) }, opaque('x')],
      span: at(0),
    }
    const name = namer([{ open: [entry('allow', 'x')], condition: deep as Condition }])
    expect(name(fact('x'), 'allow')).toBe('x in allow of s')
    expect(namer([{ open: [entry('allow', 'x')], condition: opaque('x') }])(fact('x'), 'allow')).toBe('x')
  })

  test('with the scope, where they have several', () => {
    const name = namer([{ open: [entry('allow', 'x'), entry('allow', 'x', '*', { scope: 't' })] }])
    expect([name(fact('x'), 'allow'), name(fact('x', { scope: 't' }), 'allow')]).toEqual(['x of s', 'x of t'])
  })

  test('with the place where what distinguishes them is first written, where something does', () => {
    const ids = [
      entry('allow', 'x', '*', { id: 'i', span: at(4) }),
      entry('allow', 'x', '*', { id: 'i', span: at(7) }),
      entry('allow', 'x', '*', { id: 'j', span: at(6) }),
      entry('allow', 'x', '*', { id: 'k', span: at(1, other) }),
      entry('allow', 'x', '*', { span: at(0) }),
    ]
    const name = namer([{ open: ids }])
    const named = (id: string) => name(fact('x', { id }), 'allow')
    expect([named('i'), named('j'), named('k'), named('l'), name(fact('x'), 'allow')]).toEqual([
      'x at p.tf:2:2',
      'x at p.tf:3:1',
      'x at q.tf:1:2',
      'x',
      'x at p.tf:1:1',
    ])
    expect(namer([{ open: ids.slice(0, 2) }])(fact('x', { id: 'i' }), 'allow')).toBe('x')
    // Those at one place are numbered.
    const alike = ['i', 'j', 'k'].map((id) => entry('deny', 'x', '*', { id, span: at(id === 'j' ? 6 : 4) }))
    const numbered = namer([{ open: alike }])
    expect(['i', 'j', 'k'].map((id) => numbered(fact('x', { id }), 'deny'))).toEqual([
      'x at p.tf:2:2 (1)',
      'x at p.tf:3:1',
      'x at p.tf:2:2 (2)',
    ])
  })

  test('of conditions too', () => {
    const both = {
      kind: 'or',
      operands: [opaque('x', { scope: 's', id: 'i' }), opaque('x', { scope: 's', id: 'j', span: at(6) })],
      span: at(0),
    }
    expect(namer([{ condition: both as Condition }])(fact('x', { id: 'j' }), 'condition')).toBe('x at p.tf:3:1')
  })

  test('exactly: the same where list, scope and what distinguishes them are the same, and only then', () => {
    const facts = [
      fact('x'),
      fact('y'),
      fact('x', { scope: 't' }),
      fact('x', { id: 'i' }),
      fact('x', { id: 'j' }),
      fact('x', { id: 'i', scope: 't' }),
    ]
    const names = (['allow', 'deny'] as const).flatMap((about) => facts.map((each) => exactNames(each, about)))
    expect(new Set(names).size).toBe(12)
    expect(exactNames(fact('y', { id: 'i', span: at(0) }), 'allow')).toBe(exactNames(fact('x', { id: 'i' }), 'allow'))
    expect(exactNames(fact('x', { span: at(0) }), 'allow')).toBe(names[0])
  })
})
