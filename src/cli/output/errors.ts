import { shown } from '../../report/safe.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'

/** Report an error on standard error. One that is not a refusal is a fault of the program, and is reported in one line. */
export function reportError(error: unknown, io: Io): void {
  if (error instanceof Refusal) {
    for (const { message, help } of [error, ...error.others])
      io.stderr.write(`grantwise: ${lines(message)}\n${help ? `  help: ${lines(help)}\n` : ''}`)
    return
  }
  io.stderr.write(`grantwise: internal error: ${shown(error instanceof Error ? error.message : String(error))}\n`)
  if (io.env.GRANTWISE_DEBUG === '1' && error instanceof Error) io.stderr.write(`${lines(error.stack ?? '')}\n`)
}

/** A text of several lines, each made safe. */
function lines(text: string): string {
  return text.split('\n').map(shown).join('\n')
}
