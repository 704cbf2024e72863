import { madeIn } from '../collections.ts'
import { type Assumption, distinctAssumptions } from '../coverage.ts'
import { groupAttributesOf, type Kind, kindOfTerraform } from '../declared/attributes.ts'
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import { shapeErrorAt, shortened, syntaxErrorAt } from '../parser/reading.ts'
import type { Membership } from '../policy.ts'
import type { Source, Span } from '../source.ts'
import { readableName, type UnknownNode, unknownsIn } from '../tree.ts'
import type { Bodies } from './around.ts'
import { converted, typeFrom, typeMismatch, unknownOf } from './convert.ts'
import { attributeOf, type Declarations, DeclaredFolders, type Folder } from './declarations.ts'
import { evaluate } from './evaluate.ts'
import { type Budget, type Frame, type ModuleNames, mostSteps, noNames, type Report } from './frame.ts'
import { appliedValue, membershipsIn, nameAttribute } from './identities.ts'
import { Inputs, type Site } from './inputs.ts'
import { absentInstance, type Instance, instancesOf, instancesValue, mostInstances } from './instances.ts'
import { readExpression } from './json.ts'
import { shapeOfReference } from './kinds.ts'
import { joinPath, pathBetween } from './paths.ts'
import { canonical, type FoundResource, similarType, taggedResource } from './policies.ts'
import { type InstalledModule, isExact, isLocalSource, isUnpackedOf, keyOfCall, unreadPolicy } from './remote.ts'
import type { Block, Body, Expression, HclFile } from './syntax.ts'
import type { Tools } from './tools.ts'
import type { ReferenceNode, Value } from './types.ts'
import { atSpan, Exhausted, mark, printValue, spanOf, textNode, textOf, unknownAt, withoutMarks } from './values.ts'

export type { Folder } from './declarations.ts'

export interface Settings {
  /** The prefix of resource types: `svc` for `svc_iam_policy`. */
  readonly prefix: string
  /** The tools of functions; without one, the results that need it are unknown. */
  readonly tools?: Tools
  /** Values of variables of the root module in addition to those in its folder. */
  readonly assigned?: Assigned
  /** Modules from elsewhere that are unpacked here, by their calls: `iam`, and `team.iam` for one that `team` calls. */
  readonly unpacked?: ReadonlyMap<string, InstalledModule>
  /** Whether the user says of a source that the modules of it hold no policies. */
  readonly holdsNone?: (source: string) => boolean
  /** Files around configurations that were parsed: see `Around`. */
  readonly bodies?: Bodies
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
export interface UncreatedResource extends FoundResource {
  /** Why there is none: `count` is 0. */
  readonly why: string
}

/** The content of a configuration, by source file. */
export interface Configuration {
  readonly found: ReadonlyMap<Source, readonly FoundResource[]>
  /** Resources that it describes and creates none of. */
  readonly uncreated: ReadonlyMap<Source, readonly UncreatedResource[]>
  /** Users, and the groups that it puts them into. */
  readonly memberships: ReadonlyMap<Source, readonly Membership[]>
  readonly diagnostics: readonly Diagnostic[]
  /** The folders of the modules that it calls, by their paths, whether or not they have instances. */
  readonly called: ReadonlySet<string>
  /** Those of which there are instances, or may be. */
  readonly made: ReadonlySet<string>
  /** Another program than that of the configuration deploys it, as far as files say. */
  readonly isDeployed: boolean
  /** Calls of local modules of which nothing was read: they may hold the deny. */
  readonly unread: readonly Diagnostic[]
  /** Assumptions. */
  readonly assumptions: readonly Assumption[]
}

const deepestModule = 16

interface Run {
  readonly root: Folder
  readonly folders: ReadonlyMap<string, Folder>
  readonly settings: Settings
  readonly tools: Tools
  readonly budget: Budget
  readonly found: Map<Source, FoundResource[]>
  readonly uncreated: Map<Source, UncreatedResource[]>
  readonly memberships: Map<Source, Membership[]>
  readonly report: Report
  readonly called: Set<string>
  readonly made: Set<string>
  readonly unread: Map<string, Diagnostic>
  readonly assumptions: Assumption[]
  readonly inputs: Inputs
  instances: number
}

interface Call {
  readonly prefix: string
  /** The names of the calls that lead here, without those of instances: `team.iam`; '' for the root. */
  readonly key: string
  readonly site: Site
  /** The caller's value of a variable; none for the root. */
  readonly inputs?: (name: string) => Value | undefined
  readonly callers: readonly Folder[]
  readonly perhaps: readonly UnknownNode[]
  /** Why there is no instance of it at all. */
  readonly never: string | undefined
}

/** The outputs of a module, by their names. */
type Output = (name: string, span: Span) => Value | undefined
type CalledModule = readonly { readonly instance: Instance; readonly output: Output }[]

/** The policies of a folder and the local modules that it calls. `folders`: those that may be called, by path. Never throws. */
export function readConfiguration(root: Folder, folders: ReadonlyMap<string, Folder>, settings: Settings): Configuration {
  const problems = new Map<string, Diagnostic>()
  const report = (problem: Diagnostic) => {
    const { code, message, span } = problem
    problems.set(keyOf(code, span.source.path, span.start, message), problem)
  }
  const { environment, given, files = [] } = settings.assigned ?? {}
  const declared = new DeclaredFolders(report)
  const inputs = new Inputs({
    root,
    folders,
    declared,
    files: settings.tools?.files,
    bodies: settings.bodies ?? new Map(),
    given: [given, environment].flatMap((values) => values ?? []),
    values: files,
    prefix: settings.prefix,
  })
  const run: Run = {
    root,
    folders,
    settings,
    tools: settings.tools ?? {},
    budget: { left: mostSteps, depth: 0 },
    found: new Map(),
    uncreated: new Map(),
    memberships: new Map(),
    report,
    inputs,
    called: new Set(),
    made: new Set(),
    unread: new Map(),
    assumptions: [],
    instances: 0,
  }
  try {
    const site: Site = { folder: root, declarations: declared.of(root) }
    new ModuleReader(run, root, { prefix: '', key: '', site, callers: [], perhaps: [], never: undefined }).read()
    addGenerated(run)
    // Values are given to variables of the root, and to nothing else.
    if (inputs.isCut() && site.declarations.variables.size > 0) run.assumptions.push(notAllAround)
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    report(syntaxErrorAt(error.span, error.message, 'split the configuration, or write what it comes to'))
  }
  const { found, uncreated, memberships, called, made, unread, assumptions } = run
  return {
    found,
    uncreated,
    memberships,
    diagnostics: [...problems.values()].sort(compareDiagnostics),
    called,
    made,
    isDeployed: inputs.isDeployed(),
    unread: [...unread.values()],
    assumptions: distinctAssumptions(assumptions),
  }
}

/** Reads one module, as it is called in one place. */
class ModuleReader {
  private readonly run: Run
  private readonly folder: Folder
  private readonly call: Call
  private readonly scope: string
  private readonly declarations: Declarations
  private readonly frame: Frame
  /** Values of variables in files; undefined where a caller gives them. */
  private readonly values: ReadonlyMap<string, Value> | undefined
  private readonly memo = new Map<string, Value | 'open'>()
  private readonly instances = new Map<Block, readonly Instance[]>()
  private readonly children = new Map<string, CalledModule | 'open' | undefined>()

  constructor(run: Run, folder: Folder, call: Call) {
    this.run = run
    this.folder = folder
    this.call = call
    this.scope = run.root.name
    this.declarations = call.site.declarations
    this.frame = { names: this.names(), bound: new Map(), scope: this.scope, budget: run.budget, tools: run.tools, report: run.report }
    this.values = call.inputs ? undefined : this.valuesInFiles()
  }

  read(): Output {
    const { prefix } = this.run.settings
    for (const [name, block] of this.declarations.modules) this.calledModule(name, block)
    for (const [address, block] of this.declarations.resources) {
      const type = block.labels[0] ?? ''
      const kind = kindOfTerraform(type, prefix)
      if (kind) this.readResource(address, block, kind)
      if (type === `${prefix}_iam_resource_tags`) this.readTags(address, block)
      if (groupAttributesOf(type, prefix)) this.readMembers(address, block)
      const meant = similarType(type, prefix)
      const message = `\`${visible(shortened(type))}\` is no type of resources that is known here`
      if (meant) this.run.report(shapeErrorAt(block.head, message, `did you mean \`${meant}\`?`))
    }
    return (name, span) => {
      const body = this.declarations.outputs.get(name)
      const value = body && attributeOf(body, 'value')
      return value && this.once(`output ${name}`, span, () => evaluate(value.value, this.frame))
    }
  }

  private names(): ModuleNames {
    const { run, folder, declarations } = this
    const { locals, variables, modules, resources } = declarations
    const { prefix } = run.settings
    return {
      prefix: this.call.prefix,
      local: (name, span) => {
        const attribute = locals.get(name)
        if (!attribute) this.undeclared('local', name, span, [...locals.keys()])
        return attribute && this.once(`local.${name}`, attribute.nameSpan, () => evaluate(attribute.value, this.frame))
      },
      variable: (name, span) => {
        const body = variables.get(name)
        if (!body) this.undeclared('var', name, span, [...variables.keys()])
        return body && this.once(`var.${name}`, body.attributes[0]?.nameSpan, () => this.variableValue(name, body))
      },
      child: (name, span) => {
        const block = modules.get(name)
        if (!block) return undefined
        const all = this.calledModule(name, block)?.map(({ instance, output }) => {
          const value: ReferenceNode = { ...this.reference(span, `module.${name}${instance.key}`, ['module', name]), member: output }
          return { instance, value }
        })
        return all && instancesValue(block, span, all)
      },
      resource: (type, name, span) => {
        const block = resources.get(`${type}.${name}`)
        const naming = nameAttribute(type, prefix)
        if (!block || (naming === undefined && kindOfTerraform(type, prefix) === undefined)) return undefined
        const all = this.instancesOf(block).map((instance) => {
          const address = [type, name]
          const inputs = (naming && run.inputs.markOf(this.call.site, address)) ?? ''
          const value = this.reference(span, `${type}.${name}${inputs}${instance.key}`, address)
          return { instance, value: naming === undefined ? value : this.namedReference(value, block, naming, instance) }
        })
        return instancesValue(block, span, all)
      },
      shapeOf: (address) => shapeOfReference(address, prefix),
      path: (name) => (name === 'root' ? '.' : name === 'module' ? pathBetween(run.root.path, folder.path) : undefined),
      place: (path) => (/^[/~]|\\|\0/.test(path) ? undefined : joinPath(run.root.path, path)),
      inputs: (names) => run.inputs.markOf(this.call.site, names),
      isNamed: (type) => ['resourceGroup', 'permissionsGroup'].includes(kindOfTerraform(type, prefix) ?? ''),
    }
  }

  private reference(span: Span, address: string, names: readonly string[]): ReferenceNode {
    return { ...unknownAt(span, this.call.prefix + address, this.scope), address: names }
  }

  /** A reference to a user or a group: its name is known where it is written. */
  private namedReference(reference: ReferenceNode, { body, head }: Block, naming: string, { bound }: Instance): ReferenceNode {
    const address = reference.expression
    const isWritten = attributeOf(body, naming) !== undefined
    const nameOf = (): Value =>
      this.once(`${address}.${naming}`, head, () => {
        const value = appliedValue(body, naming, { ...this.frame, bound }, address)
        return value ?? unknownAt(head, `${address}.${naming}`, this.scope)
      })
    return {
      ...reference,
      member: (name) => (name === naming && isWritten ? nameOf() : undefined),
      called: () => (isWritten ? textOf(nameOf()) : undefined),
    }
  }

  private instancesOf(block: Block): readonly Instance[] {
    return madeIn(this.instances, block, () => instancesOf(block, this.frame, this.run.report))
  }

  /** Reports that nothing has a name: no such configuration is applied. */
  private undeclared(kind: 'local' | 'var', name: string, span: Span, names: readonly string[]): void {
    if (!this.folder.isWhole || this.folder.files.some(({ body }) => body === undefined)) return
    const suggested = nearest(name, names)
    const where = kind === 'var' ? `a block \`variable "${visible(shortened(name))}"\`` : 'a block `locals`'
    const message = `\`${kind}.${visible(shortened(name))}\` is declared nowhere in this folder: no such configuration is applied`
    this.run.report(syntaxErrorAt(span, message, suggested ? `did you mean \`${kind}.${suggested}\`?` : `declare it in ${where}`))
  }

  /** The value of something that has one; what is made from itself has none. */
  private once(name: string, span: Span | undefined, value: () => Value): Value {
    const { memo, run } = this
    const remembered = memo.get(name)
    if (remembered === 'open') {
      const help = 'no value can come of it: name one of its parts differently'
      if (span) run.report(syntaxErrorAt(span, `\`${visible(shortened(name))}\` is made from itself`, help))
      return unknownAt(span ?? startOf(run.root), this.call.prefix + name, this.scope)
    }
    if (remembered) return remembered
    memo.set(name, 'open')
    const result = value()
    memo.set(name, result)
    return result
  }

  private variableValue(name: string, body: Body): Value {
    const { run, call, frame } = this
    const type = typeFrom(attributeOf(body, 'type')?.value, (each) => evaluate(each, frame))
    const fallback = attributeOf(body, 'default')
    const place = fallback ?? body.attributes[0] ?? this.bodySpan(body)
    const isSecret = this.flag(body, 'sensitive') === true
    const assigned = isSecret ? undefined : call.inputs ? call.inputs(name) : this.assignedValue(name, body)
    // Of one that is given nowhere, what is known is its name, and the files that may give it.
    const isWritten = isSecret || fallback || assigned || run.inputs.mayBeGiven(call.site, name)
    // A file that may be named when it is applied gives another one: which of them applies is not known here.
    const elsewhere =
      isSecret || call.inputs || this.isChosen() ? [] : run.inputs.givenElsewhere(call.site, name, this.taken(name) ?? fallback?.value)
    const source = () => (isWritten ? run.inputs.markOfVariable(call.site, name) : '')
    const unknown = () => unknownOf(unknownAt(place, `${call.prefix}var.${name}${source()}`, this.scope), type)
    if (isSecret) return unknown()
    if (elsewhere.length > 0) {
      if (fallback || assigned) this.assumeGiven(name, elsewhere, place)
      return unknown()
    }
    // Absent unless it is given: a caller of the module that gives the required values may give this as well.
    const isNothing = assigned?.kind === 'null' && fallback && this.flag(body, 'nullable') === false
    const isGiven = assigned !== undefined && !isNothing
    const value = isGiven ? assigned : fallback && evaluate(fallback.value, frame)
    if (value === undefined || (value.kind === 'null' && !assigned && !call.inputs && run.settings.isModule)) return unknown()
    const result = converted(value, type)
    if (result !== undefined) return result
    const what = isGiven
      ? `the value that is given for \`var.${visible(shortened(name))}\``
      : `the default of \`var.${visible(shortened(name))}\``
    const message = `${what} is not of its type: ${typeMismatch(value, type)} is expected`
    const span = isGiven && !call.inputs ? place : value
    run.report(shapeErrorAt(span, message, 'give one that is; no configuration is applied with this one'))
    return unknown()
  }

  /** That it is not known which of several values a variable has. */
  private assumeGiven(name: string, files: readonly string[], span: Span): void {
    const shown = files.slice(0, 3).map((file) => `\`${visible(file)}\``)
    const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : ''
    const isOne = files.length === 1
    this.run.assumptions.push({
      kind: 'value',
      what: `var.${visible(shortened(name))}`,
      why: `${shown.join(', ')}${more} may give it another value than the one that is read without ${isOne ? 'it' : 'them'}, and nothing says what is applied`,
      help: 'name the files of values that are applied, `--var-file FILE`, or give the value, `--var NAME=VALUE`',
      span: spanOf(span),
      matters: true,
      inWorld: true,
    })
  }

  /** Whether the run names the values that the root is applied with: other files are then not used. */
  private isChosen(): boolean {
    const { given, files, environment } = this.run.settings.assigned ?? {}
    return [given?.size, files?.length, environment?.size].some((count) => count !== undefined && count > 0)
  }

  /** The expression that a file read by default gives a variable. */
  private taken(name: string): Expression | undefined {
    return this.folder.values.flatMap(({ body }) => (body && attributeOf(body, name)?.value) ?? []).at(-1)
  }

  /** Whether an attribute of a body is true; undefined where there is none, or that is not known. */
  private flag(body: Body, name: string): boolean | undefined {
    const attribute = attributeOf(body, name)
    const value = attribute && evaluate(attribute.value, this.frame)
    return value?.kind === 'boolean' ? value.value : undefined
  }

  private assignedValue(name: string, body: Body): Value | undefined {
    const { assigned } = this.run.settings
    const given = this.written(assigned?.given.get(name), name, body) ?? this.values?.get(name)
    return given ?? this.written(assigned?.environment.get(name), name, body)
  }

  /** A value that is given as a text: a text where the variable is of a simple type, or of none, else an expression. */
  private written(text: string | undefined, name: string, body: Body): Value | undefined {
    if (text === undefined) return undefined
    const place = this.bodySpan(body)
    const type = attributeOf(body, 'type')?.value
    if (!type || (type.kind === 'name' && simple.has(type.name))) return textNode(place, text)
    const expression = readExpression(place.source.path, text)
    const value = expression && evaluate(expression, this.plainFrame())
    if (value && unknownsIn([value]).length === 0) return atSpan(value, place)
    const message = `the value that is given for \`var.${visible(shortened(name))}\` is no value of HCL: \`${visible(shortened(text))}\``
    const help = 'its type is not a simple one, so that it is read as an expression: put texts in quotes and lists in brackets'
    this.run.report(shapeErrorAt(place, message, help))
    return undefined
  }

  private plainFrame(): Frame {
    return { names: noNames, bound: new Map(), scope: this.scope, budget: this.run.budget }
  }

  private valuesInFiles(): ReadonlyMap<string, Value> {
    const files = [...this.folder.values, ...(this.run.settings.assigned?.files ?? [])]
    const plain = this.plainFrame()
    const attributes = files.flatMap(({ body }) => body?.attributes ?? [])
    return new Map(attributes.map(({ name, value }) => [name, evaluate(value, plain)]))
  }

  private bodySpan({ attributes, blocks }: Body): Span {
    return attributes[0] ?? blocks[0] ?? startOf(this.folder)
  }

  private calledModule(name: string, block: Block): CalledModule | undefined {
    const { children } = this
    const knownChild = children.get(name)
    if (knownChild === 'open') return undefined
    if (knownChild || children.has(name)) return knownChild
    children.set(name, 'open')
    const called = this.callModule(name, block)
    children.set(name, called)
    return called
  }

  private callModule(name: string, block: Block): CalledModule | undefined {
    const { never } = this.call
    const target = this.targetOf(name, block)
    if (!target) return undefined
    const all = this.instancesOf(block)
    const none = all.length === 0 ? absentInstance(block, this.frame) : undefined
    const address = `\`${shortened(readableName(`${this.call.prefix}module.${name}`))}\``
    if (none) this.readCalled(name, block, target, none.instance, never ?? none.why.replace(' is', ` of ${address} is`))
    if (never === undefined && all.length > 0) this.run.made.add(target.path)
    return all.map((instance) => ({ instance, output: this.readCalled(name, block, target, instance, never) }))
  }

  /** The folder of the module that a block calls; undefined where it comes from elsewhere, or cannot be read. */
  private targetOf(name: string, block: Block): Folder | undefined {
    const { run, folder, call } = this
    const attribute = attributeOf(block.body, 'source')
    const written = attribute && evaluate(attribute.value, this.frame)
    if (written?.kind !== 'text' || !isLocalSource(written.value)) return this.targetElsewhere(name, block, written)
    const path = joinPath(folder.path, written.value)
    run.called.add(path)
    const target = run.folders.get(path)
    if (!target || target.files.length === 0) {
      const message = `the module \`${visible(shortened(written.value))}\` is not among what is read: what it allows and denies is not known`
      const help = 'name a folder that holds both, of the commit that is meant, or run where the repository of both is'
      run.unread.set(keyOf(written.source.path, written.start), syntaxErrorAt(written, message, help))
    } else if (target === folder || call.callers.includes(target))
      run.report(syntaxErrorAt(written, 'this module calls itself', 'a module that holds itself has no end: remove this call'))
    else if (call.callers.length < deepestModule) return target
    else run.report(syntaxErrorAt(written, `more than ${deepestModule} modules inside one another`))
    return undefined
  }

  /** The folder of a module from elsewhere that is unpacked here; any other is a part that is not read. */
  private targetElsewhere(name: string, block: Block, source: Value | undefined): Folder | undefined {
    const { run, call } = this
    const { settings, folders } = run
    const attribute = attributeOf(block.body, 'version')
    const versionValue = attribute && evaluate(attribute.value, this.frame)
    const [from, version] = [source, versionValue].map((value) =>
      value && value.kind !== 'null' ? readableName(textOf(value) ?? printValue(value)) : undefined,
    )
    const isKnown = source?.kind === 'text' && (versionValue === undefined || versionValue.kind !== 'unknown')
    const words = [from, version].flatMap((word) => (word === undefined ? [] : [shortened(word)])).join(' ')
    const callName = `module.${name}${words === '' ? '' : ` (${words})`}`
    const what = readableName(call.prefix) + callName
    const span = spanOf(attributeOf(block.body, 'source')?.value ?? block.head)
    const assume = (why: string, isDecisive: boolean, help?: string, isTaken = false) =>
      run.assumptions.push({
        kind: 'module',
        what,
        why,
        ...(help !== undefined && { help }),
        span,
        matters: isDecisive,
        ...(isDecisive && { inWorld: true }),
        ...(isTaken && { isTaken }),
      })
    const unpacked = settings.unpacked?.get(keyOfCall(call.key, name))
    const isUnpacked = unpacked !== undefined && isKnown && isUnpackedOf(unpacked, from ?? '', version)
    const target = isUnpacked ? folders.get(unpacked.path) : undefined
    if (target && target.files.length > 0 && !call.callers.includes(target) && call.callers.length < deepestModule) {
      run.called.add(target.path)
      assume('it is read as it is unpacked under `.terraform/modules`', false)
      return target
    }
    if (call.never !== undefined || this.instancesOf(block).length === 0) return undefined
    if (source?.kind === 'text' && settings.holdsNone?.(source.value) === true) {
      assume('the configuration says that such modules hold no policies', false)
      return undefined
    }
    const stale = isUnpacked
      ? ': `.terraform/modules/modules.json` names a folder for it that cannot be read'
      : unpacked && isKnown
        ? ': what is unpacked under `.terraform/modules` is another version of it'
        : ''
    const isOpen = !isKnown || !isExact(from ?? '', version)
    const sameness = isOpen ? '; its version is not exact, and is taken to be the same wherever it is called like this' : ''
    assume(`its files are not here${stale}: it may allow or deny anything${sameness}`, true, unreadHelp, isOpen)
    const fact = unknownAt(span, `${call.prefix}${callName}${run.inputs.markOfCall(call.site, name)}`, this.scope)
    countInstance(run, block)
    const node = withoutMarks(unreadPolicy(fact, span))
    // Its source may be written in another file, which overrides that of the block.
    addTo(run.found, span.source, { kind: 'policy', node, address: what, head: span })
    return undefined
  }

  private readCalled(name: string, block: Block, target: Folder, instance: Instance, never: string | undefined): Output {
    const { call, folder, run } = this
    countInstance(run, block)
    const inner: Frame = { ...this.frame, bound: instance.bound }
    const inputs = (input: string) => {
      const found = attributeOf(block.body, input)
      return found && this.once(`module.${name}${instance.key}.${input}`, found.nameSpan, () => evaluate(found.value, inner))
    }
    const reader = new ModuleReader(run, target, {
      prefix: `${call.prefix}module.${name}${instance.key}.`,
      key: keyOfCall(call.key, name),
      site: run.inputs.called(call.site, block, target),
      inputs,
      callers: [...call.callers, folder],
      perhaps: [...call.perhaps, ...instance.perhaps],
      never,
    })
    return reader.read()
  }

  /** The provider that a resource is applied with. */
  private accountOf({ body, head, labels }: Block, frame: Frame): UnknownNode {
    const keyOf = (key: Expression) => printValue(evaluate(key, frame))
    const { name, mark, isIdentified } = this.run.inputs.provider(this.call.site, body, labels[0] ?? '', keyOf)
    // A provider that says whose account it is leads to the same one from every place.
    return unknownAt(head, `provider ${name}${mark}`, isIdentified ? '' : this.scope)
  }

  /** Adds the tags of resources that certainly get them. */
  private readTags(address: string, block: Block): void {
    const { run, call } = this
    if (call.never !== undefined || call.perhaps.length > 0) return
    for (const { bound, perhaps, key } of this.instancesOf(block)) {
      countInstance(run, block)
      const node = perhaps.length > 0 ? undefined : taggedResource(block, { ...this.frame, bound })
      if (node)
        addTo(run.found, block.source, {
          kind: 'resource',
          node: withoutMarks(node),
          address: readableName(`${call.prefix}${address}${key}`),
          head: spanOf(block.head),
        })
    }
  }

  /** Adds the users and memberships that a block describes. */
  private readMembers(address: string, block: Block): void {
    const { run, call } = this
    if (call.never !== undefined) return
    for (const { bound, perhaps, key } of this.instancesOf(block)) {
      countInstance(run, block)
      const frame: Frame = { ...this.frame, bound }
      const memberships = membershipsIn({
        block,
        prefix: run.settings.prefix,
        frame,
        address: readableName(call.prefix + address + key),
        perhaps: [...call.perhaps, ...perhaps],
        account: this.accountOf(block, frame),
      })
      for (const each of memberships) addTo(run.memberships, block.source, each)
    }
  }

  private readResource(address: string, block: Block, kind: Kind): void {
    const { run, call } = this
    const all = this.instancesOf(block)
    const none = all.length === 0 ? absentInstance(block, this.frame) : undefined
    const why = call.never ?? none?.why
    for (const instance of none ? [none.instance] : all) {
      countInstance(run, block)
      const inner: Frame = { ...this.frame, bound: instance.bound }
      const perhaps = [...call.perhaps, ...instance.perhaps]
      const urn = this.reference(block.head, `${address}${instance.key}.urn`, [])
      const node = canonical(block, kind, inner, { ...urn, isName: true }, run.report)
      const record: FoundResource = {
        kind,
        node: withoutMarks({
          ...node,
          ...(perhaps.length > 0 && { perhaps }),
          ...(kind === 'policy' && { account: this.accountOf(block, inner) }),
        }),
        address: readableName(`${call.prefix}${address}${instance.key}`),
        head: spanOf(block.head),
      }
      if (why === undefined) addTo(run.found, block.source, record)
      else addTo(run.uncreated, block.source, { ...record, why })
    }
  }
}

/** In a very large repository, not all files that may give values were looked for. */
const notAllAround: Assumption = {
  kind: 'search',
  what: 'files of values of the whole repository',
  why: 'it holds too many names: those of files far from the configuration were not all looked at',
  matters: true,
}

/** Adds the files that are generated into the root before it is applied: one unknown part for each. */
function addGenerated(run: Run): void {
  const { root, inputs, assumptions, found } = run
  for (const { file, mark: content } of inputs.generated()) {
    const what = `generate in ${visible(file)}`
    const span = startOf(root)
    assumptions.push({
      kind: 'part',
      what,
      why: 'it writes a file into the folder before that is applied, which may allow or deny anything',
      help: 'write the file itself, or only the provider and the backend',
      span,
      matters: true,
      inWorld: true,
    })
    const fact = unknownAt(span, `${what}${mark('of', content)}`, root.name)
    addTo(found, span.source, { kind: 'policy', node: withoutMarks(unreadPolicy(fact, span)), address: what, head: span })
  }
}

const unreadHelp =
  'run `terraform init` first, so that it is read from `.terraform/modules`; where it holds no policies, name its source in `modulesWithoutPolicies` under `terraform` in the configuration'

function countInstance(run: Run, block: Block): void {
  if (++run.instances > mostInstances) throw new Exhausted(block.head, `more than ${mostInstances} modules and resources`)
}

function addTo<T>(lists: Map<Source, T[]>, source: Source, item: T): void {
  const list = lists.get(source) ?? []
  lists.set(source, list)
  list.push(item)
}

/** A configuration that is never applied: all that it describes is made zero times. */
export function neverApplied({ found, uncreated, ...rest }: Configuration, why: string): Configuration {
  const all = new Map<Source, UncreatedResource[]>([...uncreated].map(([source, list]) => [source, [...list]]))
  for (const [source, list] of found) for (const record of list) addTo(all, source, { ...record, why })
  return { ...rest, found: new Map(), uncreated: all, memberships: new Map() }
}

/** Types whose values are given as they are, without quotes. */
const simple: ReadonlySet<string> = new Set(['string', 'number', 'bool'])

function startOf({ files }: Folder): Span {
  return { source: files[0]?.source as Source, start: 0, end: 0 }
}
