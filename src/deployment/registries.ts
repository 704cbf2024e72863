import { folderOf } from '../hcl/paths.ts'
import { type ChangedFile, type Fact, fact } from './facts.ts'
import { programWithin, reachOf } from './reach.ts'

/**
 * Where the packages of programs that deploy come from: another server can give other programs under the same names and versions.
 * Versions themselves do not count.
 */

/** Lists of the versions that are installed, with the addresses that they come from. */
const locks =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|composer\.lock|deno\.lock|Chart\.lock)$/

/** Servers from which everybody takes packages by default: a list that names one of these is as one that names none. */
const publicServers =
  /^(?:registry\.(?:npmjs\.org|yarnpkg\.com)|pypi\.org|files\.pythonhosted\.org|(?:index\.|static\.)?crates\.io|rubygems\.org|proxy\.golang\.org|repo\.packagist\.org|jsr\.io|deno\.land|repo1?\.maven\.(?:apache\.)?org|github\.com\/rust-lang)$/

interface Taken {
  /** The scope of an npm package; '' for others. */
  readonly scope: string
  readonly server: string
  /** The address of a package that is called otherwise there, without its version. */
  readonly other?: string
}

/** Facts of the servers from which lists of versions have packages, and of packages that come from the address of another one. */
export async function serverFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  const servers = locks.test(path) ? markOfLock(text) : namedServers(path, text)
  if (servers.length === 0) return []
  const by = programWithin(folderOf(path), await reachOf(file))
  return by ? [fact(file, `\`${by.path}\` may use packages from the servers that it names`, path, servers)] : []
}

function markOfLock(text: string): readonly unknown[] {
  const taken = takenIn(text)
  const privateScopes = new Set(taken.flatMap(({ scope, server }) => (publicServers.test(server) ? [] : scope)))
  const marks = taken.flatMap(({ scope, server, other }) => [
    ...(privateScopes.has(scope) ? [`${scope} ${server}`] : []),
    ...(other === undefined ? [] : [`${scope} ${server} ${other}`]),
  ])
  return [...new Set(marks)].sort()
}

/** The packages of a list with their addresses: `"resolved": …`, `registry = …`, `tarball: …`, and those of sources. */
function takenIn(text: string): readonly Taken[] {
  const packages: Taken[] = []
  let name = ''
  for (const line of text.split(/\r?\n/)) {
    const key = /^\s*"(?:[^"]*node_modules\/)((?:@[^/"]+\/)?[^/"]+)":|^(?:"?|\s*"[^"]+":\s*\[")((?:@[^/"\s]+\/)?[\w.-]+)@\S/.exec(line)
    if (key) name = key[1] ?? key[2] ?? ''
    const address = sources.exec(line)?.[1]
    if (address === undefined) continue
    const [, server = '', rest = ''] = /^(?:[a-z+]*\+)?[a-z]+:\/\/(?:[^@/]*@)?([^/"'#?\s]+)([^"'#?\s]*)/i.exec(address) ?? []
    const scope = /^@[^/]+/.exec(name)?.[0] ?? ''
    const isOther = name !== '' && rest.includes('/-/') && !decodeURIComponent(rest).includes(`/${name}/-/`)
    const place = server === 'github.com' ? `${server}${/^\/[^/]+/.exec(rest)?.[0] ?? ''}` : server
    packages.push({ scope, server: place.toLowerCase(), ...(isOther && { other: rest.replace(/\/-\/.*/, '') }) })
  }
  return packages
}

/** A line of such a list with the address that a package comes from; of Bun, the second item of a list. */
const sources =
  /(?:^\s*"[^"]+":\s*\["[^"]+",|"resolved":|^\s*resolved|\btarball:|\bregistry\s*=|^\s*source\s*=|^\s*url\s*=|^\s*repository:|^\s*"url":)\s*["']?([a-z+]+:\/\/[^"'\s},]+)/i

/** Manifests and settings that name servers of packages: the lines, or the elements, that do. */
const manifests: readonly (readonly [path: RegExp, servers: RegExp])[] = [
  [/(?:^|\/)pom\.xml$/, /<(repositor(?:y|ies)|pluginRepositor(?:y|ies)|mirrors?)\b[\s\S]{0,5000}?<\/\1>/g],
  [/\.gradle(?:\.kts)?$/, /\b(?:maven|ivy)\s*(?:\(|\{)[^)}]*[)}]?|\burl\s{0,40}(?:=|\()?[^\n]{0,1000}:\/\/[^\n]*/g],
  [/\.[cf]sproj$|(?:^|\/)Directory\.Build\.props$/, /<Restore\w*>[^<]*<\/Restore\w*>/g],
  [
    /(?:^|\/)pyproject\.toml$/,
    /^[ \t\ufeff]*\[\[?tool\.[\w.-]{0,200}(?:sources?|index(?:es)?)\b[^[\]]*\]\]?[^[]*|^[ \t\ufeff]*(?:(?:extra-)?index(?:-url|es)?|find-links|channels)[ \t]*=[^\n]*|^[^#\r\n]*(?:@[ \t]*(?:git\+)?https?:\/\/|\b(?:git|url|path)[ \t]*=)[^\n]*/gm,
  ],
  [
    /(?:^|\/)Cargo\.toml$/,
    /^[ \t\ufeff]*[\w-]+[ \t]*=[ \t]*\{[^\r\n}]*\b(?:git|path|registry)[ \t]*=[^\n]*|^[ \t\ufeff]*(?:git|registry)[ \t]*=[^\n]*/gm,
  ],
  [/(?:^|\/)environment\.ya?ml$/, /^channels:[\s\S]*?(?=^\w|(?![\s\S]))/gm],
]

const namedServers = (path: string, text: string): readonly string[] =>
  manifests.flatMap(([pattern, servers]) => (pattern.test(path) ? (text.match(servers) ?? []) : [])).map((each) => each.trim())
