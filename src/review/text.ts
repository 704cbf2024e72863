import { reviewKey } from '../hidden.ts'
import { scalar } from '../lock/text.ts'
import type { Decision, OpenRow, Review, Value } from './model.ts'

/** The version of the format that is written, and the newest that is read. */
export const formatVersion = 1

const header = `# A review of access, written by \`grantwise review\`.
# Under \`open\`, fill in \`decision\` (keep, remove, shorten, ask) and \`by\`; for shorten also \`until\`, the last day.
# Then run \`grantwise review\` again: it moves what is filled in to \`decisions\`. These are not to be edited: their hashes say so.
${reviewKey}: ${formatVersion}
`

type Fields = readonly (readonly [key: string, value: Value | undefined])[]

/** A review as a file: the same review gives the same text. */
export function reviewText({ round, due, owners, open, decisions, chain }: Review): string {
  return [
    header,
    lines([
      ['round', round],
      ['due', due],
      ['owners', owners.length > 0 ? owners.map(({ policies, owner }) => ({ policies, owner })) : undefined],
    ]),
    list('open', open.map(rowFields)),
    list('decisions', decisions.map(decisionFields)),
    lines([['chain', chain]]),
  ].join('')
}

/** Fields that are to be filled in are there, without a value. */
function rowFields({
  policy,
  file,
  identity,
  owner,
  access,
  used,
  since,
  previous,
  changed,
  decision,
  until,
  by,
  date,
  reason,
}: OpenRow): Fields {
  return [
    ['policy', policy],
    ['file', file],
    ['identity', identity],
    ['owner', owner],
    ['access', access],
    ['used', used],
    ['since', since],
    ['previous', previous],
    ['changed', changed],
    ['decision', decision ?? null],
    ['until', until],
    ['by', by ?? null],
    ['date', date],
    ['reason', reason],
  ]
}

function decisionFields(each: Decision): Fields {
  const { policy, file, identity, owner, access, decision, until, by, date, reason, round, lock, hash } = each
  return [
    ['policy', policy],
    ['file', file],
    ['identity', identity],
    ['owner', owner],
    ['access', access],
    ['decision', decision],
    ['until', until],
    ['by', by],
    ['date', date],
    ['reason', reason],
    ['round', round],
    ['lock', lock],
    ['hash', hash],
  ]
}

function list(key: string, items: readonly Fields[]): string {
  if (items.length === 0) return `${key}: []\n`
  return `${key}:\n${items.map((fields) => asItem(lines(fields, '    '), '    ')).join('')}`
}

/** Lines of an indented map as an item of a list. */
function asItem(text: string, indent: string): string {
  return `${indent.slice(2)}- ${text.slice(indent.length)}`
}

/** The fields of a map in block style; those that are undefined are left out. */
function lines(fields: Fields, indent = ''): string {
  return fields.map(([key, value]) => (value === undefined ? '' : field(scalar(key), value, indent))).join('')
}

function field(key: string, value: Value, indent: string): string {
  if (value === null) return `${indent}${key}:\n`
  if (typeof value !== 'object') return `${indent}${key}: ${scalarOf(value)}\n`
  const inner = `${indent}  `
  const items: readonly string[] = Array.isArray(value)
    ? value.map((item: Value) => listItem(item, `${inner}  `))
    : Object.entries(value).map(([name, part]) => field(scalar(name), part, inner))
  return items.length === 0 ? `${indent}${key}: ${Array.isArray(value) ? '[]' : '{}'}\n` : `${indent}${key}:\n${items.join('')}`
}

function listItem(item: Value, indent: string): string {
  const dash = `${indent.slice(2)}- `
  if (typeof item !== 'object' || item === null) return `${dash}${scalarOf(item)}\n`
  // A list in a list is in no access: JSON is YAML.
  if (Array.isArray(item)) return `${dash}${JSON.stringify(item)}\n`
  const entries = Object.entries(item)
  if (entries.length === 0) return `${dash}{}\n`
  return asItem(entries.map(([name, part]) => field(scalar(name), part, indent)).join(''), indent)
}

function scalarOf(value: string | number | boolean | null): string {
  return typeof value === 'string' ? scalar(value) : JSON.stringify(value)
}
