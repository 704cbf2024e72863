import { type Child, start } from './child.ts'
import type { Connection, Row } from './engine.ts'
import { pathOf, places } from './places.ts'

/** Engines of Python's, in a process of their own: `driver.py`. */

const driver = (name: string): Child => start(places().python, [pathOf('driver.py'), name])

/** One request at a time. */
async function ask(child: Child, request: object): Promise<readonly Row[]> {
  child.write(JSON.stringify(request))
  const { rows, error }: { rows?: readonly Row[]; error?: string } = JSON.parse(await child.line())
  if (!rows) throw new Error(error)
  return rows
}

function connect(name: string): Connection {
  const child = driver(name)
  return {
    all: (sql) => ask(child, { sql }),
    load: async (table, columns, rows, { nullable = [] } = {}) => {
      await ask(child, { load: { table, columns, nullable, rows } })
    },
    close: child.close,
  }
}

export const clickhouse = async (): Promise<Connection> => connect('clickhouse')
export const spark = async (): Promise<Connection> => connect('spark')

/** A parser of the dialects of engines that run nowhere here. It fails where it does not understand a text. */
export function parser(): { readonly parse: (dialect: string, sql: string) => Promise<void>; readonly close: () => Promise<void> } {
  const child = driver('sqlglot')
  return {
    parse: async (dialect, sql) => {
      await ask(child, { dialect, sql })
    },
    close: child.close,
  }
}
