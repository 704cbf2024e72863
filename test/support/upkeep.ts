import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import type { Code, Diagnostic } from '../../src/diagnostic.ts'
import type { Source } from '../../src/source.ts'

/** The file next to an example that is a configuration or a baseline: one policy, with one finding. */
const policy = `name: web readers
identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
permissions: { allow: [{ action: "vps:apisvc:rebooot" }] }
`

/**
 * Findings of lint in an example about suppressions, by the program itself: the example is a file in a folder of its own,
 * a policy, a configuration (`.grantwise.yaml`) or a baseline (`baseline.json`) by its name.
 */
export async function lintUpkeep(source: Source, at: number): Promise<readonly Diagnostic[]> {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  try {
    writeFileSync(join(folder, 'policy.yaml'), policy)
    writeFileSync(join(folder, source.path), source.text)
    const isPolicy = source.path === 'example.yaml'
    const baseline = source.path === 'baseline.json' ? ['--baseline', source.path] : []
    const written: string[] = []
    const said: string[] = []
    const code = await main(['lint', '--format', 'json', '--at', new Date(at).toISOString(), ...baseline, isPolicy ? source.path : '.'], {
      stdin: async function* () {},
      stdout: { write: (text) => written.push(text) > 0, isTerminal: () => false },
      stderr: { write: (text) => said.push(text) > 0, isTerminal: () => false },
      env: {},
      cwd: folder,
      now: () => at,
    })
    if (code > 1) throw new Error(said.join(''))
    return (JSON.parse(written.join('')).findings as readonly Found[])
      .filter(({ file }) => file === source.path)
      .map(({ code, severity, message, help, line, column, endLine, endColumn }) => ({
        code,
        severity,
        message,
        ...(help !== null && { help }),
        span: { source, start: offset(source, line, column), end: offset(source, endLine, endColumn) },
      }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Found {
  readonly code: Code
  readonly severity: Diagnostic['severity']
  readonly message: string
  readonly help: string | null
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

function offset({ text }: Source, line: number, column: number): number {
  return (
    text
      .split('\n')
      .slice(0, line - 1)
      .join('\n').length +
    (line > 1 ? 1 : 0) +
    column -
    1
  )
}
