import { glob, matches } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { textOption, textsOption } from '../support/options.ts'
import { didYouMean, quote, some } from '../support/text.ts'
import { wordsOf } from '../support/words.ts'

const code = 'naming-convention'

const lower = (word: string) => word.toLowerCase()
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** How the words of a name are put together in each style. */
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
  summary: 'A policy name that does not follow the convention.',
  why:
    'Names that are built alike can be searched, sorted and told apart; one that is not is overlooked when the policies of a team are listed. ' +
    'The convention is the configuration’s: without an option the rule says nothing. Policies that the service manages are not reported.',
  options: [
    { name: 'patterns', type: 'texts', text: 'the name matches one of these, where `*` stands for any run of characters' },
    { name: 'style', type: 'text', text: 'how words are put together', choices: Object.keys(styles) },
  ],
  examples: {
    bad: [
      {
        options: { style: 'kebab-case' },
        text: `
name: Web Readers
#     ^^^^^^^^^^^ naming-convention`,
      },
      {
        options: { patterns: ['web-*', 'dns-*'] },
        text: `
name: readers of the web
#     ^^^^^^^^^^^^^^^^^^ naming-convention`,
      },
    ],
    good: [{ options: { style: 'kebab-case', patterns: ['web-*'] }, text: '\nname: web-readers' }, '\nname: Anything at all'],
  },
  check: {
    *policy({ name, readOnly }, context) {
      if (readOnly || name.value === '') return
      const patterns = textsOption(context, code, 'patterns')
      if (patterns && !patterns.some((pattern) => matches(glob(pattern), name.value)))
        yield {
          span: name.span,
          message: `the name ${quote(name.value)} does not follow the convention`,
          help: `names match ${some(patterns)}`,
        }
      const style = textOption(context, code, 'style')
      const spell = style !== undefined && Object.hasOwn(styles, style) ? styles[style] : undefined
      const meant = spell?.(wordsOf(name.value))
      if (meant !== undefined && meant !== '' && meant !== name.value)
        yield {
          span: name.span,
          message: `the name ${quote(name.value)} is not written in ${quote(style as string)}`,
          help: didYouMean(meant),
        }
    },
  },
}
