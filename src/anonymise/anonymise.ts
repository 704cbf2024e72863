import type { Catalogue } from '../actions/catalogue.ts'
import { loadCatalogue } from '../actions/load.ts'
import { Budget } from '../budget.ts'
import { glob, isPattern } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { Decision, Question } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { InputWords, leakIn } from './leaks.ts'
import { actionsOf, type Manner, namesIn, type OpenNames, openNames, type Public, renamingOf, wordsOf } from './names.ts'
import { type Draft, draftOf } from './portrait.ts'
import { answersAlike, passes, readBack } from './proof.ts'
import { reduce } from './reduce.ts'
import { type AskedText, commandLine, documentsOf, testText } from './written.ts'

/** A question and the policies that answer it, under other names and without what does not matter, with a proof that the answer is the same. */

export interface Asked {
  readonly world: World
  readonly question: Question
  /** The strings that the world and the question were read from: none of their words is in the result. */
  readonly texts: Iterable<string>
  readonly brand: string
  /** Policies of which nothing is left out, whether they matter or not. */
  readonly isKept?: (policy: Policy) => boolean
  /** Rename also what the catalogue does not have. */
  readonly actions?: boolean
}

/** How many of something are left, and of how many. */
export interface Left {
  readonly policies: readonly [left: number, all: number]
  readonly entries: readonly [left: number, all: number]
  readonly facts: readonly [left: number, all: number]
}

export interface Reproduction {
  /** `policies.yaml` */
  readonly policies: string
  /** `world.yaml`; undefined where no fact matters. */
  readonly world?: string
  /** `question.iamtest.yaml` */
  readonly test: string
  /** Policies and facts as one document. */
  readonly whole: string
  /** The question under other names, and the answer to it. */
  readonly asked: AskedText
  readonly decision: Decision
  /** The question as a command line, for policies at these paths. */
  readonly command: (paths: readonly string[]) => string
  readonly left: Left
  /** No further part can be left out. False: there was too much to try. */
  readonly isMinimal: boolean
  /** Some pattern cuts names so that they keep their lengths: letters are replaced by letters. */
  readonly isByLetters: boolean
  /** Actions that the catalogue does not have, and which are as they were. */
  readonly unknownActions: readonly string[]
  /** Each name with the one in its place, in the order of the result. Not to be shared. */
  readonly mapping: readonly (readonly [name: string, replacement: string])[]
}

/** Why there is no reproduction. */
export interface NotReproduced {
  readonly problem: string
}

const manners: readonly Pick<Manner, 'names' | 'addresses' | 'shift'>[] = [
  { names: 'words', addresses: 'short', shift: 0 },
  { names: 'words', addresses: 'same', shift: 0 },
  ...[0, 5, 11].flatMap((shift) => [
    { names: 'letters', addresses: 'short', shift } as const,
    { names: 'letters', addresses: 'same', shift } as const,
  ]),
]

/** How often words that together hold one of the input are replaced by others. */
const mostRetries = 20

/** A reproduction of the answer to a question. The same input gives the same one. */
export async function anonymised(asked: Asked, run: Budget = new Budget()): Promise<Reproduction | NotReproduced> {
  const { world, question, brand, isKept = () => false, actions = false } = asked
  const { draft, isMinimal } = reduce(draftOf(world, question), isKept, run)
  const input = new InputWords()
  for (const text of asked.texts) input.add(text)
  const catalogue = loadCatalogue(brand)
  const publicNames = publicOf(catalogue, brand, actions)
  const open = openNames(draft)
  for (const { name } of namesIn(draft, open)) input.add(name)
  let problem = 'there are no other names for it'
  for (const manner of manners) {
    const refused: string[] = []
    const mayUse = (word: string) => input.foundIn(word) === undefined && !refused.some((text) => text.includes(word))
    for (let retry = 0; retry < mostRetries; retry++) {
      const made = await attempt(draft, open, publicNames, { ...manner, mayUse, actions }, input)
      if ('problem' in made) {
        problem = made.problem
        if (made.word === undefined || refused.includes(made.word)) break
        refused.push(made.word)
        continue
      }
      return {
        ...made,
        left: leftOf(draft.world, world),
        isMinimal,
        isByLetters: manner.names === 'letters',
        unknownActions: actions ? [] : actionsOf(draft, open).filter((action) => !isKnown(action, catalogue)),
      }
    }
  }
  return { problem }
}

type Made = Omit<Reproduction, 'left' | 'isMinimal' | 'isByLetters' | 'unknownActions'>
/** `word`: of the output, that holds one of the input. */
type NotMade = NotReproduced & { readonly word?: string }

const testPolicies = (hasFacts: boolean): readonly string[] => (hasFacts ? ['policies.yaml', 'world.yaml'] : ['policies.yaml'])

/** Write a draft under other names, read it again, and compare the answers. */
async function attempt(draft: Draft, open: OpenNames, publicNames: Public, manner: Manner, input: InputWords): Promise<Made | NotMade> {
  const renaming = renamingOf(draft, open, publicNames, manner)
  if (!renaming) return { problem: 'there are too many names or patterns in what matters' }
  const documents = documentsOf(draft, open, renaming)
  const again = await readBack(documents)
  if (typeof again === 'string') return { problem: `under other names it cannot be read: ${again}` }
  if (!answersAlike(draft, again, renaming)) return { problem: 'under other names the answer is another one' }
  const { asked, tested, policies, world: facts, whole } = documents
  const { decision } = again
  const because = [...new Set(decision.clauses.map(({ policy }) => policy.name.value))]
  const missing = decision.missing.map(({ fact }) => factText(fact))
  const test = testText(tested, decision, missing, because, testPolicies(facts !== undefined))
  if (!(await passes(test, again))) return { problem: 'under other names the policy test does not pass' }
  const command = (paths: readonly string[]) => commandLine(asked, paths)
  const leak = leakIn([whole, test, command([])].join('\n'), input, renaming.open, renaming.kept)
  if (leak) return { problem: `\`${leak.word}\` in the result holds \`${leak.found}\`, which is in the input`, word: leak.word }
  return {
    policies,
    ...(facts !== undefined && { world: facts }),
    test,
    whole,
    asked,
    decision,
    command,
    mapping: namesIn(draft, open)
      .map(({ name, renamed }): readonly [string, string] => [name, renamed(renaming)])
      .filter(([name, replacement]) => name !== replacement),
  }
}

function publicOf(catalogue: Catalogue, brand: string, withActions: boolean): Public {
  const actionWords = withActions ? catalogue.expand(glob('*')).flatMap(wordsOf) : []
  return { brand, types: new Set(catalogue.types), actionWords: new Set(actionWords) }
}

/** Whether an action is in the catalogue, or a pattern matches one that is. */
function isKnown(action: string, catalogue: Catalogue): boolean {
  const pattern = glob(action)
  return isPattern(pattern) ? catalogue.expand(pattern).length > 0 : catalogue.has(action)
}

function leftOf(remaining: World, all: World): Left {
  const counts = (count: (world: World) => number) => [count(remaining), count(all)] as const
  return {
    policies: counts(({ policies }) => policies.length),
    entries: counts(({ policies }) => policies.reduce((sum, policy) => sum + entryCount(policy), 0)),
    facts: counts(
      ({ permissionsGroups, resourceGroups, resources, identities }) =>
        permissionsGroups.size + resourceGroups.size + resources.size + identities.size,
    ),
  }
}

function entryCount({ identities, resources, permissions: { allow, except, deny }, permissionsGroups }: Policy): number {
  return [identities, resources, allow, except, deny, permissionsGroups].reduce((sum, { length }) => sum + length, 0)
}
