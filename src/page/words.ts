import type { RiskCategory } from '../actions/sensitive.ts'
import type { Confidence } from '../symbolic/matrix.ts'
import type { PageData, Ref } from './data.ts'
import type { Certainty } from './reach.ts'

/** The words of the page that its files and tables for other programs use as well. */

/** The power of an identity with access to a sensitive category: in a sentence, and as a title. */
export const riskWords: Readonly<Record<RiskCategory, readonly [can: string, title: string]>> = {
  escalation: ['grant access or raise rights', 'Grant'],
  destruction: ['delete or end something', 'Delete'],
  spend: ['spend money', 'Pay'],
  credentials: ['get or set passwords and keys', 'Credentials'],
  exfiltration: ['take data out', 'Take data out'],
  exposure: ['open something to the outside', 'Expose'],
  audit: ['switch off logs or alarms', 'Hide traces'],
  tagging: ['change tags that policies look at', 'Tags'],
}

/** The order of categories, those asked for most often first. */
export const riskOrder = [
  'destruction',
  'spend',
  'escalation',
  'credentials',
  'exfiltration',
  'exposure',
  'audit',
  'tagging',
] as const satisfies readonly RiskCategory[]

/** How much harm access of a category can do: the colour that it has wherever it is shown. */
export const riskGrades: Readonly<Record<RiskCategory, RiskGrade>> = {
  destruction: 'high',
  escalation: 'high',
  credentials: 'high',
  spend: 'medium',
  exfiltration: 'medium',
  exposure: 'medium',
  audit: 'medium',
  tagging: 'low',
}
export type RiskGrade = (typeof grades)[number]
export const grades = ['high', 'medium', 'low'] as const

/** The highest grade of some categories; undefined for none. */
export function worstGrade(risks: Iterable<RiskCategory>): RiskGrade | undefined {
  const found = new Set([...risks].map((risk) => riskGrades[risk]))
  return grades.find((grade) => found.has(grade))
}

export const confidenceWords: Readonly<Record<Confidence, string>> = {
  always: 'in any case',
  sometimes: 'under conditions',
  perhaps: 'perhaps: it depends on facts that are not known',
}

/** How sure it is of an identity on all its resources. */
export const certaintyWords: Readonly<Record<Certainty, string>> = {
  ...confidenceWords,
  mixed: 'in any case on some, under conditions on others',
}

export const levelWords = { none: 'no access', read: 'read', write: 'change', all: 'everything' } as const

/** A condition in words; undefined for none. */
export function textAt({ texts }: PageData, when: Ref): string | undefined {
  return when < 0 ? undefined : texts[when]
}

/** A sentence that no identity can do something; weaker where it depends for some, and none where no resource was looked at. */
export const noIdentityCan = (can: string, perhaps: number, { resources }: Pick<PageData, 'resources'>): string =>
  resources.length === 0
    ? `No resource is described: this report does not show who can ${can}.`
    : `No identity in this report ${perhaps > 0 ? 'is known to be able to' : 'can'} ${can}.`

export const sentenceCase = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`
