/** Which tests and theorems name which claims, and what runs of these tests reached. */
import { readdirSync, readFileSync } from 'node:fs'

/** @typedef {{ file: string, line: number, end: number, ids: readonly string[] }} Cover */

const ids = /^[TMP]\d+[bc]?$/

/**
 * The covers of a file: a comment `covers: M14, T3` of its own line, about the test, group of tests or theorem that follows.
 * A scenario has such a line among those that say what it is about; it is about the whole file.
 * @param {string} file
 * @param {string} text
 * @returns {readonly Cover[]}
 */
export function coversIn(file, text) {
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const [, indent = '', list] = /^(\s*)(?:\/\/ |\(\* )?[Cc]overs: (.*?)(?: \*\)|\.)?$/.exec(line) ?? []
    if (list === undefined) return []
    const isWhole = file.endsWith('.scenario')
    const end = isWhole ? lines.length : endOf(lines, i + 1, indent.length)
    return [{ file, line: i + 1, end, ids: list.split(/,\s*/) }]
  })
}

/** The line after the statement that starts at a line: the first that starts another one as far to the left, or farther. */
function endOf(lines, start, indent) {
  const isOver = (line) => line.trim() !== '' && line.search(/\S/) <= indent && /^\s*[\w/*(]/.test(line)
  const next = lines.findIndex((line, i) => i > start && (isOver(line) || (line.search(/\S/) >= 0 && line.search(/\S/) < indent)))
  return next < 0 ? lines.length : next
}

/**
 * The covers of all tests and proofs, apart from the test of this file, which plants wrong ones.
 * @param {URL} root the repository
 */
export function collect(root) {
  const files = [...filesIn(root, 'test', /\.(test\.ts|scenario)$/), ...filesIn(root, 'proofs', /\.v$/)]
  return files
    .filter((file) => file !== 'test/project/assurance.test.ts')
    .flatMap((file) => coversIn(file, readFileSync(new URL(file, root), 'utf8')))
}

function filesIn(root, folder, pattern) {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => pattern.test(name))
    .sort()
}

/**
 * Claims that no test names, and tests that name no claim.
 * @param {readonly { id: string }[]} claims
 * @param {readonly Cover[]} covers
 * @returns {readonly string[]}
 */
export function problemsOf(claims, covers) {
  const known = new Set(claims.map(({ id }) => id))
  const named = new Set(covers.filter(({ file }) => file.startsWith('test/')).flatMap((cover) => cover.ids))
  return [
    ...claims.filter(({ id }) => !named.has(id)).map(({ id }) => `${id}: no test names it`),
    ...covers.flatMap(({ file, line, ids: given }) =>
      given
        .filter((id) => !known.has(id))
        .map((id) => `${file}:${line}: ${ids.test(id) ? 'there is no claim' : 'this is no claim:'} ${id}`),
    ),
  ]
}
