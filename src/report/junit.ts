import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { byFile, type LintReport, region, type Unread, unreadCode } from './lint.ts'
import { declaration, element, xml } from './xml.ts'

/**
 * A JUnit report: a suite for each file and in it a case for each finding, or one that passes. Errors and warnings are
 * failures; what is only information counts as skipped, since a failure would say that something has to be done. What
 * could not be read is a case with an error.
 * Elements and attributes are those of the schema by which build servers check such reports (`junit-10.xsd`).
 */
export function junitReport({ files, findings, unread = [] }: LintReport): string {
  const found = byFile(findings)
  const names = [...new Set([...files, ...found.keys()])]
  const suites = [...names.map((file) => suite(file, found.get(file) ?? [])), ...unread.map(closed)].join('')
  const { skipped: _, ...failed } = counts(findings)
  const totals = { tests: findings.length + names.length - found.size + unread.length, ...failed, errors: unread.length }
  return `${declaration}${element('testsuites', { name: 'grantwise', ...totals, time: 0 }, `\n${suites}`)}`
}

function counts(findings: readonly Diagnostic[]) {
  const skipped = findings.filter(({ severity }) => severity === 'info').length
  return { failures: findings.length - skipped, errors: 0, skipped }
}

/** A suite for what could not be read: its one case was not carried out, which is an error and no failure. */
function closed({ path, message }: Unread): string {
  const file = path === '' ? '.' : path
  const text = visible(message)
  const result = element('error', { type: unreadCode, message: text }, xml(`${path === '' ? '' : `${path}: `}${text}`))
  const content = element('testcase', { name: unreadCode, classname: file, time: 0 }, `\n${result}`)
  return element('testsuite', { name: file, tests: 1, failures: 0, errors: 1, skipped: 0, time: 0, file }, `\n${content}`)
}

function suite(file: string, findings: readonly Diagnostic[]): string {
  const cases =
    findings.length === 0
      ? element('testcase', { name: 'lint', classname: file, time: 0 })
      : findings.map((finding) => testCase(file, finding)).join('')
  return element('testsuite', { name: file, tests: Math.max(1, findings.length), ...counts(findings), time: 0, file }, `\n${cases}`)
}

function testCase(file: string, { code, severity, message, help, span }: Diagnostic): string {
  const { line, column } = region(span)
  const attributes = { name: `${code} ${line}:${column}`, classname: file, time: 0 }
  const text = visible(message)
  const result =
    severity === 'info'
      ? element('skipped', { message: text })
      : element(
          'failure',
          { type: severity, message: text },
          xml(`${file}:${line}:${column}: ${text}${help ? `\nhelp: ${visible(help)}` : ''}`),
        )
  return element('testcase', attributes, `\n${result}`)
}
