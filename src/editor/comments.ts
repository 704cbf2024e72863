import { lineEnd, lineStart, type Range, type Source } from '../source.ts'

/** Comments that suppress findings, in any part of a file: those of Markdown are outside of its code blocks too. */

/** Whether a text may hold them. */
export function hasComments({ notation }: Source): boolean {
  return notation === 'yaml' || notation === 'hcl' || notation === 'markdown'
}

/** The range of the code at an offset, in a comment that suppresses findings. */
export function ignoredCodeAt(source: Source, offset: number): Range | undefined {
  if (!hasComments(source)) return undefined
  const { text } = source
  const [first, last] = [lineStart(source, offset), lineEnd(source, offset)]
  let [start, end] = [offset, offset]
  while (start > first && /[a-z-]/.test(text[start - 1] as string)) start--
  while (end < last && /[a-z-]/.test(text[end] as string)) end++
  return end > start && /(?:#|\/\/|<!--).*\bgrantwise-ignore[ \t]+(?:[\w-]+[ \t]*,[ \t]*)*$/.test(text.slice(first, start))
    ? { start, end }
    : undefined
}

/** The ranges of the codes in all such comments. */
export function ignoredCodesIn(source: Source): readonly Range[] {
  if (!hasComments(source)) return []
  const comments = source.text.matchAll(/\bgrantwise-ignore[ \t]+([a-z][a-z-]*(?:[ \t]*,[ \t]*[a-z][a-z-]*)*)/g)
  return [...comments].flatMap(({ index, 0: all, 1: codes = '' }) =>
    [...codes.matchAll(/[a-z-]+/g)].map(({ index: at, 0: code }): Range => {
      const start = index + all.length - codes.length + at
      return { start, end: start + code.length }
    }),
  )
}
