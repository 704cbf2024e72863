import { folderOf, nameIn } from '../hcl/paths.ts'
import { essenceOf } from './essence.ts'
import { type Listing, listingsIn } from './listings.ts'

/** The references of a program to other files. */
export interface FileReferences {
  /** A file, by its name. */
  readonly has: (path: string) => boolean
  /** Anything, as a word. */
  readonly word: (word: string) => boolean
  /** A file, by its name with its folder. */
  readonly hasPlace: (path: string) => boolean
  /** A folder: written as a path, or as a whole string. */
  readonly folder: (path: string) => boolean
  /** A folder that is run as a program. */
  readonly runsFolder: (path: string) => boolean
  /** A module with its folder, as imports and what loads modules by name spell it: `tests.factories`. */
  readonly isDotted: (folder: string, module: string) => boolean
  /** A module, or its folder, by its name as imports spell it. */
  readonly isModule: (word: string) => boolean
  /** A module next to it, by an import of Python that names it. */
  readonly isImported: (module: string) => boolean
  /** Files with an ending, with any name. */
  readonly hasSuffix: (suffix: string) => boolean
  /** It runs programs of a language. */
  readonly runs: (language: string) => boolean
  /** It reads a file that it names, and does not only write it or check its form. */
  readonly reads: (name: string) => boolean
  /** It reads the text of a file that it names, and does not only run it. */
  readonly readsText: (name: string) => boolean
  /** It may run or import what it does not name. */
  readonly isDynamic: boolean
  /** It may read files that it does not name. */
  readonly readsAny: boolean
  /** It takes files of a folder by names that it computes: `lists/${stage}.json`. */
  readonly computes: (folder: string) => boolean
  /** It goes through all folders. */
  readonly walks: boolean
  /** The places that it goes through, whatever is there. */
  readonly listings: () => readonly Listing[]
}

/** Commands that build, test or check, and deploy nothing that they name. */
const builds = /\b(?:docker(?:\s+buildx?)?\s+(?:build|push|tag|login)|buildah|kaniko)\b[^\n;|&"]*/g

const checks =
  /\b(?:pytest|jest|vitest|mocha|ruff|flake8|pylint|mypy|black|isort|eslint|prettier|tsc|yamllint|jsonlint|shellcheck|shfmt|tflint|tfsec|checkov|trivy|hadolint|actionlint|markdownlint[^\s"]*|check-jsonschema|conftest|terraform-docs|grantwise|(?:npm|yarn|pnpm)\s+(?:ci|install|i|run\s+(?:lint|test|build|docs|format)[^\s"]*|test|lint|build)|go\s+(?:test|vet|build)|cargo\s+(?:test|build|clippy|fmt)|mvn|gradlew?(?![^\n;|&"]*\brun\b)|pip\s+install)\b[^\n;|&"]*/g

const dynamicShell =
  /\brun-parts\b|\beval\b|\bxargs\b|-exec(?:dir|utable)?\b|-perm\b|(?:\bsource|(?<![\w.])\.|\bbash|\bsh|\bpython3?|\bnode|\bexec|\bsudo|\benv)\s+(?:-\w+\s+){0,50}["']?[^\s"';|&]{0,1000}[$*?][^/\s"';|&]{0,1000}["']?(?=\s|$|[;|&)])|(?:^[ \t\ufeff]*|(?:[;&|]|\bthen|\bdo|\belse|\bif)\s*)["']?(?:[\w./-]{0,1000}\/)?\$[\w{@*(][^\s/=]{0,1000}["']?(?=\s|$|[;|&])|\bfor\s+\w+\s+in\s(?![^\n;]{0,1000}\*\.(?:json|ya?ml|tf|csv|txt)\s*(?:[;\n]|$))[^\n;]{0,1000}[*?$]/m

const dynamicCode =
  /importlib|__import__|import_module|pkgutil|entry_points|runpy|\bexec\(|\beval\(|listdir|scandir|iterdir|\bglob|\bwalk|readdir|Dir\[|Dir\.|import\(\s*[^'"\s)]|import\(\s*`|require\(\s*[^'"\s)]|require\(\s*`|require_relative\s+[^'"\s]|\bload\s+[^'"\s]|subprocess|execFile|spawn|\bsystem\(|child_process|os\/exec|autoload|Zeitwerk|createRequire|sys\.path|getattr\(|globSync|Deno\.Command|Bun\.|\$`/

const readingShell =
  /\b(?:cat|jq|yq|grep|rg|sed|awk|head|tail|read|mapfile|readarray|xargs|envsubst|source|cut|sort|python3?|node|ruby|perl|find|fd|tee|Get-\w+|Import-\w+|ConvertFrom-\w+|Select-String|dotenv|env_file|include|includes|values|extends|import|load|file|files|cp|rsync|tar|zip|git\s+archive|sops|gomplate|ytt|jsonnet|cue|kustomize)\b|(?<![\w.])\.\s|<\s*["'$\w.]|\$\(<|-var-file|\bfor\s+\w+\s+in\b|[@]["']?\$|-[fd]\s*["']?@?["']?[^\s"']{0,1000}\$/

const readingCode =
  /open|read|load|parse|glob|Path|File|fs\.|import|path|walk|listdir|ioutil|embed|include|slurp|curl|subprocess|exec|spawn|system/i

/** A line that reads what it names. */
const readingLine =
  /\b(?:cat|[ef]?grep|rg|awk|sed|head|tail|cut|open|read\w*|jq|yq|load\w*|parse\w*|source|cp|test|wc|sort|\w*sum|Get-\w+|file\w*|uploads)\b|\[\[?\s|<(?!<)/i

const importing =
  /\b(?:import|from|require|require_relative|include|use|using|mod|load|source|package|autoload|alias|extend|run|exec|spawn|go:embed)\b/

const interpreters: Readonly<Record<string, RegExp>> = {
  py: /\b(?:python[\d.]*|uv|uvx|poetry|pipx|pdm|hatch|poe|invoke|nox)\b|\bpy3?_binary\b/,
  js: /\b(?:node|npx|tsx|ts-node|bun|bunx|deno|npm|pnpm|yarn|zx)\b/,
  go: /\bgo\s+run\b|\bdagger\b|\bmage\b|\bgo_binary\b/,
  rb: /\b(?:ruby|bundle|rake)\b/,
  rs: /\bcargo\s+(?:run|xtask)\b/,
  java: /\b(?:java|gradlew?|mvn|sbt|jbang|groovy|kotlinc?|scala)\b/,
  cs: /\bdotnet\b/,
  php: /\bphp\b/,
  pl: /\bperl\b/,
  shell: /\b(?:bash|sh|zsh|pwsh)\b/,
  nix: /\bnix\b/,
}

/** The references to other files in a text of a language. */
export function namesOf(written: string, language: string): FileReferences {
  const whole = essenceOf(written, language)
  const isShell = language === 'shell' || language === 'task' || language === 'hcl'
  // An image that is built and then run takes part.
  const isBuilt = /\b(?:docker|podman|nerdctl)\s+(?:compose\s+)?(?:run|exec|up)\b|docker-compose|\bdocker:\/\//.test(whole)
  // An address is no path of this repository.
  const text = (!isShell ? whole : isBuilt ? whole.replace(checks, ' ') : whole.replace(builds, ' ').replace(checks, ' ')).replace(
    /\bhttps?:\/\/(?!raw\.)[^\s"'`]*|@(?<=\/\.[\w-]{1,40}\/[\w./-]{1,200}@)[\w.-]+/g,
    ' ',
  )
  const interpretersIn = lazily(() => new Set(Object.keys(interpreters).filter((language) => interpreters[language]?.test(text))))
  // Computed on first use: most programs are only asked for a few of these.
  const words = lazily(() => new Set((text.match(/[\w@%+~.-]{1,200}/g) ?? []).map(bare)))
  const places = lazily(() => new Set(text.includes('/') ? placesIn(text) : []))
  const quoted = lazily(() => new Set([...text.matchAll(/["'`]([\w@%+~./-]{1,200})["'`]/g)].map((match) => trimmed(match[1] as string))))
  const dotted = lazily(
    () =>
      new Set(
        [...written.matchAll(/(?<![\p{L}\p{M}\p{N}_-])([\p{L}\p{M}\p{N}_-]{1,200})(?:\.|\/|::)(?=([\p{L}\p{M}\p{N}_-]{1,200}))/gu)].map(
          ([, a, b]) => `${a}.${b}`,
        ),
      ),
  )
  const paths = lazily(() => endsOf(pathsIn(text)))
  const computed = lazily(() => endsOf(computedIn(text)))
  const listings = lazily(() => listingsIn(text, isShell))
  const givenNames = lazily(() => new Set(givenIn(text)))
  const modules = lazily(() => modulesOf(text, isShell))
  const imported = lazily(
    () => new Set([...text.matchAll(/^[ \t\ufeff]*(?:from|import)[ \t]+\.?(\w+)/gm)].map((match) => match[1] as string)),
  )
  const suffixes = lazily(
    () =>
      new Set([...text.matchAll(/(?:[*}\])"'`]|\$\w{1,40}|["'`(,\s|])\\?(\.[a-zA-Z][\w-]{0,15})\b/g)].map((match) => match[1] as string)),
  )
  const isWritten = (folder: string): boolean => {
    if (folder === '') return false
    const tail = nameIn(folder)
    if (!text.includes(tail)) return false
    if (quoted().has(folder) || givenNames().has(folder) || quoted().has(tail) || (givenNames().has(tail) && tail.length > 2)) return true
    return (isBuilt && words().has(tail)) || paths().has(folder) || paths().has(tail)
  }
  return {
    word: (word) => words().has(word),
    has: (path) => words().has(bare(nameIn(path))),
    hasPlace: (path) =>
      folderOf(path) === '' ? words().has(bare(nameIn(path))) : places().has(`${nameIn(folderOf(path))}/${nameIn(path)}`),
    folder: isWritten,
    runsFolder: isWritten,
    isDotted: (folder, module) =>
      // `push.test` is another module than `push`.
      (!module.includes('.') || written.includes(`${nameIn(folder)}/${module}`)) &&
      dotted().has(`${/(?<![\p{L}\p{M}\p{N}_-])[\p{L}\p{M}\p{N}_-]*$/u.exec(folder)?.[0]}.${/^[\p{L}\p{M}\p{N}_-]*/u.exec(module)?.[0]}`),
    isModule: (word) => modules().has(word),
    isImported: (module) => imported().has(module),
    hasSuffix: (suffix) => suffixes().has(suffix),
    computes: (folder) => folder !== '' && (computed().has(folder) || computed().has(nameIn(folder))),
    runs: (other) => isBuilt || interpretersIn().has(other),
    reads: (name) =>
      whole
        .split('\n')
        .some((line) => line.includes(name) && readingLine.test(line) && !/>\s*[^\s>]*$/.test(line.slice(0, line.indexOf(name)))),
    readsText: (name) => whole.includes(name) && whole.split('\n').some((line) => readsTextIn(line, name)),
    isDynamic: (isShell ? dynamicShell : dynamicCode).test(text),
    readsAny: (isShell ? readingShell : readingCode).test(text),
    walks:
      /\bfind\s+(?:\.|"?\$)|\bgit\s+(?:ls-files|diff|grep|ls-tree|log|show)|\*\*|rglob|os\.walk|filepath\.Walk|WalkDir|walk\(|globSync|fast-glob|\b(?:[ef]?grep|ls|cp|rsync|scp|kubectl\s+\w+)\s+(?:-\S+\s+){0,50}-\w*[rR]\w*\b|--recursive|recursive/.test(
        text,
      ),
    listings,
  }
}

/** Whether a line of a program reads the text of a file: the command before its name, or the method behind it, does. */
function readsTextIn(line: string, name: string): boolean {
  const index = line.indexOf(name)
  if (index < 0) return false
  const before = line.slice(0, index).split(/[;&|]/).at(-1) as string
  if (/>\s*[^\s>]*$/.test(before)) return false
  const isRead = /\b(?:cat|[ef]?grep|rg|awk|sed|head|tail|cut|sort|open|read\w*|load\w*|parse\w*)\b|<\s*["']?[^<\s]*$/i.test(before)
  return isRead || /^["'`)\]\s]*\.(?:read|open|load|parse)/i.test(line.slice(index + name.length))
}

/** A word without the dots around it: those of a hidden file, and of the end of a sentence. */
const bare = (word: string): string => word.replace(/^\.+|(?<!\.)\.+$/g, '')

/** The result of `make`, computed on first use. */
function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const placesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w@%+~.-])([\w@%+~.-]{1,200})\/(?=([\w@%+~.-]{1,200}))/g)].map(([, a, b]) => `${a}/${b}`)

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w@%+~.-])(?:[\w@%+~.-]{1,100}\/){1,12}[\w@%+~.*-]{0,100}/g)].map(([path]) =>
    trimmed(path.replace(/\/[^/]*\*.*$/, '')),
  )

/** The folders of paths of which the rest is computed: `lists/${stage}.json`, `join("lists", name)`, `Path("lists") / name`. */
const computedIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?<![\w@%+~.-])((?:[\w@%+~.-]{1,100}\/){1,12})[\w@%+~.-]{0,100}(?=\$[{\w(]|[#$]?\{\{?\s{0,2}\w|["'`]\s{0,10}(?:\+|\.\.?|<>|&)\s{0,10}\w|%[sdv])/g,
    ),
    ...text.matchAll(
      /\b[jJ]oin\w*\(\s{0,10}["'`]([\w@%+~./-]{2,200})["'`]\s{0,10},\s{0,10}(?![)\s])(?!["'`][\w.-]{0,100}["'`]\s{0,10}\))/g,
    ),
    ...text.matchAll(/["'`]([\w@%+~./-]{2,200})["'`]\)?\s{0,10}\/\s{0,10}(?=[\w(]|f["'])/g),
  ].map(([, folder = '']) => trimmed(folder))

/** Folders and programs in the arguments of commands. */
const givenIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?:\b(?:run-parts|find|ls|cd|pushd|in|dir|chdir|directory|path|folder|source|src|include|includes|build|run|python3?\s+-m|node|bash)|\s-[a-zA-Z]|--[\w-]{1,80})["']?[\s=:("'[]{1,4}(?:-[\w-]+\s+){0,50}["']?([\w@%+~./-]{2,200})/g,
    ),
  ].map((match) => trimmed(match[1] as string))

/** The names by which a program may import others: where it imports, and in strings. */
function modulesOf(text: string, isShell: boolean): ReadonlySet<string> {
  const modules = new Set<string>()
  const seen = new Set<string>()
  const add = (part: string) => {
    for (const word of part.split(/[^\w-]+/)) {
      if (word.length < 2 || seen.has(word)) continue
      seen.add(word)
      modules.add(word)
      // Ruby, PHP and Java name files after classes.
      modules.add(word.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase())
      modules.add(word.replaceAll('_', '-'))
    }
  }
  for (const line of text.split('\n')) if (isShell ? /-m\s|\brun\b|\bexec\b/.test(line) : importing.test(line)) add(line)
  if (!isShell) for (const match of text.matchAll(/["'`]([\w@%+~./:-]{2,200})["'`]/g)) add(match[1] as string)
  return modules
}

/** Paths, and what is left of each without its first folders. */
function endsOf(paths: readonly string[]): ReadonlySet<string> {
  const ends = new Set<string>()
  for (const path of new Set(paths)) {
    const parts = path.split('/')
    for (let i = 0; i < parts.length; i++) ends.add(parts.slice(i).join('/'))
  }
  return ends
}

const trimmed = (path: string): string => path.replace(/^(?:\.{0,2}\/)+|\/[*.]*$|(?<!\/)\/+$/g, '')
