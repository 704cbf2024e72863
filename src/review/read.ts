import { readDate } from '../conditions/time.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { reviewKey } from '../hidden.ts'
import type { Settings } from '../names.ts'
import { visible } from '../names.ts'
import { readFacts } from '../parser/policy.ts'
import { shapeProblemsBy } from '../parser/shape.ts'
import { schemas } from '../parser/shape-review.js'
import { treeOf } from '../parser/tree.ts'
import { buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import type { Source, Span } from '../source.ts'
import { field, type ListNode, type MapNode, plainValue } from '../tree.ts'
import { keyText } from './keys.ts'
import type { Decision, OpenRow, Review } from './model.ts'
import { hasReason, type Limiting, limitingDecisions, restoredBy, restoredWords } from './restored.ts'
import { formatVersion } from './text.ts'

/** A file of a review as it was read. */
export interface ReviewFile {
  readonly review: Review
  /** Where each decision begins. */
  readonly places: readonly Span[]
  /** The access of each decision, and of each open grant, as a world. */
  readonly worlds: { readonly decisions: readonly World[]; readonly open: readonly World[] }
}

/** The reading of a review. The file is undefined if there is any error in it. */
export interface ReviewRead {
  readonly file: ReviewFile | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Read a review. Never rejects for what is in the text. */
export async function readReview(source: Source, settings: Settings): Promise<ReviewRead> {
  const reading = await treeOf(source)
  const wrong = reading.diagnostics.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) return { file: undefined, diagnostics: wrong }
  const [document, second] = reading.documents
  if (document?.kind !== 'map' || document.entries.every(({ key }) => key.value !== reviewKey))
    return refused(
      document ?? { source, start: 0, end: 0 },
      `no review: it has no \`${reviewKey}\``,
      'name another file, or remove this one',
    )
  const version = field(document, reviewKey)
  if (version?.kind === 'number' && Number.isInteger(version.value) && version.value > formatVersion)
    return refused(
      version,
      `the review is in format ${version.value}: this version of grantwise reads format ${formatVersion}`,
      'use the newer version that wrote it',
    )
  if (second) return refused(second, 'a review is one document, and here a second one begins', 'remove the line `---` or what is below it')
  const shape = shapeProblemsBy(schemas, 'review', document)
  if (shape.length > 0) return { file: undefined, diagnostics: shape }
  return new Reader(document, settings).read()
}

function refused(span: Span, message: string, help: string): ReviewRead {
  return { file: undefined, diagnostics: [problemAt(span, message, help)] }
}

function problemAt({ source, start, end }: Span, message: string, help: string): Diagnostic {
  return { code: 'review', severity: 'error', message, span: { source, start, end }, help }
}

/** Reads a document whose shape is right. */
class Reader {
  private readonly document: MapNode
  private readonly settings: Settings
  private readonly problems: Diagnostic[] = []

  constructor(document: MapNode, settings: Settings) {
    this.document = document
    this.settings = settings
  }

  async read(): Promise<ReviewRead> {
    const { document } = this
    const value = withoutEmpty(plainValue(document) as Partial<Review>)
    const [open, decisions] = [this.maps('open'), this.maps('decisions')]
    this.checkDay(document, 'due')
    for (const node of [...open, ...decisions]) for (const key of ['until', 'date']) this.checkDay(node, key)
    const rows = open.map((node) => withoutEmpty(plainValue(node) as OpenRow))
    const decided = decisions.map((node) => withoutEmpty(plainValue(node) as Decision))
    const limiting = limitingDecisions(decided)
    for (const [i, row] of rows.entries()) this.checkRow(row, open[i] as MapNode, limiting)
    this.checkRepeated(rows, open)
    const worlds = { open: open.map((node) => this.world(node)), decisions: decisions.map((node) => this.world(node)) }
    const { problems } = this
    if (problems.length > 0) return { file: undefined, diagnostics: problems }
    const review: Review = {
      ...(value.round !== undefined && { round: value.round }),
      ...(value.due !== undefined && { due: value.due }),
      owners: value.owners ?? [],
      open: rows,
      decisions: decided,
      ...(value.chain !== undefined && { chain: value.chain }),
    }
    return { file: { review, places: decisions.map(startOf), worlds }, diagnostics: [] }
  }

  private maps(key: string): readonly MapNode[] {
    const node = field(this.document, key) as ListNode | undefined
    return node?.kind === 'list' ? (node.items as readonly MapNode[]) : []
  }

  private problem(span: Span, message: string, help: string): void {
    this.problems.push(problemAt(span, message, help))
  }

  /** A day that exists. */
  private checkDay(map: MapNode, key: string): void {
    const node = field(map, key)
    if (node?.kind === 'text' && node.value !== '' && !isDay(node.value))
      this.problem(node, `\`${key}\`: \`${visible(node.value)}\` is not a day`, 'write year, month and day, such as `2026-12-31`')
  }

  /** Reports the fields of a row that a reviewer has filled in without those that belong to them. */
  private checkRow(row: OpenRow, node: MapNode, limiting: Limiting): void {
    const { decision, until, by, date, reason } = row
    const keyNode = (key: string) => node.entries.find((entry) => entry.key.value === key)?.key ?? startOf(node)
    if (decision !== undefined && by === undefined)
      this.problem(keyNode('decision'), 'a decision without `by`: it is not known who made it', 'add the name of the reviewer as `by`')
    if (decision === 'shorten' && until === undefined)
      this.problem(keyNode('decision'), '`shorten` without `until`: it is not known when the access ends', 'add its last day as `until`')
    const before = decision && restoredBy(limiting, row, { decision, ...(until !== undefined && { until }) })
    if (before && !hasReason(row))
      this.problem(
        keyNode('decision'),
        visible(`\`${decision}\` without \`reason\`: ${restoredWords(before)}`),
        'add why the access is needed again as `reason`, or repeat the earlier decision',
      )
    if (decision !== 'shorten' && until !== undefined)
      this.problem(
        keyNode('until'),
        '`until` is about `shorten` only, and would be ignored',
        'write `decision: shorten`, or remove `until`',
      )
    if (decision === undefined && (by !== undefined || date !== undefined || reason !== undefined))
      this.problem(
        keyNode(by === undefined ? (date === undefined ? 'reason' : 'date') : 'by'),
        'a row without `decision`: nothing of it would be recorded',
        'fill in `decision` as well',
      )
  }

  private checkRepeated(rows: readonly OpenRow[], nodes: readonly MapNode[]): void {
    const seen = new Set<string>()
    for (const [i, row] of rows.entries()) {
      const key = keyText(row)
      if (seen.has(key))
        this.problem(
          startOf(nodes[i] as MapNode),
          `\`${visible(row.policy)}\` has a second row for \`${visible(row.identity)}\`: it is not clear which of them counts`,
          'remove one of the two',
        )
      seen.add(key)
    }
  }

  /** The access of a row as a world. */
  private world(node: MapNode): World {
    const access = node.entries.find(({ key }) => key.value === 'access')
    if (!access) throw new Error('a row of the right shape has an access')
    const body: MapNode = { ...node, entries: [{ key: { ...access.key, value: 'policies' }, value: access.value }] }
    const { facts, diagnostics, misshapen } = readFacts([body], this.settings)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (misshapen.length > 0) this.problem(access.key, 'an access that is no list of policies', again)
    for (const { message, span } of errors) this.problem(span, message, again)
    return buildWorld([facts]).world
  }
}

const again = 'it is written by `grantwise review` and not to be edited: take it from an earlier version of the file'

/** The beginning of a row: its first key. */
function startOf(node: MapNode): Span {
  return node.entries[0]?.key ?? node
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return readDate(text) !== undefined
}

/** A record without the fields that are there and not filled in. */
function withoutEmpty<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== '')) as T
}
