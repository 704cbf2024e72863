import type { Rule } from '../rule.ts'

export const ignoreWithoutReason: Rule = {
  code: 'ignore-without-reason',
  section: 'upkeep',
  severity: 'error',
  summary: 'A suppression comment without a reason.',
  why:
    'Later readers cannot distinguish a deliberate exception from a shortcut. Such a comment suppresses nothing until it gives a reason ' +
    'after a colon: `# grantwise-ignore CODE: reason`. Entries under `ignores` in the configuration also require one.',
  upkeep: true,
}
