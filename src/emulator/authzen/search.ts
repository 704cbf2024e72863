import type { Catalogue } from '../../actions/catalogue.ts'
import { compareText } from '../../diagnostic.ts'
import { glob, isPattern } from '../../glob.ts'
import type { World } from '../../policy.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { identityKinds, readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { Service } from '../model/service.ts'
import { type Place, questionOf, shortPrefix } from './question.ts'
import type { Evaluation, Fallible } from './request.ts'

/** Subjects and resources by type and id, actions by name. */
export type Found = { readonly type: string; readonly id: string } | { readonly name: string }

export interface Results {
  readonly found: readonly Found[]
  /** How many others may be among them, by facts that are not known. */
  readonly undecided: number
}

export const searches = ['subject', 'resource', 'action'] as const
export type Search = (typeof searches)[number]

/**
 * The subjects, resources or actions of which a question is allowed, among those that are known: described or named in a policy of the
 * account, and actions of the catalogue. Sorted.
 */
export function resultsOf(service: Service, place: Place, asked: Evaluation, search: Search): Fallible<Results> {
  const results: Found[] = []
  let undecided = 0
  // A search for a type that is not known finds nothing: that is no error of it.
  if (!identityKinds.some((kind) => kind === asked.subject.type)) return { value: { found: results, undecided } }
  for (const each of candidates[search](service, place, asked)) {
    const evaluation = evaluationOf(asked, each)
    const question = questionOf(service, place, evaluation)
    // A name that the question cannot have is none of the results; what is wrong with the rest of it is said.
    if (question.fault !== undefined) return question
    const { verdict } = place.decide(question.value)
    if (verdict === 'allow') results.push(each)
    if (verdict === 'unknown') undecided++
  }
  return { value: { found: results, undecided } }
}

function evaluationOf(asked: Evaluation, each: Found): Evaluation {
  if ('name' in each) return { ...asked, action: { ...asked.action, name: each.name } }
  if (identityKinds.some((kind) => kind === each.type) && asked.subject.id === '')
    return { ...asked, subject: { ...asked.subject, id: each.id } }
  return { ...asked, resource: { ...asked.resource, id: each.id } }
}

const candidates: Readonly<Record<Search, (service: Service, place: Place, asked: Evaluation) => readonly Found[]>> = {
  subject: (_, { account, world }, { subject }) =>
    [...new ShortNames(world).identities].sort(compareText).flatMap((urn): readonly Found[] => {
      const read = readIdentity(urn, { pattern: false }).value
      if (!read || read.kind !== subject.type) return []
      const isOwn = read.account === account
      // An evaluation of one of another account is decided by the policies of that account, unless it names this one.
      if (!isOwn && typeof subject.properties.account !== 'string') return []
      return [{ type: subject.type, id: isOwn ? (read.kind === 'account' ? account : read.name) : urn }]
    }),
  resource: (_, { region, world }, { resource }) =>
    resourcesIn(world).flatMap((urn): readonly Found[] => {
      const read = readResource(urn, { pattern: false }).value
      if (!read || read.type !== resource.type) return []
      return [{ type: resource.type, id: read.region === region ? (read.name ?? urn) : urn }]
    }),
  action: ({ catalogue, settings }, { world }, { resource }) =>
    actionsFor(resource.type, catalogue, world, settings.brand).map((name) => ({ name })),
}

/** The resources that are described or named in a policy. */
function resourcesIn({ resources, policies }: World): readonly string[] {
  const urns = new Set(resources.keys())
  for (const policy of policies) for (const { value } of policy.resources) if (!isPattern(value.glob)) urns.add(value.text)
  return [...urns].sort(compareText)
}

/** The actions of the products that serve a type, and those that policies name; of a product that is not in the catalogue by short names. */
function actionsFor(type: string, catalogue: Catalogue, world: World, brand: string): readonly string[] {
  const products = catalogue.products.filter((product) => product === type || catalogue.typesOf(product).includes(type))
  const catalogued = products.flatMap((product) => catalogue.actionsOf(product))
  const named = world.policies
    .flatMap(({ permissions }) => permissions.allow.map(({ value }) => value.text))
    .filter((text) => !isPattern(glob(text)))
    .map((text) => text.replace(/\?.*$/s, ''))
  const prefix = shortPrefix(type, brand)
  const isShort = !products.includes(type)
  return [
    ...new Set([...catalogued, ...named].map((name) => (isShort && name.startsWith(prefix) ? name.slice(prefix.length) : name))),
  ].sort(compareText)
}
