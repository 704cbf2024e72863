import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import sqlite, { type Database } from 'node-sqlite3-wasm'
import type { Change, Store, StoredChange } from '../../emulator/model/ports.ts'
import { visible } from '../../names.ts'
import { writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { isProcessAlive, ownLine, processIn } from '../input/owner.ts'

/** Marks the file as one of ours: the letters `gwst`. */
const applicationId = 0x67777374
const formatVersion = 1

/**
 * Keep the state of the emulator in a file, an SQLite database. A commit is on the disk when it returns. One program has the file
 * at a time: a second one is refused, and a lock that a killed program left behind is taken over.
 *
 * `file`: absolute; `shown`: as users wrote it.
 */
export function openStateFile(file: string, shown: string): Store {
  const place = placeOf(file, shown)
  const release = own(place, shown)
  try {
    return openDatabase(place, shown, release)
  } catch (error) {
    release()
    if (error instanceof Refusal) throw error
    const space = spaceFault(place)
    throw new Refusal(`--state ${shown}: cannot be opened: ${space ?? reasonOf(error)}`, space === undefined ? otherFile : undefined)
  }
}

const otherFile = 'name a new file, or one that `grantwise serve` made'

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Why nothing more can be written behind the end of the file: no space, a quota, a limit on sizes. Undefined where it can.
 * The database says of each of these only that the disk failed.
 */
function spaceFault(file: string): string | undefined {
  const scratch = `${file}.${process.pid}.space`
  try {
    const fd = openSync(scratch, 'w', 0o600)
    try {
      // As much as a commit is likely to need, where the file itself would need it.
      writeSync(fd, Buffer.alloc(2 ** 16, 1), 0, 2 ** 16, statSync(file, { throwIfNoEntry: false })?.size ?? 0)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    return undefined
  } catch (error) {
    return writeFault((error as NodeJS.ErrnoException).code)
  } finally {
    rmSync(scratch, { force: true })
  }
}

/** The real path of the file: two programs that use two names of it detect each other. */
function placeOf(file: string, shown: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    // Two names of one file would have two journals: each program would take the other's changes for damage.
    if (stat?.isFile() && stat.nlink > 1)
      throw new Refusal(
        `--state ${shown}: the file has ${stat.nlink} names (hard links), and could be opened by each of them at the same time`,
        'remove the other names, or copy the file and name the copy',
      )
    if (stat?.isFile()) return realpathSync(file)
    if (stat) throw new Refusal(`--state ${shown}: ${stat.isDirectory() ? 'a folder' : 'a device or a pipe'}, expected a file`, otherFile)
    if (lstatSync(file, { throwIfNoEntry: false })) throw new Refusal(`--state ${shown}: a link that leads to nothing`, otherFile)
    return join(realpathSync(dirname(file)), basename(file))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`--state ${shown}: cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`)
  }
}

/** Refuse a file that is there and not ours, before anything of it is touched. */
function refuseOther(file: string, shown: string): void {
  if (!existsSync(file)) return
  const fd = openSync(file, 'r')
  const start = Buffer.alloc(headLength)
  const length = readSync(fd, start)
  closeSync(fd)
  if (length > 0 && start.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new Refusal(`--state ${shown}: not a file of \`grantwise serve\``, otherFile)
  if (length === headLength && start.readUInt32BE(idOffset) !== applicationId) throw foreignDatabase(shown)
}

/** Where the head of a database has the id of its program. */
const idOffset = 68
const headLength = 72

function foreignDatabase(shown: string): Refusal {
  return new Refusal(`--state ${shown}: a database of another program`, 'name another file')
}

function openDatabase(file: string, shown: string, release: () => void): Store {
  refuseOther(file, shown)
  // Who may read the file may read the secrets of applications. The journal holds parts of it.
  for (const each of [file, `${file}-journal`]) {
    closeSync(openSync(each, 'a', 0o600))
    chmodSync(each, 0o600)
  }
  const database = new sqlite.Database(file)
  try {
    prepare(database, shown)
  } catch (error) {
    database.close()
    throw error
  }
  function commit(changes: readonly Change[]): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const { kind, key, value } of changes) {
        if (value === undefined) database.run(remove, [kind, key])
        else database.run(write, [kind, key, JSON.stringify(value)])
      }
      database.exec('COMMIT')
    } catch (error) {
      // The fault may have rolled it back already.
      if (database.inTransaction) database.exec('ROLLBACK')
      throw new Error(spaceFault(file) ?? reasonOf(error))
    }
  }

  return {
    load: () => {
      try {
        return database.all('SELECT kind, key, value FROM records ORDER BY place').map(kept)
      } catch (error) {
        throw new Refusal(`--state ${shown}: the file is damaged: ${reasonOf(error)}`, 'take it from a copy, or name a new file')
      }
    },
    commit,
    close: () => {
      try {
        database.close()
      } finally {
        release()
      }
    },
  }
}

// Prepared anew for each change: one that failed would refuse the next change, with the same fault.
const write = 'INSERT INTO records (kind, key, value) VALUES (?, ?, ?) ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value'
const remove = 'DELETE FROM records WHERE kind = ? AND key = ?'

function kept(row: Readonly<Record<string, unknown>>): StoredChange {
  const { kind, key } = row
  const value: unknown = JSON.parse(String(row.value))
  if (typeof value !== 'object' || value === null) throw new Error(`a record of kind \`${visible(String(kind))}\` is none`)
  return { kind: String(kind), key: String(key), value }
}

/** Make a new file ours, or see that it is. */
function prepare(database: Database, shown: string): void {
  const number = (name: string) => Number(Object.values(database.get(`PRAGMA ${name}`) ?? {})[0])
  const isNew = number('schema_version') === 0
  if (!isNew && number('application_id') !== applicationId) throw foreignDatabase(shown)
  if (!isNew && number('user_version') !== formatVersion)
    throw new Refusal(`--state ${shown}: written by another version of the program`, 'name another file')
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL')
  if (!isNew) return
  database.exec(
    `BEGIN IMMEDIATE;
     PRAGMA application_id = ${applicationId};
     PRAGMA user_version = ${formatVersion};
     CREATE TABLE records (place INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (kind, key));
     COMMIT`,
  )
}

/**
 * Get exclusive use of the file. The database's own lock is a folder that a killed program leaves behind and that does not name
 * its owner; a file next to it names the process. Gives a function that releases it.
 */
function own(file: string, shown: string): () => void {
  const mine = ownLine()
  const owner = `${file}.owner`
  const claimFile = `${owner}.${process.pid}`
  let isTaken = false
  try {
    writeFileSync(claimFile, mine, { mode: 0o600 })
    for (let attempt = 0; !take(claimFile, owner); attempt++) {
      const other = readOwner(owner)
      if (attempt > 8 || (other !== undefined && isProcessAlive(other)))
        throw new Refusal(
          `--state ${shown}: process ${processIn(other)} has it`,
          `end that process, or name another file; where it is no \`grantwise serve\`, remove \`${shown}.owner\``,
        )
      if (other !== undefined) giveUp(owner, other, claimFile, file)
    }
    isTaken = true
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`--state ${shown}: cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`)
  } finally {
    removeClaim(claimFile, isTaken ? owner : undefined, shown)
  }
  if (existsSync(`${file}.lock`)) {
    rmSync(owner, { force: true })
    throw new Refusal(
      `--state ${shown}: \`${shown}.lock\` is there: another program has the file`,
      `end that program; where there is none, remove the folder \`${shown}.lock\``,
    )
  }
  return () => {
    try {
      if (readFileSync(owner, 'utf8') === mine) rmSync(owner)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') throw new Refusal(`--state ${shown}: \`${shown}.owner\` cannot be removed: ${writeFault(code)}`, 'remove it')
    }
  }
}

/** Remove the file that the claim was made of; where that fails, the claim goes as well: nothing is opened. */
function removeClaim(claimFile: string, claim: string | undefined, shown: string): void {
  try {
    rmSync(claimFile, { force: true })
  } catch (error) {
    if (claim !== undefined) rmSync(claim, { force: true })
    throw new Refusal(
      `--state ${shown}: \`${claimFile}\` cannot be removed: ${writeFault((error as NodeJS.ErrnoException).code)}`,
      'remove it',
    )
  }
}

/** A link is made by one process alone. */
function take(claimFile: string, owner: string): boolean {
  try {
    linkSync(claimFile, owner)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Take away what a dead process left: its lock and its claim. */
function giveUp(owner: string, dead: string, claimFile: string, file: string): void {
  const aside = `${claimFile}.dead`
  try {
    renameSync(owner, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = readOwner(aside)
  // Another one was quicker, and this is its claim: it is put back.
  if (moved !== dead) take(aside, owner)
  else if (existsSync(`${file}.lock`)) rmdirSync(`${file}.lock`)
  rmSync(aside, { force: true })
}

function readOwner(owner: string): string | undefined {
  try {
    return readFileSync(owner, 'utf8')
  } catch {
    return undefined
  }
}
