import { blameAnswer } from '../answers/blame.ts'
import { changeLines } from '../answers/difference.ts'
import { answerText } from '../answers/text.ts'
import { wordingOf } from '../answers/wording.ts'
import { answerWho } from '../ask/access.ts'
import { pushTo } from '../collections.ts'
import { diff } from '../diff/diff.ts'
import { type Glob, glob, isPattern, matches, overlaps } from '../glob.ts'
import type { Facts } from '../parser/policy.ts'
import { buildWorld } from '../parser/world.ts'
import type { Policy, World } from '../policy.ts'
import { paint } from '../report/colour.ts'
import { Names } from '../report/names.ts'
import { plural } from '../report/words.ts'
import { isExampleNotation, sourceOf, touches } from '../source.ts'
import { isMalformed } from '../sources/files.ts'
import type { EditorFile, Workspace } from './model.ts'
import { rangeInFile } from './parts.ts'
import type { Lens, ResolvedLens } from './types.ts'
import { factsOf } from './workspace.ts'

/** The most lenses of one file. */
const mostLenses = 300

/** Lines above policies and resources: who can use them; above a file that differs from what was committed, what the edit grants. */
export function lenses(workspace: Workspace, file: EditorFile): readonly Lens[] {
  const { settings, committed, world } = workspace
  if (file.purpose !== 'policies') return []
  const before = isWritten(file) ? committed?.(file.path) : undefined
  const edit: readonly Lens[] =
    before !== undefined && before !== file.source.text
      ? [{ range: { start: 0, end: 0 }, title: 'what this edit grants', kind: 'grants', about: file.path }]
      : []
  if (isExampleNotation(file.source.notation)) return edit
  const since: readonly Lens[] =
    before !== undefined && workspace.blame && world.policies.some(({ span }) => span.source === file.source)
      ? [{ range: { start: 0, end: 0 }, title: 'since when its entries have an effect', kind: 'since', about: file.path }]
      : []
  const members = membersOf(world)
  const named = file.spots(settings).flatMap(({ node, role, part, isDefinition }): readonly Lens[] => {
    if (!isDefinition || node.isExpression) return []
    const range = rangeInFile(part, node)
    if (role === 'resource' && world.resources.has(node.value))
      return [{ range, title: 'who can use this', kind: 'who', about: node.value }]
    if (role !== 'policyName') return []
    const policy = policyAt(world, file, range.start)
    return policy ? [{ range, title: `who can use this: ${whoWords(policy, members)}`, kind: 'who', about: node.value }] : []
  })
  return [...edit, ...since, ...named.slice(0, mostLenses)]
}

/** Whether a file is written by users, and part of the world. */
function isWritten({ read }: EditorFile): boolean {
  return read?.kind === 'policies' || read?.kind === 'configuration'
}

function policyAt({ policies }: World, { source }: EditorFile, at: number): Policy | undefined {
  return policies.find(({ span }) => span.source === source && touches(span, at))
}

/** The described members of groups. */
function membersOf({ identities }: World): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>()
  for (const [urn, { groups }] of identities) {
    for (const group of groups) {
      pushTo(members, group, urn)
    }
  }
  return members
}

/** Whom a policy names, counted. */
function whoWords({ identities }: Policy, members: ReadonlyMap<string, readonly string[]>): string {
  const groups = identities.filter(({ value }) => value.kind === 'group')
  const inGroups = new Set(groups.flatMap(({ value }) => members.get(value.text) ?? []))
  const words = [
    ...(groups.length > 0
      ? [`${plural(groups.length, 'group')}${inGroups.size > 0 ? ` (${plural(inGroups.size, 'described member')})` : ''}`]
      : []),
    ...(identities.length > groups.length ? [plural(identities.length - groups.length, groups.length > 0 ? 'other' : 'identity')] : []),
  ]
  return words.join(', ') || 'nobody'
}

/** The most questions that one lens asks. */
const mostQuestions = 3

/** The whole answer of a lens. */
export async function resolveLens(workspace: Workspace, file: EditorFile, lens: Lens): Promise<ResolvedLens> {
  return { ...lens, markdown: await lensAnswers[lens.kind](workspace, file, lens) }
}

type LensAnswer = (workspace: Workspace, file: EditorFile, lens: Lens) => string | Promise<string>
const lensAnswers: Readonly<Record<Lens['kind'], LensAnswer>> = { who: whoCan, grants, since: sinceWhen }

/** Since when the entries of a file have their effect. */
async function sinceWhen({ blame, world }: Workspace, { path }: EditorFile): Promise<string> {
  const report = await blame?.(path)
  if (!report) return 'this file was never committed'
  if ('why' in report) return report.why
  const text = answerText(blameAnswer(report), { paint: paint(false), wording: wordingOf(new Names([world])), width: 100 })
  return ['```text', text.trimEnd(), '```'].join('\n')
}

function whoCan({ world, catalogue, now }: Workspace, file: EditorFile, { range, about }: Lens): string {
  const policy = about.startsWith('urn:') ? undefined : policyAt(world, file, range.start)
  const questions: readonly (readonly [action: string, resource: string])[] = policy
    ? policy.permissions.allow
        .slice(0, mostQuestions)
        .map(({ value }) => [value.text, policy.resources[0]?.value.text ?? 'urn:v1:eu:resource:*'] as const)
    : [['*', about]]
  const names = new Names([world])
  if (questions.length === 0) return 'this policy allows nothing by itself'
  const answers = questions.map(([action, resource]) => {
    const { answer, from } = answerWho(
      aboutResource(world, resource),
      { action, resource, context: { groups: [], at: now } },
      {},
      catalogue,
    )
    return answerText(answer, { paint: paint(false), wording: wordingOf(names, from), width: 100 }).trimEnd()
  })
  const further = policy ? policy.permissions.allow.length - questions.length : 0
  return ['```text', answers.join('\n\n'), ...(further > 0 ? [`and ${plural(further, 'more entry')}`] : []), '```'].join('\n')
}

/** The part of a world that who may do something on resources depends on: the policies about them, and those whom they name. */
function aboutResource(world: World, resource: string): World {
  const policies = world.policies.filter((policy) => mayBeAbout(policy, [glob(resource)]))
  const named = policies.flatMap(({ identities }) => identities.map(({ value }) => value.glob))
  const single = new Set(named.flatMap((each) => (isPattern(each) ? [] : [each.text])))
  const patterns = named.filter(isPattern)
  const isNamed = (urn: string) => single.has(urn) || patterns.some((each) => matches(each, urn))
  const identities = new Map([...world.identities].filter(([urn, { groups }]) => isNamed(urn) || groups.some(isNamed)))
  return { ...world, policies, identities }
}

/** Whether a policy may be about some of the resources: what is in a group may be any of them. */
function mayBeAbout({ resources, open }: Policy, places: readonly Glob[]): boolean {
  return (
    open !== undefined ||
    resources.some(
      ({ value }) =>
        value.kind === 'group' || places.some((place) => place.text.includes(':resourceGroup:') || overlaps(value.glob, place)),
    )
  )
}

/** The difference in access between a file and its committed text. */
async function grants(workspace: Workspace, file: EditorFile): Promise<string> {
  const { files, committed, catalogue, now, world, readWith } = workspace
  const text = committed?.(file.path)
  if (text === undefined) return 'this file was never committed'
  const reads = await readWith(sourceOf(file.path, text, file.source.notation))
  const before = reads.find(({ source }) => source.path === file.path)?.read
  if (before && isMalformed(before)) return 'the committed text was not well-formed'
  if (file.read && isMalformed(file.read)) return 'the text is not well-formed: correct its syntax first'
  const [past, present] = [new Set(factsOf(reads)), new Set(factsOf(files.values()))]
  const all = [...past, ...present]
  const { world: old } = buildWorld([...past], all)
  // An unknown value is the same on both sides where it comes from the same expression.
  const isOpen = all.some(({ policies }) => policies.some(({ open, unread }) => open || unread))
  const current = isOpen ? buildWorld([...present], all).world : world
  // An edit of policies alone changes only access to what they are about.
  const others = [...past, ...present].filter((facts) => past.has(facts) !== present.has(facts))
  const changed = others.flatMap(({ policies }) => policies)
  const places = changed.flatMap(({ resources }) => resources.map(({ value }) => value.glob))
  const isPlain = others.every(isPoliciesAlone) && !changed.some(({ open }) => open)
  const within = (whole: World): World =>
    isPlain ? { ...whole, policies: whole.policies.filter((policy) => mayBeAbout(policy, places)) } : whole
  const difference = diff(within(old), within(current), { catalogue, within: { from: now } })
  const [summary = '', ...rows] = changeLines(difference, new Names([old, current]))
  return [summary, ...rows.map((row) => `- ${row}`)].filter((line) => line !== '').join('\n')
}

/** Whether a file describes policies, and nothing that other policies may depend on. */
function isPoliciesAlone({ permissionsGroups, resourceGroups, resources, identities, accounts }: Facts): boolean {
  return [permissionsGroups, resourceGroups, resources, identities, accounts].every((list) => list.length === 0)
}
