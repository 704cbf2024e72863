import type { Skipped } from '../coverage.ts'
import { place } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { type CommandText, type CommandTexts, commandTexts } from '../parser/commands.ts'
import { type EmbeddedRead, readEmbedded } from '../parser/embedded.ts'
import { holdsPolicies, kindOf } from '../parser/policy.ts'
import type { ReadPolicies } from '../parser/read.ts'
import { mostPipelines } from '../parser/shell.ts'
import { stepTexts } from '../parser/steps.ts'
import type { Source } from '../source.ts'
import { field, type Node } from '../tree.ts'
import { examplesOf } from './examples.ts'
import type { FencesRead } from './files.ts'

/** The most strings with policies that are read in one file: each is a separate world. */
const mostTexts = 500

/**
 * Read the policies that the commands of a script are given, each for itself. Scripts hold much other JSON: a string is taken for a
 * policy if it can be read and has most of what a policy has. In a call of the service, what cannot be read is reported as well.
 */
export async function readCommands(source: Source, settings: Settings): Promise<FencesRead> {
  const { texts, ignores: comments, files, isCut } = await textsIn(source)
  const parts: { readonly text: CommandText; readonly read: ReadPolicies }[] = []
  const passed: Skipped[] = files.map(({ name, span }) => ({
    path: place(span),
    reason: `the policy is in \`${name}\`, which is linted if it is there`,
  }))
  const used = new Set<CommandText['ignore']>()
  let refusal = isCut ? `more than ${mostPipelines} commands: those after them are not read` : undefined
  for (const text of texts) {
    const pass = (reason: string) => passed.push({ path: place(text.opening), reason })
    const { ignore } = text
    const part = await readEmbedded(source, text.placed, text.notation, settings)
    const why = whyPassed(text, part)
    if (why === 'other') continue
    if (ignore) used.add(ignore)
    if (ignore && ignore.codes.length === 0 && ignore.reason !== '') pass(`ignored by the comment above it: ${ignore.reason}`)
    else if (why !== undefined) pass(why)
    else if (parts.length === mostTexts) {
      refusal = `more than ${mostTexts} policies in commands: those after ${place(text.opening)} are not read`
      break
    } else parts.push({ text, read: await part.read() })
  }
  // A comment about something else, such as a call that deletes a policy, is none of ours to judge.
  const ignores = comments.filter((each) => each.lastLine === undefined || used.has(each) || parts.some(({ text }) => text.ignore === each))
  return {
    ...examplesOf(
      parts.map(({ read }) => read),
      ignores,
      passed,
      parts.flatMap(({ text }) => text.plain),
    ),
    ...(refusal !== undefined && { refusal }),
  }
}

/** The strings of a script, or of the commands of a pipeline, that may hold policies. */
export async function textsIn(source: Source): Promise<CommandTexts> {
  if (source.notation === 'steps') return stepTexts(source)
  return commandTexts(source, { text: source.text, isLiteral: true, hasExpressions: false })
}

/** Why a string is not linted; `other` where it is not meant to hold a policy. */
function whyPassed(
  { isBody, hasParts }: CommandText,
  { text, documents, hasErrors, isFragment, isSketch }: EmbeddedRead,
): string | undefined {
  const isOurs = isBody || text.includes('urn:v1:')
  const isUnreadable = hasErrors || documents.length === 0
  if (isUnreadable && hasParts) return isOurs ? 'an expansion is a part of its structure' : 'other'
  if (isUnreadable && !(isBody && isMeant(text))) return 'other'
  if (!isUnreadable) {
    if (!documents.some(holdsPolicies)) return 'other'
    // Resources by themselves are put into a policy by the commands that follow: patterns are usual in them.
    if (documents.every(isPart)) return isOurs ? 'a part of a policy' : 'other'
    // A list or a world has less to be recognised by.
    if (!isOurs && documents.some((document) => kindOf(document) !== 'policy')) return 'other'
  }
  if (isSketch) return isOurs ? 'a sketch: it leaves things out' : 'other'
  if (isFragment && !isBody) return isOurs ? 'a part of a policy' : 'other'
  return undefined
}

/** Whether a document lists or describes resources, groups or identities, and holds no policy. */
function isPart(document: Node): boolean {
  const kind = kindOf(document)
  return kind === 'listing' || (kind === 'world' && document.kind === 'map' && field(document, 'policies') === undefined)
}

/** Whether a text that cannot be read was meant as a policy: services of other clouds have calls and commands of the same names. */
function isMeant(text: string): boolean {
  return text.includes('urn:v1:') || /"(?:identities|permissions|permissionsGroups)"\s*:/.test(text)
}

/** Whether two scripts are the same except where a fix may write. */
export async function isRestKept(before: Source, after: Source): Promise<boolean> {
  return (await restOf(before)) === (await restOf(after))
}

async function restOf(source: Source): Promise<string> {
  const { texts } = await textsIn(source)
  let out = ''
  let done = 0
  for (const { start, end } of texts.flatMap(({ plain }) => plain).sort((a, b) => a.start - b.start)) {
    if (start < done) continue
    out += `${source.text.slice(done, start)}\0`
    done = end
  }
  return (out + source.text.slice(done)).replace(/\0+/g, '\0')
}
