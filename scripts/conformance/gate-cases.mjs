// The cases of test/bypass: its README says what the fields mean.
import { readdirSync, readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'

const folder = new URL('../../test/bypass/', import.meta.url)
/** The files that several cases have, by the names that `from` gives. */
const sharedName = 'shared.yaml'

/** All cases by the names of their files, each with all of its files. A file holds one or several documents. */
export function gateCases() {
  const [shared] = documentsIn(sharedName)
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== sharedName)
  return new Map(
    names.sort().map((name) => [name, documentsIn(name).flatMap((value) => (value.cases ?? [value]).map((each) => whole(each, shared)))]),
  )
}

function documentsIn(name) {
  return parseAllDocuments(readFileSync(new URL(name, folder), 'utf8'), { merge: true }).map((document) => {
    if (document.errors[0]) throw new Error(`${name}: ${document.errors[0].message}`)
    // The files are our own: names for what many cases share may be many.
    return document.toJS({ maxAliasCount: -1 })
  })
}

/** A case with the files that it shares, and with what a change replaces written out. */
function whole({ from, ...each }, shared) {
  const base = from === undefined ? each.base : sortedByPath(Object.assign({}, ...from.map((name) => filesOf(name, shared)), each.base))
  const change = Object.entries(each.change ?? {}).map(([path, content]) => [
    path,
    changed(content, base?.[path], `${each.title}: ${path}`),
  ])
  return { ...each, ...(base && { base }), ...(each.change && { change: Object.fromEntries(change) }) }
}

function filesOf(name, shared) {
  if (shared[name] === undefined) throw new Error(`${sharedName} has no files with the name ${name}`)
  return shared[name]
}

function sortedByPath(files) {
  return Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function changed(content, before, place) {
  if (content?.with === undefined) return content
  const parts = typeof before === 'string' ? before.split(content.replace) : []
  if (parts.length !== 2) throw new Error(`${place}: what is replaced must be in the file once`)
  return parts.join(content.with)
}
