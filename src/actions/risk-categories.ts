/**
 * Kinds of damage that an action allows beyond its purpose. Each action has at most one: the first that names it, in the order of
 * this list, worst first.
 */
export const riskCategories = ['escalation', 'credentials', 'audit', 'exposure', 'exfiltration', 'tagging', 'spend', 'destruction'] as const
export type RiskCategory = (typeof riskCategories)[number]
