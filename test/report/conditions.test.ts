import { expect, test } from 'vitest'
import { conditionWords } from '../../src/report/conditions.ts'
import { formulaOf } from '../../src/symbolic/formula.ts'
import { effort } from '../support/effort.ts'
import { plainHolds } from '../support/plain-evaluator.ts'
import { match, shortWorld } from '../support/short.ts'
import { type ConditionJson, pick, type Random, randomOf } from '../support/worlds.ts'

/** Conditions in words, read back by a reader of its own: they hold exactly where the condition that was written does. */

interface Facts {
  readonly tags: Readonly<Record<string, string>>
  readonly ip: string
  readonly name: string
}

const texts = ['a', 'b', 'ab', 'ba', 'x y']
const addresses = ['192.0.2.4', '192.0.2.200', '198.51.100.7', '203.0.113.9']
const comparisons: readonly (readonly [key: string, values: readonly string[]])[] = [
  ['resource.Tag(env)', texts],
  ['resource.Tag(env).STARTS_WITH', ['a', 'b']],
  ['resource.Tag(env).ENDS_WITH', ['a', 'b']],
  ['resource.Tag(k)', texts],
  ['resource.Name', ['a', 'ab', 'b']],
  ['resource.Name.STARTS_WITH', ['a']],
  ['request.IP', ['192.0.2.4', '198.51.100.7']],
  ['request.IP.IN_RANGE', ['192.0.2.0/24', '192.0.2.0/25', '198.51.100.0/24']],
]

function someCondition(random: Random, depth: number): ConditionJson {
  if (depth === 0 || random() < 0.35) {
    const [key, values] = pick(random, comparisons)
    return match({ [key]: pick(random, values) })
  }
  const operator = pick(random, ['AND', 'OR', 'OR', 'NOT'])
  const count = operator === 'NOT' ? 1 : 2 + Math.floor(random() * 2)
  return { operator, conditions: Array.from({ length: count }, () => someCondition(random, depth - 1)) }
}

/** A list as it is printed: `a, b or c`. */
const listed = (text: string): readonly string[] => text.split(/, | or /).map((each) => each.replace(/^`(.*)`$/, '$1'))

const numberOf = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

function isInBlock(block: string, ip: string): boolean {
  const [first = '', last] = block.split('–')
  if (last !== undefined) return numberOf(ip) >= numberOf(first) && numberOf(ip) <= numberOf(last)
  const [base = '', bits = '32'] = first.split('/')
  const size = 2 ** (32 - Number(bits))
  return Math.floor(numberOf(ip) / size) === Math.floor(numberOf(base) / size)
}

const verbs: readonly (readonly [words: string, holds: (value: string | undefined, others: readonly string[]) => boolean])[] = [
  ['neither', (value, others) => !others.includes(value as string)],
  ['does not start with', (value, others) => !others.some((other) => value?.startsWith(other))],
  ['does not end with', (value, others) => !others.some((other) => value?.endsWith(other))],
  ['starts with', (value, others) => others.some((other) => value?.startsWith(other) === true)],
  ['ends with', (value, others) => others.some((other) => value?.endsWith(other) === true)],
  ['not', (value, others) => !others.includes(value as string)],
  ['=', (value, others) => others.includes(value as string)],
]

/** `= a or b`, `neither a nor b`, `starts with a and not ab`: comparisons of one text. */
function readTexts(text: string, value: string | undefined): boolean {
  const verbAt = /(?:^| (?:and|or) )(?=(?:neither|does not (?:start|end) with|starts with|ends with|not|=) )/g
  const starts = [...text.matchAll(verbAt)].map(({ index, 0: all }) => ({ from: index, to: index + all.length, join: all.trim() }))
  const parts = starts.map(({ to }, i) => text.slice(to, starts[i + 1]?.from))
  const held = parts.map((part) => {
    const [words, holds] = verbs.find(([verb]) => part.startsWith(`${verb} `)) ?? []
    if (words === undefined || !holds) throw new Error(`no comparison: ${part}`)
    return holds(value, listed(part.slice(words.length + 1).replace(' nor ', ' or ')))
  })
  return starts.at(-1)?.join === 'or' ? held.includes(true) : held.every((each) => each)
}

function readPart(text: string, { tags, ip, name }: Facts): boolean {
  const [, isNot, blocks = '', except] = /^(not )?from (.*?)(?: except (.*))?$/.exec(text) ?? []
  if (blocks !== '') {
    const isIn = listed(blocks).some((block) => isInBlock(block, ip)) && !(except && listed(except).some((block) => isInBlock(block, ip)))
    return isIn !== (isNot !== undefined)
  }
  const [, tag, rest = ''] = /^(?:tag (\w+)|resource name) (.*)$/.exec(text) ?? []
  if (rest === '') throw new Error(`not understood: ${text}`)
  return readTexts(rest, tag === undefined ? name : tags[tag])
}

/** Parts that all hold, of which each begins with what it is about. */
const readSituation = (text: string, facts: Facts) =>
  text.split(/, (?=tag |resource name |from |not from )/).every((part) => readPart(part, facts))
const readAny = (text: string, facts: Facts) => text.split('; or ').some((each) => readSituation(each, facts))

function readWords(text: string, facts: Facts): boolean {
  if (text === 'never') return false
  const [, always] = /^always except (.*)$/.exec(text) ?? []
  if (always !== undefined) return !readAny(always, facts)
  const [some = '', except] = text.split('; except ')
  return readAny(some, facts) && !(except !== undefined && readAny(except, facts))
}

test('conditions in words hold where the condition does', () => {
  const random = randomOf(401)
  const seen = { read: 0, written: 0, never: 0, except: 0, neither: 0 }
  const all: readonly Facts[] = [undefined, ...texts].flatMap((env) =>
    addresses.flatMap((ip) =>
      ['a', 'ab', 'b'].flatMap((name) =>
        [undefined, 'a', 'b'].map((k) => ({ ip, name, tags: { ...(env !== undefined && { env }), ...(k !== undefined && { k }) } })),
      ),
    ),
  )
  for (let i = 0; i < effort(20_000, 200); i++) {
    const condition = someCondition(random, 2)
    const [policy] = shortWorld([{ who: ['user:a/u'], allow: ['p:x:a'], when: condition }]).policies
    if (!policy?.condition) continue
    const words = conditionWords(formulaOf(policy.condition))
    // A condition without a short form is printed as it is written.
    if (words?.includes('`resource.') || words?.includes('`request.')) {
      seen.written++
      continue
    }
    seen.read++
    if (words === 'never') seen.never++
    if (words?.includes('except')) seen.except++
    if (words?.includes('neither')) seen.neither++
    const wrong = all.filter((facts) => (words === undefined || readWords(words, facts)) !== plainHolds(condition, facts))
    expect(wrong.slice(0, 1), `${words}\n${JSON.stringify(condition)}`).toEqual([])
  }
  expect(seen.read).toBeGreaterThan(seen.written)
  expect(seen.never * seen.except * seen.neither).toBeGreaterThan(0)
})
