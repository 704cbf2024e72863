import { shortSince, sinceWords } from '../answers/blame.ts'
import { readInstant } from '../conditions/time.ts'
import { glob, isPattern } from '../glob.ts'
import { blamedIn } from '../history/blame.ts'
import { policyEntries } from '../history/effects.ts'
import { longestName } from '../names.ts'
import { cut, shown } from '../report/safe.ts'
import { plural } from '../report/words.ts'
import { isExampleNotation, type Range, touches } from '../source.ts'
import { deniedBy } from './denied.ts'
import type { EditorFile, Workspace } from './model.ts'
import { expiryWords } from './time.ts'
import type { Inlay } from './types.ts'

/** Inlay hints: since when the entries of a file have their effect. None for entries that are not committed. */
export async function sinceInlays({ blame, world }: Workspace, file: EditorFile, range: Range): Promise<readonly Inlay[]> {
  const policies = world.policies.filter(({ span }) => span.source === file.source)
  const report =
    policies.length > 0 && file.purpose === 'policies' && !isExampleNotation(file.source.notation) ? await blame?.(file.path) : undefined
  if (!report || 'why' in report) return []
  const blamedOf = blamedIn(report.blamed)
  return policies.flatMap(policyEntries).flatMap((entry): readonly Inlay[] => {
    const blamed = touches(range, entry.span.end) ? blamedOf(entry) : undefined
    return blamed ? [{ at: entry.span.end, text: shortSince(blamed), tooltip: shown(sinceWords(blamed)) }] : []
  })
}

/** Inlay hints: how many actions patterns designate, which are denied, when a policy expires. */
export function inlays(workspace: Workspace, file: EditorFile, range: Range): readonly Inlay[] {
  const { world, catalogue, settings, now } = workspace
  const policies = world.policies.filter(({ span }) => span.source === file.source)
  return file.spots(settings).flatMap(({ node, role, field, part }): readonly Inlay[] => {
    const position = part.toFile(node.start)
    if (!touches(range, position) || node.isExpression || node.value.length > longestName) return []
    const end = part.toFile(node.end - 1) + 1
    if (role === 'instant' && file.purpose === 'policies') {
      const instant = readInstant(node.value)
      return instant === undefined
        ? []
        : [{ at: end, text: expiryWords(instant, now).split(',')[0] as string, tooltip: expiryWords(instant, now) }]
    }
    if (role !== 'action') return []
    const pattern = glob(node.value)
    const count = isPattern(pattern) ? [plural(catalogue.expand(pattern).length, 'action')] : []
    const policy = field === 'allow' ? policies.find(({ span }) => touches(span, position)) : undefined
    const by = policy && deniedBy(workspace, policy, pattern)
    const words = [...count, ...(by ? [`denied by ${cut(shown(by.name.value), 40)}`] : [])]
    if (words.length === 0) return []
    return [{ at: end, text: words.join(', '), tooltip: by ? 'this entry grants nothing' : `of the catalogue of ${catalogue.seen}` }]
  })
}
