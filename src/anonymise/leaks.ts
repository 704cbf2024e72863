import { operators, subjects } from '../conditions/test.ts'
import { weekdays } from '../conditions/time.ts'
import { wordsOf } from './names.ts'
import { shortestWord } from './replacements.ts'
import { writtenIdentifier } from './segments.ts'

/** Words of the input in the output. */

/** The words of the input that the output may not hold: runs of letters and digits, in small letters. */
export class InputWords {
  readonly #words = new Set<string>()
  #longest = 0

  add(text: string): void {
    for (const word of wordsOf(text.toLowerCase())) {
      if (word.length < shortestWord) continue
      this.#words.add(word)
      if (word.length > this.#longest) this.#longest = word.length
    }
  }

  /** A word of the input that a text holds, however it is written. */
  foundIn(text: string): string | undefined {
    const lower = text.toLowerCase()
    for (let start = 0; start + shortestWord <= lower.length; start++) {
      const last = Math.min(lower.length, start + this.#longest)
      for (let end = start + shortestWord; end <= last; end++) {
        const part = lower.slice(start, end)
        if (this.#words.has(part)) return part
      }
    }
    return undefined
  }
}

/** The words that files of ours are written with, independent of their content. */
const ownWords: ReadonlySet<string> = new Set(
  [
    'urn v1 identity identities resource resources resourceGroup resourceGroups permissionsGroup permissionsGroups policy policies name names',
    'permissions allow except deny action conditions operator values match and or not expiredAt readOnly true account owner tags tag groups group',
    'user credential oauth2 svc id context tests expect reason because missing at ip unknown granted denied default root reproduction region',
    'condition fact',
    'grantwise can test no config yaml world question iamtest eu ca us is the same for this by caveats',
    ...Object.values(subjects).map(({ text }) => text),
    ...Object.keys(operators),
    ...weekdays,
  ].flatMap((text) => wordsOf(text.toLowerCase())),
)
const ownNumbered = /^(?:region|fact)\d+$/

/** Addresses and times are replaced by those of fixed blocks, and of years around that of the anchor in `instants.ts`. */
const ownAddress = /(?:192\.0\.2|198\.1[89]\.\d+|10\.\d+\.\d+)\.\d+(?:\/\d+)?|2001:db8:[0-9a-f:]*(?:\/\d+)?|0\.0\.0\.0\/0|::\/0/g
const ownTime = /20(?:29|3[0-2])-\d\d-\d\d(?:T[\d:.]+Z)?/g

/**
 * The first word of an output that holds one of the input, with that one. `open`: names that stay as they are, each as a whole; `kept`:
 * words that do.
 */
export function leakIn(
  output: string,
  input: InputWords,
  open: readonly string[],
  keptWords: ReadonlySet<string>,
): { readonly word: string; readonly found: string } | undefined {
  const rest = [...open]
    .sort((a, b) => b.length - a.length)
    .reduce(withoutName, output)
    .replace(writtenIdentifier, ' ')
    .replace(ownTime, ' ')
    .replace(ownAddress, ' ')
  for (const word of new Set(wordsOf(rest))) {
    if (ownWords.has(word.toLowerCase()) || keptWords.has(word) || ownNumbered.test(word)) continue
    const source = input.foundIn(word)
    if (source !== undefined) return { word, found: source }
  }
  return undefined
}

/** A text without a name, wherever it is no part of a longer one. */
function withoutName(text: string, name: string): string {
  const isPartOfWord = (at: number) => /[\p{L}\p{M}\p{N}]/u.test(text.charAt(at))
  return text.replaceAll(name, (found, at: number) => (isPartOfWord(at - 1) || isPartOfWord(at + name.length) ? found : ' '))
}
