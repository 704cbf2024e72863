import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { printAddress } from '../../src/conditions/address.ts'
import { partOf } from '../../src/history/finding-parts.ts'
import { readFacts } from '../../src/parser/policy.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { position, sourceOf } from '../../src/source.ts'
import { CallCounter } from '../../src/usage/counting.ts'
import type { Recorded } from '../../src/usage/record.ts'
import { policyTarget } from '../../src/usage/targets.ts'
import { effort } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { testSettings } from '../support/settings.ts'
import { generate, questionOf, randomOf, usualKnobs } from '../support/worlds.ts'

/** The use of entries as `--calls` counts it, and as `sql who-used` finds it in DuckDB. */

const folder = mkdtempSync(join(tmpdir(), 'call-use-sql-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('are the same where the records have the verdicts of the policies', async () => {
  let compared = 0
  for (let seed = 1; seed <= effort(40, 8); seed++) {
    const { world: written, questions } = generate(randomOf(seed), 30, usualKnobs)
    const text = JSON.stringify(written, null, 1)
    writeFileSync(join(folder, 'world.json'), text)
    const { world } = buildWorld([readFacts(readTree(sourceOf('world.json', text)).documents, testSettings).facts])
    const calls = questions
      .map(questionOf)
      .map(({ identity, action, resource, at, groups, ip }) => ({ identity, action, resource, at, groups, ...(ip && { ip }) }))
      .filter(({ identity }) => ['user', 'credential'].includes(identity.split(':')[4] as string))
      .map((question) => ({ question, verdict: decide(world, question).verdict }))
      .filter(({ verdict }) => verdict !== 'unknown')
    if (calls.length === 0) continue
    writeFileSync(
      join(folder, 'log.ndjson'),
      calls
        .map(({ question: { at, ip, ...rest } }) =>
          JSON.stringify({ ...rest, at: new Date(at).toISOString(), ip: ip ? printAddress(ip) : null }),
        )
        .join('\n'),
    )
    const { stdout, stderr, exit } = await mainIn(['sql', 'who-used', '--calls', 'log.ndjson', '-p', 'world.json'], folder)
    if (exit === 2) throw new Error(`seed ${seed}: ${stderr}`)
    const inSql = new Map<string, number>()
    for (const line of stdout.split('\n').filter(Boolean)) {
      const { effect, permissions_group, verdict, line_no, column_no, calls: count } = JSON.parse(line)
      if (effect !== 'allow' || verdict !== 'allow' || permissions_group !== '') continue
      const key = `${line_no}:${column_no}`
      inSql.set(key, (inSql.get(key) ?? 0) + count)
    }
    const counter = new CallCounter(world)
    const uses = world.policies.flatMap((policy) =>
      policy.permissions.allow.map(({ value, span }) => {
        const { line, column } = position(span.source, span.start)
        return { key: `${line}:${column}`, use: counter.ask(policyTarget(partOf(policy, { list: 'allow', text: value.text }), world)) }
      }),
    )
    for (const { question, verdict } of calls) {
      const { identity, action, resource, at, groups, ip } = question
      const needs = [{ action, resource, required: true, verdict }]
      const record: Recorded = { at, account: undefined, identity, groups, ip, call: undefined, needs, verdict, credential: undefined }
      counter.add(record)
    }
    for (const { key, use } of uses) {
      const { used, open } = use()
      // An entry that grants a call only perhaps is among those of it in SQL.
      expect(inSql.get(key) ?? 0, `seed ${seed}, ${key}`).toBeGreaterThanOrEqual(used.count)
      expect(inSql.get(key) ?? 0, `seed ${seed}, ${key}`).toBeLessThanOrEqual(used.count + open)
      compared += used.count
    }
  }
  expect(compared).toBeGreaterThan(20)
}, 600_000)
