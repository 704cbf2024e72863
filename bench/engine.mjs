/**
 * One engine in a process of its own: node --expose-gc bench/engine.mjs ENGINE FOLDER SECONDS
 * Prints decisions a second (the median of rounds), the 99th percentile of single decisions in µs, the time to load in ms, the
 * memory that the process came to hold, and whether every answer was the expected one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engines } from './engines.mjs'

const [name, folder, budget] = process.argv.slice(2)
const { prepare, load } = engines[name]
const milliseconds = Number(budget) * 1000
const written = readFileSync(join(folder, 'questions.ndjson'), 'utf8').trimEnd().split('\n')
const at = Date.UTC(2026, 0, 1)
const groups = []
/** Questions as they come from outside: texts that were not seen before. */
const fresh = (from, to) =>
  written.slice(from, to).map((line) => {
    const { identity, action, resource, expect } = JSON.parse(line)
    return { identity, action, resource, at, groups, expect }
  })

const parts = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => readFileSync(join(folder, file), 'utf8'))
const prepared = await prepare(worldOf(parts))
globalThis.gc?.()
const loading = performance.now()
const verdict = await load(prepared)
const loadMs = performance.now() - loading
globalThis.gc?.()

let isRight = true
let asked = 0
let spent = 0
const warm = performance.now()
do {
  const from = asked % written.length
  for (const question of fresh(from, from + 100)) {
    const begin = performance.now()
    if (verdict(question) !== question.expect) isRight = false
    spent += performance.now() - begin
    asked++
    if (performance.now() - warm > milliseconds * 0.4) break
  }
} while (performance.now() - warm < milliseconds * 0.4)

/** A round of about a millisecond: short enough that most rounds are not interrupted by what else the machine does. */
const size = Math.max(1, Math.min(500, Math.floor(asked / spent)))
const timed = (share, round) => {
  const end = performance.now() + milliseconds * share
  let from = 0
  do {
    round(fresh(from, from + size))
    from = from + 2 * size > written.length ? 0 : from + size
  } while (performance.now() < end)
}
const rates = []
timed(0.3, (questions) => {
  let wrong = 0
  const begin = process.hrtime.bigint()
  for (const question of questions) if (verdict(question) !== question.expect) wrong++
  rates.push(questions.length / (Number(process.hrtime.bigint() - begin) / 1e9))
  if (wrong > 0) isRight = false
})
const singles = []
timed(0.3, (questions) => {
  for (const question of questions) {
    const begin = process.hrtime.bigint()
    verdict(question)
    singles.push(Number(process.hrtime.bigint() - begin) / 1000)
  }
})

rates.sort((a, b) => a - b)
singles.sort((a, b) => a - b)
const rounded = (value, digits) => Number(value.toFixed(digits))
console.log(
  JSON.stringify({
    engine: name,
    decisionsPerSecond: rounded(rates[rates.length >> 1], rates[rates.length >> 1] < 100 ? 1 : 0),
    p99us: rounded(singles[Math.floor(singles.length * 0.99)], 2),
    loadMs: rounded(loadMs, 1),
    rssMB: rounded(process.memoryUsage().rss / 2 ** 20, 0),
    agrees: isRight,
  }),
)

/** A world as the engines may want it: as texts, or as what they say. */
function worldOf(texts) {
  const read = texts.map((text) => JSON.parse(text))
  return {
    texts,
    policies: read.flatMap(({ policies }) => policies ?? []),
    identities: read.flatMap(({ identities }) => identities ?? []),
    questions: fresh(0, written.length),
  }
}
