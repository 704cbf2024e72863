/** Languages of programs whose calls are read, as data: how their text is cut into tokens, and how their clients of the API are called. */

export const codeLanguages = ['JavaScript', 'TypeScript', 'Python', 'Go', 'PHP', 'shell'] as const
export type CodeLanguage = (typeof codeLanguages)[number]

const endings: Readonly<Record<string, CodeLanguage>> = {
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  jsx: 'JavaScript',
  ts: 'TypeScript',
  mts: 'TypeScript',
  cts: 'TypeScript',
  tsx: 'TypeScript',
  py: 'Python',
  go: 'Go',
  php: 'PHP',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  ksh: 'shell',
}

/** The language of a file, by the end of its name; undefined where it is none that is read. */
export function codeLanguageOf(path: string): CodeLanguage | undefined {
  const ending = /[^/\\]\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? endings[ending] : undefined
}

/** Endings that users may mean, for messages. */
export const codeEndings = '`.js`, `.ts`, `.py`, `.go`, `.php` or `.sh`'

/** Folders of installed or generated programs: what they call is not what is asked about. */
export const foreignFolders = ['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '__pycache__'] as const

/** The lexical facts and names of a language with an own tokenizer. */
export interface LanguageFacts {
  /** Comments to the end of a line. */
  readonly lineComment: RegExp
  readonly hasBlockComments: boolean
  /** Blocks by indentation, and statements that end with a line. */
  readonly isIndented: boolean
  /** A line ends a statement, outside of brackets. */
  readonly hasLines: boolean
  /** Joins two strings. */
  readonly concat: '+' | '.'
  /** Each name belongs to the innermost block in which it is declared. */
  readonly isBlockScoped: boolean
  /** Between an object and what belongs to it. */
  readonly members: readonly string[]
  /** Functions of clients that are named after a method, with their method in the first group that is present. */
  readonly methodCall: RegExp
  /** Functions of clients that are given the method. */
  readonly genericCall: RegExp
  /** Functions whose result has no slash, by their last name. */
  readonly encoders: RegExp
  /** Functions whose result is the text of what they are given. */
  readonly texts: RegExp
  /** Functions whose result is a number. */
  readonly numbers: RegExp
  /** Functions that put their arguments into a format, by their last name. */
  readonly formats: RegExp
  /** Functions that join their arguments with slashes. */
  readonly joins: RegExp
}

const nothing = /^(?!)/

const script: LanguageFacts = {
  lineComment: /\/\/[^\n]*/y,
  hasBlockComments: true,
  isIndented: false,
  hasLines: true,
  concat: '+',
  isBlockScoped: true,
  members: ['.', '?.'],
  methodCall:
    /^(?:(?:[\w$]*[_$])?(get|post|put|delete|patch|del)|[\w$]*[a-z0-9](Get|Post|Put|Delete|Patch|Del)|(GET|POST|PUT|DELETE|PATCH))(?:Promised|Async|Json|JSON)?$/,
  genericCall: /^(?:request|requestPromised|call|rawCall|callApi|apiCall|apiRequest|doRequest|sendRequest)$/i,
  encoders: /^encodeURIComponent$/,
  texts: /^(?:String|toString|trim)$/,
  numbers: /^(?:Number|parseInt|BigInt)$/,
  formats: /^format$/,
  joins: nothing,
}

export const languageFacts: Readonly<Record<Exclude<CodeLanguage, 'shell'>, LanguageFacts>> = {
  JavaScript: script,
  TypeScript: script,
  Python: {
    lineComment: /#[^\n]*/y,
    hasBlockComments: false,
    isIndented: true,
    hasLines: true,
    concat: '+',
    isBlockScoped: false,
    members: ['.'],
    methodCall: /^(?:(?:\w*_)?(get|post|put|delete|patch)|\w*[a-z0-9](Get|Post|Put|Delete|Patch))(?:_async|_json)?$/,
    genericCall: /^_?(?:request|call|raw_call|api_call|call_api|api_request|do_request)$/i,
    encoders: /^(?:quote_plus|urlquote|quote)$/,
    texts: /^(?:str|strip|decode|encode)$/,
    numbers: /^(?:int|len)$/,
    formats: nothing,
    joins: nothing,
  },
  Go: {
    lineComment: /\/\/[^\n]*/y,
    hasBlockComments: true,
    isIndented: false,
    hasLines: true,
    concat: '+',
    isBlockScoped: true,
    members: ['.'],
    methodCall: /^(?:(?:\w*[a-z0-9])?(Get|Post|Put|Delete|Patch)|(get|post|put|delete|patch))(?:UnAuth)?(?:WithContext)?$/,
    genericCall: /^(?:CallAPI|CallAPIWithContext|NewRequest|NewRequestWithContext|callAPI|Call|Request|doRequest|do)$/,
    encoders: /^(?:PathEscape|QueryEscape)$/,
    texts: /^(?:string|String|TrimSpace|ValueString)$/,
    numbers: /^(?:Itoa|FormatInt|FormatUint|len)$/,
    formats: /^Sprintf$/,
    joins: /^(?:Join|JoinPath)$/,
  },
  PHP: {
    lineComment: /(?:\/\/|#(?!\[))(?:(?!\?>)[^\n])*/y,
    hasBlockComments: true,
    isIndented: false,
    hasLines: false,
    concat: '.',
    isBlockScoped: false,
    members: ['->', '?->', '::'],
    methodCall: /^(?:(?:\w*_)?(get|post|put|delete|patch)|\w*[a-z0-9](Get|Post|Put|Delete|Patch))$/,
    genericCall: /^_?(?:rawCall|request|call|apiCall|callApi|sendRequest)$/i,
    encoders: /^(?:rawurlencode|urlencode)$/i,
    texts: /^(?:strval|trim)$/i,
    numbers: /^(?:intval|count)$/i,
    formats: /^(?:sprintf|vsprintf)$/i,
    joins: nothing,
  },
}

/** Receivers and packages of other programs: servers that answer paths, clients of anything, tests. Lower case. */
export const otherClients: ReadonlySet<string> = new Set([
  'app',
  'router',
  'route',
  'routes',
  'server',
  'express',
  'fastify',
  'koa',
  'koa-router',
  '@koa/router',
  'hono',
  'axios',
  'got',
  'ky',
  'superagent',
  'supertest',
  'request-promise',
  'nock',
  'cy',
  'map',
  'cache',
  'container',
  'redis',
  'storage',
  'localstorage',
  'sessionstorage',
  'requests',
  'httpx',
  'flask',
  'fastapi',
  'blueprint',
  'bp',
  'aiohttp',
  'gin',
  'echo',
  'chi',
  'mux',
  'fiber',
  'net/http',
  'resty',
  'guzzle',
  'guzzlehttp',
  'environ',
  'headers',
  'cookies',
  'querystring',
  'searchparams',
  'urlsearchparams',
  'params',
])

/** Methods of HTTP that the API has, in upper case. */
export const codeMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
export type CodeMethod = (typeof codeMethods)[number]

/** A method as a program writes it: `get`, `Del`, `GET`; undefined where it is none. */
export function methodNamed(text: string): CodeMethod | undefined {
  const name = text.toUpperCase()
  return name === 'DEL' ? 'DELETE' : codeMethods.find((each) => each === name)
}

/** The most that is read of a file and looked at in it. What is longer is generated, and named as skipped. */
export const codeLimits = {
  /** UTF-16 units of a file. */
  length: 2 * 1024 * 1024,
  /** Characters, and parts, of one string: a path is shorter. */
  text: 20_000,
  parts: 200,
  /** Places at which a name is given a value that may be the one at another place. */
  places: 40,
  /** Values that one expression may have. */
  alternatives: 16,
  /** Names, functions and parentheses that a value is followed through. */
  depth: 24,
  /** Expressions that are looked at in one file. */
  steps: 400_000,
  /** Nested templates and their expressions. */
  nested: 24,
  /** Functions that hand a path on to each other. */
  wrappers: 4,
} as const
