import { basename, resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostic.ts'
import { causedBy } from '../../lint/caused.ts'
import { RuleMemo } from '../../lint/remembered.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import type { ReadFiles } from '../../sources/files.ts'
import type { Problem } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { type Configs, configNames } from './config.ts'
import { isThere } from './read-file.ts'
import { ReadTexts } from './recalled-texts.ts'
import type { LintSelection } from './selection.ts'
import type { FilesRead } from './world.ts'

/** A run that is about a change: all policies are read, and what the change cannot have caused is not reported. */
export class ChangeScope {
  readonly recalled = new ReadTexts()
  readonly remembered = new RuleMemo()
  readonly change: NonNullable<LintSelection['change']>
  private readonly io: Io

  constructor(change: NonNullable<LintSelection['change']>, io: Io) {
    this.change = change
    this.io = io
    for (const note of change.notes) this.note(note)
  }

  /** Whether a file, as shown to users, is one of those that change. */
  readonly isChanged = (path: string): boolean => this.change.files.has(resolve(this.io.cwd, path))

  /** The files read, with only those problems that are in the change: a commit is not refused for files that it does not touch. */
  withOwnProblems(read: FilesRead): FilesRead {
    const problems = [...this.change.problems, ...read.problems.filter(({ path }) => path === '' || this.isChanged(path))]
    const others = read.problems.filter((each) => !problems.includes(each))
    const isRefused = read.each.some(({ source, read: one }) => one.refused && this.isChanged(source.path))
    if (others.length > 0) this.noteOthers(others)
    return { ...read, problems, isPartial: isRefused || problems.length > 0 }
  }

  /** The part of what was read that changes, for what is printed of it. */
  part<T extends ReadFiles>(read: T): T {
    return {
      ...read,
      each: read.each.filter(({ source }) => this.isChanged(source.path)),
      files: read.files.filter(this.isChanged),
      passed: read.passed.filter(({ path }) => this.isChanged(path)),
    }
  }

  /** The context for the state before the change, with the configuration of that time. */
  get ioBefore(): Io {
    const { texts } = this.io
    return { ...this.io, texts: (file) => this.change.textBefore(file) ?? texts?.(file) }
  }

  /** Whether what says how to lint is part of the change. */
  isGoverning(configs: Configs): boolean {
    const files = configs.all().flatMap((config) => config.files)
    return [...files.map((file) => resolve(this.io.cwd, file)), ...configurationsIn(this.change.files)].some((file) =>
      this.change.files.has(file),
    )
  }

  /** The findings that are reported. `before` finds what was there before. */
  async reported(
    findings: readonly Diagnostic[],
    before: () => Promise<readonly Diagnostic[]>,
    configs: Configs,
  ): Promise<readonly Diagnostic[]> {
    const wide = this.reasonForAll(configs)
    if (wide !== undefined) this.note(`${wide}: the findings of all files are reported`)
    const caused = wide === undefined ? await causedBy(findings, this.isChanged, before) : findings
    return caused.filter(({ span }) => this.change.isReported(resolve(this.io.cwd, span.source.path)))
  }

  /** Why any finding may be new: with these files gone or another, what was found before cannot be found again. */
  private reasonForAll(configs: Configs): string | undefined {
    const isChanged = (file: string) => this.change.files.has(resolve(this.io.cwd, file))
    if (configs.all().some(({ catalogue }) => catalogue && isChanged(catalogue.value))) return 'the catalogue changes'
    const removedConfig = configurationsIn(this.change.files).find((file) => !isThere(file))
    return removedConfig === undefined ? undefined : `\`${displayPath(removedConfig, this.io.cwd)}\` is removed`
  }

  private noteOthers(problems: readonly Problem[]): void {
    const [{ path, message }] = problems as [Problem, ...Problem[]]
    const others = problems.length === 1 ? '' : ` (and ${plural(problems.length - 1, 'more file')} that cannot be read)`
    this.note(`${path}: ${message}${others}: the change is linted without it`)
  }

  private note(text: string): void {
    this.io.stderr.write(`grantwise: note: ${shown(text)}\n`)
  }
}

/** The configurations among files. */
function configurationsIn(files: ReadonlySet<string>): readonly string[] {
  return [...files].filter((file) => configNames.includes(basename(file)))
}
