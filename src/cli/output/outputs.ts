import { resolve } from 'node:path'
import type { Io } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'

/** A file that the command line asks to be written. */
export interface Target {
  /** The option that names it. */
  readonly option: string
  /** Absolute. */
  readonly file: string
}

/** One of the outputs that `--format` asks for. */
export interface FormatOutput<Format extends string> {
  readonly format: Format
  /** Absolute; undefined for standard output. */
  readonly file: string | undefined
}

/** Read what `--format` was given: `FORMAT` or `FORMAT=FILE`, any number. */
export function readOutputs<Format extends string>(
  given: readonly string[],
  formats: readonly Format[],
  { cwd }: Pick<Io, 'cwd'>,
): readonly FormatOutput<Format>[] {
  return given.map((text) => {
    const at = text.indexOf('=')
    const format = choice('--format', at < 0 ? text : text.slice(0, at), formats)
    if (at >= 0 && at === text.length - 1) throw new Refusal(`--format \`${text}\`: a file name is missing after \`=\``)
    return { format, file: at < 0 ? undefined : resolve(cwd, text.slice(at + 1)) }
  })
}

/** Refuse two formats for standard output. */
export function refuseTwo(outputs: readonly FormatOutput<string>[]): void {
  if (outputs.filter((output) => output.file === undefined).length > 1)
    throw new Refusal('--format: two formats for standard output', 'write one of them to a file: --format FORMAT=FILE')
}

/** The files that the outputs are written to. */
export function formatTargets(outputs: readonly FormatOutput<string>[]): readonly Target[] {
  return outputs.flatMap(({ format, file }) => (file === undefined ? [] : [{ option: `--format ${format}`, file }]))
}
