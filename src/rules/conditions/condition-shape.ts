import { nearest } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { writtenConditions } from '../support/conditions.ts'
import { replacement } from '../support/fixes.ts'
import { didYouMean, quote } from '../support/text.ts'
import { countWritten, keyNode, nodeAt } from '../support/written.ts'

const operators = ['MATCH', 'AND', 'OR', 'NOT']
const always: Readonly<Record<string, string>> = { AND: 'always holds', OR: 'never holds', NOT: 'always holds' }

/** How deep conditions may be nested. */
const deepest = 3

export const conditionShape: Rule = {
  code: 'condition-shape',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A condition with an invalid or ineffective structure.',
  why:
    'A condition is either `MATCH` with `values`, or `AND`, `OR` or `NOT` with nested `conditions`; operators are in capitals. A ' +
    'mixture of both, or any other operator, cannot be evaluated. An empty condition always or never holds, so it restricts nothing or ' +
    'everything. Conditions can be nested three levels deep.',
  needs: 'condition',
  *policy(policy) {
    for (const { node, depth } of writtenConditions(policy)) {
      const operator = nodeAt(node, 'operator')
      if (operator?.kind !== 'text') continue
      const name = operator.value
      const values = countValues(nodeAt(node, 'values'))
      const children = countWritten(node, 'conditions')
      const keyOrOperator = (key: string) => keyNode(node, key) ?? operator
      if (depth === deepest + 1) {
        yield {
          span: operator,
          severity: 'warning',
          message: `conditions are nested more than ${deepest} levels deep`,
          help: 'flatten them, or split the policy',
        }
      }
      if (!operators.includes(name)) {
        const suggested = nearest(name, operators)
        yield {
          span: operator,
          message: `unknown operator ${quote(name)}: expected \`MATCH\`, \`AND\`, \`OR\` or \`NOT\``,
          ...(suggested !== undefined && { help: didYouMean(suggested) }),
          ...replacement(operator, suggested, false),
        }
      } else if (name === 'MATCH') {
        if (children > 0) {
          yield {
            span: keyOrOperator('conditions'),
            message: '`MATCH` cannot contain conditions',
            help: 'combine them with `AND`, and put the values in a separate `MATCH`',
          }
        } else if (values === 0) {
          yield {
            span: operator,
            severity: 'warning',
            message: '`MATCH` without values always holds: it restricts nothing',
            help: 'add `values`, or remove the condition',
          }
        }
      } else if (values > 0) {
        yield { span: keyOrOperator('values'), message: `\`${name}\` cannot have values`, help: 'put them in a `MATCH` under `conditions`' }
      } else if (children === 0) {
        yield {
          span: operator,
          severity: 'warning',
          message: `\`${name}\` without conditions ${always[name]}`,
          help: 'add `conditions`, or remove it',
        }
      }
    }
  },
}

function countValues(node: ReturnType<typeof nodeAt>): number {
  return node?.kind === 'map' ? node.entries.length : 0
}
