import { longestName, strangeCharacter } from '../names.ts'
import type { Span } from '../source.ts'
import { field, type ListNode, type MapNode, type Node } from '../tree.ts'
import { readAction } from './action.ts'
import type { Operation, OperationDeprecation, RequiredAction } from './operations.ts'
import { rebrand } from './rebrand.ts'
import type { Misread } from './record.ts'

/** The content of the provider's own descriptions, in one form for all their shapes. */
export interface Description {
  readonly operations: readonly DescribedOperation[]
  /** Actions of the reference list, with the resource type that each is about. */
  readonly actions: readonly { readonly name: string; readonly type: string | undefined }[]
  readonly types: readonly string[]
  /** Warnings about parts that have no place in a catalogue. */
  readonly notes: readonly string[]
}

/** An operation; `seen` where the description dates it itself. */
export type DescribedOperation = Omit<Operation, 'seen'> & { readonly seen: string | undefined }

/** The most problems reported of one file. */
const mostProblems = 100

interface Draft {
  readonly operations: DescribedOperation[]
  readonly actions: { name: string; type: string | undefined }[]
  readonly types: string[]
  readonly notes: string[]
  readonly problems: Misread[]
  /** The brand word that the description is written with, and the one it is read into. */
  readonly from: string
  readonly to: string
}

/**
 * Read the documents of one file, each of which is, or lists, any of these: an API description (`apis`, or OpenAPI 3), a
 * route, an action of the reference list, the name of a resource type. Names are mapped from one brand word to another.
 * What is not understood is a problem, with its place; the rest is ignored.
 */
export function readDescription(
  documents: readonly Node[],
  from: string,
  to: string,
): { readonly description: Description; readonly problems: readonly Misread[] } {
  const draft: Draft = { operations: [], actions: [], types: [], notes: [], problems: [], from, to }
  for (const document of documents) {
    const items = itemsOf(document)
    if (items.length === 0) wrong(draft, document, 'an empty list: nothing is described')
    for (const item of items) {
      if (draft.problems.length >= mostProblems) break
      readItem(item, draft)
    }
  }
  const { problems, operations, actions, types, notes } = draft
  return { description: { operations, actions, types, notes }, problems }
}

/**
 * The items of a list, also of one that is wrapped in an object with a single key, as some clients write answers; else the
 * document itself.
 */
function itemsOf(document: Node): readonly Node[] {
  if (document.kind === 'list') return document.items
  const inner = document.kind === 'map' && document.entries.length === 1 ? document.entries[0] : undefined
  return inner?.value.kind === 'list' && ['items', 'data', 'results'].includes(inner.key.value) ? inner.value.items : [document]
}

/** The field by which each shape is known, and how it is read. */
const shapes: readonly (readonly [key: string, read: (node: MapNode, draft: Draft) => void])[] = [
  ['apis', readSchema],
  ['openapi', readOpenApi],
  ['action', readReference],
  ['path', readRoute],
]

function readItem(node: Node, draft: Draft): void {
  if (node.kind === 'text') {
    readType(node, draft)
    return
  }
  const shape = node.kind === 'map' ? shapes.find(([key]) => field(node, key)) : undefined
  if (node.kind === 'map' && shape) {
    const first = draft.operations.length
    shape[1](node, draft)
    const month = monthSaid(node)
    for (let i = first; i < draft.operations.length; i++) {
      const operation = draft.operations[i] as DescribedOperation
      draft.operations[i] = { ...operation, seen: operation.seen ?? month }
    }
    return
  }
  if (node.kind === 'map' && field(node, 'catalogue')) {
    wrong(draft, node, 'a catalogue, and no description of an API', 'build on it with `--base FILE`')
    return
  }
  if (node.kind === 'map' && field(node, 'swagger')) {
    wrong(draft, node, 'a description in the form before OpenAPI 3', 'convert it to OpenAPI 3')
    return
  }
  wrong(
    draft,
    node,
    'not understood: this describes no operation and no action',
    'expected an API description with `apis` or `openapi`, a route with `method` and `path`, or an action of the reference list with `action`',
  )
}

/** Fields of a provider's own that say when a description was made: `x-generated-at`, `x-publication-date`. */
const dating = /^x-(?:.*[-_])?(?:date|seen|at|on|generated|published|updated|modified|retrieved|released?)$/i

/**
 * The month that a description says it is of: in a field `seen`, in a dated field of the provider's own, or in a version that is a
 * date. Undefined if there is none: the date of a file does not count.
 */
function monthSaid(node: MapNode): string | undefined {
  const info = field(node, 'info')
  const maps = info?.kind === 'map' ? [node, info] : [node]
  const texts = (wants: (key: string) => boolean) =>
    maps.flatMap(({ entries }) => entries.flatMap(({ key, value }) => (value.kind === 'text' && wants(key.value) ? [value.value] : [])))
  const datedTexts = [
    texts((key) => key === 'seen'),
    texts((key) => dating.test(key)),
    texts((key) => key === 'version' || key === 'apiVersion'),
  ]
  return datedTexts.map((each) => each.flatMap(monthIn).sort().at(-1)).find((month) => month !== undefined)
}

/** The month of a date, `2026-09-30T12:00:00Z` or `2026.09`. */
function monthIn(text: string): readonly string[] {
  const [, year, month] = /^(\d{4})[-.](\d{2})(?:[-.T]|$)/.exec(text.trim()) ?? []
  return isMonth(`${year}-${month}`) ? [`${year}-${month}`] : []
}

/** `{apis: [{path, operations: [{httpMethod, iamActions, …}]}], basePath?, apiVersion?}`, as the first branch describes itself. */
function readSchema(node: MapNode, draft: Draft): void {
  const base = textAt(node, 'basePath', draft)
  const version = textAt(node, 'apiVersion', draft)
  const branch = (base === undefined ? undefined : branchOfAddress(base)) ?? branches.get(version ?? '') ?? 'v1'
  for (const api of listAt(node, 'apis', draft)) {
    const map = asMap(api, draft)
    const path = map && pathOf(field(map, 'path') ?? map, branch, draft)
    if (!map || !path) continue
    const operations = field(map, 'operations')
    if (!operations && field(map, 'schema')) {
      wrong(draft, api, 'this names a description, and describes nothing itself', 'give the description that it names')
      return
    }
    for (const operation of operations ? asList(operations, draft) : []) {
      const fields = asMap(operation, draft)
      if (fields) readOperation(fields, field(fields, 'httpMethod') ?? field(fields, 'method') ?? fields, path, draft)
    }
  }
}

/** The fields of an OpenAPI path that are not operations. */
const pathFields = ['summary', 'description', 'servers', 'parameters']

/** OpenAPI 3, with the actions of an operation under `x-iam-actions`. */
function readOpenApi(node: MapNode, draft: Draft): void {
  const version = textAt(node, 'openapi', draft) ?? ''
  if (!version.startsWith('3.')) wrong(draft, field(node, 'openapi') ?? node, 'expected OpenAPI 3')
  const servers = listAt(node, 'servers', draft).flatMap((server) => {
    const url = server.kind === 'map' ? field(server, 'url') : undefined
    return url?.kind === 'text' ? [url.value] : []
  })
  const serverBranches = new Set(servers.flatMap((url) => branchOfAddress(url) ?? []))
  if (serverBranches.size > 1) {
    wrong(draft, field(node, 'servers') ?? node, 'servers of two branches: it is unknown which one these paths belong to')
    return
  }
  const [branch] = serverBranches
  const rootSecurity = field(node, 'security')
  const paths = field(node, 'paths')
  const items = paths && asMap(paths, draft)
  for (const { key, value } of items?.entries ?? []) {
    const path = key.value.startsWith('x-') ? undefined : pathOf(key, branch, draft)
    const item = path && asMap(value, draft)
    for (const { key: name, value: operation } of item ? item.entries : []) {
      if (name.value.startsWith('x-') || pathFields.includes(name.value)) continue
      if (!methods.includes(name.value.toUpperCase()) && !otherMethods.includes(name.value.toUpperCase())) {
        wrong(draft, name, name.value === '$ref' ? 'a path by reference is not followed' : 'not understood: no method of HTTP')
        continue
      }
      const fields = asMap(operation, draft)
      if (!path || !fields) continue
      const security = field(fields, 'security') ?? rootSecurity
      readOperation(fields, name, path, draft, security?.kind === 'list' && security.items.length === 0)
    }
  }
  if (!paths) wrong(draft, node, '`paths` is missing: nothing is described')
}

/** `{branch?, method, path, actions, …}`: one operation by itself. */
function readRoute(node: MapNode, draft: Draft): void {
  const branch = field(node, 'branch')
  const writtenRoute = branch === undefined ? undefined : branches.get(branch.kind === 'text' ? branch.value : '')
  if (branch && !writtenRoute) {
    wrong(draft, branch, 'no branch of the API: expected `v1` or `v2`')
    return
  }
  const path = pathOf(field(node, 'path') ?? node, writtenRoute, draft)
  if (path) readOperation(node, field(node, 'method') ?? field(node, 'httpMethod') ?? node, path, draft)
}

/** `{action, categories, resourceType, description, …}`, as the reference list of actions holds them. */
function readReference(node: MapNode, draft: Draft): void {
  const name = actionOf(field(node, 'action') ?? node, draft)
  const type = field(node, 'resourceType')
  const actionType = type && type.kind !== 'null' ? readType(type, draft) : undefined
  if (name !== undefined) draft.actions.push({ name, type: actionType })
}

function readType(node: Node, draft: Draft): string | undefined {
  if (node.kind === 'text' && /^[A-Za-z][A-Za-z0-9]*(\/[A-Za-z0-9]+)*$/.test(node.value)) {
    const type = rebrand(node.value, draft.from, draft.to)
    draft.types.push(type)
    return type
  }
  wrong(draft, node, 'no resource type: expected a name such as `vps` or `ldp/stream`')
  return undefined
}

const methods: readonly string[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] satisfies readonly Operation['method'][]
/** Methods that no call of the service uses. */
const otherMethods: readonly string[] = ['HEAD', 'OPTIONS', 'TRACE']

type Path = Pick<Operation, 'branch' | 'path'>

function readOperation(fields: MapNode, method: Node, { branch, path }: Path, draft: Draft, isOpen = false): void {
  const word = method.kind === 'text' ? method.value.toUpperCase() : ''
  const actions = actionsOf(fields, draft)
  if (otherMethods.includes(word)) {
    for (const { name } of actions) draft.actions.push({ name, type: undefined })
    draft.notes.push(`\`${word} /${branch}${path}\` is omitted: its method is not supported`)
    return
  }
  if (!methods.includes(word)) {
    wrong(draft, method, `no method: expected ${methods.map((name) => `\`${name}\``).join(', ')}`)
    return
  }
  const open = field(fields, 'noAuthentication')
  if (open && open.kind !== 'boolean' && open.kind !== 'null') wrong(draft, open, 'expected `true` or `false`')
  const seen = monthOf(fields, draft)
  const deprecated = deprecationOf(fields, draft)
  draft.operations.push({
    branch,
    method: word as Operation['method'],
    path,
    actions,
    seen,
    noAuthentication: isOpen || (open?.kind === 'boolean' && open.value),
    ...(deprecated && { deprecated }),
  })
}

/** The actions under whichever name the shape has for them, each once; those named twice are needed where one says so. */
function actionsOf(fields: MapNode, draft: Draft): readonly RequiredAction[] {
  const list = ['iamActions', 'x-iam-actions', 'actions'].map((key) => field(fields, key)).find((node) => node !== undefined)
  if (!list || list.kind === 'null') return []
  const out = new Map<string, boolean>()
  for (const item of asList(list, draft)) {
    const isObject = item.kind === 'map'
    const name = actionOf(isObject ? (field(item, 'name') ?? field(item, 'action') ?? item) : item, draft)
    const required = isObject ? field(item, 'required') : undefined
    if (required && required.kind !== 'boolean') wrong(draft, required, 'expected `true` or `false`')
    if (name !== undefined) out.set(name, out.get(name) === true || required?.kind !== 'boolean' || required.value)
  }
  return [...out].map(([name, required]) => ({ name, required }))
}

/** The name of an action without its parameter, which is no part of the catalogue's names. */
function actionOf(node: Node, draft: Draft): string | undefined {
  const name = node.kind === 'text' ? (node.value.split('?', 1)[0] as string) : undefined
  if (name === undefined) {
    wrong(draft, node, 'expected the name of an action')
    return undefined
  }
  const fault = readAction(name, draft.from).faults?.[0]
  if (!fault) return rebrand(name, draft.from, draft.to)
  wrong(
    draft,
    node,
    `not an action: ${fault.message}`,
    fault.suggestion === undefined ? undefined : `did you mean \`${fault.suggestion}\`?`,
  )
  return undefined
}

const branches: ReadonlyMap<string, Operation['branch']> = new Map([
  ['1.0', 'v1'],
  ['v1', 'v1'],
  ['v2', 'v2'],
  ['2.0', 'v2'],
])

/** The branch that an address ends with: `https://…/1.0`. */
function branchOfAddress(address: string): Operation['branch'] | undefined {
  return branches.get(address.replace(/\/$/, '').split('/').at(-1) ?? '')
}

/** A path template with its branch: that of its first segment, else that of the surrounding description. */
function pathOf(node: Node, branch: Operation['branch'] | undefined, draft: Draft): Path | undefined {
  const text = node.kind === 'text' ? node.value : ''
  if (!/^\/[^\s*?#]*$/.test(text) || text.length > longestName || strangeCharacter(text)) {
    wrong(draft, node, 'no path: expected a template such as `/hosting/web/{serviceName}`')
    return undefined
  }
  const [, first = ''] = text.split('/', 2)
  const ownRoute = branches.get(first)
  const knownRoute = ownRoute ?? branch
  if (knownRoute === undefined) {
    wrong(draft, node, 'which branch of the API this path belongs to is not said', 'start it with `/v1` or `/v2`, or name the branch')
    return undefined
  }
  const path = ownRoute === undefined ? text : text.slice(first.length + 1) || '/'
  return { branch: knownRoute, path: rebrand(path, draft.from, draft.to) }
}

function monthOf(fields: MapNode, draft: Draft): string | undefined {
  const node = field(fields, 'seen')
  if (!node || node.kind === 'null') return undefined
  if (node.kind === 'text' && isMonth(node.value)) return node.value
  wrong(draft, node, 'no month: expected one such as `2026-01`')
  return undefined
}

/** Whether a text is a month, `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
}

/** `apiStatus: {value: DEPRECATED, deprecatedDate, deletionDate, replacement}`, or `deprecated: true`. */
function deprecationOf(fields: MapNode, draft: Draft): OperationDeprecation | undefined {
  const flag = field(fields, 'deprecated')
  if (flag && flag.kind !== 'boolean' && flag.kind !== 'null') wrong(draft, flag, 'expected `true` or `false`')
  const status = field(fields, 'apiStatus')
  const map = status && status.kind !== 'null' ? asMap(status, draft) : undefined
  const isDeprecated = map ? textAt(map, 'value', draft)?.toUpperCase() === 'DEPRECATED' : false
  if (!isDeprecated && !(flag?.kind === 'boolean' && flag.value)) return undefined
  const [from, until, replacement] = map
    ? [dayAt(map, 'deprecatedDate', draft), dayAt(map, 'deletionDate', draft), textAt(map, 'replacement', draft)]
    : []
  // With the method before it in some descriptions: it is that of the replaced operation.
  const path = replacement === undefined ? '' : rebrand(replacement.replace(/^(DELETE|GET|PATCH|POST|PUT) /, ''), draft.from, draft.to)
  return {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    // Anything else is a sentence for readers, not a path.
    ...(/^\/[^\s*?#]*$/.test(path) && path.length <= longestName && !strangeCharacter(path) && { replacement: path }),
  }
}

/** The day of a time stamp, as it is written. */
function dayAt(map: MapNode, key: string, draft: Draft): string | undefined {
  const text = textAt(map, key, draft)
  if (text === undefined || text === '') return undefined
  // The service writes the time behind it in several ways, some of them `:00:00`.
  if (/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T: ]|$)/.test(text)) return text.slice(0, 10)
  wrong(draft, field(map, key) ?? map, 'no day: expected a time such as `2026-01-31T00:00:00Z`')
  return undefined
}

function textAt(map: MapNode, key: string, draft: Draft): string | undefined {
  const node = field(map, key)
  if (!node || node.kind === 'null') return undefined
  if (node.kind === 'text') return node.value
  wrong(draft, node, 'expected a text')
  return undefined
}

function listAt(map: MapNode, key: string, draft: Draft): readonly Node[] {
  const node = field(map, key)
  return node ? asList(node, draft) : []
}

function asList(node: Node, draft: Draft): ListNode['items'] {
  if (node.kind === 'list') return node.items
  wrong(draft, node, 'expected a list')
  return []
}

function asMap(node: Node, draft: Draft): MapNode | undefined {
  if (node.kind === 'map') return node
  wrong(draft, node, 'expected an object')
  return undefined
}

function wrong({ problems }: Draft, span: Span, message: string, help?: string): void {
  if (problems.length < mostProblems) problems.push({ span, message, ...(help !== undefined && { help }) })
}
