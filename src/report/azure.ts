import type { Severity } from '../diagnostic.ts'
import { type LintReport, region, unreadCode } from './lint.ts'
import { azureCommand, cut, shown } from './safe.ts'
import { compactLine } from './words.ts'

const types: Readonly<Record<Severity, string | undefined>> = { error: 'error', warning: 'warning', info: undefined }

const longest = 4000

/**
 * Issues of a build of Azure Pipelines, as commands that its agent takes from the log. It knows errors and warnings only: an info
 * finding is a plain line. The output is to be guarded by `guardAzure`.
 */
export function azureReport({ findings, unread = [] }: LintReport): string {
  const closed = unread.map(({ path, message }) =>
    issue(
      { type: 'error', ...(path !== '' && { sourcepath: pathOf(path) }), code: unreadCode },
      `${path === '' ? '' : `${path}: `}${message}`,
    ),
  )
  const open = findings.map((finding) => {
    const { code, severity, message, help, span } = finding
    const type = types[severity]
    if (type === undefined) return `${compactLine(finding)}\n`
    const { line, column } = region(span)
    const place = { sourcepath: pathOf(span.source.path), linenumber: line, columnnumber: column }
    return issue({ type, ...place, code }, help === undefined ? message : `${message} (help: ${help})`)
  })
  return [...closed, ...open].join('')
}

function issue(properties: Readonly<Record<string, string | number>>, message: string): string {
  const written = Object.entries(properties).map(([name, value]) => `${name}=${property(shown(String(value)))}`)
  return `${azureCommand}${written.join(';')};]${data(shown(cut(message, longest)))}\n`
}

function pathOf(path: string): string {
  return path.replace(/^(\.\/+)+/, '')
}

/** The escapes of the agent: the percent sign has one of its own. */
function data(text: string): string {
  return text.replaceAll('%', '%AZP25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(']', '%5D').replaceAll(';', '%3B')
}
