#!/usr/bin/env node
// Writes conformance/cases from the tables in scripts/conformance, and conformance/gate/cases.json from test/bypass.
// --check: says whether what is there is current.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gateText } from './conformance/gate.mjs'
import { renamed } from './conformance/renamed.mjs'
import { anchorOf, sentencesOf } from './conformance/sentences.mjs'

const root = new URL('../', import.meta.url)
const folder = new URL('conformance/cases/', root)
/** Of the corpus: a case that changes its answer raises the first number, new cases the second, wording the third. */
const version = '1.0.0'
const gateFile = new URL('conformance/gate/cases.json', root)
const sections = ['names', 'records', 'decision', 'conditions', 'unknown', 'files', 'differences']

/** The files of the corpus: a text for each name. A case that says no more than one before it, but for its names, is left out. */
export async function corpusFiles() {
  const sentences = sentencesOf(readFileSync(new URL('docs/semantics.md', root), 'utf8'))
  const files = new Map()
  const seen = new Set()
  const isNew = (each) => seen.size < seen.add(renamed(each)).size
  for (const [i, name] of sections.entries()) {
    const { section, cases } = await import(new URL(`scripts/conformance/${name}.mjs`, root).href)
    const all = cases.flatMap(({ beginning, cases }) => {
      const found = sentences.filter((each) => each.section === section && each.sentence.startsWith(beginning))
      if (found.length !== 1) throw new Error(`${found.length} sentences in ${section} begin with "${beginning}"`)
      const tests = `semantics.md#${anchorOf(section)}`
      return cases.map(({ what, ...rest }) => ({ name: `${found[0].sentence} — ${what}`, tests, ...rest }))
    })
    files.set(`${i + 1}-${name}.json`, `${printed({ version, section, cases: all.filter(isNew) })}\n`)
  }
  return files
}

/** JSON with whatever fits a line on one line. */
export function printed(value, indent = '', width = 240, before = 0) {
  const short = inline(value)
  if (before + indent.length + short.length <= width || typeof value !== 'object' || value === null) return short
  const deeper = `${indent} `
  const items = Array.isArray(value)
    ? value.map((item) => deeper + printed(item, deeper, width))
    : Object.entries(value).map(([key, item]) => `${deeper}${JSON.stringify(key)}: ${printed(item, deeper, width, key.length + 5)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${inline(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const there = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]))

/** The names of the files that are not what the tables, or the cases of `test/bypass`, say. */
export async function staleFiles() {
  const [files, old] = [await corpusFiles(), there()]
  const stale = [...new Set([...files.keys(), ...old.keys()])].filter((name) => files.get(name) !== old.get(name))
  return readFileSync(gateFile, 'utf8') === gateText(printed) ? stale : [...stale, 'gate/cases.json']
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const stale = await staleFiles()
    if (stale.length > 0) console.error(`not current: ${stale.join(', ')}\nrun: node scripts/conformance.mjs`)
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    const files = await corpusFiles()
    mkdirSync(folder, { recursive: true })
    for (const name of there().keys()) if (!files.has(name)) rmSync(new URL(name, folder))
    for (const [name, text] of files) writeFileSync(new URL(name, folder), text)
    writeFileSync(gateFile, gateText(printed))
  }
}
