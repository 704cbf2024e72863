import type { Diagnostic } from '../../diagnostic.ts'
import { partsOfFindings } from '../../history/finding-parts.ts'
import type { Settings } from '../../names.ts'
import { buildWorld } from '../../parser/world.ts'
import type { World } from '../../policy.ts'
import { callsJson, callsNotes, denialWords, useJson, useWords } from '../../report/call-use.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import type { Rule } from '../../rules/rule.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { CallCounter, type CallTotals } from '../../usage/counting.ts'
import { deniesOnly, policyTarget } from '../../usage/targets.ts'
import type { Io } from '../app/io.ts'
import type { CallOptions } from './call-uses.ts'
import { readRecords } from './records.ts'

/** Asks for the use of the entries and policies that findings are about. The result makes the findings with it, once records were counted. */
export function findingsWithUse(
  findings: readonly Diagnostic[],
  partsOf: ReturnType<typeof partsOfFindings>,
  counter: CallCounter,
  world: World,
): (totals: CallTotals, names: Names) => readonly Diagnostic[] {
  const asked = findings.map((finding) => {
    const parts = partsOf(finding)
    const together = counter.group()
    for (const part of parts) counter.ask(policyTarget(part, world), together)
    return { finding, parts, use: together.use }
  })
  return (totals, names) =>
    asked.map(({ finding, parts, use }) => {
      if (parts.length === 0) return finding
      const say = parts.every(deniesOnly) ? denialWords : useWords
      return { ...finding, facts: { ...finding.facts, use: { words: say(use, totals, names), json: useJson(use) } } }
    })
}

/** Findings with how recorded calls used the entries and policies that they are about. Which records were counted is said on standard error. */
export async function withCallFacts(
  findings: readonly Diagnostic[],
  { facts }: Pick<ReadFiles, 'facts'>,
  rules: readonly Rule[],
  { calls, skipBad }: Omit<CallOptions, 'policies'>,
  settings: Settings,
  io: Io,
): Promise<{ readonly findings: readonly Diagnostic[]; readonly calls: object }> {
  const { world } = buildWorld(facts)
  const counter = new CallCounter(world)
  const asked = findingsWithUse(findings, partsOfFindings(world, rules), counter, world)
  const passed = await readRecords(calls, { policies: [], skipBad }, settings, io, counter.add)
  const read = { ...counter.end(), ...passed }
  for (const note of callsNotes(read)) io.stderr.write(`grantwise: note: ${shown(note)}\n`)
  return { findings: asked(read, new Names([world])), calls: callsJson(read) }
}
