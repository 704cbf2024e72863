import { type Source, sourceOf } from '../source.ts'

/** Names of one set of policies, read as those of another one: so copies that differ in a pattern are compared without it. */

/** One name, and the one that it is read as. */
export interface Renaming {
  readonly from: string
  readonly to: string
}

/** A legal name of a map: no quotes, and nothing with a meaning in a notation. */
const isName = (text: string) => /^[\p{L}\p{N}](?:[\p{L}\p{N} _./:@+-]*[\p{L}\p{N}])?$/u.test(text) && !/: | {2}/.test(text)

/** The first problem of the maps, with the remedy; undefined where there is none. */
export function mapsFault(maps: readonly Renaming[]): { readonly message: string; readonly help: string } | undefined {
  const fault = (at: Renaming, message: string, help: string) => ({ message: `--map \`${at.from}=${at.to}\`: ${message}`, help })
  for (const [i, map] of maps.entries()) {
    const wrong = [map.from, map.to].find((text) => !isName(text))
    if (wrong !== undefined)
      return fault(
        map,
        wrong === '' ? 'a name is empty' : `\`${wrong}\` is not a name`,
        'names begin and end with a letter or digit, on one line',
      )
    if (map.from === map.to) return fault(map, 'it changes nothing', 'give the name in BEFORE, then that in AFTER')
    const earlier = maps.slice(0, i)
    if (earlier.some(({ from }) => from === map.from)) return fault(map, `\`${map.from}\` is mapped twice`, 'give each name once')
    if (earlier.some(({ to }) => to === map.to))
      return fault(
        map,
        `another name is mapped to \`${map.to}\` as well`,
        'two names cannot become one: the comparison would not see what distinguishes them',
      )
  }
  return undefined
}

/** A text with some words in the place of others: whole words alone, at each place the longest that is there. */
function replaced(text: string, words: readonly string[], of: (word: string) => string): string {
  const next = words.map((word) => wordFrom(text, word, 0))
  const parts: string[] = []
  let position = 0
  for (;;) {
    const place = Math.min(...next)
    if (place === Number.POSITIVE_INFINITY) return [...parts, text.slice(position)].join('')
    const word = words[next.indexOf(place)] as string
    parts.push(text.slice(position, place), of(word))
    position = place + word.length
    for (const [i, each] of next.entries()) if (each < position) next[i] = wordFrom(text, words[i] as string, position)
  }
}

/** Where a whole word is next; infinity for nowhere. */
function wordFrom(text: string, word: string, from: number): number {
  for (let place = text.indexOf(word, from); place >= 0; place = text.indexOf(word, place + 1)) {
    const end = place + word.length
    if (!/[\p{L}\p{N}]\p{M}*$/u.test(text.slice(Math.max(0, place - 4), place)) && !/^[\p{L}\p{N}\p{M}]/u.test(text.slice(end, end + 2)))
      return place
  }
  return Number.POSITIVE_INFINITY
}

/** Replaces names while texts are read: all maps in one pass, the longest name first, and only whole words. */
export class Mapping {
  private readonly maps: readonly Renaming[]
  /** Every name of a map, the longest first. */
  private readonly words: readonly string[]
  private readonly found = new Set<string>()
  /** Target names that already occur in texts, and where: they would be merged with the names mapped to them. */
  private readonly taken = new Map<string, string>()
  /** A text that cannot be mapped back: two names in it may have become one. */
  private joined: string | undefined

  constructor(maps: readonly Renaming[]) {
    this.maps = maps
    this.words = [...new Set(maps.flatMap(({ from, to }) => [from, to]))].sort((a, b) => b.length - a.length)
  }

  /** The text with other names: as many lines as before. */
  text(text: string, path: string): string {
    const mapped = replaced(text, this.words, (word) => {
      const map = this.maps.find(({ from }) => from === word)
      if (map) this.found.add(word)
      else if (!this.taken.has(word)) this.taken.set(word, path)
      return map ? map.to : word
    })
    const back = replaced(mapped, this.words, (word) => this.maps.find(({ to }) => to === word)?.from ?? word)
    if (back !== text) this.joined ??= path
    return mapped
  }

  source(source: Source): Source {
    const text = this.text(source.text, source.path)
    return text === source.text ? source : sourceOf(source.path, text, source.notation)
  }

  /** A problem that shows once all was read: a name that occurs nowhere, or a target name that is already used. */
  fault(): { readonly message: string; readonly help: string } | undefined {
    const idle = this.maps.find(({ from }) => !this.found.has(from))
    if (idle)
      return {
        message: `--map \`${idle.from}=${idle.to}\`: \`${idle.from}\` occurs nowhere in BEFORE`,
        help: 'the first name is that in BEFORE, as a whole word: `--map OLD=NEW`',
      }
    for (const [word, path] of this.taken) {
      const { from, to } = this.maps.find((each) => each.to === word) as Renaming
      return {
        message: `--map \`${from}=${to}\`: BEFORE has \`${to}\` already (${path}): the two would be one`,
        help: `map that as well, to a name that is not used: \`--map ${to}=NAME\``,
      }
    }
    if (this.joined === undefined) return undefined
    return {
      message: `--map: ${this.joined} cannot be mapped back: two names may have become one`,
      help: 'map whole names, to names that are not used',
    }
  }
}
