import { kindOfTerraform } from '../declared/attributes.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Body, Expression, HclFile } from '../hcl/syntax.ts'
import { visible } from '../names.ts'
import { shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import { cannotExpress, noteAt } from './findings.ts'

/** Parts of a configuration that are not literal values, so that no other notation can express them. */
export interface NonLiteral {
  readonly refused: readonly Diagnostic[]
  readonly notes: readonly Diagnostic[]
}

/** Arguments that say how a resource is applied, and nothing of what it is. */
const applied: ReadonlySet<string> = new Set(['depends_on', 'provider', 'lifecycle', 'provisioner', 'connection', 'timeouts'])

/** Expressions in the policies and groups of a file, except names of groups. Other blocks are noted. */
export function beyondLiteral({ body, source }: HclFile, prefix: string): NonLiteral {
  const problems: Diagnostic[] = []
  const notes: Diagnostic[] = []
  const refuse = ({ start, end }: Span, what: string) => {
    const message = `\`${visible(shortened(source.text.slice(start, end)))}\` is ${what}: only literal values are converted`
    problems.push(cannotExpress({ source, start, end }, message, 'write the values that are meant'))
  }
  for (const block of body?.blocks ?? []) {
    if (block.type === 'resource' && kindOfTerraform(block.labels[0] ?? '', prefix)) within(block.body, true)
    else notes.push(noteAt(block.head, `\`${visible(shortened(block.type))}\` is left out: it is no policy`))
  }
  return { refused: problems, notes }

  /** Blocks within blocks are within the limits of the reader. */
  function within(inner: Body, isTop: boolean): void {
    for (const { name, nameSpan, value } of inner.attributes) {
      if (isTop && applied.has(name)) leftOut(name, nameSpan)
      else if (isTop && (name === 'count' || name === 'for_each'))
        refuse({ source, start: nameSpan.start, end: value.end }, 'an expression')
      else literal(value)
    }
    for (const block of inner.blocks) {
      if (isTop && applied.has(block.type)) leftOut(block.type, block.typeSpan)
      else if (block.type === 'dynamic') refuse(block.head, 'an expression')
      else within(block.body, false)
    }
  }

  function leftOut(word: string, span: Span): void {
    notes.push(noteAt(span, `\`${word}\` is left out: it says how the resource is applied`))
  }

  function literal(expression: Expression): void {
    const open: Expression[] = [expression]
    for (let e = open.pop(); e; e = open.pop()) {
      if (e.kind === 'list') open.push(...e.items.toReversed())
      else if (e.kind === 'object') for (const entry of e.entries.toReversed()) open.push(entry.value, entry.key)
      else if (e.kind === 'template' ? e.parts.some((part) => part.kind !== 'text') : !(e.kind === 'literal' || isGroupName(e)))
        refuse(e, e.kind === 'template' ? 'a template' : 'an expression')
    }
  }

  function isGroupName(e: Expression): boolean {
    return (
      e.kind === 'attribute' &&
      e.name === 'urn' &&
      e.of.kind === 'attribute' &&
      e.of.of.kind === 'name' &&
      kindOfTerraform(e.of.of.name, prefix) !== undefined
    )
  }
}
