import { matches } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { insideUrn } from '../support/conditions.ts'
import { quote } from '../support/text.ts'

const wordLetter = /[\p{L}\p{N}]/u

export const prefixWithoutSeparator: Rule = {
  code: 'prefix-without-separator',
  section: 'resources',
  severity: 'info',
  preset: 'auditor',
  precision: 'medium',
  summary: 'A resource pattern that ends within a word, so that it also matches longer words.',
  why:
    '`prod*` matches `prod-1`, but also `production-backup` and future names. End the text before the `*` with a separator, such as ' +
    '`prod-*`. If the inventory has both kinds of names, the finding is a warning and names a resource that is probably not intended.',
  *policy({ resources }, context) {
    const { world } = context
    for (const urn of resources) {
      const { value } = urn
      if (value.kind === 'group' || !value.name.endsWith('*')) continue
      const wildcardIndex = value.text.indexOf('*')
      const start = value.text.slice(0, wildcardIndex)
      if (wildcardIndex !== value.text.length - 1 || !wordLetter.test(start.at(-1) as string)) continue
      if (!spend(context, 'prefix-without-separator', world.resources.size, 5_000_000)) return
      const span = insideUrn(urn, wildcardIndex, wildcardIndex + 1)
      const matched = [...world.resources.keys()].filter((resource) => resource.length > start.length && matches(value.glob, resource))
      const longer = matched.find((resource) => wordLetter.test(resource.charAt(start.length)))
      const apart = matched.find((resource) => !wordLetter.test(resource.charAt(start.length)))
      const name = (resource: string) => quote(resource.slice(value.text.length - value.name.length))
      if (longer !== undefined && apart !== undefined)
        yield {
          span,
          severity: 'warning',
          message: `${quote(value.name)} matches ${name(longer)} as well as ${name(apart)}`,
          help: `write ${quote(`${value.name.slice(0, -1)}${apart.charAt(start.length)}*`)} if longer words are not intended`,
        }
      else if (longer === undefined && apart === undefined)
        yield {
          span,
          message: `${quote(value.name)} ends within a word: it also matches longer words`,
          help: `write ${quote(`${value.name.slice(0, -1)}-*`)} if longer words are not intended`,
        }
    }
  },
}
