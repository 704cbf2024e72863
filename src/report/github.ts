import type { Severity } from '../diagnostic.ts'
import { countsText, type LintReport, region, severities, unreadCode, unreadText } from './lint.ts'
import { cut, shown } from './safe.ts'
import { plural } from './words.ts'

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/** How many annotations of each kind the build server keeps of one step; it drops the rest silently. */
const most = 10

/** Longer annotations are refused; the text may grow when it is made safe. */
const longest = 4000

/**
 * Annotations for pull requests, as commands that the build server takes from the log: the worst first, as many as it
 * keeps, and a last one with the number of the others. What could not be read comes first, as one error, so that
 * the findings have room. The output is to be guarded by `guardAnnotations`.
 */
export function githubReport(report: LintReport): string {
  const { findings, unread = [] } = report
  const [first] = unread
  const others = unread.length > 1 ? `%0A${unreadText(report)} in all: the log names each` : ''
  const closed =
    first === undefined
      ? ''
      : command(
          'error',
          { ...(first.path !== '' && { file: path(first.path) }), title: unreadCode },
          `${data(shown(cut(`${first.path === '' ? '' : `${first.path}: `}${first.message}`, longest)))}${others}`,
        )
  const room = { error: closed === '' ? most : most - 1, warning: most, info: most }
  const kept = severities.map((each) => findings.filter(({ severity }) => severity === each).slice(0, room[each]))
  const isWhole = kept.flat().length === findings.length
  // The last annotation is a notice, and takes the place of one.
  const printed = isWhole ? kept.flat() : kept.flatMap((list) => (list[0]?.severity === 'info' ? list.slice(0, most - 1) : list))
  const lines = printed.map(({ code, severity, message, help, span }) => {
    const { line, column, endLine, endColumn } = region(span)
    // Columns are only taken within one line; there the last one is named, not the one behind it.
    const columns = line === endLine ? { col: column, endColumn: Math.max(column, endColumn - 1) } : {}
    const text = data(shown(cut(message, longest))) + (help === undefined ? '' : `%0Ahelp: ${data(shown(cut(help, longest)))}`)
    return command(commands[severity], { file: path(span.source.path), line, endLine, ...columns, title: shown(code) }, text)
  })
  if (isWhole) return closed + lines.join('')
  const shownOnes = new Set(printed)
  const left = findings.filter((finding) => !shownOnes.has(finding))
  const text = `${plural(left.length, 'further finding')} not annotated (${countsText(left)}): at most ${most} of each level are kept`
  return `${closed}${lines.join('')}${command('notice', { title: 'grantwise' }, text)}`
}

/** One command; its text is escaped already. */
function command(name: string, properties: Readonly<Record<string, string | number>>, text: string): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))}`)
  return `::${name} ${written.join(',')}::${text}\n`
}

/** Line breaks are kept, as they can be escaped; no other character that could act on a terminal is. */
function path(text: string): string {
  return text
    .replace(/^\.\//, '')
    .split(/([\r\n])/)
    .map((part) => (part === '\r' || part === '\n' ? part : shown(part)))
    .join('')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
