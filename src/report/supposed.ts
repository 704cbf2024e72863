import { titled } from '../policy.ts'
import type { Step } from '../simulate/supposed.ts'
import { prose } from './markdown.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { placeWords } from './words.ts'

/** The suppositions of an answer, a line each. `added`: the files that are read besides. */
export const supposedWords = (steps: readonly Step[], added: readonly string[], names: Names): readonly string[] => [
  ...added.map((path) => `with ${shown(path)}`),
  ...steps.map((step) => stepWords(step, names)),
]

function stepWords(step: Step, names: Names): string {
  if (step.kind === 'without') {
    const { name, address, span } = step.policy
    return `without policy \`${shown(titled(name.value, address))}\` (${placeWords(span)})`
  }
  if (step.kind !== 'tag') {
    const words = `${names.identity(step.identity)} is ${step.kind === 'joins' ? '' : 'not '}in ${names.identity(step.group)}`
    return step.wasSo ? `${words}, which changes nothing` : words
  }
  const { key, value, before } = step
  const resource = names.resource(step.resource)
  if (value === null)
    return `${resource} has no tag ${shown(key)}${before === null || before === undefined ? '' : `, instead of ${shown(before)}`}`
  const words = `${resource} has the tag ${shown(key)}=${shown(value)}`
  if (before === value) return `${words}, which changes nothing`
  if (before === undefined) return `${words} and no other: its tags are not described`
  return before === null ? words : `${words}, instead of ${shown(before)}`
}

export const circumstanceWords = ({ tag = [], ip }: { readonly tag?: readonly string[]; readonly ip?: string | undefined }) => [
  ...tag.map((text) => `every resource has the tag ${shown(text)}, whatever is described`),
  ...(ip === undefined ? [] : [`requests come from ${shown(ip)}`]),
]

export const supposedText = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `supposing:\n${lines.map((line) => `  ${line}\n`).join('')}\n`

export const supposedMarkdown = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `Supposing:\n\n${lines.map((line) => `- ${prose(line)}\n`).join('')}\n`

/** The same next to an answer for machines, on standard error. */
export const supposedNotes = (lines: readonly string[]): string => lines.map((line) => `grantwise: note: supposing: ${line}\n`).join('')
