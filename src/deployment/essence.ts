import { commentForms, isComment, linesWithin, trailingIn, withTrailing } from './comments.ts'
import { hasLinesOnly, isCode, isUnnamed, languageOf } from './kinds.ts'

/** Languages in which blanks at the end of a line belong to a value. */
const withBlanks: ReadonlySet<string> = new Set(['lines', 'make'])

/** The languages of programs and settings that are no source code, by their endings; '' for all others. */
const notations: readonly (readonly [ending: RegExp, language: string | undefined])[] = [
  [/\.(?:sh|bash|zsh|ksh)$/, 'shell'],
  [/(?:^|\/)(?:GNU|BSD)?[Mm]akefile(?:\.[\w.-]+)?$|\.mk$/, 'make'],
  [/\.(?:ps[dm]?1|bat|cmd|fish|nu|awk|tcl|groovy|Jenkinsfile|cue|(?:lib|j)sonnet|dhall|nix|rego)$/, undefined],
  [/(?:^|\/)(?:Jenkinsfile|Rakefile|Vagrantfile|Fastfile)/, undefined],
  // A template writes its comments, and in a list or a patch a hash may begin anything.
  [/\.(?:(?:go)?tmpl|tpl|j2|jinja2?|erb|mustache|liquid|csv|tsv|xml|patch|diff|in)$/, undefined],
]

/** First lines of scripts whose comments are known. */
const interpreted = /^#!.*?\b(?:python[\d.]*|node|deno|(?:ba|z|k|da|a)?sh)\b/

/** Languages in which no string is taken for a comment: in others, comments count where files are compared. */
const sureLanguages: ReadonlySet<string> = new Set(['shell', 'task', 'py', 'js', 'go', 'hcl'])

/** The part of a program, or of settings, that counts: without comments, where their form is known for sure. */
export function essenceIn(path: string, text: string): string {
  const language = notationOf(path, text)
  return language === undefined ? text : essenceOf(text, language)
}

function notationOf(path: string, text: string): string | undefined {
  const isScript = text.startsWith('#!')
  const language = languageOf(path, text)
  if (isCode(path)) return sureLanguages.has(language) ? language : undefined
  if (isUnnamed(path) && !isScript) return undefined
  if (hasLinesOnly(path)) return 'lines'
  const notation = notations.find(([ending]) => ending.test(path))
  if (notation || !isScript) return notation ? notation[1] : ''
  return interpreted.test(text) && sureLanguages.has(language) ? language : undefined
}

/** A text without empty lines and comments on separate lines, where removing them cannot cut a construct of several lines. */
export function essenceOf(text: string, language = ''): string {
  const form = commentForms[language]
  const within = form === undefined || isReadWhole.test(text) || readsItself.test(text) ? undefined : linesWithin(text, language)
  if (form === undefined || within === undefined) return text
  // A shell takes a carriage return as part of the last word of a line.
  const keepsReturns = language === '' || language === 'shell'
  const trailing = language === 'shell' ? trailingIn(text) : undefined
  const withoutTrailing = (line: string, i: number) => {
    if (trailing) return directive.test(line) ? line : line.slice(0, trailing.get(i))
    // A comment at the end of a line without quotes is none of what is run.
    return ofValue.test(line) || !withTrailing.has(language) ? line : line.replace(/\s##?\s.*/, '')
  }
  const lines = text.split('\n').map((line, i) => {
    if (within[i] || within[i + 1]) return line
    const written = withoutTrailing(line, i)
    const code = written.trimEnd()
    // Blanks at the end belong to a value, and a backslash before them continues no line.
    if (code !== '' && (withBlanks.has(language) || (code !== written && code.endsWith('\\')))) return written
    return keepsReturns && code !== '' && line.endsWith('\r') ? `${code}\r` : code
  })
  return (
    lines
      // A comment of a makefile that ends so goes on in the next line.
      .filter(
        (line, i) =>
          within[i] ||
          [lines[i - 1], line].some((each) => each?.endsWith('\\')) ||
          (line !== '' && (!isComment(line, form) || directive.test(line))),
      )
      .join('\n')
  )
}

/** Files with blocks of comments as PowerShell has them, and with comments in C that Go compiles. */
const isReadWhole = /<#|^[ \t\ufeff]*(?:import[ \t]+)?"C"[ \t]*$/m

/** Signs that a line goes on behind a hash: a string, an escape, the end of a comment, a function of a makefile. */
const ofValue = /['"`\\\r\u0085\u2028\u2029]|\*\/|=#|\$[({][^)}]*#/

/** A script that looks at its own text, or one whose comments hold its settings. */
const readsItself =
  /\b(?:sed|[ef]?grep|rg|awk|cat|tail|head)\b[^\n|;]{0,1000}\$\{?(?:0|BASH_SOURCE)|__FILE__|\b__file__\)\.read|^# \/\/\/ |\b(?:sed|[ef]?grep|awk|cat)\b(?![^\n]{0,200}##)[^\n|;]{0,200}\b(?:MAKEFILE_LIST|[Mm]akefile)\b/m

/** Comments on which compilers, runners and generators act. */
const directive =
  /^\s*(?:\/\/(?:go:|>|!|usr\/|\s?\+\w|[A-Z]{3,}\s+\S*[:./])|#\s*(?:syntax|escape|check)\s*=|#\s?[\w.-]+-set(?:ter)?s?:|#[rR](?:equires|EQUIRES)\s|#.*\bcoding[:=]\s*[\w.-]|#\s?\+\w|#\s*-\*-|#\s?cython:|#\s*frozen_string_literal)|\$Format:/
