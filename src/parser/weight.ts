import type { Diagnostic } from '../diagnostic.ts'
import { isInSpan, type Span } from '../source.ts'
import type { Node } from '../tree.ts'
import { isMisleading } from './characters.ts'
import type { Facts } from './policy.ts'

/**
 * Makes errors of stray characters that may change or hide what is decided: in names and values of policies and groups, and
 * anywhere in one where they make it read as something else. In YAML also where some programs take them for line ends and read
 * the rest, even of a comment, as content: a policy that only they see. Elsewhere they stay warnings.
 */
export function withSeverity(problems: readonly Diagnostic[], facts: Facts, documents: readonly Node[]): readonly Diagnostic[] {
  if (!problems.some(isStrayWarning)) return problems
  const deciding = [...facts.policies, ...facts.permissionsGroups, ...facts.resourceGroups].map(({ span }) => span)
  const texts = textsOf(documents, isDeciding)
  const quoted = textsOf(documents, isQuoted)
  const isSerious = ({ span }: Diagnostic) => {
    if (isInside(span, deciding) && (isMisleading(span) || isInside(span, texts))) return true
    return span.source.notation === 'yaml' && endsLine(span) && !isInside(span, quoted)
  }
  return problems.map((problem) => (isStrayWarning(problem) && isSerious(problem) ? { ...problem, severity: 'error' } : problem))
}

/** Whether a character ends a line in older YAML, or in all YAML by the specification and not in every program. */
function endsLine({ source, start }: Span): boolean {
  return '\r\x85\u2028\u2029'.includes(source.text.charAt(start))
}

function isQuoted({ source, start }: Node): boolean {
  return `'"`.includes(source.text.charAt(start))
}

function isDeciding(_: Node, key?: string): boolean {
  return key !== 'description'
}

function isStrayWarning({ code, severity }: Diagnostic): boolean {
  return code === 'stray-character' && severity === 'warning'
}

function isInside(span: Span, spans: readonly Span[]): boolean {
  return spans.some((outer) => isInSpan(span, outer))
}

/** The wanted keys and strings of a tree. Iterative, since the depth of the tree is not known. */
function textsOf(documents: readonly Node[], isWanted: (text: Node, key?: string) => boolean): readonly Span[] {
  const texts: Span[] = []
  const open: Node[] = [...documents]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') for (const item of node.items) open.push(item)
    else if (node.kind === 'map')
      for (const { key, value } of node.entries) {
        // A key that is not written has the place of its value: of a string, where that is written in place of the map, as actions are in
        // lists of them. Next to other entries the string is not written either, and its place is that of all.
        const isWritten = key.start !== value.start
        const isMadeUp = !isWritten && node.entries.length > 1
        if (isWritten && isWanted(key)) texts.push(key)
        if (value.kind !== 'text') open.push(value)
        else if (!isMadeUp && isWanted(value, isWritten ? key.value : undefined)) texts.push(value)
      }
    else if (node.kind === 'text' && isWanted(node)) texts.push(node)
  }
  return texts
}
