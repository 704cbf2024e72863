import type { Minimatch, MinimatchOptions } from 'minimatch'
import { pathBetween, pathFrom } from '../hcl/paths.ts'
import type { FileTest, LintConfig } from './config.ts'

/**
 * File patterns of the configuration. They may come from a stranger, and are turned into regular expressions: what would
 * make one of these slow, or a great many of them, is refused when the configuration is read.
 */
const options: MinimatchOptions = { nocomment: true, nonegate: true, noext: true, dot: true, braceExpandMax: 200 }

const longest = 256
/** How many patterns the braces of one may expand to: the package leaves out what is beyond `braceExpandMax`, and says nothing. */
const mostAlternatives = 200
/** Wildcards within one part of a path: matching takes time that grows with their number as an exponent. */
const mostStars = 4
const mostBraces = 4

/** Why a pattern can match nothing, or is not tried; undefined for a good one. */
export function globFault(pattern: string): { readonly message: string; readonly help: string } | undefined {
  const parts = pattern.split('/')
  if (pattern === '') return { message: 'it is empty', help: 'write `**` for every file' }
  if (pattern.length > longest) return { message: `it is longer than ${longest} characters`, help: 'write several patterns' }
  if (pattern.startsWith('!')) return { message: 'a pattern is not negated with `!`', help: 'name the files that are meant' }
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern))
    return {
      message: 'patterns are relative to the folder of the configuration',
      help: `write \`${pattern.replace(/^([A-Za-z]:)?\/*/, '')}\``,
    }
  if (pattern.includes('\\')) return { message: 'it holds a backslash', help: 'separate folders with `/`' }
  if (parts.includes('..'))
    return { message: 'it leads out of the folder of the configuration', help: 'put it into a configuration further up' }
  if (pattern.endsWith('/')) return { message: 'it names a folder', help: `write \`${pattern}**\`` }
  if (count(pattern, '[') !== count(pattern, ']'))
    return { message: 'a `[` or `]` has no partner', help: 'write `[abc]` for one of several characters' }
  if (count(pattern, '{') !== count(pattern, '}'))
    return { message: 'a `{` or `}` has no partner', help: 'write `{a,b}` for one of several texts' }
  if (count(pattern, '{') > mostBraces || /\{[^}]*\.\./.test(pattern))
    return { message: `more than ${mostBraces} \`{…}\`, or a range in one, is not tried`, help: 'write several patterns' }
  if (parts.some((part) => part !== '**' && count(part, '*') > mostStars))
    return { message: `more than ${mostStars} wildcards in one name are not tried`, help: 'write a shorter pattern' }
  if (parts.filter((part) => part === '**').length > mostStars)
    return { message: `more than ${mostStars} \`**\` are not tried`, help: 'write a shorter pattern' }
  if (alternatives(pattern) > mostAlternatives)
    return { message: `the pattern has too many alternatives: more than ${mostAlternatives}`, help: 'write several patterns' }
  return undefined
}

/** Limits of patterns of the command line and of `policies`. Beyond, the package that matches them throws, or leaves alternatives out. */
const searched = { length: 4096, alternatives: 10_000, characters: 1_000_000, depth: 100 }

/** Why a pattern of the command line or of `policies` is not tried; undefined for a good one. */
export function searchFault(pattern: string): { readonly message: string; readonly help: string } | undefined {
  const help = 'write several patterns'
  if (pattern.length > searched.length) return { message: `the pattern is longer than ${searched.length} characters`, help }
  const most = Math.min(searched.alternatives, Math.floor(searched.characters / Math.max(pattern.length, 1)))
  if (alternatives(pattern) > most) return { message: `the pattern has too many alternatives: more than ${most}`, help }
  return undefined
}

/** Alternatives between braces: those before the last comma, the product of what is in the one after it, and that of all. */
interface Braces {
  sum: number
  product: number
  all: number
  commas: number
  readonly from: number
}

/**
 * How many patterns the braces of a pattern expand to, at most: without writing them out. A brace without a partner means
 * itself, and may also end a group that an inner brace seemed to end, as in shells: `{a},b}` has two.
 */
export function alternatives(pattern: string): number {
  const outer: Braces = { sum: 0, product: 1, all: 1, commas: 0, from: 0 }
  const open = [outer]
  const multiply = (braces: Braces, count: number) => {
    braces.product *= count
    braces.all *= count
  }
  for (let i = 0; i < pattern.length; i++) {
    const braces = open.at(-1) as Braces
    const character = pattern[i]
    if (character === '\\') i++
    else if (character === '{') {
      if (open.length > searched.depth) return Number.POSITIVE_INFINITY
      open.push({ sum: 0, product: 1, all: 1, commas: 0, from: i + 1 })
    } else if (character === ',') {
      braces.commas++
      braces.sum += braces.product
      braces.product = 1
    } else if (character === '}' && open.length === 1) multiply(outer, outer.commas + 1)
    else if (character === '}') {
      open.pop()
      const isSet = braces.commas > 0
      multiply(open.at(-1) as Braces, isSet ? braces.sum + braces.product : braces.product * rangeSize(pattern.slice(braces.from, i)))
    }
  }
  // Those that are still open mean themselves, so that what is in them multiplies.
  return open.reduce((product, braces) => product * braces.all, 1)
}

/** How many values `1..9`, `1..9..2` or `a..z` has; 1 where a text is no range. Ends that are alternatives themselves are not counted. */
function rangeSize(text: string): number {
  if (text.includes('{') && text.split('.').length > 2) return Number.POSITIVE_INFINITY
  const [, from, to, step] = /^(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.(-?\d+))?$/i.exec(text) ?? []
  if (from === undefined || to === undefined) return 1
  const value = (end: string) => (/\d/.test(end) ? Number(end) : end.charCodeAt(0))
  return Math.floor(Math.abs(value(to) - value(from)) / Math.max(Math.abs(Number(step ?? 1)), 1)) + 1
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/**
 * A test for the patterns of some configurations, which keeps what it has compiled. A pattern without `/` is about names,
 * in every folder. The package is loaded only where there is a pattern. `cwd`: what the paths of files are relative to.
 */
export async function fileTest(cwd: string, configs: readonly LintConfig[]): Promise<FileTest> {
  if (configs.every(({ overrides, ignores }) => overrides.length + ignores.length === 0)) return () => false
  const { Minimatch } = await import('minimatch')
  const compiled = new Map<string, Minimatch>()
  return (path, { folder, patterns }) => {
    const here = pathBetween(folder, pathFrom(cwd, path))
    if (here.startsWith('../')) return false
    return patterns.some((pattern) => {
      let matcher = compiled.get(pattern)
      if (!matcher) {
        matcher = new Minimatch(pattern.replace(/^\.\//, ''), { ...options, matchBase: !pattern.includes('/') })
        compiled.set(pattern, matcher)
      }
      return matcher.match(here)
    })
  }
}

/** The folder that contains all matches of a pattern, or the one file that it names: relative to the pattern's own folder. */
export function baseOf(pattern: string): string {
  const parts = pattern.replace(/^\.\//, '').split('/')
  if (parts.length === 1) return ''
  const first = parts.findIndex((part) => !isPlain(part))
  return parts.slice(0, first < 0 ? parts.length : first).join('/')
}

function isPlain(part: string): boolean {
  return !/[*?[\]{}]/.test(part)
}
