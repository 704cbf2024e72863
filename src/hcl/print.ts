import type { Body, Expression } from './syntax.ts'

/** The text of a template without anything else in it. */
export function plainText(expression: Expression): string | undefined {
  return staticText(expression, () => undefined)
}

/** A text whose parts are all written, or known by their names: `named` gives the value of an attribute of a name. */
export function staticText(
  expression: Expression | undefined,
  named: (of: string, attribute: string) => string | undefined,
): string | undefined {
  if (expression?.kind === 'attribute' && expression.of.kind === 'name') return named(expression.of.name, expression.name)
  if (expression?.kind !== 'template') return undefined
  const parts = expression.parts.map((part) =>
    part.kind === 'text' ? part.value : part.kind === 'value' ? staticText(part.expression, named) : undefined,
  )
  return parts.includes(undefined) ? undefined : parts.join('')
}

/** Parts of expressions and bodies that say where something is written. */
export const places: ReadonlySet<string> = new Set(['source', 'start', 'end', 'nameSpan', 'typeSpan', 'head', 'offsets'])

/** The content of a part, without places: the same for two texts of the same meaning. */
export function printed(part: Expression | Body): string {
  return JSON.stringify(part, (key, value: unknown) => (places.has(key) ? undefined : (textOfTemplate(value) ?? value)))
}

/** The string of a template that consists of strings alone. */
function textOfTemplate(value: unknown): string | undefined {
  const isTemplate = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'template'
  return isTemplate ? plainText(value as Expression) : undefined
}
