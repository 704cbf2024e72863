import type { Diagnostic } from '../diagnostic.ts'
import { applyConfigurations } from '../lint/apply-config.ts'
import type { Configuration } from '../lint/config.ts'
import { namesInGuardrails } from '../lint/config-problems.ts'
import { type LintRun, lintFiles } from '../lint/lint-files.ts'
import type { GivenLevels } from '../lint/profile.ts'
import { wordsFor } from '../report/guardrail-words.ts'
import type { ReadFiles, TextGiven } from '../sources/files.ts'
import type { Problem } from '../sources/limits.ts'
import type { Host, Unusable } from './host.ts'
import { readTests } from './policy-tests.ts'
import { collecting, type FolderReader, type FolderText } from './reader.ts'
import type { EditorSettings } from './settings.ts'

/** The findings in a folder. */
export interface FolderFindings {
  readonly findings: readonly Diagnostic[]
  /** Files that could not be read, by their paths as shown to users. */
  readonly problems: readonly Problem[]
  /** Open files whose policies have another prefix than the one that is read, by their paths as shown to users. */
  readonly ofOtherPrefix: readonly Problem[]
  /** Why the configuration, or a setting, cannot be used: then all else is as it was found with the last one that could be. */
  readonly unusable: readonly Unusable[]
  /** The configuration that holds; undefined where none could be used yet. */
  readonly main: Configuration | undefined
  /** The configuration of a file, as shown to users. */
  readonly configOf?: (path: string) => Configuration
  /** The files that were looked at, and those of configurations: absolute. */
  readonly files: readonly string[]
}

const noLevels: GivenLevels = { preset: undefined, rules: new Map() }
/** In milliseconds. What depends on an instant is found anew at the next run that begins in another minute. */
const minute = 60_000
const hasPath = (problem: Problem) => problem.path !== ''

/** Lint a folder, with the open texts in or for it. `isLoose`: only these texts, each separately. */
export async function lintFolder(
  reader: FolderReader,
  texts: readonly FolderText[],
  settings: EditorSettings,
  isLoose: boolean,
  machine: Pick<Host, 'now' | 'refusal'>,
): Promise<FolderFindings> {
  const { host } = reader
  const now = machine.now()
  const unusable: Unusable[] = []
  const orUnusable = collecting(unusable, machine)
  const opened = await reader.open(texts, settings, isLoose, orUnusable)
  if (!opened) return { findings: [], problems: [], ofOtherPrefix: [], unusable, main: undefined, files: [] }
  const { main, candidates, world } = opened
  const reportModules = (diagnostics: readonly Diagnostic[]) => {
    if (diagnostics.length > 0) unusable.push({ message: 'the rule modules of the configuration cannot be used', diagnostics })
  }
  const configs = await orUnusable(() => host.withRules(opened.configs, reportModules), opened.configs)
  const read = await reader.read(reader.inputs(candidates, texts), main.settings)
  const catalogue = await orUnusable(() => host.catalogue(main), undefined)
  const givenLevels = await orUnusable(() => host.levels(settings, configs.all()), noLevels)
  const baseline = await orUnusable(() => (settings.baseline === undefined ? undefined : host.baseline(settings.baseline)), undefined)
  await orUnusable(() => configs.load(read.files), undefined)
  await orUnusable(() => host.checkConfigs(configs.all()), undefined)
  if (!catalogue) return { findings: [], problems: [], ofOtherPrefix: [], unusable, main, files: [] }
  const words = await wordsFor(configs.all(), now)
  const misnamed = await namesInGuardrails(configs.all(), { catalogue, settings: main.settings, facts: read.facts })
  if (misnamed.length > 0) unusable.push({ message: 'the guardrails of the configuration cannot be used', diagnostics: misnamed })
  const run = async (files: ReadFiles, covers: (file: string) => boolean): Promise<LintRun> => {
    const needsOperations = files.each.some(({ read }) => (read.facts.credentials ?? []).length > 0)
    const operations = needsOperations ? await host.operations(main) : []
    return {
      files,
      settings: main.settings,
      catalogue,
      operations: () => operations,
      now,
      ...(await applyConfigurations(configs, files.files, {
        cwd: host.folders.cwd,
        given: givenLevels,
        covers: (path) => covers(host.fileOf(path)),
        ...words,
      })),
      suppressions: settings.suppressions,
      baseline,
      remembered: reader.remembered,
    }
  }
  /** Where a rule of a module fails, what all others find. */
  const find = async (run: LintRun): Promise<readonly Diagnostic[]> => {
    const codes = new Set(configs.all().flatMap(({ ownRules = [] }) => ownRules.map(({ code }) => code)))
    const result = await orUnusable(() => lintFiles(run), undefined)
    const { findings } = result ?? lintFiles({ ...run, ownRules: (run.ownRules ?? []).filter(({ code }) => !codes.has(code)) })
    const isUnread = configs.all().some(({ ruleModules, ownRules }) => ruleModules.length > 0 && !ownRules)
    // The codes of modules that are not loaded are unknown.
    return isUnread ? findings.filter(({ code, span }) => code !== 'ignore-unknown-code' || !textOf(span).includes('/')) : findings
  }
  const dependsOn = settings.baseline === undefined && read.roots.length === 0 ? inputsOf(read) : undefined
  const others = [settings, catalogue, main.settings, Math.floor(now / minute), ...configs.all()]
  const findings = [...(await reader.unlessSame(dependsOn && [...others, ...dependsOn], async () => find(await run(read, () => true))))]
  const problems = [...opened.problems, ...read.problems].filter(hasPath)
  const openPaths = new Set(texts.map(({ path }) => path))
  const ofOtherPrefix = read.passed.flatMap(({ path, reason, isOfOtherPrefix }): readonly Problem[] =>
    isOfOtherPrefix && openPaths.has(path) ? [{ path, message: reason }] : [],
  )
  // An open text that is not part of the folder's policies is linted separately, like a named file.
  const inRun = new Set(candidates.map(({ file }) => file))
  for (const text of texts) {
    const { file } = text
    if (file !== undefined && inRun.has(file)) continue
    const kind = file === undefined ? undefined : host.kindOf(file)
    const source = kind === 'config' ? undefined : reader.sourceOf(text)
    if (!source) continue
    if (kind === 'test') {
      findings.push(...(await readTests(source, now, main.settings, catalogue)))
      continue
    }
    // Lists of actions are read where they are named, and only then.
    const isList = source.notation === 'actions'
    const looseText: TextGiven = {
      source,
      file: file === undefined ? undefined : host.portable(file),
      isNamed: isList,
      isElsewhere: file === undefined,
    }
    const adjacent = reader.inputs(
      world.filter((each) => each.file !== file),
      texts,
    )
    const alone = await reader.read([...adjacent, looseText], main.settings)
    if (!isList) problems.push(...alone.problems.filter(hasPath))
    if (!alone.files.includes(source.path)) continue
    await orUnusable(() => configs.load(alone.files), undefined)
    const findingsAlone = await find(await run(alone, (path) => path === file))
    findings.push(...findingsAlone.filter(({ span }) => span.source.path === source.path))
  }
  const files = [...inRun, ...configs.all().flatMap((each) => each.files.map(host.fileOf))]
  return { findings, problems, ofOtherPrefix, unusable, main, configOf: configs.of, files }
}

/** The readings of files, and the findings of the readers: the same objects as long as none of the files changes. */
function inputsOf({ each, diagnostics }: ReadFiles): readonly unknown[] {
  return [...each.map(({ read }) => read), ...diagnostics]
}

function textOf({ source, start, end }: Diagnostic['span']): string {
  return source.text.slice(start, end)
}
