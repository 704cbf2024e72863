import { isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { coverers } from '../support/cover.ts'
import { listNames } from '../support/lists.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'
import { expansion } from '../support/verbs.ts'
import { counted } from '../support/words.ts'

/** Longer lists are not checked: every entry is compared with all others. */
const longestList = 300

export const redundantToday: Rule = {
  code: 'redundant-today',
  section: 'actions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A pattern whose known actions are all matched by other entries of the list.',
  why:
    'Today the entry adds nothing: other entries match every action of the catalogue that it matches. It only adds future actions. If ' +
    'that is intended, keep it and remove the others; otherwise remove it. A pattern that a single entry covers is reported as ' +
    '`redundant-action`.',
  ...everySet(function* ({ permissions }, context) {
    for (const list of listNames) {
      const entries = permissions[list]
      if (entries.length < 2 || entries.length > longestList) continue
      const by = coverers(entries.map((entry) => entry.value))
      // Of two that cover each other, only one is reported.
      const remaining = new Set(entries.filter((_, i) => by[i] === undefined))
      for (const entry of [...remaining]) {
        if (!isPattern(entry.value)) continue
        const actions = expansion(context, entry.value)
        if (actions.length === 0) continue
        if (!spend(context, 'redundant-today', actions.length + remaining.size * 20, 2_000_000)) return
        const wanted = new Set(actions)
        const helpers = [...remaining].filter((other) => {
          if (other === entry) return false
          const own = isPattern(other.value) ? expansion(context, other.value) : [other.value.text]
          return own.filter((action) => wanted.delete(action)).length > 0
        })
        if (wanted.size > 0) continue
        remaining.delete(entry)
        yield {
          span: entry.span,
          message: `${quote(entry.value.text)} matches ${counted(actions.length, 'known action')}, all of which other entries match too: ${some(
            helpers.map((helper) => helper.value.text),
            3,
          )}`,
          help: 'remove it, or keep it instead of them to include future actions',
        }
      }
    }
  }),
}
