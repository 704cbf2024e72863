/** The words of a name or a sentence, in lower case: `Read-only webTeam_2` gives read, only, web, team, 2. */
export function wordsOf(text: string): readonly string[] {
  return text
    .slice(0, 2000)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The name of a file without its folder and its endings. */
export function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name.replace(/\.(?:json|ya?ml|tf|tf\.json)$/i, '')
}

/** `a` for one, `as` for several: 1 action, 2 actions. */
export function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`}`
}
