import { type Dirent, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { plainVerdict } from '../support/plain-evaluator.ts'
import type { PolicyJson, QuestionJson } from '../support/worlds.ts'
import { actionOf, identityOf, machines, resourceOf, type Side, users, verbs } from './repository.ts'

/**
 * Policies that programs would deploy from a checkout. They share nothing with the product: a glob, `JSON.parse`, the
 * package `yaml`, and no opinion of what a policy looks like but that it has these fields, wherever it is.
 */

const fields = ['name', 'identities', 'resources', 'permissions']

/** Policies of one deployment, and of another whose programs are of another kind: OpenTofu for Terraform, YAML 1.1 for 1.2. */
export function deployments(folder: string, { terraform, tofu, elsewhere }: Side): readonly (readonly PolicyJson[])[] {
  const files = [...filesIn(folder)]
  const json = files.filter((file) => /\.json$/i.test(file) && !/\.(tf|tofu)\.json$/.test(file)).flatMap(policiesOfJson)
  const yaml = files.filter((file) => /\.ya?ml$/i.test(file))
  const plain = [...json, ...elsewhere]
  return [
    [...plain, ...yaml.flatMap((file) => policiesOfYaml(file, '1.2')), ...terraform],
    [...plain, ...yaml.flatMap((file) => policiesOfYaml(file, '1.1')), ...tofu],
  ]
}

/** Every file below a folder, as a shell with `**` finds them: through links, whatever is hidden or ignored. */
function* filesIn(folder: string, depth = 0): Generator<string> {
  if (depth > 60) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (depth === 0 && entry.name === '.git') continue
    if (isFolder(entry, path)) yield* lstatSync(path).isSymbolicLink() && depth > 8 ? [] : filesIn(path, depth + 1)
    else yield path
  }
}

function isFolder(entry: Dirent, path: string): boolean {
  return entry.isDirectory() || (entry.isSymbolicLink() && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false))
}

/** A text in the encoding that its first bytes say. */
function textOf(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return ''
  const bytes = readFileSync(path)
  const [first, second] = bytes
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
  const isWide = isBig || (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
  return new TextDecoder(isBig ? 'utf-16be' : isWide ? 'utf-16le' : 'utf-8').decode(bytes)
}

function policiesOfJson(path: string): PolicyJson[] {
  try {
    return policiesIn(JSON.parse(textOf(path)))
  } catch {
    return []
  }
}

function policiesOfYaml(path: string, version: '1.1' | '1.2'): PolicyJson[] {
  // Characters that end a line in older YAML, which many programs still read.
  const text = version === '1.1' ? textOf(path).replace(/\r\n?|[\x85\u2028\u2029]/g, '\n') : textOf(path)
  const documents = parseAllDocuments(text, { version, merge: true, logLevel: 'silent', uniqueKeys: false })
  return [...documents].flatMap((document) => {
    if (document.errors.length > 0) return []
    try {
      return policiesIn(document.toJS())
    } catch {
      return []
    }
  })
}

type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json }

/** Whatever has the fields of a policy, at any depth; texts of a ConfigMap are what their names say. */
function policiesIn(value: Json): PolicyJson[] {
  if (Array.isArray(value)) return value.flatMap(policiesIn)
  if (typeof value !== 'object' || value === null) return []
  if (fields.every((key) => key in value)) return isWhole(value as unknown as PolicyJson) ? [value as unknown as PolicyJson] : []
  if (value.kind === 'Policy' && value.spec) return policiesOfManifest(value.spec as { forProvider?: { [key: string]: Json } })
  const texts = value.kind === 'ConfigMap' ? Object.entries((value.data ?? {}) as { [key: string]: string }) : []
  return [
    ...Object.values(value).flatMap(policiesIn),
    ...texts.filter(([key]) => key.endsWith('.json')).flatMap(([, text]) => parsed(text)),
  ]
}

function parsed(text: string): PolicyJson[] {
  try {
    return policiesIn(JSON.parse(text))
  } catch {
    return []
  }
}

function policiesOfManifest({ forProvider = {} }: { forProvider?: { [key: string]: Json } }): PolicyJson[] {
  const { name, identities, resources, allow = [], deny = [] } = forProvider as { [key: string]: string[] } & { name: string }
  const actions = (list: readonly string[]) => list.map((action) => ({ action }))
  const urns = (resources ?? []).map((urn) => ({ urn }))
  return [{ name, identities: identities ?? [], resources: urns, permissions: { allow: actions(allow), deny: actions(deny) } }]
}

/** Whether the service would take it: lists of texts where there are lists of texts. */
function isWhole({ name, identities, resources, permissions }: PolicyJson): boolean {
  const isText = (each: unknown) => typeof each === 'string'
  if (!isText(name) || !Array.isArray(identities) || !identities.every(isText) || !Array.isArray(resources)) return false
  if (!resources.every((each) => isText(each?.urn)) || typeof permissions !== 'object' || permissions === null) return false
  return [permissions.allow, permissions.except, permissions.deny].every(
    (list) => list === undefined || (Array.isArray(list) && list.every((each) => isText(each?.action))),
  )
}

/** Every question that the names of the repositories can make a difference to. */
export const questions: readonly QuestionJson[] = users.flatMap((user) =>
  verbs.flatMap((verb) =>
    machines.map((machine) => ({
      identity: identityOf(user),
      action: actionOf(verb),
      resource: resourceOf(machine),
      at: '2026-06-01T12:00:00Z',
    })),
  ),
)

/** The answers over what is deployed. */
export function answersOver(policies: readonly PolicyJson[]): readonly ('allow' | 'deny')[] {
  const world = { policies: [...policies], permissionsGroups: [], resourceGroups: [], resources: [], identities: [] }
  return questions.map((question) => plainVerdict(world, question, new Map()))
}
