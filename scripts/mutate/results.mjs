/** Recorded results of a group: those of its files in `test/mutation/recorded.json`, its survivors in `test/mutation/GROUP.json`. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const wanted = 95
const recorded = join(root, 'test/mutation/recorded.json')
const figuresOf = (name) => join(root, `figures/mutation/${name}.json`)
const survivorsOf = (name) => join(root, `test/mutation/${name}.json`)
const read = (path, none) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : none)
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
/** Records one a line, so that they can be compared by line: survivors, or results by group and file. */
const writeRecords = (path, records) => writeFileSync(path, `${recordLines(records)}\n`)
const recordLines = (value, indent = '') => {
  const values = Object.values(value)
  if (values.length === 0 || !values.every((each) => typeof each === 'object')) return JSON.stringify(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = Object.entries(value).map(
    ([key, each]) => `${indent}  ${Array.isArray(value) ? '' : `${JSON.stringify(key)}: `}${recordLines(each, `${indent}  `)}`,
  )
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
const byFile = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

export const hashOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
    .slice(0, 16)

/** The key of a survivor as long as its line stays. */
export const keyOf = ({ file, line, kind, from, to }) => JSON.stringify([file, line, kind, from, to])

/** In per cent, rounded down to a tenth. */
export const scoreOf = ({ mutants, killed }) => (mutants === 0 ? 100 : Math.floor((1000 * killed) / mutants) / 10)

export const sumOf = (records) => ({
  mutants: records.reduce((sum, { mutants }) => sum + mutants, 0),
  killed: records.reduce((sum, { killed }) => sum + killed, 0),
})

/** The records of a group, without files that it no longer has. */
export function readResults(name, sources) {
  const { [name]: files = {} } = read(recorded, {})
  const here = ({ file }) => sources.includes(file)
  return {
    files: Object.fromEntries(Object.entries(files).filter(([file]) => here({ file }))),
    survivors: read(survivorsOf(name), []).filter(here),
  }
}

/**
 * The record of a file. Mutants of what only runs while modules are loaded are counted apart. `before` is the record of the
 * whole file where only its survivors were run.
 */
export function recordOf(file, results, before) {
  const ran = results.filter(({ state }) => state !== 'static')
  const survived = ran.filter(({ state }) => state !== 'killed').length
  const isStatic = results.length - ran.length
  const mutants = before ? before.mutants - isStatic : ran.length
  const killed = mutants - survived
  return { hash: hashOf(file), mutants, killed, score: scoreOf({ mutants, killed }), atLoad: isStatic + (before?.atLoad ?? 0) }
}

/** The survivors of a file that was run, with the reasons that are known, and those of other files as they are. */
export function withSurvivors(before, ran, results) {
  const reasons = new Map(before.map((survivor) => [keyOf(survivor), survivor.reason]))
  const found = new Map()
  for (const { file, line, kind, from, to, state } of results) {
    if (state !== 'survived' && state !== 'not reached') continue
    const survivor = { file, line, kind, from, to }
    found.set(keyOf(survivor), { ...survivor, reason: reasons.get(keyOf(survivor)) ?? '' })
  }
  const others = before.filter(({ file }) => file !== ran)
  return [...others, ...found.values()].sort((a, b) => byFile(a.file, b.file))
}

/** Faults of the recorded results of a group, as lines. Files that were never run are counted in its figures. */
export function problemsOf(name, sources, files, survivors) {
  const stale = sources.filter((file) => files[file] && files[file].hash !== hashOf(file))
  const score = scoreOf(sumOf(Object.values(files)))
  return [
    ...stale.map((file) => `${file}: no result for its present text`),
    ...(score < wanted ? [`${name}: ${score} % is below ${wanted} %`] : []),
    ...survivors
      .filter(({ reason }) => !/\w+ \w+/.test(reason))
      .map(({ file, line, from, to }) => `${file}: a survivor without a reason: ${from} -> ${to} in: ${line}`),
  ]
}

/** Record the results of a group, and write what it reached for the page of assurance. */
export function writeResults(name, sources, files, survivors) {
  const sum = sumOf(Object.values(files))
  const unmeasured = sources.filter((file) => !files[file]).length
  const figure = {
    claim: `a fault planted in the ${name} makes a test fail`,
    wanted: { score: wanted, survivors: 'each listed with its reason' },
    reached: {
      score: scoreOf(sum),
      killed: sum.killed,
      mutants: sum.mutants,
      survivors: survivors.length,
      ...(unmeasured > 0 && { unmeasured }),
    },
    at: new Date().toISOString().slice(0, 10),
    command: `npm run mutation -- --group ${name}`,
  }
  const own = Object.fromEntries(sources.flatMap((file) => (files[file] ? [[file, files[file]]] : [])))
  for (const folder of ['figures/mutation', 'test/mutation']) mkdirSync(join(root, folder), { recursive: true })
  writeJson(figuresOf(name), figure)
  writeRecords(recorded, { ...read(recorded, {}), [name]: own })
  writeRecords(survivorsOf(name), survivors)
}
