/** The page docs/assurance.md: its tables, from claims, the tests that name them, and the figures that runs wrote. */
import { existsSync } from 'node:fs'

/** Runs the scenarios of test/cli. */
export const scenarioRunner = 'test/cli/cli.test.ts'

const number = (n) => n.toLocaleString('en-US')
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')

/**
 * The figures that a claim wants, and those that its tests reached.
 * @param {import('./claims.mjs').Claim} claim
 * @param {readonly import('./collect.mjs').Cover[]} covers
 * @param {Readonly<Record<string, Record<string, { passed: number, of: number, cases?: number }>>>} figures the claims of figures.json
 * @returns {{ wanted: string, reached: string, isReached: boolean }}
 */
export function figureOf({ id, cases, of = 'cases' }, covers, figures) {
  const files = [...new Set(covers.filter((c) => c.ids.includes(id) && c.file.startsWith('test/')).map(({ file }) => runOf(file)))]
  const found = files.map((file) => figures[file]?.[id])
  const wanted = cases === undefined ? 'every test' : `${number(cases)} ${of}`
  if (files.length === 0 || found.includes(undefined)) return { wanted, reached: 'not measured yet', isReached: false }
  const sum = (part) => found.reduce((total, figure) => total + part(figure), 0)
  const [passed, all] = [sum((f) => f.passed), sum((f) => f.of)]
  const failures = all - passed
  // Where tests count what they try, that is the number; where each test is a case, the tests are counted.
  const tried = sum((f) => f.cases ?? 0) || passed
  const reached = cases === undefined ? `${number(passed)} of ${number(all)}` : number(tried)
  return {
    wanted,
    reached: failures > 0 && cases !== undefined ? `${reached}, and ${failures} failed` : reached,
    isReached: all > 0 && failures === 0 && (cases === undefined || tried >= cases),
  }
}

const runOf = (file) => (file.endsWith('.scenario') ? scenarioRunner : file)

/** A table for each group of claims. */
export function tablesOf(groups, covers, figures, root) {
  return groups
    .map(({ heading, about, claims }) => {
      const rows = claims.map((claim) => {
        const { wanted, reached } = figureOf(claim, covers, figures)
        return `| ${claim.id} | ${cell(claim.claim)} | ${cell(linked(claim.by, root))} | ${testsOf(claim.id, covers)} | ${wanted} | ${reached} |`
      })
      return `### ${heading}\n\n${about}\n\n| | claim | by | tests | wanted | reached |\n|---|---|---|---|---|---|\n${rows.join('\n')}`
    })
    .join('\n\n')
}

/** Links to the tests, each file once, and to what is proved. */
function testsOf(id, covers) {
  const own = covers.filter(({ ids }) => ids.includes(id))
  const tests = [...new Set(own.filter(({ file }) => file.startsWith('test/')).map(({ file }) => file))]
  const links = tests.map((file) => `[${file.replace(/^test\//, '').replace(/\.test\.ts$/, '')}](../${file})`)
  const theories = new Set(own.filter(({ file }) => file.startsWith('proofs/')).map(({ file }) => file))
  const proofs = [...theories].map((file) => `[${file}](../${file})`)
  return [...links, ...proofs].join(', ')
}

/** Paths in backticks as links to what they name. */
function linked(text, root) {
  return text.replace(/`([\w./-]+)`/g, (whole, path) => (path.includes('/') || path.includes('.') ? link(path, whole, root) : whole))
}

function link(path, whole, root) {
  if (!existsSync(new URL(path, root))) throw new Error(`${path} is not there`)
  return `[${whole}](../${path})`
}

/** A row for each run that wrote a figure of its own. */
export function runsTable(names, read) {
  const rows = names.map((name) => {
    const figure = read(name)
    if (!figure) return `| ${name} | | | not measured yet | |`
    const { claim = name, wanted = '', reached = '', at = '', command = '' } = figure
    return `| ${name} | ${cell(claim)} | ${inWords(wanted)} | ${inWords(reached)} | ${command ? `\`${cell(command)}\`` : ''} ${at} |`
  })
  return `| run | claim | wanted | reached | command, day |\n|---|---|---|---|---|\n${rows.join('\n')}`
}

/** A figure of several parts as text. */
function inWords(figure) {
  if (Array.isArray(figure)) return figure.map(inWords).join('; ')
  if (typeof figure !== 'object' || figure === null) return typeof figure === 'number' ? number(figure) : cell(figure)
  return Object.entries(figure)
    .map(([name, value]) => `${name}: ${inWords(value)}`)
    .join('; ')
}

/** Whether a run has the score that it wants, where it has one, for all that it is about. */
const isReached = (figure) =>
  figure !== undefined && (figure.reached?.score ?? 0) >= (figure.wanted?.score ?? 0) && !figure.reached?.unmeasured

/**
 * Claims and runs without the figure that is wanted, apart from those that the page lists with a reason; and listed ones that
 * are reached.
 */
export function shortfalls(claims, covers, figures, names, read, notReached) {
  const short = [
    ...claims.filter((claim) => !figureOf(claim, covers, figures).isReached).map(({ id }) => id),
    ...names.filter((name) => !isReached(read(name))),
  ]
  const known = new Set([...claims.map(({ id }) => id), ...names])
  return [
    ...short.filter((id) => !Object.hasOwn(notReached, id)).map((id) => `${id}: the figure is not reached, or not measured`),
    ...Object.keys(notReached)
      .filter((id) => !known.has(id) || !short.includes(id))
      .map((id) => `${id}: is reached, and listed as not reached`),
  ]
}

/** The list of what is not reached. */
export function notReachedList(notReached) {
  const rows = Object.entries(notReached).map(([id, why]) => `- **${id}**: ${why}.`)
  return rows.length === 0 ? 'None.' : rows.join('\n')
}
