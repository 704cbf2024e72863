import { attributeOf } from './declarations.ts'
import type { Body, Expression } from './syntax.ts'

/** OpenTofu's condition for the existence of a block that has neither `count` nor `for_each`. */
export function enabledExpression(body: Body): Expression | undefined {
  return said(body, 'enabled')[0]
}

/** Whether a change of an attribute is not applied: what there is keeps what it has, and only what is new gets what is written. */
export function ignoresChanges(body: Body, attribute: string): boolean {
  return said(body, 'ignore_changes')
    .flatMap((each) => (each.kind === 'list' ? each.items : [each]))
    .some((each) => ['all', '*', attribute].includes(beginningOf(each)))
}

function said({ blocks }: Body, name: string): readonly Expression[] {
  return blocks.flatMap(({ type, body }) => (type === 'lifecycle' ? (attributeOf(body, name)?.value ?? []) : []))
}

/** The attribute that an address begins with: `deny[0]`. JSON, and the notation of old, have it in quotes. */
function beginningOf(address: Expression): string {
  let first = address
  while (first.kind === 'attribute' || first.kind === 'index' || first.kind === 'splat') first = first.of
  if (first.kind === 'name') return first.name
  const [part] = first.kind === 'template' ? first.parts : []
  return part?.kind === 'text' ? (part.value.split(/[.[]/)[0] ?? '') : ''
}
