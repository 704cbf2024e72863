/**
 * Writes docs/assurance.md from scripts/assurance: claims, the tests that name them, and figures.json, to which it first adds what
 * runs have written to the folder `figures`. `--check` reads figures.json as it is, and only says whether the page is current. Fails for a claim that no test names, a test that names no claim, and a figure that is not
 * reached and not listed as such.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { notReached, promises, properties, runs, threats } from './assurance/claims.mjs'
import { collect, problemsOf } from './assurance/collect.mjs'
import { readSummary, takenIn } from './assurance/figures.mjs'
import { commandJudges, judgesTable, viewJudges } from './assurance/judges.mjs'
import { notReachedList, runsTable, shortfalls, tablesOf } from './assurance/page.mjs'

const root = new URL('..', import.meta.url)
const target = new URL('docs/assurance.md', root)
const isCheck = process.argv.includes('--check')
const summary = isCheck ? readSummary(root) : takenIn(readSummary(root), root)
const read = (name) => summary.runs[name]

const claims = [promises, threats, properties].flatMap((groups) => groups.flatMap((group) => group.claims))
const covers = collect(root)
const figures = summary.claims
const parts = {
  promises: tablesOf(promises, covers, figures, root),
  threats: tablesOf(threats, covers, figures, root),
  properties: tablesOf(properties, covers, figures, root),
  commandJudges: judgesTable(commandJudges, 'command'),
  viewJudges: judgesTable(viewJudges, 'view'),
  runs: runsTable(runs, read),
  notReached: notReachedList(notReached),
}
const page = readFileSync(new URL('scripts/assurance/page.md', root), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name])

const problems = [...problemsOf(claims, covers), ...shortfalls(claims, covers, figures, runs, read, notReached)]
if (!isCheck) {
  writeFileSync(target, page)
  writeFileSync(new URL('figures.json', root), `${JSON.stringify(summary, null, 2)}\n`)
} else if (readFileSync(target, 'utf8') !== page) problems.push('docs/assurance.md is not current: run npm run generate')
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)
