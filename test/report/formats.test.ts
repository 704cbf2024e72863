import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareDiagnostics, type Diagnostic, type Severity } from '../../src/diagnostic.ts'
import { applyEdits } from '../../src/edits.ts'
import { fingerprint, fingerprints, lineHashes, valueText } from '../../src/lint/fingerprint.ts'
import { sha256 } from '../../src/lint/sha256.ts'
import type { Suppressed } from '../../src/lint/suppress.ts'
import { visible } from '../../src/names.ts'
import { formats } from '../../src/report/formats.ts'
import { compactReport, jsonReport, type LintReport, ndjsonReport, urlOf } from '../../src/report/lint.ts'
import { codeSpan, prose } from '../../src/report/markdown.ts'
import { prettyReport } from '../../src/report/pretty.ts'
import { cut, guardAnnotations, guardAzure, guardOutput, shown } from '../../src/report/safe.ts'
import { defaultDocs } from '../../src/report/words.ts'
import { rules } from '../../src/rules/index.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { examplesOf, lintExample } from '../support/examples.ts'
import { junitFaults } from '../support/junit.ts'
import { type Element, parseXml } from '../support/xml.ts'

const names = Object.keys(formats) as (keyof typeof formats)[]
/** The guard of each output. */
const guardOf = (name: keyof typeof formats) => (name === 'github' ? guardAnnotations : name === 'azure' ? guardAzure : guardOutput)
const version = '1.2.3'

function reportOf(findings: readonly Diagnostic[], more: Partial<LintReport> = {}): LintReport {
  const files = [...new Set(findings.map((finding) => finding.span.source.path))]
  return { files, findings, suppressed: [], showSuppressed: false, hidden: 0, rules, version, docs: defaultDocs, ...more }
}

/** A finding at a part of a text, in a file of its own unless one is given. */
function findingAt(part: string, more: Partial<Diagnostic> = {}, source: Source = sourceOf('p.yaml', part)): Diagnostic {
  const start = source.text.indexOf(part)
  return { code: 'shape', severity: 'error', message: 'wrong', span: { source, start, end: start + part.length }, ...more }
}

const mistakes = new URL('../../examples/mistakes/', import.meta.url)

async function lintMistakes(files: readonly string[]): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const file of files) {
    const source = sourceOf(`examples/mistakes/${file}`, readFileSync(new URL(file, mistakes), 'utf8'))
    found.push(...(await lintExample({ exampleSet: source, expected: [], options: {} })))
  }
  return found.sort(compareDiagnostics)
}

const mistakeFiles = readdirSync(mistakes).filter((name) => /\.(ya?ml|json)$/.test(name))
const everyMistake = await lintMistakes(mistakeFiles)

const ajv = new Ajv({ allErrors: true })
const schemaCheck = (name: string) => {
  const validate = ajv.compile(JSON.parse(readFileSync(new URL(`../schemas/${name}`, import.meta.url), 'utf8')))
  return (value: unknown) => {
    if (!validate(value)) throw new Error(ajv.errorsText(validate.errors?.slice(0, 5)))
  }
}
const expectSarif = schemaCheck('sarif-2.1.0.schema.json')
const expectReviewdog = schemaCheck('reviewdog-result.schema.json')
const expectCodeQuality = schemaCheck('gitlab-code-quality.schema.json')

interface SarifRegion {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}
interface Physical {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: SarifRegion }
  readonly message: { readonly text: string }
}
interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly Physical[]
  readonly partialFingerprints: Readonly<Record<string, string>>
  readonly relatedLocations?: readonly (Physical & { readonly id: number })[]
  readonly codeFlows?: readonly { readonly threadFlows: readonly { readonly locations: readonly { readonly location: Physical }[] }[] }[]
  readonly fixes?: readonly unknown[]
  readonly suppressions?: readonly unknown[]
}
interface SarifRule {
  readonly id: string
  readonly help: { readonly text: string; readonly markdown: string }
  readonly defaultConfiguration: { readonly level: string }
  readonly properties: Readonly<Record<string, unknown>>
}

/** The rules and results of a SARIF file, after everything that a schema can and cannot say was checked. */
function readSarif(output: string): { readonly rules: readonly SarifRule[]; readonly results: readonly SarifResult[] } {
  const log = JSON.parse(output)
  expectSarif(log)
  const { tool, results } = log.runs[0] as { tool: { driver: { rules: SarifRule[] } }; results: SarifResult[] }
  const ids = tool.driver.rules.map((rule) => rule.id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const result of results) {
    expect(ids[result.ruleIndex]).toBe(result.ruleId)
    for (const [, id] of result.message.text.matchAll(/(?<!\\)\]\((\d+)\)/g))
      expect(result.relatedLocations?.some((each) => each.id === Number(id))).toBe(true)
  }
  return { rules: tool.driver.rules, results }
}

interface CodeQuality {
  readonly description: string
  readonly check_name: string
  readonly fingerprint: string
  readonly severity: string
  readonly location: {
    readonly path: string
    readonly lines: { readonly begin: number; readonly end: number }
    readonly positions: { readonly begin: { readonly line: number; readonly column: number } }
  }
}

function readCodeQuality(output: string): readonly CodeQuality[] {
  const list = JSON.parse(output) as CodeQuality[]
  expectCodeQuality(list)
  expect(new Set(list.map((each) => each.fingerprint)).size).toBe(list.length)
  return list
}

/** The attributes and children of an element: required, allowed. */
interface Shape {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  readonly children: readonly string[]
}

const junitShapes: Readonly<Record<string, Shape>> = {
  testsuites: { required: ['name', 'tests', 'failures', 'errors', 'time'], children: ['testsuite'] },
  testsuite: { required: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'file'], children: ['testcase'] },
  testcase: { required: ['name', 'classname', 'time'], children: ['failure', 'skipped', 'error'] },
  failure: { required: ['type', 'message'], children: [] },
  skipped: { required: ['message'], children: [] },
  error: { required: ['type', 'message'], children: [] },
}

const checkstyleShapes: Readonly<Record<string, Shape>> = {
  checkstyle: { required: ['version'], children: ['file'] },
  file: { required: ['name'], children: ['error'] },
  error: { required: ['line', 'column', 'severity', 'message', 'source'], children: [] },
}

const numeric = ['tests', 'failures', 'errors', 'skipped', 'line', 'column']

function expectShape(element: Element, shapes: Readonly<Record<string, Shape>>): void {
  const shape = shapes[element.name]
  if (!shape) throw new Error(`unknown element ${element.name}`)
  const given = Object.keys(element.attributes)
  const known = [...shape.required, ...(shape.optional ?? [])]
  const faults = [
    ...shape.required.filter((name) => !given.includes(name)).map((name) => `${name} is missing`),
    ...given.filter((name) => !known.includes(name)).map((name) => `${name} is unknown`),
    ...numeric.filter((name) => given.includes(name) && !/^(0|[1-9][0-9]*)$/.test(element.attributes[name] as string)),
    ...element.children.map((child) => child.name).filter((name) => !shape.children.includes(name)),
  ]
  if (faults.length > 0) throw new Error(`${element.name}: ${faults.join(', ')}`)
  for (const child of element.children) expectShape(child, shapes)
}

function readJunit(output: string): readonly Element[] {
  const root = parseXml(output)
  expect(root.name).toBe('testsuites')
  expect(junitFaults(root)).toEqual([])
  expectShape(root, junitShapes)
  const sum = (elements: readonly Element[], name: string) => elements.reduce((total, each) => total + Number(each.attributes[name]), 0)
  for (const name of ['tests', 'failures', 'errors']) expect(Number(root.attributes[name])).toBe(sum(root.children, name))
  for (const suite of root.children) {
    const results = suite.children.flatMap((each) => each.children.map((child) => child.name))
    expect(suite.children.length).toBe(Number(suite.attributes.tests))
    expect(results.filter((name) => name === 'failure').length).toBe(Number(suite.attributes.failures))
    expect(results.filter((name) => name === 'skipped').length).toBe(Number(suite.attributes.skipped))
    expect(results.filter((name) => name === 'error').length).toBe(Number(suite.attributes.errors))
  }
  return root.children
}

function readCheckstyle(output: string): readonly Element[] {
  const root = parseXml(output)
  expect(root.name).toBe('checkstyle')
  expectShape(root, checkstyleShapes)
  return root.children
}

interface Command {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly text: string
}

/** The commands that a build server takes from a log, by its own rules; throws at a line that is none. */
function readCommands(output: string): readonly Command[] {
  const decode = (text: string) =>
    text.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const end = line.indexOf('::', 2)
      if (!line.startsWith('::') || end < 0) throw new Error(`not a command: ${line}`)
      const [name = '', ...rest] = line.slice(2, end).split(' ')
      const properties = Object.fromEntries(
        rest
          .join(' ')
          .split(',')
          .map((each) => [each.slice(0, each.indexOf('=')), decode(each.slice(each.indexOf('=') + 1))]),
      )
      return { name, properties, text: decode(line.slice(end + 2)) }
    })
}

/** The issues that the agent of Azure Pipelines takes from a log: the first command of each line, by its own rules. */
function readIssues(output: string): readonly Command[] {
  const decode = (text: string) =>
    text.replaceAll('%3B', ';').replaceAll('%5D', ']').replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%AZP25', '%')
  return output.split('\n').flatMap((line) => {
    const [start, end] = [line.indexOf('##vso['), line.indexOf(']')]
    if (start < 0 || end < start) return []
    const [name = '', ...rest] = line.slice(start + '##vso['.length, end).split(' ')
    const pairs = rest
      .join(' ')
      .split(';')
      .filter((each) => each !== '')
    const properties = pairs.map((each) => [each.slice(0, each.indexOf('=')), decode(each.slice(each.indexOf('=') + 1))])
    return [{ name, properties: Object.fromEntries(properties), text: decode(line.slice(end + 1)) }]
  })
}

interface RdRange {
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
}
interface RdDiagnostic {
  readonly message: string
  readonly location: { readonly path: string; readonly range?: RdRange }
  readonly severity: string
  readonly code: { readonly value: string; readonly url?: string }
  readonly suggestions?: readonly { readonly range: RdRange; readonly text: string }[]
}

function readRdjson(output: string): readonly RdDiagnostic[] {
  const result = JSON.parse(output)
  expectReviewdog(result)
  return result.diagnostics
}

function readRdjsonl(output: string): readonly RdDiagnostic[] {
  const diagnostics = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  expectReviewdog({ source: { name: 'lines' }, diagnostics })
  return diagnostics
}

/** The bytes before and after a range of reviewdog, whose columns are bytes; found without the help of the code that wrote it. */
function aroundRd(text: string, { start, end }: RdRange): readonly [before: Buffer, after: Buffer] {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/).map((line) => Buffer.from(line))
  const bytes = Buffer.concat(lines)
  const offset = ({ line, column }: RdRange['start']) => lines.slice(0, line - 1).reduce((sum, { length }) => sum + length, 0) + column - 1
  return [bytes.subarray(0, offset(start)), bytes.subarray(offset(end))]
}

/**
 * The text of a cell of a table as a reader sees it: the pipes that part cells, code spans and references are resolved as the
 * standard says. Throws where anything is left that Markdown or HTML could give a meaning. Backticks are left out.
 */
function cellsOf(row: string): readonly string[] {
  expect(row).toMatch(/^\| .* \|$/)
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => inline(cell.trim().replaceAll('\\|', '|')))
}

function inline(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; ) {
    const run = /^`+/.exec(text.slice(i))?.[0]
    if (run !== undefined) {
      const rest = text.slice(i + run.length)
      const end = [...rest.matchAll(/`+/g)].find((found) => found[0].length === run.length)
      if (end === undefined) throw new Error(`a fence that does not end: ${text}`)
      const content = rest.slice(0, end.index)
      out += /^ .* $/.test(content) && content.trim() !== '' ? content.slice(1, -1) : content
      i += run.length + end.index + run.length
      continue
    }
    const reference = /^&#(\d+);/.exec(text.slice(i))
    const end = /^<br>/.exec(text.slice(i))
    if (reference) out += String.fromCharCode(Number(reference[1]))
    else if (end) out += '\n'
    else if (/[&<>*_~[\]{}#!|\\@$]/.test(text[i] as string)) throw new Error(`\`${text[i]}\` means something in ${text}`)
    else out += text[i]
    i += reference?.[0].length ?? end?.[0].length ?? 1
  }
  return out.replaceAll('`', '')
}

/** The text that Markdown shows for a message: without backticks, and what cannot be seen written out. */
function seen(text: string): string {
  return shown(text).replaceAll('`', '')
}

/** The rows of findings in a summary, each as the cells that a reader sees. */
function readMarkdown(output: string): readonly (readonly string[])[] {
  const lines = output.split('\n')
  for (const line of lines.filter((each) => each.includes('<') && !each.startsWith('| ')))
    expect(line).toMatch(/^(<details open><summary><code>[^<>]*<\/code>: [0-9a-z, ]+<\/summary>|<\/details>)$/)
  return lines.filter((line) => /^\| \d+:\d+ \|/.test(line)).map(cellsOf)
}

describe('the reports on two mistakes', async () => {
  const files = ['misspelt-field.json', 'redundant-entries.yaml']
  const findings = await lintMistakes(files)
  const suppressed: Suppressed[] = [{ finding: findingAt('x', { code: 'idle-except' }), by: 'comment', reason: 'wanted' }]
  const report = reportOf(findings, { files: [...files, 'fine.yaml'].map((file) => `examples/mistakes/${file}`), suppressed })
  const endings = {
    azure: 'azure.txt',
    rdjson: 'rdjson.json',
    rdjsonl: 'rdjsonl.txt',
    sarif: 'sarif.json',
    github: 'github.txt',
    gitlab: 'gitlab.json',
    agent: 'agent.txt',
  } as const
  const others = { junit: 'junit.xml', checkstyle: 'checkstyle.xml', markdown: 'md' } as const
  const goldens = { ...endings, ...others }

  // After a change of wording: UPDATE_FORMATS=1 npx vitest run test/report/formats.test.ts, then read the difference.
  test.each(names)('%s', (name) => {
    const written = formats[name](report)
    // The rules have a test of their own; here they would be most of the file, and their numbers change with every new one.
    const readers = {
      sarif: () => readSarif(written).results,
      gitlab: () => JSON.parse(written),
      rdjson: () => JSON.parse(written).diagnostics,
    }
    const parsed = (readers as Partial<Record<typeof name, () => object[]>>)[name]?.()
    const results = parsed?.map((result: object) => ({ ...result, ruleIndex: undefined }))
    const readable = results === undefined ? written : `${JSON.stringify(results, null, 2)}\n`
    const file = new URL(`../formats/report.${goldens[name]}`, import.meta.url)
    if (process.env.UPDATE_FORMATS === '1') {
      mkdirSync(new URL('../formats', import.meta.url), { recursive: true })
      writeFileSync(file, readable)
    }
    expect(readable).toBe(readFileSync(file, 'utf8'))
  })

  // covers: M53
  test.each(names)('%s is the same bytes each time', (name) => {
    const copy = structuredClone(findings)
    expect(formats[name]({ ...report, findings: copy })).toBe(formats[name](report))
  })
})

describe('every mistake of the examples', () => {
  const report = reportOf(everyMistake, { files: mistakeFiles.map((file) => `examples/mistakes/${file}`) })

  test('is there to be reported', () => {
    expect(everyMistake.length).toBeGreaterThan(effort(60))
    expect(new Set(everyMistake.map((finding) => finding.severity)).size).toBe(3)
  })

  test.each(names)('passes the guard of the output in %s', (name) => {
    const output = formats[name](report)
    expect(guardOf(name)(output)).toBe(output)
    expect(output).toMatch(/\n$/)
  })

  test('is a result in SARIF, with the text of its place', () => {
    const { results } = readSarif(formats.sarif(report))
    expect(results.length).toBe(everyMistake.length)
    expect(results.map((result) => result.level)).toEqual(results.map((result) => result.level).sort(byLevel))
    for (const result of results) {
      const { artifactLocation, region } = (result.locations[0] as Physical).physicalLocation
      const source = everyMistake.find((finding) => finding.span.source.path === decodeURIComponent(artifactLocation.uri))?.span.source
      const text = textOf(source as Source, region)
      const same = everyMistake.filter(({ code, span }) => code === result.ruleId && span.source.text.slice(span.start, span.end) === text)
      expect(same.some((finding) => unescaped(result.message.text).startsWith(finding.message))).toBe(true)
    }
  })

  test('has fingerprints in SARIF that are its own', () => {
    const { results } = readSarif(formats.sarif(report))
    const own = results.map((result) => result.partialFingerprints['grantwise/v1'])
    expect(new Set(own).size).toBe(results.length)
  })

  test('is an entry in Code Quality', () => {
    const list = readCodeQuality(formats.gitlab(report))
    expect(list.length).toBe(everyMistake.length)
    for (const { description, check_name } of list) expect(description.startsWith(`${check_name}: `)).toBe(true)
  })

  test('is a case in JUnit, and a file without any passes', () => {
    const suites = readJunit(formats.junit({ ...report, files: [...report.files, 'fine.yaml'] }))
    expect(suites.flatMap((suite) => suite.children).filter((each) => each.children.length > 0).length).toBe(everyMistake.length)
    const fine = suites.find((suite) => suite.attributes.name === 'fine.yaml')
    expect(fine?.children.map((each) => [each.attributes.name, each.children])).toEqual([['lint', []]])
  })

  test('is an error in Checkstyle', () => {
    const files = readCheckstyle(formats.checkstyle(report))
    expect(files.map((file) => file.attributes.name)).toEqual(report.files)
    expect(files.flatMap((file) => file.children).length).toBe(everyMistake.length)
  })

  test('is a diagnostic of reviewdog, whose suggestion does what the fix does', () => {
    const diagnostics = readRdjson(formats.rdjson(report))
    expect(diagnostics.map(({ code }) => code.value)).toEqual(everyMistake.map(({ code }) => code))
    expect(readRdjsonl(formats.rdjsonl(report))).toEqual(diagnostics.map((each) => ({ ...each, source: { name: 'grantwise' } })))
    for (const [i, { location, suggestions = [] }] of diagnostics.entries()) {
      const { span, fix } = everyMistake[i] as Diagnostic
      const { source } = span
      expect(location.path).toBe(source.path)
      const [before, after] = aroundRd(source.text, location.range as RdRange)
      expect(before.toString()).toBe(source.text.slice(0, span.start))
      expect(after.toString()).toBe(source.text.slice(span.end))
      expect(suggestions.length).toBe(fix?.edits.every((edit) => edit.span.source === source) ? 1 : 0)
      for (const { range, text } of suggestions) {
        const around = aroundRd(source.text, range)
        expect(Buffer.concat([around[0], Buffer.from(text), around[1]]).toString()).toBe(applyEdits(source.text, [fix?.edits ?? []]).text)
      }
    }
    expect(diagnostics.filter(({ suggestions }) => suggestions).length).toBeGreaterThan(effort(20))
  })

  test('is an issue of Azure Pipelines if it is an error or a warning, and a line if not', () => {
    const output = formats.azure(report)
    const issues = readIssues(output)
    const worse = everyMistake.filter(({ severity }) => severity !== 'info')
    expect(output.split('\n').length - 1).toBe(everyMistake.length)
    expect(issues.map(({ name, properties }) => [name, properties.type, properties.code])).toEqual(
      worse.map(({ severity, code }) => ['task.logissue', severity, code]),
    )
    for (const [i, { properties, text }] of issues.entries()) {
      const { span, message, help } = worse[i] as Diagnostic
      expect(properties.sourcepath).toBe(span.source.path)
      expect(text).toBe(help === undefined ? message : `${message} (help: ${help})`)
    }
  })

  test('is a row in Markdown, and a line for agents', () => {
    expect(readMarkdown(formats.markdown(report)).length).toBe(everyMistake.length)
    expect(formats.agent(report).split('\n').length).toBe(Math.min(100, everyMistake.length) + 2 + (everyMistake.length > 100 ? 1 : 0))
  })
})

/** A message of SARIF without the backslashes that keep brackets from being links. */
function unescaped(text: string): string {
  return text.replace(/\\(?=\\*[[\]])([\\[\]])/g, '$1')
}

function byLevel(a: string, b: string): number {
  const order = ['error', 'warning', 'note']
  return order.indexOf(a) - order.indexOf(b)
}

/** The text of a region, found without the help of the code that wrote it. */
function textOf(source: Source, { startLine, startColumn, endLine, endColumn }: SarifRegion): string {
  const lines = source.text.split(/(?<=\r\n|\n|\r(?!\n))/)
  const offset = (line: number, column: number) => lines.slice(0, line - 1).join('').length + column - 1
  return source.text.slice(offset(startLine, startColumn), offset(endLine, endColumn))
}

describe('nothing found', () => {
  const report = reportOf([], { files: ['p.yaml'] })
  test.each(names)('%s', (name) => {
    const output = formats[name](report)
    if (name === 'sarif') expect(readSarif(output).results).toEqual([])
    if (name === 'gitlab') expect(output).toBe('[]\n')
    if (name === 'github') expect(output).toBe('')
    if (name === 'junit') expect(readJunit(output).length).toBe(1)
    if (name === 'checkstyle') expect(readCheckstyle(output).length).toBe(1)
    if (name === 'markdown') expect(output).toBe('## grantwise: no problems\n\n1 file checked.\n')
    if (name === 'agent') expect(output).toBe('no problems in 1 file\n')
    if (name === 'azure' || name === 'rdjsonl') expect(output).toBe('')
    if (name === 'rdjson') expect(readRdjson(output)).toEqual([])
  })
})

describe('what could not be read', () => {
  // One path that is none, one that has to be escaped nearly everywhere, and one whole run.
  const unread = [
    { path: 'a.json', message: 'no such file or folder' },
    { path: 'b|<x>: %0A`c`,d.yaml', message: 'not UTF-8 [here](1) ::error::' },
    { path: '', message: 'more than 10000 files to read' },
  ]
  const finding = findingAt('x', { severity: 'warning' }, sourceOf('p.yaml', 'x'))
  const report = reportOf([finding], { unread, isPartial: true })
  const messages = unread.map(({ message }) => message)

  test('is in SARIF a notification of a run that did not succeed', () => {
    const output = formats.sarif(report)
    expect(readSarif(output).results).toHaveLength(1)
    const [run] = JSON.parse(output).runs
    const [{ executionSuccessful, toolExecutionNotifications: notifications }] = run.invocations
    expect(executionSuccessful).toBe(false)
    const [notice] = run.tool.driver.notifications
    for (const each of notifications) expect({ ...each.descriptor, level: each.level }).toEqual({ id: notice.id, index: 0, level: 'error' })
    expect(notifications.map(({ message }: { message: { text: string } }) => message.text.replaceAll('\\', ''))).toEqual(
      unread.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    )
    const uris = notifications.map(({ locations }: { locations?: Physical[] }) => locations?.[0]?.physicalLocation.artifactLocation.uri)
    expect(uris.map((each?: string) => each && decodeURIComponent(each))).toEqual(['a.json', 'b|<x>: %0A`c`,d.yaml', undefined])
  })

  test('makes a run in SARIF one that did not succeed where findings say what was not understood', () => {
    const outcome = (more: Partial<LintReport>) => JSON.parse(formats.sarif(reportOf([], more))).runs[0].invocations
    expect(outcome({ isPartial: true })).toEqual([{ executionSuccessful: false }])
    expect(outcome({ isPartial: false })).toEqual([{ executionSuccessful: true }])
    expect(outcome({})).toEqual([{ executionSuccessful: true }])
  })

  test('is in JSON under a key of its own, and a line of its own', () => {
    const expected = unread.map(({ path, message }) => ({ file: path === '' ? null : path, message }))
    expect(JSON.parse(jsonReport(report)).unread).toEqual(expected)
    expect(JSON.parse(jsonReport(reportOf([finding])))).not.toHaveProperty('unread')
    const lines = ndjsonReport(report).trimEnd().split('\n')
    expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual(expected.map((each) => ({ unread: each })))
  })

  test('is in JUnit a case with an error', () => {
    const suites = readJunit(formats.junit(report)).slice(1)
    expect(suites.map((suite) => [suite.attributes.name, suite.children[0]?.children[0]?.name])).toEqual([
      ['a.json', 'error'],
      ['b|<x>: %0A`c`,d.yaml', 'error'],
      ['.', 'error'],
    ])
    expect(suites.map((suite) => suite.children[0]?.children[0]?.attributes.message)).toEqual(messages)
  })

  test('is in Checkstyle a file with an error', () => {
    const files = readCheckstyle(formats.checkstyle(report)).slice(1)
    expect(files.map((file) => file.attributes.name)).toEqual(['a.json', 'b|<x>: %0A`c`,d.yaml', '.'])
    for (const [i, file] of files.entries())
      expect(file.children[0]?.attributes).toMatchObject({ severity: 'error', source: 'grantwise.unread', message: messages[i] })
  })

  test('is in Code Quality an entry, worse than any finding', () => {
    const entries = readCodeQuality(formats.gitlab(report)).slice(1)
    expect(entries.map((entry) => [entry.location.path, entry.severity, entry.description])).toEqual(
      unread.map(({ path, message }) => [path === '' ? '.' : path, 'critical', `unread: ${message}`]),
    )
  })

  test('is the first annotation, and takes the place of one', () => {
    const many = Array.from({ length: 12 }, (_, i) => findingAt('x', { message: `number ${i}` }))
    const [first, ...others] = readCommands(formats.github({ ...report, findings: many }))
    expect(first).toEqual({
      name: 'error',
      properties: { file: 'a.json', title: 'unread' },
      text: 'a.json: no such file or folder\n3 paths not read in all: the log names each',
    })
    expect(others.filter(({ name }) => name === 'error')).toHaveLength(9)
    const whole = formats.github(reportOf([], { unread: unread.slice(2) }))
    expect(whole).toBe('::error title=unread::more than 10000 files to read\n')
    for (const each of unread) {
      const output = formats.github(reportOf([], { unread: [each] }))
      expect(guardAnnotations(output)).toBe(output)
    }
  })

  test('is the first of the issues of Azure Pipelines', () => {
    const issues = readIssues(formats.azure(report)).slice(0, -1)
    expect(issues.map(({ properties, text }) => [properties.type, properties.code, properties.sourcepath, text])).toEqual(
      unread.map(({ path, message }) => ['error', 'unread', path === '' ? undefined : path, path === '' ? message : `${path}: ${message}`]),
    )
  })

  test('is a diagnostic of reviewdog without a place in its file', () => {
    const diagnostics = readRdjson(formats.rdjson(report)).slice(1)
    expect(diagnostics).toEqual(
      unread.map(({ path, message }) => ({
        message,
        location: { path: path === '' ? '.' : path },
        severity: 'ERROR',
        code: { value: 'unread' },
      })),
    )
    expect(readRdjsonl(formats.rdjsonl(report)).slice(1)).toEqual(diagnostics.map((each) => ({ ...each, source: { name: 'grantwise' } })))
  })

  test('is listed in Markdown, for agents, and for users', () => {
    const output = formats.markdown(report)
    expect(output).toContain('1 file checked, 1 with findings, **3 paths not read**.')
    const rows = output.split('\n').filter((line) => line.startsWith('| ') && !/^\| (\d|line|not read)/.test(line))
    expect(rows.map(cellsOf)).toEqual(unread.map(({ path, message }) => [seen(path), seen(message)]))
    expect(formats.markdown(reportOf([], { unread }))).toMatch(/^## grantwise: incomplete\n/)
    for (const text of [formats.agent(report), prettyReport(report), compactReport(report)])
      for (const { path, message } of unread) expect(text).toContain(`${path === '' ? '' : `${path}: `}error unread: ${message}\n`)
    for (const text of [formats.agent(report), prettyReport(report)]) expect(text).toMatch(/; 3 paths not read\n$/)
  })

  test.each(names)('passes the guard of the output in %s', (name) => {
    const output = formats[name](report)
    // Texts for users are made safe when they are printed.
    if (name !== 'agent') expect(guardOf(name)(output)).toBe(output)
  })
})

/** A finding of each rule. */
const ofEveryRule = rules.map(({ code }) => findingAt('x', { code }))

describe('links', () => {
  const docs = 'https://docs.example.org/iam/v1'
  const finding = findingAt('x')
  test('to the pages of rules are absolute, and below the address that is given', () => {
    const page = (code: string) => `${docs}/rules/${code}.md`
    const { rules: described } = JSON.parse(formats.sarif(reportOf(ofEveryRule, { docs }))).runs[0].tool.driver
    expect(described.map(({ helpUri }: { helpUri: string }) => helpUri)).toEqual(rules.map(({ code }) => page(code)))
    expect(JSON.parse(jsonReport(reportOf([finding], { docs }))).findings[0].url).toBe(page('shape'))
    expect(JSON.parse(ndjsonReport(reportOf([finding]))).url).toMatch(/^https:\/\/[\w-]+\.github\.io\/grantwise\/rules\/shape\.html$/)
  })
  test('have the name of a page where the address asks for it', () => {
    const of = (code: Diagnostic['code'], at: string) => urlOf({ code }, at)
    expect(of('shape', 'https://docs.example.org/{page}.html')).toBe('https://docs.example.org/rules/shape.html')
    expect(of('shape', 'https://docs.example.org/?page={page}')).toBe('https://docs.example.org/?page=rules/shape')
    expect(of('acme/never', 'https://docs.example.org/{page}')).toBe('https://docs.example.org/guardrails')
    expect(of('acme/never', docs)).toBe(`${docs}/guardrails.md`)
    expect(of('acme/$&', 'https://docs.example.org/{page}')).toBe('https://docs.example.org/guardrails')
  })
  test('are left out where no page explains a code', () => {
    const output = formats.sarif(reportOf([findingAt('x', { code: 'access-gained' })], { docs }))
    expect(JSON.parse(output).runs[0].tool.driver.rules.at(-1)).not.toHaveProperty('helpUri')
  })
  test('lead to pages that are in the package', () => {
    const { files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { files: string[] }
    expect(files).toContain('docs')
    const pages = readdirSync(new URL('../../docs/rules/', import.meta.url))
    expect(rules.map(({ code }) => `${code}.md`).filter((page) => !pages.includes(page))).toEqual([])
  })
})

describe('SARIF', () => {
  const explained = rules.map((rule) => ({ ...rule, examples: examplesOf(rule.code) }))
  test('describes every rule that has results, those found while reading too', () => {
    const { rules: described } = readSarif(formats.sarif(reportOf(ofEveryRule, { rules: explained })))
    expect(described.map((rule) => rule.id)).toEqual(rules.map((rule) => rule.code))
    expect(described.map((rule) => rule.id)).toEqual(expect.arrayContaining(['syntax', 'shape']))
    for (const [i, { help, defaultConfiguration }] of described.entries()) {
      const { why, severity } = rules[i] as Rule
      expect(help.text).toContain(why)
      expect(help.markdown).toMatch(/\n## Found\n\n```(yaml|json)\n(.*\n)*## Not found\n\n```/)
      expect(defaultConfiguration.level).toBe(severity === 'info' ? 'note' : severity)
    }
  })

  test('describes no rule without results', () => {
    const described = (findings: readonly Diagnostic[]) =>
      readSarif(formats.sarif(reportOf(findings, { rules: explained }))).rules.map((rule) => rule.id)
    expect(described([])).toEqual([])
    expect(described([findingAt('x', { code: 'idle-deny' }), findingAt('x')])).toEqual(
      explained.map(({ code }) => code).filter((code) => code === 'idle-deny' || code === 'shape'),
    )
  })

  test('says of a rule about security how bad it is, as a text', () => {
    const [rule] = rules as [Rule]
    const risky: Rule = { ...rule, code: 'idle-deny', security: 9, precision: 'medium', section: 'whole set' }
    const { rules: described } = readSarif(formats.sarif(reportOf([findingAt('x', { code: risky.code })], { rules: [risky] })))
    expect(described[0]?.properties).toEqual({
      tags: ['policy', 'whole-set', 'security'],
      precision: 'medium',
      'problem.severity': rule.severity === 'info' ? 'recommendation' : rule.severity,
      'security-severity': '9.0',
    })
  })

  test('cuts descriptions to what may be shown', () => {
    const [rule] = rules as [Rule]
    const long: Rule = { ...rule, summary: 's'.repeat(3000), why: '😀'.repeat(3000) }
    const { rules: described } = readSarif(formats.sarif(reportOf([findingAt('x', { code: long.code })], { rules: [long] })))
    expect(described).toHaveLength(1)
  })

  test('describes codes that no rule has', () => {
    const { rules: described, results } = readSarif(formats.sarif(reportOf([findingAt('x', { code: 'unused-ignore' })])))
    expect(described[results[0]?.ruleIndex as number]?.id).toBe('unused-ignore')
  })

  test('links the message to related places, and makes several a path', () => {
    const source = sourceOf('./a b/ü#?.yaml', 'one\r\ntwo\rthree\nfour')
    const at = (part: string) => findingAt(part, {}, source).span
    const related = [
      { message: 'the [first]', span: at('one') },
      { message: 'the second', span: at('two') },
    ]
    const finding = findingAt('three', { message: 'a [b](c) \\[ d', help: 'fix [it]', related }, source)
    const [result] = readSarif(formats.sarif(reportOf([finding]))).results as [SarifResult]
    expect(result.message.text).toBe('a \\[b\\](c) \\\\\\[ d. See [the \\[first\\]](1), [the second](2). Help: fix \\[it\\]')
    expect(result.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20b/%C3%BC%23%3F.yaml' },
      region: { startLine: 3, startColumn: 1, endLine: 3, endColumn: 6 },
    })
    expect(result.relatedLocations?.map((each) => [each.id, each.physicalLocation.region.startLine])).toEqual([
      [1, 1],
      [2, 2],
    ])
    const steps = result.codeFlows?.[0]?.threadFlows[0]?.locations.map((each) => each.location.physicalLocation.region.startLine)
    expect(steps).toEqual([1, 2, 3])
  })

  test('makes one related place no path', () => {
    const finding = findingAt('x', { related: [{ message: 'here', span: findingAt('x').span }] })
    const [result] = readSarif(formats.sarif(reportOf([finding]))).results as [SarifResult]
    expect(result.codeFlows).toBeUndefined()
    expect(result.message.text).toBe('wrong. See [here](1)')
  })

  test('leaves a message alone that looks like no link', () => {
    const [result] = readSarif(formats.sarif(reportOf([findingAt('x', { message: 'a [b] (c) \\ d' })]))).results as [SarifResult]
    expect(result.message.text).toBe('a [b] (c) \\ d')
  })

  test('makes no link of what is read', () => {
    const [result] = readSarif(formats.sarif(reportOf([findingAt('x', { message: '`[see](http://example.org)`' })]))).results as [
      SarifResult,
    ]
    expect(result.message.text).toBe('`\\[see\\](http://example.org)`')
  })

  test('holds what is suppressed only when that is to be shown, each with who says so and why', () => {
    const suppressed: Suppressed[] = [
      { finding: findingAt('x', { code: 'expired' }), by: 'comment', reason: 'kept\u202e for the audit' },
      { finding: findingAt('x', { code: 'idle-except' }), by: 'baseline', reason: 'recorded' },
    ]
    const found = reportOf([findingAt('x', { severity: 'info' })], { suppressed })
    expect(readSarif(formats.sarif(found)).results.length).toBe(1)
    const { results } = readSarif(formats.sarif({ ...found, showSuppressed: true }))
    expect(results.map((each) => each.suppressions)).toEqual([
      undefined,
      [{ kind: 'inSource', justification: 'kept\\u{202e} for the audit' }],
      [{ kind: 'external', justification: 'recorded' }],
    ])
  })

  test('holds fixes, unless they are very long', () => {
    const source = sourceOf('p.yaml', 'allow:\n  - old\n')
    const span = findingAt('old', {}, source).span
    const fix = { description: 'write it anew', safe: true, edits: [{ span, text: 'new' }] }
    const [result] = readSarif(formats.sarif(reportOf([findingAt('old', { fix }, source)]))).results as [SarifResult]
    expect(result.fixes).toEqual([
      {
        description: { text: 'write it anew' },
        artifactChanges: [
          {
            artifactLocation: { uri: 'p.yaml' },
            replacements: [{ deletedRegion: { startLine: 2, startColumn: 5, endLine: 2, endColumn: 8 }, insertedContent: { text: 'new' } }],
          },
        ],
        properties: { safe: true },
      },
    ])
    const long = { ...fix, edits: [{ span, text: 'n'.repeat(20_000) }] }
    const [without] = readSarif(formats.sarif(reportOf([findingAt('old', { fix: long }, source)]))).results as [SarifResult]
    expect(without.fixes).toBeUndefined()
  })
})

describe('annotations', () => {
  test('have their columns within one line only, and the last one named', () => {
    const source = sourceOf('./p.yaml', 'one: two\nthree: four\n')
    const commands = readCommands(formats.github(reportOf([findingAt('two', {}, source), findingAt('two\nthree', {}, source)])))
    expect(commands.map((each) => each.properties)).toEqual([
      { file: 'p.yaml', line: '1', endLine: '1', col: '6', endColumn: '8', title: 'shape' },
      { file: 'p.yaml', line: '1', endLine: '2', title: 'shape' },
    ])
  })

  test('of an empty place cover its first column', () => {
    const [command] = readCommands(formats.github(reportOf([findingAt('')])))
    expect(command?.properties).toMatchObject({ col: '1', endColumn: '1' })
  })

  test('say what to do on a line of their own', () => {
    const [command] = readCommands(formats.github(reportOf([findingAt('x', { message: '100% wrong, see: this', help: 'fix' })])))
    expect(command).toMatchObject({ name: 'error', text: '100% wrong, see: this\nhelp: fix' })
  })

  test('come by severity, as many as are kept, and the last says how many were left out', () => {
    const list = (severity: Severity, count: number) => Array.from({ length: count }, () => findingAt('x', { severity }))
    const namesOf = (findings: readonly Diagnostic[]) => readCommands(formats.github(reportOf(findings)))
    const count = (commands: readonly Command[]) =>
      ['error', 'warning', 'notice'].map((name) => commands.filter((each) => each.name === name).length)
    const all = namesOf([...list('info', 10), ...list('warning', 10), ...list('error', 10)])
    expect(count(all)).toEqual([10, 10, 10])
    expect(all.map((each) => each.name)).toEqual(['error', 'warning', 'notice'].flatMap((name) => Array(10).fill(name)))
    const more = namesOf([...list('info', 10), ...list('warning', 11), ...list('error', 12)])
    expect(count(more)).toEqual([10, 10, 10])
    expect(more.at(-1)).toEqual({
      name: 'notice',
      properties: { title: 'grantwise' },
      text: '4 further findings not annotated (2 errors, 1 warning, 1 info): at most 10 of each level are kept',
    })
  })

  // covers: T23
  test('are the only commands that pass their guard', () => {
    const bad = [
      '::set-env name=x::y',
      '  ::error::x',
      '::stop-commands::x',
      '::error file=a:b::',
      '::add-mask::x',
      'x ##[error]y',
      '::errors::',
    ]
    for (const line of bad) {
      const guarded = guardAnnotations(`${line}\n`)
      expect(guarded).not.toBe(`${line}\n`)
      expect(guarded).not.toMatch(/^\s*::(?!error file=a::)|##\[/m)
    }
    for (const line of ['::error file=a,line=1::x', '::notice::y', '::warning title=%3A::', 'text'])
      expect(guardAnnotations(`${line}\n`)).toBe(`${line}\n`)
  })
})

describe('issues of Azure Pipelines', () => {
  test('are the only commands that pass their guard', () => {
    const head = '##vso[task.logissue type=error;'
    const bad = ['##vso[task.setvariable variable=x]y', ' ##vso[task.logissue type=error;]x', '##[error]x', `${head}code=x`, '::error::x']
    for (const line of bad) expect(guardAzure(`${line}\n`)).toBe(guardOutput(`${line}\n`))
    expect(guardAzure(`${head}code=x;]a ##vso[task.complete]b\n`)).toBe(`${head}code=x;]a ##vso\\u{5b}task.complete]b\n`)
    for (const line of [`${head}]x`, `${head}sourcepath=a b%3B.yaml;code=x;]100%AZP25`, 'text'])
      expect(guardAzure(`${line}\n`)).toBe(`${line}\n`)
  })
})

/** How many texts each format is tried with: FORMAT_TEXTS=10000 for a long look. */
const texts = Number(process.env.FORMAT_TEXTS ?? effort(2000))

// covers: M42, M43, T23, P6
describe('what is read cannot act in any format, and is read back as it was', () => {
  const parts = fc.oneof(
    fc.constantFrom(
      '::',
      ':',
      '##[',
      '##vso[',
      '#',
      '[',
      '](',
      ')',
      '|',
      '\\',
      '\\|',
      '`',
      '``',
      ']]>',
      '<![CDATA[',
      '<script>',
      '&lt;',
      '&#60;',
    ),
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '%',
      '%0A',
      ',',
      '*',
      '_',
      '~',
      '@',
      '$',
      'http://',
      'www.',
      '{0}',
      '<br>',
      '-->',
      '  ',
      'error',
    ),
    fc.constantFrom(
      '\n',
      '\r',
      '\t',
      '\u001b[31m',
      '\u009b',
      '\u0000',
      '\u202e',
      '\u2028',
      '\ufeff',
      '\ufffe',
      '\ud800',
      '\udc00',
      '😀',
      '\u{e0001}',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  const text = fc.array(parts, { maxLength: 8 }).map((list) => list.join(''))
  const path = text.map((given) => `${given.replace(/^(\.\/+)+/, '')}p`).filter((given) => !given.startsWith('./'))
  const finding = fc.record({
    path,
    body: text,
    message: text,
    help: fc.option(text, { nil: undefined }),
    severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
    start: fc.nat(20),
    length: fc.nat(20),
  })

  interface FindingParts {
    readonly path: string
    readonly body: string
    readonly message: string
    readonly help: string | undefined
    readonly severity: Severity
    readonly start: number
    readonly length: number
  }

  function made(given: FindingParts): Diagnostic {
    const source = sourceOf(given.path, given.body)
    const start = Math.min(given.start, given.body.length)
    const span = { source, start, end: Math.min(given.body.length, start + given.length) }
    const { message, help, severity, body } = given
    return {
      code: 'shape',
      severity,
      message,
      span,
      policy: body,
      ...(help !== undefined && { help }),
      related: [{ message: help ?? body, span }],
      fix: { description: message, safe: false, edits: [{ span, text: body }] },
    }
  }

  const checks: Readonly<Record<keyof typeof formats, (output: string, given: FindingParts) => void>> = {
    sarif(output, { message, path, body }) {
      const [result] = readSarif(output).results as [SarifResult]
      expect(unescaped(result.message.text).startsWith(visible(message)) || result.message.text.startsWith(visible(message))).toBe(true)
      expect(decodeURIComponent(result.locations[0]?.physicalLocation.artifactLocation.uri as string)).toBe(wellFormed(path))
      expect(JSON.stringify(result.fixes)).toContain(JSON.stringify({ text: body }))
    },
    github(output, { message, help, path }) {
      const [command] = readCommands(output) as [Command]
      expect(readCommands(output).length).toBe(1)
      expect(command.text).toBe(help === undefined ? shown(message) : `${shown(message)}\nhelp: ${shown(help)}`)
      if (shown(path.replace(/[\r\n]/g, '')) === path.replace(/[\r\n]/g, '')) expect(command.properties.file).toBe(path)
    },
    gitlab(output, { message, path }) {
      const [entry] = readCodeQuality(output) as [CodeQuality]
      expect(entry.description).toBe(`shape: ${visible(message)}`)
      expect(entry.location.path).toBe(path)
    },
    junit(output, { message, path, severity }) {
      const [suite] = readJunit(output) as [Element]
      expect(suite.attributes.name).toBe(legal(path))
      const result = suite.children[0]?.children[0]
      expect([result?.name, result?.attributes.message]).toEqual([severity === 'info' ? 'skipped' : 'failure', visible(message)])
      if (severity !== 'info') expect(result?.text.startsWith(legal(path).trimStart())).toBe(true)
    },
    checkstyle(output, { message, help, path }) {
      const [file] = readCheckstyle(output) as [Element]
      expect(file.attributes.name).toBe(legal(path))
      expect(file.children[0]?.attributes.message).toBe(visible(help === undefined ? message : `${message}; help: ${help}`))
    },
    markdown(output, { message, help }) {
      const [row] = readMarkdown(output) as [readonly string[]]
      const expected = seen(message) + (help === undefined ? '' : `\nhelp: ${seen(help)}`)
      expect(readMarkdown(output).length).toBe(1)
      expect(row?.[3]?.trim()).toBe(expected.trim())
    },
    agent(output) {
      expect(output.split('\n').length).toBe(3)
    },
    azure(output, { message, help, path, severity }) {
      const issues = readIssues(output)
      expect(issues.length).toBe(severity === 'info' ? 0 : 1)
      expect(output.split('\n').length).toBe(2)
      for (const { name, properties, text } of issues) {
        expect(name).toBe('task.logissue')
        expect(Object.keys(properties)).toEqual(['type', 'sourcepath', 'linenumber', 'columnnumber', 'code'])
        expect(properties.sourcepath).toBe(shown(path))
        expect(text).toBe(shown(help === undefined ? message : `${message} (help: ${help})`))
      }
    },
    rdjson(output, given) {
      checkRd(readRdjson(output), given)
    },
    rdjsonl(output, given) {
      checkRd(readRdjsonl(output), given)
    },
  }

  function checkRd(diagnostics: readonly RdDiagnostic[], { path, body, message, help, start, length }: FindingParts): void {
    const [diagnostic] = diagnostics as [RdDiagnostic]
    expect(diagnostics.length).toBe(1)
    expect(diagnostic.location.path).toBe(path)
    expect(diagnostic.message).toBe(help === undefined ? visible(message) : `${visible(message)}\nhelp: ${visible(help)}`)
    const [suggestion] = diagnostic.suggestions as [{ range: RdRange; text: string }]
    expect(suggestion.text).toBe(body)
    const from = Math.min(start, body.length)
    // Half a pair of surrogates has no bytes of its own.
    if (!/\p{Cs}/u.test(body.slice(0, from)) && !/\p{Cs}/u.test(body.slice(from)))
      expect(aroundRd(body, suggestion.range).map(String)).toEqual(
        [body.slice(0, from), body.slice(Math.min(body.length, from + length))].map((each) => Buffer.from(each).toString()),
      )
  }

  test.each(names)('%s', (name) => {
    const care = guardOf(name)
    fc.assert(
      fc.property(finding, (given) => {
        const written = formats[name](reportOf([made(given)], { rules: [] }))
        const output = care(written)
        // The guard is the last resort; only where a line starts with a path can it have something to do.
        const isPlain = name === 'agent' || (name === 'azure' && given.severity === 'info')
        if (!isPlain) expect(output).toBe(written)
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u.test(output.replaceAll('\n', ''))).toBe(false)
        const open = name === 'azure' ? output.replace(/^##vso\[task\.logissue /, '') : output
        expect(open).not.toMatch(/##(vso)?\[/i)
        if (name !== 'github') expect(output).not.toMatch(/^\s*::/m)
        checks[name](output, given)
      }),
      { numRuns: counted(texts) },
    )
  })

  // covers: T29
  test('code spans and prose of any text', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(inline(codeSpan(given).replaceAll('\\|', '|')).trim()).toBe(seen(given).trim())
        expect(cellsOf(`| ${prose(given)} | x |`)[0]?.trim()).toBe(seen(given).trim())
        expect(cellsOf(`| ${prose(given)} | x |`).length).toBe(2)
      }),
      { numRuns: counted(texts) },
    )
  })

  function wellFormed(given: string): string {
    return given.replace(/\p{Cs}/gu, '\ufffd')
  }

  /** The part of a text that XML can hold. */
  function legal(given: string): string {
    return given.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, (c) =>
      visible(c) === c ? `\\u{${c.codePointAt(0)?.toString(16)}}` : visible(c),
    )
  }
})

describe('limits', () => {
  const source = sourceOf('big.yaml', 'allow: x\n'.repeat(30_000))
  const severity = (i: number): Severity => (i % 3 === 0 ? 'info' : i % 3 === 1 ? 'warning' : 'error')
  const findings = Array.from({ length: 30_000 }, (_, i): Diagnostic => {
    const span = {
      source: i < 29_000 ? source : sourceOf(`f${i}.yaml`, 'x'),
      start: i < 29_000 ? i * 9 : 0,
      end: i < 29_000 ? i * 9 + 5 : 1,
    }
    return { code: 'shape', severity: severity(i), message: `wrong \`${'|'.repeat(i % 7)}\` here`, help: 'fix it', span }
  })
  const report = reportOf(findings)

  // covers: T28
  test('SARIF holds five thousand, the worst, behind an error that says so', () => {
    const { results, rules: described } = readSarif(formats.sarif(report))
    expect(results.length).toBe(5000)
    expect(results[0]).toMatchObject({ ruleId: 'truncated', level: 'error' })
    expect(results[0]?.message.text).toContain('25001 findings of 30000 omitted (5001 errors, 10000 warnings, 10000 info)')
    expect(results.every((result) => result.level === 'error')).toBe(true)
    expect(described.at(-1)?.id).toBe('truncated')
  })

  // covers: T28
  test('SARIF of five thousand findings is whole', () => {
    const { results } = readSarif(formats.sarif(reportOf(findings.slice(0, 5000))))
    expect(results.length).toBe(5000)
    expect(results.some((result) => result.ruleId === 'truncated')).toBe(false)
  })

  test('fingerprints in SARIF do not depend on how many there is room for', () => {
    const few = readSarif(formats.sarif(reportOf(findings.slice(0, 4000)))).results
    const many = new Map(
      readSarif(formats.sarif(report)).results.map((each) => [JSON.stringify(each.locations), each.partialFingerprints['grantwise/v1']]),
    )
    const errors = few.filter((each) => each.level === 'error')
    expect(errors.length).toBeGreaterThan(effort(1000))
    for (const each of errors) expect(many.get(JSON.stringify(each.locations))).toBe(each.partialFingerprints['grantwise/v1'])
  })

  test('a summary stays below a mebibyte and counts what it leaves out', () => {
    const output = formats.markdown(report)
    expect(Buffer.byteLength(output)).toBeLessThan(1024 * 1024)
    const rows = readMarkdown(output)
    expect(rows.length).toBeGreaterThan(effort(1000))
    expect(rows.every((row) => row[1] === 'error')).toBe(true)
    expect(output).toContain(`${30_000 - rows.length} further findings omitted for brevity: `)
    expect(output).toContain('## grantwise: 10000 errors, 10000 warnings, 10000 info\n')
  })

  test('a summary stays below a mebibyte whatever the texts', () => {
    const hostile = findings.map((finding) => ({ ...finding, message: '\u001b`|'.repeat(1000), help: '\\[&\u{1f600}'.repeat(1000) }))
    const files = hostile.map((finding, i) => ({
      ...finding,
      span: { source: sourceOf(`${'<'.repeat(2000)}${i}`, ''), start: 0, end: 0 },
    }))
    for (const list of [hostile, files]) expect(Buffer.byteLength(formats.markdown(reportOf(list)))).toBeLessThan(1024 * 1024)
  })

  test('agents read a hundred lines', () => {
    const lines = formats.agent(report).split('\n')
    expect(lines.length).toBe(103)
    expect(lines[0]).toMatch(/^big\.yaml:3:1: error shape: wrong /)
    expect(lines[100]).toBe('29900 more not printed: 9900 errors, 10000 warnings, 10000 info')
    const long = formats.agent(reportOf([findingAt('x', { message: 'm'.repeat(100_000), help: 'h'.repeat(100_000) })]))
    expect(long.length).toBeLessThan(1000)
  })

  test('the others hold everything', () => {
    expect(readCodeQuality(formats.gitlab(report)).length).toBe(30_000)
    expect(formats.junit(report).match(/<testcase /g)?.length).toBe(30_000)
    expect(formats.checkstyle(report).match(/<error /g)?.length).toBe(30_000)
    expect(readCommands(formats.github(report)).length).toBe(30)
  })

  test('a very long path or message spoils no format', () => {
    const long = [findingAt('x', { message: `\`${'x|'.repeat(500_000)}\`` }, sourceOf('d/'.repeat(100_000), 'x'))]
    for (const name of names) expect(formats[name](reportOf(long)).length).toBeLessThan(10_000_000)
    readSarif(formats.sarif(reportOf(long)))
    readJunit(formats.junit(reportOf(long)))
    expect(readMarkdown(formats.markdown(reportOf(long))).length).toBe(1)
  })
})

describe('fingerprints', () => {
  const text = 'name: a\nallow:\n  - "vps:*"\n  - dns:*\n'
  const at = (body: string, part: string) => findingAt(part, { policy: 'a' }, sourceOf('p.yaml', body))
  const one = (finding: Diagnostic) => fingerprint(finding, finding.policy, valueText(finding.span))

  test('outlive moves, other quotes, other blanks, another file and another wording', () => {
    const before = one(at(text, '"vps:*"'))
    expect(before).toMatch(/^[0-9a-f]{32}$/)
    expect(one(at(`# more\n\n${text}`, '"vps:*"'))).toBe(before)
    expect(one(at(text.replaceAll('"', "'"), "'vps:*'"))).toBe(before)
    expect(one(at(text.replaceAll('"', ''), 'vps:*'))).toBe(before)
    expect(one(findingAt('"vps:*"', { policy: 'a', message: 'otherwise' }, sourceOf('q.yaml', text)))).toBe(before)
    expect(valueText(findingAt('{ a:\r\n\t1 }').span)).toBe('{ a: 1 }')
  })

  test('differ with the code, the policy and the value', () => {
    const prints = [
      one(at(text, '"vps:*"')),
      one(at(text, 'dns:*')),
      one({ ...at(text, '"vps:*"'), code: 'syntax' }),
      one({ ...at(text, '"vps:*"'), policy: 'b' }),
      fingerprint({ code: 'shape' }, undefined, 'vps:*'),
      fingerprint({ code: 'shape' }, '', 'vps:*'),
    ]
    expect(new Set(prints).size).toBe(prints.length)
  })

  test('are numbered where they repeat', () => {
    const finding = at(text, '"vps:*"')
    const own = one(finding)
    expect(fingerprints([finding, at(text, 'dns:*'), finding, finding])).toEqual([own, one(at(text, 'dns:*')), `${own}:2`, `${own}:3`])
  })

  test('in Code Quality distinguish files, and equal findings in a file', () => {
    const finding = at(text, '"vps:*"')
    const elsewhere = findingAt('"vps:*"', { policy: 'a' }, sourceOf('q.yaml', text))
    const prints = readCodeQuality(formats.gitlab(reportOf([finding, finding, elsewhere]))).map((each) => each.fingerprint)
    // Findings of one file do not renumber another's.
    expect(readCodeQuality(formats.gitlab(reportOf([elsewhere])))[0]?.fingerprint).toBe(prints[2])
  })

  test('are cut from SHA-256', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (given) => {
        expect(sha256(given)).toBe(createHash('sha256').update(given).digest('hex'))
      }),
      { numRuns: effort(2000) },
    )
    for (const length of [55, 56, 63, 64, 65, 119, 120, 100_000])
      expect(sha256('a'.repeat(length))).toBe(createHash('sha256').update('a'.repeat(length)).digest('hex'))
  })
})

describe('hashes of lines', () => {
  // Known answers of the published algorithm.
  test.each([
    ['', ['c129715d7a2bc9a3:1']],
    [' a\nb\n  \t\tc\n d', ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1']],
  ])('%j', (given, expected) => {
    expect(lineHashes(given)).toEqual(expected)
  })

  test('number lines that are alike for a hundred characters', () => {
    const hashes = lineHashes('Lorem ipsum dolor sit amet.\n'.repeat(10))
    expect(hashes.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6].map((n) => `a7f2ff13bc495cf2:${n}`).concat('a7f2ff1481e87703:1'))
  })

  /** The same, written as it is described: for each line the sum over its window. */
  function plainHashes(given: string): readonly string[] {
    const units = [
      ...given
        .replace(/\r\n|\r/g, '\n')
        .replace(/[ \t]/g, '')
        .split(''),
    ].map((unit) => unit.charCodeAt(0))
    const starts = [0, ...units.flatMap((unit, i) => (unit === 10 ? [i + 1] : []))]
    units.push(0xffff)
    const counts = new Map<string, number>()
    return starts.map((start) => {
      let sum = 0n
      for (let i = start; i < start + 100; i++) sum = BigInt.asUintN(64, sum * 37n + BigInt(units[i] ?? 0))
      const hash = sum.toString(16)
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
      return `${hash}:${counts.get(hash)}`
    })
  }

  test('equal the plain sum', () => {
    const unit = fc.oneof(fc.constantFrom('\n', '\r', '\r\n', ' ', '\t', 'a', 'b'), fc.string({ unit: 'binary', maxLength: 40 }))
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (list) => {
        const given = list.join('')
        // A blank between CR and LF makes them two line ends, of which the plain one below knows nothing.
        expect(lineHashes(given)).toEqual(plainHashes(given))
      }),
      { numRuns: effort(2000) },
    )
  })

  test('are as many as there are lines', () => {
    expect(lineHashes('a\r\nb\rc\n\n').length).toBe(5)
  })
})

test('a cut text keeps its pairs', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 2, max: 20 }), (given, most) => {
      const short = cut(given, most)
      expect(short.length).toBeLessThanOrEqual(most)
      expect(short).not.toMatch(/\p{Cs}/u)
      expect(given.startsWith(short.replace(/…$/, ''))).toBe(true)
    }),
    { numRuns: effort(2000) },
  )
})
