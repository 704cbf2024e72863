import { type Notation, notationOf } from '../source.ts'
import type { PolicyFields } from './fields.ts'
import { policiesFile, policyFile } from './insert.ts'
import { type File, type Read, withPolicy } from './write.ts'

/** Where new policies are written: behind the others of a file, or into a file that is new. */
export type GrantPlace =
  | { readonly kind: 'append'; readonly file: File }
  /** `folder`: that of the other policies, with a final slash; '' for the working folder. */
  | { readonly kind: 'new'; readonly folder: string; readonly notation: 'yaml' | 'json' }
  /** None of these files is the obvious one. */
  | { readonly kind: 'several'; readonly paths: readonly string[] }
  /** A tool declares the policies, or a document shows them: they are not written in our fields. */
  | { readonly kind: 'declared'; readonly paths: readonly string[] }

/** The place for new policies, where the files leave only one: their one list, or the one folder of files that have a policy each. */
export function grantPlace(files: readonly File[]): GrantPlace {
  const withPolicies = files.filter(({ read }) => read.facts.policies.length > 0)
  const declared = withPolicies.filter((file) => !isPlain(file))
  if (declared.length > 0) return { kind: 'declared', paths: pathsOf(declared) }
  const lists = withPolicies.filter(isList)
  const [list] = lists
  if (list && withPolicies.length === 1) return { kind: 'append', file: list }
  const folders = new Set(withPolicies.map(({ source: { path } }) => path.slice(0, path.lastIndexOf('/') + 1)))
  const [folder] = folders
  if (folder === undefined || lists.length > 0 || folders.size > 1)
    return { kind: 'several', paths: pathsOf(lists.length > 0 ? lists : withPolicies) }
  return { kind: 'new', folder, notation: withPolicies.every(({ source }) => source.notation === 'json') ? 'json' : 'yaml' }
}

const pathsOf = (files: readonly File[]) => files.map(({ source }) => source.path)

/** Whether a file has policies in the fields of the service, and nothing but them and what they refer to. */
export function isPlain({ source: { notation }, read }: File): boolean {
  return (notation === 'json' || notation === 'yaml') && read.kind === 'policies' && !read.isTemplate
}

/** Whether the policies of a file are items of a list: before one that is not, there are only comments. */
function isList({ source: { text }, read }: File): boolean {
  const [first, second] = read.facts.policies
  if (second) return true
  const before = text.slice(0, first?.node.start ?? 0).replace(/^\ufeff/, '')
  return before.split('\n').some((line) => !/^\s*(?:#.*|---.*|%.*)?$/.test(line))
}

/** A file with policies behind its own; undefined where its layout is not understood, or it has no list of policies. */
export async function withPolicies(file: File, policies: readonly PolicyFields[], read: Read): Promise<File | undefined> {
  let longer: File | undefined = file
  for (const fields of policies) longer = longer && (await withPolicy(longer, fields, read))
  return longer
}

/** The text of a new file with policies. */
export function newFileText(policies: readonly PolicyFields[], notation: Notation): string {
  const [only] = policies
  if (notation === 'json') return `${JSON.stringify(policies.length === 1 ? only : policies, null, 2)}\n`
  return policies.length === 1 && only ? policyFile(only) : policiesFile(policies as Parameters<typeof policiesFile>[0])
}

/** Whether a name is that of a file in which policies can be written. */
export function isPolicyFileName(path: string): boolean {
  const notation = notationOf(path)
  return (notation === 'yaml' || notation === 'json') && !/\.(?:iamtest|tf)\.[a-z]+$/i.test(path)
}

/** A changed text with the line ends of the old one, where these are all carriage returns with line feeds. */
export function withLineEnds(text: string, before: string): string {
  const isCrlf = before.includes('\r\n') && !/(?:^|[^\r])\n/.test(before)
  return isCrlf ? text.replace(/\r?\n/g, '\r\n') : text
}
