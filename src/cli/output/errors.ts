import { Undecided } from '../../budget.ts'
import { RuleFault } from '../../lint/rule-fault.ts'
import { shown } from '../../report/safe.ts'
import { type Io, writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { diagnosticLines } from './diagnostics.ts'

/** How a question is narrowed that is too much to look at. */
const lessHelp = 'ask about less: names in the place of patterns, or fewer policies with `-p`'

/** Report an error on standard error. One that is not a refusal is a fault of the program, and is reported in one line. */
export function reportError(error: unknown, io: Io): void {
  if (error instanceof Refusal) {
    // Only what names problems at their places has several lines. A line break elsewhere is one of an argument, and could begin any message.
    for (const { message, help } of [error, ...error.others])
      io.stderr.write(
        `grantwise: ${error.diagnostics.length > 0 ? lines(message) : shown(message)}\n${help ? `  help: ${shown(help)}\n` : ''}`,
      )
    return
  }
  if (error instanceof Undecided) {
    const culprits = error.culprits.map((text) => `\`${shown(text)}\``).join(', ')
    io.stderr.write(`grantwise: undecided: too many combinations of ${culprits}\n  help: ${lessHelp}\n`)
    return
  }
  if (error instanceof RuleFault) {
    io.stderr.write(`grantwise: a rule of the organisation failed, and nothing is reported\n${diagnosticLines(error.diagnostics)}`)
    return
  }
  io.stderr.write(
    `grantwise: ${shown(systemFault(error) ?? `internal error: ${error instanceof Error ? error.message : String(error)}`)}\n`,
  )
  if (io.env.GRANTWISE_DEBUG === '1' && error instanceof Error) io.stderr.write(`${lines(error.stack ?? '')}\n`)
}

/** The message of an error of the system, with its path; undefined for faults of the program. */
export function systemFault(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  const { code, path } = error as NodeJS.ErrnoException
  return `${path === undefined ? 'a file or connection' : path}: the system refuses: ${writeFault(code)}`
}

/** A text of several lines, each made safe. */
function lines(text: string): string {
  return text.split('\n').map(shown).join('\n')
}
