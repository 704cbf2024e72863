import { type Kind, kindOfTerraform } from '../declared/attributes.ts'
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import { brief, syntaxError } from '../parser/reading.ts'
import { type Source, type Span, sourceOf } from '../source.ts'
import { type UnknownNode, worded } from '../tree.ts'
import { type Budget, evaluate, type Frame, type ModuleNames, mostSteps, noNames, spend } from './evaluate.ts'
import { readExpression } from './json.ts'
import { shapeOfReference } from './kinds.ts'
import { canonical, type Found, meantType } from './policies.ts'
import type { Attribute, Block, Body, Expression, HclFile } from './syntax.ts'
import type { Tools } from './tools.ts'
import { converted, misfit } from './types.ts'
import {
  at,
  Exhausted,
  finished,
  isSet,
  isSpread,
  isUnknown,
  listAt,
  mapAt,
  mark,
  numberAt,
  type ReferenceNode,
  relocated,
  setAt,
  shown,
  sortedEntries,
  textAt,
  textOf,
  unknownAt,
  type Value,
} from './values.ts'

/** The files of a folder that make one module. */
export interface Folder {
  /** Absolute or not, with `/`; the paths of local modules are taken from here. */
  readonly path: string
  /** As people see it. */
  readonly name: string
  /** Configuration files, each read. */
  readonly files: readonly HclFile[]
  /** These are all its files, so that what none of them declares is not declared. */
  readonly isWhole?: boolean
  /** Files with values of variables, in the order in which they count. */
  readonly values: readonly HclFile[]
}

export interface Settings {
  /** What the types of resources begin with: `svc` for `svc_iam_policy`. */
  readonly prefix: string
  /** What functions need from outside; without it, what they give is not known. */
  readonly tools?: Tools
  /** Values of variables of the root module besides those in its folder. */
  readonly assigned?: Assigned
  /** The root may be a module for others to call: what it says of its variables is what holds where a caller says nothing. */
  readonly isModule?: boolean
}

/** Values of variables: those of the environment count less than those in the folder, those in files and given ones more. */
export interface Assigned {
  readonly environment: ReadonlyMap<string, string>
  readonly files: readonly HclFile[]
  readonly given: ReadonlyMap<string, string>
}

/** A resource that is described and never made: as it would be if there were one, with what is not known of that. */
export interface Uncreated extends Found {
  /** Why there is none: `count` is 0. */
  readonly why: string
}

/** What a configuration says, by the file that says it. */
export interface Configuration {
  readonly found: ReadonlyMap<Source, readonly Found[]>
  /** What it describes and makes none of. */
  readonly uncreated: ReadonlyMap<Source, readonly Uncreated[]>
  readonly diagnostics: readonly Diagnostic[]
  /** The folders of the modules that it calls, by their paths, whether or not they have instances. */
  readonly called: ReadonlySet<string>
  /** Calls of local modules of which nothing was read: what they hold may forbid. */
  readonly unread: readonly Diagnostic[]
}

/** Modules within modules. */
const deepestModule = 16
/** Resources of one configuration, each instance counted. */
const mostInstances = 10_000

/** What the files of a folder declare. */
interface Declarations {
  readonly locals: ReadonlyMap<string, Attribute>
  readonly variables: ReadonlyMap<string, Body>
  readonly outputs: ReadonlyMap<string, Body>
  readonly resources: ReadonlyMap<string, Block>
  readonly modules: ReadonlyMap<string, Block>
  readonly diagnostics: readonly Diagnostic[]
}

interface Instance {
  /** `["a"]`, `[0]`, or nothing. */
  readonly key: string
  readonly bound: ReadonlyMap<string, Value>
  readonly perhaps: readonly UnknownNode[]
}

/**
 * The policies of a configuration: of a folder and the local modules that it calls. `folders`: every folder that may be
 * called, by its path. What is not known stays unknown; never throws.
 */
export function readConfiguration(
  root: Folder,
  folders: ReadonlyMap<string, Folder>,
  { prefix, tools = {}, assigned, isModule = false }: Settings,
): Configuration {
  const budget: Budget = { left: mostSteps, depth: 0 }
  const found = new Map<Source, Found[]>()
  const uncreated = new Map<Source, Uncreated[]>()
  const problems = new Map<string, Diagnostic>()
  const declared = new Map<Folder, Declarations>()
  const called = new Set<string>()
  const unread = new Map<string, Diagnostic>()
  let instances = 0
  const report = (problem: Diagnostic) => {
    const { code, message, span } = problem
    problems.set(`${code} ${span.source.path} ${span.start} ${message}`, problem)
  }
  try {
    readModule(root, '', undefined, [], [], undefined)
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    report(
      syntaxError(error.span.source, error.span.start, error.span.end, error.message, 'split the configuration, or write what it comes to'),
    )
  }
  return { found, uncreated, diagnostics: [...problems.values()].sort(compareDiagnostics), called, unread: [...unread.values()] }

  function declarationsOf(folder: Folder): Declarations {
    const known = declared.get(folder)
    if (known) return known
    const declarations = declarationsIn(folder)
    for (const problem of declarations.diagnostics) report(problem)
    declared.set(folder, declarations)
    return declarations
  }

  /** Read the policies of a module; its names are what others may ask of it. `never`: why there is no instance of it at all. */
  function readModule(
    folder: Folder,
    prefixOf: string,
    inputs: ((name: string) => Value | undefined) | undefined,
    callers: readonly Folder[],
    perhaps: readonly UnknownNode[],
    never: string | undefined,
  ): (name: string, span: Span) => Value | undefined {
    const declarations = declarationsOf(folder)
    const scope = root.name
    const values = inputs ? undefined : givenValues(folder)
    const memo = new Map<string, Value | 'open'>()
    const children = new Map<
      string,
      readonly { readonly instance: Instance; readonly output: (name: string, span: Span) => Value | undefined }[] | 'open' | undefined
    >()

    const names: ModuleNames = {
      prefix: prefixOf,
      local: (name, span) => {
        const attribute = declarations.locals.get(name)
        if (!attribute) undeclared('local', name, span, [...declarations.locals.keys()])
        return attribute && once(`local.${name}`, attribute.nameSpan, () => evaluate(attribute.value, frame))
      },
      variable: (name, span) => {
        const body = declarations.variables.get(name)
        if (!body) undeclared('var', name, span, [...declarations.variables.keys()])
        return body && once(`var.${name}`, body.attributes[0]?.nameSpan, () => variableValue(name, body))
      },
      child: (name, span) => {
        const block = declarations.modules.get(name)
        if (!block) return undefined
        const address = `${prefixOf}module.${name}`
        const called = calledModule(name, block)
        if (!called) return undefined
        return collected(
          block,
          span,
          called.map(({ instance, output }) => ({
            instance,
            value: reference(span, address + instance.key, ['module', name], scope, output),
          })),
        )
      },
      resource: (type, name, span) => {
        const block = declarations.resources.get(`${type}.${name}`)
        if (!block || kindOfTerraform(type, prefix) === undefined) return undefined
        const address = `${prefixOf}${type}.${name}`
        return collected(
          block,
          span,
          instancesOf(block).map((instance) => ({
            instance,
            value: reference(span, address + instance.key, [type, name], scope),
          })),
        )
      },
      shapeOf: (address) => shapeOfReference(address, prefix),
      path: (name) => (name === 'root' ? '.' : name === 'module' ? pathBetween(root.path, folder.path) : undefined),
      place: (path) => (/^[/~]|\\|\0/.test(path) ? undefined : joinPath(root.path, path)),
      isNamed: (type) => kindOfTerraform(type, prefix) === 'resourceGroup' || kindOfTerraform(type, prefix) === 'permissionsGroup',
    }
    const frame: Frame = { names, bound: new Map(), scope, budget, tools }

    for (const [name, block] of declarations.modules) calledModule(name, block)
    for (const [address, block] of declarations.resources) {
      const kind = kindOfTerraform(block.labels[0] ?? '', prefix)
      if (kind) readResource(address, block, kind)
      const meant = meantType(block.labels[0] ?? '', prefix)
      if (meant)
        report(
          shapeError(
            block.head,
            `\`${visible(brief(block.labels[0] ?? ''))}\` is no type of resources that is known here`,
            `did you mean \`${meant}\`?`,
          ),
        )
    }
    return (name, span) => {
      const body = declarations.outputs.get(name)
      const value = body?.attributes.find((each) => each.name === 'value')
      return value && once(`output ${name}`, span, () => evaluate(value.value, frame))
    }

    /** Tell that a name is one of nothing: no such configuration is applied. */
    function undeclared(kind: 'local' | 'var', name: string, span: Span, known: readonly string[]): void {
      if (!folder.isWhole || folder.files.some(({ body }) => body === undefined)) return
      const near = nearest(name, known)
      const where = kind === 'var' ? `a block \`variable "${visible(brief(name))}"\`` : 'a block `locals`'
      report(
        syntaxError(
          span.source,
          span.start,
          span.end,
          `\`${kind}.${visible(brief(name))}\` is declared nowhere in this folder: no such configuration is applied`,
          near ? `did you mean \`${kind}.${near}\`?` : `declare it in ${where}`,
        ),
      )
    }

    /** The value of something that has one; what is made from itself has none. */
    function once(name: string, span: Span | undefined, value: () => Value): Value {
      const known = memo.get(name)
      if (known === 'open') {
        if (span)
          report(
            syntaxError(
              span.source,
              span.start,
              span.end,
              `\`${visible(brief(name))}\` is made from itself`,
              'no value can come of it: name one of its parts differently',
            ),
          )
        return unknownAt(span ?? { source: root.files[0]?.source as Source, start: 0, end: 0 }, `${prefixOf}${name}`, scope)
      }
      if (known) return known
      memo.set(name, 'open')
      const result = value()
      memo.set(name, result)
      return result
    }

    function variableValue(name: string, body: Body): Value {
      const attribute = (word: string) => body.attributes.find((each) => each.name === word)
      const type = attribute('type')?.value
      const isSecret = attribute('sensitive')?.value
      const place = attribute('default') ?? body.attributes[0]
      const unknown = () => unknownAt(place ?? bodySpan(body, folder), `${prefixOf}var.${name}`, scope)
      if (isSecret && evaluate(isSecret, frame).kind === 'boolean') {
        const told = evaluate(isSecret, frame)
        if (told.kind === 'boolean' && told.value) return unknown()
      }
      const given = inputs
        ? inputs(name)
        : (written(assigned?.given.get(name), name, body) ?? values?.get(name) ?? written(assigned?.environment.get(name), name, body))
      const fallback = attribute('default')
      const value = given ?? (fallback && evaluate(fallback.value, frame))
      if (value === undefined) return unknown()
      // What is left out unless somebody gives it: whoever calls the module gives what it needs, and may give this as well.
      if (value.kind === 'null' && !given && !inputs && isModule) return unknown()
      if (value.kind === 'null' && fallback && given) {
        const nullable = attribute('nullable')
        const told = nullable && evaluate(nullable.value, frame)
        if (told?.kind === 'boolean' && !told.value) return converted(evaluate(fallback.value, frame), type, frame)
      }
      const result = converted(value, type, frame)
      const expected = given && !inputs ? misfit(result, type) : undefined
      if (expected === undefined) return result
      report(
        shapeError(
          place ?? bodySpan(body, folder),
          `the value that is given for \`var.${visible(brief(name))}\` is not of its type: ${expected} is expected`,
          'give one that is; no configuration is applied with this one',
        ),
      )
      return unknown()
    }

    /** A value that is given as a text: a text where the variable is of a simple type, or of none, else an expression. */
    function written(text: string | undefined, name: string, body: Body): Value | undefined {
      if (text === undefined) return undefined
      const place = bodySpan(body, folder)
      const type = body.attributes.find((each) => each.name === 'type')?.value
      if (!type || (type.kind === 'name' && simple.has(type.name))) return textAt(place, text)
      const expression = readExpression(sourceOf(place.source.path, text, place.source.notation))
      const value = expression && evaluate(expression, { names: noNames, bound: new Map(), scope, budget })
      if (value && !isUnknown(value)) return relocated(value, place)
      report(
        shapeError(
          place,
          `the value that is given for \`var.${visible(brief(name))}\` is no value of HCL: \`${visible(brief(text))}\``,
          'its type is not a simple one, so that it is read as an expression: put texts in quotes and lists in brackets',
        ),
      )
      return undefined
    }

    function givenValues(from: Folder): ReadonlyMap<string, Value> {
      const given = new Map<string, Value>()
      const plain: Frame = { names: noNames, bound: new Map(), scope, budget }
      for (const { body } of [...from.values, ...(assigned?.files ?? [])])
        for (const { name, value } of body?.attributes ?? []) given.set(name, evaluate(value, plain))
      return given
    }

    /** The instances of a block by its `count` or `for_each`. */
    function instancesOf(block: Block): readonly Instance[] {
      const count = block.body.attributes.find((each) => each.name === 'count')
      const forEach = block.body.attributes.find((each) => each.name === 'for_each')
      if (count) return counted(count.value)
      if (forEach) return eachOf(forEach.value)
      return [{ key: '', bound: new Map(), perhaps: [] }]
    }

    function counted(expression: Expression): readonly Instance[] {
      const value = evaluate(expression, frame)
      const instance = (key: string, index: Value, missing: readonly UnknownNode[]): Instance => ({
        key,
        bound: new Map([['count', mapAt(expression, [{ key: textAt(expression, 'index'), value: index }])]]),
        perhaps: missing,
      })
      if (isUnknown(value)) {
        const fact = { ...value, ...at(expression) }
        // `x ? 1 : 0`: there is at most one.
        if (isSwitch(expression)) return [instance('[0]', numberAt(expression, 0), [fact])]
        const one = mark('count', prefixOf, value.expression)
        return [instance(`[count.index${one}]`, unknownAt(expression, `count.index${one}`, scope), [fact])]
      }
      const told = Number(textOf(value))
      if (!Number.isInteger(told) || told < 0) {
        report(shapeError(expression, `\`count\` is \`${visible(brief(worded(shown(value))))}\`, where a whole number is expected`))
        return []
      }
      admit(told, expression)
      return Array.from({ length: told }, (_, i) => instance(`[${i}]`, numberAt(expression, i), []))
    }

    function eachOf(expression: Expression): readonly Instance[] {
      const value = evaluate(expression, frame)
      const instance = (key: Value, each: Value, missing: readonly UnknownNode[]): Instance => ({
        key: `[${shown(key)}]`,
        bound: new Map([
          [
            'each',
            mapAt(expression, [
              { key: textAt(expression, 'key'), value: key },
              { key: textAt(expression, 'value'), value: each },
            ]),
          ],
        ]),
        perhaps: missing,
      })
      const open = (fact: UnknownNode, pieces?: UnknownNode) => {
        // The same key for all that goes through the same: what is named by a key is what is described under it.
        const one = mark('each', prefixOf, fact.expression)
        const name = (word: string) => {
          const node = unknownAt(expression, `each.${word}${one}`, scope)
          return pieces?.pieces.some((piece) => piece !== '') ? { ...node, pieces: pieces.pieces } : node
        }
        return instance(name('key'), name('value'), [{ ...fact, ...at(expression) }])
      }
      if (isUnknown(value)) return [open(value)]
      if (value.kind === 'map') {
        admit(value.entries.length, expression)
        return sortedEntries(value).map((entry) => instance(entry.key, entry.value, []))
      }
      if (value.kind !== 'list') {
        report(shapeError(expression, `\`for_each\` goes through a map or a set of texts, not \`${visible(brief(worded(shown(value))))}\``))
        return []
      }
      if (!isSet(value))
        report(
          shapeError(
            expression,
            '`for_each` does not go through a list, in which one item may stand twice',
            'make a set of it: `toset(…)`',
          ),
        )
      admit(value.items.length, expression)
      return setAt(expression, value.items).items.map((item) => (isSpread(item) ? open(item, item) : instance(item, item, [])))
    }

    function admit(count: number, span: Span): void {
      spend(budget, count, span)
      if (count > mostInstances) throw new Exhausted(span, `more than ${mostInstances} instances`)
    }

    /** The instance that a block would have if it had any, and why it has none; undefined where it has some, or what it says is wrong. */
    function absent(block: Block): { readonly instance: Instance; readonly why: string } | undefined {
      const count = block.body.attributes.find((each) => each.name === 'count')
      const expression = (count ?? block.body.attributes.find((each) => each.name === 'for_each'))?.value
      if (!expression) return undefined
      const value = evaluate(expression, frame)
      // Of the block alone: nothing is gone through.
      const one = mark('none', prefixOf, block.source.path, String(block.start))
      const names = count ? ['index'] : ['key', 'value']
      const bound = mapAt(
        expression,
        names.map((name) => ({
          key: textAt(expression, name),
          value: unknownAt(expression, `${count ? 'count' : 'each'}.${name}${one}`, scope),
        })),
      )
      const instance: Instance = { key: '', bound: new Map([[count ? 'count' : 'each', bound]]), perhaps: [] }
      if (count) return textOf(value) === '0' ? { instance, why: '`count` is 0' } : undefined
      const size = value.kind === 'map' ? value.entries.length : value.kind === 'list' ? value.items.length : undefined
      return size === 0 ? { instance, why: '`for_each` is empty' } : undefined
    }

    /** What a name with instances stands for: itself, or all of them by their keys. */
    function collected(
      block: Block,
      span: Span,
      all: readonly { readonly instance: Instance; readonly value: ReferenceNode }[],
    ): Value | undefined {
      if (all.some(({ instance }) => instance.key === '')) return all[0]?.value
      if (all.some(({ instance }) => instance.perhaps.length > 0)) {
        // One that is there or not goes by its own key; of others nobody knows how many there are.
        const [only] = all
        return all.length === 1 && only?.instance.key === '[0]' ? listAt(span, [only.value]) : undefined
      }
      const isCounted = block.body.attributes.some((each) => each.name === 'count')
      if (isCounted)
        return listAt(
          span,
          all.map(({ value }) => value),
        )
      return mapAt(
        span,
        all.flatMap(({ instance, value }) => {
          const each = instance.bound.get('each')
          const key = each?.kind === 'map' ? each.entries[0]?.value : undefined
          return key?.kind === 'text' ? [{ key, value }] : []
        }),
      )
    }

    function calledModule(name: string, block: Block) {
      const known = children.get(name)
      if (known === 'open') return undefined
      if (known || children.has(name)) return known
      children.set(name, 'open')
      const called = callModule(name, block)
      children.set(name, called)
      return called
    }

    function callModule(name: string, block: Block) {
      const attribute = block.body.attributes.find((each) => each.name === 'source')
      const written = attribute && evaluate(attribute.value, frame)
      // What comes from elsewhere is not known.
      if (written?.kind !== 'text' || !/^\.\.?(\/|$)/.test(written.value)) return undefined
      const path = joinPath(folder.path, written.value)
      called.add(path)
      const target = folders.get(path)
      if (!target || target.files.length === 0) {
        unread.set(
          `${written.source.path} ${written.start}`,
          syntaxError(
            written.source,
            written.start,
            written.end,
            `the module \`${visible(brief(written.value))}\` is not among what is read: what it allows and forbids is not known`,
            'name a folder that holds both, of the commit that is meant, or run where the repository of both is',
          ),
        )
        return undefined
      }
      if (target === folder || callers.includes(target)) {
        report(
          syntaxError(
            written.source,
            written.start,
            written.end,
            'this module calls itself',
            'a module that holds itself has no end: remove this call',
          ),
        )
        return undefined
      }
      if (callers.length >= deepestModule) {
        report(syntaxError(written.source, written.start, written.end, `more than ${deepestModule} modules inside one another`))
        return undefined
      }
      const read = (instance: Instance, why: string | undefined) => {
        instances++
        if (instances > mostInstances) throw new Exhausted(block.head, `more than ${mostInstances} modules and resources`)
        const inner: Frame = { ...frame, bound: instance.bound }
        const given = (input: string) => {
          const found = block.body.attributes.find((each) => each.name === input)
          return found && once(`module.${name}${instance.key}.${input}`, found.nameSpan, () => evaluate(found.value, inner))
        }
        const output = readModule(
          target,
          `${prefixOf}module.${name}${instance.key}.`,
          given,
          [...callers, folder],
          [...perhaps, ...instance.perhaps],
          why,
        )
        return { instance, output }
      }
      const all = instancesOf(block)
      const none = all.length === 0 ? absent(block) : undefined
      if (none) read(none.instance, never ?? none.why.replace(' is', ` of \`${brief(worded(`${prefixOf}module.${name}`))}\` is`))
      return all.map((instance) => read(instance, never))
    }

    function readResource(address: string, block: Block, kind: Kind): void {
      const all = instancesOf(block)
      const none = all.length === 0 ? absent(block) : undefined
      const why = never ?? none?.why
      for (const instance of none ? [none.instance] : all) {
        instances++
        if (instances > mostInstances) throw new Exhausted(block.head, `more than ${mostInstances} modules and resources`)
        const inner: Frame = { ...frame, bound: instance.bound }
        const missing = [...perhaps, ...instance.perhaps]
        const urn = reference(block.head, `${prefixOf}${address}${instance.key}.urn`, [], scope)
        const node = canonical(block, kind, inner, { ...urn, isName: true }, report)
        const record: Found = {
          kind,
          node: finished(missing.length > 0 ? { ...node, perhaps: missing } : node),
          address: worded(`${prefixOf}${address}${instance.key}`),
          head: at(block.head),
        }
        if (why === undefined) addTo(found, block.source, record)
        else addTo(uncreated, block.source, { ...record, why })
      }
    }
  }

  function reference(
    span: Span,
    expression: string,
    address: readonly string[],
    scope: string,
    member?: (name: string, span: Span) => Value | undefined,
  ): ReferenceNode {
    return { ...unknownAt(span, expression, scope), address, ...(member && { member }) }
  }
}

function addTo<T>(lists: Map<Source, T[]>, source: Source, item: T): void {
  const list = lists.get(source) ?? []
  lists.set(source, list)
  list.push(item)
}

/** A configuration that is never applied: all that it describes is made zero times. */
export function neverApplied({ found, uncreated, ...rest }: Configuration, why: string): Configuration {
  const all = new Map<Source, Uncreated[]>([...uncreated].map(([source, list]) => [source, [...list]]))
  for (const [source, list] of found) for (const record of list) addTo(all, source, { ...record, why })
  return { ...rest, found: new Map(), uncreated: all }
}

/** Types whose values are given as they are, without quotes. */
const simple: ReadonlySet<string> = new Set(['string', 'number', 'bool'])

function bodySpan({ attributes, blocks }: Body, { files }: Folder): Span {
  return attributes[0] ?? blocks[0] ?? { source: files[0]?.source as Source, start: 0, end: 0 }
}

/** `… ? 1 : 0`, or the other way round. */
function isSwitch(expression: Expression): boolean {
  if (expression.kind !== 'conditional') return false
  return [expression.yes, expression.no].every((each) => each.kind === 'literal' && (each.value === 0 || each.value === 1))
}

export function shapeError(span: Span, message: string, help?: string): Diagnostic {
  return { code: 'shape', severity: 'error', message, span: at(span), ...(help !== undefined && { help }) }
}

/** A path from a folder, without `.` and `..` in it. */
export function joinPath(folder: string, path: string): string {
  const isAbsolute = folder.startsWith('/')
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || !isAbsolute) parts.push(part)
  }
  return (isAbsolute ? '/' : '') + parts.join('/')
}

/** The path from one folder to another, as the tool writes it. */
function pathBetween(from: string, to: string): string {
  const [a, b] = [from, to].map((path) => path.split('/').filter((part) => part !== '')) as [string[], string[]]
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  const parts = [...a.slice(shared).map(() => '..'), ...b.slice(shared)]
  return parts.length === 0 ? '.' : parts.join('/')
}

const overrideName = /(^|[/\\_])override\.(tf|tofu)(\.json)?$/

/** The blocks of a folder's files by what they declare; those of override files over the others. */
function declarationsIn({ files }: Folder): Declarations {
  const diagnostics: Diagnostic[] = []
  const locals = new Map<string, Attribute>()
  const maps = {
    variable: new Map<string, Body>(),
    output: new Map<string, Body>(),
    resource: new Map<string, Block>(),
    module: new Map<string, Block>(),
  }
  const isOver = ({ source }: HclFile) => overrideName.test(source.path)
  const ordered = [...files.filter((file) => !isOver(file)), ...files.filter(isOver)]
  const heads = new Map<string, Span>()
  for (const file of ordered) {
    for (const block of file.body?.blocks ?? []) {
      if (block.type === 'locals') {
        for (const attribute of block.body.attributes)
          declare(`local.${attribute.name}`, attribute.nameSpan, file, () => locals.set(attribute.name, attribute))
        continue
      }
      const { type, labels } = block
      const name = labels.join('.')
      if (type === 'variable' || type === 'output')
        declare(`${type === 'variable' ? 'var' : 'output'}.${name}`, block.head, file, () =>
          maps[type].set(name, over(maps[type].get(name), block.body)),
        )
      else if (type === 'resource' || type === 'module')
        declare(
          name,
          block.head,
          file,
          () => {
            const before = maps[type].get(name)
            maps[type].set(name, before ? { ...before, body: over(before.body, block.body) } : block)
          },
          `${type} ${name}`,
        )
    }
  }
  return { locals, variables: maps.variable, outputs: maps.output, resources: maps.resource, modules: maps.module, diagnostics }

  function declare(name: string, span: Span, file: HclFile, add: () => void, key = name): void {
    const before = heads.get(key)
    if (before && !isOver(file)) {
      diagnostics.push({
        ...syntaxError(
          span.source,
          span.start,
          span.end,
          `\`${visible(brief(name))}\` is declared twice: no such configuration is applied`,
          'give one of them another name',
        ),
        related: [{ message: 'first declared here', span: at(before) }],
      })
      return
    }
    heads.set(key, span)
    add()
  }
}

/** A body with what another one says in its place. */
function over(body: Body | undefined, other: Body): Body {
  if (!body) return other
  const names = new Set(other.attributes.map(({ name }) => name))
  const types = new Set(other.blocks.map(({ type }) => type))
  return {
    attributes: [...body.attributes.filter(({ name }) => !names.has(name)), ...other.attributes],
    blocks: [...body.blocks.filter(({ type }) => !types.has(type)), ...other.blocks],
  }
}
