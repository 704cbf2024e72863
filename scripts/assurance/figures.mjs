/**
 * Figures that runs reached: `figures.json`, one summary for the repository. Runs write their figures in full to the folder `figures`, which git
 * ignores and CI keeps; `takenIn` adds them to the summary.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The most parts of a figure that the summary keeps. */
const mostParts = 8

/**
 * @typedef {{ claims: Record<string, Record<string, any>>, runs: Record<string, any> }} Summary
 * `claims`: for each test file what its tests reached of each claim; `runs`: the figures of other runs by their names.
 */

/** @param {URL} root @returns {Summary} */
export function readSummary(root) {
  const file = new URL('figures.json', root)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { claims: {}, runs: {} }
}

/** The summary with what runs have written to the folder `figures` since. */
export function takenIn({ claims, runs }, root) {
  const written = Object.fromEntries(namesIn(new URL('figures/', root)).map((name) => [name, readOf(name, root)]))
  // Several machines share a run of claims: each writes a part of it.
  const isOfClaims = ([name]) => /^claims(?:-\d+)?$/.test(name)
  const newClaims = Object.assign({}, ...Object.entries(written).flatMap((each) => (isOfClaims(each) ? [each[1]] : [])))
  const newRuns = Object.fromEntries(Object.entries(written).filter((each) => !isOfClaims(each)))
  return {
    claims: sorted({ ...claims, ...newerThan(claims, newClaims) }),
    runs: sorted({
      ...runs,
      ...newerThan(runs, Object.fromEntries(Object.entries(newRuns).map(([name, run]) => [name, summarised(run)]))),
    }),
  }
}

const readOf = (name, root) => JSON.parse(readFileSync(new URL(`figures/${name}.json`, root), 'utf8'))

/** The names of the files in the folder and in its folders, without their endings. */
const namesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.replaceAll('\\', '/').replace(/\.json$/, ''))
    : []

/** Those that are not older than what is recorded. */
const newerThan = (recorded, written) =>
  Object.fromEntries(Object.entries(written).filter(([name, { at = '' }]) => at >= (recorded[name]?.at ?? '')))

/** A figure without the parts that only help to look into it: tables of tables, and long ones. */
function summarised({ claim, wanted, reached, seed, command, at }) {
  return { claim, wanted, reached: isTable(reached) ? brief(reached) : reached, seed, command, at }
}

const isTable = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

const brief = (table) =>
  Object.fromEntries(
    Object.entries(table).filter(
      ([, value]) => !isTable(value) || (Object.keys(value).length <= mostParts && !Object.values(value).some(isTable)),
    ),
  )

const sorted = (table) => Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)))
