import { type Glob, glob, matches } from '../glob.ts'
import { memoizeByText } from '../memo.ts'
import { defaultSettings } from '../names.ts'
import { type RiskCategory, riskCategories } from './risk-categories.ts'
import { sensitiveTable } from './sensitive-table.ts'
import { branded } from './unfold.ts'

export { type RiskCategory, riskCategories }

/** Actions that deserve a second look, and why. */
export interface SensitiveRow {
  /** Over whole action names. */
  readonly pattern: Glob
  readonly category: RiskCategory
  /** The damage, as the end of a sentence that begins with "with it". */
  readonly reason: string
}

/** The rows of a text, a pattern and a reason on each line, for a brand word: all, or those that are about a product. */
function rowsOf(text: string, brand: string, about?: string): readonly Omit<SensitiveRow, 'category'>[] {
  return text.split('\n').flatMap((line) => {
    const colon = line.indexOf(':')
    const product = branded(line.slice(0, colon), brand)
    if (about !== undefined && product !== about && product !== '*') return []
    const end = line.indexOf(' ')
    const path = branded(line.slice(colon + 1, end), brand)
    return [{ pattern: glob(`${product}:${path.includes(':') ? path : `api${brand}:${path}`}`), reason: line.slice(end + 1) }]
  })
}

/**
 * Every row of the table, for a brand word, in the order of the categories. `about`: only those for a product and for
 * every product.
 */
export function sensitiveRows(brand = defaultSettings.brand, about?: string): readonly SensitiveRow[] {
  return riskCategories.flatMap((category) =>
    rowsOf(sensitiveTable[category], brand, about).map((row): SensitiveRow => ({ ...row, category })),
  )
}

/** Patterns over whole action names that let an identity act as a resource, with the reason. */
export function controlRows(brand = defaultSettings.brand): readonly Omit<SensitiveRow, 'category'>[] {
  return rowsOf(sensitiveTable.control, brand)
}

/** One sensitive action of the catalogue. */
export interface SensitiveAction {
  readonly action: string
  readonly category: RiskCategory
  readonly reason: string
}

/** The sensitive ones among the actions, sorted by name: each under the first row that designates it. Reads are in only where a row names them. */
export function sensitiveAmong(actions: readonly string[], rows: readonly SensitiveRow[]): readonly SensitiveAction[] {
  // Most rows are about another product.
  const rowsFor = memoizeByText(
    (product: string) => product,
    (product) => rows.filter((row) => isFor(row, product)),
  )
  const out: SensitiveAction[] = []
  for (const action of actions) {
    const row = rowsFor(productOf(action)).find(
      ({ pattern }) => matches(pattern, action) && (!action.endsWith('/get') || pattern.text.endsWith('/get')),
    )
    if (row) out.push({ action, category: row.category, reason: row.reason })
  }
  return out
}

const productOf = (action: string) => action.slice(0, action.indexOf(':'))

/** Whether a row may be about actions of a product: it begins with its name, or with a wildcard. */
const isFor = ({ pattern: { text } }: SensitiveRow, product: string) => text.startsWith('*') || text.startsWith(`${product}:`)
