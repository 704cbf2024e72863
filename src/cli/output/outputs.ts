import { resolve } from 'node:path'
import { paint } from '../../report/colour.ts'
import { guardAnnotations, guardAzure, guardOutput } from '../../report/safe.ts'
import { type Io, wantsColour } from '../app/io.ts'
import type { CommonOptions, FormatOutput } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import type { Writing } from './writing.ts'

/** A file that the command line asks to be written. */
export interface Target {
  /** The option that names it. */
  readonly option: string
  /** Absolute. */
  readonly file: string
}

/** The outputs that `--format` asks for, with absolute paths; by default `usual` on standard output, unless that holds a diff. */
export function outputsOf<Format extends string>(
  outputOptions: readonly FormatOutput<Format>[],
  { cwd }: Pick<Io, 'cwd'>,
  usual: NoInfer<Format>,
  diffOption?: string,
): readonly FormatOutput<Format>[] {
  if (diffOption !== undefined && outputOptions.some((output) => output.file === undefined))
    throw new Refusal(`${diffOption} writes the changes to standard output`, 'write the report to a file: --format FORMAT=FILE')
  if (outputOptions.length === 0) return diffOption === undefined ? [{ format: usual, file: undefined }] : []
  if (outputOptions.filter((output) => output.file === undefined).length > 1)
    throw new Refusal('--format: two formats for standard output', 'write one of them to a file: --format FORMAT=FILE')
  return outputOptions.map(({ format, file }) => ({ format, file: file === undefined ? undefined : resolve(cwd, file) }))
}

/** The files that the outputs are written to. */
export function formatTargets(outputs: readonly FormatOutput<string>[]): readonly Target[] {
  return outputs.flatMap(({ format, file }) => (file === undefined ? [] : [{ option: `--format ${format}`, file }]))
}

/** Filters that neutralise commands to a build server, for the formats that consist of them. */
const cares: Readonly<Record<string, typeof guardOutput>> = { github: guardAnnotations, azure: guardAzure }

/** Write a report to where it goes. Annotations of one build server are commands to it: these are kept. */
export async function writeOutput({ format, file }: FormatOutput<string>, text: string, io: Io, writing: Writing): Promise<void> {
  const care = cares[format] ?? guardOutput
  if (file === undefined) {
    io.stdout.write(text, care)
    return
  }
  const { record } = io
  const whole = record?.isAsked ? (await import('../../report/coverage.ts')).withCoverage(format, text, record.coverage()) : undefined
  if (record && whole !== undefined) record.isShown = true
  await writing.write(file, care(whole ?? text))
}

/** The colours of standard output. */
export function coloursOf(options: CommonOptions, io: Io): ReturnType<typeof paint> {
  return paint(wantsColour(io, options.color))
}
