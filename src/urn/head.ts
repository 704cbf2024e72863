import type { Fault, Read } from '../names.ts'

export interface UrnHead {
  readonly region: string
  /** What follows the word (`identity`, `resource`, …) and its colon, and where that starts in the text. */
  readonly rest: string
  readonly at: number
}

const words = ['identity', 'resource', 'resourceGroup', 'permissionsGroup'] as const
export type UrnWord = (typeof words)[number]

/** The word that a text of the shape `urn:v1:<region>:<word>:…` carries, or undefined. */
export function urnWord(text: string): UrnWord | undefined {
  const word = text.split(':', 4)[3]
  return words.find((w) => w === word)
}

/**
 * Read `urn:v1:<region>:<word>:` and give what follows. A wrong part gives one fault; a text that is no URN at all gives
 * one fault with `example`, the shape that was expected.
 */
export function urnHead(text: string, word: UrnWord, example: string): Read<UrnHead> {
  const shape = `expected \`${example}\``
  const whole = (message: string, suggestion?: string): Read<UrnHead> => ({
    faults: [{ from: 0, to: text.length, message, ...(suggestion && { suggestion }) }],
  })
  if (text === '') return whole(`empty: ${shape}`)
  if (text.trim() !== text)
    return { faults: [{ from: 0, to: text.length, message: 'padded with blanks', suggestion: text.trim(), stray: true }] }
  if (text === '*') {
    return whole(
      `a bare \`*\` is refused by the service: write what it stands for`,
      word === 'resource' ? 'urn:v1:eu:resource:*' : word === 'resourceGroup' ? 'urn:v1:eu:resourceGroup:*' : undefined,
    )
  }
  const parts = text.split(':')
  const faults: Fault[] = []
  let at = 0
  const expected: readonly (readonly [string, (part: string) => boolean])[] = [
    ['urn', (p) => p === 'urn'],
    ['v1', (p) => p === 'v1'],
    ['<region>', (p) => /^[a-z][a-z0-9-]*$/.test(p)],
    [word, (p) => p === word],
  ]
  for (const [i, [name, fits]] of expected.entries()) {
    const part = parts[i]
    if (part === undefined) return whole(`not a URN of this kind: ${shape}`)
    if (!fits(part)) {
      if (i === 0 && part.toLowerCase() !== 'urn') return whole(`not a URN: ${shape}`)
      faults.push(partFault(text, at, part, name, i))
    }
    at += part.length + 1
  }
  if (faults.length > 0) return { faults }
  const region = parts[2] as string
  if (parts.length < 5) return whole(`ends after \`${word}\`: ${shape}`)
  return { value: { region, rest: text.slice(at), at } }
}

const partNames = ['the prefix', 'the version', 'the region', 'the word after the region']

function partFault(text: string, at: number, part: string, expected: string, index: number): Fault {
  const legal = index === 2 ? part.toLowerCase().replace(/[^a-z0-9-]/g, '') : expected
  const suggestion = legal === '' || part.includes('*') ? undefined : text.slice(0, at) + legal + text.slice(at + part.length)
  const message = part.includes('*')
    ? `a wildcard cannot stand in ${partNames[index]}`
    : index === 2
      ? `${partNames[index]} \`${part}\` is malformed: expected a word such as \`eu\``
      : `${partNames[index]} is \`${part}\`: expected \`${expected}\``
  return { from: at, to: at + Math.max(part.length, 1), message, ...(suggestion && suggestion !== text && { suggestion }) }
}
