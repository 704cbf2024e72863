import type { Catalogue } from '../actions/catalogue.ts'
import { sensitiveAmong, sensitiveRows } from '../actions/sensitive.ts'
import { sinceWords } from '../answers/blame.ts'
import { commitWords } from '../answers/history.ts'
import { beyondNotes } from '../answers/matrix.ts'
import { pastNotes } from '../answers/timeline.ts'
import { type Times, whenWords } from '../answers/wording.ts'
import { Budget, notSearched, withinBudget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { DescribedChange } from '../diff/described.ts'
import type { Difference } from '../diff/diff.ts'
import { endOfPolicy } from '../diff/timeline.ts'
import { isPattern, matches, writtenAs } from '../glob.ts'
import type { Blamed } from '../history/blame.ts'
import { type EntryList, type PolicyEntry, policyEntries } from '../history/effects.ts'
import type { Past } from '../history/past.ts'
import { keyOf } from '../keys.ts'
import type { Settings } from '../names.ts'
import { chartData } from '../picture/chart.ts'
import { openedAndClosed, pastChart } from '../picture/past.ts'
import { mergedBars } from '../picture/timeline.ts'
import { type Policy, titled, type World } from '../policy.ts'
import { lastWords } from '../report/conditions.ts'
import { Names } from '../report/names.ts'
import type { Located, Source, Span } from '../source.ts'
import { type AlreadyReported, type BeyondDescribed, beyondDescribed } from '../symbolic/beyond.ts'
import { type ActionsByType, type Class, Described, knownNamesIn, Lookups, namesIn, type RequestContext } from '../symbolic/described.ts'
import { type Formula, formulaOf, isAlways, printFormula } from '../symbolic/formula.ts'
import { approximateReason } from '../symbolic/known.ts'
import { type CellPart, type ClassCell, Levels } from '../symbolic/matrix.ts'
import { permissionsOf, type Region } from '../symbolic/regions.ts'
import { readIdentity } from '../urn/identity.ts'
import { typeAndName } from '../urn/resource.ts'
import { groupsNamed } from '../world.ts'
import type {
  PageCell,
  PageChange,
  PageClass,
  PageData,
  PageDifference,
  PageEntry,
  PageEvidence,
  PageFile,
  PageGrowth,
  PageHistory,
  PageName,
  PagePart,
  PagePast,
  PagePlace,
  PagePolicy,
  PageReview,
  PageReviewRow,
  PageSince,
  Ref,
} from './data.ts'

/** Since when the entries of policies have their effect. */
export interface EntryHistory {
  readonly of: (entry: PolicyEntry) => Blamed | undefined
  readonly page: PageHistory
}

/** How recorded calls used what a page shows, in words. Findings have theirs. */
export interface PageUses {
  /** Which records were counted. */
  readonly notes: readonly string[]
  readonly change: (change: object) => readonly string[]
  /** Undefined for an entry that neither grants nor denies. */
  readonly entry: (policy: Policy, entry: object) => { readonly words: readonly string[]; readonly count: number } | undefined
}

/** A review of access before its files have numbers. */
export interface ReviewOfPage extends Omit<PageReview, 'rows'> {
  readonly rows: readonly (Omit<PageReviewRow, 'place'> & { readonly span: Span })[]
}

/** The input of a page. */
export interface PageInput {
  readonly world: World
  /** The texts of the policies and other files of the world. */
  readonly sources: readonly Source[]
  readonly findings: readonly Diagnostic[]
  readonly suppressed: number
  /** The record of the files read, where there is one. */
  readonly coverage?: PageData['coverage']
  readonly evidence?: Omit<PageEvidence, 'accounts'> | undefined
  /** The review of access. Its rows have a place in a text for that of a file of the page. */
  readonly review?: ReviewOfPage | undefined
  readonly rules: readonly { readonly code: string; readonly summary: string }[]
  readonly catalogue: Catalogue
  readonly actions: ActionsByType
  readonly reads: ReadonlySet<string>
  readonly times: Times
  readonly given: RequestContext
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
  readonly settings: Settings
  readonly title: string
  readonly version: string
  readonly docs: string
  readonly ip?: string | undefined
  /** As `KEY=VALUE`. */
  readonly tags?: readonly string[]
  /** The only resources that it is about, and what they have in common, in words. */
  readonly tagged?: { readonly resources: ReadonlySet<string>; readonly words: string } | undefined
  readonly history?: EntryHistory | undefined
  readonly uses?: PageUses | undefined
  readonly growth?: PageGrowth | undefined
  readonly past?: Past | undefined
  /** The other side of a comparison. */
  readonly before?: { readonly label: string; readonly difference: Difference; readonly sources: readonly Source[] } | undefined
}

/** Everything that the page shows. */
export function pageData(input: PageInput): PageData {
  return new Builder(input).data()
}

/** Things by number, each once. */
class Numbered<T, Key = T> {
  readonly items: T[] = []
  private readonly numbers = new Map<Key, Ref>()

  numberOf(key: Key, make: () => T): Ref {
    const existing = this.numbers.get(key)
    if (existing !== undefined) return existing
    const number = this.items.length
    this.numbers.set(key, number)
    this.items.push(make())
    return number
  }
}

class Builder {
  private readonly input: PageInput
  private readonly names: Names
  private readonly files = new Numbered<PageFile, Source>()
  private readonly texts = new Numbered<string>()
  private readonly sets = new Numbered<readonly number[], string>()
  private readonly setNumbers = new Map<readonly string[], Ref>()
  private readonly cells = new Numbered<PageCell, string>()
  private readonly entries: PageEntry[] = []
  private readonly entryNumbers = new Map<Policy, Map<unknown, Ref>>()
  private readonly entriesOfSets = new Map<Region['actions'], Map<string, readonly Ref[]>>()
  private readonly policyNumbers: ReadonlyMap<Policy, Ref>
  private readonly words = new Map<string, Ref>()
  private readonly policyEntries = new Map<Policy, readonly PolicyEntry[]>()

  constructor(input: PageInput) {
    this.input = input
    this.names = new Names([input.world])
    this.policyNumbers = new Map(input.world.policies.map((policy, i) => [policy, i]))
    for (const source of input.sources) this.file(source)
  }

  data(): PageData {
    const { input, names } = this
    const { world, times, settings, run = new Budget() } = input
    const things = knownNamesIn([world])
    const shownResources = input.tagged ? things.resources.filter((urn) => input.tagged?.resources.has(urn)) : things.resources
    const policies = world.policies.map((policy) => this.policy(policy))
    const typed = [...groupedBy(shownResources, (urn) => typeAndName(urn).type)].sort(([a], [b]) => (a < b ? -1 : 1))
    const actionNumbers = new Numbered<string>()
    const types = typed.map(([name]) => ({ name, actions: input.actions.of(name) }))
    for (const { actions } of types) for (const action of actions) actionNumbers.numberOf(action, () => action)
    const numberOf = (action: string) => actionNumbers.numberOf(action, () => action)
    const typeNumbers = new Map(types.map(({ name }, i) => [name, i]))
    const resources = typed.flatMap(([, urns]) => urns)
    const resourceNumbers = new Map(resources.map((urn, i) => [urn, i]))

    const ofKnownTypes = resources.filter((urn) => input.actions.of(typeAndName(urn).type).length > 0)
    const described = new Described([world], { identities: things.identities, resources: ofKnownTypes }, input.given, undefined, run, true)
    const levels = new Levels({ actions: input.actions, reads: input.reads, time: times.time, run })
    const made = new Map<ClassCell, Ref>()
    const rowOf = (identity: Class) => {
      const row: number[] = []
      for (const resource of described.resources) {
        const cell = levels.cell(described, identity, resource)
        let number = cell.level === 'none' ? -1 : made.get(cell)
        if (number === undefined) {
          number = this.cell(cell, numberOf)
          made.set(cell, number)
        }
        const end = row.length
        if (end > 0 && row[end - 1] === number) row[end - 2] = (row[end - 2] as number) + 1
        else row.push(1, number)
      }
      if (row.at(-1) === -1) row.length -= 2
      // A list that grew has room for half as much again: of a large account the rows are most of what is kept.
      return row.slice()
    }
    const nameOf = (number: number) => (world.policies[number] as Policy).name.value
    const examined = withinBudget(described.identities, run, rowOf, ({ policies }) => (policies[0] ?? []).map(nameOf))
    const classOf = (classes: readonly { readonly names: readonly string[] }[]) =>
      new Map(classes.flatMap(({ names }, i) => names.map((name) => [name, i] as const)))
    const { found: beyond, reasons: notBeyond } = this.beyond(described, examined.found, run)
    // Of the others the page says nothing, not that they may do nothing.
    const identityClasses = described.identities.slice(0, examined.found.length)
    const [identityClass, resourceClass] = [classOf(identityClasses), classOf(described.resources)]
    const identities = things.identities.filter((urn) => identityClass.has(urn))
    const identityNumbers = new Map(identities.map((urn, i) => [urn, i]))

    const foundCodes = new Set<string>(input.findings.map(({ code }) => code))
    const groups = this.groups(identityNumbers)
    const groupNumbers = new Map(groups.map(({ urn }, i) => [urn, i]))
    const resourceGroups = [...world.resourceGroups].map(([urn, group]) => ({
      urn,
      short: group.name === undefined ? names.resource(urn) : names.resource(urn).replace(/^resource group "(.*)"$/s, '$1'),
      members: numbersIn(group.members, resourceNumbers),
      isComplete: group.complete && [...group.members].every((urn) => resourceNumbers.has(urn)),
      policies: world.policies.flatMap((policy, i) =>
        policy.resources.some(({ value }) => value.kind === 'group' && groupsNamed(world, value).includes(group)) ? [i] : [],
      ),
      place: this.place(group.span),
    }))
    const groupsOfResource = new Map<Ref, Ref[]>()
    for (const [i, { members }] of resourceGroups.entries()) for (const member of members) pushTo(groupsOfResource, member, i)

    const difference = this.difference(identityNumbers, resourceNumbers)
    // Actions of what only the earlier state describes count as sensitive as well.
    for (const { actions } of [...(difference?.gained ?? []), ...(difference?.lost ?? [])]) actions.forEach(numberOf)
    return {
      version: input.version,
      title: input.title,
      made: times.from,
      at: times.at ?? null,
      ip: input.ip ?? null,
      ...(input.tags && input.tags.length > 0 && { tags: input.tags }),
      ...(input.tagged && { tagged: input.tagged.words }),
      ...(input.review && { review: this.review(input.review) }),
      ...(input.evidence && { evidence: { accounts: accountsIn(world, things.identities), ...input.evidence } }),
      docs: input.docs,
      settings: { brand: settings.brand, regions: settings.regions },
      policies,
      identities: identities.map((urn) => ({
        urn,
        short: names.identity(urn),
        kind: readIdentity(urn, { pattern: false }).value?.kind ?? 'user',
        groups: numbersIn(world.identities.get(urn)?.groups ?? [], groupNumbers),
        class: identityClass.get(urn) as Ref,
      })),
      groups,
      resources: resources.map((urn, i) => {
        const { owner, tags } = world.resources.get(urn) ?? {}
        return {
          urn,
          short: names.resource(urn),
          type: typeNumbers.get(typeAndName(urn).type) as Ref,
          ...(owner !== undefined && { owner }),
          ...(tags && { tags: [...tags] }),
          groups: groupsOfResource.get(i) ?? [],
          class: resourceClass.get(urn) ?? -1,
        }
      }),
      resourceGroups,
      types: types.map(({ name, actions }) => ({ name, actions: this.set(actions, numberOf) })),
      actions: actionNumbers.items,
      reads: this.set(
        actionNumbers.items.filter((action) => input.reads.has(action)),
        numberOf,
      ),
      sensitive: sensitiveAmong(actionNumbers.items, sensitiveRows(settings.brand)).map(({ action, category, reason }) => [
        numberOf(action),
        category,
        reason,
      ]),
      texts: this.texts.items,
      entries: this.entries,
      identityClasses: identityClasses.map(({ names, policies }): PageClass => {
        return { names: numbersIn(names, identityNumbers), policies: [...(policies[0] ?? [])] }
      }),
      resourceClasses: described.resources.map(({ names, policies }): PageClass => {
        return { names: numbersIn(names, resourceNumbers), policies: [...(policies[0] ?? [])] }
      }),
      sets: this.sets.items,
      cells: this.cells.items,
      rows: examined.found,
      ...(beyond.length > 0 && { beyond: beyondNotes(beyond, names) }),
      reasons: [
        ...notSearched(namesIn(examined, described.identities), 'identities'),
        ...notBeyond,
        ...(levels.isApproximate ? [approximateReason] : []),
      ],
      findings: input.findings.map(({ code, severity, message, help, policy, span, related = [], fix, facts }) => ({
        code,
        severity,
        message,
        ...(help !== undefined && { help }),
        ...(policy !== undefined && { policy }),
        place: this.place(span),
        related: related.map((each) => [each.message, this.place(each.span)] as const),
        ...(facts?.use && { calls: facts.use.words }),
        ...(facts?.since && { since: facts.since.words.join('; ') }),
        ...(fix && { fix: [fix.description, fix.safe] as const }),
      })),
      suppressed: input.suppressed,
      ...(input.coverage && { coverage: input.coverage }),
      rules: input.rules.filter(({ code }) => foundCodes.has(code)).map(({ code, summary }) => ({ code, summary })),
      difference,
      ...(input.growth && { growth: input.growth }),
      ...(input.past && { past: pagePast(input.past) }),
      ...(input.history && { history: input.history.page }),
      ...(input.uses && { calls: input.uses.notes }),
      chart: chartData(world, times.at ?? times.from, names),
      files: this.files.items,
    }
  }

  /** The access to resources that no cell with access is about. */
  private beyond({ identities, resources }: Described, rows: readonly (readonly number[])[], run: Budget): BeyondDescribed {
    const { world, given, times, catalogue, actions, tagged } = this.input
    if (tagged) return { found: [], reasons: [] }
    const said = rows.flatMap((row, i): readonly AlreadyReported[] => {
      const names = identities[i]?.names ?? []
      let index = 0
      const sure = new Set<string>()
      const perhaps = new Set<string>()
      for (let k = 0; k < row.length; k += 2) {
        const [length, number] = [row[k] as number, row[k + 1] as number]
        const of = this.cells.items[number]?.confidence === 'perhaps' ? perhaps : sure
        if (number >= 0) for (const each of resources.slice(index, index + length)) for (const name of each.names) of.add(name)
        index += length
      }
      return [sure, perhaps].flatMap((own) =>
        own.size === 0 ? [] : [{ identities: names, isAbout: (resource) => own.has(resource), isOpen: own === perhaps }],
      )
    })
    const from = times.at === undefined ? { from: times.from } : {}
    const asked = { identities: identities.slice(0, rows.length).flatMap(({ names }) => names), withPatterns: true, action: '*' }
    return beyondDescribed({ ...asked, world, given: { ...given, ...from }, catalogue, actions, run }, said)
  }

  private difference(identities: ReadonlyMap<string, Ref>, resources: ReadonlyMap<string, Ref>): PageDifference | null {
    const { before, uses } = this.input
    if (!before) return null
    const { label, difference } = before
    const { described } = difference
    const numbered = (names: readonly string[], numbers: ReadonlyMap<string, Ref>) => names.map((name) => numbers.get(name) ?? name)
    const change = (of: DescribedChange): PageChange => {
      const { identities: who, resources: on, actions, condition, certain, causes } = of
      return {
        identities: numbered(who, identities),
        resources: numbered(on, resources),
        actions,
        when: this.textOf(condition),
        isCertain: certain,
        causes: causes.map(
          ({ span, change, what, name, address }) => [`${titled(name, address)}: ${what} ${change}`, this.place(span)] as const,
        ),
        ...(uses && { calls: uses.change(of) }),
      }
    }
    const beyond = (side: 'gained' | 'lost') => difference[side].filter(({ isDescribed }) => !isDescribed).length
    return {
      before: label,
      gained: (described?.gained ?? []).map(change),
      lost: (described?.lost ?? []).map(change),
      isOpen: difference.verdict === 'undecided' || described?.undecided === true || difference.undecided.length > 0,
      beyond: { gained: beyond('gained'), lost: beyond('lost') },
    }
  }

  private review({ rows, ...review }: ReviewOfPage): PageReview {
    return { ...review, rows: rows.map(({ span, ...row }) => ({ ...row, place: this.place(span) })) }
  }

  private file(source: Source): Ref {
    const isBefore = this.input.before?.sources.includes(source) === true
    return this.files.numberOf(source, () => ({
      path: source.path,
      text: source.text,
      notation: source.notation,
      ...(isBefore && { isBefore }),
    }))
  }

  private place({ source, start, end }: Span): PagePlace {
    return [this.file(source), start, end]
  }

  private policy(policy: Policy): PagePolicy {
    const { name, address, description, identities, resources, condition, expiresAt, owner } = policy
    const words = condition && this.textOf(formulaOf(condition))
    const end = endOfPolicy(policy, Number.NEGATIVE_INFINITY)
    const entries = permissionsOf(policy, this.input.world).flatMap(({ set, group, isKnown }) =>
      isKnown
        ? (['allow', 'except', 'deny'] as const).flatMap((list) => set[list].map((entry) => this.entry(policy, list, entry, group)))
        : [],
    )
    return {
      name: name.value,
      ...(address !== undefined && { address }),
      ...(description && { description: description.value }),
      place: this.place(name.span),
      span: this.place(policy.span),
      identities: identities.map((each) => this.name(policy, 'identities', each)),
      resources: resources.map((each) => this.name(policy, 'resources', each)),
      permissionsGroups: policy.permissionsGroups.map(({ value }) => value.text),
      entries,
      when: words ?? -1,
      ...(expiresAt && { expires: expiresAt.value }),
      ...(end && { last: [end.at - 1, lastWords(end)] as const }),
      ...(policy.readOnly && { readOnly: true as const }),
      ...(owner !== undefined && { owner }),
      ...(identities.some(({ value }) => isPattern(value.glob) && value.name === '*') && { isOpen: true as const }),
    }
  }

  private name(policy: Policy, list: 'identities' | 'resources', { value, span }: Located<{ readonly text: string }>): PageName {
    const since = this.since(policy, list, span)
    return since ? [value.text, this.place(span), since] : [value.text, this.place(span)]
  }

  /** Since when the entry of a policy at a place has its effect. */
  private since(policy: Policy, list: EntryList, span: Span): PageSince | undefined {
    const { history } = this.input
    if (!history) return undefined
    const ownEntries = this.policyEntries.get(policy) ?? policyEntries(policy)
    this.policyEntries.set(policy, ownEntries)
    const entry = ownEntries.find((each) => each.list === list && each.span.start === span.start)
    const blamed = entry && history.of(entry)
    const words = blamed ? sinceWords(blamed) : notFound
    // An effect that is not decided has no beginning.
    const isDated = blamed && blamed.effect.kind !== 'undecided'
    return [this.texts.numberOf(words, () => words), isDated ? Date.parse(blamed.since.date) : -1]
  }

  private entry(policy: Policy, list: PageEntry['list'], entry: Policy['permissions']['allow'][number], group: string | undefined): Ref {
    const numbersByEntry = this.entryNumbers.get(policy) ?? new Map<unknown, Ref>()
    this.entryNumbers.set(policy, numbersByEntry)
    const knownNumber = numbersByEntry.get(entry)
    if (knownNumber !== undefined) return knownNumber
    const number = this.entries.length
    numbersByEntry.set(entry, number)
    const naming = group === undefined ? undefined : policy.permissionsGroups.find(({ value }) => value.text === group)
    const since =
      group === undefined ? this.since(policy, list, entry.span) : naming && this.since(policy, 'permissionsGroups', naming.span)
    const use = this.input.uses?.entry(policy, entry)
    const words = use?.words.join('; ')
    this.entries.push({
      policy: this.policyNumbers.get(policy) as Ref,
      list,
      text: writtenAs(entry.value),
      place: this.place(entry.span),
      ...(group !== undefined && { group }),
      ...(since && { since }),
      ...(use && words !== undefined && { calls: [this.texts.numberOf(words, () => words), use.count] as const }),
    })
    return number
  }

  /** The groups that anybody is in or that a policy names. */
  private groups(identityNumbers: ReadonlyMap<string, Ref>): PageData['groups'] {
    const { world } = this.input
    const members = new Map<string, string[]>()
    for (const [urn, { groups }] of world.identities) for (const group of groups) pushTo(members, group, urn)
    for (const { identities } of world.policies)
      for (const { value } of identities)
        if (value.kind === 'group' && !isPattern(value.glob) && !members.has(value.text)) members.set(value.text, [])
    const index = new Lookups().indexOf(world)
    return [...members]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([urn, groupMembers]) => ({
        urn,
        short: this.names.identity(urn),
        members: numbersIn(groupMembers, identityNumbers),
        policies: index.aboutIdentities([urn]),
      }))
  }

  private cell({ level, confidence, guaranteed, condition, isPartly, parts, isRoot }: ClassCell, numberOf: (action: string) => Ref): Ref {
    const cell: PageCell = {
      level,
      confidence,
      ...(guaranteed && { guaranteed }),
      when: confidence === 'always' ? -1 : this.textOf(condition),
      ...(isPartly && { isPartly: true as const }),
      ...(isRoot && { isRoot }),
      parts: parts.map((part) => this.part(part, numberOf)),
    }
    return this.cells.numberOf(JSON.stringify(cell), () => cell)
  }

  private part({ actions, condition, confidence, allows, denies }: CellPart, numberOf: (action: string) => Ref): PagePart {
    const set = this.set(actions, numberOf)
    const entriesOf = (all: readonly Region[]) => [...new Set(all.flatMap((region) => this.entriesIn(region, actions, set)))]
    return {
      actions: set,
      confidence,
      when: confidence === 'always' ? -1 : this.textOf(condition),
      allow: entriesOf(allows),
      deny: entriesOf(denies),
    }
  }

  /** The entries of a region about some of the actions of a set. */
  private entriesIn(
    { isKnownGroup, policy, effect, group, actions: written }: Region,
    actions: readonly string[],
    set: Ref,
  ): readonly Ref[] {
    if (!isKnownGroup) return []
    const bySet = this.entriesOfSets.get(written) ?? new Map<string, readonly Ref[]>()
    this.entriesOfSets.set(written, bySet)
    const key = keyOf(set, this.policyNumbers.get(policy))
    const knownEntries =
      bySet.get(key) ??
      written
        .filter(({ value }) => actions.some((action) => matches(value, action)))
        .map((entry) => this.entry(policy, effect, entry, group))
    bySet.set(key, knownEntries)
    return knownEntries
  }

  /** The number of a condition in words; -1 for none. */
  private textOf(condition: Formula): Ref {
    if (isAlways(condition)) return -1
    const key = printFormula(condition)
    const knownNumber = this.words.get(key)
    if (knownNumber !== undefined) return knownNumber
    const text = whenWords(condition, this.input.times)
    const number = text === undefined ? -1 : this.texts.numberOf(text, () => text)
    this.words.set(key, number)
    return number
  }

  /** A set of actions as runs of their numbers. */
  private set(actions: readonly string[], numberOf: (action: string) => Ref): Ref {
    const knownNumber = this.setNumbers.get(actions)
    if (knownNumber !== undefined) return knownNumber
    const runs: number[] = []
    for (const number of actions.map(numberOf).sort((a, b) => a - b)) {
      const [first, count] = [runs.at(-2), runs.at(-1)]
      if (first !== undefined && count !== undefined && first + count === number) runs[runs.length - 1] = count + 1
      else runs.push(number, 1)
    }
    const set = this.sets.numberOf(keyOf(runs), () => runs)
    this.setNumbers.set(actions, set)
    return set
  }
}

/** Of an entry that is not in the last commit, or was not looked at. */
const notFound = 'not known'

function pagePast(past: Past): PagePast {
  const chart = pastChart(past, () => ({}))
  const length = past.to - past.from
  return {
    ...(chart && {
      chart: { ...chart, zone: chart.zone.name, rows: chart.rows.map((row) => ({ ...row, bars: mergedBars(row.bars, length) })) },
    }),
    from: past.from,
    commits: past.steps.map((step) => {
      const [isOpened, isClosed] = openedAndClosed(step)
      return { at: step.at, id: step.commit.short, words: commitWords(step.commit), isOpened, isClosed }
    }),
    notes: pastNotes(past),
  }
}

/** The accounts that identities belong to, and those that own resources. */
function accountsIn({ policies, resources }: World, identities: readonly string[]): readonly string[] {
  const named = policies.flatMap((policy) => policy.identities.flatMap(({ value }) => value.account ?? []))
  const owners = [...resources.values()].flatMap(({ owner }) => owner ?? [])
  const described = [...identities, ...owners].flatMap((urn) => readIdentity(urn, { pattern: false }).value?.account ?? [])
  return [...new Set([...described, ...named])].sort()
}

function numbersIn(names: Iterable<string>, numbers: ReadonlyMap<string, Ref>): readonly Ref[] {
  return [...names].flatMap((name) => numbers.get(name) ?? [])
}
