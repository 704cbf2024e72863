import { type Command, type Piece, readShell, type ShellString } from '../parser/shell.ts'
import type { Source } from '../source.ts'
import type { CodeCall, CodeFindings, CodeGap, OtherCall } from './calls.ts'
import { type CodeMethod, codeLimits, methodNamed } from './languages.ts'
import { type Operations, rootOf } from './lookup.ts'
import { pathIn } from './path.ts'
import { type CodeText, type CodeTexts, type Hole, joinedTexts, literalOf } from './strings.ts'

/** Calls of the API in scripts of a shell: those of `curl`, and functions that are given a method and a path. */

/** Options of `curl` that are given a value in the next word. */
const valued: ReadonlySet<string> = new Set(
  (
    'A b c C d D e E F h H K m o P Q r t T u U w x X y Y z ' +
    'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar crlfile data ' +
    'data-ascii data-binary data-raw data-urlencode delegation dns-servers doh-url dump-header expect100-timeout form form-string header ' +
    'interface ipfs-gateway json keepalive-time key key-type limit-rate local-port max-filesize max-redirs max-time netrc-file noproxy ' +
    'oauth2-bearer output output-dir parallel-max pass pinnedpubkey proto proto-default proto-redir proxy proxy-cacert proxy-cert proxy-header proxy-user ' +
    'range rate referer request request-target resolve retry retry-delay retry-max-time socks4 socks5 socks5-hostname speed-limit speed-time ' +
    'stderr tls-max tls13-ciphers trace trace-ascii unix-socket upload-file url url-query user user-agent variable write-out'
  ).split(' '),
)
const sending: ReadonlySet<string> = new Set([
  'd',
  'F',
  'data',
  'data-ascii',
  'data-binary',
  'data-raw',
  'data-urlencode',
  'form',
  'form-string',
  'json',
])
/** Words before the name of a command. */
const before = /^(?:if|then|elif|else|do|while|until|!|\{|sudo|time|env|command|exec|nohup|export|local|readonly|declare|typeset|-\w+)$/
/** Programs that run the command after their own options. */
const runners =
  /^(?:xargs|parallel|timeout|nice|ionice|watch|setsid|stdbuf|flock|doas|sudo|env|ssh|docker|podman|kubectl|nerdctl|retry\w*|run\w*|try\w*|with_\w+)$/
/** Programs that read commands from a string, or from what they are given as input. */
const interpreters = /^(?:bash|sh|dash|zsh|ksh|eval|su|ssh|source|docker|podman|kubectl|xargs|parallel|watch|trap|cron\w*|at|screen|tmux)$/
/** Options of `curl` that decide its method. */
const decides = /(?:^|\s)(?:-[a-zA-Z]*[XdFGTIK]|--(?:request|data|json|form|get|head|upload-file|config))/
const assignment = /^([A-Za-z_]\w*)(\+?)=/

interface ShellFunction {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface ShellWrapper {
  readonly name: string
  readonly isWritten: boolean
  readonly method: CodeTexts | readonly CodeMethod[]
  readonly url: CodeText
}

/** The calls of a script. */
export function shellCalls(source: Source, operations: Operations, brand: string): CodeFindings {
  return new ShellFinder(source, operations, brand).find()
}

class ShellFinder {
  private readonly source: Source
  private readonly operations: Operations
  private readonly brand: string
  private readonly functions: readonly ShellFunction[]
  private readonly values = new Map<string, ShellValue[]>()
  private readonly bases = new Set<string>()
  private readonly wrappers = new Map<string, ShellWrapper[]>()
  private steps = 0
  /** The blocks of the command that is looked at. */
  private current: readonly number[] = []

  constructor(source: Source, operations: Operations, brand: string) {
    this.source = source
    this.operations = operations
    this.brand = brand
    this.functions = functionsIn(source.text)
  }

  find(): CodeFindings {
    const script = readShell(this.source.text)
    const commands = script.pipelines.flatMap((pipeline) => pipeline.commands)
    const inBlocks = blocksOf(this.source.text, commands)
    for (const [i, command] of commands.entries()) {
      this.current = inBlocks[i] ?? []
      this.assign(command, this.current)
    }
    const requests = commands.flatMap((command, i) => {
      this.current = inBlocks[i] ?? []
      return this.requests(command)
    })
    for (const { methods, url } of requests) {
      const path = pathIn(url)
      if (path.base && methods?.some((method) => this.operations.find(method, path, undefined, this.bases).kind === 'known'))
        this.bases.add(path.base.name)
    }
    // The path is the one that a function of the script makes of it, not the one that it is given.
    const results = requests.filter(({ isCurl }) => isCurl).map((request) => this.settle(request))
    for (const request of requests) if (!request.isCurl && !this.wrappers.has(request.name)) results.push(this.settle(request))
    for (const [i, command] of commands.entries()) {
      this.current = inBlocks[i] ?? []
      results.push(...this.through(command), this.within(command))
    }
    return {
      calls: results.flatMap(({ calls }) => calls ?? []),
      gaps: results.flatMap(({ gaps }) => gaps ?? []),
      others: results.flatMap(({ others }) => others ?? []),
      wrappers: [],
      isCut: script.isCut || this.steps > codeLimits.steps,
    }
  }

  private written(word: ShellString): string {
    return this.source.text.slice(word.start, word.end)
  }

  private functionAt(at: number): ShellFunction | undefined {
    return this.functions.findLast(({ start, end }) => start <= at && at < end)
  }

  private assign({ strings, start }: Command, blocks: readonly number[]): void {
    // Under `&&` or `||`, it may not be reached.
    const isCertain = !/(?:&&|\|\|)\s*$/.test(this.source.text.slice(Math.max(0, start - 40), start))
    const put = (name: string, at: number, texts: CodeTexts, isAdded = false) => {
      const known = this.values.get(name) ?? []
      known.push({ at, texts, isAdded, isCertain, blocks, within: this.functionAt(at) })
      this.values.set(name, known)
    }
    const words = strings.map((word) => (word.kind === 'word' ? this.written(word) : ''))
    const first = words.findIndex((word) => !before.test(word))
    const loop = words[first] === 'for' || words[first] === 'select'
    if (loop && words[first + 1] !== undefined) {
      const items = words[first + 2] === 'in' ? strings.slice(first + 3) : []
      const texts = items.flatMap((word) =>
        isOptions(this.source.text, word) || /[*?]/.test(this.written(word)) ? [] : this.textsOf(word),
      )
      const name = words[first + 1] as string
      put(
        name,
        strings[first + 1]?.start ?? start,
        texts.length === items.length && texts.length > 0 && texts.length <= 16 ? texts : [[hole(name)]],
      )
      return
    }
    if (words[first] === 'read' || words[first] === 'mapfile' || words[first] === 'getopts')
      for (const [i, word] of words.entries())
        if (i > first && /^[A-Za-z_]\w*$/.test(word)) put(word, strings[i]?.start ?? start, [[hole(word)]])
    for (const word of strings) {
      const match = word.kind === 'word' ? assignment.exec(this.written(word)) : null
      if (!match && !before.test(this.written(word))) return
      if (!match) continue
      const [all, name = '', added] = match
      const texts = this.textsOf(word, word.start + all.length)
      // A value that is not known is called as the variable that it is given to; the arguments of a function stay what they are.
      const isArgument = this.functionAt(word.start) !== undefined
      const renamed = (text: CodeText): CodeText =>
        text.length === 1 && !(isArgument && isPosition(text[0] as Hole))
          ? text.map((part) => (typeof part === 'string' ? part : { ...part, name }))
          : text
      put(name, word.start, texts.map(renamed), added === '+')
    }
  }

  /** The name of a command, and the words after it. */
  private command({
    strings,
  }: Command): { readonly name: string; readonly words: readonly ShellString[]; readonly at: number } | undefined {
    const words = strings.filter(({ kind }) => kind === 'word')
    const first = words.findIndex((word) => !before.test(this.written(word)) && !assignment.test(this.written(word)))
    const word = words[first]
    if (!word) return undefined
    const name = this.written(word).replace(/^["']|["']$/g, '')
    return { name: name.slice(name.lastIndexOf('/') + 1), words: words.slice(first + 1), at: word.start }
  }

  private requests(command: Command): readonly Request[] {
    const called = this.command(command)
    if (!called) return []
    const { name, words, at } = called
    if (name === 'curl') return this.curl(words, at)
    const variable = /^"?\$\{?([A-Za-z_]\w*)(\[[@*]\])?\}?"?$/.exec(name)?.[1]
    if (variable !== undefined) {
      const values = this.valueOf(variable, at).map((text) => literalOf(text))
      const isCurl = values.length > 0 && values.every((value) => value !== undefined && /^(?:\S*\/)?curl(?:\s|$)/.test(value))
      if (isCurl || /curl/i.test(variable)) return this.curl(words, at, !isCurl || values.some((value) => decides.test(value ?? '')))
    }
    if (runners.test(name)) {
      const from = words.findIndex((word) => /^(?:\S*\/)?curl$/.test(this.written(word)))
      const end = words.findIndex((word) => /^:::?:?\+?$/.test(this.written(word)))
      if (from >= 0) return this.curl(words.slice(from + 1, end < from ? undefined : end), at)
    }
    // `api GET /me`
    for (const [i, word] of words.entries()) {
      const method = methodNamed(literalOf(this.only(word)) ?? '')
      const url = words[i + 1]
      if (!method || i > 2 || !url || /^(?:echo|printf|log\w*|test|\[+|grep|http|https|curlie)$/.test(name)) continue
      return this.textsOf(url).map((text) => ({
        at,
        end: url.end,
        methods: [method],
        url: this.withSlash(text, method),
        isCurl: false,
        name,
      }))
    }
    return []
  }

  /** A path that is given without its first slash, to a function that puts it there: only one with more words than one is taken for it. */
  private withSlash(text: CodeText, method: CodeMethod): CodeText {
    const [first, ...rest] = text
    if (typeof first !== 'string' || first.startsWith('/') || !first.includes('/')) return text
    const path = [`/${first}`, ...rest]
    return this.operations.find(method, pathIn(path), undefined, this.bases).kind === 'known' ? path : text
  }

  private only(word: ShellString): CodeText {
    const texts = this.textsOf(word)
    return texts.length === 1 ? (texts[0] as CodeText) : [{ name: '', isWord: false }]
  }

  /** `mayHaveMore`: other options may come before these. */
  private curl(words: readonly ShellString[], offset: number, mayHaveMore = false): readonly Request[] {
    const urls: ShellString[] = []
    let methods: readonly CodeMethod[] | undefined
    let methodTexts: CodeTexts | undefined
    let isGet = false
    let isSent = false
    let isPut = false
    let hasMore = mayHaveMore
    for (let i = 0; i < words.length; i++) {
      const word = words[i] as ShellString
      const text = this.written(word)
      const option = /^--([a-z0-9-]+)$/.exec(text)?.[1]
      const short = /^-([a-zA-Z0-9#:]+)/.exec(text)?.[1]
      let name: string | undefined
      let value: CodeTexts | undefined
      if (option !== undefined) {
        name = option
        if (valued.has(option)) value = this.textsOf(words[++i])
      } else if (short !== undefined && !text.startsWith('--')) {
        // `-sSX POST`, `-XPOST`
        for (let c = 0; c < short.length; c++) {
          name = short[c] as string
          if (!valued.has(name)) {
            if (name === 'G') isGet = true
            continue
          }
          const isLast = c === short.length - 1 && word.end - word.start === short.length + 1
          value = isLast ? this.textsOf(words[++i]) : this.textsOf(word, word.start + 2 + c)
          break
        }
      } else if (isOptions(this.source.text, word)) {
        hasMore = true
        continue
      } else {
        urls.push(word)
        continue
      }
      if (name === 'url' && words[i]) urls.push(words[i] as ShellString)
      if (name === 'X' || name === 'request') {
        methodTexts = value ?? []
        const named = methodTexts.map((each) => methodNamed(literalOf(each) ?? ''))
        methods = named.includes(undefined) || named.length === 0 ? undefined : [...new Set(named as CodeMethod[])]
      }
      if (name === 'get') isGet = true
      if (name === 'K' || name === 'config' || name === 'next') hasMore = true
      if (name !== undefined && sending.has(name)) isSent = true
      if (name === 'T' || name === 'upload-file') isPut = true
      if (name === 'I' || name === 'head') methodTexts = [[{ name: 'HEAD', isWord: true }]]
    }
    const usual: CodeMethod = isGet ? 'GET' : isPut ? 'PUT' : isSent ? 'POST' : 'GET'
    const requestMethods = methodTexts ? methods : hasMore && usual === 'GET' ? undefined : [usual]
    return urls.flatMap((word) =>
      this.textsOf(word).map((url) => ({
        at: offset,
        end: word.end,
        methods: requestMethods,
        ...(methodTexts && { methodTexts }),
        url,
        isCurl: true,
        name: 'curl',
      })),
    )
  }

  private settle({ at, end, methods, methodTexts, url, isCurl }: Request): Found {
    const span = { source: this.source, start: at, end }
    const path = pathIn(url)
    const language = 'shell'
    const name = methods ? methods.join(' or ') : `{${holeIn(methodTexts)?.name || 'method'}}`
    const shown = `${name} ${path.shown}`
    const enclosing = this.functionAt(at)
    const isOfBrand = path.host?.toLowerCase().includes(this.brand) === true
    const root = rootOf(path)
    const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(path.host ?? '')
    const other: Found = { others: [{ at: span, shown }] }
    const positions = [...url, ...(methodTexts?.flat() ?? [])].some((part) => isPosition(part))
    const wrap = (): Found | undefined => {
      if (!enclosing || !positions) return undefined
      const wrapper = { name: enclosing.name, isWritten: path.host !== undefined, method: methods ?? methodTexts ?? [], url }
      this.wrappers.set(enclosing.name, [...(this.wrappers.get(enclosing.name) ?? []), wrapper])
      return {}
    }
    const isProbable = isOfBrand || (path.host === undefined && this.operations.isRoot(root))
    if (!methods) return wrap() ?? (isProbable ? { gaps: [{ at: span, language, shown, why: 'the method is not known' }] } : other)
    const lookups = methods.map((method) => ({ method, lookup: this.operations.find(method, path, undefined, this.bases) }))
    const calls = lookups.flatMap(({ method, lookup }) =>
      lookup.kind === 'known' ? [{ at: span, language, call: lookup.call, shown: `${method} ${path.shown}` } as const] : [],
    )
    const rest = lookups.flatMap(({ method, lookup }) => (lookup.kind === 'known' ? [] : [{ method, lookup }]))
    const [first] = rest
    // A host that is written and is not the provider's is one of another service.
    if (path.host !== undefined && path.host !== '' && !isOfBrand && !(isLocal && calls.length > 0)) return other
    if (!first) return { calls }
    if (wrap()) return { calls }
    const isNear = first.lookup.kind === 'none' ? first.lookup.isNear : this.operations.isRoot(root)
    const isNamed = path.base !== undefined && this.bases.has(path.base.name)
    const isAddress = isCurl || (typeof url[0] === 'string' && url[0].startsWith('/'))
    if (!isAddress || !(isOfBrand || isNamed || (path.host === undefined && isNear && path.words.length > 0)))
      return { calls, ...(isCurl && other) }
    const { why, help } = first.lookup
    return { calls, gaps: [{ at: span, language, shown, why, ...(help !== undefined && { help }) }] }
  }

  /** Calls through functions of the script, with what they are given. */
  private through(command: Command): readonly Found[] {
    const called = this.command(command)
    const isDefinition =
      called !== undefined && this.functions.some(({ name, start, end }) => name === called.name && start <= called.at && called.at < end)
    const wrappers = called && !isDefinition ? (this.wrappers.get(called.name) ?? []) : []
    if (!called || wrappers.length === 0) return []
    const args = called.words
    const fill = (text: CodeText): CodeTexts =>
      text
        .map((part): CodeTexts => {
          const position = typeof part === 'string' ? undefined : positionOf(part)
          const word = position === undefined ? undefined : args[position - 1]
          return word ? this.textsOf(word) : position === undefined ? [[part]] : [['']]
        })
        .reduce<CodeTexts>(joinedTexts, [[]])
    return wrappers.flatMap(({ method, url }) => {
      const methodTexts = method.flatMap((each) => (typeof each === 'string' ? [[each]] : fill(each)))
      const named = methodTexts.map((text) => methodNamed(literalOf(text) ?? ''))
      const methods = named.includes(undefined) ? undefined : [...new Set(named as CodeMethod[])]
      return fill(url).map((filled) => {
        const at = called.at
        const end = args.at(-1)?.end ?? at
        return this.settle({ at, end, methods, methodTexts, url: filled, isCurl: true, name: called.name })
      })
    })
  }

  /** Commands that another shell reads are not looked at: those with a call of the API are named. */
  private within(command: Command): Found {
    const called = this.command(command)
    if (!called || !interpreters.test(called.name)) return {}
    const gaps = command.strings.flatMap((string): readonly CodeGap[] => {
      const text = this.written(string)
      if (string.kind === 'word' && !/^['"$]/.test(text)) return []
      const names = [...text.matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name]) => name as string)
      const isAddress = (name: string) =>
        this.bases.has(name) || this.valueOf(name, called.at).some((value) => literalOf(value)?.toLowerCase().includes(this.brand))
      const isOfApi = text.toLowerCase().includes(this.brand) || names.some(isAddress)
      if (!isOfApi || !/\bcurl\s/.test(text)) return []
      const place = { source: this.source, start: string.start, end: string.end }
      return [{ at: place, language: 'shell', shown: `${called.name} … curl`, why: 'commands in a string are not read' }]
    })
    return { gaps }
  }

  // Words.

  /** The strings that a word may be, from an offset in it. */
  private textsOf(word: ShellString | undefined, from = word?.start ?? 0): CodeTexts {
    if (!word) return []
    let texts: CodeTexts = [[]]
    for (const piece of word.pieces) {
      if (piece.end < from || (piece.end === from && piece.end > piece.start)) continue
      const next = this.pieceTexts(piece, from, word.start)
      texts = joinedTexts(texts, next)
    }
    return texts
  }

  private pieceTexts(piece: Piece, from: number, offset: number): CodeTexts {
    const text = this.source.text.slice(Math.max(piece.start, from), piece.end)
    if (piece.kind === 'literal') return [[text]]
    if (piece.kind === 'escape') return [[piece.value ?? '']]
    const variable = /^\$(?:\{([A-Za-z_]\w*|\d+)(?:(:?[-=])([^{}$`]*))?\}|([A-Za-z_]\w*|\d))$/.exec(text)
    if (!variable) {
      // `${zone%.}`, `$(…)`: named after what it is made of.
      const name = /^\$\{#?([A-Za-z_]\w*)/.exec(text)?.[1] ?? ''
      const isEncoded = /@uri|urlencode|encodeURI|quote/.test(text)
      return [[{ name, isWord: isEncoded || text.startsWith('${#') || text.startsWith('$((') }]]
    }
    const name = (variable[1] ?? variable[4]) as string
    const usual = variable[3]
    const values = this.valueOf(name, offset)
    const texts = values.length > 0 ? values : [[hole(name)]]
    return usual === undefined || usual === '' ? texts : values.length > 0 ? texts : [[usual.replace(/^["']|["']$/g, '')]]
  }

  /** The values that a variable may have at a place: of the last certain assignment before it, and of what comes between. */
  private valueOf(name: string, offset: number): CodeTexts {
    const all = this.values.get(name) ?? []
    if (/^\d+$/.test(name) || ++this.steps > codeLimits.steps || all.length > 64) return [[hole(name)]]
    if (all.some(({ isAdded }) => isAdded)) return [[hole(name)]]
    const enclosing = this.functionAt(offset)
    const around = this.current
    const texts: CodeTexts[] = []
    const here = all.filter(({ within, at: place }) => within === enclosing && place < offset)
    for (const each of here.toReversed()) {
      texts.push(each.texts)
      if (each.isCertain && each.blocks.every((block) => around.includes(block))) return distinct(texts.flat())
    }
    // A function may be called after any assignment outside of it.
    const elsewhere = all.filter(({ within }) => within !== enclosing)
    return distinct([...texts, ...elsewhere.map((each) => each.texts)].flat())
  }
}

/** A text once. */
function distinct(texts: CodeTexts): CodeTexts {
  return [...new Map(texts.map((text) => [JSON.stringify(text), text])).values()].slice(0, codeLimits.alternatives)
}

/** The blocks that each command is in: a number for each branch of a condition, and each loop. */
function blocksOf(text: string, commands: readonly Command[]): readonly (readonly number[])[] {
  const open: number[] = []
  let count = 0
  return commands.map(({ strings }) => {
    const word = strings[0]
    const first = word ? text.slice(word.start, Math.min(word.end, word.start + 12)) : ''
    if (/^(?:if|case|for|while|until|select)$/.test(first)) {
      // The condition is tried in each case.
      const inside = [...open]
      open.push(++count)
      return inside
    }
    if (/^(?:else|elif)$/.test(first)) {
      open.pop()
      open.push(++count)
    } else if (/^(?:fi|esac|done)$/.test(first)) open.pop()
    return open.slice(-40)
  })
}

interface ShellValue {
  readonly at: number
  readonly texts: CodeTexts
  readonly isAdded: boolean
  readonly isCertain: boolean
  readonly blocks: readonly number[]
  readonly within: ShellFunction | undefined
}

interface Request {
  readonly at: number
  readonly end: number
  readonly methods: readonly CodeMethod[] | undefined
  readonly methodTexts?: CodeTexts
  readonly url: CodeText
  readonly isCurl: boolean
  /** The command. */
  readonly name: string
}

interface Found {
  readonly calls?: readonly CodeCall[]
  readonly gaps?: readonly CodeGap[]
  readonly others?: readonly OtherCall[]
}

const hole = (name: string): Hole => ({ name, isWord: false })

/** The number of the argument that a part of a text is; undefined where it is none. */
const positionOf = (part: Hole): number | undefined => (/^[1-9]$/.test(part.name) ? Number(part.name) : undefined)

const isPosition = (part: string | Hole): boolean => typeof part !== 'string' && positionOf(part) !== undefined

function holeIn(texts: CodeTexts | undefined): Hole | undefined {
  return texts?.flat().find((part) => typeof part !== 'string')
}

/** Whether a word may hold options: a list, or what is not in quotes and names no address. */
function isOptions(text: string, { pieces, start, end }: ShellString): boolean {
  const written = text.slice(start, end)
  if (/\[[@*]\]\}|\$[@*]/.test(written)) return true
  const [first, ...rest] = pieces.filter((piece) => piece.end > piece.start)
  return rest.length === 0 && first?.kind === 'hole' && first.quoting === 'bare' && !/url|uri|host|endpoint|api|base|\d/i.test(written)
}

/** The functions of a script: from `name() {` to a `}` that is as far in. */
function functionsIn(text: string): readonly ShellFunction[] {
  const functions: { name: string; start: number; end: number }[] = []
  const open: { indent: string; made: { end: number } }[] = []
  let lineStart = 0
  for (const line of text.split('\n')) {
    const opening = /^([ \t]*)(?:function[ \t]+([A-Za-z_][\w-]*)(?:[ \t]*\(\))?|([A-Za-z_][\w-]*)[ \t]*\(\))[ \t]*(\{.*)?$/.exec(
      line.replace(/\r$/, ''),
    )
    const closing = /^([ \t]*)\}/.exec(line)
    if (opening) {
      const isOneLine = /\}\s*$/.test(opening[4] ?? '')
      const made = { name: opening[2] ?? opening[3] ?? '', start: lineStart, end: isOneLine ? lineStart + line.length : text.length }
      functions.push(made)
      if (!isOneLine && open.length < 1000) open.push({ indent: opening[1] ?? '', made })
    } else if (closing && open.at(-1)?.indent === closing[1]) {
      const ended = open.pop()
      if (ended) ended.made.end = lineStart + line.length
    }
    lineStart += line.length + 1
  }
  return functions
}
