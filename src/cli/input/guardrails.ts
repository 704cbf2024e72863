import type { Catalogue } from '../../actions/catalogue.ts'
import type { LintConfig } from '../../lint/config.ts'
import type { ConditionWords } from '../../lint/guardrails.ts'
import type { Settings } from '../../names.ts'
import type { Facts } from '../../parser/policy.ts'
import { refuseAll } from '../output/diagnostics.ts'

const haveGuardrails = (configs: readonly LintConfig[]) => configs.some(({ guardrails = [] }) => guardrails.length > 0)

/** Refuse guardrails that name what is not known. */
export async function checkGuardrails(
  configs: readonly LintConfig[],
  { facts, ...known }: { readonly catalogue: Catalogue; readonly settings: Settings; readonly facts: readonly Facts[] },
): Promise<void> {
  if (!haveGuardrails(configs)) return
  const [{ guardrailProblems }, { buildWorld }] = await Promise.all([import('../../lint/guardrails.ts'), import('../../parser/world.ts')])
  refuseAll(guardrailProblems(configs, { ...known, world: buildWorld(facts).world }))
}

/** How findings of guardrails say conditions, from an instant on; nothing where there are no guardrails. */
export async function wordsFor(configs: readonly LintConfig[], from: number): Promise<{ readonly words?: ConditionWords }> {
  if (!haveGuardrails(configs)) return {}
  const { conditionPhrase, conditionTexts } = await import('../../report/conditions.ts')
  const texts = conditionTexts({ from })
  return {
    words: (formula) => {
      const text = texts(formula)
      return text === undefined ? undefined : conditionPhrase(text)
    },
  }
}
