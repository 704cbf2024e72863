import { isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { coverers } from '../support/cover.ts'
import { listNames } from '../support/lists.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'
import { expansion } from '../support/verbs.ts'
import { counted } from '../support/words.ts'

/** Lists longer than this are not looked at: every entry is held against what all others stand for. */
const longestList = 300

export const redundantToday: Rule = {
  code: 'redundant-today',
  section: 'actions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A pattern that stands for no known action that other entries of the list do not stand for.',
  why:
    'Today the entry adds nothing: each action of the catalogue that it matches is matched by one of the others. It only says "and what is added ' +
    'later". Keep it, and drop the others, if that is meant; else remove it. A pattern that one single entry covers is reported as `redundant-action`.',
  examples: {
    bad: [
      `
permissions:
  allow:
    - action: vps:apisvc:migration2016/*
#             ^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-today
    - action: "*/create"
    - action: "*/get"`,
    ],
    good: [
      `
permissions:
  allow:
    - action: vps:apisvc:migration2016/*
    - action: "*/get"`,
    ],
  },
  check: everySet(function* ({ permissions }, context) {
    for (const list of listNames) {
      const entries = permissions[list]
      if (entries.length < 2 || entries.length > longestList) continue
      const by = coverers(entries.map((entry) => entry.value))
      // Of two that stand for each other only one is reported.
      const left = new Set(entries.filter((_, i) => by[i] === undefined))
      for (const entry of [...left]) {
        if (!isPattern(entry.value)) continue
        const actions = expansion(context, entry.value)
        if (actions.length === 0) continue
        if (!spend(context, 'redundant-today', actions.length + left.size * 20, 2_000_000)) return
        const wanted = new Set(actions)
        const helpers = [...left].filter((other) => {
          if (other === entry) return false
          const own = isPattern(other.value) ? expansion(context, other.value) : [other.value.text]
          return own.filter((action) => wanted.delete(action)).length > 0
        })
        if (wanted.size > 0) continue
        left.delete(entry)
        yield {
          span: entry.span,
          message: `${quote(entry.value.text)} stands for ${counted(actions.length, 'known action')}, each of which other entries stand for too: ${some(
            helpers.map((helper) => helper.value.text),
            3,
          )}`,
          help: 'remove it, or keep it in their place if actions that are added later are meant too',
        }
      }
    }
  }),
}
