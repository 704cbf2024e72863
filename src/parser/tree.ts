import { isHcl, type Source } from '../source.ts'
import { readJson } from './json.ts'
import { limits } from './limits.ts'
import { type Reading, refuse } from './reading.ts'
import { readRulesText } from './rules-text.ts'
import { readPlainYaml } from './yaml-plain.ts'

export type { Reading } from './reading.ts'

/** Whether the name of a file is one of Markdown, which is not searched for policies unless asked to. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path)
}

/** Whether the name of a file is one of a list with an action a line. */
export function isActionLines(path: string): boolean {
  return /\.actions$/i.test(path)
}

/**
 * Text to located tree; the same tree for the same values in either notation. Never throws: what was not understood is in
 * `diagnostics`, and `refused` says that nothing was read at all.
 *
 * `readYaml` (from `./yaml.ts`) is handed in, so that the `yaml` package is loaded only by who needs it. Without it the
 * answer for YAML beyond the plain subset is refused and carries `needsYaml`: `treeOf` loads it then.
 */
export function readTree(source: Source, readYaml?: (source: Source) => Reading): Reading {
  const { notation } = source
  if (isHcl(notation))
    return refuse(source, 0, 0, 'a configuration is read with the other files of its folder: name the file on the command line')
  if (notation === 'markdown') return refuse(source, 0, 0, 'the policies of a Markdown file stand in its fenced code blocks: lint the file')
  if (notation === 'actions') return refuse(source, 0, 0, 'a list of actions gives them to nobody: lint it, or `expand --from` it')
  if (notation === 'json') return readJson(source)
  if (notation === 'rules') return readRulesText(source)
  if (source.text.length > limits.plainYamlLength) {
    return refuse(
      source,
      0,
      0,
      `the file is longer than ${limits.plainYamlLength} characters, the most that is read of YAML`,
      'split it into several files',
    )
  }
  const ending = source.text.indexOf('\r')
  if (ending >= 0 && !source.text.includes('\n')) {
    return refuse(
      source,
      ending,
      ending + 1,
      'the lines end in a carriage return alone (U+000D): only some programs end a line there, and others see a single line',
      'save the file with line feeds (LF or CRLF)',
    )
  }
  const reading = readPlainYaml(source)
  if (reading) return reading
  if (readYaml) return readYaml(source)
  return { ...refuse(source, 0, 0, 'this YAML needs the full reader, which was not loaded'), needsYaml: true }
}

/** The tree of a text, with the full YAML reader where it needs that. */
export async function treeOf(source: Source): Promise<Reading> {
  const reading = readTree(source)
  return reading.needsYaml ? readTree(source, (await import('./yaml.ts')).readYaml) : reading
}
