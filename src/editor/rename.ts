import { glob, matches } from '../glob.ts'
import { visible } from '../names.ts'
import { readTree } from '../parser/tree.ts'
import { inside, isExampleNotation, type Range } from '../source.ts'
import { replaceText } from '../texts.ts'
import { readIdentity } from '../urn/identity.ts'
import { readPermissionsGroup, readResourceGroup } from '../urn/resource.ts'
import type { EditorFile, Name, Occurrence, Workspace } from './model.ts'
import { nameAt, occurrencesOf } from './names.ts'
import { rangeInFile } from './parts.ts'
import type { Renameable, Renamed, TextEdit } from './types.ts'

/** The names that can be renamed, in words. */
const renameable = 'identities, groups and policies can be renamed'

/** The range to rename at an offset: the end of a URN, or the name of a policy. */
export function prepareRename(workspace: Workspace, file: EditorFile, offset: number): Renameable {
  const name = nameAt(workspace, file, offset)
  if (!name) return { error: `there is no name here: ${renameable}` }
  const why = whyNot(name)
  if (why !== undefined) return { error: why }
  const tail = tailOf(name)
  const range = tailRange(file, name, tail)
  return range ? { range, name: tail } : { error: madeOf(name) }
}

/** Why a name is never renamed. */
function whyNot({ kind, text }: Name): string | undefined {
  if (kind === 'resource') return `a resource keeps the name that the service knows it by: ${renameable}`
  if (text.includes('*') && kind !== 'policy') return 'this is a pattern, and names no identity by itself'
  if (kind === 'identity' && text.split(':')[4] === 'account') return 'an account is part of the names of all that it owns'
  return kind === 'identity' && !text.includes('/') ? 'this is not the URN of an identity' : undefined
}

const madeOf = ({ path }: Occurrence) => `in ${path} an expression gives this name: change what it is made of`

/** The part of a name that changes. */
function tailOf({ kind, text }: Name): string {
  if (kind === 'identity') return text.slice(text.indexOf('/') + 1)
  return kind === 'permissionsGroup' ? text.split(':').slice(5).join(':') : text
}

/** The name with another end; a whole URN in its place where one is given. */
function renamedTo(name: Name, tail: string): string {
  if (tail.startsWith('urn:') && name.kind !== 'policy') return name.kind === 'resourceGroup' ? tail.split(':').slice(4).join(':') : tail
  return name.text.slice(0, name.text.length - tailOf(name).length) + tail
}

/** The range of the end of a name; undefined where it comes from an expression. */
function tailRange(file: EditorFile, occurrence: Occurrence, tail: string): Range | undefined {
  const { written, range, spot } = occurrence
  if (written) {
    const { source, start, end } = inside(written, written.value.length - tail.length, written.value.length)
    return source.text.slice(start, end) === tail ? { start, end } : undefined
  }
  const isPlain = file.source.text.slice(range.start, range.end).endsWith(tail)
  return spot && isPlain ? { start: range.end - tail.length, end: range.end } : range
}

/**
 * Give an identity, a group or a policy another name in all files, or the reason why not. Decisions stay the same: a pattern that
 * matches only one of the two names prevents it.
 */
export function rename(workspace: Workspace, file: EditorFile, offset: number, newName: string): Renamed {
  const name = nameAt(workspace, file, offset)
  if (!name) return { error: `there is no name here: ${renameable}` }
  const to = renamedTo(name, newName)
  const error = whyNot(name) ?? faultOf(name, to) ?? takenBy(workspace, name, to) ?? patternBetween(workspace, name, to)
  if (error !== undefined) return { error }
  const isExample = isExampleNotation(file.source.notation)
  const places = occurrencesOf(workspace, name).filter(({ path }) =>
    // Examples in documents are separate worlds.
    isExample ? path === file.path : !isExampleNotation(workspace.files.get(path)?.source.notation),
  )
  const unread = isExample ? undefined : notWhollyRead(workspace, name)
  if (unread !== undefined) return { error: unread }
  const edits = new Map<string, TextEdit[]>()
  for (const each of places) {
    const edit = editOf(each, to)
    if (!edit) return { error: madeOf(each) }
    const fileEdits = edits.get(each.path) ?? []
    edits.set(each.path, fileEdits)
    if (!fileEdits.some(({ start, end }) => start === edit.start && end === edit.end)) fileEdits.push(edit)
  }
  return { edits }
}

/** The problem of a new name. */
function faultOf({ kind, text }: Name, to: string): string | undefined {
  if (to === text) return 'this is its name already'
  if (visible(to) !== to) return 'the name holds characters that are not seen'
  const shown = `\`${visible(to.slice(0, 200))}\``
  if (kind === 'policy') return to.trim() === '' || to.trim() !== to ? 'a policy needs a name without blanks around it' : undefined
  const read =
    kind === 'identity'
      ? readIdentity(to, { pattern: false })
      : kind === 'permissionsGroup'
        ? readPermissionsGroup(to)
        : readResourceGroup(`urn:v1:eu:resourceGroup:${to}`, { pattern: false })
  const [fault] = read.faults ?? []
  if (fault) return `${shown} is not a name: ${fault.message}`
  const isClient = (urn: string) => /:identity:credential:[^/]*\/oauth2-/.test(urn)
  if (isClient(text) && !isClient(to)) return `${shown} is not a service account: their names have the form \`oauth2-<client_id>\``
  const head = (urn: string) => urn.split(kind === 'identity' ? '/' : ':', kind === 'identity' ? 1 : 5).join(':')
  return kind !== 'resourceGroup' && head(to) !== head(text) ? `${shown} is in another region or account, or of another kind` : undefined
}

function takenBy({ names }: Workspace, { kind }: Name, to: string): string | undefined {
  return names(kind).has(to) ? `\`${visible(to)}\` already exists` : undefined
}

/** A pattern that matches the old name or the new one, and not the other. */
function patternBetween(workspace: Workspace, { kind, text }: Name, to: string): string | undefined {
  if (kind !== 'identity' && kind !== 'resourceGroup') return undefined
  const between = [...workspace.names(kind)].find((each) => each.includes('*') && matches(glob(each), text) !== matches(glob(each), to))
  if (between === undefined) return undefined
  const [first] = occurrencesOf(workspace, { kind, text: between })
  const verb = matches(glob(between), text) ? 'would no longer match' : 'would match'
  return `\`${visible(between)}\`${first ? ` in ${first.path}` : ''} ${verb} it: decisions would change`
}

/** A file that may name it, and of which not all was understood, or that a tool wrote. */
function notWhollyRead({ files }: Workspace, name: Name): string | undefined {
  const tail = tailOf(name)
  for (const { path, source, read } of files.values()) {
    if (isExampleNotation(source.notation) || !source.text.includes(tail)) continue
    if (read?.kind === 'declared') return `${path} names it, and a tool wrote that file`
    const reading = read ?? (source.notation === 'hcl' || source.notation === 'hcl-json' ? undefined : readTree(source))
    const isBroken = reading?.diagnostics.some(({ code, severity }) => code === 'syntax' && severity === 'error')
    if (isBroken && !(reading && 'needsYaml' in reading && reading.needsYaml))
      return `${path} may name it, and was read only in part: correct its syntax first`
  }
  return undefined
}

/** The edit of one place; undefined where an expression gives the name. */
function editOf(occurrence: Occurrence, to: string): TextEdit | undefined {
  const { spot, written, kind, text } = occurrence
  if (spot) {
    const { node, part } = spot
    const whole = kind === 'resourceGroup' && node.value !== text ? node.value.slice(0, node.value.length - text.length) + to : to
    const isTemplate = node.source.notation === 'hcl-json'
    const { span, text: replacement } = replaceText(node, isTemplate ? whole.replace(/[$%](?=\{)/g, '$&$&') : whole)
    return { ...rangeInFile(part, span), text: replacement }
  }
  if (!written) return undefined
  const tail = tailOf(occurrence)
  const { source, start, end } = inside(written, written.value.length - tail.length, written.value.length)
  return source.text.slice(start, end) === tail && /^[\w./@ -]*$/.test(to.slice(text.length - tail.length))
    ? { start, end, text: to.slice(text.length - tail.length) }
    : undefined
}
