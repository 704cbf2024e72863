import { groupedBy } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { Written } from './condition.ts'
import type { Cell, Fact } from './facts.ts'

/** The version of the format that is written, and the newest that is read. */
export const formatVersion = 1

/** The key that a lockfile begins with. */
export const formatKey = 'grantwise-lock'

const header = `# What the policies allow, written by \`grantwise lock\` for review.
# Not to be edited: change the policies and run it again.
${formatKey}: ${formatVersion}
`

/** Facts that differ in nothing but identities, resources and actions, written as one policy. */
interface Block {
  readonly effect: Cell['effect']
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  readonly actions: readonly string[]
  readonly except: readonly string[]
  readonly cell: Cell
}

/** The facts as a lockfile: the same facts, in any order, give the same text. */
export function lockText(cells: readonly Cell[]): string {
  const blocks = blocksOf(cells)
  return `${header}policies:${blocks.length === 0 ? ' []\n' : `\n${blocks.map(blockText).join('')}`}`
}

/** First the actions of each identity and resource, then the resources with the same actions, then the identities with these. */
function blocksOf(cells: readonly Cell[]): readonly Block[] {
  const single = cells.flatMap((cell) =>
    gathered(
      cell.facts,
      ({ except }) => keyOf(except.map(({ text }) => text)),
      (facts: readonly Fact[]): Block => ({
        effect: cell.effect,
        identities: [cell.identity.text],
        resources: [cell.resource.text],
        actions: sorted(facts.map(({ action }) => action.text)),
        except: (facts[0] as Fact).except.map(({ text }) => text),
        cell,
      }),
    ),
  )
  const rest = ({ effect, actions, except, cell: { when, until } }: Block) => [effect, actions, except, when.key, until?.at]
  const byResources = gathered(
    single,
    (block) => JSON.stringify([block.identities, ...rest(block)]),
    (blocks): Block => ({ ...(blocks[0] as Block), resources: sorted(blocks.flatMap(({ resources }) => resources)) }),
  )
  const byIdentities = gathered(
    byResources,
    (block) => JSON.stringify([block.resources, ...rest(block)]),
    (blocks): Block => ({ ...(blocks[0] as Block), identities: sorted(blocks.flatMap(({ identities }) => identities)) }),
  )
  return byIdentities
    .map((block) => ({ block, order: [...block.identities, '', ...block.resources, '', JSON.stringify(rest(block))].join('\n') }))
    .sort((a, b) => compareText(a.order, b.order))
    .map(({ block }) => block)
}

function sorted(strings: readonly string[]): readonly string[] {
  return [...new Set(strings)].sort(compareText)
}

function gathered<T, R>(items: readonly T[], keyOf: (item: T) => string, make: (items: readonly T[]) => R): R[] {
  return [...groupedBy(items, keyOf).values()].map(make)
}

const names: Readonly<Record<Cell['effect'], string>> = { allow: 'allow', deny: 'deny', group: 'permissions group' }

function blockText({ effect, identities, resources, actions, except, cell: { when, until } }: Block): string {
  const list = (key: string, strings: readonly string[], item: string, indent = '    ') =>
    strings.length === 0 ? '' : `${indent}${key}:\n${strings.map((text) => `${indent}  - ${item}${scalar(text)}\n`).join('')}`
  const permissions =
    effect === 'group'
      ? list('permissionsGroups', actions, 'urn: ')
      : `    permissions:\n${list(effect, actions, 'action: ', '      ')}${list('except', except, 'action: ', '      ')}`
  return [
    `  - name: ${names[effect]}\n`,
    list('identities', identities, ''),
    list('resources', resources, 'urn: '),
    permissions,
    ...(when.condition ? [`    conditions:\n${conditionText(when.condition, '      ')}`] : []),
    ...(until ? [`    expiredAt: ${scalar(until.text)}\n`] : []),
  ].join('')
}

function conditionText(condition: Written, indent: string): string {
  if (condition.operator === 'as written') return `${indent}${flow(condition.value)}\n`
  const operator = `${indent}operator: ${condition.operator}\n`
  if (condition.operator === 'MATCH') {
    const lines = condition.values.map(([key, value]) => `${indent}  ${scalar(key)}: ${scalar(value)}\n`)
    return `${operator}${indent}values:\n${lines.join('')}`
  }
  const items = condition.conditions.map((each) => `${indent}  - ${conditionText(each, `${indent}    `).trimStart()}`)
  return `${operator}${indent}conditions:\n${items.join('')}`
}

/** A value in one line, as JSON: what is not understood is not laid out. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, of]) => `${quoted(key)}: ${flow(of)}`)
      .join(', ')}}`
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
}

/** Strings that are safe without quotes: no keyword of YAML, no number, nothing that begins or ends with one of its signs. */
const isPlain = /^[A-Za-z/][A-Za-z0-9_./:@+*()-]*$/
const ownWords = /^(?:null|true|false|yes|no|on|off|y|n)$/i

/** A string as a scalar of YAML: without quotes where it is safe. */
export function scalar(text: string): string {
  return isPlain.test(text) && !ownWords.test(text) && !text.endsWith(':') && text.length < 1_000 ? text : quoted(text)
}

/** A string in double quotes; all but letters, digits and printable ASCII are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e\p{L}\p{Nd}]/gu, (character) =>
    Array.from(character.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  )
}
