import { glob, matches } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { textOption, textsOption } from '../support/options.ts'
import { didYouMean, quote, some } from '../support/text.ts'
import { wordsOf } from '../support/words.ts'

const code = 'naming-convention'

const lower = (word: string) => word.toLowerCase()
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** How each style joins the words of a name. */
const styles: Readonly<Record<string, (words: readonly string[]) => string>> = {
  'kebab-case': (words) => words.map(lower).join('-'),
  snake_case: (words) => words.map(lower).join('_'),
  'lower case': (words) => words.map(lower).join(' '),
  camelCase: (words) => words.map((word, i) => (i === 0 ? lower(word) : capital(word))).join(''),
  PascalCase: (words) => words.map(capital).join(''),
}

export const namingConvention: Rule = {
  code,
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy name that does not follow the naming convention.',
  why:
    'Consistent names are easy to search, sort and recognise. The convention is configured with the options; without them, nothing is ' +
    'reported. Policies that the service manages are not reported.',
  options: [
    { name: 'patterns', type: 'texts', text: 'the name must match one of these patterns; `*` matches any characters' },
    { name: 'style', type: 'text', text: 'how words are written and joined', choices: Object.keys(styles) },
  ],
  *policy({ name, readOnly }, context) {
    if (readOnly || name.value === '') return
    const patterns = textsOption(context, code, 'patterns')
    if (patterns && !patterns.some((pattern) => matches(glob(pattern), name.value)))
      yield {
        span: name.span,
        message: `the name ${quote(name.value)} does not follow the convention`,
        help: `use a name that matches ${some(patterns)}`,
      }
    const style = textOption(context, code, 'style')
    const spell = style !== undefined && Object.hasOwn(styles, style) ? styles[style] : undefined
    const meant = spell?.(wordsOf(name.value))
    if (meant !== undefined && meant !== '' && meant !== name.value)
      yield {
        span: name.span,
        message: `the name ${quote(name.value)} is not in ${quote(style as string)}`,
        help: didYouMean(meant),
      }
  },
}
