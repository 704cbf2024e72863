import { madeIn } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { shortened, syntaxErrorAt } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import type { Attribute, Block, Body, Expression, HclFile } from './syntax.ts'
import { spanOf } from './values.ts'

/** The files of a folder that make one module. */
export interface Folder {
  /** Absolute or not, with `/`; the paths of local modules are taken from here. */
  readonly path: string
  readonly name: string
  /** Configuration files, each read. */
  readonly files: readonly HclFile[]
  /** These are all its files, so that what none of them declares is not declared. */
  readonly isWhole?: boolean
  /** Files with values of variables, in the order in which they count. */
  readonly values: readonly HclFile[]
}

export interface Declarations {
  readonly locals: ReadonlyMap<string, Attribute>
  readonly variables: ReadonlyMap<string, Body>
  readonly outputs: ReadonlyMap<string, Body>
  readonly resources: ReadonlyMap<string, Block>
  readonly modules: ReadonlyMap<string, Block>
  readonly data: ReadonlyMap<string, Block>
  /** Configurations of providers: `svc`, and with another name `svc.prod`. */
  readonly providers: ReadonlyMap<string, Block>
  /** The entry of `required_providers` for each local name of a provider. */
  readonly required: ReadonlyMap<string, Expression>
  /** Where the state is kept, which says what the workspace is. */
  readonly states: readonly Block[]
  readonly diagnostics: readonly Diagnostic[]
}

const overrideName = /(^|[/\\_])override\.(tf|tofu)(\.json)?$/

/** The declarations of the folders of a configuration: each folder is looked at once, and its problems are reported then. */
export class DeclaredFolders {
  private readonly declarations = new Map<Folder, Declarations>()
  private readonly report: (problem: Diagnostic) => void

  constructor(report: (problem: Diagnostic) => void) {
    this.report = report
  }

  of(folder: Folder): Declarations {
    return madeIn(this.declarations, folder, () => {
      const declarations = declarationsIn(folder)
      for (const problem of declarations.diagnostics) this.report(problem)
      return declarations
    })
  }
}

/** The blocks of a folder's files by what they declare; those of override files over the others. */
export function declarationsIn({ files }: Folder): Declarations {
  const declarations = {
    locals: new Map<string, Attribute>(),
    variables: new Map<string, Body>(),
    outputs: new Map<string, Body>(),
    resources: new Map<string, Block>(),
    modules: new Map<string, Block>(),
    data: new Map<string, Block>(),
    providers: new Map<string, Block>(),
    required: new Map<string, Expression>(),
    states: [] as Block[],
    diagnostics: [] as Diagnostic[],
  }
  const { locals, variables, outputs, resources, modules, data, providers, required, states, diagnostics } = declarations
  const heads = new Map<string, Span>()
  const isOver = ({ source }: HclFile) => overrideName.test(source.path)
  for (const file of [...files.filter((each) => !isOver(each)), ...files.filter(isOver)]) {
    /** Whether a name is declared for the first time, or in the place of another. */
    const isFirst = (name: string, span: Span, key = name): boolean => {
      const before = heads.get(key)
      if (before && !isOver(file)) diagnostics.push(declaredTwice(name, span, before))
      else heads.set(key, span)
      return !before || isOver(file)
    }
    const addBody = (bodies: Map<string, Body>, word: string, { labels, head, body }: Block) => {
      const name = labels.join('.')
      if (isFirst(`${word}.${name}`, head)) bodies.set(name, over(bodies.get(name), body))
    }
    const addBlock = (blocks: Map<string, Block>, block: Block) => {
      const name = block.labels.join('.')
      if (isFirst(name, block.head, `${block.type} ${name}`))
        blocks.set(name, { ...(blocks.get(name) ?? block), body: over(blocks.get(name)?.body, block.body) })
    }
    for (const block of file.body?.blocks ?? []) {
      if (block.type === 'locals') {
        for (const attribute of block.body.attributes)
          if (isFirst(`local.${attribute.name}`, attribute.nameSpan)) locals.set(attribute.name, attribute)
      } else if (block.type === 'variable') addBody(variables, 'var', block)
      else if (block.type === 'output') addBody(outputs, 'output', block)
      else if (block.type === 'resource') addBlock(resources, block)
      else if (block.type === 'module') addBlock(modules, block)
      else if (block.type === 'data') addOver(data, block.labels.join('.'), block)
      else if (block.type === 'provider') addOver(providers, providerName(block), block)
      else if (block.type === 'terraform')
        for (const inner of block.body.blocks)
          if (inner.type === 'required_providers') for (const { name, value } of inner.body.attributes) required.set(name, value)
          else if (inner.type === 'cloud' || inner.type === 'backend') states.push(inner)
    }
  }
  return declarations
}

/** Of blocks that are read for what depends on them alone: what is wrong with them is for their tools to report. */
function addOver(blocks: Map<string, Block>, name: string, block: Block): void {
  const before = blocks.get(name)
  blocks.set(name, before ? { ...before, body: over(before.body, block.body) } : block)
}

function providerName({ labels, body }: Block): string {
  const alias = attributeOf(body, 'alias')?.value
  const [part] = alias?.kind === 'template' ? alias.parts : []
  return part?.kind === 'text' ? `${labels[0]}.${part.value}` : (labels[0] ?? '')
}

function declaredTwice(name: string, span: Span, before: Span): Diagnostic {
  const message = `\`${visible(shortened(name))}\` is declared twice: no such configuration is applied`
  return syntaxErrorAt(span, message, 'give one of them another name', [{ message: 'first declared here', span: spanOf(before) }])
}

/** The type of a block, written out or made by `dynamic`. */
const madeBy = ({ type, labels }: Block) => (type === 'dynamic' ? labels[0] : type)

/** A body overridden by another one: blocks replace all blocks of their type, except `lifecycle`, which is merged. */
function over(body: Body | undefined, other: Body): Body {
  if (!body) return other
  const names = new Set(other.attributes.map(({ name }) => name))
  const types = new Set(other.blocks.map(madeBy))
  const before = body.blocks.find(({ type }) => type === 'lifecycle')?.body
  return {
    attributes: [...body.attributes.filter(({ name }) => !names.has(name)), ...other.attributes],
    blocks: [
      ...body.blocks.filter((block) => !types.has(madeBy(block))),
      ...other.blocks.map((block) => (block.type === 'lifecycle' ? { ...block, body: over(before, block.body) } : block)),
    ],
  }
}

export function attributeOf({ attributes }: Body, name: string): Attribute | undefined {
  return attributes.find((each) => each.name === name)
}
