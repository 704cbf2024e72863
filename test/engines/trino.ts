import { join } from 'node:path'
import { dialects } from '../../src/warehouse/dialects.ts'
import { emptyTable, inserts } from '../../src/warehouse/script.ts'
import { awaited, start } from './child.ts'
import type { Connection, Row } from './engine.ts'
import { needed, pathOf, places } from './places.ts'

/** A page of an answer, as the server's protocol has it. */
interface Page {
  readonly nextUri?: string
  readonly columns?: readonly { readonly name: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message: string }
}

const headers = { 'X-Trino-User': 'test', 'X-Trino-Catalog': 'memory', 'X-Trino-Schema': 'default' }

async function all(address: string, sql: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  let response = await fetch(`${address}/v1/statement`, { method: 'POST', headers, body: sql })
  for (;;) {
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    const { error, columns = [], data = [], nextUri } = (await response.json()) as Page
    if (error) throw new Error(error.message)
    rows.push(...data.map((values) => Object.fromEntries(columns.map(({ name }, i) => [name, values[i]]))))
    if (nextUri === undefined) return rows
    response = await fetch(nextUri, { headers })
  }
}

/** A server of its own, asked over HTTP. */
export async function trino(): Promise<Connection> {
  const options = [
    '-Xmx2g',
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '--add-opens=java.base/java.nio=ALL-UNNAMED',
    '-cp',
    join(places().trino, '*'),
    pathOf('Trino.java'),
  ]
  const server = start(needed(places().java), options)
  const address = await awaited(server, /address (http:\S+)/)
  const ask = (sql: string) => all(address, sql)
  return {
    all: ask,
    load: async (table, columns, rows) => {
      for (const statement of emptyTable(table, columns, dialects.trino)) await ask(statement)
      const values = rows.map((row) => columns.map(([name]) => (row[name] ?? null) as string | number | null))
      for (const statement of inserts(table, columns, values, dialects.trino)) await ask(statement)
    },
    close: server.close,
  }
}
