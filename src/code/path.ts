import type { CodeText, Hole } from './strings.ts'

/** The path of a call, as a program writes it: its words, and what is put in between. */

/** A word of a path, or one value that is put in, whatever it is. */
export type PathWord = string | Hole

export interface WrittenPath {
  /** The words before anything that may be several of them. */
  readonly words: readonly PathWord[]
  /** A value before the path: the address of the API, or the beginning of the path as well. */
  readonly base?: Hole
  /** The first thing that is put in and may be several words, or the end of one. */
  readonly open?: Hole
  /** The host of the address that it begins with, as far as it is written; '' where it is put in. */
  readonly host?: string
  /** As users may read it: `/vps/{name}`. */
  readonly shown: string
}

/** Whether a text may be the path of a call, or an address: it begins as one, or is put in. */
export function mayBePath(text: CodeText): boolean {
  const [first] = text
  return first !== undefined && (typeof first !== 'string' || /^(?:\/|https?:\/\/)/.test(first))
}

/** Values that are put after these belong to the same word. */
const separators = /[-._:@~+,=]$|%2F$/i
/** Names of values that say that they are more than a word. */
const severalWords = /(?:^|_|[a-z])(?:path|uri|url|route|endpoint|suffix|rest|tail|sub_?path|resource_?path)$/i
/** A word that another program, or the client, puts a value in place of. */
const placeholder = /^(?:\{[^{}/]*\}|:[A-Za-z]\w*|<[A-Za-z]\w*>|%[sdvq])$/

/** Cut a text into the words of a path. */
export function pathIn(text: CodeText): WrittenPath {
  const { parts, base, host } = withoutAddress(withoutQuery(text))
  const shown = `${base ? shownHole(base) : ''}${parts.map((part) => (typeof part === 'string' ? part : shownHole(part))).join('')}`
  const words: PathWord[] = []
  const result = (open?: Hole): WrittenPath => ({
    words,
    shown,
    ...(host !== undefined && { host }),
    ...(base && { base }),
    ...(open && { open }),
  })
  let word = ''
  let put: Hole | undefined
  let isFirst = true
  const end = () => {
    if (!isFirst) words.push(put ?? (placeholder.test(word) ? { name: word.replace(/\W/g, ''), isWord: true } : word))
    else if (word !== '') return false
    isFirst = false
    word = ''
    put = undefined
    return true
  }
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'string') {
      const [first = '', ...rest] = part.split('/')
      word += first
      for (const next of rest) {
        if (!end()) return result(base ?? { name: '', isWord: false })
        word = next
      }
      continue
    }
    const isLast = i === parts.length - 1
    const isAlone = word === '' && !put
    if (isFirst) return result(part)
    if (!part.isWord && (isAlone ? isLast && severalWords.test(part.name) : !separators.test(word))) {
      // The part of the word before it may be all of the word.
      return result(part)
    }
    put ??= part
    word = ''
  }
  end()
  if (words.at(-1) === '' && words.length > 1) words.pop()
  return result()
}

/** A text up to its query or fragment. */
function withoutQuery(text: CodeText): CodeText {
  const parts: (string | Hole)[] = []
  for (const part of text) {
    const end = typeof part === 'string' ? part.search(/[?#]/) : -1
    parts.push(end < 0 ? part : (part as string).slice(0, end))
    if (end >= 0) break
  }
  return parts.filter((part) => part !== '')
}

/** A text without scheme and host, or without what is put in before its first slash. */
function withoutAddress(text: CodeText): { readonly parts: CodeText; readonly base?: Hole; readonly host?: string } {
  const [first, ...rest] = text
  if (first === undefined) return { parts: [] }
  if (typeof first !== 'string') {
    // `${scheme}://${host}/path`
    if (typeof rest[0] === 'string' && rest[0].startsWith('://')) return withoutAddress([`http${rest[0]}`, ...rest.slice(1)])
    return { parts: rest, base: first }
  }
  const scheme = /^https?:\/\//i.exec(first)
  if (!scheme) return { parts: text }
  const host: (string | Hole)[] = [first.slice(scheme[0].length), ...rest]
  for (const [i, part] of host.entries()) {
    if (typeof part !== 'string') continue
    const slash = part.indexOf('/')
    if (slash < 0) continue
    const written = [...host.slice(0, i), part.slice(0, slash)].filter((each) => typeof each === 'string').join('')
    return { parts: [part.slice(slash), ...host.slice(i + 1)], host: written }
  }
  // The host ends with what is put in, which may be more than a host.
  const last = host.at(-1)
  return typeof last === 'object' ? { parts: [], base: last, host: '' } : { parts: ['/'], host: host.join('') }
}

export const shownHole = ({ name }: Hole): string => `{${name === '' ? '…' : name}}`
