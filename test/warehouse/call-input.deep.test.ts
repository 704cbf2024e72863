import { describe, expect, test } from 'vitest'
import { callInput } from '../../src/warehouse/call-input.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { dialectNames } from '../../src/warehouse/sql-text.ts'
import { opened } from '../engines/opened.ts'
import { callInputTests, table, yaml } from '../support/call-input.ts'

describe.each(['duckdb', 'pglite'] as const)('%s', (name) => callInputTests(opened(name)))

test.each(dialectNames)('statements of %s have the names of the log in its quotes', (name) => {
  const { mapping } = yaml('source: my.log\ncolumns: {identity: user.arn, method: \'"a`b"\', path: order}\nkeep: [status]')
  const { statements, given } = callInput(mapping as NonNullable<typeof mapping>, dialects[name], { table, calls: 'gw_call' })
  const first = statements.map(({ sql }) => sql).join('\n')
  const { quote } = dialects[name]
  const inside = name === 'bigquery' ? 'a\\`b' : quote === '`' ? 'a``b' : 'a`b'
  for (const part of [
    `c.${quote}user${quote}.${quote}arn${quote}`,
    `c.${quote}${inside}${quote}`,
    `FROM ${quote}my${quote}.${quote}log${quote} c`,
  ])
    expect(first).toContain(part)
  expect(given.size).toBe(0)
})
