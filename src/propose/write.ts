import { pushTo } from '../collections.ts'
import type { Edit } from '../diagnostic.ts'
import { applyEdits, removeEntries, removeItems } from '../edits.ts'
import { factsText } from '../lint/prove.ts'
import { plainTreeOf } from '../parser/plain-tree.ts'
import type { ReadSource } from '../parser/read.ts'
import type { Condition, Policy } from '../policy.ts'
import { isHcl, type Notation, type Source, sourceOf } from '../source.ts'
import { conditionText, type Entry, entriesOf, type List, lists } from '../symbolic/entries.ts'
import { type Edits, replaceText } from '../texts.ts'
import { field, type ListNode, type MapNode, type Node } from '../tree.ts'
import { conditionFields, type PolicyFields } from './fields.ts'
import { append, appendEntries, appendMap, flowText, policyFile, putList, putText, wrap } from './insert.ts'
import type { Added } from './plan.ts'
import type { Revision } from './shrink.ts'

/** A text, and what was understood of it. */
export interface File {
  readonly source: Source
  readonly read: ReadSource
}

/** A file as it is and as it is to be: `before` is undefined where it is new, `after` where nothing is left of it. */
export interface Pair {
  readonly before: File | undefined
  readonly after: File | undefined
}

/** A reader of texts: handed in, since it depends on settings. */
export type Read = (source: Source) => ReadSource | Promise<ReadSource>

/** Files as they would be. */
export interface Rewritten {
  /** In the order given; `after` is undefined where nothing is left of a file, and the same object where nothing changes. */
  readonly files: readonly { readonly before: File; readonly after: File | undefined }[]
  /** The files that could not be rewritten: their layout is none that is understood. All others are as they should be. */
  readonly failed: readonly File[]
}

/** The key of the string in each entry of a list; undefined where entries are strings. */
const keys: Readonly<Record<List, string | undefined>> = {
  identities: undefined,
  resources: 'urn',
  allow: 'action',
  except: 'action',
  deny: 'action',
  permissionsGroups: 'urn',
}

/**
 * Rewrite files so that their policies are as a revision has them: entries and policies taken out, entries and conditions put
 * behind others, conditions changed, expiries moved or taken out. All else stays as it is written. Each text is read again, and must say what the revision says.
 */
export async function rewrite(files: readonly File[], revision: Revision, read: Read): Promise<Rewritten> {
  const failed: File[] = []
  const out: { before: File; after: File | undefined }[] = []
  for (const before of files) {
    const changed = before.read.facts.policies.some((policy) => revision.has(policy) && revision.get(policy) !== policy)
    const after = changed ? await rewriteFile(before, revision, read) : before
    if (after === 'not understood') failed.push(before)
    out.push({ before, after: after === 'not understood' ? before : after })
  }
  return { files: out, failed }
}

async function rewriteFile(file: File, revision: Revision, read: Read): Promise<File | undefined | 'not understood'> {
  // Policies that a tool declares, or prints, have fields of other names, and are not to be written in ours.
  if (file.read.kind === 'declared' || isHcl(file.source.notation)) return 'not understood'
  const { policies } = file.read.facts
  const remaining = policies.flatMap((policy) => {
    const now = revision.has(policy) ? revision.get(policy) : policy
    return now ? [{ policy, now }] : []
  })
  const { policies: _, ...others } = file.read.facts
  const isAlone = remaining.length === 0 && Object.values(others).every((list) => list.length === 0)
  if (isAlone) return undefined
  const changes = remaining.flatMap(({ policy, now }, i) => (policy === now ? [] : [{ policy, now, i }]))
  const remainingPolicies = new Set(remaining.map(({ policy }) => policy))
  const dropped = policies.filter((policy) => !remainingPolicies.has(policy))
  const removed = await edited(
    file,
    [...(await removals(file.source, dropped)), ...changes.flatMap(({ policy, now }) => shortened(policy, now))],
    read,
  )
  if (!removed) return 'not understood'
  const there = removed.read.facts.policies
  const added = await edited(
    removed,
    changes.flatMap(({ policy, now, i }) => [
      ...lengthened(there[i], policy, now, file.source.notation),
      ...conditioned(there[i], policy, now, file.source.notation),
      ...expiring(there[i], policy, now, file.source.notation),
    ]),
    read,
  )
  const written = added?.read.facts.policies ?? []
  const isRight =
    added &&
    written.length === remaining.length &&
    remaining.every(({ now }, i) => policyText(now) === policyText(written[i] as Policy)) &&
    (added.read === file.read || inventory(added) === inventory(file))
  return isRight && added ? added : 'not understood'
}

/** The edits that take branches out of a condition; undefined where it is another one. */
function branchRemovals(node: Node | undefined, old: Condition | undefined, now: Condition | undefined): readonly Edits[] | undefined {
  if (old === now) return []
  const list = node?.kind === 'map' ? field(node, 'conditions') : undefined
  if (!old || !now || !('operands' in old) || !('operands' in now) || old.kind !== now.kind || list?.kind !== 'list') return undefined
  if (list.items.length !== old.operands.length) return undefined
  const edits: Edits[] = []
  const removed: number[] = []
  let next = 0
  for (const [i, operand] of old.operands.entries()) {
    const nextOperand = now.operands[next]
    if (nextOperand?.span !== operand.span) {
      removed.push(i)
      continue
    }
    next++
    const inner = branchRemovals(list.items[i], operand, nextOperand)
    if (!inner) return undefined
    edits.push(...inner)
  }
  if (next < now.operands.length) return undefined
  return removed.length > 0 ? [...edits, removeItems(list, removed)] : edits
}

const inventory = ({ read: { facts } }: File) => factsText({ ...facts, policies: [] })

/** The file with edits, read again; undefined where one of them is undefined, two are in each other's way, or it reads worse. */
export async function edited(file: File, groups: readonly Edits[], read: Read): Promise<File | undefined> {
  const editGroups: (readonly Edit[])[] = []
  for (const group of groups) {
    if (!group) return undefined
    editGroups.push(group)
  }
  const { text, applied } = applyEdits(file.source.text, editGroups)
  if (applied.includes(false)) return undefined
  if (text === file.source.text) return file
  const source = sourceOf(file.source.path, text, file.source.notation)
  const now = await read(source)
  return now.refused || now.diagnostics.some(({ severity }) => severity === 'error') ? undefined : { ...file, source, read: now }
}

/** All that counts of a policy, as a text. */
export function policyText(policy: Policy): string {
  const { name, expiresAt, owner, readOnly } = policy
  return JSON.stringify([
    name.value,
    lists.map((list) => entriesOf(policy, list).map(({ value }) => value.text)),
    conditionText(policy),
    expiresAt?.value ?? null,
    owner ?? null,
    readOnly,
  ])
}

/** The edits that remove policies from their lists. */
async function removals(source: Source, removed: readonly Policy[]): Promise<readonly Edits[]> {
  // Most files are large, and most edits remove no policy.
  if (removed.length === 0) return []
  const { documents } = await plainTreeOf(source)
  const starts = new Set(removed.map(({ node }) => node.start))
  let removedCount = 0
  const edits = policyLists(documents).map((list) => {
    const indices = list.items.flatMap((item, i) => (starts.has(item.start) && item.kind === 'map' ? [i] : []))
    removedCount += indices.length
    return indices.length === 0 ? [] : removeItems(list, indices)
  })
  return removedCount === removed.length ? edits : [undefined]
}

/** The lists that may contain policies. */
function policyLists(documents: readonly Node[]): readonly ListNode[] {
  return documents.flatMap((document) => {
    const node = document.kind === 'map' ? field(document, 'policies') : document
    return node?.kind === 'list' ? [node] : []
  })
}

/** The map that holds a list of a policy. */
function holderOf(policy: Policy, list: List): MapNode | undefined {
  if (list !== 'allow' && list !== 'except' && list !== 'deny') return policy.node
  const permissions = field(policy.node, 'permissions')
  return permissions?.kind === 'map' ? permissions : undefined
}

/** The entries of a list that are written another way, with their new strings: the new entry has the place of the old one. */
function correctedIn(policy: Policy, now: Policy, list: List): ReadonlyMap<Entry, string> {
  const old = entriesOf(policy, list)
  const corrected = new Map<Entry, string>()
  for (const [i, { value, span }] of entriesOf(now, list).entries()) {
    const before = old[i]
    if (before && before.span === span && before.value !== value) corrected.set(before, value.text)
  }
  return corrected
}

/** The edits that take entries and expiries out of a policy, and correct entries. */
function shortened(policy: Policy, now: Policy): readonly Edits[] {
  const edits: Edits[] = []
  const emptied = new Map<MapNode, string[]>()
  const empty = (map: MapNode, key: string) => pushTo(emptied, map, key)
  for (const list of lists) {
    const entries = entriesOf(policy, list)
    const stays = new Set(entriesOf(now, list))
    const corrected = correctedIn(policy, now, list)
    for (const [entry, text] of corrected) edits.push([replaceText(entry.span, text)])
    const indices = entries.flatMap((entry, i) => (stays.has(entry) || corrected.has(entry) ? [] : [i]))
    if (indices.length === 0) continue
    const map = holderOf(policy, list)
    const node = map && field(map, list)
    if (!map || node?.kind !== 'list' || node.items.length !== entries.length) return [undefined]
    if (indices.length < entries.length || entriesOf(now, list).length > 0) edits.push(removeItems(node, indices))
    else empty(map, list)
  }
  if (policy.expiresAt && !now.expiresAt) empty(policy.node, 'expiredAt')
  const expiry = field(policy.node, 'expiredAt')
  if (expiry && now.expiresAt && now.expiresAt.value !== policy.expiresAt?.value)
    edits.push([replaceText(expiry, expiryText(now.expiresAt.value))])
  edits.push(...(branchRemovals(field(policy.node, 'conditions'), policy.condition, now.condition) ?? []))
  for (const [map, names] of emptied) edits.push(removeEntries(map, names))
  return edits
}

/** The edits that add to a policy the entries that it should have in addition. `there`: its present version. */
function lengthened(there: Policy | undefined, policy: Policy, now: Policy, notation: Notation): readonly Edits[] {
  return lists.flatMap((list): Edits[] => {
    const ownEntries = new Set(entriesOf(policy, list))
    const corrected = correctedIn(policy, now, list)
    const values = entriesOf(now, list).filter((entry, i) => !ownEntries.has(entry) && !corrected.has(entriesOf(policy, list)[i] as Entry))
    if (values.length === 0) return []
    const texts = values.map(({ value }) => value.text)
    const map = there && holderOf(there, list)
    const node = map && field(map, list)
    if (!map) return [undefined]
    return [node?.kind === 'list' ? appendEntries(node, keys[list], texts, notation) : putList(map, list, keys[list], texts, notation)]
  })
}

/** An instant as an expiry has it. */
export const expiryText = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')

/** The edits that put a condition into a policy, or make the one that it has another. */
function conditioned(there: Policy | undefined, policy: Policy, now: Policy, notation: Notation): readonly Edits[] {
  if (!now.condition || branchRemovals(field(policy.node, 'conditions'), policy.condition, now.condition)) return []
  const existing = there && field(there.node, 'conditions')
  if (existing && policy.condition) return revised(existing, policy.condition, now.condition, notation)
  const fields = conditionFields(now.condition)
  return [!there || existing || !fields ? undefined : putText(there.node, 'conditions', flowText(fields, notation), notation)]
}

/** The edits that give an expiry to a policy that has none. */
function expiring(there: Policy | undefined, policy: Policy, now: Policy, notation: Notation): readonly Edits[] {
  if (policy.expiresAt || !now.expiresAt) return []
  return [there && putText(there.node, 'expiredAt', flowText(expiryText(now.expiresAt.value), notation), notation)]
}

/** The edits that change a condition: comparisons changed in place, conditions added next to others. */
function revised(node: Node | undefined, old: Condition, now: Condition, notation: Notation): readonly Edits[] {
  if (old === now) return []
  if (node?.kind !== 'map') return [undefined]
  const textOf = (condition: Condition | undefined) => {
    const fields = condition && conditionFields(condition)
    return fields && flowText(fields, notation)
  }
  const next = 'operands' in now ? now.operands : [now]
  if (next[0] === old) {
    const text = textOf(next[1])
    return [text === undefined || next.length > 2 ? undefined : wrap(node, now.kind.toUpperCase(), text, notation)]
  }
  const parts = 'operands' in old ? old.operands : [old]
  const [list, values] = [field(node, 'conditions'), field(node, 'values')]
  if (old.kind !== now.kind || parts.length > next.length) return [undefined]
  if (list?.kind === 'list' && list.items.length === parts.length) {
    const texts = next.slice(parts.length).map(textOf)
    if (!texts.every((text) => text !== undefined)) return [undefined]
    const inner = parts.flatMap((part, i) => revised(list.items[i], part, next[i] as Condition, notation))
    return texts.length === 0
      ? inner
      : [
          ...inner,
          append(
            list,
            texts.map((text) => ({ flow: text, lines: [`- ${text}`] })),
          ),
        ]
  }
  if (values?.kind !== 'map' || values.entries.length !== next.length || parts.length !== next.length) return [undefined]
  return values.entries.map(({ key, value }, i) => {
    const [part, after] = [parts[i], next[i]]
    if (part === after) return []
    if (part?.kind !== 'match' || after?.kind !== 'match') return undefined
    const [before, then] = [[part.key, part.value] as const, [after.key, after.value] as const]
    return [key, value].flatMap((at, j) => (before[j]?.value === then[j]?.value ? [] : [replaceText(at, then[j]?.value ?? '')]))
  })
}

/**
 * The file with a further policy, behind the last of the first list of policies in it; undefined where it has none, or the layout
 * is not supported. `policyFile` gives a separate file.
 */
export async function withPolicy(file: File, fields: PolicyFields, read: Read): Promise<File | undefined> {
  const [list] = policyLists((await plainTreeOf(file.source)).documents)
  return list && edited(file, [appendMap(list, fields)], read)
}

/** Put a policy into a file with a list of policies, the one that it belongs in first; else into a new file next to the first. */
export async function addPolicy(pairs: Pair[], { fields, near }: Added, read: Read): Promise<boolean> {
  const isNear = ({ before }: Pair) => near !== undefined && before?.source.path === near.path
  for (const pair of [...pairs].sort((a, b) => Number(isNear(b)) - Number(isNear(a)))) {
    const { before, after } = pair
    const longer = after && (await withPolicy(after, fields, read))
    if (!longer) continue
    const i = pairs.indexOf(pair)
    pairs[i] = { before, after: longer }
    return true
  }
  const first = pairs[0]?.before?.source.path ?? ''
  const folder = first.slice(0, first.lastIndexOf('/') + 1)
  const existingPaths = new Set(pairs.flatMap(({ before, after }) => [before?.source.path, after?.source.path]))
  let path = `${folder}new-policy.yaml`
  for (let i = 2; existingPaths.has(path); i++) path = `${folder}new-policy-${i}.yaml`
  const source = sourceOf(path, policyFile(fields), 'yaml')
  const after: File = { source, read: await read(source) }
  pairs.push({ before: undefined, after })
  return after.read.diagnostics.every(({ severity }) => severity !== 'error')
}
