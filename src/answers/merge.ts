import { type Difference, diff } from '../diff/diff.ts'
import type { Conflict } from '../merge/merge.ts'
import type { World } from '../policy.ts'
import { Names } from '../report/names.ts'
import { quoted } from '../report/words.ts'
import { rowSentence, type SideName, sectionsOf } from './difference.ts'
import { wordingOf } from './wording.ts'

/** A conflict of policies in one sentence, with the access at stake: the first that differs. */
export function conflictSentence(conflict: Conflict, [ours, theirs]: readonly [World, World]): string {
  const names = new Names([ours, theirs])
  if (conflict.why === 'together') {
    const said = conflict.difference && firstOf(conflict.difference, 'gained', 'may', names)
    return said === undefined
      ? 'it is not decided whether both sides together grant what neither does by itself'
      : `both sides together would grant what neither does by itself: ${said}`
  }
  const change = diff(ours, theirs)
  const [gained, lost] = [firstOf(change, 'gained', 'may', names), firstOf(change, 'lost', 'may', names)]
  const stake =
    gained !== undefined
      ? `only with theirs ${gained}`
      : lost !== undefined
        ? `only with ours ${lost}`
        : change.verdict === 'same'
          ? 'both sides grant the same access'
          : 'whether both grant the same is not decided'
  return `${reasonOf(conflict)}: ${stake}`
}

function reasonOf(conflict: Exclude<Conflict, { readonly why: 'together' }>): string {
  if (conflict.why === 'layout') return 'the edits of both sides fit, and no text with both and their comments was found'
  const where = conflict.path.length === 0 ? 'the policies of the file' : quoted(conflict.path.join(' › '))
  return {
    'both change': `both sides change ${where}`,
    'both add': `both sides add ${where}, and not alike`,
    'removed and changed': `one side removes ${where}, and the other changes it`,
  }[conflict.why]
}

function firstOf(difference: Difference, side: Exclude<SideName, 'beyond'>, may: string, names: Names): string | undefined {
  const rows = sectionsOf({ difference }, 'everything').find(({ name }) => name === side)?.rows
  return rows?.[0] && rowSentence(rows[0], may, wordingOf(names), 3)
}
