import type { Source } from './source.ts'
import { isSpelling } from './spelling.ts'
import type { Zones } from './zones.ts'

/**
 * Common types of the grammars of names. A grammar reads a text and gives either its meaning or the faults in it, each with the
 * part that is wrong, what was expected, and the nearest legal text where there is one. Readers turn faults into diagnostics at
 * the right place; the command line turns them into messages about an argument.
 */
export interface Fault {
  /** The part of the text that is wrong: offsets into it, end exclusive. */
  readonly from: number
  readonly to: number
  /** The problem and what was expected; lower-case, no final period. */
  readonly message: string
  /** The nearest legal text, whole. */
  readonly suggestion?: string
  /** The remedy, where there is no text to suggest. */
  readonly help?: string
  /** The text is a name of another kind: the list of a policy that it belongs in. */
  readonly belongsIn?: 'identities' | 'resources' | 'permissionsGroups'
  /** The text holds a character that no name may hold, or blanks around it: a slip rather than a wrong name. */
  readonly stray?: true
}

export type Read<T> = { readonly value: T; readonly faults?: undefined } | { readonly value?: undefined; readonly faults: readonly Fault[] }

/** Settings that differ between installations: the brand word in namespaces and managed names, and the regions in use. */
export interface Settings {
  readonly brand: string
  readonly regions: readonly string[]
  /** The prefix of resource types in configurations: `acme` for `acme_iam_policy`. By default the brand. */
  readonly resourcePrefix?: string
  /** The word after `X-` in the headers of signed calls: `Acme` for `X-Acme-Application`. By default it follows from the brand. */
  readonly headerPrefix?: string
  /** Patterns over the sources of modules from elsewhere that hold no policies, as the user says. */
  readonly modulesWithoutPolicies?: readonly string[]
  /** The program that applies the configurations; where it is not said, what both would apply has to be the same. */
  readonly program?: 'terraform' | 'opentofu'
  /** Patterns over files that never affect what is deployed: paths from the top of the repository. */
  readonly notDeploying?: readonly string[]
  /** Each other file that differs, policies included, may change what is deployed. */
  readonly strictDeployment?: boolean
  /** Values of variables of root modules in addition to those in their folders. */
  readonly variables?: Variables
  /** The format of files, in place of the one that their contents show: policies as the service writes them, or plans of Terraform. */
  readonly formatIn?: 'policy' | 'tfplan'
  /** The files next to the source that is read, where its content depends on some. */
  readonly adjacent?: AdjacentFiles
  /** The time zones of the run. Readers make their own where it gives none. */
  readonly zones?: Zones
  /** The names in the lists of policies that were read in the run, by their kinds and as they are written: the same ones come again and again. */
  readonly namesRead?: Map<string, Map<string, unknown>>
}

/** The files next to a source, by their paths from its folder. */
export interface AdjacentFiles {
  readonly names: () => readonly string[]
  /** The content of a file; undefined where it cannot be read. */
  readonly read: (path: string) => string | undefined
}

/**
 * Values of variables by their names, as strings, and files with more of them; the environment has the lowest precedence, given
 * values the highest.
 */
export interface Variables {
  readonly environment: ReadonlyMap<string, string>
  readonly files: readonly Source[]
  readonly given: ReadonlyMap<string, string>
}

/** The prefix of the types of our resources in a configuration: a file without it describes none. */
export function resourceWord({ brand, resourcePrefix = brand }: Settings): string {
  return `${resourcePrefix}_iam_`
}

/** The starts of the types of resources whose files are read: policies and groups, and users with the groups that they are in. */
export function resourceWords(settings: Settings): readonly string[] {
  const { brand, resourcePrefix = brand } = settings
  return [resourceWord(settings), `${resourcePrefix}_me_identity_`]
}

/** The start of the headers of signed calls, in the spelling of messages: `X-Service` for the neutral brand. */
export function headerStart({ brand, headerPrefix }: Settings): string {
  return `X-${headerPrefix ?? (brand === 'svc' ? 'Service' : `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`)}`
}

/** The settings that hold where nothing else is said (docs/semantics.md, Names). */
export const defaultSettings: Settings = { brand: 'svc', regions: ['eu', 'ca', 'us'] }

/** The longest name or pattern understood, and the most wildcards in one. Past them a text is refused, not guessed at. */
export const longestName = 2048
export const mostWildcards = 8

/**
 * A character that no name may hold: controls, invisible and direction-changing characters, anything outside printable
 * ASCII (look-alike letters make a `deny` that denies nothing), but for the code points that `allow` takes. Returns the fault for the first one, or undefined; what it
 * suggests has all of them put right, and may be wrong in another way.
 */
export function strangeCharacter(text: string, allow: (point: number) => boolean = () => false): Fault | undefined {
  for (const { 0: character, index: from } of text.matchAll(/[^\x20-\x7e]/gu)) {
    const point = character.codePointAt(0) as number
    if (allow(point)) continue
    const meant = plainCharacter(character)
    const suggestion = inPlainCharacters(text, allow)
    return {
      from,
      to: from + character.length,
      message: `the character U+${hex(point)} (\`${visible(character)}\`) is not allowed in a name${meant ? `: it looks like \`${meant}\`` : ''}`,
      stray: true,
      ...(suggestion === undefined ? { help: 'write names in plain letters, without accents' } : { suggestion }),
    }
  }
  return undefined
}

/**
 * Whether a character beyond ASCII is a letter, a mark or a digit of some script. Users name groups and themselves in their
 * scripts; invisible, private and direction-changing characters are none of these.
 */
export function isWideLetter(point: number): boolean {
  const character = String.fromCodePoint(point)
  // Marks and letters that show nothing: variation selectors, fillers.
  return point > 0xa0 && /[\p{L}\p{M}\p{N}]/u.test(character) && !/\p{Default_Ignorable_Code_Point}/u.test(character)
}

/**
 * Characters that are taken for others: what they look like, and what looks so. Cyrillic and Greek letters, hyphens and
 * quotation marks of word processors. Letters with marks and wide letters need no table: they decompose.
 */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аα',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєε',
    h: 'һ',
    i: 'іıι',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏ',
    m: 'м',
    n: 'пη',
    o: 'оοσ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ',
    t: 'тτ',
    u: 'υ',
    v: 'ѵν',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
    A: 'АΑ',
    B: 'ВΒ',
    C: 'С',
    E: 'ЕΕ',
    H: 'НΗ',
    I: 'ІΙӀ',
    J: 'Ј',
    K: 'КΚ',
    M: 'МΜ',
    N: 'Ν',
    O: 'ОΟ',
    P: 'РΡ',
    S: 'Ѕ',
    T: 'ТΤ',
    V: 'Ѵ',
    X: 'ХΧ',
    Y: 'ҮΥ',
    Z: 'Ζ',
    '-': '‐‑‒–—―−',
    ':': '꞉∶',
    '/': '⁄∕',
    '*': '∗⁎',
  }).flatMap(([plain, others]) => [...others].map((other) => [other, plain] as const)),
)

/** The printable ASCII that a character looks like; '' for one that is not seen at all; undefined where there is none. */
function plainCharacter(character: string): string | undefined {
  if (/^[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]$/u.test(character)) return ''
  const base = character.normalize('NFKD').replace(/\p{M}/gu, '')
  const plain = lookAlikes.get(character) ?? lookAlikes.get(base) ?? base
  return /^[\x20-\x7e]+$/.test(plain) ? plain : undefined
}

/** The text with every strange character written plainly; undefined where one has no plain form. */
function inPlainCharacters(text: string, allow: (point: number) => boolean): string | undefined {
  if (text.length > longestName) return undefined
  let plain = ''
  for (const character of text) {
    const meant = allow(character.codePointAt(0) as number) ? character : plainCharacter(character)
    if (meant === undefined) return undefined
    plain += meant
  }
  return plain
}

/** A fault in words: the message quotes the text, and the help gives the nearest legal one, or else says what to do. */
export function printableFault(
  text: string,
  { message, suggestion, help, belongsIn }: Fault,
): { readonly message: string; readonly help?: string } {
  const advice =
    suggestion === undefined ? (help ?? (belongsIn && `list it under \`${belongsIn}\``)) : `did you mean \`${visible(suggestion)}\`?`
  return { message: `\`${visible(text.slice(0, 200))}\`: ${message}`, ...(advice !== undefined && { help: advice }) }
}

/** Too long, or too many wildcards. */
export function tooMuch(text: string): Fault | undefined {
  if (text.length > longestName) return { from: 0, to: text.length, message: `longer than ${longestName} characters` }
  let stars = 0
  for (let i = text.indexOf('*'); i >= 0; i = text.indexOf('*', i + 1)) {
    if (text[i - 1] !== '*' && ++stars > mostWildcards) return { from: i, to: i + 1, message: `more than ${mostWildcards} wildcards` }
  }
  return undefined
}

function hex(point: number): string {
  return point.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * Text from the input made safe to show on one line: controls, line and paragraph separators, invisible and
 * direction-changing characters are written as `\u{…}`, so that no file can move the cursor, colour a terminal or
 * forge a line. The joiners within an emoji or a word stay: without them it reads as another.
 */
export function visible(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu, (c, at: number) =>
    isSpelling(text, at) ? c : `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
  )
}
