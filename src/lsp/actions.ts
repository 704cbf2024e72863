import {
  type CodeAction,
  CodeActionKind,
  type Range,
  type Diagnostic as Shown,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { pushTo } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { fixTexts } from '../lint/fix.ts'
import type { FixFile, FixLevel } from '../lint/may-fix.ts'
import { suppressionFault } from '../lint/suppress.ts'
import { commandTexts } from '../parser/commands.ts'
import { fencesIn } from '../parser/markdown.ts'
import type { ReadSource } from '../parser/read.ts'
import { rules } from '../rules/index.ts'
import { lineStart, type Source, sourceOf } from '../source.ts'
import type { ShownFinding } from './findings.ts'
import { differing, type Encoding, positionAt, rangeOf } from './positions.ts'

/** The kind of the action that makes all safe fixes of a file, for editors that do so when a file is saved. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.grantwise`

export const actionKinds = [CodeActionKind.QuickFix, fixAllKind]

/** The command that puts the cursor where a reason is to be written. */
export const selectCommand = 'grantwise.select'

/** A text with what was found in it. */
export interface FileFindings {
  readonly uri: string
  readonly source: Source
  /** Its reading; undefined where there is none. */
  readonly read: ReadSource | undefined
  readonly found: readonly ShownFinding[]
  readonly encoding: Encoding
}

/** The configuration that entries of `ignores` go into. */
export interface ConfigText {
  readonly uri: string
  /** Undefined: the file is to be created. */
  readonly source: Source | undefined
  /** The path of the file with the findings, as patterns in the configuration name it. */
  readonly pattern: string
}

/** Edits by URI, with a file that is to be created first. */
export interface Change {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>
  readonly creates?: string
}

/** A code action for some place. */
export interface Offer {
  readonly title: string
  readonly kind: string
  readonly shown: readonly Shown[]
  readonly change: Change
  readonly isPreferred?: boolean
  /** Where the cursor goes afterwards. */
  readonly select?: { readonly uri: string; readonly range: Range }
}

/** The code actions for the findings that touch a stretch of a text. */
export async function actionsAt(
  where: FileFindings,
  range: { readonly start: number; readonly end: number },
  again: Reread,
  config: ConfigText | undefined,
): Promise<readonly Offer[]> {
  const here = where.found.filter(({ start, end }) => start <= range.end && range.start <= end)
  const fixes = await Promise.all(here.map((each) => fixOffer(where, each, again)))
  return [...fixes.flat(), ...(await Promise.all(here.map((each) => ignoreOffers(where, each, again, config)))).flat()]
}

async function fixOffer(where: FileFindings, finding: ShownFinding, again: Reread): Promise<readonly Offer[]> {
  const { fix, shown } = finding
  if (!fix) return []
  const isSafe = fix.safe && (await isProved(where, finding, again))
  const edits = new Map<string, TextEdit[]>()
  for (const { uri, range, newText } of fix.edits) pushTo(edits, uri, { range, newText })
  const title = `${capitalised(said(fix))}${isSafe ? '' : ' (may change who may do what)'}`
  return [{ title, kind: CodeActionKind.QuickFix, shown: [shown], change: { edits }, isPreferred: isSafe }]
}

/** The title of a fix, where the context does not give it. */
function said({ description, edits }: NonNullable<ShownFinding['fix']>): string {
  const [edit] = edits
  const isShort = edits.length === 1 && edit !== undefined && /^[^\n`]{1,80}$/.test(edit.newText)
  return description === 'write it' && isShort ? `write \`${edit.newText}\`` : description
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Reads a text in place of that of a file, with all files around it; undefined where nothing is read of it. */
export type Reread = (source: Source) => Promise<ReadSource | undefined>

/** Whether it is proved that a fix changes no decision. */
async function isProved(where: FileFindings, one: ShownFinding, again: Reread): Promise<boolean> {
  return (await fixAll({ ...where, found: [one] }, 'safe', again)).count > 0
}

/** All fixes of a text that do not conflict, as one new text: the result of one pass of `grantwise lint --fix`. */
export async function fixAll(
  { uri, source, read, found }: FileFindings,
  level: FixLevel,
  again: Reread,
): Promise<{ readonly text: string; readonly count: number }> {
  if (!read) return { text: source.text, count: 0 }
  const ownFindings = found.filter(({ fix }) => fix?.edits.every((edit) => edit.uri === uri))
  const refused = { ...read, refused: true }
  return fixedIn({ source, read }, ownFindings, level, async (text) => (await again(text)) ?? refused)
}

async function fixedIn(
  file: FixFile,
  textFindings: readonly ShownFinding[],
  level: FixLevel,
  read: (source: Source) => Promise<ReadSource>,
): Promise<{ readonly text: string; readonly count: number }> {
  const findings = textFindings.flatMap((each) => diagnosticOf(each, file.source))
  let isFirst = true
  const find = (files: readonly FixFile[]): readonly Diagnostic[] => {
    // Findings in other places are found by the analysis of the new text.
    const now = isFirst ? findings : []
    isFirst = false
    return files.length > 0 ? now : []
  }
  const { files, count } = await fixTexts([file], level, { read, find })
  return { text: files[0]?.after.source.text ?? file.source.text, count }
}

/** A finding as the linter has it, with its fix. */
function diagnosticOf({ code, severity, message, policy, start, end, fix }: ShownFinding, source: Source): readonly Diagnostic[] {
  if (!fix) return []
  const edits = fix.edits.map((edit) => ({ span: { source, start: edit.start, end: edit.end }, text: edit.newText }))
  return [
    {
      code,
      severity,
      message,
      span: { source, start, end },
      ...(policy !== undefined && { policy }),
      fix: { description: fix.description, safe: fix.safe, edits },
    },
  ]
}

/** A new text as the smallest single edit. */
export function editTo(source: Source, next: string, encoding: Encoding): TextEdit {
  const { start, oldEnd, newEnd } = differing(source.text, next)
  return { range: rangeOf(source, { start, end: oldEnd }, encoding), newText: next.slice(start, newEnd) }
}

/** Ways to suppress a finding. Each leaves the reason to be written: without one, nothing is suppressed. */
async function ignoreOffers(
  where: FileFindings,
  finding: ShownFinding,
  again: Reread,
  config: ConfigText | undefined,
): Promise<readonly Offer[]> {
  if (suppressionFault(finding.code, rules)) return []
  const offers = [await commentOffer(where, finding, again), config && configOffer(finding, config, where.encoding)]
  return offers.filter((each) => each !== undefined)
}

const directive = 'grantwise-ignore'

/** A comment on the line above. */
async function commentOffer(
  { uri, source, encoding }: FileFindings,
  { code, start, shown }: ShownFinding,
  again: Reread,
): Promise<Offer | undefined> {
  const commentEdit = commentPlace(source, start)
  if (!commentEdit) return undefined
  const { offset, before, after } = commentEdit
  // Within a text of several lines it would be part of the text.
  const tried = `${source.text.slice(0, offset)}${before}${directive} ${code}: x${after}\n${source.text.slice(offset)}`
  const read = await again(sourceOf(source.path, tried, source.notation))
  if (!read?.ignores.some(({ span, codes }) => span.start >= offset && codes.some(({ value }) => value === code))) return undefined
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n'
  const newText = `${before}${directive} ${code}: ${after}${lineBreak}`
  const range = rangeOf(source, { start: offset, end: offset }, encoding)
  const cursor = positionAt(sourceOf('', `${newText}`, 'yaml'), newText.length - lineBreak.length - after.length, encoding)
  const place = { line: range.start.line, character: cursor.character }
  return {
    title: `Ignore ${code} here, with a reason`,
    kind: CodeActionKind.QuickFix,
    shown: [shown],
    change: { edits: new Map([[uri, [{ range, newText }]]]) },
    select: { uri, range: { start: place, end: place } },
  }
}

/** Where a comment about an offset goes; undefined where the notation has none, or a comment there would be part of a text. */
function commentPlace(
  source: Source,
  start: number,
): { readonly offset: number; readonly before: string; readonly after: string } | undefined {
  const { notation, text } = source
  if (notation === 'markdown') {
    const fence = fencesIn(source).fences.find(
      ({ opening, lines }) => opening.start <= start && start <= (lines.at(-1)?.end ?? opening.end),
    )
    if (!fence) return undefined
    return { offset: lineStart(source, fence.opening.start), before: '<!-- ', after: ' -->' }
  }
  const about = notation === 'shell' ? commandOf(source, start) : notation === 'yaml' || notation === 'hcl' ? start : undefined
  if (about === undefined) return undefined
  const offset = lineStart(source, about)
  const before = `${/^[ \t]*/.exec(text.slice(offset, offset + 1000))?.[0] ?? ''}# `
  return { offset, before, after: '' }
}

/** Where the command of a script begins that is given a policy with an offset in it. */
function commandOf(source: Source, offset: number): number | undefined {
  const { texts } = commandTexts(source, { text: source.text, isLiteral: true, hasExpressions: false })
  return texts.findLast(({ opening }) => opening.start <= offset)?.command
}

/** An entry under `ignores` of the configuration. */
function configOffer({ code, policy, shown }: ShownFinding, { uri, source, pattern }: ConfigText, encoding: Encoding): Offer | undefined {
  if (source && source.notation !== 'yaml') return undefined
  const text = source?.text ?? ''
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const list = /^ignores:[ \t]*(?:#.*)?(?:\r\n|\n|\r|$)/m.exec(text)
  if (!list && /^(?:["']?ignores["']?)[ \t]*:/m.test(text)) return undefined
  const entry = [
    `  - files: ${JSON.stringify(pattern)}`,
    `    codes: [${code}]`,
    ...(policy === undefined || policy === '' ? [] : [`    policy: ${JSON.stringify(policy)}`]),
    '    reason: ',
  ]
  const offset = list ? list.index + list[0].length : text.length
  const isOpen = offset > 0 && !/[\r\n]$/.test(text.slice(0, offset))
  const lines = [...(isOpen ? [''] : []), ...(list ? [] : ['ignores:']), ...entry, '']
  const lines0 = source ?? sourceOf(uri, '', 'yaml')
  const range = rangeOf(lines0, { start: offset, end: offset }, encoding)
  const line = range.start.line + lines.length - 2
  const place = { line, character: '    reason: '.length }
  return {
    title: `Ignore ${code} in ${pattern}, in the configuration, with a reason`,
    kind: CodeActionKind.QuickFix,
    shown: [shown],
    change: { edits: new Map([[uri, [{ range, newText: lines.join(lineBreak) }]]]), ...(!source && { creates: uri }) },
    select: { uri, range: { start: place, end: place } },
  }
}

/** A change as the protocol says it; undefined where the editor cannot create the file that it needs. */
export function workspaceEdit(
  { edits, creates }: Change,
  can: { readonly documentChanges: boolean; readonly create: boolean },
  versionOf: (uri: string) => number | undefined,
): WorkspaceEdit | undefined {
  if (creates !== undefined && !(can.documentChanges && can.create)) return undefined
  if (!can.documentChanges) return { changes: Object.fromEntries([...edits].map(([uri, list]) => [uri, [...list]])) }
  return {
    documentChanges: [
      ...(creates === undefined ? [] : [{ kind: 'create' as const, uri: creates, options: { ignoreIfExists: true } }]),
      ...[...edits].map(([uri, list]) => ({ textDocument: { uri, version: versionOf(uri) ?? null }, edits: [...list] })),
    ],
  }
}

/** An offer as the protocol says it. */
export function actionOf({ title, kind, shown, isPreferred, select }: Offer, edit: WorkspaceEdit, canSelect: boolean): CodeAction {
  return {
    title,
    kind,
    diagnostics: [...shown],
    edit,
    ...(isPreferred && { isPreferred }),
    ...(select && canSelect && { command: { title, command: selectCommand, arguments: [select.uri, select.range] } }),
  }
}
