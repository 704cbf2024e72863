import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { cleanUp, fits, linesOf, prepare, readScenario, runLine } from './support/scenario.ts'

const folder = new URL('cli/', import.meta.url)
test('update', async () => {
  for (const name of (process.env.ONLY ?? '').split(',')) {
    const url = new URL(`${name}.scenario`, folder)
    const text = readFileSync(url, 'utf8')
    const scenario = readScenario(text)
    const work = prepare(scenario.setup)
    const lines = text.replace(/\n$/, '').split('\n')
    const first = lines.findIndex((l) => l.startsWith('$ '))
    const out = lines.slice(0, first)
    let at = first
    for (const { line, stdout, stderr, exit } of scenario.commands) {
      let end = at + 1
      while (end < lines.length && !(lines[end] as string).startsWith('$ ')) end++
      const outcome = await runLine(line, work)
      const [o, e] = [linesOf(outcome.stdout), linesOf(outcome.stderr)]
      if (fits(o, stdout) && fits(e, stderr) && outcome.exit === exit) out.push(...lines.slice(at, end))
      else out.push(`$ ${line}`, ...o, ...e.map((l: string) => `! ${l}`), `exit ${outcome.exit}`, '')
      at = end
    }
    cleanUp(work)
    writeFileSync(url, out.join('\n').replace(/\n*$/, '\n'))
  }
}, 120_000)
