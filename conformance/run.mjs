#!/usr/bin/env node
/**
 * Runs the corpus against an implementation (README.md). It needs nothing but Node: a line of JSON goes to a command for each
 * case, a line comes back. Exits with 0 if all cases agree, 1 if some do not, 2 if they could not be run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const usage = `Usage: node conformance/run.mjs [OPTION…] COMMAND [ARGUMENT…]
  --without LIST     leave out what the implementation does not do, separated by commas:
                     unknown, missing, notes, files, yaml, refusals, differences
  --only TEXT        only cases whose name contains this text
  --summary FILE     write the numbers to a file, as JSON
  --timeout SECONDS  how long to wait for an answer (default: 60)`

/** What an implementation may lack, and the cases that need it. Facts and notes are parts of an answer: they are not compared. */
const needs = {
  differences: (each) => each.before !== undefined,
  refusals: (each) => each.expected?.refused === true,
  files: (each) => each.files !== undefined,
  yaml: (each) => each.files?.some(({ name }) => !name.endsWith('.json')) ?? false,
  unknown: (each) => each.questions?.some(({ expected }) => expected.verdict === 'unknown') ?? false,
}
const parts = ['missing', 'notes']

class Stop extends Error {}

function optionsOf(args) {
  const options = { without: [], timeout: 60 }
  let i = 0
  for (; args[i]?.startsWith('--'); i += 2) {
    const [option, value] = [args[i].slice(2), args[i + 1]]
    if (!['without', 'only', 'summary', 'timeout'].includes(option) || value === undefined) throw new Stop(usage)
    options[option] = option === 'without' ? value.split(',') : option === 'timeout' ? Number(value) : value
  }
  const unknown = options.without.filter((each) => !(each in needs) && !parts.includes(each))
  const command = args.slice(i)
  if (unknown.length > 0) throw new Stop(`no such part of the corpus: ${unknown.join(', ')}\n${usage}`)
  if (command.length === 0 || !(options.timeout > 0)) throw new Stop(usage)
  return { ...options, command }
}

/** All cases, and which version of the corpus they are. */
function corpus() {
  const folder = new URL('cases/', import.meta.url)
  const files = readdirSync(folder)
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')))
  return { version: files[0].version, cases: files.flatMap(({ cases }) => cases) }
}

/** What the implementation gets to see of a case: all but the answer. */
function lineOf({ name, world, files, questions, before, after }) {
  if (before) return { name, before, after }
  const source = files ? { files: files.map(({ name, lines }) => ({ name, text: lines.join('\n') })) } : { world }
  return { name, ...source, questions: (questions ?? []).map(({ expected: _, ...question }) => question) }
}

/** A command that answers a line with a line. */
class Implementation {
  constructor([program, ...args], timeout) {
    this.timeout = timeout
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.failure = new Promise((_, reject) => {
      this.child.once('error', (error) => reject(new Stop(`cannot run ${program}: ${error.message}`)))
      this.child.once('close', (code, signal) =>
        reject(new Stop(`the command ended before its last answer (${signal ?? `exit code ${code}`})`)),
      )
    })
    this.failure.catch(() => undefined)
    // A command that ends early is reported as such, whatever is written to it.
    this.child.stdin.on('error', () => undefined)
    this.answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]()
  }

  /** The answers to some lines, in their order. Lines are written while answers are read. */
  async ask(lines) {
    const writing = (async () => {
      for (const line of lines)
        if (!this.child.stdin.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(this.child.stdin, 'drain'), this.failure])
    })()
    writing.catch(() => undefined)
    const answers = []
    for (const { name } of lines) answers.push(await this.answer(name))
    await writing
    return answers
  }

  async answer(name) {
    let timer
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Stop(`no answer within ${this.timeout} s: ${name}`)), this.timeout * 1000)
    })
    try {
      const { value, done } = await Promise.race([this.answers.next(), late])
      if (done) await this.failure
      return JSON.parse(value)
    } catch (error) {
      if (error instanceof Stop) throw error
      return { error: 'the answer is no line of JSON' }
    } finally {
      clearTimeout(timer)
    }
  }

  end() {
    this.child.stdin.end()
  }

  kill() {
    this.child.kill()
  }
}

/** Why an answer does not agree; undefined where it does, or where its witness is to be checked. */
function disagreement({ expected, questions }, answer, without) {
  if (typeof answer !== 'object' || answer === null) return 'the answer is no object'
  if (answer.error !== undefined) return `error: ${answer.error}`
  if (expected?.refused) return answer.refused ? undefined : 'it is not refused'
  if (answer.refused) return `it is refused: ${answer.refused}`
  if (expected) {
    if (answer.new !== expected.new) return `new access: ${answer.new}, not ${expected.new}`
    return expected.new && typeof answer.witness !== 'object' ? 'there is no witness' : undefined
  }
  if (!Array.isArray(answer.answers) || answer.answers.length !== questions.length) return `there are not ${questions.length} answers`
  for (const [i, { expected, ...question }] of questions.entries()) {
    const given = answer.answers[i] ?? {}
    const where = `question ${i + 1}, ${JSON.stringify(question)}`
    if (given.verdict !== expected.verdict) return `${given.verdict}, not ${expected.verdict}: ${where}`
    for (const part of parts) {
      if (expected[part] === undefined || without.includes(part)) continue
      const [a, b] = [given[part] ?? [], expected[part]].map((list) => [...new Set(list)].sort().join(', ') || 'none')
      if (a !== b) return `${part}: ${a}, not ${b}: ${where}`
    }
  }
}

/** Whether the implementation itself answers a witness as it should: allowed after the change, and not before. */
async function witnesses(implementation, found) {
  const lines = found.flatMap(({ each: { name, before, after }, witness }) =>
    [before, after].map((world, i) => ({ name: `${name} (its witness, ${i === 0 ? 'before' : 'after'})`, world, questions: [witness] })),
  )
  const answers = await implementation.ask(lines)
  return found.flatMap(({ each, witness }, i) => {
    const [before, after] = answers.slice(2 * i, 2 * i + 2).map((answer) => answer?.answers?.[0]?.verdict)
    return after === 'allow' && before !== undefined && before !== 'allow'
      ? []
      : [{ each, why: `its own witness is answered with ${before} before and ${after} after: ${JSON.stringify(witness)}` }]
  })
}

async function run(options) {
  const { version, cases } = corpus()
  const wanted = cases.filter(({ name }) => options.only === undefined || name.includes(options.only))
  const lacking = (each) => Object.keys(needs).find((part) => options.without.includes(part) && needs[part](each))
  const asked = wanted.filter((each) => lacking(each) === undefined)
  const leftOut = {}
  for (const each of wanted) if (lacking(each)) leftOut[lacking(each)] = (leftOut[lacking(each)] ?? 0) + 1
  if (asked.length === 0) throw new Stop('there are no such cases')

  const implementation = new Implementation(options.command, options.timeout)
  let failed
  try {
    const answers = await implementation.ask(asked.map(lineOf))
    failed = asked.flatMap((each, i) => {
      const why = disagreement(each, answers[i], options.without)
      return why === undefined ? [] : [{ each, why }]
    })
    const isWrong = new Set(failed.map(({ each }) => each))
    const found = asked.flatMap((each, i) => (each.expected?.new && !isWrong.has(each) ? [{ each, witness: answers[i].witness }] : []))
    failed.push(...(await witnesses(implementation, found)))
    implementation.end()
  } catch (error) {
    implementation.kill()
    throw error
  }

  for (const { each, why } of failed) console.log(`failed: ${each.name}\n  ${each.tests}\n  ${why}`)
  const omitted = Object.entries(leftOut).map(([part, count]) => `${count} that need \`${part}\``)
  const ignored = parts.filter((part) => options.without.includes(part))
  console.log(`corpus ${version}: ${asked.length} cases, ${asked.length - failed.length} agree, ${failed.length} do not`)
  if (omitted.length > 0) console.log(`left out: ${omitted.join(', ')}`)
  if (ignored.length > 0) console.log(`not compared: ${ignored.join(', ')}`)
  if (options.summary !== undefined) {
    const sentences = new Set(asked.map(({ name }) => name.split(' — ')[0])).size
    const summary = {
      version,
      cases: asked.length,
      sentences,
      agreed: asked.length - failed.length,
      failed: failed.length,
      leftOut,
      notCompared: ignored,
    }
    writeFileSync(options.summary, `${JSON.stringify(summary, null, 2)}\n`)
  }
  return failed.length > 0 ? 1 : 0
}

try {
  process.exitCode = await run(optionsOf(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof Stop)) throw error
  console.error(error.message)
  process.exitCode = 2
}
