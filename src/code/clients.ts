import { otherClients } from './languages.ts'
import type { Expression, Program, TokenList } from './program.ts'
import type { Token } from './tokens.ts'

/** The names of a program by what they are: clients of the API, and others that are called alike. */
export interface ClientNames {
  /** Names from a package of the provider, and what is made of them. */
  readonly own: ReadonlySet<string>
  /** Names from packages of servers and of other clients. */
  readonly others: ReadonlySet<string>
}

/** Whether a package is the provider's: a part of its name begins with the brand. */
function isOwn(specifier: string, brand: string): boolean {
  return specifier
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => part.startsWith(brand))
}

const isOther = (specifier: string) =>
  otherClients.has(specifier.toLowerCase()) || otherClients.has(specifier.toLowerCase().split(/[./\\]/)[0] ?? '')

/** Which names of a program are clients, by what it imports, assigns and declares. */
export function clientNames(program: Program, brand: string): ClientNames {
  const own = new Set<string>()
  const others = new Set<string>()
  const add = (specifier: string, names: readonly string[]) => {
    const set = isOwn(specifier, brand) ? own : isOther(specifier) ? others : undefined
    for (const name of names) set?.add(name)
  }
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
  // A value that is made of a client is one: `client = svc.Client()`, `this.client = client`. What a call answers is none.
  const bindings = [...program.variables.values(), ...program.properties.values()].flat()
  for (let round = 0; round < 3; round++) {
    for (const { name, value } of bindings) {
      if (!value || isAnswer(program, value)) continue
      const head = value.list.tokens.slice(value.from, Math.min(value.to, value.from + 8))
      const first = head.find(({ kind, value: word }) => kind === 'name' && !/^(?:new|await|this|self|\$this|require|import)$/.test(word))
      if (first && own.has(plain(first.value))) own.add(plain(name))
      else if (first && others.has(plain(first.value)) && !own.has(plain(name))) others.add(plain(name))
    }
  }
  for (const [i, { kind, value }] of tokens.entries()) {
    if (kind !== 'name' || !own.has(plain(value))) continue
    // `client: Svc`, `client *svc.Client`, `client svc.Client`, `Svc $client`.
    const before = tokens[i - 1]
    const named =
      before?.value === ':' || before?.value === '*' || before?.value === '?'
        ? tokens[i - 2]
        : program.language === 'Go'
          ? before
          : undefined
    if (named?.kind === 'name' && !/^(?:return|case|func|go|defer|range|type|package|import)$/.test(named.value))
      own.add(plain(named.value))
    const after = tokens[i + 1]
    if (program.language === 'PHP' && after?.kind === 'name' && after.value.startsWith('$')) own.add(plain(after.value))
  }
  return { own, others }
}

/** Whether a value is what a call of the API answers: `await client.get('/me')`. */
function isAnswer({ facts }: Program, { list: { tokens }, from, to }: Expression): boolean {
  for (let i = from; i < Math.min(to, from + mostLinks); i++) {
    const { kind, value } = tokens[i] as Token
    if (kind === 'sign' && value === '(' && i > from) {
      const callee = plain(tokens[i - 1]?.value ?? '')
      return i > from + 1 && facts.members.includes(tokens[i - 2]?.value ?? '') && (facts.methodCall.test(callee) || facts.genericCall.test(callee))
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

function pythonImport(tokens: readonly Token[], at: number, add: Add): void {
  const before = tokens[at - 1]
  if (before && before.kind !== 'line') return
  const isFrom = tokens[at]?.value === 'from'
  const line: Token[] = []
  for (let i = at + 1; i < at + 60 && tokens[i] && tokens[i]?.kind !== 'line'; i++) line.push(tokens[i] as Token)
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

function phpImport(tokens: readonly Token[], at: number, add: Add): void {
  const path = tokens[at + 1]
  if (path?.kind !== 'name' || path.value.startsWith('$')) return
  const names = [plain(path.value)]
  for (let i = at + 2; i < at + 30 && tokens[i] && tokens[i]?.value !== ';'; i++)
    if (tokens[i]?.kind === 'name' && tokens[i]?.value !== 'as') names.push(plain(tokens[i]?.value ?? ''))
  add(path.value, names)
}

/** `import "a/b"`, `import c "a/b"`, and several of them in parentheses. */
function goImports({ tokens, pair }: TokenList, at: number, add: Add): void {
  const end = tokens[at + 1]?.value === '(' ? (pair[at + 1] as number) : at + 3
  for (let i = at + 1; i < end; i++) {
    const { kind, parts } = tokens[i] ?? {}
    const specifier = kind === 'text' ? parts?.[0] : undefined
    if (typeof specifier !== 'string') continue
    const alias = tokens[i - 1]?.kind === 'name' && i - 1 > at ? tokens[i - 1]?.value : undefined
    const last = specifier.split('/').filter((part) => !/^v\d+$/.test(part))
    add(specifier, [alias ?? (last.at(-1) ?? '').replace(/^go-|-go$/, '')])
  }
}

function scriptImport(tokens: readonly Token[], at: number, specifier: string, add: Add): void {
  const before = tokens[at - 1]
  if (before?.value === 'from' || before?.value === 'import') {
    const names: string[] = []
    for (let i = at - 2; i >= 0 && at - i < 200 && tokens[i]?.value !== 'import'; i--) {
      const token = tokens[i] as Token
      if (token.kind === 'name' && token.value !== 'as' && token.value !== 'type') names.push(token.value)
    }
    add(specifier, names)
    return
  }
  if (before?.value !== '(' || tokens[at - 2]?.value !== 'require') return
  // `const name = require('package')`, `const { a, b: c } = require('package')`.
  const names: string[] = []
  if (tokens[at - 3]?.value === '=')
    for (let i = at - 4; i >= 0 && at - i < 60; i--) {
      const { kind, value } = tokens[i] as Token
      if (/^(?:const|let|var|;)$/.test(value) || kind === 'line') break
      if (kind === 'name') names.push(value)
    }
  add(specifier, names)
}
