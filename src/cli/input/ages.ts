import { resolve } from 'node:path'
import { commitJson, referenceWords, unreadJson, unreadWords } from '../../answers/history.ts'
import type { Diagnostic } from '../../diagnostic.ts'
import { AccessAges, type Age } from '../../history/ages.ts'
import { partsByGroup, partsOfFindings } from '../../history/finding-parts.ts'
import type { Policy, World } from '../../policy.ts'
import { presentParts } from '../../report/words.ts'
import { accessCodes } from '../../rules/access.ts'
import type { Rule } from '../../rules/rule.ts'
import type { Options } from '../app/commands.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import { branchOf } from './branch.ts'
import { commitIds } from './commits.ts'
import { type Config, type Configs, loadConfig } from './config.ts'
import { withinPaths } from './files.ts'
import { lookThrough, type PastOptions } from './past.ts'
import { pathsOf, policySelection } from './policies.ts'
import { decidable, decidedOf, readFiles, settingsOf } from './world.ts'

/** The findings whose age is asked for. */
export interface AgesAsked {
  /** The policies of now. */
  readonly world: World
  readonly rules: readonly Rule[]
  /** Guardrails about access that must not be granted. */
  readonly guardrails: ReadonlySet<string>
  /** Paths of policies. */
  readonly given: readonly string[]
  /** The option that asks, as it is written. */
  readonly asker: string
  readonly options: PastOptions['options']
  readonly now: number
}

/** The ages of findings, on the way through the commits. */
export interface AgesOfFindings {
  /** Add the next commit, oldest first. */
  readonly add: AccessAges['add']
  /** The findings on access with the commit since which all of the access exists that they are about. `ids`: of all commits, oldest first. */
  readonly results: (ids: readonly string[], io: Io) => readonly Diagnostic[]
}

/** Asks for the ages of findings; undefined where none is about access. */
export function agesOf(
  findings: readonly Diagnostic[],
  { world, rules, guardrails, now }: Pick<AgesAsked, 'world' | 'rules' | 'guardrails' | 'now'>,
): AgesOfFindings | undefined {
  const [partsOf, byGroup] = [partsOfFindings(world, rules), partsByGroup(world)]
  const about = accessCodes(rules, guardrails)
  const parts: Policy[] = []
  const numbers = findings.map((finding): readonly number[] => {
    if (!about.has(finding.code)) return []
    const own = partsOf(finding)
    return (own.length > 0 ? own : byGroup(finding.span)).map((each) => parts.push(each) - 1)
  })
  if (parts.length === 0) return undefined
  const ages = new AccessAges(parts, world)
  return {
    add: (commit, known) => ages.add(commit, known),
    results: (ids, io) => {
      // As for `report --blame`: a tenth of the budget of a run.
      const ageResults = ages.results({ from: now, run: budgetFor(io, 1 / 10) })
      const order = new Map(ids.map((id, i) => [id, i]))
      return findings.map((finding, i) => {
        const own = (numbers[i] as readonly number[]).map((number) => ageResults[number] as Age)
        const age = youngest(own, (id) => order.get(id) ?? -1)
        return age ? { ...finding, facts: { ...finding.facts, since: { words: [ageWords(age)], json: ageJson(age) } } } : finding
      })
    },
  }
}

/** Findings with their age, in the commits of the branch. */
async function withAges(findings: readonly Diagnostic[], asked: AgesAsked, around: Io): Promise<readonly Diagnostic[]> {
  const io = ioWith(around, { git: new GitMemory() })
  const { given, asker, options } = asked
  const { branch, paths } = branchOf(given, asker)
  const ids = commitIds(branch, asker, false, io)
  const ages = agesOf(findings, asked)
  if (!ages) return findings
  await lookThrough(ids, { allParents: false, given: { options, paths } }, io, ({ commit, known }) => ages.add(commit, known))
  return ages.results(ids, io)
}

/** `lint --age`: the findings with their age. Where the policies are not understood, none is known, and a note says so. */
export async function findingsWithAge(
  findings: readonly Diagnostic[],
  {
    paths,
    options,
    configs,
    rules,
    now,
  }: Pick<AgesAsked, 'rules' | 'now'> & {
    readonly paths: readonly string[]
    readonly options: Options<'lint'>
    readonly configs: Configs
  },
  io: Io,
): Promise<readonly Diagnostic[]> {
  const { format: _, ...otherOptions } = options
  // First of all, whether there is a past.
  commitIds(branchOf(paths, '--age').branch, '--age', false, io)
  const config = await loadConfig(options, io)
  const policyPaths = await decidingPaths(paths, config, io)
  const asked = { ...otherOptions, policies: policyPaths, formatIn: undefined, root: [] }
  const selection = await policySelection(policyPaths, config, io, { mayBeEmpty: true })
  const [read] = await decidedOf([await readFiles(selection, settingsOf(config, asked), io)], asked, io)
  const world = read && decidable(read, io, { nothing: 'no age is known of access under' })
  if (!world) return findings
  const guardrails = grantGuardrails(configs)
  return withAges(findings, { world, rules, guardrails, given: policyPaths, asker: '--age', options: { ...asked, policies: [] }, now }, io)
}

/**
 * The paths whose policies decide about findings in some files: those of the configuration, where it names all of these, since a deny may be in
 * any of them; else the paths themselves.
 */
export async function decidingPaths(paths: readonly string[], config: Config, io: Io): Promise<readonly string[]> {
  if (paths.length === 0 || config.policies === undefined) return paths
  const isOfConfig = await withinPaths(pathsOf([], { ...config, world: undefined }), io.cwd)
  return paths.every((path) => isOfConfig(resolve(io.cwd, path))) ? [] : paths
}

/** Of several parts, the age of the one whose access came last. */
function youngest(ages: readonly Age[], placeOf: (id: string) => number): Age | undefined {
  const last = Number.MAX_SAFE_INTEGER
  const rank = (age: Age) => (age.kind === 'since' ? placeOf(age.commit.id) : age.kind === 'undecided' ? last - 1 : last)
  return [...ages].sort((a, b) => rank(b) - rank(a))[0]
}

function ageWords(age: Age): string {
  if (age.kind === 'uncommitted') return 'access that the last commit does not grant'
  if (age.kind === 'undecided') return 'access of which it is not decided since when it exists'
  const { commit, isCut, unread, between } = age
  return presentParts(
    `access since ${referenceWords(commit)}${isCut ? ' or earlier' : ''}`,
    unread.length > 0 && `or ${unreadWords(unread)}`,
    between.length > 0 && `not known at ${unreadWords(between)}`,
  ).join(', ')
}

function ageJson(age: Age): object {
  if (age.kind !== 'since') return { kind: age.kind, commit: null }
  const { commit, isCut, unread, between } = age
  return {
    kind: age.kind,
    commit: commitJson(commit),
    ...(isCut && { orEarlier: true }),
    unread: unreadJson(unread),
    between: unreadJson(between),
  }
}

/** The guardrails about access that must not be granted: a breach of one is as old as the access. */
export function grantGuardrails(configs: Configs): ReadonlySet<string> {
  return new Set(
    configs.all().flatMap(({ guardrails = [] }) => guardrails.flatMap(({ kind, code }) => (kind === 'always' ? [] : [code.value]))),
  )
}
