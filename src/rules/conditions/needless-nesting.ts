import { hoist } from '../../edits.ts'
import { withFix } from '../../texts.ts'
import { field, type MapNode, type Node } from '../../tree.ts'
import type { Rule } from '../rule.ts'
import { writtenConditions } from '../support/conditions.ts'

export const needlessNesting: Rule = {
  code: 'needless-nesting',
  section: 'conditions',
  severity: 'info',
  preset: 'auditor',
  precision: 'very-high',
  fixes: ['safe'],
  summary: 'A condition with needless levels of nesting.',
  why:
    '`AND` and `OR` over a single condition, and `NOT` over a single `NOT`, have no effect. Each needless level makes changes riskier, ' +
    'and conditions can only be nested a few levels deep.',
  *policy(policy) {
    for (const { node } of writtenConditions(policy)) {
      const operator = field(node, 'operator')
      const child = onlyChild(node)
      if (operator?.kind !== 'text' || !child) continue
      const inner = field(child, 'operator')
      const innermost = onlyChild(child)
      if (operator.value === 'AND' || operator.value === 'OR')
        yield {
          span: operator,
          message: `\`${operator.value}\` over a single condition has no effect`,
          help: 'replace it with the condition',
          ...withFix('replace it with the condition', true, hoist(node, child)),
        }
      else if (operator.value === 'NOT' && inner?.kind === 'text' && inner.value === 'NOT' && innermost)
        yield {
          span: operator,
          message: '`NOT` over a single `NOT` has no effect',
          help: 'replace it with the innermost condition',
          ...withFix('replace it with the innermost condition', true, hoist(node, innermost)),
        }
    }
  },
}

function onlyChild(node: MapNode): MapNode | undefined {
  const children: Node | undefined = field(node, 'conditions')
  const [only] = children?.kind === 'list' && children.items.length === 1 ? children.items : []
  return only?.kind === 'map' ? only : undefined
}
