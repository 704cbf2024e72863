import type { Range } from '../source.ts'
import { otherClients } from './languages.ts'
import { type Expression, innermost, type Program, rangesAround, type TokenList } from './program.ts'
import type { Token } from './tokens.ts'

/** The names of a program by what they are: clients of the API, and others that are called alike. */
export interface ClientNames {
  /** Names from a package of the provider, and what is made of them. */
  readonly own: ReadonlySet<string>
  /** Names from packages of servers and of other clients. */
  readonly others: ReadonlySet<string>
  /** Modules of the same program, by their names here. */
  readonly modules: ReadonlySet<string>
  /** Classes that extend a client: their own methods are those of one. */
  readonly classes: readonly Range[]
}

/** Names that other files of a program have for clients. */
export type ClientsElsewhere = ReadonlySet<string>

/** Whether a package is the provider's: a part of its name begins with the brand. */
function isOwn(specifier: string, brand: string): boolean {
  return specifier
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => part.startsWith(brand))
}

/** Whether a name says that it is a client: a part of it is the brand, as in `svcClient` and `svc_api`. */
export function isBrandName(name: string, brand: string): boolean {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).some((part) => part.toLowerCase() === brand)
}

const isOther = (specifier: string) =>
  otherClients.has(specifier.toLowerCase()) || otherClients.has(specifier.toLowerCase().split(/[./\\]/)[0] ?? '')

/** Which names of a program are clients, by what it imports, assigns and declares. */
export function clientNames(program: Program, brand: string, elsewhere: ClientsElsewhere = new Set()): ClientNames {
  const ownNames = new Set<string>()
  const others = new Set<string>()
  const modules = new Set<string>()
  const add = (specifier: string, names: readonly string[]) => {
    const set = isOwn(specifier, brand) ? ownNames : isOther(specifier) ? others : undefined
    for (const name of names) {
      set?.add(name)
      if (set) continue
      modules.add(name)
      if (elsewhere.has(name)) ownNames.add(name)
    }
  }
  // A package of Go is one program: its files import nothing of each other.
  if (program.language === 'Go') for (const name of elsewhere) ownNames.add(name)
  const { tokens } = program.list
  for (const [i, token] of tokens.entries()) {
    if (program.language === 'Python' && token.kind === 'name' && (token.value === 'import' || token.value === 'from'))
      pythonImport(tokens, i, add)
    else if (program.language === 'PHP' && token.kind === 'name' && token.value === 'use') phpImport(tokens, i, add)
    else if (program.language === 'Go' && token.kind === 'name' && token.value === 'import') goImports(program.list, i, add)
    else if (token.kind === 'text' && token.parts?.length === 1 && typeof token.parts[0] === 'string') {
      if (program.language === 'JavaScript' || program.language === 'TypeScript') scriptImport(tokens, i, token.parts[0], add)
    }
  }
  const bindings = [...program.variables.values(), ...program.properties.values()].flat()
  let classes: readonly Range[] = []
  for (let round = 0; round < mostRounds; round++) {
    const before = ownNames.size + others.size
    // A value that is made of a client is one: `client = svc.Client()`, `this.client = client`. What a call answers is none.
    for (const { name, value } of bindings) {
      if (!value || isAnswer(program, value)) continue
      const head = value.list.tokens.slice(value.from, Math.min(value.to, value.from + 8))
      const first = head.find(({ kind, value: word }) => kind === 'name' && !/^(?:new|await|this|self|\$this|require|import)$/.test(word))
      if (first && ownNames.has(plain(first.value))) ownNames.add(plain(name))
      else if (first && others.has(plain(first.value)) && !ownNames.has(plain(name))) others.add(plain(name))
    }
    for (const name of typedNames(program, ownNames, brand)) ownNames.add(name)
    for (const name of factories(program, ownNames)) ownNames.add(name)
    const extending = clientClasses(program, ownNames)
    for (const { name } of extending) ownNames.add(name)
    classes = extending.map(({ range }) => range)
    if (ownNames.size + others.size === before) break
  }
  return { own: ownNames, others, modules, classes }
}

/** How often names are looked for that are made of those found before. */
const mostRounds = 4

/** The names of clients that other files may have: those of modules, functions and types. */
export function sharedClients(program: Program, { own }: ClientNames): readonly string[] {
  const shared = [...program.variables].filter(([, all]) => all.some(({ owner, block }) => !owner && !block)).map(([name]) => plain(name))
  const declared = program.functions.ranges.map(({ name }) => plain(name))
  const { tokens } = program.list
  const types = tokens.flatMap(({ value }, i) => (/^(?:class|type|struct)$/.test(value) ? [plain(tokens[i + 1]?.value ?? '')] : []))
  return [...new Set([...shared, ...declared, ...types])].filter((name) => name !== '' && own.has(name))
}

/** Names that are declared with the type of a client: `client: Svc`, `client *svc.Client`, `client svc.Client`, `Svc $client`. */
function typedNames({ list: { tokens }, language }: Program, ownNames: ReadonlySet<string>, brand: string): readonly string[] {
  const names: string[] = []
  for (const [i, { kind, value }] of tokens.entries()) {
    if (kind !== 'name') continue
    const isWhole = language === 'PHP' && value.includes('\\') && isOwn(value, brand)
    if (isWhole) names.push(plain(value))
    if (!isWhole && !ownNames.has(plain(value))) continue
    const before = tokens[i - 1]
    const named =
      before?.value === ':' || before?.value === '*' || before?.value === '?' ? tokens[i - 2] : language === 'Go' ? before : undefined
    if (named?.kind === 'name' && !/^(?:return|case|func|go|defer|range|type|package|import)$/.test(named.value))
      names.push(plain(named.value))
    const after = tokens[i + 1]
    if (language === 'PHP' && after?.kind === 'name' && after.value.startsWith('$')) names.push(plain(after.value))
  }
  return names
}

/** Functions that return a client. */
function factories({ list, functions, language }: Program, ownNames: ReadonlySet<string>): readonly string[] {
  const { tokens } = list
  const names: string[] = []
  for (const [i, { kind, value, start }] of tokens.entries()) {
    if (kind !== 'name') continue
    if (language === 'Go' && value === 'func' && tokens[i + 1]?.kind === 'name' && returnsClient(list, i + 1, ownNames))
      names.push((tokens[i + 1] as Token).value)
    if (value !== 'return') continue
    const end = nextOf(tokens, i, mostLinks, (token) => token.kind === 'line' || (token.kind === 'sign' && /^[;({]$/.test(token.value)))
    const made = tokens.slice(i + 1, end < 0 ? i + mostLinks : end)
    const last = made.at(-1)
    if (last?.kind !== 'name' || !made.some((token) => ownNames.has(plain(token.value)))) continue
    // `new Client(`, `svc.NewClient(`, `&Client{`
    const isMade = tokens[end]?.kind === 'sign' && tokens[end]?.value !== ';' && /^\p{Lu}/u.test(plain(last.value))
    const name = plain(innermost(functions, start)?.name ?? '')
    if (name !== '' && (ownNames.has(plain(last.value)) || isMade)) names.push(name)
  }
  return names
}

/** Whether a function of Go has the type of a client among its results: `New() *Client {`, `New() (*Client, error) {`. */
function returnsClient({ tokens, pair }: TokenList, index: number, ownNames: ReadonlySet<string>): boolean {
  const open = nextOf(tokens, index, mostLinks, ({ kind, value }) => kind === 'sign' && value === '(')
  const close = open < 0 ? -1 : (pair[open] as number)
  if (close < 0) return false
  for (let i = close + 1; i < close + mostLinks; i++) {
    const token = tokens[i]
    if (!token || token.kind === 'line' || (token.kind === 'sign' && token.value === '{')) return false
    if (token.kind === 'name' && ownNames.has(token.value)) return true
  }
  return false
}

/** The place of the next token of a kind, within as many as are looked at; -1 where there is none. */
function nextOf(tokens: readonly Token[], from: number, most: number, isWanted: (token: Token) => boolean): number {
  for (let i = from + 1; i < Math.min(tokens.length, from + 1 + most); i++) if (isWanted(tokens[i] as Token)) return i
  return -1
}

/** Classes that extend a client, and types that embed one, with where their methods are. */
function clientClasses(
  { list, blocks, language }: Program,
  ownNames: ReadonlySet<string>,
): readonly { readonly name: string; readonly range: Range }[] {
  const { tokens } = list
  const classes: { name: string; range: Range }[] = []
  for (const [i, { kind, value }] of tokens.entries()) {
    if (kind !== 'name') continue
    if (language === 'Go' ? value !== 'struct' || tokens[i - 2]?.value !== 'type' : value !== 'class') continue
    const name = plain(tokens[language === 'Go' ? i - 1 : i + 1]?.value ?? '')
    const open = nextOf(tokens, i, 80, (token) => token.kind === 'sign' && (token.value === '{' || token.value === ':'))
    if (open < 0 || name === '') continue
    const heads = language === 'Go' ? embedded(list, open) : tokens.slice(i + 2, open)
    const from = language === 'Python' || language === 'Go' ? 0 : heads.findIndex((token) => token.value === 'extends')
    if (from < 0 || !heads.slice(from).some((token) => token.kind === 'name' && ownNames.has(plain(token.value)))) continue
    const first = nextOf(tokens, open, 80, (token) => token.kind !== 'line')
    const range = rangesAround(blocks, tokens[first]?.start ?? 0).find(({ isClass }) => isClass)
    if (range) classes.push({ name, range })
  }
  return classes
}

/** The types that a struct of Go embeds: lines with nothing but a type. */
function embedded({ tokens, pair }: TokenList, open: number): readonly Token[] {
  const close = pair[open] as number
  const embeddedTypes: Token[] = []
  let line: Token[] = []
  for (let i = open + 1; i <= close; i++) {
    const token = tokens[i] as Token
    if (token.kind !== 'line' && i < close) line.push(token)
    else {
      const names = line.filter(({ kind }) => kind === 'name')
      if (names.length > 0 && line.every(({ kind, value }) => kind === 'name' || value === '*' || value === '.') && line.length <= 4) {
        const isField = line[0]?.kind === 'name' && line[1]?.value !== '.' && line.length > 1
        if (!isField) embeddedTypes.push(...names)
      }
      line = []
    }
  }
  return embeddedTypes
}

/** Whether a value is what a call of the API answers: `await client.get('/me')`. */
function isAnswer({ facts }: Program, { list: { tokens }, from, to }: Expression): boolean {
  for (let i = from; i < Math.min(to, from + mostLinks); i++) {
    const { kind, value } = tokens[i] as Token
    if (kind === 'sign' && value === '(' && i > from) {
      const callee = plain(tokens[i - 1]?.value ?? '')
      return (
        i > from + 1 &&
        facts.members.includes(tokens[i - 2]?.value ?? '') &&
        (facts.methodCall.test(callee) || facts.genericCall.test(callee))
      )
    }
    if (kind !== 'name' && !facts.members.includes(value)) return false
  }
  return false
}

/** How far the first call of a value may be from its beginning: `await this.api.client.get(`. */
const mostLinks = 12

/** A name without the signs that only say what kind it is. */
export const plain = (name: string): string => name.replace(/^\$/, '').replace(/^.*\\/, '')

type Add = (specifier: string, names: readonly string[]) => void

function pythonImport(tokens: readonly Token[], index: number, add: Add): void {
  const before = tokens[index - 1]
  if (before && before.kind !== 'line') return
  const isFrom = tokens[index]?.value === 'from'
  const line: Token[] = []
  for (let i = index + 1; i < index + 60 && tokens[i] && tokens[i]?.kind !== 'line'; i++) line.push(tokens[i] as Token)
  if (isFrom) {
    const where = line.findIndex(({ value }) => value === 'import')
    if (where < 0) return
    const specifier = line
      .slice(0, where)
      .map(({ value }) => value)
      .join('')
    const names = line.slice(where + 1).flatMap(({ kind, value }) => (kind === 'name' && value !== 'as' ? [value] : []))
    add(specifier, names)
    return
  }
  // `import a.b as c, d`
  let module = ''
  let name = ''
  for (const [i, { kind, value }] of line.entries()) {
    if (value === ',') {
      add(module, [name])
      module = ''
      name = ''
    } else if (line[i - 1]?.value === 'as') name = value
    else if (value !== 'as') {
      module += value
      if (kind === 'name' && name === '') name = value
    }
  }
  add(module, [name])
}

function phpImport(tokens: readonly Token[], index: number, add: Add): void {
  const path = tokens[index + 1]
  if (path?.kind !== 'name' || path.value.startsWith('$')) return
  const names = [plain(path.value)]
  for (let i = index + 2; i < index + 30 && tokens[i] && tokens[i]?.value !== ';'; i++)
    if (tokens[i]?.kind === 'name' && tokens[i]?.value !== 'as') names.push(plain(tokens[i]?.value ?? ''))
  add(path.value, names)
}

/** `import "a/b"`, `import c "a/b"`, and several of them in parentheses. */
function goImports({ tokens, pair }: TokenList, index: number, add: Add): void {
  const end = tokens[index + 1]?.value === '(' ? (pair[index + 1] as number) : index + 3
  for (let i = index + 1; i < end; i++) {
    const { kind, parts } = tokens[i] ?? {}
    const specifier = kind === 'text' ? parts?.[0] : undefined
    if (typeof specifier !== 'string') continue
    const alias = tokens[i - 1]?.kind === 'name' && i - 1 > index ? tokens[i - 1]?.value : undefined
    const last = specifier.split('/').filter((part) => !/^v\d+$/.test(part))
    add(specifier, [alias ?? (last.at(-1) ?? '').replace(/^go-|-go$/, '')])
  }
}

function scriptImport(tokens: readonly Token[], index: number, specifier: string, add: Add): void {
  const before = tokens[index - 1]
  if (before?.value === 'from' || before?.value === 'import') {
    const names: string[] = []
    for (let i = index - 2; i >= 0 && index - i < 200 && tokens[i]?.value !== 'import'; i--) {
      const token = tokens[i] as Token
      if (token.kind === 'name' && token.value !== 'as' && token.value !== 'type') names.push(token.value)
    }
    add(specifier, names)
    return
  }
  if (before?.value !== '(' || tokens[index - 2]?.value !== 'require') return
  // `const name = require('package')`, `const { a, b: c } = require('package')`.
  const names: string[] = []
  if (tokens[index - 3]?.value === '=')
    for (let i = index - 4; i >= 0 && index - i < 60; i--) {
      const { kind, value } = tokens[i] as Token
      if (/^(?:const|let|var|;)$/.test(value) || kind === 'line') break
      if (kind === 'name') names.push(value)
    }
  add(specifier, names)
}
