import { isHcl, type Source } from '../source.ts'
import { type OnItem, readJson } from './json.ts'
import { limits } from './limits.ts'
import { type Reading, refuse } from './reading.ts'
import { readPlainYaml } from './yaml-plain.ts'

/**
 * Text of JSON or YAML to located tree; the same tree for the same values in either notation. Never throws: what was not understood is in
 * `diagnostics`, and `refused` says that nothing was read at all.
 *
 * `readYaml` (from `./yaml.ts`) is handed in, so that the `yaml` package is loaded only by who needs it. Without it the
 * answer for YAML beyond the plain subset is refused and carries `needsYaml`: `plainTreeOf` loads it then.
 *
 * `onItem` is for JSON only: it is given each policy before the rest is read.
 */
export function readPlainTree(source: Source, readYaml?: (source: Source) => Reading, onItem?: OnItem): Reading {
  const { notation } = source
  if (isHcl(notation))
    return refuse(source, 0, 0, 'a configuration is read with the other files of its folder: name the file on the command line')
  if (notation === 'markdown') return refuse(source, 0, 0, 'the policies of a Markdown file are in its fenced code blocks: lint the file')
  if (notation === 'shell' || notation === 'steps')
    return refuse(source, 0, 0, 'the policies of a script are in its commands: lint the file')
  if (notation === 'actions') return refuse(source, 0, 0, 'a list of actions gives them to no identity: lint it, or `expand --from` it')
  if (notation === 'json') return readJson(source, onItem)
  if (notation === 'rules') return refuse(source, 0, 0, 'access rules are not read as JSON or YAML')
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

/** The tree of a text of JSON or YAML, with the full YAML reader where it needs that. */
export async function plainTreeOf(source: Source): Promise<Reading> {
  const reading = readPlainTree(source)
  return reading.needsYaml ? readPlainTree(source, (await import('./yaml.ts')).readYaml) : reading
}
