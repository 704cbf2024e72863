import type { LintConfig } from '../lint/config.ts'
import type { ConditionWords } from '../lint/guardrail-words.ts'

/** How findings of guardrails say conditions, from an instant on; nothing where there are no guardrails. */
export async function wordsFor(configs: readonly LintConfig[], from: number): Promise<{ readonly words?: ConditionWords }> {
  if (!configs.some(({ guardrails = [] }) => guardrails.length > 0)) return {}
  const { conditionPhrase, conditionTexts } = await import('./conditions.ts')
  const texts = conditionTexts({ from })
  const phrase = (words: string | undefined) => words && conditionPhrase(words)
  return { words: (formula) => phrase(texts(formula)) }
}
