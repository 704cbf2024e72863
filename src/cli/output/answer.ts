import type { Answered } from '../../ask/access.ts'
import { answerJson, answerLines, answerText } from '../../ask/forms.ts'
import type { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { coloursOf } from './outputs.ts'

/** Write the answer of `who` or `what` in the format that was asked for. */
export function writeAnswer(answer: Answered, names: Names, options: Options<'who'> | Options<'what'>, io: Io): void {
  const { format } = options
  const style = { paint: coloursOf(options, io), names, width: io.stdout.width?.() }
  if (format === 'json') io.stdout.write(`${json(answerJson(answer))}\n`)
  else io.stdout.write(format === 'compact' ? answerLines(answer) : answerText(answer, style))
}
