import { type Bodies, RootSurroundings } from './around.ts'
import { attributeOf, type Declarations, type DeclaredFolders, type Folder } from './declarations.ts'
import { joinPath, pathBetween } from './paths.ts'
import { places, plainText, printed, staticText } from './print.ts'
import type { Block, Body, Expression, HclFile } from './syntax.ts'
import type { Files } from './tools.ts'
import { mark } from './values.ts'

/** A folder as it is called in one place, as far as that is written plainly: the root has no caller. */
export interface Site {
  readonly folder: Folder
  readonly declarations: Declarations
  readonly caller?: { readonly site: Site; readonly block: Block }
}

/** The context for following the dependencies of a value. */
export interface DependencyContext {
  readonly root: Folder
  readonly folders: ReadonlyMap<string, Folder>
  readonly declared: DeclaredFolders
  readonly files: Files | undefined
  /** Values that the run gives to the variables of the root, by their names: each as a text. */
  readonly given: readonly ReadonlyMap<string, string>[]
  /** Files that were parsed, by their paths: of all roots of a side. */
  readonly bodies: Bodies
  /** The files of values of the run. */
  readonly values: readonly HclFile[]
  /** The prefix of the types of our resources. */
  readonly prefix: string
}

/** Something that is declared, by which a value may be given. */
interface Item {
  readonly site: Site
  readonly kind: 'local' | 'var' | 'output' | 'resource' | 'data' | 'module' | 'provider' | 'workspace'
  readonly name: string
  /** With what changes in place. */
  readonly isWhole?: true
  /** The type of a data source that is asked with it: a text in it may name a file that is read, or a program that is run. */
  readonly asks?: string
}

/** Arguments of a provider that say whose account it acts on. */
const accountNames: ReadonlySet<string> = new Set(['application_key', 'consumer_key', 'client_id', 'access_token'])

/** Parts of a block about how it is applied, which do not affect its value. */
const aside: ReadonlySet<string> = new Set(['lifecycle', 'depends_on', 'provisioner', 'connection', 'timeouts'])

/** Arguments of the provider's resources that change in place: what a resource is named stays. */
const inPlace: ReadonlySet<string> = new Set(
  'description display_name comment tags plan plan_option payment_mean email password role'.split(' '),
)

/** Attributes that say what a resource is named. */
const naming: ReadonlySet<string> = new Set(['urn', 'iam', 'identity', 'id'])

/**
 * The dependencies of unknown values, as a mark that two values share exactly where all dependencies are the same: the block that
 * gives a value, the values and blocks that it names in turn, the files that it reads, and the configuration of its provider. The
 * marks of two versions of one configuration are compared.
 */
export class Inputs {
  private readonly around: DependencyContext
  private readonly marks = new Map<string, string>()
  private readonly ids = new Map<Site, number>()
  private readonly sites = new Map<string, Site>()
  private readonly outside: RootSurroundings | undefined

  constructor(around: DependencyContext) {
    this.around = around
    this.outside = around.files && new RootSurroundings(around.root, around.files, around.bodies)
  }

  /** The mark of what an address names; undefined where nothing of that name is declared, or the mark is in the name already. */
  markOf(site: Site, address: readonly string[]): string | undefined {
    const [item] = itemsNamed(site, address)
    if (item?.kind === 'workspace') return rootOf(site).declarations.states.length > 0 ? this.markOfItem(item) : undefined
    if (!item || !this.declared(item)) return undefined
    const [type = '', , attribute] = address
    if (item.kind === 'data') return address.length === 3 ? this.markOfItem(item) : undefined
    if (attribute === undefined) return this.markOfItem(item)
    return item.kind === 'resource' && this.isOurs(type) && !naming.has(attribute) ? this.markOfItem({ ...item, isWhole: true }) : undefined
  }

  /** The same for a variable: what it is given, and what it is where it is given nothing. */
  markOfVariable(site: Site, name: string): string {
    return this.markOfItem({ site, kind: 'var', name })
  }

  /** Whether files give a value to a variable of the root if the user names them on applying it: two versions of them are two values. */
  mayBeGiven({ caller }: Site, name: string): boolean {
    return !caller && this.valuesBelow(name).length > 0
  }

  /** The files of these that give a variable of the root another value than the one that is taken if none is named. */
  givenElsewhere({ caller }: Site, name: string, taken: Expression | undefined): readonly string[] {
    if (caller || !this.outside) return []
    const takenText = taken && printed(taken)
    const others = this.outside.given(name).filter(({ value }) => value === undefined || printed(value) !== takenText)
    return others.map(({ file }) => joinPath(this.around.root.name, file))
  }

  /** Whether more files may give values than were looked at. */
  isCut(): boolean {
    return this.outside?.isCut() === true
  }

  /** Whether another program than that of the configuration deploys the root, as far as files say. */
  isDeployed(): boolean {
    return this.outside?.isDeployed() === true
  }

  /** Files that are generated into the root before it is deployed, and may hold policies. */
  generated(): ReturnType<RootSurroundings['generated']> {
    return this.outside?.generated() ?? []
  }

  /** The site of a folder that is called by a block of another. */
  called(site: Site, block: Block, folder: Folder): Site {
    const key = this.keyOf({ site, kind: 'module', name: block.labels[0] ?? '' })
    const existing = this.sites.get(key)
    const called: Site = existing ?? { folder, declarations: this.around.declared.of(folder), caller: { site, block } }
    this.sites.set(key, called)
    return called
  }

  /** The mark of a call of a module: its source, its version, all that it is given, and the providers. */
  markOfCall(site: Site, name: string): string {
    return this.markOfItem({ site, kind: 'module', name })
  }

  /** The configuration of the provider that a block is applied with: what the root calls it, and its mark. `keyOf`: of many, which one. */
  provider(
    site: Site,
    body: Body,
    type: string,
    keyOf: (key: Expression) => string,
  ): { readonly name: string; readonly mark: string; readonly isIdentified: boolean } {
    const written = attributeIn(body, 'provider')
    const providerName = providerNameOf(body, type)
    const name = written?.kind === 'index' ? `${splitKey(providerName)[0]}[${keyOf(written.key)}]` : providerName
    const configuredAt = providerAt(site, name)
    const plain = this.markOfItem({ ...configuredAt, kind: 'provider' })
    const outside = this.outside?.account()
    const { body: configured } = configuredAt.site.declarations.providers.get(splitKey(configuredAt.name)[0] as string) ?? {}
    const isIdentified = [...accountNames].some((word) => {
      const value = attributeIn(configured, word)
      return value !== undefined && plainText(value) !== undefined
    })
    return { name: configuredAt.name, mark: outside ? mark('of', plain, outside) : plain, isIdentified }
  }

  private isOurs(type: string): boolean {
    return type.startsWith(`${this.around.prefix}_`)
  }

  private declared({ site: { declarations }, kind, name }: Item): boolean {
    const { resources, modules, data } = declarations
    return (kind === 'resource' ? resources : kind === 'data' ? data : modules).has(name)
  }

  private markOfItem(item: Item): string {
    const key = this.keyOf(item)
    const knownMark = this.marks.get(key)
    if (knownMark !== undefined) return knownMark
    const seen = new Map<string, string>()
    const open: Item[] = [item]
    for (let next = open.pop(); next; next = open.pop()) {
      const ownKey = this.keyOf(next)
      if (seen.has(ownKey)) continue
      const { text, items } = this.read(next)
      seen.set(ownKey, text)
      const asks = asksOf(next)
      open.push(...(asks === undefined ? items : items.map((each): Item => ({ ...each, asks }))))
    }
    const result = mark('of', ...[...seen.values()].sort())
    this.marks.set(key, result)
    return result
  }

  private keyOf({ site, kind, name, isWhole, asks }: Item): string {
    const id = this.ids.get(site) ?? this.ids.size
    this.ids.set(site, id)
    return `${id} ${kind} ${isWhole ? 'whole ' : ''}${asks ?? ''} ${name}`
  }

  /** The text of an item, and the items that it names. */
  private read(item: Item): { readonly text: string; readonly items: readonly Item[] } {
    const { site, kind, name } = item
    const { declarations, caller } = site
    if (kind === 'local') return this.written(item, declarations.locals.get(name)?.value)
    if (kind === 'output') return this.written(item, attributeIn(declarations.outputs.get(name), 'value'))
    if (kind === 'var') {
      const fallback = attributeIn(declarations.variables.get(name), 'default')
      const ownText = this.written(item, fallback)
      if (!caller)
        return {
          ...ownText,
          text: [
            ownText.text,
            ...this.around.given.flatMap((values) => values.get(name) ?? []),
            ...this.valuesOf(name),
            ...this.valuesBelow(name),
          ].join('\n'),
        }
      const callerText = this.written({ ...item, site: caller.site }, attributeIn(caller.block.body, name))
      return { text: `${ownText.text}\n${callerText.text}`, items: [...ownText.items, ...callerText.items] }
    }
    if (kind === 'module') return this.call(item)
    if (kind === 'workspace')
      return { text: [kind, ...rootOf(site).declarations.states.map(({ body }) => printed(body))].join('\n'), items: [] }
    if (kind === 'provider') {
      const [configured = ''] = splitKey(name)
      const ownText = this.written(item, declarations.providers.get(configured)?.body)
      return { ...ownText, text: [name, ownText.text, sourceOf(declarations.required.get(configured.split('.')[0] as string))].join('\n') }
    }
    const block = (kind === 'data' ? declarations.data : declarations.resources).get(name)
    const [type = ''] = name.split('.')
    const isNamed = kind === 'resource' && this.isOurs(type) && !item.isWhole
    // Of a zone the plan says which one it is.
    const isLeft = (word: string) =>
      aside.has(word) || (isNamed && inPlace.has(word) && !(word === 'plan' && type.endsWith('_domain_zone')))
    const ownParts = this.written(item, block && without(block.body, isLeft))
    const provider = providerAt(site, providerNameOf(block?.body, type))
    return { text: ownParts.text, items: [...ownParts.items, { ...provider, kind: 'provider' }] }
  }

  private call(item: Item): { readonly text: string; readonly items: readonly Item[] } {
    const { site, name } = item
    const block = site.declarations.modules.get(name)
    const target = this.target(site, block)
    if (!block || !target) {
      const ownText = this.written(item, block && without(block.body, (word) => aside.has(word)))
      const handed = attributeIn(block?.body, 'providers')
      const providerNames = handed?.kind === 'object' ? handed.entries.map(({ value }) => nameOfProvider(value)) : []
      // The unnamed ones are inherited even where others are passed explicitly.
      const all = [this.around.prefix, ...providerNames].map((each): Item => ({ ...providerAt(site, each), kind: 'provider' }))
      return { text: ownText.text, items: [...ownText.items, ...all] }
    }
    const ownText = this.written(
      item,
      without(block.body, (word) => !['source', 'version', 'count', 'for_each', 'providers'].includes(word)),
    )
    const outputs = [...target.declarations.outputs.keys()].map((output): Item => ({ site: target, kind: 'output', name: output }))
    return { text: ownText.text, items: [...ownText.items, ...outputs] }
  }

  /** The site of a local module that is called by a plain path. */
  private target(site: Site, block: Block | undefined): Site | undefined {
    const source = block && attributeIn(block.body, 'source')
    const path = source && plainText(source)
    if (path === undefined || !block || depthOf(site) >= deepest) return undefined
    const folder = /^\.\.?(\/|$)/.test(path) ? this.around.folders.get(joinPath(site.folder.path, path)) : undefined
    return folder && this.called(site, block, folder)
  }

  private valuesOf(name: string): readonly string[] {
    const files = [...this.around.root.values, ...this.around.values]
    return files.flatMap(({ body }) => (body?.attributes ?? []).flatMap((each) => (each.name === name ? [printed(each.value)] : [])))
  }

  /** The values that files give a variable of the root if they are named on applying it, and the inputs of Terragrunt. */
  private valuesBelow(name: string): readonly string[] {
    return (this.outside?.given(name) ?? []).map(({ file, mark }) => `${file} ${mark}`)
  }

  /** A part as a text without places, with what it names and the files that it reads. */
  private written(item: Item, part: Expression | Body | undefined): { readonly text: string; readonly items: readonly Item[] } {
    const { site, kind } = item
    const asks = asksOf(item)
    if (!part) return { text: kind, items: [] }
    const items: Item[] = []
    const files: string[] = []
    walk(part, (node) => {
      const address = addressIn(node)
      if (address) items.push(...itemsNamed(site, address))
      if (node.kind === 'call' && typeof node.name === 'string' && readsFiles.has(node.name)) {
        const path = pathText((node.values as readonly Expression[])[0], site, this.around.root)
        const place = path === undefined || /^[/~]|\\|\0/.test(path) ? undefined : joinPath(this.around.root.path, path)
        const { files: around } = this.around
        if (path === undefined || (node.name === 'templatefile' && node.isSpread)) files.push(around?.side ?? '')
        else if (place !== undefined) files.push(around?.mark(place) ?? '')
      }
      // A text in a data source may name a file that it reads, or a program that it runs.
      if (asks !== undefined && node.kind === 'template') {
        const path = pathText(node as unknown as Expression, site, this.around.root)
        const { files: around } = this.around
        const isPath = path !== undefined && /\w/.test(path) && !/^[/~]|\\|\0/.test(path)
        const fileMark = isPath ? around?.mark(joinPath(this.around.root.path, path)) : 'missing'
        if (fileMark !== 'missing') files.push(`${path} ${fileMark ?? ''}`)
        // Of a file whose name is not written either side may read another one.
        if (path === undefined && filesByName.has(asks)) files.push(around?.side ?? '')
      }
    })
    return { text: [kind, printed(part), ...files].join('\n'), items }
  }
}

/** Folders that call one another: in a circle there is no end to them. */
const deepest = 16

/** Types of data sources that do nothing but read a file by its name. */
const filesByName: ReadonlySet<string> = new Set(['local_file', 'local_sensitive_file'])

function asksOf({ kind, name, asks }: Item): string | undefined {
  return asks ?? (kind === 'data' ? name.split('.')[0] : undefined)
}

/** Functions of what files hold. */
export const readsFiles: ReadonlySet<string> = new Set(
  'file fileexists fileset filebase64 filemd5 filesha1 filesha256 filesha512 filebase64sha256 filebase64sha512 templatefile'.split(' '),
)

function depthOf(site: Site): number {
  let depth = 0
  for (let next = site.caller; next; next = next.site.caller) depth++
  return depth
}

function rootOf(site: Site): Site {
  let root = site
  while (root.caller) root = root.caller.site
  return root
}

function attributeIn(body: Body | undefined, name: string): Expression | undefined {
  return body && attributeOf(body, name)?.value
}

function without({ attributes, blocks }: Body, isLeft: (word: string) => boolean): Body {
  return { attributes: attributes.filter(({ name }) => !isLeft(name)), blocks: blocks.filter(({ type }) => !isLeft(type)) }
}

/** The declaration of an address. */
function itemsNamed(site: Site, [first = '', second = '', third = '']: readonly string[]): readonly Item[] {
  const { declarations } = site
  const item = (kind: Item['kind'], name: string): readonly Item[] => [{ site, kind, name }]
  if (first === 'local') return declarations.locals.has(second) ? item('local', second) : []
  if (first === 'var') return declarations.variables.has(second) ? item('var', second) : []
  if (first === 'module') return declarations.modules.has(second) ? item('module', second) : []
  if (first === 'data') return declarations.data.has(`${second}.${third}`) ? item('data', `${second}.${third}`) : []
  if (first === 'terraform') return second === 'workspace' ? item('workspace', second) : []
  return declarations.resources.has(`${first}.${second}`) ? item('resource', `${first}.${second}`) : []
}

/** The provider that a block names, or that its type is of: `svc`, `svc.prod`. */
function providerNameOf(body: Body | undefined, type: string): string {
  const written = attributeIn(body, 'provider')
  const address = written && (addressIn(written) ?? (written.kind === 'name' ? [written.name] : undefined))
  const text = written && plainText(written)
  // A provider of many, as OpenTofu has them: which one it is, its key says.
  if (written?.kind === 'index') return providerNameOfParts(written)
  return address ? address.join('.') : (text ?? type.split('_')[0] ?? '')
}

function providerNameOfParts(written: Expression & { kind: 'index' }): string {
  const of = addressIn(written.of) ?? []
  return `${of.join('.')}[${printed(written.key)}]`
}

/** The place where a provider of a name is configured: callers pass theirs to modules, all unnamed ones implicitly. */
function providerAt(site: Site, name: string): { readonly site: Site; readonly name: string } {
  let place = { site, name }
  for (;;) {
    const { caller, declarations } = place.site
    const [plain = '', key = ''] = splitKey(place.name)
    if (!caller || declarations.providers.has(plain)) return place
    const handed = attributeIn(caller.block.body, 'providers')
    const handedEntry = handed?.kind === 'object' ? handed.entries.find((entry) => nameOfKey(entry.key) === plain) : undefined
    if (handedEntry) place = { site: caller.site, name: nameOfProvider(handedEntry.value) + key }
    else if (plain.includes('.')) return place
    else place = { site: caller.site, name: place.name }
  }
}

/** The source of a required provider: its local name may be that of another one. */
function sourceOf(required: Expression | undefined): string {
  const source = required?.kind === 'object' ? required.entries.find(({ key }) => nameOfKey(key) === 'source')?.value : undefined
  return source ? (plainText(source) ?? printed(source)) : ''
}

function splitKey(name: string): readonly string[] {
  const at = name.indexOf('[')
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at)]
}

function nameOfKey(key: Expression): string | undefined {
  return key.kind === 'name' ? key.name : (addressIn(key)?.join('.') ?? plainText(key))
}

function nameOfProvider(value: Expression): string {
  return value.kind === 'index' ? providerNameOfParts(value) : (nameOfKey(value) ?? printed(value))
}

/** The names of an address: `a.b`, and of data `data.a.b`. */
function addressIn(node: object): readonly string[] | undefined {
  const { kind, of, name } = node as { kind?: unknown; of?: Expression; name?: unknown }
  if (kind !== 'attribute' || typeof name !== 'string' || !of) return undefined
  if (of.kind === 'name') return of.name === 'data' ? undefined : [of.name, name]
  const isData = of.kind === 'attribute' && of.of.kind === 'name' && of.of.name === 'data'
  return isData ? ['data', of.name, name] : undefined
}

/** A text whose parts are all written, or the paths of folders. */
function pathText(expression: Expression | undefined, site: Site, root: Folder): string | undefined {
  return staticText(expression, (of, attribute) =>
    of !== 'path' ? undefined : attribute === 'module' ? pathBetween(root.path, site.folder.path) : attribute === 'root' ? '.' : undefined,
  )
}

function walk(part: unknown, visit: (node: Readonly<Record<string, unknown>>) => void): void {
  const open: unknown[] = [part]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next)
    else if (typeof next === 'object' && next !== null) {
      const node = next as Readonly<Record<string, unknown>>
      visit(node)
      for (const [key, value] of Object.entries(node)) if (!places.has(key) && typeof value === 'object' && value !== null) open.push(value)
    }
  }
}
