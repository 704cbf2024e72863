import { type AccessStyle, whatJson, whatLines, whatText, whoJson, whoLines, whoText } from '../report/access.ts'
import { describedLines, describedText, describedWhatJson, describedWhoJson } from '../report/described-access.ts'
import { shown } from '../report/safe.ts'
import type { Answered } from './access.ts'

/** An answer of `who` or `what` in each of its forms. */

/** As machines read it. */
export function answerJson({ rows }: Answered): object {
  if ('who' in rows) return whoJson(rows.who)
  if ('described' in rows) return rows.about === 'who' ? describedWhoJson(rows.described) : describedWhatJson(rows.described)
  const { seen, size } = rows.catalogue
  return { ...whatJson(rows.what, rows.expand), catalogue: { seen, actions: size } }
}

/** A line for each row. */
export function answerLines({ rows, from }: Answered): string {
  if ('who' in rows) return whoLines(rows.who, from)
  return 'what' in rows ? whatLines(rows.what, rows.expand, from) : describedLines(rows.described, from)
}

/** For people. */
export function answerText({ rows, at, from, asked }: Answered, some: Pick<AccessStyle, 'paint' | 'names' | 'width'>): string {
  const { identity = '', action = '', resource } = asked
  const { paint, names } = some
  const style = { ...some, at, from }
  if ('who' in rows) return whoText(action, resource ?? '', rows.who, style)
  if ('what' in rows) return whatText(identity, rows.what, rows.expand, style)
  const subject = rows.about === 'who' ? shown(action) : identity === '*' ? shown(identity) : names.identity(identity)
  const on = resource === undefined ? '' : `  ${names.resource(resource)}`
  return describedText(`${paint.bold(subject)}${on}`, rows.described, rows.nothing, style)
}
