import { resolve } from 'node:path'
import type { Operation } from '../../actions/operations.ts'
import { addressed } from '../../declared/addressed.ts'
import {
  type Code,
  compareDiagnostics,
  compareText,
  type Diagnostic,
  eachOnce,
  findingKey,
  type Severity,
  withoutFix,
} from '../../diagnostic.ts'
import { isLocal } from '../../lint.ts'
import { inEveryWay, type WordsOf } from '../../parser/certain.ts'
import type { Facts } from '../../parser/policy.ts'
import { noFacts, type OpenReading, type ReadSource } from '../../parser/read.ts'
import { buildWorld } from '../../parser/world.ts'
import { compactReport, jsonReport, type LintReport, ndjsonReport, severities, suppressedText } from '../../report/lint.ts'
import { prettyReport } from '../../report/pretty.ts'
import { rules } from '../../rules/index.ts'
import { type Rule, ruleContext } from '../../rules/rule.ts'
import type { Span } from '../../source.ts'
import { applyComments, applyIgnores, type Sifted } from '../../suppress/ignores.ts'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { type Io, wantsColour } from '../app/io.ts'
import { choice, pair } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { openBaseline } from '../input/baseline.ts'
import { type Config, docsOf, type FailOn, type Level, levels, openConfigs } from '../input/config.ts'
import { fileTest } from '../input/globs.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkCode, checkCodes, type GivenLevels, ignoreEntries, lintByProfile, type Profile, profiles } from '../input/levels.ts'
import { readAt } from '../input/question.ts'
import { inEachConfiguration } from '../input/roots.ts'
import { selectionOf } from '../input/selection.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { type FileRead, noteUncreated, problemLines, type ReadFiles, readFiles, together, uncreatedIn, withReads } from '../input/world.ts'
import { formatTargets, outputsOf, type Target, writeOutput } from '../output/outputs.ts'
import { progressOf } from '../output/progress.ts'

type Write = (report: LintReport, inColour: boolean) => string | Promise<string>

/** A format that is not for every day is loaded when it is asked for. */
function later(name: keyof typeof import('../../report/formats.ts').formats): Write {
  return async (report) => (await import('../../report/formats.ts')).formats[name](report)
}

const formats = {
  pretty: prettyReport,
  compact: compactReport,
  json: jsonReport,
  ndjson: ndjsonReport,
  sarif: later('sarif'),
  github: later('github'),
  gitlab: later('gitlab'),
  junit: later('junit'),
  checkstyle: later('checkstyle'),
  markdown: later('markdown'),
  agent: later('agent'),
} as const satisfies Record<Output['format'], Write>

/** `lint [PATH…]`: findings on policy files. */
export const run: Run<'lint'> = async (paths, options, io) => {
  const fixing = options.fix || options.fixDryRun || options.fixLevel ? (await import('./fix.ts')).fixingOf(paths, options) : undefined
  const outputs = outputsIn(options, io, fixing?.isDry)
  const targets = targetsOf(outputs, options, io)
  checkTargets(targets, io)
  const now = readAt(options, io)
  const given = givenLevels(options)
  const { failOn } = options
  const configs = await openConfigs(options, io)
  const { main } = configs
  checkCodes([main], rules)
  if (options.printConfig !== undefined) {
    const { printConfig } = await import('./inspect.ts')
    return printConfig(options.printConfig, configs, given, io)
  }
  const baseline = openBaseline(options, io)

  const selection = await selectionOf(paths, options, main, io)
  const progress = progressOf(options, io)
  let read = await readFiles(selection, main.settings, io, progress)
  progress?.end()
  if (options.listFiles) {
    const { listFiles } = await import('./inspect.ts')
    return listFiles(read, io)
  }
  await guardInputs(targets, read, [...inputsOf(options, io), ...(main.catalogue ? [main.catalogue.value] : [])], main.settings, io)
  await configs.load(read.files)
  checkCodes(configs.all(), rules)
  const isFile = await fileTest(io.cwd, configs.all())
  const profileOf = profiles(configs, given, isFile)

  const catalogue = await catalogueFor(main, io)
  const operations = await operationsOf(read, main, io)
  const isOn = (code: string, path: string) => profileOf(path).levels.get(code) !== 'off'
  const covers = selection.isWhole ? () => true : read.covers
  // Of configurations those that are written in HCL are mended, in files whose names say so.
  const unmended = new Set(read.each.flatMap(({ source }) => (source.notation === 'hcl-json' ? [source.path] : [])))
  const find = (run: ReadFiles, base = baseline): Sifted => {
    const { files, ignores, broken } = run
    const findAmong = (facts: readonly Facts[], read: readonly Diagnostic[], paths: readonly string[], some = rules) => {
      const built = buildWorld(facts)
      return lintByProfile(some, paths, [...read, ...built.diagnostics], profileOf, (ofRules) =>
        ruleContext({ world: built.world, catalogue, operations, settings: main.settings, now }, ofRules),
      )
    }
    // What stands in a document are examples: what one of them says is nothing to the others.
    const inExamples = run.each.flatMap(({ source, read }) =>
      (read.kind === 'examples' ? read.apart : []).flatMap(({ facts, diagnostics, open }) => {
        const findIn = (told: readonly Facts[], some: readonly Rule[]) => findAmong(told, diagnostics, [source.path], some)
        return inWays([{ facts, ...(open && { open }) }], diagnostics, rules, findIn, () => findIn([facts], rules))
      }),
    )
    const inAll = inEachConfiguration(run, (world) =>
      withUncreated(
        world,
        inEachWay(world, rules, (facts, some) => findAmong(facts, world.diagnostics, world.files, some)),
        (never) => inEachWay(never, rulesOfOne, (facts, some) => findAmong(facts, never.diagnostics, never.files, some)),
      ),
    )
    return sift(withoutFixes(inDeclared(run, [...inAll, ...inExamples]), unmended), [
      ...(!options.suppressions
        ? []
        : [
            (findings: Findings) => applyComments(findings, ignores, rules, isOn, broken),
            (findings: Findings) => applyIgnores(findings, ignoreEntries(configs, files, isOn, covers, isFile), rules, now),
          ]),
      ...(base ? [(findings: Findings) => base.apply(findings, isOn, covers)] : []),
    ])
  }
  let isMended = false
  let demote = (finding: Diagnostic) => finding
  if (fixing) {
    // What is being recorded is no reason not to mend it.
    const recorded = options.writeBaseline === undefined ? baseline : undefined
    const mended = await (await import('./fix.ts')).mendFiles(read, fixing, (run) => find(run, recorded).kept, main.settings, options, io)
    ;({ read, isMended, demote } = mended)
  }
  const sifted = find(read)
  // A baseline of half of the files would take the others' findings for new ones.
  if (!read.isPartial) baseline?.finish()
  else if (options.writeBaseline !== undefined) io.stderr.write('grantwise: the baseline is not written: not every file was read\n')
  const findings = [...sifted.kept, ...levelled(sifted.upkeep, profileOf)].map(demote).sort(compareDiagnostics)

  const visible = options.quiet ? findings.filter((finding) => finding.severity === 'error') : findings
  const report: LintReport = {
    files: read.files,
    unread: read.problems,
    isPartial: read.isPartial,
    findings: visible,
    suppressed: [...sifted.suppressed].sort((a, b) => compareDiagnostics(a.finding, b.finding)),
    showSuppressed: options.showSuppressed,
    hidden: findings.length - visible.length,
    unknown: unknownIn(read),
    uncreated: uncreatedIn([read]),
    rules,
    version,
    docs: docsOf(main),
  }
  for (const { format, file } of outputs) {
    // Standard error says what could not be read. Nothing found in no file would be a poor thing to tell people.
    const isBesideProblems = file === undefined && besideProblems.has(format)
    if (isBesideProblems && format === 'pretty' && read.files.length === 0) continue
    const part = isBesideProblems ? { ...report, unread: [] } : report
    const text = await formats[format](part, file === undefined && wantsColour(io, options.color))
    writeOutput({ format, file }, text, io)
  }
  // Never left out silently: not every format has a place for the number.
  if (report.suppressed.length > 0 && !outputs.some(({ format, file }) => file === undefined && telling.has(format)))
    io.stderr.write(`grantwise: ${suppressedText(report.suppressed)}\n`)
  if (!outputs.some(({ format, file }) => file === undefined && format === 'json')) noteUncreated([read], io)
  io.stderr.write(problemLines(read.problems))
  if (read.isPartial) return exit.error
  if (fixing?.isDry && isMended) return exit.failure
  return findings.some(({ severity, span }) => fails(severity, failOn ?? configs.of(span.source.path).failOn ?? 'warning'))
    ? exit.failure
    : exit.success
}

/** What is found; where not all is known, what is found whichever way it turns out, and what the readers found. */
function inEachWay(
  { each, facts, diagnostics }: ReadFiles,
  running: readonly Rule[],
  findIn: (facts: readonly Facts[], some: readonly Rule[]) => readonly Diagnostic[],
): readonly Diagnostic[] {
  return inWays(
    together(each).map(({ read }) => read),
    diagnostics,
    running,
    findIn,
    each.some(({ read }) => read.kind === 'configuration') ? () => eachOnce(findIn(facts, running)) : () => findIn(facts, running),
  )
}

/** What is found whichever way it turns out, and what the readers found. `findKnown`: the same where all is known. */
function inWays(
  reads: readonly Pick<ReadSource, 'facts' | 'open'>[],
  diagnostics: readonly Diagnostic[],
  running: readonly Rule[],
  findIn: (facts: readonly Facts[], some: readonly Rule[]) => readonly Diagnostic[],
  findKnown: () => readonly Diagnostic[],
): readonly Diagnostic[] {
  const open = reads.flatMap((read) => read.open ?? [])
  if (open.length === 0) return findKnown()
  const ofReaders = new Set(diagnostics.map(findingKey))
  const found: Diagnostic[] = []
  const byCode = new Map<Code, Rule>(rules.map((rule) => [rule.code, rule]))
  const isNear = ({ code }: Diagnostic) => {
    const rule = byCode.get(code)
    return rule !== undefined && isLocal(rule) && 'policy' in rule.check
  }
  const certain = inEveryWay(
    (way, among) => {
      const codes = among && new Set(among.map(({ code }) => code))
      // A rule that looks at one policy after the other finds the same in a file, whatever turns out in others.
      const paths = among?.every(isNear) ? [...new Set(among.map(({ span }) => span.source.path))] : undefined
      const told = reads.map((read) => {
        if (!read.open) return read.facts
        return read.open.facts(paths && !paths.some((path) => read.open?.paths.has(path)) ? 'first' : way)
      })
      const list = findIn(told, codes ? running.filter(({ code }) => codes.has(code)) : running)
      if (!among) found.push(...list.filter((finding) => ofReaders.has(findingKey(finding))))
      return list.filter((finding) => !ofReaders.has(findingKey(finding)))
    },
    {
      holes: open.flatMap(({ holes }) => holes),
      texts: open.flatMap(({ texts }) => texts),
      perhaps: open.flatMap(({ perhaps }) => perhaps),
    },
    wordsIn(open),
    (finding) =>
      byCode.get(finding.code)?.section === 'upkeep' || (isNear(finding) && !open.some(({ paths }) => paths.has(finding.span.source.path))),
  )
  return eachOnce([...found, ...certain])
}

/** What stands for names that are made up, by each of them; more are made up as more is asked for. */
function wordsIn(open: readonly OpenReading[]): WordsOf {
  const known = new Map<string, readonly (readonly [string, string])[]>()
  return (token) => {
    if (!known.has(token)) {
      const all = new Map<string, (readonly [string, string])[]>()
      for (const words of open.flatMap((one) => one.words))
        for (const [each, texts] of words) all.set(each, [...(all.get(each) ?? []), ...texts])
      for (const [each, texts] of all) known.set(each, texts)
      if (!all.has(token)) known.set(token, [])
    }
    return known.get(token) ?? []
  }
}

/** The rules that look at one policy or group by itself. */
const rulesOfOne = rules.filter(({ section, whole }) => section !== 'whole set' && !whole)

/**
 * What is found, with what is wrong in what is described and never made. Others are not held against that: they may be made
 * in its place. What it refers to is there. Nothing of it is mended, since no fix is proved for what it would be.
 */
function withUncreated(
  run: ReadFiles,
  found: readonly Diagnostic[],
  findIn: (never: ReadFiles) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const places = run.each.flatMap(({ read }) => (read.kind === 'configuration' ? (read.uncreated?.each ?? []) : []).map(({ node }) => node))
  if (places.length === 0) return found
  const each = run.each.flatMap((file): FileRead[] => {
    const { open, ...rest } = file.read
    const facts = onlyGroups(rest.facts)
    const groups = { ...file, read: { ...rest, diagnostics: [], facts, ...(open && { open: ofGroups(open) }) } }
    return rest.kind === 'configuration' && rest.uncreated ? [groups, { ...file, read: { ...rest, ...rest.uncreated } }] : [groups]
  })
  const never = findIn(withReads(run, each)).filter(({ span }) => isInside(span, places))
  return eachOnce([...found, ...never]).map((finding) => (isInside(finding.span, places) ? withoutFix(finding) : finding))
}

function onlyGroups({ permissionsGroups, resourceGroups }: Facts): Facts {
  return { ...noFacts, permissionsGroups, resourceGroups }
}

function ofGroups(open: OpenReading): OpenReading {
  return { ...open, facts: (way) => onlyGroups(open.facts(way)) }
}

function isInside({ source, start, end }: Span, places: readonly Span[]): boolean {
  return places.some((place) => place.source === source && place.start <= start && end <= place.end)
}

function withoutFixes(findings: readonly Diagnostic[], paths: ReadonlySet<string>): readonly Diagnostic[] {
  if (paths.size === 0) return findings
  return findings.map(({ fix, ...finding }) => (fix && !paths.has(finding.span.source.path) ? { ...finding, fix } : finding))
}

/** The values that are not known, by name. */
function unknownIn({ each }: ReadFiles): readonly string[] {
  const names = each.flatMap(({ read: { open } }) => open?.unknowns ?? []).filter(({ isName }) => !isName)
  return [...new Set(names.map(({ expression }) => expression))].sort(compareText)
}

/** Findings in what tools describe: nothing of it is mended here, and in what they wrote themselves it is told of what. */
function inDeclared({ each }: ReadFiles, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const declared = new Map(each.flatMap(({ source, read }) => (read.kind === 'declared' ? [[source, read] as const] : [])))
  if (declared.size === 0) return findings
  return findings.map((finding) => {
    const found = declared.get(finding.span.source)
    return found ? addressed(finding, found.isOutput ? found.addresses : []) : finding
  })
}

/** The formats for people who see standard error as well. */
const besideProblems: ReadonlySet<string> = new Set(['pretty', 'compact'])

/** The formats that tell how much is suppressed. */
const telling: ReadonlySet<string> = new Set(['pretty', 'json', 'markdown'])

function fails(severity: Severity, failOn: FailOn): boolean {
  return failOn !== 'never' && severities.indexOf(severity) <= severities.indexOf(failOn)
}

type Findings = readonly Diagnostic[]

/** Findings through several sieves, one after the other. */
function sift(findings: Findings, sieves: readonly ((findings: Findings) => Sifted)[]): Sifted {
  let all: Sifted = { kept: findings, suppressed: [], upkeep: [] }
  for (const sieve of sieves) {
    const { kept, suppressed, upkeep } = sieve(all.kept)
    all = { kept, suppressed: [...all.suppressed, ...suppressed], upkeep: [...all.upkeep, ...upkeep] }
  }
  return all
}

/** Findings about suppressions, at the levels that hold for the files they are in. */
function levelled(findings: Findings, profileOf: (path: string) => Profile): Findings {
  return findings.flatMap((finding) => {
    const level = profileOf(finding.span.source.path).levels.get(finding.code)
    return level === 'off' ? [] : [level === undefined ? finding : { ...finding, severity: level }]
  })
}

function givenLevels(options: Options<'lint'>): GivenLevels {
  return { preset: options.preset, rules: new Map(options.rule.map(ruleLevel)) }
}

/** The operations of the API, loaded only where there are requests for delegated access to hold against them. */
async function operationsOf({ each }: ReadFiles, config: Config, io: Io): Promise<() => readonly Operation[]> {
  const known = each.some(({ read }) => (read.facts.credentials ?? []).length > 0) ? await operationsFor(config, io) : []
  return () => known
}

type Output = Options<'lint'>['format'][number]

/** `--format FORMAT` or `FORMAT=FILE`, any number; without it, for people on a terminal and for tools elsewhere. */
function outputsIn({ format }: Options<'lint'>, io: Io, isDiff = false): readonly Output[] {
  if (isDiff && format.length === 0) return []
  if (isDiff && format.some((output) => output.file === undefined))
    throw new Refusal('--fix-dry-run writes the changes to standard output', 'write the findings to a file: --format FORMAT=FILE')
  return outputsOf(format, io, io.stdout.isTerminal() ? 'pretty' : 'compact')
}

/** The files that the options ask to be written. */
function targetsOf(outputs: readonly Output[], options: Options<'lint'>, io: Io): readonly Target[] {
  const baseline = options.writeBaseline
  return [...formatTargets(outputs), ...(baseline === undefined ? [] : [{ option: '--write-baseline', file: resolve(io.cwd, baseline) }])]
}

/** The files, besides those with policies, that the options ask to be read. */
function inputsOf(options: Options<'lint'>, io: Io): readonly string[] {
  return [options.baseline, options.config, options.filesFrom].flatMap((file) =>
    typeof file !== 'string' || file === '-' ? [] : [resolve(io.cwd, file)],
  )
}

function ruleLevel(text: string): readonly [string, Level] {
  const [code, level] = pair('--rule', text, 'CODE=LEVEL')
  checkCode('--rule', code, rules)
  return [code, choice('--rule', level, levels)]
}
