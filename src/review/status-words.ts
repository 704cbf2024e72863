import type { Status } from './status.ts'

/** The words for each status, in the command and on the page. */
export const statusWords: Readonly<Record<Status['kind'], string>> = {
  decided: 'decided',
  undecided: 'undecided',
  changed: 'changed since it was decided',
  unproved: 'not determined whether it changed',
  asked: 'asked, and not decided since',
  unexplained: 'restored without a reason',
  'not-removed': 'decided to be removed, and still granted',
  'not-shortened': 'decided to be shortened, and still granted for longer',
}
