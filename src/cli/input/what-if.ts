import type { LintRun } from '../../lint/lint-files.ts'
import type { PageData } from '../../page/data.ts'
import { givenOf } from '../../page/give.ts'
import { type PageGiven, withoutTexts } from '../../page/given.ts'
import type { FileRead } from '../../sources/files.ts'
import type { Io } from '../app/io.ts'
import type { Config } from './config.ts'
import { foldersOf } from './folders.ts'
import { textAt, withoutMark } from './read-file.ts'

/** The input of a page's engine: the files read for it, and the configuration of lint. */
export function whatIfOf(
  each: readonly FileRead[],
  files: PageData['files'],
  run: Required<Pick<LintRun, 'profileOf' | 'ignores'>> & { readonly now: number },
  { settings, catalogue }: Config,
  io: Io,
): PageGiven {
  const text = catalogue && textAt(catalogue.value, 'settings', io).text
  const { top } = foldersOf(io)
  const start = top.endsWith('/') ? top : `${top}/`
  const placeOf = ({ file }: FileRead) => (file?.startsWith(start) ? file.slice(start.length) : undefined)
  return withoutTexts(givenOf({ each, settings, placeOf, ...run, ...(text !== undefined && { catalogue: withoutMark(text) }) }), files)
}
