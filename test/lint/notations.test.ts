import { expect, test } from 'vitest'
import { addressed } from '../../src/declared/addressed.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import type { ReadSource } from '../../src/parser/read.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { rules } from '../../src/rules/index.ts'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { factText } from '../../src/simulate/facts.ts'
import { sourceOf } from '../../src/source.ts'
import { contextOf } from '../support/lint-world.ts'
import { type Writer, writers } from '../support/notations.ts'
import '../support/seed.ts'
import { effort } from '../support/effort.ts'
import { type ConditionJson, generate, type PolicyJson, questionOf, randomOf, type WorldJson } from '../support/worlds.ts'

const seed = Number(process.env.SEED ?? 20261121)

/** A generated world as every notation can say it: no lists without entries, groups by their URNs, nothing that only the service writes. */
function sayable(world: WorldJson): WorldJson {
  const full = <T extends object>(record: T): T =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => !(Array.isArray(value) && value.length === 0))) as T
  const condition = ({ conditions, ...rest }: ConditionJson): ConditionJson =>
    conditions && conditions.length > 0 ? { ...rest, conditions: conditions.map(condition) } : rest
  const policy = ({ readOnly: _, permissions, conditions, ...rest }: PolicyJson): PolicyJson => ({
    ...full(rest),
    permissions: full(permissions),
    ...(conditions && { conditions: condition(conditions) }),
  })
  return {
    ...world,
    policies: world.policies.filter(({ identities, resources }) => identities.length > 0 && resources.length > 0).map(policy),
    permissionsGroups: world.permissionsGroups.map((group) => ({ ...group, permissions: full(group.permissions) })),
    resourceGroups: world.resourceGroups.filter(
      ({ urn, resources }) => urn !== undefined && resources.length > 0 && resources.every((each) => each.urn !== undefined),
    ),
  }
}

async function readIn({ path, hasGroups, write, read }: Writer, world: WorldJson): Promise<readonly ReadSource[]> {
  const { policies: _, permissionsGroups, resourceGroups, ...inventory } = world
  const rest = { policies: [], ...inventory, ...(!hasGroups && { permissionsGroups, resourceGroups }) }
  return [
    await (read ?? ((source) => readSource(source, defaultSettings)))(sourceOf(path, write(world))),
    await readSource(sourceOf('rest.json', JSON.stringify(rest)), defaultSettings),
  ]
}

function worldIn(reads: readonly ReadSource[]) {
  expect(
    reads.flatMap(({ diagnostics }) => diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)),
  ).toEqual([])
  const built = buildWorld(reads.map(({ facts }) => facts))
  expect(built.diagnostics).toEqual([])
  return built.world
}

const levels = new Map(rules.map(({ code, severity }) => [code, severity]))
/** Findings about the file rather than about its contents. */
const ofFiles = new Set(['file-name', 'server-field'])

/** Findings without their places; a text that has a finding is shown as it reads. */
function findingsIn(reads: readonly ReadSource[]): readonly string[] {
  const findings = lint(
    rules,
    contextOf(worldIn(reads)),
    reads.flatMap(({ diagnostics }) => diagnostics),
    levels,
  )
  return findings
    .filter(({ code, span }) => !ofFiles.has(code) && span.source.path !== 'rest.json')
    .map((finding) => {
      const { code, policy, message, span } = addressed(finding, [])
      const text = span.source.text.slice(span.start, span.end)
      const isText = /^"?[a-z]+:/i.test(text) && !text.includes('\n')
      return `${code} ${policy} ${message} ${isText ? text.replaceAll('"', '') : ''}`
    })
    .sort()
}

const others = writers.slice(1)

// covers: M45
test.each(others.map((writer) => [writer.name, writer] as const))('%s says the same to rules', async (_, writer) => {
  const random = randomOf(seed)
  let count = 0
  for (let run = 0; run < effort(8, 4); run++) {
    const world = sayable(generate(random, 0).world)
    const plain = findingsIn(
      await readIn({ ...(writers[0] as Writer), hasGroups: writer.hasGroups, ...(!writer.hasGroups && { write: policiesOnly }) }, world),
    )
    const findings = findingsIn(await readIn(writer, world))
    count += findings.length
    expect(findings).toEqual(plain)
  }
  expect(count).toBeGreaterThan(effort(40, 4))
})

const policiesOnly = ({ policies }: WorldJson) => JSON.stringify({ policies }, undefined, 2)

// covers: M45
test.each(others.map((writer) => [writer.name, writer] as const))('%s says the same to decisions', async (_, writer) => {
  const random = randomOf(seed + 1)
  const verdicts = { allow: 0, deny: 0, unknown: 0 }
  for (let run = 0; run < effort(40, 10); run++) {
    const { world, questions } = generate(random, 12)
    const said = sayable(world)
    const plain = worldIn(await readIn(writers[0] as Writer, said))
    const other = worldIn(await readIn(writer, said))
    const engine = compile(other)
    for (const written of questions) {
      const question = questionOf(written)
      const { verdict, missing } = decide(plain, question)
      verdicts[verdict]++
      const again = decide(other, question)
      expect([again.verdict, again.missing.map(({ fact }) => factText(fact))]).toEqual([verdict, missing.map(({ fact }) => factText(fact))])
      expect(engine.decide(question).verdict).toBe(verdict)
    }
  }
  expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(effort(10, 10))
})
