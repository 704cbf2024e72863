#!/usr/bin/env node
/**
 * Runs the cases of a gate against a command (README.md). It needs nothing but Node, git and a POSIX shell. Exits with 0 if the
 * command stops each change that it must, 1 if it lets one through, 2 if the cases could not be run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gitEnvironment, makeRepository } from './repository.mjs'

const usage = `Usage: node conformance/gate/run.mjs [OPTION…] COMMAND [ARGUMENT…]
  --only TEXT        only cases whose title contains this text
  --share N          only one case in N
  --keep FOLDER      leave the repositories in this folder, to look at them
  --summary FILE     write the numbers to a file, as JSON`

function optionsOf(args) {
  const options = {}
  let i = 0
  for (; args[i]?.startsWith('--'); i += 2) {
    if (!['--only', '--share', '--keep', '--summary'].includes(args[i]) || args[i + 1] === undefined) throw new Error(usage)
    options[args[i].slice(2)] = args[i + 1]
  }
  if (i >= args.length) throw new Error(usage)
  const share = Number(options.share ?? '1')
  if (!(Number.isInteger(share) && share > 0)) throw new Error(`--share ${options.share}: expected a whole number from 1`)
  // The command runs in each repository: files that it names are those of the folder that this program was started in.
  const command = args.slice(i).map((each) => (each.includes('/') && existsSync(each) ? resolve(each) : each))
  return { ...options, share, command }
}

/** Whether the command lets the change of a case through: it ended with 0. */
function isLetThrough(each, [program, ...args], folder) {
  makeRepository(each, folder)
  const { status, error } = spawnSync(program, args, { cwd: folder, env: { ...process.env, ...gitEnvironment }, stdio: 'ignore' })
  if (error) throw new Error(`cannot run ${program}: ${error.message}`)
  return status === 0
}

function main() {
  const { command, only = '', share, keep, summary } = optionsOf(process.argv.slice(2))
  const { version, cases } = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'))
  if (keep !== undefined) mkdirSync(keep, { recursive: true })
  const top = keep ?? mkdtempSync(join(tmpdir(), 'gate-'))
  const tried = cases.filter(({ title }) => title.includes(only)).filter((_, i) => i % share === 0)
  const count = { passed: 0, stopped: 0, alarms: 0 }
  try {
    for (const each of tried) {
      const folder = mkdtempSync(join(top, 'case-'))
      const isThrough = isLetThrough(each, command, folder)
      if (isThrough && each.stop) {
        count.passed++
        console.log(`passed the gate: ${each.title} (${each.access})`)
      } else if (!isThrough && each.access === 'same') {
        count.alarms++
        console.log(`stopped, and nothing changes: ${each.title}`)
      } else count.stopped++
      if (keep === undefined) rmSync(folder, { recursive: true, force: true })
    }
  } finally {
    if (keep === undefined) rmSync(top, { recursive: true, force: true })
  }
  console.log(
    `gate ${version}: ${tried.length} cases, ${count.stopped} as they should be, ${count.passed} passed the gate, ${count.alarms} false alarms`,
  )
  if (summary !== undefined) {
    const { stopped, passed, alarms } = count
    const numbers = { version, cases: tried.length, asTheyShould: stopped, passedTheGate: passed, falseAlarms: alarms }
    writeFileSync(summary, `${JSON.stringify(numbers, null, 2)}\n`)
  }
  return count.passed > 0 ? 1 : 0
}

try {
  process.exitCode = main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
