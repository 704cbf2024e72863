import { paint } from '../../report/colour.ts'
import { shown } from '../../report/safe.ts'

/** A diff as it is printed: on a terminal nothing in it may act on the terminal, and changes are coloured. */
export function diffText(diff: string, inColour: boolean, isTerminal: boolean): string {
  if (!isTerminal && !inColour) return diff
  const colours = paint(inColour)
  const tones: Readonly<Record<string, (text: string) => string>> = { '+': colours.good, '-': colours.error, '@': colours.info }
  return diff
    .split('\n')
    .map((line) => {
      const text = isTerminal ? shown(line.replace(/\r$/, '')) : line
      return tones[line[0] ?? '']?.(text) ?? text
    })
    .join('\n')
}
