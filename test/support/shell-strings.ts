import type { Piece } from '../../src/parser/shell.ts'

/** The value of a string, with its expansions as they are written between `⟨` and `⟩`. */
export function stringOf(script: string, pieces: readonly Piece[], expand = (hole: string) => `⟨${hole}⟩`): string {
  return pieces
    .map(({ kind, value, start, end }) => (kind === 'hole' ? expand(script.slice(start, end)) : (value ?? script.slice(start, end))))
    .join('')
}
