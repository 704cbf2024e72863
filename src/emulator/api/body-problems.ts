import type { Diagnostic } from '../../diagnostic.ts'
import { position, type Span } from '../../source.ts'
import { field, type MapNode, type Node } from '../../tree.ts'
import { badRequest, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { mostKeys } from './request-body.ts'

/** Something wrong with a body, and where: a JSON pointer (RFC 6901), line and column from 1. */
export interface BodyProblem {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly help?: string
}

export type ReadBody<T> = { readonly value: T; readonly refusal?: undefined } | { readonly value?: undefined; readonly refusal: Reply }

/** How much one body may ask for. None of it is shown in the document. */
export const bodyLimits = {
  keys: mostKeys,
  /** Entries of one list: identities, resources, actions of a list, members of a group. */
  entries: 1000,
  name: 255,
  description: 2000,
  /** Questions of one authorization check: actions times resources. */
  questions: 10_000,
} as const

export type FieldProblem = Pick<Diagnostic, 'message' | 'help' | 'span'>

export const fieldProblem = (span: Span, message: string, help?: string): FieldProblem =>
  help === undefined ? { span, message } : { span, message, help }

const mostProblems = 100

/** The answer to a body that is not understood: 400, with every problem in `details.problems`. */
export function refuseBody(root: Node, wrong: readonly FieldProblem[]): ReadBody<never> {
  const problems = wrong.slice(0, mostProblems).map(({ span, message, help }): BodyProblem => {
    const { line, column } = position(span.source, span.start)
    return { path: pointerTo(root, span.start), line, column, message, ...(help !== undefined && { help }) }
  })
  const [first] = problems
  const place = first ? `line ${first.line}, column ${first.column}${first.path === '' ? '' : ` (${first.path})`}: ${first.message}` : ''
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return { refusal: badRequest(`the body is not understood: ${place}${others}`, { problems }) }
}

/** The JSON pointer to the innermost part of a document at a place; a key leads to its value. */
function pointerTo(node: Node, start: number): string {
  if (node.kind === 'list') {
    const index = node.items.findIndex((item) => item.start <= start && start < item.end)
    return index < 0 ? '' : `/${index}${pointerTo(node.items[index] as Node, start)}`
  }
  const entry = node.kind === 'map' ? node.entries.find(({ key, value }) => key.start <= start && start < value.end) : undefined
  return entry ? `/${entry.key.value.replaceAll('~', '~0').replaceAll('/', '~1')}${pointerTo(entry.value, start)}` : ''
}

export function asObject(tree: Node | undefined): ReadBody<MapNode> {
  if (!tree) return { refusal: badRequest('the body is missing: send a JSON object') }
  return tree.kind === 'map' ? { value: tree } : refuseBody(tree, [fieldProblem(tree, 'expected an object')])
}

/** Problems with fields that only the service sets, with names and descriptions, and with lists that are too long. */
export function fieldsWrong(node: MapNode, setByService: readonly string[]): FieldProblem[] {
  const permissions = field(node, 'permissions')
  const lists = [...node.entries, ...(permissions?.kind === 'map' ? permissions.entries : [])]
  return [
    ...node.entries.flatMap(({ key, value }): readonly FieldProblem[] => {
      const name = key.value
      if (setByService.includes(name))
        return [fieldProblem(key, `\`${name}\` is set by the service`, 'remove it: what is sent says what is wanted')]
      if ((name !== 'name' && name !== 'description') || value.kind !== 'text') return []
      if (name === 'name' && /^[ \t\r\n]*$/.test(value.value))
        return [fieldProblem(value, 'the name is empty or blank', 'say what it is for')]
      const { length } = value.value
      return length > bodyLimits[name]
        ? [fieldProblem(value, `the ${name} has ${length} characters`, `keep it to ${bodyLimits[name]}`)]
        : []
    }),
    ...lists.flatMap(({ key, value }) =>
      value.kind === 'list' && value.items.length > bodyLimits.entries
        ? [
            fieldProblem(
              key,
              `${quote(key.value)} has ${value.items.length} entries`,
              `keep it to ${bodyLimits.entries}, and make several policies of one`,
            ),
          ]
        : [],
    ),
  ]
}

export function missing(node: MapNode, names: readonly string[]): FieldProblem[] {
  const absent = names.filter((name) => field(node, name) === undefined).map((name) => `\`${name}\``)
  if (absent.length === 0) return []
  return [fieldProblem(node.entries[0]?.key ?? node, `missing ${absent.length === 1 ? 'field' : 'fields'} ${absent.join(', ')}`)]
}
