import { position } from '../../src/source.ts'
import { type Node, readableName } from '../../src/tree.ts'
import { configuration } from './hcl.ts'

/** The result of a configuration, as lines to compare: its records, what it makes none of, what is wrong and what is not read. */
export function shownConfiguration(files: Readonly<Record<string, string>>, more?: Parameters<typeof configuration>[3]): readonly string[] {
  const { found, uncreated, diagnostics, unread } = configuration(files, 'svc', undefined, more)
  const problem = ({ code, message, span, help, related = [] }: (typeof diagnostics)[number]) => [
    `${code} ${placeOf(span)} ${message}${help === undefined ? '' : ` (${help})`}`,
    ...related.map((each) => `  ${placeOf(each.span)} ${each.message}`),
  ]
  return [
    ...[...found.values()].flat().map(({ node, address, head }) => `${address} ${placeOf(head)}${shownNode(node)}`),
    ...[...uncreated.values()].flat().map(({ node, address, why }) => `none of ${address}, ${why}${shownNode(node)}`),
    ...diagnostics.flatMap(problem),
    ...unread.flatMap((each) => problem(each).map((line) => `unread: ${line}`)),
  ]
}

function placeOf({ source, start, end }: Pick<Node, 'source' | 'start' | 'end'>): string {
  const { line, column } = position(source, start)
  return `${source.path}:${line}:${column}${end === start ? '' : ` \`${source.text.slice(start, end).replace(/\s+/g, ' ')}\``}`
}

/** A value with its text where that says something else, and the condition for it. */
function shownNode(node: Node): string {
  const text = node.source.text.slice(node.start, node.end)
  const place = position(node.source, node.start)
  const from = (said: string) =>
    text === said ? said : `${said} <${place.line}:${place.column}${node.end === node.start ? '' : ` ${text.replace(/\s+/g, ' ')}`}>`
  if (node.kind === 'list') return `[${node.items.map(shownNode).join(', ')}]`
  if (node.kind === 'map' && node.unread) return ` not read: ${node.entries.map(({ key }) => key.value).join(' ')}`
  if (node.kind === 'map') {
    const perhaps = node.perhaps?.map((each) => ` if ${shownNode(each)}`).join('') ?? ''
    return `${perhaps} { ${node.entries.map(({ key, value }) => `${key.value}${keyText(key)}: ${shownNode(value)}`).join(', ')} }`.trim()
  }
  if (node.kind !== 'unknown') return from(JSON.stringify(node.value))
  const { expression, pieces, shape, isName, isSpread, scope } = node
  const parts = [
    ...(pieces.some((piece) => piece !== '') ? [`pieces ${pieces.join('|')}`] : []),
    ...(shape ? [`shape ${shape.join('|')}`] : []),
    ...(isName ? ['name'] : []),
    ...(isSpread ? ['spread'] : []),
    ...(scope === '.' ? [] : [`scope ${scope}`]),
  ]
  return `?${from(readableName(expression))}${parts.length > 0 ? `(${parts.join('; ')})` : ''}`
}

function keyText(key: Node): string {
  const text = key.source.text.slice(key.start, key.end).replace(/\s+/g, ' ')
  return text === (key as { value?: unknown }).value ? '' : `<${text}>`
}
