import { createHash } from 'node:crypto'
import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pushTo } from '../../collections.ts'
import { readWire } from '../../parser/json.ts'
import { readTree } from '../../parser/tree.ts'
import { readYaml } from '../../parser/yaml.ts'
import { canonical, type Fields, onlyMap, syncFields, type Value, yamlFile } from '../../propose/sync.ts'
import { plural } from '../../report/words.ts'
import { sourceOf } from '../../source.ts'
import { plainValue } from '../../tree.ts'
import { writeFault } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { isThere, readText } from '../input/read-file.ts'
import { change, type FileChange, finishLeftover, leftovers } from '../input/staging.ts'
import { type Account, localPolicy, localWorld, policyKeys, type RemotePolicy, type WorldKey, worldKeys } from './pull-account.ts'

/** The names of what `pull` writes, below its folder. */
const recordName = '.grantwise-pull.json'
export const worldName = 'world.yaml'
export const policiesName = 'policies'

/** The result of the last pull: which file holds which policy, and its content then, so that edits on either side are detected. */
interface PullRecord {
  readonly account: string | undefined
  readonly policies: ReadonlyMap<string, { readonly file: string; readonly hash: string }>
  readonly world: ReadonlyMap<string, string>
}

/** The change of a file. */
export interface Step {
  /** Relative to the folder, with slashes. */
  readonly file: string
  readonly name: string
  /**
   * `kept`: it was edited here and the account has what was pulled. `conflict`: both differ from what was pulled, or it
   * is not known what was.
   */
  readonly kind: 'written' | 'changed' | 'same' | 'removed' | 'kept' | 'conflict'
  readonly before: string | undefined
  /** Undefined: none, or as before. */
  readonly after: string | undefined
  readonly why?: string
}

export interface Plan {
  readonly folder: string
  readonly steps: readonly Step[]
  readonly record: string
  readonly recordBefore: string | undefined
  /** The keys of the world file in which the account differs from it. */
  readonly worldDiffers: readonly WorldKey[]
  /** Policies as separate files, independent of the folder's content. */
  readonly fresh: readonly { readonly file: string; readonly name: string; readonly text: string }[]
}

/** The present content of a file, as text and as parsed fields. */
interface Local {
  readonly text: string
  readonly fields: Fields | undefined
}

/** Decide what happens to each file. Writes nothing. Throws a refusal where the folder is none to be written to. */
export function planPull(folder: string, account: Account, isForced: boolean, cwd: string): Plan {
  for (const name of [policiesName, worldName, recordName]) refuseLink(join(folder, name), cwd)
  const recordText = textAt(folder, recordName, cwd)
  const record = recordText === undefined ? emptyRecord : readRecord(recordText, displayPath(join(folder, recordName), cwd))
  if (record.account !== undefined && account.world.account !== undefined && record.account !== account.world.account && !isForced)
    throw new Refusal(
      `${displayPath(folder, cwd)}: holds what was pulled of \`${record.account}\`, and this is \`${String(account.world.account)}\``,
      'pull to another folder; `--force` replaces its contents',
    )

  const local = (file: string): Local | undefined => {
    refuseLink(join(folder, file), cwd)
    const text = textAt(folder, file, cwd)
    if (text === undefined) return undefined
    const map = onlyMap(sourceOf(file, text, 'yaml'), readYaml)
    return { text, fields: map && localPolicy(plainValue(map) as Fields) }
  }
  const files = fileNames(account.policies, record, local)
  const steps: Step[] = []
  const entries: [string, { file: string; hash: string }][] = []
  for (const policy of account.policies) {
    const file = files.get(policy.key) as string
    const hash = hashOf(policy.fields)
    steps.push(policyStep(file, policy, hash, record.policies.get(policy.key)?.hash, local(file), isForced))
    entries.push([policy.key, { file, hash }])
  }
  const current = new Set(account.policies.map(({ key }) => key))
  for (const [key, { file, hash }] of record.policies) {
    if (current.has(key)) continue
    const there = local(file)
    if (!there) continue
    const isEdited = !there.fields || hashOf(there.fields) !== hash
    const name = String(there.fields?.name ?? file)
    if (isEdited && !isForced) {
      steps.push({
        file,
        name,
        kind: 'conflict',
        before: there.text,
        after: undefined,
        why: 'it was edited here, and removed from the account',
      })
      entries.push([key, { file, hash }])
    } else steps.push({ file, name, kind: 'removed', before: there.text, after: undefined })
  }

  const world = worldStep(folder, account, record, isForced, cwd)
  if (world.step) steps.push(world.step)
  return {
    folder,
    steps,
    record: recordJson(account.world.account ?? record.account, entries, world.hashes),
    recordBefore: recordText,
    worldDiffers: world.differs,
    fresh: account.policies.map((policy) => ({
      file: files.get(policy.key) as string,
      name: policy.name,
      text: yamlFile(policy.fields),
    })),
  }
}

function policyStep(
  file: string,
  { name, fields }: RemotePolicy,
  hash: string,
  pulled: string | undefined,
  there: Local | undefined,
  isForced: boolean,
): Step {
  const step = { file, name, before: there?.text, after: undefined }
  if (!there) return { ...step, kind: 'written', after: checked(file, yamlFile(fields), hash) }
  const localHash = there.fields && hashOf(there.fields)
  if (localHash === hash) return { ...step, kind: 'same' }
  if (localHash !== pulled && !isForced) {
    if (pulled === hash) return { ...step, kind: 'kept', why: 'it was edited here, and not in the account' }
    return {
      ...step,
      kind: 'conflict',
      why:
        pulled === undefined ? 'it was not written by `pull`, and differs from the account' : 'it was edited both here and in the account',
    }
  }
  const text = syncFields(sourceOf(file, there.text, 'yaml'), fields, policyKeys, readYaml)
  if (text !== undefined && saysPolicy(file, text) === hash) return { ...step, kind: 'changed', after: text }
  if (there.text.includes('#') && !isForced)
    return { ...step, kind: 'conflict', why: 'its layout cannot be edited in place, and it has comments' }
  return { ...step, kind: 'changed', after: checked(file, yamlFile(fields), hash) }
}

function saysPolicy(file: string, text: string): string | undefined {
  const map = onlyMap(sourceOf(file, text, 'yaml'), readYaml)
  const fields = map && localPolicy(plainValue(map) as Fields)
  return fields && hashOf(fields)
}

/** A text that is new, read again: it must say what the account says. */
function checked(file: string, text: string, hash: string): string {
  if (saysPolicy(file, text) === hash) return text
  const [first] = readTree(sourceOf(file, text, 'yaml'), readYaml).diagnostics
  throw new Refusal(`${file}: what the account has cannot be written to a file: ${first?.message ?? 'it would not be read as it is'}`)
}

/** The world file: each of its parts is taken, kept or in conflict by itself; other parts are left as they are. */
function worldStep(folder: string, account: Account, record: PullRecord, isForced: boolean, cwd: string) {
  const text = textAt(folder, worldName, cwd)
  const map = text === undefined ? undefined : onlyMap(sourceOf(worldName, text, 'yaml'), readYaml)
  const hashes = new Map(record.world)
  const step = { file: worldName, name: worldName, before: text, after: undefined }
  if (text !== undefined && !map && text.trim() !== '')
    return {
      step: { ...step, kind: 'conflict' as const, why: 'it is not a single YAML map: fix it, or move it away' },
      hashes,
      differs: [],
    }
  const there = (map ? plainValue(map) : {}) as Fields
  const taken: [string, Value][] = []
  const editedKeys: WorldKey[] = []
  const conflicts: WorldKey[] = []
  const differs: WorldKey[] = []
  for (const key of worldKeys) {
    const remote = account.world[key]
    if (remote === undefined) continue
    const none = key === 'account' ? '' : []
    const localHash = hashOf(localWorld(key, there[key] ?? none))
    const hash = hashOf(remote)
    const pulled = record.world.get(key) ?? hashOf(none)
    if (localHash === hash) {
      hashes.set(key, hash)
      continue
    }
    differs.push(key)
    if (localHash === pulled || isForced) {
      taken.push([key, remote])
      hashes.set(key, hash)
    } else if (pulled === hash) editedKeys.push(key)
    else conflicts.push(key)
  }
  const named = (keys: readonly WorldKey[]) => keys.map((key) => `\`${key}\``).join(', ')
  if (conflicts.length > 0)
    return {
      step: { ...step, kind: 'conflict' as const, why: `${named(conflicts)}: edited both here and in the account` },
      hashes: record.world,
      differs,
    }
  const why = editedKeys.length > 0 ? { why: `${named(editedKeys)}: edited here, and not in the account` } : {}
  if (taken.length === 0)
    return {
      step: text === undefined ? undefined : { ...step, kind: editedKeys.length > 0 ? ('kept' as const) : ('same' as const), ...why },
      hashes,
      differs,
    }
  const fields = Object.fromEntries(taken)
  const says = (result: string) => {
    const read = onlyMap(sourceOf(worldName, result, 'yaml'), readYaml)
    const value = read && (plainValue(read) as Fields)
    return value !== undefined && taken.every(([key, wanted]) => hashOf(localWorld(key as WorldKey, value[key] ?? [])) === hashOf(wanted))
  }
  const synced = map && syncFields(sourceOf(worldName, text as string, 'yaml'), fields, Object.keys(fields), readYaml)
  if (synced !== undefined && says(synced)) return { step: { ...step, kind: 'changed' as const, after: synced, ...why }, hashes, differs }
  if (text?.includes('#') && map && !isForced)
    return {
      step: { ...step, kind: 'conflict' as const, why: 'its layout cannot be edited in place, and it has comments' },
      hashes: record.world,
      differs,
    }
  const written = yamlFile({ ...there, ...fields })
  if (!says(written)) throw new Refusal(`${worldName}: what the account has cannot be written to a file: it would not be read as it is`)
  return {
    step: { ...step, kind: text === undefined ? ('written' as const) : ('changed' as const), after: written, ...why },
    hashes,
    differs,
  }
}

// Names.

/** The file of each policy: the one it was written to before, else one by its name. */
function fileNames(
  policies: readonly RemotePolicy[],
  record: PullRecord,
  local: (file: string) => Local | undefined,
): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const taken = new Set([...record.policies.values()].map(({ file }) => file))
  const fresh = new Map<string, RemotePolicy[]>()
  for (const policy of policies) {
    const recorded = record.policies.get(policy.key)
    if (recorded) files.set(policy.key, recorded.file)
    else {
      const slug = slugOf(policy.name)
      pushTo(fresh, slug, policy)
    }
  }
  const isFree = (file: string, name: string) => {
    if (taken.has(file)) return false
    const there = local(file)
    return there === undefined || there.fields?.name === name
  }
  for (const [slug, some] of fresh) {
    for (const { key, name } of some) {
      const id = slugOf(key.slice(key.indexOf(':') + 1), 80)
      const wishes = [
        ...(some.length === 1 ? [slug] : []),
        `${slug}-${id.slice(0, 8)}`,
        `${slug}-${id}`,
        `${slug}-${hashOf(key).slice(0, 16)}`,
      ]
      const file = wishes.map((wish) => `${policiesName}/${wish}.yaml`).find((wish) => isFree(wish, name))
      if (file === undefined)
        throw new Refusal(
          `${policiesName}/${slug}.yaml: every name for the policy \`${name}\` is taken by files that \`pull\` did not write`,
        )
      taken.add(file)
      files.set(key, file)
    }
  }
  return files
}

/** Names that some file systems keep for devices. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** A text as a file name for every file system: small letters, digits and hyphens, never empty. */
function slugOf(text: string, most = 60): string {
  const slug = text
    .slice(0, 1000)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'policy' : devices.test(slug) ? `policy-${slug}` : slug
}

// The record.

const emptyRecord: PullRecord = { account: undefined, policies: new Map(), world: new Map() }

const recordFile = /^policies\/[a-z0-9]+(?:-[a-z0-9]+)*\.yaml$/

function readRecord(text: string, path: string): PullRecord {
  const damaged = (what: string) =>
    new Refusal(
      `${path}: ${what}`,
      'restore it from an earlier commit, or remove it: files that differ from the account are then conflicts',
    )
  const { documents, diagnostics } = readWire(sourceOf(path, text, 'json'))
  const value =
    documents[0] && diagnostics.every(({ severity }) => severity !== 'error')
      ? (plainValue(documents[0]) as Readonly<Record<string, unknown>>)
      : undefined
  if (typeof value !== 'object' || value === null || value.version !== 1) throw damaged('is not a `pull` record of this version')
  const { account, policies, world } = value
  const isMap = (some: unknown): some is Readonly<Record<string, unknown>> =>
    typeof some === 'object' && some !== null && !Array.isArray(some)
  if ((account !== undefined && typeof account !== 'string') || !isMap(policies) || !isMap(world)) throw damaged('is damaged')
  const files = new Map<string, { file: string; hash: string }>()
  const used = new Set<string>()
  for (const [key, entry] of Object.entries(policies)) {
    const { file, hash } = isMap(entry) ? entry : {}
    if (typeof file !== 'string' || typeof hash !== 'string' || !recordFile.test(file) || used.has(file))
      throw damaged('is damaged: it names a file that `pull` does not write')
    used.add(file)
    files.set(key, { file, hash })
  }
  return { account, policies: files, world: new Map(Object.entries(world).map(([key, hash]) => [key, String(hash)])) }
}

function recordJson(
  account: unknown,
  entries: readonly (readonly [string, { file: string; hash: string }])[],
  world: ReadonlyMap<string, string>,
): string {
  const sorted = <T>(some: Iterable<readonly [string, T]>) => Object.fromEntries([...some].sort(([a], [b]) => (a < b ? -1 : 1)))
  const value = { version: 1, ...(account !== undefined && { account }), policies: sorted(entries), world: sorted(world) }
  return `${JSON.stringify(value, null, 2)}\n`
}

/** A digest of a value's content, independent of the order of its fields and lists. */
function hashOf(value: Value): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

// Files.

function refuseLink(file: string, cwd: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isSymbolicLink())
    throw new Refusal(`${displayPath(file, cwd)}: a symbolic link, which is never written to`, 'put the thing itself there')
}

function textAt(folder: string, file: string, cwd: string): string | undefined {
  const path = join(folder, file)
  if (!isThere(path)) return undefined
  const { text, message } = readText(path)
  if (text === undefined) throw new Refusal(`${displayPath(path, cwd)}: ${message}`)
  return text
}

/** The file changes of a plan. */
export function changesOf({ steps, record, recordBefore }: Plan): readonly FileChange[] {
  return [
    ...steps.flatMap(({ file, before, after, kind }) => (after !== undefined || kind === 'removed' ? [{ file, before, after }] : [])),
    ...(record === recordBefore ? [] : [{ file: recordName, before: recordBefore, after: record }]),
  ]
}

/**
 * Carry out a plan: all of it, or nothing. Files that were edited meanwhile are not overwritten. `isInterrupted` is asked until
 * the first file is put in its place; from then on all are.
 */
export async function applyPlan(plan: Plan, isInterrupted: () => boolean, cwd: string): Promise<void> {
  const { folder } = plan
  let currentFolder = folder
  try {
    await change(folder, changesOf(plan), ({ file, before }) => {
      currentFolder = join(folder, file)
      if (isInterrupted()) throw new Refusal('interrupted: nothing is written')
      if (textAt(folder, file, cwd) !== before)
        throw new Refusal(`${displayPath(currentFolder, cwd)}: changed meanwhile: nothing is written`)
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    const leftover = leftIn(folder).map((path) => `\`${displayPath(path, cwd)}\``)
    throw new Refusal(
      `${displayPath(currentFolder, cwd)}: cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`,
      leftover.length === 0 ? undefined : `run it again: it finishes what is left in ${leftover.join(', ')}`,
    )
  }
}

/** The remains of a run that the next one finishes; none where that cannot be seen. */
function leftIn(folder: string): readonly string[] {
  try {
    return leftovers(folder).map(({ staging }) => staging)
  } catch {
    return []
  }
}

/**
 * Finish what a run that was killed had begun, and remove what it left; refuse where another one is still at work. Returns
 * what there is to say of it.
 */
export function recoverInterrupted(folder: string, isCheck: boolean, cwd: string): readonly string[] {
  const isOurs = (file: string) => recordFile.test(file) || file === worldName || file === recordName
  for (const name of [policiesName, worldName, recordName]) refuseLink(join(folder, name), cwd)
  return leftovers(folder).flatMap(({ staging, running }) => {
    const path = displayPath(staging, cwd)
    if (running !== undefined)
      throw new Refusal(
        `${displayPath(folder, cwd)}: another \`pull\` writes here, process ${running}`,
        `wait until it has ended; if it does not exist, remove \`${path}\``,
      )
    if (isCheck) return [`${path}: a \`pull\` was interrupted here: run it again, so that the files are whole`]
    try {
      const done = finishLeftover(staging, folder, isOurs)
      const what = done.length === 0 ? 'nothing had changed' : `${plural(done.length, 'file')} put in place`
      return [`what an interrupted \`pull\` left is finished and removed: ${what}`]
    } catch (error) {
      throw new Refusal(`${path}: cannot be finished or removed: ${writeFault((error as NodeJS.ErrnoException).code)}`)
    }
  })
}

/** Refuse what is there and no folder. */
export function refuseNoFolder(folder: string, cwd: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false })
  if (stat && !stat.isDirectory())
    throw new Refusal(`${displayPath(folder, cwd)}: a file, expected a folder`, 'name the folder of the policies, or a new one')
}
