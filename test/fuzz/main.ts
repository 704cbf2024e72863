import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareText } from '../../src/diagnostic.ts'
import { type Campaign, campaign, minimised, mostSteps } from './campaign.ts'
import { corpusFile, corpusText, seedsOf } from './seeds.ts'
import { targets } from './targets.ts'

const help = `Tries every reader with texts that grow out of others, and keeps those that take a new branch.

npm run fuzz -- [options]
  --target NAME   only this reader; may be given several times
  --runs N        texts for all readers together (default 20000)
  --seconds N     seconds for all readers together, in place of --runs
  --seed N        other texts; printed where it is not given
  --save          writes what was kept, cut down, to test/fuzz/corpus
  --figures       writes figures/fuzz.json

Readers: ${targets.map(({ name }) => name).join(', ')}
`

/** Values that the build hands over: the counters, and the literals of each module. */
interface Built {
  readonly root: string
  readonly edges: Uint32Array
  readonly words: Readonly<Record<string, readonly string[]>>
}

/** Runs the fuzzer as its arguments say. 1 where something was found, 2 where the arguments are wrong. */
export async function fuzzMain(args: readonly string[], { root, edges, words }: Built): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      target: { type: 'string', multiple: true },
      runs: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      save: { type: 'boolean' },
      figures: { type: 'boolean' },
    },
  })
  const chosen = targets.filter(({ name }) => !values.target || values.target.includes(name))
  const numbers = [values.runs, values.seconds, values.seed].map((text) => text === undefined || /^\d+$/.test(text))
  if (values.help || chosen.length < (values.target?.length ?? 1) || numbers.includes(false)) {
    process.stdout.write(help)
    return values.help ? 0 : 2
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
  process.stdout.write(`seed ${seed}\n`)
  const runs = Math.ceil(Number(values.runs ?? 20_000) / chosen.length)
  const seconds = values.seconds === undefined ? undefined : Number(values.seconds) / chosen.length
  const done: Record<string, Campaign> = {}
  for (const target of chosen) {
    const start = performance.now()
    const seeds = seedsOf(root, target)
    const goesOn = (executions: number) =>
      seconds === undefined ? executions < runs + seeds.length : performance.now() - start < seconds * 1000
    // Modules are built in any order: by their paths they are tried in the same way each time.
    const own = Object.entries(words)
      .toSorted(([a], [b]) => compareText(a, b))
      .flatMap(([path, texts]) => (target.modules.test(path) ? texts : []))
    const material = [...new Set([...target.words, ...own.filter((text) => text.length <= 40 && !/[a-z] [a-z]/.test(text))])]
    const result = await campaign(target, { edges, seeds, words: material, seed, goesOn, counted: true })
    const { executions, edges: taken, worst, findings, corpus } = result
    done[target.name] = result
    const rate = Math.round(executions / ((performance.now() - start) / 1000))
    process.stdout.write(
      `${target.name}: ${executions} texts, ${rate}/s, ${taken} branches, ${corpus.length} kept, ${worst} branches taken in 64 KB at most\n`,
    )
    for (const { kind, message, text } of findings)
      process.stdout.write(`FOUND ${target.name}: ${kind}\n${message.slice(0, 1500)}\n${JSON.stringify(text.slice(0, 2000))}\n`)
    if (values.save && findings.length === 0) {
      const least = await minimised(target, edges, corpus)
      mkdirSync(dirname(corpusFile(root, target)), { recursive: true })
      writeFileSync(corpusFile(root, target), corpusText(least))
    }
  }
  const all = Object.values(done)
  const findings = all.reduce((sum, each) => sum + each.findings.length, 0)
  if (values.figures) {
    mkdirSync(join(root, 'figures'), { recursive: true })
    writeFileSync(join(root, 'figures/fuzz.json'), figures(done, seed, args))
  }
  process.stdout.write(`${all.reduce((sum, each) => sum + each.executions, 0)} texts, ${findings} findings\n`)
  return findings > 0 ? 1 : 0
}

function figures(done: Readonly<Record<string, Campaign>>, seed: number, args: readonly string[]): string {
  const all = Object.values(done)
  const reached = {
    findings: all.reduce((sum, each) => sum + each.findings.length, 0),
    texts: all.reduce((sum, each) => sum + each.executions, 0),
    mostStepsFor64KB: Math.max(...all.map(({ worst }) => worst)),
    readers: Object.fromEntries(
      Object.entries(done).map(([name, { executions, edges, worst }]) => [
        name,
        { texts: executions, branches: edges, mostStepsFor64KB: worst },
      ]),
    ),
  }
  const figure = {
    claim: 'no text makes a reader fail, take long, or disagree with a reference reader on what both accept',
    wanted: { findings: 0, mostStepsFor64KB: mostSteps },
    reached,
    seed,
    at: new Date().toISOString().slice(0, 10),
    command: `npm run fuzz -- ${args.join(' ')}`,
  }
  return `${JSON.stringify(figure, null, 2)}\n`
}
