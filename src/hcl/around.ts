import { sourceOf } from '../source.ts'
import { attributeOf, type Folder } from './declarations.ts'
import { readHclJson } from './json.ts'
import { readHcl } from './parse.ts'
import { folderOf, joinPath, nameIn, pathBetween } from './paths.ts'
import { plainText, printed } from './print.ts'
import type { Body, Expression } from './syntax.ts'
import { type Files, isTerragruntName, valuesName } from './tools.ts'

/** Bodies of files that were parsed, by their paths: of one side, for all of its roots. */
export type Bodies = Map<string, Body | undefined>

/** A file that may give a variable of a root a value: the value where it is written, else only a mark that distinguishes two values. */
export interface ValuesFile {
  readonly file: string
  readonly value?: Expression
  readonly mark: string
}

/**
 * The files around the root of a configuration that take part in its deployment only if that is configured elsewhere: files of
 * values that may be named then, and the inputs and files that Terragrunt gives it.
 */
export class RootSurroundings {
  private readonly root: Folder
  private readonly files: Files
  private readonly bodies: Bodies
  private named: readonly string[] | undefined
  private units: readonly Unit[] | undefined

  constructor(root: Folder, files: Files, bodies: Bodies) {
    this.root = root
    this.files = files
    this.bodies = bodies
  }

  /**
   * The values that files give to a variable of the root if they are named when it is applied; of a file that cannot be parsed, a
   * mark of all of it.
   */
  given(name: string): readonly ValuesFile[] {
    const values = this.valueFiles().flatMap((path): readonly ValuesFile[] => {
      const file = this.nameOf(path)
      const body = this.bodyOf(path)
      // A file with errors prevents the deployment.
      const text = body ? undefined : this.markOf(path)
      if (!body) return text?.includes(name) === false && this.files.text(path) !== undefined ? [] : [{ file, mark: text ?? '' }]
      const attribute = attributeOf(body, name)
      return attribute ? [{ file, value: attribute.value, mark: printed(attribute.value) }] : []
    })
    const inputs = this.unitsOf().flatMap(({ path, gives }): readonly ValuesFile[] => {
      const mark = gives(name)
      return mark === undefined ? [] : [{ file: this.nameOf(path), mark }]
    })
    return [...values, ...inputs]
  }

  /** Whether not all files were looked at. */
  isCut(): boolean {
    return this.files.around().isCut === true
  }

  isDeployed(): boolean {
    return this.unitsOf().length > 0
  }

  /** A mark of the places that Terragrunt deploys the root to; '' where it does not. */
  account(): string {
    return this.unitsOf()
      .map(({ path, writes }) => `${this.nameOf(path)} ${writes.map(({ mark }) => mark).join(' ')}`)
      .join('\n')
  }

  /** The files of Terragrunt that write into the root what may hold policies. */
  generated(): readonly { readonly file: string; readonly mark: string }[] {
    return this.unitsOf().flatMap(({ writes }) =>
      writes.flatMap(({ file, mark, mayHoldPolicies }) =>
        mayHoldPolicies ? [{ file: joinPath(this.root.name, this.nameOf(file)), mark }] : [],
      ),
    )
  }

  /** Files of values in or below the root, and those in no folder of a configuration: they may belong to any. */
  private valueFiles(): readonly string[] {
    this.named ??= this.files.around().files.filter((file) => {
      const name = nameIn(file)
      if (!valuesName.test(name)) return false
      const folder = folderOf(file)
      if (folder === this.root.path) return !isGivenAlways.test(name)
      return isBelow(folder, this.root.path) || !this.isConfigured(folder)
    })
    return this.named
  }

  /** Whether a folder, or one above it, holds a configuration. */
  private isConfigured(folder: string): boolean {
    const { configured } = this.files.around()
    return above(folder).some((each) => configured.has(each))
  }

  private unitsOf(): readonly Unit[] {
    this.units ??= this.findUnits()
    return this.units
  }

  private findUnits(): readonly Unit[] {
    const all = this.files.around().files.filter((file) => isTerragruntName(nameIn(file)))
    const isUnit = (file: string) => unitName.test(nameIn(file))
    return all.filter(isUnit).flatMap((path): readonly Unit[] => {
      const context = this.contextOf(path, all)
      const bodies = context.map((file) => this.bodyOf(file))
      const folder = folderOf(path)
      const sources = bodies.flatMap((body) => (body ? sourcesIn(body) : []))
      // Without a source it deploys its own folder; where that holds no configuration, what it deploys is written elsewhere.
      const isElsewhere = sources.length === 0 && !this.files.around().configured.has(folder)
      const isOurs = folder === this.root.path || isElsewhere || sources.some((source) => this.isMeant(source, folder))
      if (!isOurs) return []
      // The parts that inputs and generated files may depend on: all but the inputs themselves.
      const frame = context.map((file, i) => {
        const body = bodies[i]
        return `${this.nameOf(file)} ${body ? printed(withoutInputs(body)) : this.markOf(file)}`
      })
      const mark = [...frame, this.mentioned(path, bodies)].join(' ')
      const gives = (name: string) => {
        const inputs = bodies.map((body) => body && inputIn(body, name))
        if (bodies.includes(undefined) || inputs.includes('any'))
          return [mark, ...inputs.map((each) => (each === 'any' ? '' : each?.text)), ...bodies.map((body) => body && inputsIn(body))].join(
            ' ',
          )
        const written = inputs.flatMap((each) => (each === 'any' || each === undefined ? [] : [each.text]))
        return written.length === 0 ? undefined : [mark, ...written].join(' ')
      }
      const writes = bodies.flatMap((body, i) => (body ? writesIn(body).map((each) => ({ ...each, file: context[i] as string })) : []))
      return [{ path, gives, writes: writes.map((each) => (each.isWritten ? each : { ...each, mark: `${each.mark} ${mark}` })) }]
    })
  }

  /** A file of Terragrunt with those that it may include: above it, and those that one of them mentions. */
  private contextOf(path: string, all: readonly string[]): readonly string[] {
    const folders = new Set(above(folderOf(path)))
    const nearFolders = all.filter(
      (file) => file === path || (folders.has(folderOf(file)) && !(folderOf(file) === folderOf(path) && unitName.test(nameIn(file)))),
    )
    const contextFolders = new Set(nearFolders)
    for (const file of contextFolders) {
      const text = this.files.text(file) ?? ''
      // A name that is put together may be that of any.
      const isAny = /\}[\w-]*\.hcl\b/.test(text)
      for (const other of all)
        if (!contextFolders.has(other) && !unitName.test(nameIn(other)) && (isAny || text.includes(nameIn(other))))
          contextFolders.add(other)
    }
    return [...contextFolders].sort()
  }

  /** Whether a source is the root: as far as its path is not written, it may be any. */
  private isMeant(source: Expression, folder: string): boolean {
    const plain = plainText(source)?.replace('//', '/')
    if (plain !== undefined) return /^\.\.?(\/|$)/.test(plain) && joinPath(folder, plain) === this.root.path
    const last = source.kind === 'template' ? source.parts.at(-1) : undefined
    // Behind what is not written, the path from some folder of the repository.
    const tail = last?.kind === 'text' ? joinPath('', last.value).replace(/^(?:\.\.\/)+/, '') : ''
    return tail === '' || this.root.path === tail || this.root.path.endsWith(`/${tail}`)
  }

  /** Marks of the other files that texts of Terragrunt may read: data of inputs. */
  private mentioned(path: string, bodies: readonly (Body | undefined)[]): string {
    const words = new Set(bodies.flatMap((body) => (body ? [...printed(body).matchAll(dataName)].map((match) => match[0]) : [])))
    const folders = above(folderOf(path))
    return [...words]
      .sort()
      .flatMap((word) => folders.map((folder) => this.files.mark(joinPath(folder, word))))
      .filter((mark) => mark !== undefined && mark !== 'missing')
      .join(' ')
  }

  private bodyOf(path: string): Body | undefined {
    if (this.bodies.has(path)) return this.bodies.get(path)
    const text = this.files.text(path)
    const isJson = path.endsWith('.json')
    const source = text === undefined ? undefined : sourceOf(path, text, isJson ? 'hcl-json' : 'hcl')
    const body = source && (isJson ? readHclJson(source, valuesName.test(path)) : readHcl(source, undefined)).body
    this.bodies.set(path, body)
    return body
  }

  private markOf(path: string): string {
    return this.files.text(path) ?? this.files.mark(path) ?? ''
  }

  /** A path that is the same on two sides, independent of their folders. */
  private nameOf(path: string): string {
    return pathBetween(this.root.path, path)
  }
}

/** A folder that Terragrunt deploys, or what it includes. */
interface Unit {
  readonly path: string
  /** A mark of the value that it may give a variable; undefined where it gives none. */
  readonly gives: (name: string) => string | undefined
  readonly writes: readonly Write[]
}

/** A file that Terragrunt writes into the folder before it is deployed. */
interface Write {
  /** The file that configures it. */
  readonly file: string
  readonly mark: string
  readonly mayHoldPolicies: boolean
  readonly isWritten: boolean
}

const unitName = /^terragrunt\.hcl(?:\.json)?$/

/** Those that are read without being named. */
const isGivenAlways = /^(?:terraform|.*\.auto)\.tfvars(?:\.json)?$/

const dataName = /[\w./-]+\.(?:ya?ml|json|tfvars|csv|env|txt)\b/g

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '' ? '' : `${folder}/`)
}

/** A folder and all above it. */
function above(folder: string): readonly string[] {
  const all: string[] = []
  for (let here = folder; ; here = folderOf(here)) {
    all.push(here)
    if (here === '' || here === '/') return all
  }
}

/** The expressions of a body that name the deployed configuration. */
function sourcesIn({ blocks }: Body): readonly Expression[] {
  return blocks.flatMap(({ type, body }) => (type === 'terraform' ? (attributeOf(body, 'source')?.value ?? []) : []))
}

/** A body without what it gives to variables. */
function withoutInputs({ attributes, blocks }: Body): Body {
  return { attributes: attributes.filter(({ name }) => name !== 'inputs'), blocks }
}

function inputsIn(body: Body): string {
  const inputs = attributeOf(body, 'inputs')
  return inputs ? printed(inputs.value) : ''
}

/** The value that a body gives to a variable, as a text; `any` where its inputs are not all written. */
function inputIn(body: Body, name: string): { readonly text: string } | 'any' | undefined {
  const inputs = attributeOf(body, 'inputs')?.value
  if (inputs === undefined) return undefined
  if (inputs.kind !== 'object') return 'any'
  let input: { readonly text: string } | undefined
  for (const { key, value } of inputs.entries) {
    const word = key.kind === 'name' ? key.name : plainText(key)
    if (word === undefined) return 'any'
    if (word === name) input = { text: printed(value) }
  }
  return input
}

/** The files that `generate` writes. */
function writesIn({ blocks, attributes }: Body): readonly Omit<Write, 'file'>[] {
  const written = blocks
    .filter(({ type }) => type === 'generate')
    .map(({ body }) => ({ part: body, contents: attributeOf(body, 'contents')?.value }))
  const generated = attributes.filter(({ name }) => name === 'generate').map(({ value }) => ({ part: value, contents: value }))
  return [...written, ...generated].map(({ part, contents }) => {
    const text = contents && withGaps(contents)
    return {
      mark: printed(part),
      mayHoldPolicies: text === undefined || text.replace(inQuotes, '').includes(gap) || holdsMore.test(text),
      isWritten: text !== undefined && !text.includes(gap),
    }
  })
}

/** Marks in a text what is not written: it occurs in no file. */
const gap = '\0'
const inQuotes = /"[^"\n]*"/g
/** Matches content other than a provider and the place of a state. */
const holdsMore =
  /^[ \t]*(?:resource|module|variable|locals|data|output|removed|moved|import|ephemeral|check)\b|"(?:resource|module|variable)"/m

/** The literal text of a template, with its gaps; undefined for other expressions. */
function withGaps(value: Expression): string | undefined {
  return value.kind === 'template' ? value.parts.map((part) => (part.kind === 'text' ? part.value : gap)).join('') : undefined
}
