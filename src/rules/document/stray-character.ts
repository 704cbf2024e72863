import type { Rule } from '../rule.ts'

export const strayCharacter: Rule = {
  code: 'stray-character',
  section: 'document',
  severity: 'error',
  fixes: ['safe', 'suggested'],
  summary: 'A character that makes a name look like another, or the file read differently from what it shows.',
  why:
    'Blanks around a URN or an action, invisible characters, letters of another script that look like Latin ones, and characters that change the ' +
    'direction of the text all make an entry match nothing while it looks right: a `deny` that denies nothing. Remove them, or write them ' +
    'in plain letters. Descriptions, comments and names of policies may hold any visible character, with the joiners that belong to an emoji ' +
    'or to a word (as in Persian or Hindi). An invisible character outside of policies, in a comment or in a description is a warning, and ' +
    "keeps nothing from being decided; one that changes the direction of a policy's text is an error.",
  examples: {
    bad: [
      `
permissions:
  deny: [{ action: " vps:apisvc:terminate" }]
#                   ^ stray-character`,
      `
permissions:
  deny: [{ action: "v\u0440s:apisvc:terminate" }]
#                    ^ stray-character`,
      `
description: "may not \u202eterminate"
#                     ^ stray-character`,
    ],
    good: [
      `
description: pour l'\u00e9quipe \u00e0 Gen\u00e8ve
permissions:
  deny: [{ action: "vps:apisvc:terminate" }]`,
    ],
  },
  check: { reader: true },
}
