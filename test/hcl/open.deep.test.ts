import { expect, test } from 'vitest'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { quoted } from '../support/hcl.ts'
import { readHclAlone } from '../support/notations.ts'
import '../support/seed.ts'
import { generate, type PolicyJson, questionOf, type Random, randomOf, type WorldJson, worldOf } from '../support/worlds.ts'

const seed = Number(process.env.SEED ?? 20261122)

/** A configuration in which some of what policies say comes from variables, and the values with which it says just that. */
interface Written {
  readonly resources: string
  /** The variables by their names: expressions of the values with which it says just that, and of others that it may have as well. */
  readonly values: ReadonlyMap<string, { readonly value: string; readonly other: string }>
}

const groupless = (world: WorldJson): WorldJson => ({
  ...world,
  policies: world.policies.filter(({ identities, resources }) => identities.length > 0 && resources.length > 0),
  permissionsGroups: [],
  resourceGroups: [],
})

function writtenBy(random: Random, { policies }: WorldJson): Written {
  const values = new Map<string, { readonly value: string; readonly other: string }>()
  const variable = (value: string, other = value): string => {
    const name = `v${values.size}`
    values.set(name, { value, other })
    return `var.${name}`
  }
  const chance = (share: number) => random() < share
  /** A text: as it is, from a variable, or with a part from one. */
  const text = (value: string): string => {
    if (!chance(0.1)) return quoted(value)
    const at = Math.floor(random() * (value.length + 1))
    const [start, end] = [value.slice(0, at), value.slice(at)]
    switch (Math.floor(random() * 4)) {
      case 0:
        return variable(quoted(value))
      case 1:
        return `"${quoted(start).slice(1, -1)}\${${variable(quoted(end))}}"`
      case 2:
        return `join("", [${variable(quoted(start))}, ${quoted(end)}])`
      default:
        return `format("%s%s", ${quoted(start)}, ${variable(quoted(end))})`
    }
  }
  /** A list: of its texts, of more where a variable does not say otherwise, from a variable, gone through. */
  const list = (all: readonly string[]): string => {
    const items = `[${all.map(text).join(', ')}]`
    if (!chance(0.3)) return items
    const literal = `[${all.map(quoted).join(', ')}]`
    switch (Math.floor(random() * 6)) {
      case 0:
        return `${variable('true', 'false')} ? ${items} : []`
      case 1:
        return variable(literal, '[]')
      case 2:
        return `[for each in ${variable(literal, '[]')} : each]`
      case 3:
        return `concat(${items}, ${variable('[]')})`
      case 4:
        return `[for each in ${items} : each if ${variable('true', 'false')}]`
      default:
        return `${variable('"a"', '"b"')} == "a" ? ${items} : ${literal}`
    }
  }
  const resource = ({ name, identities, resources, permissions, permissionsGroups, expiredAt }: PolicyJson, i: number): string =>
    [
      `resource "svc_iam_policy" "p${i}" {`,
      ...(chance(0.15)
        ? [`count = ${variable('true', 'false')} ? 1 : 0`]
        : chance(0.1)
          ? [`for_each = ${variable('toset(["a"])', 'toset([])')}`]
          : []),
      `name = ${quoted(name)}`,
      `identities = ${list(identities)}`,
      `resources = ${list(resources.map(({ urn }) => urn))}`,
      ...(['allow', 'except', 'deny'] as const).flatMap((key) =>
        permissions[key] ? [`${key} = ${list(permissions[key].map(({ action }) => action))}`] : [],
      ),
      ...(permissionsGroups ? [`permissions_groups = ${list(permissionsGroups.map(({ urn }) => urn))}`] : []),
      ...(expiredAt === undefined ? [] : [`expired_at = ${text(expiredAt)}`]),
      '}',
    ].join('\n')
  return { resources: policies.map(resource).join('\n'), values }
}

/** The configuration with the values of some of its variables. */
function configuration({ resources, values }: Written, valueFor: (name: string) => string | undefined): string {
  const declared = [...values.keys()].map((name) => {
    const value = valueFor(name)
    return `variable "${name}" {\n${value === undefined ? '' : `default = ${value}\n`}}`
  })
  return `${resources}\n${declared.join('\n')}\n`
}

async function worldIn(text: string, world: WorldJson) {
  const { facts, diagnostics } = await readHclAlone(sourceOf('main.tf', text))
  expect(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    text,
  ).toEqual([])
  const inventory = worldOf({ ...world, policies: [] })
  const built = buildWorld([facts]).world
  return { ...inventory, policies: built.policies }
}

test('with all values given a configuration says what the policies say; what is decided without them stays decided', async () => {
  const random = randomOf(seed)
  const counts = { allow: 0, deny: 0, unknown: 0 }
  for (let run = 0; run < effort(70, 6); run++) {
    const { world: generated, questions } = generate(random, 8)
    const world = groupless({ ...generated, policies: generated.policies.map(({ conditions: _, ...rest }) => rest) })
    const written = writtenBy(random, world)
    const { values } = written
    const missing = new Set([...values.keys()].filter(() => random() < 0.6))
    const full = configuration(written, (name) => values.get(name)?.value)
    const partly = configuration(written, (name) => (missing.has(name) ? undefined : values.get(name)?.value))
    const otherwise = configuration(written, (name) => (missing.has(name) ? values.get(name)?.other : values.get(name)?.value))
    const [known, open, other] = [await worldIn(full, world), await worldIn(partly, world), await worldIn(otherwise, world)]
    const plain = worldOf(world)
    const engine = compile(open)
    for (const each of questions) {
      const question = questionOf(each)
      const { verdict } = decide(plain, question)
      expect(decide(known, question).verdict, full).toBe(verdict)
      const perhaps = decide(open, question)
      expect(engine.decide(question).verdict).toBe(perhaps.verdict)
      counts[perhaps.verdict]++
      if (perhaps.verdict === 'unknown') expect(perhaps.missing.length).toBeGreaterThan(0)
      else expect([verdict, decide(other, question).verdict], partly).toEqual([perhaps.verdict, perhaps.verdict])
    }
  }
  expect(counts.allow).toBeGreaterThan(effort(30, 9))
  expect(counts.deny).toBeGreaterThan(effort(80, 9))
  expect(counts.unknown).toBeGreaterThan(effort(80, 9))
})
