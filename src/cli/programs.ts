import type { ExitCode } from './app/exit.ts'
import type { Io } from './app/io.ts'

/** A command, whose entry in the table of commands read what it is given. */
export type Program = (args: readonly string[], options: Readonly<Record<string, unknown>>, io: Io) => Promise<ExitCode>

/** The program of a command: `run` of the file with the name of the command, loaded only when it is needed. */
export async function programOf(name: string): Promise<Program> {
  return (await import(`./commands/${name}.ts`)).run
}
