import { compareText, type Diagnostic } from '../diagnostic.ts'
import { type AdjacentFiles, visible } from '../names.ts'
import type { Span } from '../source.ts'
import { type Node, plainValue, type TextNode, type UnknownNode } from '../tree.ts'
import { fieldOf, kindOfPulumi } from './attributes.ts'
import {
  contentOf,
  type Declaration,
  type Declared,
  entriesOf,
  idOf,
  listNode,
  mapAt,
  nameAt,
  shapeProblem,
  spanOf,
  textOf,
  unknownAt,
  valueAt,
} from './record.ts'

/** Whether a document is a program of Pulumi in YAML that has resources of ours. */
export function isProgram(document: Node, brand: string): boolean {
  return entriesOf(valueAt(document, 'resources')).some(
    ({ value }) => kindOfPulumi(textOf(valueAt(value, 'type')) ?? '', brand) !== undefined,
  )
}

/** The records that a program of Pulumi in YAML describes. Computed values are not known, except for variables that are strings. */
export function readProgram(document: Node, brand: string, adjacent?: AdjacentFiles): Declaration {
  const resources = entriesOf(valueAt(document, 'resources'))
  const kinds = new Map(resources.map(({ key, value }) => [key.value, kindOfPulumi(textOf(valueAt(value, 'type')) ?? '', brand)] as const))
  const variables = new Map(entriesOf(valueAt(document, 'variables')).map(({ key, value }) => [key.value, value] as const))
  const scope = document.source.path
  let partsLeft = mostParts
  let tooLong: Diagnostic | undefined
  let defaultAccount: string | undefined
  const records = resources.flatMap(({ key, value }): readonly Declared[] => {
    const kind = kinds.get(key.value)
    // A resource that is only read is described elsewhere.
    if (!kind || valueAt(value, 'get')) return []
    const properties = valueAt(value, 'properties')
    const ignored = ignoredIn(valueAt(value, 'options', 'ignoreChanges'))
    const attributes = entriesOf(properties?.kind === 'map' ? properties : undefined).map((entry) => {
      const field = fieldOf(kind, entry.key.value)
      // An ignored field keeps its present value, which is not known.
      const isKept = field !== undefined && field.to !== 'name' && field.to !== 'description' && (ignored.has('*') || ignored.has(field.to))
      const node = isKept ? unknownAt(entry.value, `${key.value}.${entry.key.value}`, scope) : evaluated(entry.value, 0)
      return { key: entry.key, value: node }
    })
    return [
      {
        kind,
        address: key.value,
        attributes,
        span: spanOf(properties ?? value),
        isWritten: true,
        ...(kind === 'policy'
          ? { account: unknownAt(value, 'the provider', '', accountOf(value, 0)) }
          : { urn: nameAt(key, `${key.value}.urn`, scope) }),
      },
    ]
  })
  const elsewhere = programElsewhere(document)
  return { records, diagnostics: [...(elsewhere ? [elsewhere] : []), ...(tooLong ? [tooLong] : [])] }

  /** The fields whose changes a list of `ignoreChanges` says are not applied; `*` for all, and where that is not known. */
  function ignoredIn(list: Node | undefined): ReadonlySet<string> {
    if (!list) return new Set()
    const paths = list.kind === 'list' ? list.items.map(textOf) : [undefined]
    // A path leads into a property: `conditions.values`, `allows[0]`, `["allows"]`.
    return new Set(
      paths.map((path) => {
        const first = path === undefined || path.includes('${') ? '*' : (/[^.[\]"']+/.exec(path)?.[0] ?? '*')
        return fieldOf('policy', first)?.to ?? first
      }),
    )
  }

  /** The account that a resource is made with: named by its provider, that of its parent, or the default. */
  function accountOf(resource: Node, depth: number): string {
    const options = valueAt(resource, 'options')
    const named = ['provider', 'providers'].flatMap((word) => valueAt(options, word) ?? [])
    if (named.length > 0) return ['named', ...named.map((node) => `${contentOf(node)} ${dependsOn(namesIn(node))}`)].join('\n')
    const parent = valueAt(options, 'parent')
    const [above] = parent ? namesIn(parent) : []
    const declared = above === undefined ? undefined : declaredUnder('resources', rootOf(above))
    if (declared && depth < mostSteps) return accountOf(declared, depth + 1)
    defaultAccount ??= accountByDefault()
    return defaultAccount
  }

  function accountByDefault(): string {
    const defaults = resources.filter(({ value }) => isDefaultProvider(value)).map(({ key }) => key.value)
    const configEntries = ['config', 'configuration'].flatMap((word) =>
      entriesOf(valueAt(document, word)).filter(({ key }) => isOfProvider(key.value)),
    )
    return [dependsOn(defaults), ...configEntries.map(({ key, value }) => `${key.value} ${contentOf(value)}`), ...providerLines()].join(
      '\n',
    )
  }

  function isDefaultProvider(resource: Node): boolean {
    const written = valueAt(resource, 'defaultProvider')
    const isDefault = written !== undefined && !(written.kind === 'boolean' && !written.value)
    return textOf(valueAt(resource, 'type')) === `pulumi:providers:${brand}` && isDefault
  }

  function isOfProvider(key: string): boolean {
    return key.startsWith(`${brand}:`)
  }

  /** Lines about the provider, and about other sources of the resources, in the files of the project and of its stacks. */
  function providerLines(): readonly string[] {
    const names =
      adjacent?.names().filter((each) => /^Pulumi\.(.+\.)?ya?ml$/.test(each) && each !== scope.slice(scope.lastIndexOf('/') + 1)) ?? []
    return names.toSorted().flatMap((each) => {
      const text = adjacent?.read(each) ?? ''
      const lines = [`${brand}:`, ...(each.startsWith('Pulumi.y') ? ['runtime:'] : [])].flatMap((word) => linesOf(text, word))
      return lines.length > 0 ? [each, ...lines] : []
    })
  }

  function namesIn(node: Node): readonly string[] {
    return textsIn(node).flatMap((text) => (partsOf(text) ?? []).flatMap(({ expression }) => expression ?? []))
  }

  function evaluated(node: Node, depth: number): Node {
    if (partsLeft-- <= 0) {
      const help = 'variables that hold others several times grow fast: write what they come to'
      tooLong ??= shapeProblem(node, `the values of this program have more than ${mostParts} parts`, help)
      return unknownAt(node, 'a value that is too long', `${scope}:${node.start}`)
    }
    if (node.kind === 'text') return interpolated(node, depth)
    if (node.kind === 'list') {
      const items = node.items.map((item) => evaluated(item, depth))
      return listNode(node, items)
    }
    if (node.kind !== 'map') return node
    const call = node.entries.find(({ key }) => key.value.startsWith('fn::'))
    if (call) {
      // The same function with the same arguments, and what the file holds that it reads.
      const argument = evaluated(call.value, depth)
      return unknownAt(node, call.key.value, scope, [call.key.value, contentOf(argument), ...filesIn(argument)].join('\n'))
    }
    const entries = node.entries.map(({ key, value }) => ({ key, value: evaluated(value, depth) }))
    return mapAt(node, entries)
  }

  function interpolated(node: TextNode, depth: number): Node {
    const parts = partsOf(node.value)
    if (!parts) return node
    const [only] = parts
    if (parts.length === 1 && only?.expression !== undefined) {
      const name = nameOf(only.expression)
      if (name !== undefined) return nameAt(node, name, scope)
      const variable = variables.get(only.expression)
      if (variable && depth < mostSteps) return evaluated(variable, depth + 1)
      return unknownAt(node, only.expression, scope, dependsOn([only.expression]))
    }
    if (parts.every(({ expression }) => expression === undefined)) return { ...node, value: parts.map(({ text }) => text).join('') }
    return template(node, parts, scope, dependsOn(parts.flatMap(({ expression }) => expression ?? [])))
  }

  /**
   * The definitions that the values of expressions depend on: resources, variables and configuration, and those that these name
   * in turn.
   */
  function dependsOn(expressions: readonly string[]): string {
    const definitions = new Map<string, string>()
    const open = expressions.map(rootOf)
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (definitions.has(name)) continue
      const nodes = [
        variables.get(name),
        declaredUnder('resources', name),
        declaredUnder('config', name),
        declaredUnder('configuration', name),
      ]
      const written = nodes.flatMap((node) => (node ? [node] : []))
      definitions.set(
        name,
        [...written.map((node) => JSON.stringify(plainValue(node))), ...written.flatMap(filesIn), ...stackLines(name)].join('\n'),
      )
      for (const node of written)
        for (const text of textsIn(node))
          open.push(...(partsOf(text) ?? []).flatMap(({ expression }) => (expression === undefined ? [] : rootOf(expression))))
    }
    return [...definitions]
      .sort(([a], [b]) => compareText(a, b))
      .map((each) => each.join(' '))
      .join('\n')
  }

  function declaredUnder(key: string, name: string): Node | undefined {
    return entriesOf(valueAt(document, key)).find((entry) => entry.key.value === name)?.value
  }

  /** The files of stacks that mention a name of the configuration. */
  function stackLines(name: string): readonly string[] {
    const names = adjacent?.names().filter((each) => /^Pulumi\..+\.ya?ml$/.test(each)) ?? []
    return names.toSorted().flatMap((each) => {
      const text = adjacent?.read(each)
      return text?.includes(name) ? [`${each} ${text}`] : []
    })
  }

  /** The contents of the files that a part names. */
  function filesIn(node: Node): readonly string[] {
    return textsIn(node).flatMap((text) => {
      const isPath = /^[\w./-]+$/.test(text) && /[./]/.test(text)
      const held = isPath ? adjacent?.read(text) : undefined
      return held === undefined ? [] : [`${text} ${held}`]
    })
  }

  /** The name of a group of the program, where an expression is one. */
  function nameOf(expression: string): string | undefined {
    const [resource = '', property, ...rest] = expression.split('.')
    const kind = kinds.get(resource)
    if (!kind || kind === 'policy' || rest.length > 0) return undefined
    // A permissions group has its URN for an id.
    return property === 'urn' || (property === 'id' && kind === 'permissionsGroup') ? `${resource}.urn` : undefined
  }
}

/** That what is deployed is not what the file describes: another language, or another program, gives the resources. */
function programElsewhere(document: Node): Diagnostic | undefined {
  const runtime = valueAt(document, 'runtime')
  if (!runtime) return undefined
  const name = textOf(runtime) ?? textOf(valueAt(runtime, 'name'))
  const compiler = valueAt(runtime, 'options', 'compiler')
  if (name === 'yaml' && !compiler) return undefined
  const what = compiler ? 'a compiler makes the program' : `the runtime is \`${visible((name ?? '').slice(0, 100))}\``
  return shapeProblem(
    runtime,
    `${what}: nothing in \`resources\` of this file is deployed`,
    'remove `resources`, and lint what is deployed: `pulumi preview --json --show-sames > preview.json`',
  )
}

/** The lines that a word is in, with those that are indented beneath them: what a file of YAML says under such keys. */
function linesOf(text: string, word: string): readonly string[] {
  const out: string[] = []
  let depth: number | undefined
  for (const line of text.split(/\r?\n/)) {
    const indent = line.search(/[^ \t]|$/)
    if (line.includes(word)) depth = indent
    else if (line.trim() !== '' && depth !== undefined && indent <= depth) depth = undefined
    if (depth !== undefined && line.trim() !== '') out.push(line.trim())
  }
  return out
}

/** The root name of an expression: the one that its value comes from. */
function rootOf(expression: string): string {
  return /^[^.[]*/.exec(expression)?.[0].trim() ?? ''
}

/** All strings in a part. */
function textsIn(node: Node): readonly string[] {
  const texts: string[] = []
  const open: Node[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind === 'text') texts.push(next.value)
    else if (next.kind === 'list') open.push(...next.items)
    else if (next.kind === 'map') open.push(...next.entries.map(({ value }) => value))
  }
  return texts
}

/** Parts of all values of a program: a few variables that hold one another twice would make more than any memory holds. */
const mostParts = 200_000

const mostSteps = 32

/** A part of a text: written as it is, or an expression. */
interface Part {
  readonly text: string
  readonly expression?: string
  readonly from: number
  readonly to: number
}

/** The parts of a text with `${…}`; `$${` stands for `${`. Undefined where there is neither. */
function partsOf(text: string): readonly Part[] | undefined {
  if (!text.includes('${')) return undefined
  const parts: Part[] = []
  let from = 0
  for (let holeIndex = text.indexOf('${'); holeIndex >= 0; holeIndex = text.indexOf('${', from)) {
    if (text[holeIndex - 1] === '$' && holeIndex > from) {
      parts.push({ text: `${text.slice(from, holeIndex - 1)}\${`, from, to: holeIndex + 2 })
      from = holeIndex + 2
      continue
    }
    const end = text.indexOf('}', holeIndex)
    if (end < 0) break
    if (holeIndex > from) parts.push({ text: text.slice(from, holeIndex), from, to: holeIndex })
    parts.push({ text: text.slice(holeIndex, end + 1), expression: text.slice(holeIndex + 2, end).trim(), from: holeIndex, to: end + 1 })
    from = end + 1
  }
  if (from < text.length) parts.push({ text: text.slice(from), from, to: text.length })
  return parts
}

/** A string with unknown parts. The places of the parts are known where the string is written without escapes. */
function template(node: TextNode, parts: readonly Part[], scope: string, of: string): UnknownNode {
  const pieces: string[] = ['']
  for (const { text, expression } of parts) {
    if (expression === undefined) pieces[pieces.length - 1] += text
    else pieces.push('')
  }
  const { source, start, end, value } = node
  const base = { ...spanOf(node), kind: 'unknown', expression: value, scope, pieces, id: idOf(value, of) } as const
  const raw = source.text.slice(start, end)
  const textStart = raw === value ? start : raw.slice(1, -1) === value ? start + 1 : undefined
  if (textStart === undefined || value.includes('$${')) return base
  const offsets: number[] = []
  const holes: Span[] = []
  for (const { expression, from, to } of parts) {
    if (expression !== undefined) holes.push({ source, start: textStart + from, end: textStart + to })
    else for (let unit = from; unit < to; unit++) offsets.push(textStart + unit)
  }
  return { ...base, offsets, holes }
}
