import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, parseAllDocuments } from 'yaml'
import { readCall } from '../../src/calls/match.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import { sourceOf } from '../../src/source.ts'
import { isUnknownToFences, libraryFences, ownFences } from '../support/commonmark.ts'
import { libraryShape, type Shape, shapeOf } from '../support/hcl-library.ts'
import { difference, type Outcome } from './oracles.ts'

/** Readers of others, for what both accept. Each says what differs, or undefined. */

const isAccepted = ({ diagnostics }: Outcome) => !diagnostics.some(({ severity }) => severity === 'error')
const compared = (ours: unknown, theirs: unknown) =>
  isDeepStrictEqual(sorted(ours), sorted(theirs)) ? undefined : difference(JSON.stringify(sorted(ours)), JSON.stringify(sorted(theirs)))

/** The same value as JSON has it, with the fields of each object in one order. */
function sorted(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part) =>
      typeof part === 'object' && part !== null && !Array.isArray(part) ? Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)) : part,
    ),
  )
}

/** Texts that `JSON.parse` accepts and our reader does not, on purpose. A stray character is refused wherever it is. */
const stricter = /given twice|surrogate|more than 64 levels|the file is empty|longer than/

/** Both accept the same texts, but for what ours refuses on purpose, and find the same values in them. */
export function unlikeJsonParse(text: string, outcome: Outcome): string | undefined {
  let theirs: unknown
  try {
    // A mark of the byte order is no text to us.
    theirs = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return outcome.diagnostics.length === 0 ? 'read, where `JSON.parse` finds no JSON' : undefined
  }
  const other = outcome.diagnostics.find(({ code, message }) => code !== 'stray-character' && !stricter.test(message))
  if (other) return `not read, where \`JSON.parse\` reads it: ${other.message}`
  return outcome.diagnostics.length === 0 ? compared((outcome.value as readonly unknown[])[0], theirs) : undefined
}

/** The values that the package `yaml` finds, in the setting in which it is used; undefined where it finds anything wrong. */
export function unlikeYaml(text: string, outcome: Outcome): string | undefined {
  if (!isAccepted(outcome)) return undefined
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    resolveKnownTags: false,
    strict: true,
    prettyErrors: false,
    logLevel: 'silent',
  })
  if (!Array.isArray(documents) || documents.some(({ errors, warnings }) => errors.length + warnings.length > 0)) return undefined
  const contents = documents
    .map(({ contents: root }) => root)
    .filter((root) => root !== null && !(isScalar(root) && root.value === null && !root.source))
  return compared(outcome.value, contents.map(plainOf))
}

function plainOf(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(plainOf)
  if (isScalar(node)) return node.value
  if (!isMap(node)) return node
  const object: Record<string, unknown> = Object.create(null)
  for (const { key, value } of node.items) object[String(plainOf(key))] = value === null ? null : plainOf(value)
  return object
}

/** Numbers with an exponent and `$$${`, which the grammar of editors does not know, and a line that begins with a bracket. */
const isUnknownToLibrary = (text: string) => /\d[eE][-+]?\d|\$\$\$\{|%%%\{|\n\s*[(-]/.test(text)

/** The tree that the grammar of editors makes. */
export function unlikeTreeSitter(text: string): string | undefined {
  if (isUnknownToLibrary(text)) return undefined
  const { body, diagnostics } = readHcl(sourceOf('main.tf', text), '')
  if (diagnostics.length > 0 || !body) return undefined
  const theirs = libraryShape(text)
  return theirs && compared(shapeOf(body), withoutSeconds(theirs as unknown as LibraryBody))
}

interface LibraryBody {
  readonly attributes: readonly Shape[]
  readonly blocks: readonly (Shape & { readonly body: LibraryBody })[]
}

/** A body with the first attribute of each name: of a block that nothing is asked of, we do not say that there is a second. */
function withoutSeconds({ attributes, blocks }: LibraryBody): LibraryBody {
  const first = new Map(attributes.toReversed().map((each) => [each.name, each]))
  return {
    attributes: attributes.filter((each) => first.get(each.name) === each),
    blocks: blocks.map((block) => ({ ...block, body: withoutSeconds(block.body) })),
  }
}

/** The fences that the reference implementation of CommonMark finds. */
export function unlikeCommonMark(text: string): string | undefined {
  return isUnknownToFences(text) ? undefined : compared(ownFences(text), libraryFences(text))
}

/** The words of the path that is asked for where the address is opened by `URL`. */
export function unlikeUrl(text: string): string | undefined {
  const [method = '', path = ''] = partsOfCall(text)
  const { call } = readCall(method, path)
  if (!call) return undefined
  const base = 'https://host.example'
  const address = path.startsWith('/') ? base + path : path
  if (!URL.canParse(address)) return undefined
  const words = new URL(address).pathname
    .replace(/([^/])\/$/, '$1')
    .slice(1)
    .split('/')
  const branch = words[0] === 'v1' || words[0] === 'v2' ? words.slice(1) : words
  return compared(call.words, (branch.length === 0 ? [''] : branch).map(decodeURIComponent))
}

/** Method and path of `GET /path`. */
export function partsOfCall(text: string): readonly [method: string, path: string] {
  const at = text.indexOf(' ')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
