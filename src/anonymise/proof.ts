import { readAddress } from '../conditions/address.ts'
import { readInstant } from '../conditions/time.ts'
import { defaultSettings } from '../names.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Decision, Question } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { readQuestion, withKnownTags } from '../simulate/question.ts'
import { sourceOf } from '../source.ts'
import { decidableWorld } from '../sources/decidable.ts'
import { readSources } from '../sources/read.ts'
import { allReaders } from '../sources/readers.ts'
import { readSuiteText } from '../suite/read-text.ts'
import { runSuite } from '../suite/run.ts'
import type { Renaming } from './names.ts'
import { type Draft, placeNaming, portraitOf } from './portrait.ts'
import type { AskedText, Documents } from './written.ts'

/** Proofs that files under other names answer as the draft does that they were written from. */

/** Reads files as they were written, as any command that decides reads them where there is no configuration. A text: why they cannot be read. */
export async function readBack(documents: Pick<Documents, 'policies' | 'world' | 'asked'>): Promise<Again | string> {
  const texts = [documents.policies, ...(documents.world === undefined ? [] : [documents.world])]
  const read = await readSources(
    texts.map((text, i) => ({ source: sourceOf(`${i + 1}.yaml`, text), isNamed: true })),
    defaultSettings,
    allReaders,
  )
  const { world, errors = [] } = decidableWorld(read)
  if (!world) return errors[0]?.message ?? read.problems[0]?.message ?? 'it cannot be read'
  const question = questionOf(documents.asked)
  return typeof question === 'string' ? question : { world, question, decision: decide(world, withKnownTags(question, world)) }
}

export interface Again {
  readonly world: World
  readonly question: Question
  readonly decision: Decision
}

function questionOf({ identity, action, resource, groups, ip, tags, owner, at }: AskedText): Question | string {
  const address = ip === undefined ? undefined : readAddress(ip)
  const context = {
    at: readInstant(at) ?? Number.NaN,
    groups,
    ...(address && { ip: address }),
    ...(tags && { tags }),
    ...(owner !== undefined && { owner }),
  }
  const { question, problems } = readQuestion(identity, action, resource, context, defaultSettings)
  return question ?? problems.map(({ message }) => message).join('; ')
}

/** Whether what was read answers as the draft does: verdict, reason, entries, missing facts, and the part of each policy. */
export function answersAlike({ world, question }: Draft, again: Again, { fact, urn }: Renaming): boolean {
  const portrait = portraitOf(
    world,
    question,
    placeNaming(world, fact, (name) => urn(name)),
  )
  return (
    portrait ===
    portraitOf(
      again.world,
      again.question,
      placeNaming(again.world, factText, (name) => name),
    )
  )
}

/** Whether a policy test passes on what was read. */
export async function passes(test: string, { world }: Again): Promise<boolean> {
  const { suite } = await readSuiteText(sourceOf('question.iamtest.yaml', test), 0, defaultSettings)
  if (!suite) return false
  const nothing = { expand: () => [], has: () => false }
  return runSuite(suite, world, nothing).every(({ status }) => status === 'passed')
}
