import type { PagePlace } from '../../page/data.ts'
import type { Tables } from '../../page/tables.ts'
import { shown } from '../../report/safe.ts'
import { lineStarts, lineText, position, type Source } from '../../source.ts'
import { el } from '../dom.ts'

/** Lines of a source with what they are about marked, as in the reports on a terminal. */

/** `policies/ops.yaml:12` */
export function placeWords(tables: Tables, [file, start]: PagePlace): string {
  const source = tables.source(file)
  return `${shown(source.path)}:${position(source, start).line}`
}

/** The most characters of a line that are shown. */
const widest = 400

/** The line that a place begins in, and some around it. */
export function frame(tables: Tables, place: PagePlace, around = 0): HTMLElement {
  const [file, start, end] = place
  const source = tables.source(file)
  const { line } = position(source, start)
  const last = Math.min(position(source, Math.max(start, end - 1)).line, line + 5)
  const isBlank = (number: number) => lineText(source, number).trim() === ''
  const [above, below] = [isBlank(line - around) ? 0 : around, isBlank(last + around) ? 0 : around]
  return el(
    'figure',
    { class: 'frame' },
    el('figcaption', {}, placeWords(tables, place)),
    lines(source, line - above, last + below, [{ start, end, kind: 'here' }]),
  )
}

/** Frames of places, some of which may be close together in a file: one for each run of lines. `notes`: lines of text below some. */
export function frames(
  tables: Tables,
  places: readonly PagePlace[],
  notes: ReadonlyMap<PagePlace, string> = new Map(),
): readonly HTMLElement[] {
  const sorted = [...places].sort(([a, x], [b, y]) => a - b || x - y)
  const runs: { file: number; from: number; to: number; marks: Mark[]; below: Map<number, string> }[] = []
  for (const place of sorted) {
    const [file, start, end] = place
    const { line } = position(tables.source(file), start)
    const last = runs.at(-1)
    if (last?.file === file && line - last.to <= 3) {
      last.to = line
      last.marks.push({ start, end, kind: 'here' })
    } else runs.push({ file, from: line, to: line, marks: [{ start, end, kind: 'here' }], below: new Map() })
    const note = notes.get(place)
    const { below } = runs.at(-1) as (typeof runs)[number]
    const here = below.get(line)
    if (note !== undefined && here !== note) below.set(line, here === undefined ? note : `${here} · ${note}`)
  }
  return runs.map(({ file, from, to, marks, below }) => {
    const source = tables.source(file)
    // Once below lines that follow each other.
    const after = (line: number) => {
      const note = below.get(line)
      return note === undefined || note === below.get(line + 1) ? undefined : el('div', { class: 'soft' }, note)
    }
    return el('figure', { class: 'frame' }, el('figcaption', {}, `${shown(source.path)}:${from}`), lines(source, from, to, marks, after))
  })
}

/** A marked range of a text. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly kind: string
  readonly title?: string
}

/** Lines of a source with their numbers. `after`: what is put below a line. */
export function lines(
  source: Source,
  from: number,
  to: number,
  marks: readonly Mark[],
  after?: (line: number) => HTMLElement | undefined,
): HTMLElement {
  const starts = lineStarts(source)
  const rows: HTMLElement[] = []
  for (let line = Math.max(1, from); line <= Math.min(to, starts.length); line++) {
    const start = starts[line - 1] as number
    const text = lineText(source, line)
    if (line === starts.length && text === '' && to > from) continue
    rows.push(el('li', { class: 'line', value: line, 'data-line': line }, el('code', {}, ...marked(text, start, marks))))
    const below = after?.(line)
    if (below) rows.push(el('li', { class: 'below' }, below))
  }
  return el('ol', { class: 'code', tabindex: 0, 'aria-label': `Lines of ${shown(source.path)}` }, ...rows)
}

/** A line in pieces: plain text and marked ranges. A long one is cut to the text around the first mark. */
function marked(text: string, start: number, marks: readonly Mark[]): (HTMLElement | string)[] {
  const marksInLine = marks
    .filter((mark) => mark.start < start + text.length && Math.max(mark.end, mark.start + 1) > start)
    .sort((a, b) => a.start - b.start)
  const first = Math.max(0, (marksInLine[0]?.start ?? start) - start)
  const from = text.length <= widest ? 0 : Math.max(0, Math.min(first - 60, text.length - widest))
  const to = Math.min(text.length, from + widest)
  const out: (HTMLElement | string)[] = from > 0 ? ['…'] : []
  let offset = from
  for (const { start: begin, end, kind, title } of marksInLine) {
    const [a, b] = [Math.max(offset, begin - start), Math.min(to, Math.max(end, begin + 1) - start)]
    if (a >= b) continue
    if (a > offset) out.push(visibleText(text.slice(offset, a)))
    out.push(el('mark', { class: kind, title: title && shown(title) }, visibleText(text.slice(a, b))))
    offset = b
  }
  if (offset < to) out.push(visibleText(text.slice(offset, to)))
  if (to < text.length) out.push('…')
  return out
}

/** Tabs stay, all else that is not seen is written as an escape. */
function visibleText(text: string): string {
  return text.split('\t').map(shown).join('\t')
}
