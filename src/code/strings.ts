import { groupedBy } from '../collections.ts'
import { type CodeMethod, codeLimits, methodNamed } from './languages.ts'
import {
  type Binding,
  type CodeFunction,
  type Expression,
  innermost,
  listOf,
  longestValue,
  type Program,
  rangesAround,
  splitAt,
  type TokenList,
  valueEnd,
} from './program.ts'
import type { Token } from './tokens.ts'

/** A part of a string that is not known. */
export interface Hole {
  /** The name of what is put in, as far as it has one; '' otherwise. */
  readonly name: string
  /** It is encoded, or a number: it has no slash. */
  readonly isWord: boolean
  /** It is the parameter of a function. */
  readonly parameter?: { readonly of: CodeFunction; readonly index: number }
}

/** A string as it is known: what is written, and what is put in. Two strings never follow each other. */
export type CodeText = readonly (string | Hole)[]

/** The strings that an expression may be. None: it has no value here. */
export type CodeTexts = readonly CodeText[]

/** Strings of one after those of the other; a string that is too long for a path is not known. */
export function joinedTexts(first: CodeTexts, second: CodeTexts): CodeTexts {
  if (first.length * second.length > codeLimits.alternatives) return [[hole('')]]
  return first.flatMap((a) => second.map((b) => (isTooLong(a) || isTooLong(b) ? [hole('')] : textOf([...a, ...b]))))
}

function isTooLong(text: CodeText): boolean {
  return text.length > codeLimits.parts || text.some((part) => typeof part === 'string' && part.length > codeLimits.text)
}

/** Parts as a text: what is written in one piece. */
export function textOf(parts: CodeText): CodeText {
  const text: (string | Hole)[] = []
  for (const part of parts) {
    const last = text.at(-1)
    if (typeof part === 'string' && typeof last === 'string') text[text.length - 1] = last + part
    else if (part !== '') text.push(part)
  }
  return text
}

function several(...all: readonly CodeTexts[]): CodeTexts {
  const texts = new Map<string, CodeText>()
  for (const each of all.flat()) texts.set(keyOfText(each), each)
  return texts.size > codeLimits.alternatives ? [[hole('')]] : [...texts.values()]
}

function keyOfText(text: CodeText): string {
  return JSON.stringify(text.map((part) => (typeof part === 'string' ? part : [part.name, part.isWord, part.parameter?.index ?? null])))
}

function hole(name: string, isWord = false): Hole {
  return { name, isWord }
}

/** The written text of a string without parts that are put in; undefined for others. */
export function literalOf(text: CodeText): string | undefined {
  if (text.length === 0) return ''
  return text.length === 1 && typeof text[0] === 'string' ? text[0] : undefined
}

/** The strings that expressions of one program may be. */
export class Strings {
  private readonly program: Program
  private readonly open = new Set<Binding | CodeFunction>()
  private steps = 0
  private readonly nested = new WeakMap<readonly Token[], TokenList>()
  private readonly records = new Map<Expression, ReadonlyMap<string, Expression>>()
  private readonly named = new Map<string, CodeFunction[]>()
  private readonly owned = new Map<string, ReadonlyMap<CodeFunction | undefined, readonly Binding[]>>()

  constructor(program: Program) {
    this.program = program
    for (const each of program.functions.ranges) {
      const same = this.named.get(each.name) ?? []
      same.push(each)
      this.named.set(each.name, same)
    }
  }

  /** There was more to look at than is looked at in one file: strings after that are not known. */
  get isCut(): boolean {
    return this.steps > codeLimits.steps
  }

  /** The tokens of what is put into a string, as a list. */
  listIn(tokens: readonly Token[]): TokenList {
    const cached = this.nested.get(tokens)
    if (cached) return cached
    const list = listOf(tokens)
    this.nested.set(tokens, list)
    return list
  }

  /** The strings that an expression may be. */
  of(expression: Expression, depth = 0): CodeTexts {
    const { list } = expression
    let { from, to } = expression
    while (from < to && list.tokens[from]?.kind === 'line') from++
    while (to > from && list.tokens[to - 1]?.kind === 'line') to--
    if (from >= to) return []
    if (depth > codeLimits.depth || ++this.steps > codeLimits.steps) return [[hole('')]]
    if (isCut({ list, from, to })) return [[hole('')]]
    const { pair } = list
    if (is(list, from, '(') && pair[from] === to - 1) return this.of({ list, from: from + 1, to: to - 1 }, depth + 1)
    if (is(list, from, 'await', '&')) return this.of({ list, from: from + 1, to }, depth + 1)
    // A cast of PHP.
    if (is(list, from, '(') && pair[from] === from + 2 && from + 3 < to && this.program.language === 'PHP') {
      const isNumber = is(list, from + 1, 'int', 'integer')
      const values = this.of({ list, from: from + 3, to }, depth + 1)
      return isNumber ? values.map((text) => (literalOf(text) === undefined ? [hole(nameIn(text), true)] : text)) : values
    }
    return this.choice({ list, from, to }, depth) ?? this.sum({ list, from, to }, depth)
  }

  /** `a ? b : c`, `b if a else c`, `a ?? b`, and the like; undefined where it is none. */
  private choice({ list, from, to }: Expression, depth: number): CodeTexts | undefined {
    const indexOfSign = (...signs: readonly string[]) => outside(list, from, to, signs)
    const each = (...ranges: readonly (readonly [number, number])[]) =>
      several(...ranges.map(([start, end]) => this.of({ list, from: start, to: end }, depth + 1)))
    const { language } = this.program
    if (language === 'Python') {
      const when = indexOfSign('if')
      const other = indexOfSign('else')
      if (when > from && other > when) return each([from, when], [other + 1, to])
      if (indexOfSign('lambda', 'and', 'not', '==', 'in') >= 0) return [[hole('')]]
      const or = indexOfSign('or')
      return or > from ? each([from, or], [or + 1, to]) : undefined
    }
    const as = language === 'TypeScript' ? indexOfSign('as', 'satisfies') : -1
    if (as > from) return this.of({ list, from, to: as }, depth + 1)
    const question = language === 'Go' ? -1 : indexOfSign('?')
    if (question > from) {
      const colon = outside(list, question, to, [':'])
      if (colon < 0) return [[hole('')]]
      // `a ?: b` of PHP.
      return colon === question + 1 ? each([from, question], [colon + 1, to]) : each([question + 1, colon], [colon + 1, to])
    }
    const or = indexOfSign('??', '||')
    if (or > from) return each([from, or], [or + 1, to])
    return indexOfSign('&&', '==', '===', '!=', '!==', '=>', '<', '>', '<=', '>=') >= 0 && !this.hasTypes(list, from, to)
      ? [[hole('')]]
      : undefined
  }

  /** `<` and `>` may be those of types: `get<T>(…)`. */
  private hasTypes(list: TokenList, from: number, to: number): boolean {
    return this.program.language === 'TypeScript' && outside(list, from, to, ['&&', '==', '===', '!=', '!==', '=>', '<=', '>=']) < 0
  }

  private sum({ list, from, to }: Expression, depth: number): CodeTexts {
    const { facts, language } = this.program
    const terms = splitAt(list, from, to, facts.concat)
    if (terms.length > 1)
      return terms
        .map(([start, end]) => this.of({ list, from: start, to: end }, depth + 1))
        .reduce((all, next) => joinedTexts(all, next.length === 0 ? [[hole('')]] : next), [[]])
    if (language === 'Python') {
      const percent = lastOutside(list, from, to, '%')
      if (percent > from) {
        const right = percent + 1
        const isTuple = is(list, right, '(') && list.pair[right] === to - 1
        const args = isTuple ? splitAt(list, right + 1, to - 1, ',') : [[right, to] as const]
        return this.formatted(this.of({ list, from, to: percent }, depth + 1), list, args, percentFormat, depth)
      }
    }
    if (outside(list, from, to, ['-', '*', '/', '%', '**', '//']) > from) return [[hole('', true)]]
    return this.operand({ list, from, to }, depth)
  }

  private operand({ list, from, to }: Expression, depth: number): CodeTexts {
    const first = list.tokens[from] as Token
    if (first.kind === 'number') return [[first.value === '' ? hole('') : first.value]]
    if (first.kind === 'text') return this.literal({ list, from, to }, depth)
    if (is(list, from, '[')) return this.list({ list, from, to }, depth)
    if (first.kind !== 'name') return [[hole('')]]
    return this.chain({ list, from, to }, depth)
  }

  /** Strings that follow each other, and what is done with them. */
  private literal({ list, from, to }: Expression, depth: number): CodeTexts {
    let texts: CodeTexts = [[]]
    let i = from
    for (; i < to && (list.tokens[i]?.kind === 'text' || list.tokens[i]?.kind === 'line'); i++)
      for (const part of list.tokens[i]?.parts ?? []) texts = joinedTexts(texts, this.part(part, depth))
    if (i === to) return texts
    if (!is(list, i, '.') || !is(list, i + 2, '(')) return [[hole('')]]
    const close = list.pair[i + 2] as number
    if (close < 0) return [[hole('')]]
    const args = splitAt(list, i + 3, close, ',')
    const method = list.tokens[i + 1]?.value ?? ''
    if (method === 'format' && this.program.language === 'Python' && close === to - 1)
      return this.formatted(texts, list, args, bracesFormat, depth)
    if (method === 'concat' && close === to - 1)
      return args.map(([start, end]) => this.of({ list, from: start, to: end }, depth + 1)).reduce(joinedTexts, texts)
    if (method === 'join' && close === to - 1 && this.program.language === 'Python' && args.length === 1) {
      const [[start, end]] = args as [readonly [number, number]]
      const within = is(list, start, '[', '(') ? (list.pair[start] as number) : -1
      const separator = texts.length === 1 ? literalOf(texts[0] as CodeText) : undefined
      if (within === end - 1 && separator !== undefined) return this.joinedBy(separator, list, splitAt(list, start + 1, within, ','), depth)
    }
    return this.changed(texts, method, close === to - 1)
  }

  private part(part: string | readonly Token[], depth: number): CodeTexts {
    if (typeof part === 'string') return [[part]]
    const list = this.listIn(part)
    const values = this.of({ list, from: 0, to: part.length }, depth + 1)
    return values.length === 0 ? [[hole('')]] : values
  }

  /** A text after a method that may change it: the known ones do not change where its words are. */
  private changed(texts: CodeTexts, method: string, isLast: boolean): CodeTexts {
    return isLast && this.program.facts.texts.test(method) ? texts : [[hole(texts.length === 1 ? nameIn(texts[0] as CodeText) : '')]]
  }

  /** `['', 'vps', name].join('/')`. */
  private list({ list, from, to }: Expression, depth: number): CodeTexts {
    const close = list.pair[from] as number
    const end = close > 0 ? (list.pair[close + 3] as number) : -1
    if (close < 0 || !is(list, close + 1, '.') || list.tokens[close + 2]?.value !== 'join' || end !== to - 1) return [[hole('')]]
    const separators = this.of({ list, from: close + 4, to: end }, depth + 1)
    const separator = separators.length === 1 ? literalOf(separators[0] as CodeText) : undefined
    return separator === undefined ? [[hole('')]] : this.joinedBy(separator, list, splitAt(list, from + 1, close, ','), depth)
  }

  private joinedBy(separator: string, list: TokenList, items: readonly (readonly [number, number])[], depth: number): CodeTexts {
    return items
      .filter(([start, end]) => end > start)
      .map(([start, end]) => this.of({ list, from: start, to: end }, depth + 1))
      .reduce<CodeTexts>((all, next, i) => joinedTexts(i === 0 ? all : joinedTexts(all, [[separator]]), next), [[]])
  }

  /** A name, with what follows it. */
  private chain({ list, from, to }: Expression, depth: number): CodeTexts {
    const { facts, language } = this.program
    const token = list.tokens[from] as Token
    if (to === from + 1) return this.variable(token.value, token.start, depth)
    let last = from
    let i = from + 1
    let isCall = false
    let isSimple = true
    while (i < to) {
      if (is(list, i, ...facts.members) && list.tokens[i + 1]?.kind === 'name') {
        if (isCall) isSimple = false
        last = i + 1
        i += 2
      } else if (is(list, i, '!') && language === 'TypeScript') i++
      else if ((is(list, i, '(') || is(list, i, '[')) && (list.pair[i] as number) > i && (list.pair[i] as number) < to) {
        if (is(list, i, '[')) isSimple = false
        isCall = is(list, i, '(')
        if ((list.pair[i] as number) === to - 1 && isCall) return this.called(list, from, last, i, isSimple, depth)
        i = (list.pair[i] as number) + 1
      } else return [[hole('')]]
    }
    if (!isSimple || isCall) return this.entry({ list, from, to }, depth) ?? [[hole(list.tokens[last]?.value ?? '')]]
    return this.property(list, from, last, depth)
  }

  /** `PATHS['zone']`, of a list of names that is written out. */
  private entry({ list, from, to }: Expression, depth: number): CodeTexts | undefined {
    const open = lastOutside(list, from, to, '[')
    if (open !== from + 1 || list.pair[open] !== to - 1) {
      // `self::PATHS['zone']`
      if (open !== from + 3 || list.pair[open] !== to - 1) return keyHole(list, to)
    }
    const keys = this.of({ list, from: open + 1, to: to - 1 }, depth + 1)
    const key = keys.length === 1 ? literalOf(keys[0] as CodeText) : undefined
    const name = list.tokens[open - 1]?.value ?? ''
    const record =
      open === from + 1 ? this.only(this.program.variables.get(name)) : this.only(this.program.properties.get(name.replace(/^\$/, '')))
    const fieldValue = key !== undefined && record ? this.field(record, key) : undefined
    return fieldValue ? this.of(fieldValue, depth + 1) : key === undefined ? undefined : [[hole(/^\d*$/.test(key) ? name : key)]]
  }

  /** `a.b.c` */
  private property(list: TokenList, from: number, last: number, depth: number): CodeTexts {
    const head = list.tokens[from] as Token
    const name = (list.tokens[last] as Token).value.replace(/^\$/, '')
    const record = last === from + 2 ? this.only(this.program.variables.get(head.value)) : undefined
    const fieldValue = record && this.field(record, name)
    if (fieldValue) return this.of(fieldValue, depth + 1)
    const bindings = this.program.properties.get(name) ?? []
    const isOwn = last === from + 2 && /^(?:this|self|cls|\$this|static)$/.test(head.value)
    const isOfClass = last === from + 2 && /^\p{Lu}/u.test(head.value)
    if ((!isOwn && !isOfClass) || bindings.length === 0) return [[hole(name)]]
    return this.all(bindings, name, depth)
  }

  /** The only value of a name. */
  private only(bindings: readonly Binding[] | undefined): Expression | undefined {
    return bindings?.length === 1 ? bindings[0]?.value : undefined
  }

  /** The value of a key in an object, a dictionary or an array that is written out. */
  private field(record: Expression, key: string): Expression | undefined {
    const known = this.records.get(record) ?? fieldsOf(record)
    this.records.set(record, known)
    return known.get(key)
  }

  /** The result of a function. */
  private called(list: TokenList, from: number, last: number, open: number, isSimple: boolean, depth: number): CodeTexts {
    const { facts, language } = this.program
    const name = (list.tokens[last] as Token).value.replace(/^.*\\/, '')
    const close = list.pair[open] as number
    const args = splitAt(list, open + 1, close, ',').filter(([start, end]) => end > start)
    const argument = (i: number): CodeTexts => {
      const range = args[i]
      return range ? this.of({ list, from: range[0], to: range[1] }, depth + 1) : [[hole('')]]
    }
    if (facts.encoders.test(name)) {
      // Python's own function leaves slashes as they are, unless it is given that none is safe.
      const isWhole = language !== 'Python' || name !== 'quote' || args.slice(1).some(([, end]) => emptyText(list, end - 1))
      return argument(0).map((text) => encodedText(text, isWhole))
    }
    if (facts.numbers.test(name)) return argument(0).map((text) => (literalOf(text) === undefined ? [hole(nameIn(text), true)] : text))
    if (facts.formats.test(name) && args.length > 0) return this.formatted(argument(0), list, args.slice(1), percentFormat, depth)
    if (facts.joins.test(name) && args.length > 0) return this.joinedBy('/', list, args, depth)
    if (facts.texts.test(name)) {
      if (args.length > 0 && (last === from || language === 'Go')) return argument(0)
      const object = last - 1
      return object > from ? this.of({ list, from, to: object }, depth + 1) : [[hole('')]]
    }
    if (name === 'format' && language === 'Python' && last > from + 1)
      return this.formatted(this.of({ list, from, to: last - 1 }, depth + 1), list, args, bracesFormat, depth)
    const resultTexts = isSimple
      ? this.result(
          name,
          args.map(([start, end]) => ({ list, from: start, to: end })),
          depth,
        )
      : undefined
    return resultTexts ?? [[hole(name)]]
  }

  /** The result of a function of this program that is one expression, or ends with the only one that it returns. */
  private result(name: string, args: readonly Expression[], depth: number): CodeTexts | undefined {
    const { list } = this.program
    const named = name === '' ? [] : (this.named.get(name) ?? [])
    const [callee] = named
    if (!callee || named.length > 1 || this.open.has(callee)) return undefined
    const value = callee.value ?? this.returned(callee)
    if (!value || value.list !== list) return undefined
    this.open.add(callee)
    const texts = this.of(value, depth + 1)
    this.open.delete(callee)
    return several(...texts.map((text) => this.filled(text, callee, args, depth)))
  }

  private returned(callee: CodeFunction): Expression | undefined {
    const { list, functions } = this.program
    let result: Expression | undefined
    for (let i = firstAt(list.tokens, callee.start); i < list.tokens.length && (list.tokens[i] as Token).start < callee.end; i++) {
      if (!is(list, i, 'return') || innermost(functions, (list.tokens[i] as Token).start) !== callee) continue
      if (result) return undefined
      result = { list, from: i + 1, to: Math.min(valueEnd(list, i + 1), list.tokens.length) }
    }
    return result
  }

  /** A text with what its parameters are given. */
  filled(text: CodeText, of: CodeFunction, args: readonly (Expression | undefined)[], depth = 0): CodeTexts {
    return text
      .map((part): CodeTexts => {
        if (typeof part === 'string' || part.parameter?.of !== of) return [[part]]
        const arg = args[part.parameter.index]
        const values = arg ? this.of(arg, depth + 1) : [[hole('')]]
        const valueTexts = values.length === 0 ? [[hole('')]] : values
        return part.isWord ? valueTexts.map((value) => encodedText(value, true)) : valueTexts
      })
      .reduce(joinedTexts, [[]])
  }

  // Names.

  /** The strings that a variable may be at a place. */
  private variable(written: string, offset: number, depth: number): CodeTexts {
    const { functions, language } = this.program
    if (/^(?:None|null|nil|undefined)$/i.test(written)) return []
    const name = written
    const owned = this.ownedOf(name)
    const scopes: readonly (CodeFunction | undefined)[] = [...rangesAround(functions, offset), undefined]
    for (const [level, scope] of scopes.entries()) {
      const index = scope?.parameters.indexOf(name) ?? -1
      const scopeBindings = owned.get(scope) ?? []
      if (index < 0 && scopeBindings.length === 0) continue
      // A function of PHP does not see what is around it, other than constants.
      if (language === 'PHP' && level > 0 && name.startsWith('$') && !isClosure(scopes[level - 1])) break
      const parameter: CodeTexts =
        index < 0 || scope === undefined ? [] : [[{ name: shortName(name), isWord: false, parameter: { of: scope, index } }]]
      // Functions inside may give it a value at any time.
      const elsewhere =
        language === 'Python'
          ? []
          : [...owned]
              .filter(([owner]) => owner !== scope && isInside(owner, scope))
              .flatMap(([, all]) => all.filter(({ isDeclared }) => !isDeclared))
      this.steps += owned.size >> 3
      if (level > 0) return several(parameter, this.all([...scopeBindings, ...elsewhere], name, depth))
      return several(this.reaching(scopeBindings, name, offset, parameter, depth), this.all(elsewhere, name, depth))
    }
    return [[hole(shortName(name))]]
  }

  /** The values of a name by the functions that give them, in their order. */
  private ownedOf(name: string): ReadonlyMap<CodeFunction | undefined, readonly Binding[]> {
    const cached = this.owned.get(name)
    if (cached) return cached
    const all = [...(this.program.variables.get(name) ?? [])].sort((a, b) => a.at - b.at)
    const made = groupedBy(all, ({ owner }) => owner)
    this.owned.set(name, made)
    return made
  }

  /** Every value of a name, wherever it is given. */
  private all(bindings: readonly Binding[], name: string, depth: number): CodeTexts {
    if (bindings.length > codeLimits.places) return [[hole(shortName(name))]]
    return several(...bindings.map((each) => (each.isAdded ? [[hole(shortName(name))]] : this.given(each, depth))))
  }

  private given(binding: Binding, depth: number): CodeTexts {
    if (!binding.value || this.open.has(binding)) return [[hole(shortName(binding.name))]]
    this.open.add(binding)
    const texts = this.of(binding.value, depth + 1)
    this.open.delete(binding)
    // A value that is not known is called as what it is given to.
    const renamed = (text: CodeText, part: Hole): Hole =>
      part.name === '' || (text.length === 1 && !part.parameter) ? { ...part, name: shortName(binding.name) } : part
    return texts.map((text) => text.map((part) => (typeof part === 'string' ? part : renamed(text, part))))
  }

  /** The values that a name of the same function may have at a place: those of the last certain one before, and of what comes between. */
  private reaching(bindings: readonly Binding[], name: string, offset: number, before: CodeTexts, depth: number): CodeTexts {
    if (depth > codeLimits.depth) return [[hole(shortName(name))]]
    const { blocks, facts } = this.program
    const around = rangesAround(blocks, offset)
    const isHere = (block: Binding['block']) => block === undefined || around.includes(block)
    const isSeen = ({ block, isDeclared }: Binding) => isHere(block) || !(isDeclared && facts.isBlockScoped)
    const assigned: CodeTexts[] = []
    // In a loop, what is given below is there the next time.
    const loop = around.filter(({ isLoop }) => isLoop).at(-1)
    if (loop) {
      for (let i = firstFrom(bindings, loop.start); i < bindings.length && (bindings[i] as Binding).at < loop.end; i++) {
        const each = bindings[i] as Binding
        if (each.isDeclared || !isSeen(each) || !(each.at > offset || isWithin(each, offset))) continue
        if (assigned.length > codeLimits.places) return [[hole(shortName(name))]]
        assigned.push(each.isAdded ? [[hole(shortName(name))]] : this.given(each, depth))
      }
    }
    for (let i = firstFrom(bindings, offset) - 1; i >= 0; i--) {
      const each = bindings[i] as Binding
      if (!isSeen(each) || isWithin(each, offset)) continue
      if (assigned.length > codeLimits.places) return [[hole(shortName(name))]]
      const isSettled = isHere(each.block) && each.isCertain
      if (each.isAdded) {
        if (this.open.has(each)) return several(...assigned, [[hole(shortName(name))]])
        this.open.add(each)
        const base = this.reaching(bindings, name, each.at, before, depth + 1)
        this.open.delete(each)
        assigned.push(joinedTexts(base, this.given(each, depth)))
      } else assigned.push(this.given(each, depth))
      // Earlier values have an effect only where this one may not have been reached.
      if (isSettled) return several(...assigned)
    }
    // A value that is given below may be there as well: a loop over values is written after what it is for.
    const values = several(...assigned, before)
    return values.length === 0 ? [[hole(shortName(name))]] : values
  }

  // Formats.

  private formatted(
    formats: CodeTexts,
    list: TokenList,
    args: readonly (readonly [number, number])[],
    fields: (format: string) => readonly (string | Field)[],
    depth: number,
  ): CodeTexts {
    const formatArguments = args.map(([start, end]) => {
      const isNamed = list.tokens[start]?.kind === 'name' && is(list, start + 1, '=')
      return {
        name: isNamed ? (list.tokens[start] as Token).value : undefined,
        expression: { list, from: isNamed ? start + 2 : start, to: end },
      }
    })
    return several(
      ...formats.map((format) => {
        let count = 0
        return format
          .flatMap((part): readonly (string | Hole | Field)[] => (typeof part === 'string' ? fields(part) : [part]))
          .map((part): CodeTexts => {
            if (typeof part === 'string' || !('position' in part)) return [[part]]
            const { position, isNumber } = part
            const arg =
              typeof position === 'string'
                ? (formatArguments.find(({ name }) => name === position)?.expression ?? this.keyed(list, args, position))
                : formatArguments[position ?? count++]?.expression
            const values = arg ? this.of(arg, depth + 1) : []
            const valueTexts = values.length === 0 ? [[hole(typeof position === 'string' ? position : '')]] : values
            return isNumber ? valueTexts.map((text) => (literalOf(text) === undefined ? [hole(nameIn(text), true)] : text)) : valueTexts
          })
          .reduce<CodeTexts>(joinedTexts, [[]])
      }),
    )
  }

  /** `'%(name)s' % {'name': value}` */
  private keyed(list: TokenList, args: readonly (readonly [number, number])[], key: string): Expression | undefined {
    const [range] = args
    return range && this.field({ list, from: range[0], to: range[1] }, key)
  }

  /** The methods that an expression names; undefined where one of its values is none. */
  methods(expression: Expression): readonly CodeMethod[] | undefined {
    const { list, from, to } = expression
    // `http.MethodGet`, `HttpMethod.GET`
    const last = list.tokens[to - 1]
    const constant = to - from === 3 && last?.kind === 'name' ? /^(?:Method)?([A-Z][A-Za-z]+)$/.exec(last.value)?.[1] : undefined
    const named = constant === undefined ? undefined : methodNamed(constant)
    if (named) return [named]
    const texts = this.of(expression)
    const methods = texts.map((text) => methodNamed(literalOf(text) ?? ''))
    return methods.length === 0 || methods.includes(undefined) ? undefined : [...new Set(methods as CodeMethod[])]
  }
}

interface Field {
  /** The number or the name of the argument; undefined: the next one. */
  readonly position: number | string | undefined
  readonly isNumber: boolean
}

/** `%s`, `%[1]s`, `%1$s`, `%(name)s`. */
function percentFormat(format: string): readonly (string | Field)[] {
  return cut(format, /%(?:(\d+)\$|\[(\d+)\]|\((\w+)\))?[-+ 0#']{0,40}\d{0,40}(?:\.\d{1,40})?([a-zA-Z%])/g, (found) => {
    if (found[4] === '%') return '%'
    const number = found[1] ?? found[2]
    return { position: number === undefined ? found[3] : Number(number) - 1, isNumber: /^[dioubxX]$/.test(found[4] ?? '') }
  })
}

/** `{}`, `{0}`, `{name}`, `{0.attribute:format}`. */
function bracesFormat(format: string): readonly (string | Field)[] {
  return cut(format, /\{\{|\}\}|\{([^{}]*)\}/g, (found) => {
    if (found[0] === '{{' || found[0] === '}}') return found[0].charAt(0)
    const [, name = ''] = /^(\w*)/.exec(found[1] ?? '') ?? []
    return { position: name === '' ? undefined : /^\d+$/.test(name) ? Number(name) : name, isNumber: /:\d*d$/.test(found[1] ?? '') }
  })
}

function cut(format: string, pattern: RegExp, field: (found: RegExpExecArray) => string | Field): readonly (string | Field)[] {
  const parts: (string | Field)[] = []
  let from = 0
  for (const match of format.matchAll(pattern)) {
    parts.push(format.slice(from, match.index), field(match))
    from = match.index + match[0].length
  }
  return [...parts, format.slice(from)]
}

/** A text as it is after an encoding: without slashes, if the whole of it is encoded. */
function encodedText(text: CodeText, isWhole: boolean): CodeText {
  const encoded = text.map((part): string | Hole => {
    if (typeof part !== 'string') return isWhole ? { ...part, isWord: true } : part
    try {
      return isWhole ? encodeURIComponent(part) : encodeURI(part)
    } catch {
      return hole('', isWhole)
    }
  })
  return encoded.length === 0 ? [''] : encoded
}

/** The name of the only part that is put in. */
function nameIn(text: CodeText): string {
  return text.flatMap((part) => (typeof part === 'string' || part.name === '' ? [] : [part.name]))[0] ?? ''
}

/** The index of the first of bindings, in their order, that is at a place or after it. */
function firstFrom(bindings: readonly Binding[], offset: number): number {
  let [low, high] = [0, bindings.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bindings[middle] as Binding).at < offset) low = middle + 1
    else high = middle
  }
  return low
}

/** The values of an object, a dictionary or an array that is written out, by their keys: the first of each. */
function fieldsOf({ list, from, to }: Expression): ReadonlyMap<string, Expression> {
  const fields = new Map<string, Expression>()
  let start = from
  while (start < to && !is(list, start, '{', '[')) start++
  const close = start < to && start < from + 6 ? (list.pair[start] as number) : -1
  if (close < 0 || close >= to) return fields
  for (const [begin, end] of splitAt(list, start + 1, close, ',')) {
    let i = begin
    while (list.tokens[i]?.kind === 'line') i++
    const token = list.tokens[i]
    if (!is(list, i + 1, ':', '=>')) continue
    const name = token?.kind === 'text' && token.parts?.length === 1 ? token.parts[0] : token?.kind === 'name' ? token.value : undefined
    if (typeof name === 'string' && !fields.has(name)) fields.set(name, { list, from: i + 2, to: end })
  }
  return fields
}

/** Whether a place is in the value that a name is given. */
function isWithin({ at: start, value }: Binding, at: number): boolean {
  return value !== undefined && at > start && at < (value.list.tokens[value.to - 1]?.end ?? 0)
}

const shortName = (name: string): string => name.replace(/^\$/, '')

/** A closure of PHP: it has no name. */
const isClosure = (scope: CodeFunction | undefined): boolean => scope === undefined || scope.name === '' || scope.value !== undefined

function isInside(inner: CodeFunction | undefined, outer: CodeFunction | undefined): boolean {
  if (inner === undefined) return false
  return outer === undefined || (inner.start >= outer.start && inner.end <= outer.end)
}

function keyHole(list: TokenList, to: number): CodeTexts | undefined {
  const key = list.tokens[to - 2]
  return is(list, to - 1, ']') && key?.kind === 'text' && typeof key.parts?.[0] === 'string' ? [[hole(key.parts[0])]] : undefined
}

/** Whether an expression is as long as what is read of one. */
function isCut({ list, from, to }: Expression): boolean {
  let count = 0
  for (let i = from; i < to && to - from >= longestValue && count < longestValue; i++, count++)
    if ((list.pair[i] as number) > i) i = list.pair[i] as number
  return count >= longestValue
}

const emptyText = (list: TokenList, i: number) => list.tokens[i]?.kind === 'text' && (list.tokens[i]?.parts ?? []).join('') === ''

function is({ tokens }: TokenList, i: number, ...values: readonly string[]): boolean {
  const token = tokens[i]
  return token !== undefined && token.kind !== 'text' && token.kind !== 'number' && values.includes(token.value)
}

/** The first of signs outside of brackets; -1 where there is none. */
function outside(list: TokenList, from: number, to: number, values: readonly string[]): number {
  for (let i = from; i < to; i++) {
    if (is(list, i, ...values)) return i
    const pair = list.pair[i] as number
    if (pair > i) i = pair
  }
  return -1
}

function lastOutside(list: TokenList, from: number, to: number, value: string): number {
  let last = -1
  for (let i = from; i < to; i++) {
    if (is(list, i, value)) last = i
    const pair = list.pair[i] as number
    if (pair > i) i = pair
  }
  return last
}

function firstAt(tokens: readonly Token[], offset: number): number {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tokens[middle] as Token).start < offset) low = middle + 1
    else high = middle
  }
  return low
}
