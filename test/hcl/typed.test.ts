import { describe, expect, test } from 'vitest'
import { converted, typeFrom } from '../../src/hcl/convert.ts'
import { evaluate } from '../../src/hcl/evaluate.ts'
import type { Frame } from '../../src/hcl/frame.ts'
import type { Expression } from '../../src/hcl/syntax.ts'
import { typeName, type Value } from '../../src/hcl/types.ts'
import { isFailed, isKnown, typeOf } from '../../src/hcl/values.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { answersIn } from '../support/answer-files.ts'
import { counted } from '../support/counted.ts'
import { some } from '../support/effort.ts'
import { frameWith } from '../support/hcl-value.ts'
import { expectSame } from '../support/same.ts'
import world from './typed-world.json' with { type: 'json' }

/** The variables of each type, and the answers about each value, in one file. */
const recorded = answersIn(new URL('typed.cases', import.meta.url))
const isType = (title: string) => world.types.includes(title)

const { frame } = frameWith('1')
const parsed = new Map<string, Expression>()
const read = (text: string): Expression => {
  const known = parsed.get(text) ?? frameWith(text).written
  parsed.set(text, known)
  return known
}

/** `var.x` of a type, with a default; undefined where that does not fit. */
function variable(type: string, value: string): Value | undefined {
  const evaluated = (expression: Expression) => evaluate(expression, frame)
  return converted(evaluated(read(value)), typeFrom(read(type), evaluated))
}

function answer(expression: string, x: Value): Value {
  const inner: Frame = { ...frame, budget: { left: 100_000, depth: 0 }, names: { ...frame.names, variable: () => x } }
  return evaluate(read(expression), inner)
}

function textOf(value: Value | undefined): string {
  if (value === undefined) return 'unfit'
  if (isFailed(value) || holdsFailed(value)) return 'fails'
  return isKnown(value) ? `${typeName(typeOf(value))} ${JSON.stringify(sorted(plainValue(value)))}` : 'unknown'
}

function holdsFailed(value: Node): boolean {
  if (isFailed(value)) return true
  if (value.kind === 'list') return value.items.some(holdsFailed)
  return value.kind === 'map' && value.entries.some((entry) => holdsFailed(entry.value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
  )
}

/** The same, or not known. What makes the reference panic, or is not known there, says nothing. */
const agrees = (ours: string, theirs: string) => ours === theirs || ours === 'unknown' || theirs === 'panics' || theirs === 'unknown'

const letter = (text: string) => ({ 'bool true': 't', 'bool false': 'f', unknown: '?' })[text] ?? '-'

describe('what the reference implementation makes of values with types (scripts/hcl-reference.mjs)', () => {
  test.each(world.types)('a variable of the type %s', (type) => {
    for (const value of world.values) {
      const ours = textOf(variable(type, value))
      const theirs = recorded.get(type)?.get(value) as string
      if (!agrees(ours, theirs)) expectSame([type, value, ours], [type, value, theirs])
    }
    counted(world.values.length)
  })

  test.each(
    some(
      [...recorded].filter(([title]) => !isType(title)),
      4,
    ),
  )('%s', (name, answers) => {
    const [type, value] = name.split(' = ', 2).length > 1 ? splitName(name) : ['', '']
    const x = variable(type, value) as Value
    const wrong: string[] = []
    for (const [expression, theirs] of answers) {
      if (world.pairs.includes(expression)) {
        const ours = world.values.map((each) => letter(textOf(answer(expression.replaceAll('V', each), x))))
        counted(ours.length)
        for (const [i, each] of ours.entries())
          if (each !== theirs[i] && each !== '?' && theirs[i] !== '?')
            wrong.push(`${expression} for ${world.values[i]}: ${each}, not ${theirs[i]}`)
        continue
      }
      counted(1)
      const ours = textOf(answer(expression, x))
      if (!agrees(ours, theirs)) wrong.push(`${expression}: ${ours}, not ${theirs}`)
    }
    expect([name, ...wrong]).toEqual([name])
  })
})

function splitName(name: string): readonly [string, string] {
  const type = world.types.find((each) => name.startsWith(`${each} = `)) ?? ''
  return [type, name.slice(type.length + 3)]
}
