import type { Notation } from '../../source.ts'
import type { FieldShape, Shape } from '../model.ts'

/** Fields and values that are still to be written, as snippets: `$1`, `$2` and so on are where one types next. */

export type Layout = 'json' | 'yaml' | 'flow' | 'hcl'

/** How something is written at a place: YAML within brackets is written on one line. */
export function layoutOf(notation: Notation, isFlow: boolean): Layout {
  if (notation === 'json' || notation === 'hcl-json') return 'json'
  if (notation === 'hcl') return 'hcl'
  return isFlow ? 'flow' : 'yaml'
}

/** A text within a snippet. */
export function inSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&')
}

/** Counts the places of one snippet. */
class Stops {
  private count = 0
  next(choices: readonly string[] = []): string {
    this.count++
    const safe = choices.filter((each) => /^[\w -]+$/.test(each))
    return safe.length > 1 ? `\${${this.count}|${safe.join(',')}|}` : `$${this.count}`
  }
}

/** A field with its value to come. `indent`: what the lines below are further in than the line that it begins on. */
export function fieldStub(field: FieldShape, layout: Layout, indent: string): string {
  return entryStub(field.name, field, layout, indent, new Stops())
}

function entryStub(
  name: string,
  { shape, isBlock }: Pick<FieldShape, 'shape' | 'isBlock'>,
  layout: Layout,
  indent: string,
  stops: Stops,
): string {
  if (layout === 'json') return `"${name}": ${valueStub(shape, layout, indent, stops)}`
  if (layout === 'hcl')
    return isBlock ? `${name} ${valueStub(shape, layout, indent, stops)}` : `${name} = ${valueStub(shape, layout, indent, stops)}`
  const value = valueStub(shape, layout, indent, stops)
  return `${name}:${value.startsWith('\n') ? '' : ' '}${value}`
}

function valueStub(shape: Shape, layout: Layout, indent: string, stops: Stops): string {
  const quote = layout === 'json' || layout === 'hcl' ? '"' : ''
  switch (shape.holds) {
    case 'flag':
      return stops.next(['true', 'false'])
    case 'number':
      return stops.next()
    case 'text':
      return `${quote}${stops.next(shape.choices)}${quote}`
    case 'list':
      return listStub(shape, layout, indent, stops)
    case 'map':
      return mapStub(shape, layout, indent, stops)
  }
}

function listStub(shape: Shape, layout: Layout, indent: string, stops: Stops): string {
  const item = shape.item(0)
  const below = `${indent}  `
  if (layout === 'flow') return `[${stops.next()}]`
  if (layout === 'yaml') return item ? `\n${below}- ${valueStub(item, layout, below, stops).trimStart()}` : ` [${stops.next()}]`
  const value = item ? valueStub(item, layout, below, stops) : stops.next()
  if (layout === 'hcl') return `[${value}]`
  return `[\n${below}${value}\n${indent}]`
}

/** A map with the fields that it needs, or the one that it is for. */
function mapStub(shape: Shape, layout: Layout, indent: string, stops: Stops): string {
  const below = `${indent}  `
  const isFlat = layout === 'flow'
  const fields = neededFields(shape)
  if (fields.length === 0) {
    const key = shape.keyRole === undefined ? undefined : stops.next()
    if (layout === 'json') return key ? `{ "${key}": "${stops.next()}" }` : `{\n${below}${stops.next()}\n${indent}}`
    if (layout === 'hcl') return key ? `{ "${key}" = "${stops.next()}" }` : `{\n${below}${stops.next()}\n${indent}}`
    if (isFlat) return key ? `{ ${key}: ${stops.next()} }` : `{ ${stops.next()} }`
    return key ? `\n${below}${key}: ${stops.next()}` : `\n${below}${stops.next()}`
  }
  const written = fields.map((field) => entryStub(field.name, field, layout, below, stops))
  const [only = ''] = written
  const isShort = written.length === 1 && !only.includes('\n')
  if (layout === 'json') return isShort ? `{ ${only} }` : `{\n${written.map((each) => below + each).join(',\n')}\n${indent}}`
  if (layout === 'hcl') return `{\n${written.map((each) => below + each).join('\n')}\n${indent}}`
  if (isFlat) return `{ ${written.join(', ')} }`
  return written.map((each) => `\n${below}${each}`).join('')
}

/** The fields that a map cannot do without; of one that can, its first. */
export function neededFields({ fields }: Shape): readonly FieldShape[] {
  const needed = fields.filter(({ isGiven }) => !isGiven)
  const required = needed.filter(({ isRequired }) => isRequired)
  if (required.length === 0) return needed.slice(0, 1)
  // A policy grants something, which the schema asks for as one of two fields.
  const permissions = needed.find(({ name }) => name === 'permissions')
  const values = needed.find(({ name }) => name === 'values')
  return [...new Set([...required, ...(permissions ? [permissions] : []), ...(values ? [values] : [])])]
}

/** An item of a list as YAML writes it behind its dash: the lines below go with its first field. */
export function itemStub(shape: Shape, layout: Layout, indent: string): string {
  const stops = new Stops()
  const text = valueStub(shape, layout, indent, stops)
  if (layout !== 'yaml') return text
  // Its fields begin right behind the dash, and are indented by two from it.
  return text.trimStart()
}
