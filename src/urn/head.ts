import type { Fault, Read } from '../names.ts'

export interface UrnHead {
  readonly region: string
  /** The text after the word (`identity`, `resource`, …) and its colon, and where that starts in the text. */
  readonly rest: string
  readonly at: number
}

const words = ['identity', 'resource', 'resourceGroup', 'permissionsGroup'] as const
export type UrnWord = (typeof words)[number]
const wordsInAnyCase: ReadonlyMap<string | undefined, UrnWord> = new Map(words.map((word) => [word.toLowerCase(), word]))

/** The name of the kind of URN with each word, and the list of a policy that it belongs in. */
const families: Readonly<Record<UrnWord, { readonly name: string; readonly list: NonNullable<Fault['belongsIn']> }>> = {
  identity: { name: 'an identity', list: 'identities' },
  resource: { name: 'a resource', list: 'resources' },
  resourceGroup: { name: 'a resource group', list: 'resources' },
  permissionsGroup: { name: 'a permissions group', list: 'permissionsGroups' },
}

/** The word that a text of the shape `urn:v1:<region>:<word>:…` carries, in any case, or undefined. */
export function urnWord(text: string): UrnWord | undefined {
  return wordsInAnyCase.get(text.split(':', 4)[3]?.toLowerCase())
}

/**
 * The result of a grammar with its faults in order: a part that is missing at the end is shown at the last character, and a
 * suggestion is kept only when the grammar accepts it.
 */
export function checked<T>(text: string, read: (text: string) => Read<T>): Read<T> {
  const result = read(text)
  if (!result.faults) return result
  const faults = result.faults.map(({ suggestion, ...fault }): Fault => {
    const to = Math.min(fault.to, text.length)
    const from = Math.max(0, Math.min(fault.from, to - 1))
    const legal = suggestion !== undefined && read(suggestion).faults === undefined
    return { ...fault, from, to, ...(legal && { suggestion }) }
  })
  return { faults }
}

/** A correct head: its region and its word. */
const headForm = /^urn:v1:([a-z][a-z0-9-]*):([A-Za-z]+):/

/**
 * Read `urn:v1:<region>:<word>:` and give what follows. Each wrong part gives one fault; a text that is no URN at all
 * gives one fault with `example`, the shape that was expected. The suggestions put the head right and may leave the rest
 * wrong: see `checked`.
 */
export function urnHead(text: string, word: UrnWord, example: string): Read<UrnHead> {
  const [head = '', region = '', written] = headForm.exec(text) ?? []
  if (written === word && text.trimEnd() === text) return { value: { region, rest: text.slice(head.length), at: head.length } }
  const shape = `expected \`${example}\``
  const whole = (message: string, suggestion?: string): Read<UrnHead> => ({
    faults: [{ from: 0, to: text.length, message, ...(suggestion && { suggestion }) }],
  })
  if (text.trim() === '') return whole(`empty: ${shape}`)
  if (text.trim() !== text)
    return { faults: [{ from: 0, to: text.length, message: 'has spaces around it', suggestion: text.trim(), stray: true }] }
  if (text === '*') {
    return whole(`a bare \`*\` is refused by the service: write what it stands for`, `urn:v1:eu:${word}:*`)
  }
  const parts = text.split(':')
  const other = urnWord(text)
  if (other !== undefined && other !== word && parts.length > 4) {
    const from = parts.slice(0, 3).join(':').length + 1
    const { name, list } = families[other]
    return {
      faults: [
        {
          from,
          to: from + other.length,
          message: `this is the URN of ${name}, not of ${families[word].name}`,
          ...(list !== families[word].list && { belongsIn: list }),
        },
      ],
    }
  }
  const faults: Fault[] = []
  // The suggestion for each part corrects all of them.
  const legal = [...parts]
  let position = 0
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
      faults.push(partFault(position, part, name, i))
      legal[i] = part.includes('*') ? '' : i === 2 ? part.toLowerCase().replace(/[^a-z0-9-]/g, '') : name
    }
    position += part.length + 1
  }
  if (faults.length > 0) return { faults: faults.map((fault) => ({ ...fault, suggestion: legal.join(':') })) }
  return whole(`ends after \`${word}\`: ${shape}`)
}

const partNames = ['the prefix', 'the version', 'the region', 'the word after the region']

function partFault(position: number, part: string, expected: string, index: number): Fault {
  const message = part.includes('*')
    ? `a wildcard cannot be in ${partNames[index]}`
    : index === 2
      ? `${partNames[index]} ${part === '' ? 'is missing' : `\`${part}\` is malformed`}: expected a word such as \`eu\``
      : `${partNames[index]} is ${part === '' ? 'missing' : `\`${part}\``}: expected \`${expected}\``
  const help = index === 2 && part.includes('*') ? 'write one entry for each region, such as `urn:v1:eu:…`' : undefined
  return { from: position, to: position + Math.max(part.length, 1), message, ...(help && { help }) }
}
