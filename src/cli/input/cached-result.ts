import type { Assumption, FileCovered, FileUse, Skipped } from '../../coverage.ts'
import { guardAnnotations, guardAzure, guardExact, guardOutput } from '../../report/safe.ts'
import type { ExitCode } from '../app/exit.ts'
import type { FoldersSeen } from './observed-folders.ts'

/** The filters that output passes, by their names. */
export const guards = { guardOutput, guardExact, guardAnnotations, guardAzure } as const
export type GuardName = keyof typeof guards

/** Something that a run wrote. A file is one of those that its options name, by its place among them: it may have another name. */
export type Written =
  | readonly [to: 'stdout' | 'stderr', text: string, guard: GuardName]
  | readonly [to: 'file', text: string, target: number]

/** A file other than those that are linted, by its shown path, with a hash of its content. */
export type FileSeen = readonly [path: string, as: FileUse, hash: string]

/** The result of a run of lint, with all that it depends on. */
export interface CachedResult {
  /** A hash of all that is known before a policy is parsed: files, options, configuration, version. */
  readonly key: string
  /** The first and the last instant at which it is the same; null where there is no limit. */
  readonly holds: readonly [first: number | null, last: number | null]
  /** The questions that were asked about files around those that are linted. */
  readonly folders: FoldersSeen
  readonly seen: readonly FileSeen[]
  /** The configurations of the files in which policies are. */
  readonly configs: readonly string[]
  /** These files, as shown. */
  readonly files: readonly string[]
  readonly searched: readonly string[]
  readonly read: readonly Pick<FileCovered, 'path' | 'as'>[]
  readonly passed: readonly Skipped[]
  readonly assumptions: readonly Assumption[]
  /** A written file has the record of what was read. */
  readonly isShown: boolean
  /** In order. */
  readonly written: readonly Written[]
  readonly code: ExitCode
}

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isFlag: Test = (value) => typeof value === 'boolean'
const isNumber: Test = (value) => typeof value === 'number'
const isOneOf =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.includes(value)
const isMissingOr =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value)
const isListOf =
  (item: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(item)
const isTuple =
  (...items: readonly Test[]): Test =>
  (value) =>
    Array.isArray(value) && value.length === items.length && items.every((item, i) => item(value[i]))
const isRecord =
  (fields: Readonly<Record<string, Test>>): Test =>
  (value) =>
    typeof value === 'object' && value !== null && Object.entries(fields).every(([name, test]) => test((value as never)[name]))

const isUse = isOneOf('policies', 'part', 'none', 'settings')
const isLimit: Test = (value) => value === null || isNumber(value)
const isWritten: Test = (value) =>
  isTuple(isOneOf('stdout', 'stderr'), isText, isOneOf(...Object.keys(guards)))(value) || isTuple(isOneOf('file'), isText, isNumber)(value)

const isResult = isRecord({
  key: isText,
  holds: isTuple(isLimit, isLimit),
  folders: isRecord({ folders: isListOf(isListOf(isText)), asked: isListOf(isTuple(isText, isText, isNumber, isText)) }),
  seen: isListOf(isTuple(isText, isUse, isText)),
  configs: isListOf(isText),
  files: isListOf(isText),
  searched: isListOf(isText),
  read: isListOf(isRecord({ path: isText, as: isUse })),
  passed: isListOf(isRecord({ path: isText, reason: isText, count: isMissingOr(isNumber) })),
  assumptions: isListOf(isRecord({ kind: isText, what: isText, why: isText, help: isMissingOr(isText), matters: isFlag })),
  isShown: isFlag,
  written: isListOf(isWritten),
  code: isOneOf(0, 1, 3),
})

/** A result as it was kept; undefined where the text is anything else. */
export function resultOf(text: string | undefined): CachedResult | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isResult(value) ? (value as CachedResult) : undefined
  } catch {
    return undefined
  }
}
