import { matches } from '../glob.ts'
import { memoizeByText } from '../memo.ts'
import { sensitiveRows } from './sensitive.ts'

/** How grave actions are, lowest first: wide patterns, then by the category of the risk, then what changes something, then what reads. */
export class RiskRanking {
  private readonly tables = memoizeByText((brand: string) => brand, sensitiveRows)

  readonly of = memoizeByText(
    (action: string) => action,
    (action) => {
      if (/(?:^|:)\*$/.test(action)) return 0
      if (action.endsWith('/get')) return reading
      const brand = /:api(\w+):/.exec(action)?.[1]
      const table = brand === undefined ? [] : this.tables(brand)
      const row = table.findIndex(({ pattern }) => matches(pattern, action))
      return row < 0 ? changing : 1 + row / table.length
    },
  )

  ordered(actions: readonly string[]): readonly string[] {
    return actions.length < 2 ? actions : actions.toSorted((a, b) => this.of(a) - this.of(b))
  }

  ofAll(actions: readonly string[]): number {
    return actions.reduce((least, action) => Math.min(least, this.of(action)), reading)
  }
}

const [changing, reading] = [2, 3]
