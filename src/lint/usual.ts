import { isListed } from '../actions/catalogue.ts'
import { madeIn } from '../collections.ts'
import { glob } from '../glob.ts'
import type { ReadSource } from '../parser/read.ts'
import type { Policy } from '../policy.ts'
import type { Part, RuleContext, Summary } from '../rules/rule.ts'
import { sensitiveIn } from '../rules/support/residual.ts'
import { cannotServe, productOf } from '../rules/support/scopes.ts'
import type { Readers } from '../sources/read.ts'
import { field, type MapNode } from '../tree.ts'
import { type Form, type Terms, UsualForm } from './usual-form.ts'

/**
 * Most files of most folders hold one policy, of the usual form and with nothing wrong. A run of lint keeps a summary of each of them, which
 * answers what rules ask first; their parts are read from the text again where a rule asks for more.
 */

/** A step of reading that keeps summaries of usual policies, for one run with a brand. */
export function usualReader(brand: string): NonNullable<Readers['usual']> {
  const form = new UsualForm(brand)
  return ({ text, notation }, { formatIn }, read) => {
    const policyOf = (usual: Form) => new UsualPolicy(usual, () => (read() as ReadSource).facts.policies[0] as Policy)
    const atGlance = notation === 'json' && formatIn === undefined ? form.read(text) : undefined
    if (atGlance) return onlyPolicy(policyOf(atGlance))
    const reading = read()
    if (reading instanceof Promise) return reading
    const usual = formIn(reading, form)
    return usual ? { ...reading, facts: { ...reading.facts, policies: [policyOf(usual)] } } : reading
  }
}

/** The reading of a text that holds a policy of the usual form and nothing else. Written out: copied parts take longer. */
function onlyPolicy(policy: Policy): ReadSource {
  return {
    kind: 'policies',
    facts: {
      policies: [policy],
      permissionsGroups: none,
      resourceGroups: none,
      resources: none,
      identities: none,
      accounts: none,
      credentials: none,
    },
    diagnostics: none,
    refused: false,
    holdsPolicies: true,
    resemblesPolicies: false,
    ignores: none,
  }
}

const none: readonly never[] = []

/** The summary of a usual policy, which does not read it; undefined for any other. */
export function summaryOf(policy: Policy): Summary | undefined {
  return UsualPolicy.summaryOf(policy)
}

/**
 * A policy whose parts are read when they are asked for. They are its own properties, in the order of any policy, so that a copy of it is
 * an ordinary policy.
 */
class UsualPolicy implements Policy {
  declare readonly name: Policy['name']
  declare readonly description?: NonNullable<Policy['description']>
  declare readonly identities: Policy['identities']
  declare readonly resources: Policy['resources']
  declare readonly permissions: Policy['permissions']
  declare readonly permissionsGroups: Policy['permissionsGroups']
  declare readonly readOnly: boolean
  declare readonly span: Policy['span']
  declare readonly node: Policy['node']
  readonly #summary: Summary
  readonly #read: () => Policy
  #whole: Policy | undefined

  constructor(form: Form, read: () => Policy) {
    this.#summary = new UsualSummary(form)
    this.#read = read
    Object.defineProperties(this, form.isDescribed ? UsualPolicy.#described : UsualPolicy.#undescribed)
  }

  static summaryOf(policy: Policy): Summary | undefined {
    return #summary in policy ? policy.#summary : undefined
  }

  static #properties(described: readonly 'description'[]): PropertyDescriptorMap {
    const parts = ['name', ...described, 'identities', 'resources', 'permissions', 'permissionsGroups', 'readOnly', 'span', 'node'] as const
    const same = { permissionsGroups: none, readOnly: false }
    const propertyOf = (part: (typeof parts)[number]): PropertyDescriptor =>
      part === 'permissionsGroups' || part === 'readOnly'
        ? { enumerable: true, value: same[part] }
        : {
            enumerable: true,
            get(this: UsualPolicy) {
              this.#whole ??= this.#read()
              return this.#whole[part]
            },
          }
    return Object.fromEntries(parts.map((part) => [part, propertyOf(part)]))
  }

  static readonly #undescribed = UsualPolicy.#properties([])
  static readonly #described = UsualPolicy.#properties(['description'])
}

class UsualSummary implements Summary {
  private readonly form: Form

  constructor(form: Form) {
    this.form = form
  }

  get name(): string {
    return this.form.name
  }

  get firstIdentity(): string {
    return this.form.firstIdentity
  }

  get accounts(): readonly string[] {
    return this.form.terms.accounts
  }

  has(part: Part, context: RuleContext): boolean {
    const { terms, name } = this.form
    if (part === 'mayBeOdd') return name.startsWith(`${context.settings.brand}-`)
    return madeIn(context.once(partsByTerms), terms, () => partsOf(terms, context)).has(part)
  }
}

const partsByTerms = () => new Map<Terms, ReadonlySet<Part>>()

/** The parts that a usual policy may have. It has none of the others. */
const possibleParts: Partial<Record<Part, (terms: Terms, context: RuleContext) => boolean>> = {
  mayBeUnlisted: ({ types, regions }, { catalogue, settings }) =>
    regions.length > 1 ||
    regions.some((region) => !settings.regions.includes(region)) ||
    types.some((type) => !catalogue.types.includes(type)),
  unlistedAction: ({ actions }, { catalogue, settings }) => actions.some((action) => !isListed(action, catalogue, settings.brand)),
  mayBeDeprecated: ({ actions }, { catalogue }) => actions.some((action) => catalogue.deprecationOf(action) !== undefined),
  mayBeSensitive: ({ actions }, context) => actions.some((action) => sensitiveIn(glob(action), context).length > 0),
  mayBeUnserved: ({ actions, types }, context) =>
    actions.some((action) => {
      const product = productOf(glob(action), context)
      return product === undefined || types.every((type) => cannotServe(product, type, context))
    }),
}

function partsOf(terms: Terms, context: RuleContext): ReadonlySet<Part> {
  return new Set(Object.entries(possibleParts).flatMap(([part, has]) => (has(terms, context) ? [part as Part] : [])))
}

const fields: ReadonlySet<string> = new Set(['name', 'description', 'identities', 'resources', 'permissions'])

/** The form of the policy in a reading that holds one of the usual form, without any problem, and nothing else. */
export function formIn({ kind, facts, diagnostics, open, assumptions }: ReadSource, form: UsualForm): Form | undefined {
  const { policies, settle, ...others } = facts
  const [policy, second] = policies
  const isOnly = kind === 'policies' && policy && !second && !settle && Object.values(others).every((list) => list.length === 0)
  return isOnly && diagnostics.length === 0 && !open && !assumptions && hasUsualFields(policy) ? form.of(policy) : undefined
}

/** Whether a policy as written has no other fields than usual ones, each of the usual shape. */
function hasUsualFields({ node, address, account }: Policy): boolean {
  const permissions = field(node, 'permissions')
  return (
    address === undefined &&
    account === undefined &&
    node.entries.every(({ key }) => fields.has(key.value)) &&
    node.perhaps === undefined &&
    field(node, 'name')?.kind === 'text' &&
    (field(node, 'description')?.kind ?? 'text') === 'text' &&
    permissions?.kind === 'map' &&
    permissions.entries.length === 1 &&
    isListOfFields(permissions, 'allow') &&
    isListOfFields(node, 'resources')
  )
}

/** Whether a list holds nothing but objects of one field. */
function isListOfFields(map: MapNode, key: string): boolean {
  const list = field(map, key)
  return list?.kind === 'list' && list.items.every((item) => item.kind === 'map' && item.entries.length === 1)
}
