import type { Catalogue } from '../../actions/catalogue.ts'
import { overlapAnswer, policiesAnswer } from '../../answers/policies.ts'
import { problemsOf } from '../../simulate/question.ts'
import type { ResolvedName, ShortNames } from '../../simulate/short-names.ts'
import { concerning, type Subject } from '../../symbolic/concerning.ts'
import { ActionsByType, knownNamesIn } from '../../symbolic/described.ts'
import { overlapOf } from '../../symbolic/overlap.ts'
import { readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import { exit } from '../app/exit.ts'
import { budgetFor } from '../app/io.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { readAccountContext, withTags } from '../input/account.ts'
import { catalogueFor } from '../input/known.ts'
import { noteUnknownNames } from '../input/unknown.ts'
import { type Answer, fromFiles } from '../input/world.ts'
import { wordsOf, writeAnswer, writeAnswers } from '../output/answer.ts'

/** `policies NAME`: which policies concern an identity or a resource, and how; with `--overlap`, which grant the same to whom. */
export const run: Answer<'policies'> = async (args, options, io, loader = fromFiles) => {
  if (options.overlap && args.length > 0)
    throw new Refusal('`policies --overlap` is about all policies: it takes no NAME', 'omit the name, or `--overlap`')
  if (!options.overlap && args.length === 0)
    throw new Refusal('`policies` takes an identity or a resource', 'for example `grantwise policies user/ann`')
  const { given, times, tags, problems } = readAccountContext(options, io)
  const loaded = await loader.world({ ...options, isOfAll: true }, io, problems)
  if (!loaded) return exit.error
  const world = withTags(loaded.world, tags)
  const catalogue = await catalogueFor(loaded.config, io)
  const actions = new ActionsByType(catalogue)
  const words = wordsOf(loaded, times, actions)
  if (options.overlap) {
    const overlap = overlapOf(world, knownNamesIn([world]), {
      actionsOf: (type) => actions.of(type),
      isKnown: (action) => catalogue.has(action),
      given,
      time: times.time,
      run: budgetFor(io),
    })
    writeAnswer(overlapAnswer(overlap, world, times), words, options, io)
    return overlap.reasons.length > 0 ? exit.unknown : exit.success
  }
  const subjects = args.map((name) => {
    const subject = subjectNamed(name, loaded.short, catalogue)
    return { subject, concerns: concerning(world, subject, { actions, given, from: times.from, time: times.time }) }
  })
  for (const { subject, concerns } of subjects) {
    const isIdentity = subject.kind === 'identity'
    await noteUnknownNames(
      isIdentity ? { identity: subject.urn } : { resource: subject.urn },
      loaded,
      isIdentity && concerns.length > 0,
      io,
    )
  }
  const answers = subjects.map(({ subject, concerns }) => policiesAnswer(concerns, { world, subject, times, ip: given.ip }))
  writeAnswers(answers, words, options, io)
  return subjects.some(({ concerns }) => concerns.length > 0) ? exit.success : exit.failure
}

/** The identity or resource of a URN or a short name. Throws a refusal where it may be both, or is neither. */
function subjectNamed(text: string, names: ShortNames, catalogue: Catalogue): Subject {
  const [identity, resource] = [names.identity(text), names.resource(text)]
  // A pattern with a kind of identity is not about a resource type, nor one with a type about identities.
  const read = /^(?:user|group|credential)\/.*\*/.test(text) ? [identity] : /:.*\*/.test(text) ? [resource] : [identity, resource]
  const urns = text.startsWith('urn:') ? [text] : read.flatMap((each) => (each.text.startsWith('urn:') ? [each.text] : []))
  const [urn, other] = urns
  if (urn === undefined) throw notNamed(text, read, catalogue)
  if (other !== undefined) throw new Refusal(`\`${text}\` may be \`${urn}\` or \`${other}\``, 'write the whole URN, or more of it')
  const isIdentity = /^urn:[^:]*:[^:]*:identity:/.test(urn)
  const kind = isIdentity ? 'identity' : /^urn:[^:]*:[^:]*:resourceGroup:/.test(urn) ? 'resourceGroup' : 'resource'
  const grammar = isIdentity ? readIdentity(urn, { pattern: true }) : readResource(urn, { pattern: true })
  if (kind !== 'resourceGroup') refuseProblems(problemsOf(kind, urn, grammar))
  return { kind, urn }
}

/** The refusal of a name that is neither an identity nor a resource: what it is, and what to write instead. */
function notNamed(text: string, read: readonly ResolvedName[], catalogue: Catalogue): Refusal {
  const types = catalogue.types.includes(text) ? [text] : catalogue.typesOf(text)
  if (types.length > 0 || catalogue.products.includes(text)) {
    const of = types.map((type) => `\`grantwise policies '${type}:*'\``).join(', ')
    return new Refusal(
      `\`${text}\` is a ${types.includes(text) ? 'resource type' : 'product'}: \`policies\` takes an identity or a resource`,
      types.length > 0 ? `all resources of a type: ${of}` : undefined,
    )
  }
  if (catalogue.has(text))
    return new Refusal(
      `\`${text}\` is an action: \`policies\` takes an identity or a resource`,
      `who may do it: \`grantwise who ${text} RESOURCE\``,
    )
  const problems = read.flatMap(({ problem }) => (problem ? [problem] : []))
  const suggesting = problems.find(({ help }) => help?.startsWith('did you mean'))
  const several = problems.find(({ message }) => !message.includes('neither'))
  if (several && !suggesting) return new Refusal(several.message, several.help)
  return new Refusal(
    `\`${text}\` is neither a URN nor the name of an identity or a resource in the policies or world files`,
    suggesting?.help ?? 'write the whole URN',
  )
}
