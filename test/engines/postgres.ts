import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Client, types } from 'pg'
import { awaited, start } from './child.ts'
import type { Connection, Row } from './engine.ts'
import { needed, places } from './places.ts'

type Ask = (sql: string, values?: string[]) => Promise<readonly Row[]>

/** Tables by way of one JSON text, which no value gets out of. */
const loadBy =
  (ask: Ask): Connection['load'] =>
  async (table, columns, rows) => {
    await ask(`DROP TABLE IF EXISTS ${table} CASCADE`)
    await ask(`CREATE TABLE ${table} (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`)
    await ask(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [JSON.stringify(rows)])
    await ask(`ANALYZE ${table}`)
  }

/** Postgres as WebAssembly, within the process. */
export async function pglite(): Promise<Connection> {
  const database = await PGlite.create()
  const ask: Ask = async (sql, values) => (await database.query<Row>(sql, values)).rows
  return { all: ask, load: loadBy(ask), close: () => database.close() }
}

/** The user who runs the server: it refuses the superuser. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** Starts a server in a folder, and stops it when its own input ends. */
const untilInputEnds = '"$@" 2>&1 & server=$!; cat >/dev/null; kill -INT $server; wait $server'

/** The client gives long integers (the type of number 20) as texts. */
const getTypeParser: typeof types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  id === 20 ? Number : types.getTypeParser(id, format as 'text')

/** Debian's Postgres: a cluster of its own that sorts as users read, on a socket. */
export async function postgres(): Promise<Connection> {
  // The folder of the tests' temporary files is theirs alone, and the path of a socket is short.
  const folder = mkdtempSync('/tmp/grantwise-postgres-')
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const cluster = [
    '--pgdata',
    data,
    '--username=test',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--locale-provider=icu',
    '--icu-locale=en-US',
  ]
  execFileSync(needed(places().initdb), [...cluster, '--auth=trust', '--no-sync'], { ...user, stdio: ['ignore', 'ignore', 'inherit'] })
  const settings = { listen_addresses: '', unix_socket_directories: folder, fsync: 'off' }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = start('sh', ['-c', untilInputEnds, 'sh', needed(places().postgres), '-D', data, ...options], user)
  await awaited(server, /(ready to accept)/)
  const client = new Client({ host: folder, user: 'test', database: 'postgres', types: { getTypeParser } })
  await client.connect()
  const ask: Ask = async (sql, values) => (await client.query<Record<string, unknown>>(sql, values)).rows
  return {
    all: ask,
    load: loadBy(ask),
    close: async () => {
      await client.end()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
