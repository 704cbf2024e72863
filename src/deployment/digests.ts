import { readHcl } from '../hcl/parse.ts'
import { folderOf } from '../hcl/paths.ts'
import type { Expression } from '../hcl/syntax.ts'
import { keyOf } from '../keys.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { plainValue } from '../tree.ts'
import type { DeploymentChange, Policies, Repository } from './facts.ts'
import { programWithin, reachOf } from './reach.ts'
import { isRecord } from './records.ts'

/**
 * Lists of versions in which a package keeps its version and gets another digest: what is installed under the same name and version is
 * another program. Other versions, packages that come and go, and digests of further platforms do not count.
 */

/** A package, or one file of it, and the digest by which it is verified; '' where it has none. */
interface Digest {
  readonly name: string
  readonly version: string
  readonly digest: string
}

interface Lock {
  readonly path: RegExp
  /** The digests in a text; undefined where it cannot be read. */
  readonly read: (path: string, text: string) => readonly Digest[] | undefined | Promise<readonly Digest[] | undefined>
  /** A package has a digest for each of its files: one more is for a further platform, one less a file that is no longer accepted. */
  readonly isOfFiles?: boolean
}

const locks: readonly Lock[] = [
  { path: /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lock|deno\.lock)$/, read: inTree },
  { path: /(?:^|\/)Pipfile\.lock$/, read: inTree, isOfFiles: true },
  { path: /(?:^|\/)yarn\.lock$/, read: (_, text) => inBlocks(text, /^(?=[^\s#])/m) },
  { path: /(?:^|\/)Cargo\.lock$/, read: (_, text) => inBlocks(text, /^(?=[ \t]*\[\[)/m) },
  { path: /(?:^|\/)(?:poetry|uv|pdm)\.lock$/, read: (_, text) => ofFiles(text) },
  { path: /(?:^|\/)go\.sum$/, read: (_, text) => inLines(text, /^(\S+)\s+(v\S+)\s+(h\d:\S+)/gm) },
  { path: /(?:^|\/)Gemfile\.lock$/, read: (_, text) => inLines(text, /^[ \t]+(\S+) \(([^)\r\n]+)\) (sha\d+=\S+)/gm) },
  { path: /(?:^|\/)requirements[\w-]*\.txt$/, read: (_, text) => ofRequirements(text), isOfFiles: true },
]

/** The list of providers that Terraform and OpenTofu install: they find it themselves, next to a configuration. */
const ofProviders: Lock = { path: /(?:^|\/)\.terraform\.lock\.hcl$/, read: inProviders, isOfFiles: true }

/** Packages that keep their version and get another digest between two states; at most one for each file. */
export async function digestChanges(
  before: Repository,
  after: Repository,
  paths: readonly string[],
  policies: Policies,
): Promise<readonly DeploymentChange[]> {
  const changes: DeploymentChange[] = []
  for (const path of paths) {
    const lock = [...locks, ...(policies.inTerraform ? [ofProviders] : [])].find((each) => each.path.test(path))
    const [old, now] = [before.text(path), after.text(path)]
    if (lock === undefined || old === undefined || now === undefined) continue
    const user = lock === ofProviders ? 'Terraform' : await userOf(path, { repository: after, policies })
    const why = user === undefined ? undefined : otherDigest(await lock.read(path, old), await lock.read(path, now), lock)
    if (why !== undefined) changes.push({ path, why: `${why}, and ${user} may run it` })
  }
  return changes
}

async function userOf(path: string, around: { readonly repository: Repository; readonly policies: Policies }): Promise<string | undefined> {
  const by = programWithin(folderOf(path), await reachOf(around))
  return by === undefined ? undefined : `\`${by.path}\``
}

/** The first package that has another digest in the same version, in words. */
function otherDigest(
  old: readonly Digest[] | undefined,
  now: readonly Digest[] | undefined,
  { isOfFiles = false }: Lock,
): string | undefined {
  // Nothing was verified before.
  if (old === undefined) return undefined
  if (now === undefined) return old.some(({ digest }) => digest !== '') ? 'its digests cannot be read' : undefined
  const [oldDigests, newDigests] = [byPackage(old), byPackage(now)]
  for (const [key, { name, digests }] of oldDigests) {
    const others = newDigests.get(key)?.digests
    if (others === undefined || [...digests].every((each) => each === '')) continue
    const isOther = isOfFiles ? [...digests].some((each) => !others.has(each)) : [...others].some((each) => !digests.has(each))
    if (isOther) return `\`${name}\` has another digest in the same version`
  }
  return undefined
}

/** The digests of each package in each version. */
function byPackage(all: readonly Digest[]) {
  const packages = new Map<string, { readonly name: string; readonly digests: Set<string> }>()
  for (const { name, version, digest } of all) {
    const key = keyOf(name, version)
    const entry = packages.get(key) ?? { name, digests: new Set() }
    packages.set(key, entry)
    entry.digests.add(digest)
  }
  return packages
}

/** The digests in a text of JSON or YAML. */
async function inTree(path: string, text: string): Promise<readonly Digest[] | undefined> {
  const { documents, refused } = await treeOf(sourceOf(path, text, path.endsWith('.yaml') ? 'yaml' : 'json'))
  if (refused) return undefined
  const read: Digest[] = []
  for (const each of documents) collect(plainValue(each), '', read)
  return read
}

/** Adds the digests in a value; `key`: its key in the value around it. */
function collect(value: unknown, key: string, into: Digest[]): void {
  if (Array.isArray(value)) {
    // Bun: `["policy-client@1.0.0", "", {}, "sha512-…"]`.
    const [name, ...rest] = value
    if (typeof name === 'string' && rest.length > 1)
      into.push({ name, version: '', digest: rest.find((each) => typeof each === 'string' && /^sha\d+-/.test(each)) ?? '' })
    for (const each of value) if (typeof each === 'object') collect(each, key, into)
  } else if (isRecord(value)) {
    // Of a path in `node_modules` the name; of a key of pnpm not the versions of what it is installed with.
    const name = key.replace(/^.*node_modules\//, '').replace(/\(.*/, '')
    const { version, integrity = isRecord(value.resolution) ? value.resolution.integrity : undefined, hashes } = value
    const isPackage = typeof version === 'string' || integrity !== undefined || value.resolution !== undefined
    const digests = Array.isArray(hashes) ? hashes : [typeof integrity === 'string' ? integrity.trim().split(/\s+/).sort().join(' ') : '']
    if (isPackage) for (const each of digests) into.push({ name, version: String(version ?? ''), digest: String(each) })
    for (const [inner, each] of Object.entries(value)) {
      if (typeof each === 'object' && inner !== 'resolution') collect(each, inner, into)
      // Deno: the digest of each module under its address.
      else if (/^https?:/.test(inner)) into.push({ name: inner, version: '', digest: String(each) })
    }
  }
}

/** The digests in a text with a block of fields for each package, which is named in its first line or by a field. */
function inBlocks(text: string, start: RegExp): readonly Digest[] {
  return text.split(start).flatMap((block) => {
    const fields = [...block.matchAll(/^[ \t]*"?(name|version|integrity|checksum)"?[ \t:=]+["']?([^"'\r\n]+)/gm)]
    const valuesOf = (...names: readonly string[]) =>
      fields.flatMap(([, key = '', value = '']) => (names.includes(key) ? value.trim() : []))
    const name = valuesOf('name')[0] ?? /^["']?((?:@[^/@]+\/)?[^@\s"']+)@/.exec(block)?.[1]
    const version = valuesOf('version')[0]
    return name === undefined || version === undefined
      ? []
      : [{ name, version, digest: valuesOf('integrity', 'checksum').sort().join(' ') }]
  })
}

const inLines = (text: string, line: RegExp): readonly Digest[] =>
  [...text.matchAll(line)].map(([, name = '', version = '', digest = '']) => ({ name, version, digest }))

/** The digests of files, which have the version in their names: `{file = "…", hash = "sha256:…"}`, with `url` in place of `file` too. */
const ofFiles = (text: string): readonly Digest[] =>
  [...text.matchAll(/\{[^{}]*\}/g)].flatMap(([fields]) => {
    const textOf = (key: RegExp) => key.exec(fields)?.[1]
    const name = textOf(/\b(?:file|url)\s*=\s*["']([^"']+)/)
    return name === undefined ? [] : [{ name, version: '', digest: textOf(/\bhash\s*=\s*["']([^"']+)/) ?? '' }]
  })

/** The digests of requirements: `requests==2.0.0 --hash=sha256:…`, over several lines too. */
const ofRequirements = (text: string): readonly Digest[] =>
  text
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, version] = /^\s*([\w.[\],-]+)\s*===?\s*([^\s;]+)/.exec(line) ?? []
      if (name === undefined || version === undefined) return []
      const digests = [...line.matchAll(/--hash[=\s]\s*(\S+)/g)].map(([, digest = '']) => digest)
      return (digests.length > 0 ? digests : ['']).map((digest) => ({ name: name.toLowerCase(), version, digest }))
    })

/** The digests of providers, by their addresses. */
function inProviders(path: string, text: string): readonly Digest[] | undefined {
  const { body } = readHcl(sourceOf(path, text, 'hcl'), undefined)
  return body?.blocks.flatMap(({ type, labels: [name = ''], body: { attributes } }) => {
    if (type !== 'provider') return []
    const textsOf = (key: string) => attributes.flatMap((each) => (each.name === key ? literalsIn(each.value) : []))
    const digests = textsOf('hashes')
    return (digests.length > 0 ? digests : ['']).map((digest) => ({ name, version: textsOf('version').join(' '), digest }))
  })
}

/** The strings that an expression writes out, those in lists too. */
function literalsIn(value: Expression): readonly string[] {
  if (value.kind === 'list') return value.items.flatMap(literalsIn)
  if (value.kind === 'template') return [value.parts.map((part) => (part.kind === 'text' ? part.value : '')).join('')]
  return []
}
