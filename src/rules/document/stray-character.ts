import type { Rule } from '../rule.ts'

export const strayCharacter: Rule = {
  code: 'stray-character',
  section: 'document',
  severity: 'error',
  fixes: ['safe', 'suggested'],
  summary: 'An invisible, look-alike or direction-changing character, or a space around a name.',
  why:
    'Spaces around a URN or an action, invisible characters, look-alike letters of other scripts and characters that change the text ' +
    'direction make an entry match nothing although it looks right: a `deny` then denies nothing. Remove them, or use plain letters. ' +
    'Descriptions, comments and policy names may contain any visible character, with the joiners that belong to emoji or words (as in ' +
    'Persian or Hindi). An invisible character outside of policies, in a comment or in a description is a warning and does not block ' +
    "decisions; one that changes the direction of a policy's text is an error.",
  reader: true,
}
