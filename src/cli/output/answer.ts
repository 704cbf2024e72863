import type { Answered } from '../../ask/who.ts'
import type { World } from '../../policy.ts'
import { whatLines, whoLines } from '../../report/access.ts'
import { describedLines } from '../../report/described-access.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { coloursOf } from './outputs.ts'

/** Write the answer of `who` or `what` in the format that was asked for. */
export function writeAnswer(answer: Answered<object>, world: World, options: Options<'who'> | Options<'what'>, io: Io): void {
  const { format } = options
  if (format === 'json') io.stdout.write(`${json(answer.json())}\n`)
  else if (format === 'compact') io.stdout.write(linesOf(answer))
  else
    io.stdout.write(answer.text({ paint: coloursOf(options, io), names: new Names([world], options.fullUrns), width: io.stdout.width?.() }))
}

function linesOf({ rows, from }: Answered<object>): string {
  if ('who' in rows) return whoLines(rows.who, from)
  return 'what' in rows ? whatLines(rows.what, rows.expand, from) : describedLines(rows.described, from)
}
