import { rules } from '../rules/index.ts'

/** Whether a page of the documentation explains a code. */
export function isRuleCode(code: string): boolean {
  return rules.some((rule) => rule.code === code)
}
