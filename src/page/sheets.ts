import type { Level } from '../actions/reads.ts'
import type { RiskCategory } from '../actions/sensitive.ts'
import { groupedBy } from '../collections.ts'
import type { Status } from '../review/status.ts'
import { statusWords } from '../review/status-words.ts'
import { position } from '../source.ts'
import type { Confidence } from '../symbolic/matrix.ts'
import type { PageCell, PageChange, PageData, PagePlace, PagePolicy, PageReview, Ref } from './data.ts'
import { dayOf, endOf } from './ends.ts'
import { evidenceFacts } from './evidence.ts'
import { byKind, kindWords } from './kinds.ts'
import { certaintyOf, type ReachIndex } from './reach.ts'
import type { SheetName } from './sheet-names.ts'
import type { Tables } from './tables.ts'
import { riskOrder, riskWords, textAt } from './words.ts'

/** The tables of a page for other programs: the same rows in CSV, in a workbook, in JSON and in Markdown. Names are as they were read. */
export interface Sheet {
  /** A word for file names, and the name of the list in JSON. */
  readonly name: SheetName
  readonly title: string
  readonly columns: readonly SheetColumn[]
  /** Made while they are read: there may be a row for each pair of identity and resource. */
  readonly rows: () => Iterable<SheetRow>
}

/** A column: its name in JSON, and as a heading; and the words for its values, where these are words of this program. */
export type SheetColumn = readonly [key: string, title: string, words?: (value: string) => string]
/** The fields of a row, in the order of the columns. A list is a list in JSON, and one text elsewhere. */
export type SheetRow = readonly SheetField[]
export type SheetField = string | number | readonly string[]

/** A page with what is looked up often. */
export interface SheetInput {
  readonly data: PageData
  readonly tables: Tables
  readonly reaches: ReachIndex
}

/** The rows that are wanted of the access; all where nothing is given. */
export interface AccessWanted {
  readonly identities?: readonly Ref[]
  readonly resources?: readonly Ref[]
  /** Keeps the parts with an action of this category. */
  readonly risk?: RiskCategory | undefined
  /** Keeps the parts with this action. */
  readonly action?: Ref | undefined
}

/** Everything that the page has tables of. A list that it has nothing for is left out: changes where nothing was compared, for one. */
export function allSheets(input: SheetInput): readonly Sheet[] {
  const { data } = input
  return [
    sensitiveSheet(input),
    ...(data.difference ? [changesSheet(input)] : []),
    accessSheet(input),
    policiesSheet(input, data.policies),
    ...(data.review ? [reviewSheet(input, data.review)] : []),
    findingsSheet(input, data.findings),
    ...(data.coverage ? [filesSheet(data)] : []),
  ]
}

/** A field as one text, in the words of its column. */
export function fieldText([, , words = (value) => value]: SheetColumn, field: SheetField): string | number {
  if (typeof field === 'number') return field
  return typeof field === 'string' ? words(field) : field.map(words).join('; ')
}

/** How sure it is, in the words of the summary. */
const sure: Readonly<Record<Confidence | 'mixed', string>> = {
  always: 'without conditions',
  sometimes: 'under conditions',
  perhaps: 'unknown',
  mixed: 'without conditions on some, under conditions on others',
}

/** The title of a category, as pages have it. */
const riskTitle = (value: string): string => riskWords[value as RiskCategory]?.[1] ?? value

const accessColumns = [
  ['identity', 'Identity'],
  ['kind', 'Kind'],
  ['resource', 'Resource'],
  ['type', 'Type'],
  ['level', 'Level'],
  ['sure', 'Allowed'],
  ['when', 'When'],
  ['actions', 'Actions'],
  ['sensitive', 'Sensitive', riskTitle],
  ['grantedBy', 'Granted by'],
  ['limitedBy', 'Limited by'],
] as const satisfies readonly SheetColumn[]

/** Who may do what: a row for each identity, resource and set of actions that are allowed alike. */
export function accessSheet(input: SheetInput, wanted: AccessWanted = {}): Sheet {
  return { name: 'access', title: 'Access', columns: accessColumns, rows: () => accessRows(input, wanted) }
}

function* accessRows({ data, tables }: SheetInput, wanted: AccessWanted): Iterable<SheetRow> {
  const identities = wanted.identities ?? byKind(data, [...data.identities.keys()])
  const resources = wanted.resources ?? [...data.resources.keys()]
  const ofCells = new Map<Ref, Map<Ref, readonly SheetRow[]>>()
  const ofTypes = new Map<Ref, readonly SheetRow[]>()
  const partsOf = (number: Ref, cell: PageCell, type: Ref): readonly SheetRow[] => {
    const cached = cell.isRoot ? ofTypes.get(type) : ofCells.get(type)?.get(number)
    if (cached) return cached
    const made = cell.isRoot ? ownerParts(data, tables, type, wanted) : cellParts(data, tables, cell, type, wanted)
    if (cell.isRoot) ofTypes.set(type, made)
    else {
      const ofType = ofCells.get(type) ?? new Map<Ref, readonly SheetRow[]>()
      ofCells.set(type, ofType.set(number, made))
    }
    return made
  }
  for (const identity of identities) {
    const who = data.identities[identity]
    if (!who) continue
    const row = tables.row(who.class)
    for (const resource of resources) {
      const on = data.resources[resource]
      const number = on && on.class >= 0 ? (row[on.class] as number) : -1
      const cell = data.cells[number]
      if (!on || !cell) continue
      const type = data.types[on.type]?.name ?? ''
      for (const part of partsOf(number, cell, on.type)) yield [who.urn, kindWords[who.kind][1], on.urn, type, ...part]
    }
  }
}

/** The actions of a set that are wanted, and whether they are in what is wanted at all. */
function isWanted(risks: ReadonlyMap<Ref, RiskCategory>, actions: readonly Ref[], { risk, action }: AccessWanted): boolean {
  if (action !== undefined && !actions.includes(action)) return false
  return risk === undefined || actions.some((each) => risks.get(each) === risk)
}

function sensitiveOf(risks: ReadonlyMap<Ref, RiskCategory>, actions: readonly Ref[]): readonly string[] {
  const found = new Set(actions.flatMap((action) => risks.get(action) ?? []))
  return riskOrder.filter((risk) => found.has(risk))
}

/** The columns from the level on, for each part of a cell. */
function cellParts(data: PageData, tables: Tables, cell: PageCell, type: Ref, wanted: AccessWanted): readonly SheetRow[] {
  const { risks } = tables
  return cell.parts.flatMap(({ actions: set, confidence, when, allow, deny }): readonly SheetRow[] => {
    const actions = tables.actionsIn(set)
    if (!isWanted(risks, actions, wanted)) return []
    return [
      [
        levelOf(data, tables, set, type),
        sure[confidence],
        textAt(data, when) ?? '',
        actions.map((action) => data.actions[action] ?? ''),
        sensitiveOf(risks, actions),
        entryPlaces(data, tables, allow),
        entryPlaces(data, tables, deny),
      ],
    ]
  })
}

/** The level of the actions of a set by themselves: other actions may be allowed at other times. */
function levelOf({ types, reads }: PageData, tables: Tables, set: Ref, type: Ref): Level {
  if (set === types[type]?.actions) return 'all'
  return tables.actionsIn(set).every((action) => tables.hasAction(reads, action)) ? 'read' : 'write'
}

/** The same for the account that owns a resource of a type: everything, and no policy can take it away. */
function ownerParts(data: PageData, tables: Tables, type: Ref, wanted: AccessWanted): readonly SheetRow[] {
  const { risks } = tables
  const actions = tables.actionsIn(data.types[type]?.actions ?? -1)
  if (!isWanted(risks, actions, wanted)) return []
  return [['all', sure.always, '', actions.map((action) => data.actions[action] ?? ''), sensitiveOf(risks, actions), ['owner'], []]]
}

/** The policies of entries with the places of the first entry of each: `ops (policies/ops.yaml:12)`. */
function entryPlaces(data: PageData, tables: Tables, entries: readonly Ref[]): readonly string[] {
  return [...groupedBy(entries, (entry) => data.entries[entry]?.policy ?? -1)].map(([policy, policyEntries]) => {
    const [first] = policyEntries
      .map((entry) => data.entries[entry]?.place)
      .sort((a, b) => (a?.[0] ?? 0) - (b?.[0] ?? 0) || (a?.[1] ?? 0) - (b?.[1] ?? 0))
    return `${data.policies[policy]?.name ?? ''}${first ? ` (${placeOf(tables, first)})` : ''}`
  })
}

/** `policies/ops.yaml:12`, as it was read. */
export function placeOf(tables: Tables, [file, start]: PagePlace): string {
  const source = tables.source(file)
  return `${source.path}:${position(source, start).line}`
}

/** Who has which kind of sensitive access, and on how many resources. */
export function sensitiveSheet({ data, reaches }: SheetInput): Sheet {
  return {
    name: 'sensitive',
    title: 'Sensitive access',
    columns: [
      ['category', 'Category', riskTitle],
      ['identity', 'Identity'],
      ['kind', 'Kind'],
      ['sure', 'Allowed'],
      ['resourceCount', 'Number of resources'],
      ['resources', 'Resources'],
    ],
    *rows() {
      for (const risk of riskOrder) {
        const { identities, perhaps, of } = reaches.of(risk)
        for (const identity of [...byKind(data, identities), ...byKind(data, perhaps)]) {
          const access = of(identity)
          const { urn, kind } = data.identities[identity] as PageData['identities'][number]
          const resources = access.on().map(({ resource }) => data.resources[resource]?.urn ?? '')
          yield [risk, urn, kindWords[kind][1], sure[certaintyOf(access)], resources.length, resources]
        }
      }
    },
  }
}

const callsColumn = ['calls', 'Recorded calls'] as const

/** The access that is gained and lost. `side`: only this. */
export function changesSheet(input: SheetInput, side?: 'gained' | 'lost'): Sheet {
  const { data, tables } = input
  const risks = tables.riskOfAction
  const named = (all: PageChange['identities'], urns: readonly { readonly urn: string }[]) =>
    all.map((each) => (typeof each === 'string' ? each : (urns[each]?.urn ?? '')))
  return {
    name: 'changes',
    title: 'Changes',
    columns: [
      ['change', 'Change'],
      ['sure', 'Certain'],
      ['identities', 'Identities'],
      ['resources', 'Resources'],
      ['when', 'When'],
      ['actions', 'Actions'],
      ['sensitive', 'Sensitive', riskTitle],
      ['causes', 'Because of'],
      ...(data.calls ? [callsColumn] : []),
    ],
    *rows() {
      for (const each of ['gained', 'lost'] as const) {
        if (side !== undefined && each !== side) continue
        for (const { identities, resources, actions, when, isCertain, causes, calls = [] } of data.difference?.[each] ?? []) {
          const actionRisks = new Set(actions.flatMap((action) => risks.get(action) ?? []))
          yield [
            each,
            isCertain ? 'yes' : 'perhaps',
            named(identities, data.identities),
            named(resources, data.resources),
            textAt(data, when) ?? '',
            actions,
            riskOrder.filter((risk) => actionRisks.has(risk)),
            causes.map(([words, place]) => `${words} (${placeOf(tables, place)})`),
            ...(data.calls ? [calls.join('; ')] : []),
          ]
        }
      }
    },
  }
}

/** Policies with all that they say. */
export function policiesSheet({ data, tables }: SheetInput, policies: readonly PagePolicy[]): Sheet {
  return {
    name: 'policies',
    title: 'Policies',
    columns: [
      ['policy', 'Policy'],
      ['place', 'Place'],
      ['identities', 'Identities'],
      ['resources', 'Resources'],
      ['allow', 'Allow'],
      ['except', 'Except'],
      ['deny', 'Deny'],
      ['permissionsGroups', 'Permissions groups'],
      ['condition', 'Condition'],
      ['ends', 'Ends'],
      ['description', 'Description'],
    ],
    *rows() {
      for (const policy of policies) {
        const { name, place, identities, resources, entries, permissionsGroups, when, description = '' } = policy
        const policyEntries = entries.map((entry) => data.entries[entry] as PageData['entries'][number])
        const listOf = (list: 'allow' | 'except' | 'deny') => [
          ...new Set(policyEntries.filter((each) => each.list === list).map(({ text }) => text)),
        ]
        const end = endOf(policy)
        yield [
          name,
          placeOf(tables, place),
          identities.map(([text]) => text),
          resources.map(([text]) => text),
          listOf('allow'),
          listOf('except'),
          listOf('deny'),
          permissionsGroups,
          textAt(data, when) ?? '',
          end ? dayOf(end.at) : '',
          description,
        ]
      }
    },
  }
}

/** The grants under review, with what was decided about each. */
export function reviewSheet({ tables }: Pick<SheetInput, 'tables'>, { rows: grants }: PageReview): Sheet {
  return {
    name: 'review',
    title: 'Review of access',
    columns: [
      ['policy', 'Policy'],
      ['place', 'Place'],
      ['identity', 'Identity'],
      ['access', 'Access'],
      ['status', 'Status', (status) => statusWords[status as Status['kind']]],
      ['decided', 'Decided'],
      ['changed', 'Changed since'],
      ['owner', 'Owner'],
      ['used', 'Used'],
      ['since', 'Granted since'],
    ],
    *rows() {
      for (const { policy, place, identity, access, status, decided, changed, owner = '', used = '', since = '' } of grants)
        yield [policy, placeOf(tables, place), identity, access, status, decided, changed, owner, used, since]
    },
  }
}

/** Findings of the lint rules. */
export function findingsSheet({ tables }: Pick<SheetInput, 'tables'>, findings: PageData['findings']): Sheet {
  const [hasCalls, hasAge] = [findings.some(({ calls }) => calls), findings.some(({ since }) => since)]
  return {
    name: 'findings',
    title: 'Findings',
    columns: [
      ['severity', 'Severity'],
      ['rule', 'Rule'],
      ['policy', 'Policy'],
      ['place', 'Place'],
      ['message', 'Message'],
      ['help', 'Help'],
      ...(hasAge ? [['since', 'Age'] as const] : []),
      ...(hasCalls ? [callsColumn] : []),
    ],
    *rows() {
      for (const { severity, code, policy = '', place, message, help = '', since = '', calls = [] } of findings)
        yield [
          severity,
          code,
          policy,
          placeOf(tables, place),
          message,
          help,
          ...(hasAge ? [since] : []),
          ...(hasCalls ? [calls.join('; ')] : []),
        ]
    },
  }
}

/** The files that were read. */
export function filesSheet({ coverage }: Pick<PageData, 'coverage'>): Sheet {
  return {
    name: 'files',
    title: 'What was read',
    columns: [
      ['path', 'File'],
      ['from', 'From'],
      ['as', 'Read as'],
      ['blob', 'Git blob'],
    ],
    *rows() {
      for (const { path, from = '', as, blob = '' } of coverage?.read ?? []) yield [path, from, as, blob]
    },
  }
}

/** The state that the tables are of, for a workbook. */
export function stateSheet(data: PageData): Sheet {
  const notes = (data.beyond ?? []).map((note) => ['Note', note] as const)
  return {
    name: 'state',
    title: 'State',
    columns: [
      ['term', 'Term'],
      ['value', 'Value'],
    ],
    rows: () => [['Title', data.title], ...evidenceFacts(data), ...notes],
  }
}

/** How many rows a sheet has, counted no further than one more than `most`. */
export function countUpTo(sheet: Sheet, most: number): number {
  let count = 0
  for (const _ of sheet.rows()) if (++count > most) break
  return count
}
