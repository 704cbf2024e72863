/**
 * The layout of a file, merged separately: its mark, its line ends and whether its last line ends. The three versions are compared without
 * it, so that a side that converts a file does not conflict with one that edits it.
 */

export interface Layout {
  readonly mark: boolean
  readonly newline: '\n' | '\r\n' | undefined
  readonly isEnded: boolean
}

export function layoutOf(text: string): Layout {
  const crlf = text.split('\r\n').length - 1
  const breaks = text.split('\n').length - 1
  // A text with both kinds of line ends keeps them where they are.
  const newline = crlf === 0 ? '\n' : crlf === breaks ? '\r\n' : undefined
  return { mark: text.startsWith('\ufeff'), newline, isEnded: text === '' || text.endsWith('\n') }
}

/** A text in the usual layout: without a mark, with LF, its last line ended. */
export function plain(text: string): string {
  const { newline, isEnded } = layoutOf(text)
  const rest = text.replace(/^\ufeff/, '')
  return `${newline === '\r\n' ? rest.replaceAll('\r\n', '\n') : rest}${isEnded ? '' : '\n'}`
}

/** A text in a layout. */
export function inLayout(text: string, { mark, newline, isEnded }: Layout): string {
  const ended = isEnded ? text : text.replace(/\n$/, '')
  return `${mark ? '\ufeff' : ''}${newline === '\r\n' ? ended.replaceAll('\n', '\r\n') : ended}`
}

/** The layout that two sides lead to: each part as the side has it that changed it. */
export function mergedLayout(base: Layout, ours: Layout, theirs: Layout): Layout {
  const part = <K extends keyof Layout>(name: K) => (ours[name] === base[name] ? theirs[name] : ours[name])
  return { mark: part('mark'), newline: part('newline'), isEnded: part('isEnded') }
}
