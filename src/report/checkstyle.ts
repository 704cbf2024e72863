import { visible } from '../names.ts'
import { byFile, type LintReport, region, unreadCode } from './lint.ts'
import { declaration, element } from './xml.ts'

/**
 * A Checkstyle report: every file, with its findings, and what could not be read, each with an error. What to do about a
 * finding stands behind its message.
 */
export function checkstyleReport({ files, findings, unread = [] }: LintReport): string {
  const found = byFile(findings)
  const content = [...new Set([...files, ...found.keys()])].map((name) => {
    const errors = (found.get(name) ?? []).map(({ code, severity, message, help, span }) => {
      const { line, column } = region(span)
      const text = visible(help === undefined ? message : `${message}; help: ${help}`)
      return element('error', { line, column, severity, message: text, source: `grantwise.${code}` })
    })
    return element('file', { name }, errors.length === 0 ? '' : `\n${errors.join('')}`)
  })
  const closed = unread.map(({ path, message }) => {
    // What reads such a report wants a place of everything; there is none that would mean anything.
    const attributes = { line: 1, column: 1, severity: 'error', message: visible(message), source: `grantwise.${unreadCode}` }
    return element('file', { name: path === '' ? '.' : path }, `\n${element('error', attributes)}`)
  })
  return `${declaration}${element('checkstyle', { version: '4.3' }, `\n${[...content, ...closed].join('')}`)}`
}
