import type { Diagnostic } from '../diagnostic.ts'
import type { Span } from '../source.ts'
import type { Node } from '../tree.ts'
import { misleads } from './characters.ts'
import type { Facts } from './policy.ts'

/**
 * Makes errors of stray characters that may change or hide what is decided: in names and values of policies and groups, and
 * anywhere in one where they make it read as something else. Elsewhere they stay warnings.
 */
export function weighed(problems: readonly Diagnostic[], facts: Facts, documents: readonly Node[]): readonly Diagnostic[] {
  if (!problems.some(isLight)) return problems
  const deciding = [...facts.policies, ...facts.permissionsGroups, ...facts.resourceGroups].map(({ span }) => span)
  let texts: readonly Span[] | undefined
  return problems.map((problem) => {
    if (!isLight(problem) || !isInside(problem.span, deciding)) return problem
    texts ??= decidingTexts(documents)
    return misleads(problem.span) || isInside(problem.span, texts) ? { ...problem, severity: 'error' } : problem
  })
}

function isLight({ code, severity }: Diagnostic): boolean {
  return code === 'stray-character' && severity === 'warning'
}

function isInside({ source, start, end }: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span.source === source && span.start <= start && end <= span.end)
}

/** The keys and texts of a tree, but for descriptions. Iterative: nothing is known here of how deep it is. */
function decidingTexts(documents: readonly Node[]): readonly Span[] {
  const texts: Span[] = []
  const open: Node[] = [...documents]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') for (const item of node.items) open.push(item)
    else if (node.kind === 'map')
      for (const { key, value } of node.entries) {
        // A key that nobody wrote has the place of what it stands for.
        const isWritten = key.start !== value.start
        if (isWritten) texts.push(key)
        if (value.kind !== 'text' || (isWritten && key.value !== 'description')) open.push(value)
      }
    else if (node.kind === 'text') texts.push(node)
  }
  return texts
}
