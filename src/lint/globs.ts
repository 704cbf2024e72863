import type { Minimatch, MinimatchOptions } from 'minimatch'
import { pathBetween, pathFrom } from '../hcl/paths.ts'
import type { FileTest, LintConfig } from './config.ts'

/**
 * File patterns of the configuration. They may come from a stranger, and are turned into regular expressions: what would
 * make one of these slow, or a great many of them, is refused when the configuration is read.
 */
const options: MinimatchOptions = { nocomment: true, nonegate: true, noext: true, dot: true, braceExpandMax: 200 }

const longest = 256
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
  return undefined
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
