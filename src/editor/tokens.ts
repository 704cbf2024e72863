import type { Catalogue } from '../actions/catalogue.ts'
import type { Range } from '../source.ts'
import { touches } from '../source.ts'
import type { EditorFile, Role, Spot, Workspace } from './model.ts'
import { inner } from './names.ts'
import { rangeInFile } from './parts.ts'
import type { Token, TokenKind } from './types.ts'

/** A piece of a string: from and to, in its UTF-16 units. */
interface Piece extends Range {
  readonly kind: TokenKind
}

/**
 * The tokens of a file, in order and without overlaps, each on one line: the parts of URNs and of actions with their wildcards, names,
 * and the words of conditions. All other strings are left to the grammar of the notation.
 */
export function tokens({ settings, catalogue }: Workspace, file: EditorFile, range?: Range): readonly Token[] {
  const spotTokens = file.spots(settings).flatMap((spot) => {
    const place = rangeInFile(spot.part, inner(spot.node))
    if (spot.node.isExpression || spot.node.value === '' || (range && !(touches(range, place.start) || touches(place, range.start))))
      return []
    return tokensOf(spot, catalogue)
  })
  const sorted = spotTokens.filter(({ start, end }) => !/[\r\n]/.test(file.source.text.slice(start, end))).sort((a, b) => a.start - b.start)
  return sorted.filter(({ start }, i) => i === 0 || start >= (sorted[i - 1] as Token).end)
}

function tokensOf({ part, node, role, isDefinition }: Spot, catalogue: Catalogue): readonly Token[] {
  const within = inner(node)
  const written = part.source.text.slice(within.start, within.end)
  const whole: Piece = { start: 0, end: written.length, kind: kinds[role] ?? 'string' }
  if (kinds[role] === undefined) return []
  // Where something is escaped, its places in the file are other ones: then it is one token.
  const pieces = written === node.value ? (piecesOf[role]?.(written) ?? [whole]).flatMap((piece) => stars(written, piece)) : [whole]
  const isDeprecated = role === 'action' && catalogue.deprecationOf(node.value) !== undefined
  return pieces.map(({ start, end, kind }) => ({
    ...rangeInFile(part, { start: within.start + start, end: within.start + end }),
    kind,
    isDeclaration: isDefinition,
    isDeprecated,
  }))
}

/** Roles whose strings are tokens, with the kind of the whole. */
const kinds: Readonly<Partial<Record<Role, TokenKind>>> = {
  policyName: 'class',
  permissionsGroup: 'class',
  resourceGroupId: 'class',
  identity: 'variable',
  group: 'variable',
  resource: 'variable',
  resourceType: 'type',
  action: 'function',
  account: 'namespace',
  conditionOperator: 'keyword',
  conditionKey: 'property',
  tagKey: 'property',
  instant: 'number',
  day: 'enumMember',
  address: 'number',
  ruleCode: 'enumMember',
  ruleLevel: 'keyword',
  method: 'keyword',
}

/** How the strings of a role are taken apart. */
const piecesOf: Readonly<Partial<Record<Role, (text: string) => readonly Piece[]>>> = {
  action: (text) => fields(text, ['namespace', 'namespace', 'function']),
  identity: urnPieces,
  group: urnPieces,
  resource: urnPieces,
  permissionsGroup: urnPieces,
}

/** `urn:v1:REGION:WORD:TYPE:NAME`, or the short form `TYPE/NAME`. */
function urnPieces(text: string): readonly Piece[] {
  if (text.startsWith('urn:')) return fields(text, [undefined, undefined, undefined, 'keyword', 'type', 'variable'])
  const slash = text.indexOf('/')
  if (slash < 0) return fields(text, ['variable'])
  return [
    { start: 0, end: slash, kind: 'type' },
    { start: slash + 1, end: text.length, kind: 'variable' },
  ]
}

/** The fields between colons; the last one has all that follows. Fields of an undefined kind are no tokens. */
function fields(text: string, kindsOfFields: readonly (TokenKind | undefined)[]): readonly Piece[] {
  const pieces: Piece[] = []
  let start = 0
  for (const [i, kind] of kindsOfFields.entries()) {
    const colon = i === kindsOfFields.length - 1 ? -1 : text.indexOf(':', start)
    const end = colon < 0 ? text.length : colon
    if (kind !== undefined && start < end) pieces.push({ start, end, kind })
    if (colon < 0) break
    start = colon + 1
  }
  return pieces
}

/** A piece with its wildcards as separate ones. */
function stars(text: string, { start, end, kind }: Piece): readonly Piece[] {
  if (kind === 'number' || !text.slice(start, end).includes('*')) return [{ start, end, kind }]
  return [...text.slice(start, end).matchAll(/\*+|[^*]+/g)].map(({ 0: found, index }) => ({
    start: start + index,
    end: start + index + found.length,
    kind: found.startsWith('*') ? 'operator' : kind,
  }))
}
