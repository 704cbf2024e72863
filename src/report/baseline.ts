import { type BaselineEntry, baselineVersion } from '../lint/baseline.ts'
import { json } from './safe.ts'

/** A baseline as the text of its file: JSON, an entry a line. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const lines = entries.map(
    ({ file, code, policy, text, count, fingerprint }) => `    ${json({ file, code, policy, text, count, fingerprint })}`,
  )
  return `{\n  "version": ${baselineVersion},\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}
