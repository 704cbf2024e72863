import type { Verdict } from '../simulate/decision.ts'

/** A verdict on a page: as the answer to a question, as the class of its colours, and as the verb of a sentence. */
interface VerdictWords {
  readonly word: string
  readonly tone: 'gained' | 'lost' | 'warning'
  readonly may: string
}

export const verdictWords: Readonly<Record<Verdict, VerdictWords>> = {
  allow: { word: 'Yes', tone: 'gained', may: 'may' },
  deny: { word: 'No', tone: 'lost', may: 'may not' },
  unknown: { word: 'It depends', tone: 'warning', may: 'may or may not' },
}
