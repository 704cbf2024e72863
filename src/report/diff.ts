import { diffLines, type StructuredPatchHunk, structuredPatch } from 'diff'

/** Past so many differing lines the whole text is shown as replaced: finding the least difference would take long. */
const mostDifferences = 500

/**
 * Two versions of a text as a unified diff, as `git apply` and `patch -p1` read it; '' when they are the same. Lines keep
 * their line breaks: those of Windows are part of the line. `before`: undefined where there is no such file yet.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return ''
  const patch = structuredPatch('', '', before ?? '', after, '', '', { context: 3, maxEditLength: mostDifferences })
  const old = before === undefined ? '/dev/null' : named(`a/${path}`)
  return `--- ${ended(old)}\n+++ ${ended(named(`b/${path}`))}\n${(patch?.hunks ?? [replacement(before ?? '', after)]).map(hunkText).join('')}`
}

/** The same for a file that may be new (`before` undefined) or of which nothing is left (`after` undefined). */
export function changeDiff(path: string, before: string | undefined, after: string | undefined): string {
  const isNew = before === undefined
  // A diff of lines cannot say this: `git` and `patch` read it from these lines, which end at the blank one.
  if ((before ?? '') === '' && (after ?? '') === '')
    return isNew === (after === undefined)
      ? ''
      : `diff --git ${named(`a/${path}`)} ${named(`b/${path}`)}\n${isNew ? 'new' : 'deleted'} file mode 100644\nindex ${isNew ? '0000000..e69de29' : 'e69de29..0000000'}\n\n`
  const diff = unifiedDiff(path, before, after ?? '')
  return after === undefined ? diff.replace(/^\+\+\+ .*$/m, '+++ /dev/null') : diff
}

/** Lines of a text that become others. */
export interface LineEdit {
  /** Offsets in the text before. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The edits of whole lines that make one text of another, in order. */
export function lineEdits(before: string, after: string): readonly LineEdit[] {
  if (before === after) return []
  const edits: LineEdit[] = []
  let offset = 0
  // Of files of one line, which may be long, no part stays.
  const changes = isOneLine(before) && isOneLine(after) ? undefined : diffLines(before, after, { maxEditLength: mostDifferences })
  if (!changes) return [{ start: 0, end: before.length, text: after }]
  for (const { value, added, removed } of changes) {
    const last = edits.at(-1)
    if (removed) edits.push({ start: offset, end: offset + value.length, text: '' })
    else if (added && last?.end === offset) edits[edits.length - 1] = { ...last, text: value }
    else if (added) edits.push({ start: offset, end: offset, text: value })
    if (!added) offset += value.length
  }
  return edits
}

function isOneLine(text: string): boolean {
  const lineBreak = text.indexOf('\n')
  return text !== '' && (lineBreak < 0 || lineBreak === text.length - 1)
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' }

/**
 * A name as `git apply` reads it: in quotes where a character in it would end the line or the name, is invisible or changes directions,
 * or is the bracket of a command to a build server.
 */
function named(path: string): string {
  const quoted = path.replace(/["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<=##(?:vso)?)\[/giu, (c) => escapes[c] ?? octal(c))
  return quoted === path ? path : `"${quoted}"`
}

/** A character as the bytes of UTF-8, which git and `patch` read in quotes. */
const octal = (character: string): string =>
  Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')

/** A name with blanks ends at a tab: `patch` takes what follows a blank for a date otherwise. */
const ended = (name: string): string => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name)

const hunkText = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string =>
  `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.join('\n')}\n`

/** Lines from 1; an empty stretch is named by the line before it. */
const range = (start: number, count: number): string => `${count === 0 ? start - 1 : start}${count === 1 ? '' : `,${count}`}`

function replacement(before: string, after: string): StructuredPatchHunk {
  const marked = (mark: string, text: string) => {
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
    return lines.flatMap((line) => (line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file']))
  }
  const [removed, added] = [marked('-', before), marked('+', after)]
  const count = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('\\')).length
  return { oldStart: 1, oldLines: count(removed), newStart: 1, newLines: count(added), lines: [...removed, ...added] }
}
