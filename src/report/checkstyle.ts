import { visible } from '../names.ts'
import { byFile, type LintReport, region } from './lint.ts'
import { declaration, element } from './xml.ts'

/** A Checkstyle report: every file, with its findings. What to do about one stands behind its message. */
export function checkstyleReport({ files, findings }: LintReport): string {
  const found = byFile(findings)
  const content = [...new Set([...files, ...found.keys()])].map((name) => {
    const errors = (found.get(name) ?? []).map(({ code, severity, message, help, span }) => {
      const { line, column } = region(span)
      const text = visible(help === undefined ? message : `${message}; help: ${help}`)
      return element('error', { line, column, severity, message: text, source: `grantwise.${code}` })
    })
    return element('file', { name }, errors.length === 0 ? '' : `\n${errors.join('')}`)
  })
  return `${declaration}${element('checkstyle', { version: '4.3' }, `\n${content.join('')}`)}`
}
