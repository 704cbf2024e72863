import type { Operation } from '../actions/operations.ts'
import type { Call } from '../calls/match.ts'
import { groupedBy } from '../collections.ts'
import type { Source, Span } from '../source.ts'
import { type ClientNames, type ClientsElsewhere, clientNames, isBrandName, plain, sharedClients } from './clients.ts'
import { type CodeLanguage, type CodeMethod, methodNamed, otherClients } from './languages.ts'
import { type Lookup, type Operations, rootOf } from './lookup.ts'
import { mayBePath, pathIn } from './path.ts'
import { type CodeFunction, type Expression, innermost, type Program, programOf, splitAt, type TokenList, typesEnd } from './program.ts'
import { type CodeText, type CodeTexts, type Hole, literalOf, Strings } from './strings.ts'

/** Calls of the API that a program makes, by the methods and paths that it is written with. */

/** A call of the API in a program. */
export interface CodeCall {
  readonly at: Span
  readonly language: CodeLanguage
  /** As it is matched: with a placeholder for each value that is put in. */
  readonly call: Call
  /** As it is written: `GET /vps/{name}`. */
  readonly shown: string
}

/** A call that is probably one of the API, and is not fully known. */
export interface CodeGap {
  readonly at: Span
  readonly language: CodeLanguage
  /** The call as far as it is known: `GET /cloud{rest}`. */
  readonly shown: string
  readonly why: string
  readonly help?: string
}

/** A call that is written as one of the API, of a path that is none of it. */
export interface OtherCall {
  readonly at: Span
  readonly shown: string
}

/** A function that hands a path, or a method, on to a call. */
export interface Wrapper {
  readonly name: string
  readonly of: CodeFunction
  readonly at: Span
  readonly language: CodeLanguage
  readonly methods: readonly CodeMethod[] | undefined
  /** The parameter that is the method. */
  readonly methodAt?: number
  readonly branch?: Operation['branch']
  readonly text: CodeText
  /** It certainly hands on to a client of the API. */
  readonly isSure: boolean
}

export interface CodeFindings {
  readonly calls: readonly CodeCall[]
  readonly gaps: readonly CodeGap[]
  readonly others: readonly OtherCall[]
  readonly wrappers: readonly Wrapper[]
  /** There was more to look at than is looked at in one file. */
  readonly isCut: boolean
}

/** Clients are known by what they are made of, or by other calls on them. */
type Evidence = 'client' | 'other' | 'none'

interface Candidate {
  readonly at: Span
  readonly chain: readonly string[]
  readonly callee: string
  readonly evidence: Evidence
  /** Undefined: not known. */
  readonly methods: readonly CodeMethod[] | undefined
  readonly methodTexts?: CodeTexts
  readonly texts: CodeTexts
  readonly branch?: Operation['branch']
  /** The name of the function says nothing of the method: it takes one. */
  readonly isGeneric: boolean
}

/** Calls that one program makes. */
export class CallFinder {
  readonly program: Program
  readonly strings: Strings
  private readonly source: Source
  private readonly operations: Operations
  private readonly clients: ClientNames
  private readonly used = new Set<string>()
  private readonly bases = new Set<string>()
  private readonly sites: readonly Site[]

  private readonly brand: string
  private readonly elsewhere: ClientsElsewhere

  constructor(
    source: Source,
    language: Exclude<CodeLanguage, 'shell'>,
    operations: Operations,
    brand: string,
    elsewhere: ClientsElsewhere = new Set(),
  ) {
    this.source = source
    this.operations = operations
    this.program = programOf(source.text, language, source.path)
    this.strings = new Strings(this.program)
    this.brand = brand
    this.elsewhere = elsewhere
    this.clients = clientNames(this.program, brand, elsewhere)
    this.sites = callSites(this.program, this.strings)
  }

  /** The names of clients that other files of the program may have. */
  shared(): readonly string[] {
    return sharedClients(this.program, this.clients)
  }

  /** The calls that are written in the program itself. */
  find(): CodeFindings {
    const candidates = this.sites.flatMap((site) => this.candidateAt(site) ?? [])
    // A name is a client if one of the calls on it is of the API.
    for (const { evidence, chain, methods = [], texts, branch } of candidates) {
      if (evidence === 'other') continue
      for (const text of texts) {
        const path = pathIn(text)
        const isKnown = methods.some((method) => this.operations.find(method, path, branch, this.bases).kind === 'known')
        if (!isKnown) continue
        const receiver = chain.at(-1)
        if (receiver !== undefined) this.used.add(receiver)
        if (path.base) this.bases.add(path.base.name)
      }
    }
    const settled = this.settled(candidates)
    return { ...settled, gaps: [...settled.gaps, ...this.references()] }
  }

  /** The calls that functions make with what this program hands to them. `wrappers`: by their names. */
  through(
    wrappers: ReadonlyMap<string, readonly Wrapper[]>,
  ): CodeFindings & { readonly reached: ReadonlySet<Wrapper>; readonly places: readonly number[] } {
    const candidates: Candidate[] = []
    const reached = new Set<Wrapper>()
    for (const site of this.sites) {
      const named = wrappers.get(plain(site.callee)) ?? []
      // Where the program has a function with this name, it is meant.
      const here = named.filter(({ at }) => at.source === this.source)
      const through = (here.length > 0 ? here : named).flatMap((wrapper) => this.candidateThrough(wrapper, site, reached) ?? [])
      candidates.push(...together(through))
    }
    const settled = this.settled(candidates)
    const gaps = [...settled.gaps, ...this.references(new Set(wrappers.keys()))]
    return { ...settled, gaps, reached, places: candidates.map(({ at }) => at.start) }
  }

  private candidateThrough(wrapper: Wrapper, site: Site, reached: Set<Wrapper>): Candidate | undefined {
    const { language } = this.program
    if (wrapper.language !== language && !(isScript(wrapper.language) && isScript(language))) return undefined
    const isHere = wrapper.at.source === this.source
    if (isHere && site.from >= wrapper.of.start && site.from < wrapper.of.end) return undefined
    const evidence = this.evidenceOf(site)
    if (evidence === 'other') return undefined
    // A common name is also one of clients, and of other objects.
    const isBare = site.chain.length === 0
    if (isCommon(wrapper.name)) {
      if (isBare === wrapper.of.isMethod) return undefined
      // Only functions of the same package of Go have names in lower case: none is one of a client.
      const isOfPackage = language === 'Go' && /^[a-z]/.test(site.callee)
      if (evidence === 'client' && !isOfPackage && this.candidateAt(site)) return undefined
      if (!isBare && evidence !== 'client' && this.isKnown(site)) {
        reached.add(wrapper)
        return undefined
      }
    }
    const texts = this.strings.filled(wrapper.text, wrapper.of, site.args)
    const methodArg = wrapper.methodAt === undefined ? undefined : site.args[wrapper.methodAt]
    const methods = wrapper.methods ?? (methodArg && this.strings.methods(methodArg))
    // Of a function with a common name, only paths of the API are taken.
    const isOurs = wrapper.isSure && (!isCommon(wrapper.name) || isBare)
    if (!isOurs && !texts.some((text) => mayBePath(text) && typeof text[0] === 'string')) return undefined
    reached.add(wrapper)
    return {
      at: this.spanOf(site),
      chain: site.chain,
      callee: site.callee,
      evidence: isOurs ? 'client' : evidence,
      methods,
      ...(methodArg && !methods && { methodTexts: this.strings.of(methodArg) }),
      texts,
      ...(wrapper.branch && { branch: wrapper.branch }),
      isGeneric: wrapper.methodAt !== undefined,
    }
  }

  /** Whether a call is one of the API by itself. */
  private isKnown(site: Site): boolean {
    const candidate = this.candidateAt(site)
    return candidate !== undefined && this.settled([candidate]).calls.length > 0
  }

  private spanOf({ from, end }: Pick<Site, 'from' | 'end'>): Span {
    return { source: this.source, start: from, end }
  }

  private evidenceOf({ chain, callee, isRoute, from }: Pick<Site, 'chain' | 'callee' | 'isRoute' | 'from'>): Evidence {
    const { others } = this.clients
    const names = [...chain, callee]
    if (this.isClient(chain, callee, from)) return 'client'
    const receiver = chain.at(-1)
    const lower = receiver?.toLowerCase()
    const isServer = lower !== undefined && (otherClients.has(lower) || /(?:router|routes|server|mock)$/.test(lower))
    if (isRoute || isServer || names.some((name) => others.has(name))) return 'other'
    return sureNames.test(callee) || (receiver !== undefined && isBrandName(receiver, this.brand)) ? 'client' : 'none'
  }

  private isClient(chain: readonly string[], callee: string, offset: number): boolean {
    const { own, modules, classes } = this.clients
    const [first] = chain
    // A function of any object may be called as one that was taken from a client.
    const isBare = chain.every((name) => ownObjects.test(name))
    if ((isBare ? [...chain, callee] : chain).some((name) => own.has(name))) return true
    if (first === undefined) return false
    if (chain.length === 1 && ownObjects.test(first)) return classes.some(({ start, end }) => start <= offset && offset < end)
    return modules.has(first) && chain.some((name) => this.elsewhere.has(name))
  }

  private candidateAt(site: Site): Candidate | undefined {
    const { facts } = this.program
    const { callee, chain, args } = site
    if (notCalls.test(callee)) return undefined
    const isContext = (arg: Expression) => this.program.language === 'Go' && isGoContext(arg)
    const evidence = this.evidenceOf(site)
    const last = chain.at(-1)
    const branch = last === 'v2' ? { branch: 'v2' as const } : {}
    const shape = { at: this.spanOf(site), chain, callee, evidence, ...branch }
    // A method and a path after each other.
    for (const [i, arg] of args.slice(0, 3).entries()) {
      const next = args[i + 1]
      if (!next || !mayNameMethod(arg)) continue
      const methods = this.strings.methods(arg)
      if (methods) return { ...shape, methods, texts: this.strings.of(next), isGeneric: true }
    }
    // Arguments that are spread, or an object that holds both: nothing says what is called.
    if (facts.genericCall.test(callee) && args.length === 1 && evidence === 'client' && !isWrittenText(args[0]))
      return { ...shape, methods: undefined, texts: unknownTexts, isGeneric: true }
    if (facts.genericCall.test(callee) && args.length > 1) {
      const first = args.findIndex((arg) => !isContext(arg))
      const [method, path] = [args[first], args[first + 1]]
      if (!method || !path) return undefined
      return { ...shape, methods: undefined, methodTexts: this.strings.of(method), texts: this.strings.of(path), isGeneric: true }
    }
    const { methodExpression } = site
    if (methodExpression) {
      const methods = this.strings.methods(methodExpression)
      const [path] = args
      if (!path) return undefined
      return { ...shape, methods, methodTexts: this.strings.of(methodExpression), texts: this.strings.of(path), isGeneric: false }
    }
    const match = facts.methodCall.exec(callee)
    const named = match && methodNamed(match.slice(1).find((each) => each !== undefined) ?? '')
    if (!named) return undefined
    const path = args.find((arg) => !isContext(arg))
    if (!path) return undefined
    const texts = this.strings.of(path)
    return { ...shape, methods: [named], texts: texts.length === 0 && evidence === 'client' ? unknownTexts : texts, isGeneric: false }
  }

  /** Functions of clients that are used as values: what is called through them is not seen. `names`: those of functions that hand on to one. */
  private references(names?: ReadonlySet<string>): readonly CodeGap[] {
    const { program } = this
    const { list, language, facts } = program
    const gaps: CodeGap[] = []
    const isCalled = (callee: string) => facts.methodCall.test(callee) || facts.genericCall.test(callee)
    const isClient = (chain: readonly string[], callee: string, at: number) => {
      const evidence = this.evidenceOf({ chain, callee, isRoute: false, from: at })
      return evidence === 'client' || (evidence === 'none' && this.used.has(chain.at(-1) ?? ''))
    }
    for (const [i, { kind, value, parts, start, end }] of list.tokens.entries()) {
      // `[$api, 'get']`, as PHP names a function.
      if (kind === 'text' && language === 'PHP') {
        const [name] = parts ?? []
        const object = list.tokens[i - 2]
        if (typeof name !== 'string' || !isCalled(name) || object?.kind !== 'name' || !isClient([plain(object.value)], name, start))
          continue
        const isPair = tokenIs(list, i - 1, ',') && tokenIs(list, i + 1, ']', ')') && tokenIs(list, i - 3, '[', '(')
        if (isPair && !this.isPassedToTest(list, tokenIs(list, i - 3, '[') ? i - 3 : i - 4))
          gaps.push(this.handedOn(`${object.value}->${name}`, { from: object.start, end }))
        continue
      }
      if (kind !== 'name' || program.heads.has(start) || !isValue(list, i, facts.members)) continue
      const callee = plain(value)
      const { chain, start: from } = chainBefore(program, list, i)
      const place = { from: list.tokens[from]?.start ?? start, end }
      const isWrapper = names?.has(callee) === true && chain.length === 0 && isArgument(list, i)
      const isOfClient =
        !names && chain.length > 0 && isCalled(callee) && isClient(chain, callee, start) && !isNamedAlike(program, from, isCalled)
      if ((isWrapper || isOfClient) && !this.isPassedToTest(list, from)) gaps.push(this.handedOn([...chain, callee].join('.'), place))
    }
    return gaps
  }

  private handedOn(name: string, place: Pick<Site, 'from' | 'end'>): CodeGap {
    return {
      at: this.spanOf(place),
      language: this.program.language,
      shown: name,
      why: 'the function is used as a value: what is called through it is not seen',
    }
  }

  /** Whether a value is given to a function that calls nothing: `expect(client.get)`. */
  private isPassedToTest(list: TokenList, at: number): boolean {
    if (!tokenIs(list, at - 1, '(')) return false
    const callee = plain(list.tokens[at - 2]?.value ?? '')
    return notCalls.test(callee) || /^(?:mocked|when|verify|spyOn|callable|is_callable|isFunction|function)$/i.test(callee)
  }

  private settled(candidates: readonly Candidate[]): CodeFindings {
    const calls: CodeCall[] = []
    const gaps: CodeGap[] = []
    const others: OtherCall[] = []
    const wrappers: Wrapper[] = []
    for (const candidate of candidates) {
      // `path.startsWith('/') ? path : '/' + path` puts a slash before a path only where it has none.
      const isPathToo = (text: CodeText) =>
        typeof text[0] === 'string' &&
        text[0].startsWith('//') &&
        candidate.texts.some(([first]) => typeof first === 'string' && /^\/[^/]/.test(first))
      for (const text of candidate.texts.filter((each) => !isPathToo(each))) {
        const settled = this.settle(candidate, text)
        calls.push(...(settled.calls ?? []))
        gaps.push(...(settled.gaps ?? []))
        others.push(...(settled.others ?? []))
        wrappers.push(...(settled.wrappers ?? []))
      }
    }
    return { calls, gaps, others, wrappers, isCut: this.strings.isCut }
  }

  private settle(candidate: Candidate, text: CodeText): Partial<Omit<CodeFindings, 'isCut'>> {
    const { at, evidence, methods, branch } = candidate
    const { language } = this.program
    const path = pathIn(text)
    const literal = literalOf(text)
    const isUsed = evidence === 'client' || (evidence === 'none' && this.used.has(candidate.chain.at(-1) ?? ''))
    const shownMethod = methods ? methods.join(' or ') : `{${holeIn(candidate.methodTexts)?.name || 'method'}}`
    const shown = `${shownMethod} ${path.shown}`
    const other = { others: [{ at, shown }] }
    if (evidence === 'other') return typeof text[0] === 'string' && mayBePath(text) ? other : {}
    if (!methods) {
      const by = holeIn(candidate.methodTexts)
      const wrapper = by?.parameter && this.wrapper(candidate, text, by.parameter.of, by.parameter.index)
      if (wrapper) return { wrappers: [wrapper] }
      if (!isUsed && !(typeof text[0] === 'string' && this.operations.isRoot(rootOf(path)))) return {}
      return { gaps: [{ at, language, shown, why: 'the method is not known' }] }
    }
    const lookups = methods.map((method) => ({ method, lookup: this.operations.find(method, path, branch, this.bases) }))
    const matchedCalls = lookups.flatMap(({ method, lookup }) =>
      lookup.kind === 'known' ? [{ at, language, call: lookup.call, shown: `${method} ${path.shown}` }] : [],
    )
    const rest = lookups.flatMap(({ method, lookup }) => (lookup.kind === 'known' ? [] : [{ method, lookup }]))
    const [first] = rest
    if (!first) return { calls: matchedCalls }
    const lookup = first.lookup as Exclude<Lookup, { kind: 'known' }>
    if (lookup.kind === 'open' && lookup.by.parameter) {
      const wrapper = this.wrapper(candidate, text, lookup.by.parameter.of)
      if (wrapper) return { calls: matchedCalls, wrappers: [wrapper] }
    }
    const isWritten = typeof text[0] === 'string' && mayBePath(text)
    const isOfApi = path.host === undefined || isUsed
    const isNear = lookup.kind === 'none' ? lookup.isNear : this.operations.isRoot(rootOf(path))
    // A word without a slash is the key of a map, as far as anything says.
    if (!isUsed && !(isWritten && isNear && isOfApi))
      return isWritten ? { calls: matchedCalls, others: other.others } : { calls: matchedCalls }
    if (evidence !== 'client' && literal !== undefined && !isWritten) return { calls: matchedCalls }
    const shownRest = `${rest.map(({ method }) => method).join(' or ')} ${path.shown}`
    const help = lookup.help
    return { calls: matchedCalls, gaps: [{ at, language, shown: shownRest, why: lookup.why, ...(help !== undefined && { help }) }] }
  }

  /** The function that hands on what is put in; undefined where it has no name to be called by. */
  private wrapper(candidate: Candidate, text: CodeText, of: CodeFunction, methodAt?: number): Wrapper | undefined {
    const { at, evidence, methods, branch, chain } = candidate
    if (of.name === '') return undefined
    const isSure = evidence === 'client' || this.used.has(chain.at(-1) ?? '') || sureNames.test(candidate.callee)
    const { language } = this.program
    const method = methodAt === undefined ? { methods } : { methods: undefined, methodAt }
    return { name: plain(of.name), of, at, language, text, ...method, isSure, ...(branch && { branch }) }
  }
}

/** Candidates of one place with the same methods as one, with all the paths that it may have. */
function together(candidates: readonly Candidate[]): readonly Candidate[] {
  const alike = groupedBy(candidates, ({ methods }) => methods?.join(' ') ?? '')
  return [...alike.values()].map((same) => ({ ...(same[0] as Candidate), texts: same.flatMap(({ texts }) => texts) }))
}

const isScript = (language: CodeLanguage) => language === 'JavaScript' || language === 'TypeScript'

/** Functions that only clients of the API have. */
const sureNames = /^(?:requestPromised|rawCall|raw_call|CallAPI\w*)$/

/** The object that a function belongs to. */
const ownObjects = /^(?:this|self|cls|super|parent)$/

/** Names that functions of many kinds have. */
const isCommon = (name: string) =>
  /^_?(?:get|post|put|delete|del|patch|request|call|fetch|send|run|execute|query|do|handle|constructor|__init__|__call__)$/i.test(name)

function holeIn(texts: CodeTexts | undefined): Hole | undefined {
  return texts?.flatMap((text) => text.filter((part) => typeof part !== 'string'))[0] as Hole | undefined
}

/** Functions that are given a method and a path, and call nothing: they write them down, or compare them. */
const notCalls =
  /^(?:log|debug|info|warn|warning|error|fatal|print|println|printf|echo|trace|describe|it|test|expect|toHaveBeenCalled\w*|calledWith\w*|assert\w*|toEqual|equal|deepEqual|strictEqual)$/i

/** A place at which a function is called. */
interface Site {
  readonly callee: string
  /** The names of what it is called on, from the first: `['this', 'client']`. */
  readonly chain: readonly string[]
  readonly args: readonly Expression[]
  /** One of its arguments is a function that answers a request: it declares what a server does. */
  readonly isRoute: boolean
  /** The value that chooses the function: `client[method](…)`. */
  readonly methodExpression?: Expression
  readonly from: number
  readonly end: number
}

function callSites(program: Program, strings: Strings): readonly Site[] {
  const sites: Site[] = []
  const open: TokenList[] = [program.list]
  for (let list = open.pop(); list; list = open.pop()) {
    const { tokens } = list
    for (const [i, token] of tokens.entries()) {
      for (const part of token.parts ?? []) if (typeof part !== 'string' && part.length > 2) open.push(strings.listIn(part))
      if (token.kind !== 'name' && !(token.kind === 'sign' && (token.value === ']' || token.value === ')' || token.value === '}'))) continue
      const site = siteAt(program, list, i)
      if (site) sites.push(site)
    }
  }
  return sites.sort((a, b) => a.from - b.from)
}

function tokenIs({ tokens }: TokenList, i: number, ...values: readonly string[]): boolean {
  const token = tokens[i]
  return token !== undefined && token.kind !== 'text' && values.includes(token.value)
}

/** The names of what a member is taken from, from the first, with the place of that. */
function chainBefore({ facts }: Program, list: TokenList, index: number): { readonly chain: readonly string[]; readonly start: number } {
  const { tokens, pair } = list
  const chain: string[] = []
  let start = index
  while (chain.length < 12 && tokenIs(list, start - 1, ...facts.members)) {
    let before = start - 2
    while (tokens[before]?.kind === 'line') before--
    // The value of a call, or of a list: what it is called on.
    while (before > 0 && (pair[before] as number) >= 0 && (pair[before] as number) < before) before = (pair[before] as number) - 1
    if (tokens[before]?.kind !== 'name') break
    chain.unshift(plain(tokens[before]?.value ?? ''))
    start = before
  }
  return { chain, start }
}

/** Whether a name that may be one of a function is used as a value: it is not called, assigned or asked for a part of it. */
function isValue(list: TokenList, index: number, members: readonly string[]): boolean {
  const next = list.tokens[index + 1]
  if (!next || next.kind === 'line') return true
  if (next.kind !== 'sign') return next.kind !== 'text'
  if (members.includes(next.value)) return /^(?:bind|apply)$/.test(list.tokens[index + 2]?.value ?? '')
  return !/^(?:\(|\[|<|\?|!|:|`|:?=|=>|\{)$/.test(next.value)
}

/** Whether a value has a name by which its calls are found: `const request = client.request`, `{ 'GET': client.get }`. */
function isNamedAlike({ list, language }: Program, at: number, isCalled: (name: string) => boolean): boolean {
  const name = list.tokens[at - 2]
  if (name?.kind === 'text') return language !== 'Go' && tokenIs(list, at - 1, ':') && methodNamed(String(name.parts?.[0])) !== undefined
  return name?.kind === 'name' && tokenIs(list, at - 1, '=', ':=') && isCalled(plain(name.value))
}

/** Whether a name is an argument of a call, by itself. */
function isArgument(list: TokenList, index: number): boolean {
  if (!tokenIs(list, index - 1, '(', ',') || !tokenIs(list, index + 1, ')', ',')) return false
  for (let i = index - 1; i >= 0 && index - i < 400; i--) {
    const pair = list.pair[i] as number
    if (pair >= 0 && pair < i) i = pair
    else if (tokenIs(list, i, '(')) return list.tokens[i - 1]?.kind === 'name' || tokenIs(list, i - 1, ')', ']')
    else if (tokenIs(list, i, '[', '{', ';')) return false
  }
  return false
}

const unknownTexts: CodeTexts = [[{ name: '', isWord: false }]]

const isWrittenText = (arg: Expression | undefined): boolean => arg !== undefined && arg.list.tokens[arg.from]?.kind === 'text'

function siteAt(program: Program, list: TokenList, index: number): Site | undefined {
  const { tokens, pair } = list
  const is = (i: number, ...values: readonly string[]) => tokenIs(list, i, ...values)
  let open = index + 1
  if (is(open, '?.')) open++
  if (is(open, '<') && isScript(program.language)) open = typesEnd(list, open) ?? open
  // `Fetch[User](…)` of Go.
  if (is(open, '[') && program.language === 'Go' && (pair[open] as number) > open) open = (pair[open] as number) + 1
  if (!is(open, '(')) return undefined
  const close = pair[open] as number
  if (close < 0) return undefined
  const chosen = methodExpressionAt(program, list, index)
  if (tokens[index]?.kind !== 'name' && !chosen) return undefined
  if (is(index - 1, 'function', 'def', 'func', 'fn', 'new', 'class') || program.heads.has(tokens[index]?.start ?? -1)) return undefined
  const chain: string[] = []
  const object = chosen?.object ?? index
  const before = chainBefore(program, list, object)
  const { start } = before
  chain.push(...before.chain)
  if (chosen && tokens[object]?.kind === 'name') chain.push(plain(tokens[object]?.value ?? ''))
  // A decorator declares what a server does.
  if (is(start - 1, '@') || (tokens[start]?.value ?? '').startsWith('@')) return undefined
  const args = splitAt(list, open + 1, close, ',').map(([from, to]) => {
    let begin = from
    while (begin < to && tokens[begin]?.kind === 'line') begin++
    // An argument with its name.
    const isNamed = tokens[begin]?.kind === 'name' && is(begin + 1, '=', ':') && program.language !== 'Go' && !isScript(program.language)
    return { list, from: isNamed ? begin + 2 : begin, to }
  })
  const isRoute = args.some(({ from, to }) => {
    const handler = innermost(program.functions, tokens[to - 1]?.start ?? 0)
    if (!handler || handler.start < (tokens[from]?.start ?? 0)) return false
    return /^\$?_?(?:req|request|ctx|context|c|w|rw)$/.test(handler.parameters[0] ?? '')
  })
  const first = tokens[chosen ? start : index] as { readonly start: number }
  const path = args[0] ? tokens[args[0].from] : undefined
  return {
    callee: chosen ? '' : plain((tokens[index] as { value: string }).value),
    chain,
    args,
    isRoute,
    ...(chosen && { methodExpression: chosen.expression }),
    from: first.start,
    end: (path ?? (tokens[open] as { end: number })).end,
  }
}

/** The value that chooses the method: `client[method]`, `$client->$method`, `$client->{$method}`, `getattr(client, method)`. */
function methodExpressionAt(
  { language }: Program,
  list: TokenList,
  index: number,
): { readonly object: number; readonly expression: Expression } | undefined {
  const { tokens, pair } = list
  const value = (i: number) => (tokens[i]?.kind === 'text' ? '' : tokens[i]?.value)
  if (language === 'PHP' && tokens[index]?.kind === 'name' && value(index)?.startsWith('$') && value(index - 1) === '->')
    return { object: index - 2, expression: { list, from: index, to: index + 1 } }
  const open = pair[index] as number
  if (tokens[index]?.kind !== 'sign' || open < 1) return undefined
  if (value(index) === ']' && tokens[open - 1]?.kind === 'name' && language !== 'PHP' && language !== 'Go')
    return { object: open - 1, expression: { list, from: open + 1, to: index } }
  if (value(index) === '}' && language === 'PHP' && value(open - 1) === '->')
    return { object: open - 2, expression: { list, from: open + 1, to: index } }
  if (value(index) !== ')' || language !== 'Python' || value(open - 1) !== 'getattr') return undefined
  const [object, name] = splitAt(list, open + 1, index, ',')
  return object && name ? { object: object[1] - 1, expression: { list, from: name[0], to: name[1] } } : undefined
}

function mayNameMethod({ list, from, to }: Expression): boolean {
  const first = list.tokens[from]
  if (first?.kind === 'text')
    return (
      (to === from + 1 || list.tokens[from + 1]?.value === 'as') &&
      first.parts?.length === 1 &&
      methodNamed(String(first.parts[0])) !== undefined
    )
  return first?.kind === 'name' && to - from <= 5
}

/** The context that functions of Go are given first. */
function isGoContext({ list, from, to }: Expression): boolean {
  const last = list.tokens[to - 1]
  const name = to === from + 1 ? last : list.tokens[from]
  return name?.kind === 'name' && /^(?:ctx|context)$/i.test(name.value) && list.tokens[from + 1]?.kind !== 'text'
}
