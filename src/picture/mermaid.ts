import { pushTo } from '../collections.ts'
import { utf8Length } from '../report/markdown.ts'
import { cut } from '../report/safe.ts'
import { edgeWords, type Graph, type GraphNode } from './graph.ts'

/** The graph as a flowchart of Mermaid, which Git servers draw in comments and documents. */

/** Mermaid's default limits; GitHub does not allow others. */
export const mermaidLimits = { edges: 500, text: 50_000 } as const

const longest = 60

/**
 * A text in quotes. What Mermaid, Markdown or HTML could give a meaning is written as the number of the character; `#` of
 * such a number is read by Mermaid alone.
 */
function quoted(text: string): string {
  const written = cut(text, longest).replace(/[^\p{L}\p{M}\p{N} ,/+():=….–-]/gu, numbered)
  // A line that begins so would be an item of a list.
  return `"${written.replace(/^\d+\.|^[-+]/, (start) => start.replace(/\D/, numbered))}"`
}

function numbered(character: string): string {
  return `#${character.codePointAt(0)};`
}

const shapes: Readonly<Record<GraphNode['kind'], readonly [open: string, close: string]>> = {
  identity: ['([', '])'],
  group: ['[[', ']]'],
  identityPattern: ['([', '])'],
  policy: ['[/', '/]'],
  resourceGroup: ['[[', ']]'],
  resourcePattern: ['(', ')'],
  ownership: ['(', ')'],
  resource: ['[', ']'],
}

/** Of a policy that has ended. */
const over: Readonly<Record<string, string>> = { allow: 'allowed', deny: 'denied' }

export function mermaidText(graph: Graph, notes: readonly string[]): string {
  const { nodes, edges } = graph
  const classes = new Map<string, string[]>()
  const mark = (name: string, i: number) => pushTo(classes, name, `n${i}`)
  for (const [i, { kind, isOver, members }] of nodes.entries()) {
    if (isOver) mark('over', i)
    else if (members) mark('cluster', i)
    else if (kind === 'identityPattern' || kind === 'resourcePattern') mark('pattern', i)
  }
  const [allows, denies] = (['allow', 'deny'] as const).map((kind) =>
    edges.flatMap((edge, i) => (edge.kind === kind && !edge.isOver ? [String(i)] : [])),
  ) as [string[], string[]]
  return [
    'flowchart LR',
    ...notes.map((note) => `  %% ${note}`),
    ...nodes.map(({ kind, label, note }, i) => {
      const [open, close] = shapes[kind]
      const text = note === undefined ? quoted(label) : `${quoted(label).slice(0, -1)}<br>${quoted(note).slice(1)}`
      return `  n${i}${open}${text}${close}`
    }),
    ...edges.map(({ from, to, kind, isConditional, isOver }) => {
      const verb = isOver ? over[kind] : edgeWords[kind].split(' ')[0]
      const words = kind === 'allow' || kind === 'deny' ? `|"${verb}${isConditional && !isOver ? ' if' : ''}"|` : ''
      const isDashed = isConditional || isOver
      const arrow = kind === 'deny' ? (isDashed ? '-.-x' : '--x') : isDashed ? '-.->' : '-->'
      return `  n${from} ${arrow}${words} n${to}`
    }),
    ...(denies.length > 0 ? [`  linkStyle ${denies.join(',')} stroke:#d1372c,stroke-width:2px`] : []),
    ...(allows.length > 0 ? [`  linkStyle ${allows.join(',')} stroke:#2a8a4a`] : []),
    ...[...classes].map(([name, own]) => `  class ${own.join(',')} ${name}`),
    ...(classes.has('pattern') ? ['  classDef pattern stroke-dasharray:4 3'] : []),
    ...(classes.has('over') ? ['  classDef over stroke-dasharray:1 3,opacity:0.7'] : []),
    ...(classes.has('cluster') ? ['  classDef cluster stroke-width:3px'] : []),
    '',
  ].join('\n')
}

/** Whether GitHub draws it. */
export function isDrawn(graph: Graph, text: string): boolean {
  return graph.edges.length <= mermaidLimits.edges && utf8Length(text) <= mermaidLimits.text
}
