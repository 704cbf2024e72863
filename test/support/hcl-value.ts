import { evaluate } from '../../src/hcl/evaluate.ts'
import type { Frame } from '../../src/hcl/frame.ts'
import type { Expression } from '../../src/hcl/syntax.ts'
import type { Value } from '../../src/hcl/types.ts'
import { isFailed, isKnown, isReference, isSet, withoutMarks } from '../../src/hcl/values.ts'
import type { Span } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { hclFile, toolsWith } from './hcl.ts'

const locals = `names = ["b", "a", "c"]
teams = { ops = { admins = ["ann", "bob"], on = true }, dev = { on = false, admins = ["cy"] } }
some = concat(["first"], [for x in var.l : "u:\${x}"])
text = "quoted \\"word\\""
`

/** Files next to the module. */
const files = {
  'a.txt': 'hello\n',
  'b/c.json': '{"c": 1}',
  'b/d/e.json': '{"e": 2}',
  'b/d/e.txt': 'é',
  't.tpl': 'hi ${name}%{ for x in xs }<${x}>%{ endfor }',
  'open.tpl': '${name}',
  'many.tpl': `${'x'.repeat(80)}\${name}`,
  'wrong.tpl': '${',
  'long.txt': 'x'.repeat(200_001),
  'longest.txt': 'x'.repeat(200_000),
}

/** The frame of a module with a few locals, in which nothing else is known. */
export function frameWith(expression: string, others: Partial<Frame> = {}): { readonly written: Expression; readonly frame: Frame } {
  const { body, diagnostics } = hclFile(`${locals}it = ${expression}\n`)
  const attributes = new Map(body?.attributes.map((each) => [each.name, each.value]))
  const written = attributes.get('it')
  if (!written) throw new Error(diagnostics[0]?.message)
  const frame: Frame = {
    names: {
      prefix: '',
      local: (name) => {
        const value = attributes.get(name)
        return value && evaluate(value, frame)
      },
      variable: () => undefined,
      child: () => undefined,
      resource: () => undefined,
      shapeOf: () => undefined,
      isNamed: (type) => type === 'svc_iam_resource_group',
      path: (name) => (name === 'module' ? '.' : undefined),
      place: (path) => path,
    },
    bound: new Map(),
    scope: '.',
    budget: { left: 100_000, depth: 0 },
    tools: toolsWith(files),
    ...others,
  }
  return { written, frame }
}

export function resultOf(expression: string, others: Partial<Frame> = {}): Value {
  const { written, frame } = frameWith(expression, others)
  return withoutMarks(evaluate(written, frame) as Node)
}

/** All of a value on one line: what it is, what is known of it, and behind `@` where it is written if that says more. */
export function wholeValue(value: Node): string {
  const written = textOf(value)
  const said = ownText(value)
  return said === written ? said : `${said} @${written.replace(/\s+/g, ' ')}`
}

const textOf = ({ source, start, end }: Span) => source.text.slice(start, end)

function ownText(value: Node): string {
  if (value.kind === 'list') return `${isSet(value) ? 'set' : ''}[${value.items.map(wholeValue).join(', ')}]`
  if (value.kind === 'map')
    return `{${value.entries.map(({ key, value: inner }) => `${wholeValue(key)} = ${wholeValue(inner)}`).join(', ')}}`
  if (value.kind === 'text') {
    const plain = textOf(value).slice(1, -1) === value.value
    const letters = value.offsets
      ?.slice(0, -1)
      .map((at) => value.source.text[at])
      .join('')
    return `${JSON.stringify(value.value)}${letters === undefined || (plain && letters === value.value) ? '' : `<${letters}>`}`
  }
  if (value.kind !== 'unknown') return String(value.value)
  const { expression, pieces, offsets, holes, shape, scope } = value
  const more = [
    ...(isFailed(value) ? ['failed'] : []),
    ...(value.isSpread ? ['any number'] : []),
    ...(value.isName ? ['a name'] : []),
    ...(isReference(value) ? [`of ${value.address.join(' ')}`] : []),
    ...(pieces.join('') === '' && pieces.length === 2 ? [] : [pieces.join('|')]),
    ...(offsets ? [`letters ${offsets.map((at) => value.source.text[at]).join('')}`] : []),
    ...(holes ? [`holes ${holes.map(textOf).join(' ')}`] : []),
    ...(shape ? [`shape ${shape.join('|')}`] : []),
    ...(scope === '.' ? [] : [`scope ${scope}`]),
  ]
  return `?${expression}${more.length > 0 ? ` (${more.join('; ')})` : ''}`
}

/** The result of an expression: its value as plain data, or that it fails, or that it is not known. */
export function answerOf(expression: string): { readonly is: unknown } | 'fails' | 'unknown' {
  const value = resultOf(expression)
  if (isFailed(value)) return 'fails'
  return isKnown(value) ? { is: JSON.parse(JSON.stringify(plainValue(value))) } : 'unknown'
}
