import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Catalogue } from '../../actions/catalogue.ts'
import type { CodeSubject } from '../../answers/code.ts'
import type { CallContext } from '../../calls/judge.ts'
import { routesOf } from '../../calls/match.ts'
import { codeEndings, codeLanguageOf, codeLimits, foreignFolders } from '../../code/languages.ts'
import { Operations } from '../../code/lookup.ts'
import { type CodeNeeds, needsOfCode } from '../../code/needs.ts'
import { type CodeFile, type CodeReading, readCode } from '../../code/read.ts'
import { sourceOf } from '../../source.ts'
import { limits } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { tooMany } from './files.ts'
import { catalogueFor, operationsFor } from './known.ts'
import { decode, isShellScript, kindOf, type RefusedKind, readBytes, refusals, tooLarge } from './read-file.ts'
import { searchFor, walkFolder } from './walk.ts'

/** The files of a program. */
export interface CodeFiles {
  /** As they were given. */
  readonly name: string
  readonly files: readonly CodeFile[]
  readonly unread: CodeSubject['unread']
  readonly passed: CodeSubject['passed']
}

/** The actions that running a program needs, and how much of it was looked at. */
export interface NeedsOfCode extends CodeNeeds {
  readonly subject: CodeSubject
}

/** Whether a path names a file of a program. */
export function isCodeFile(path: string, io: Pick<Io, 'cwd'>): boolean {
  if (path === '-') return false
  return codeLanguageOf(path) !== undefined || (kindOf(path, io.cwd) === 'file' && isShellScript(resolve(io.cwd, path)))
}

/** Whether a folder holds a configuration of Terraform, itself. */
export function holdsConfiguration(folder: string): boolean {
  return readdirSync(folder).some((each) => /\.(?:tf|tofu)(?:\.json)?$/.test(each))
}

/** The files of a program, from files, folders and patterns. Throws a refusal for what cannot be read where it is named. */
export async function codeFiles(option: string, paths: readonly string[], io: Io): Promise<CodeFiles> {
  const byFile = new Map<string, { readonly path: string; readonly isNamed: boolean }>()
  const passed: { path: string; reason: string }[] = []
  const unread: { path: string; reason: string }[] = []
  for (const path of paths) {
    const kind = kindOf(path, io.cwd)
    const file = resolve(io.cwd, path)
    if (kind === 'file') {
      if (!isCodeFile(path, io))
        throw new Refusal(`${option} ${path}: not source code, as its name ends`, `files that end in ${codeEndings} are read`)
      byFile.set(file, { path: displayPath(file, io.cwd), isNamed: true })
      continue
    }
    const search = await searchFor(path, kind, io.cwd)
    if (!search) throw new Refusal(`${option} ${path}: ${refusals[kind as RefusedKind]}`)
    const foreign = new Set<string>()
    const walk = walkFolder(
      {
        ...search,
        holds: 'source code',
        isOwn: () => false,
        notation: (name) => (codeLanguageOf(name) !== undefined || !basename(name).includes('.') ? 'shell' : undefined),
        wants: (inner) => {
          const words = inner.split('/')
          const folderIndex = words.findIndex((word, i) => i < words.length - 1 && (foreignFolders as readonly string[]).includes(word))
          if (folderIndex >= 0) foreign.add(words.slice(0, folderIndex + 1).join('/'))
          return folderIndex < 0 && search.wants(inner)
        },
      },
      io,
    )
    if (walk.files.length > limits.files) throw new Refusal(`${option} ${path}: ${tooMany.message}`)
    const top = displayPath(search.top, io.cwd)
    const prefix = top === '.' ? '' : `${top}/`
    for (const folder of foreign) passed.push({ path: `${prefix}${folder}/`, reason: 'packages of others' })
    for (const { path: inner, reason } of walk.passed) passed.push({ path: inner, reason })
    for (const { path: inner, message } of walk.problems) unread.push({ path: inner, reason: message })
    for (const each of walk.files)
      if (codeLanguageOf(each.path) !== undefined || isShellScript(each.file)) byFile.set(each.file, { path: each.path, isNamed: false })
  }
  const files: CodeFile[] = []
  let total = 0
  for (const [file, { path, isNamed }] of [...byFile].sort(([, a], [, b]) => (a.path < b.path ? -1 : 1))) {
    const read = readBytes(file, codeLimits.length)
    const failed = (reason: string) => {
      if (isNamed) throw new Refusal(`${option} ${path}: ${reason}`)
      unread.push({ path, reason })
    }
    if (!read.bytes) failed(read.message)
    else if (total + read.bytes.length > limits.total)
      unread.push({ path, reason: `together, ${tooLarge(total + read.bytes.length, limits.total)}` })
    else {
      total += read.bytes.length
      io.record?.note(path, 'part', read.bytes)
      const { text = read.bytes.includes(0) ? undefined : read.bytes.toString('latin1'), message } = decode(read.bytes)
      const language = codeLanguageOf(path) ?? 'shell'
      if (text === undefined) failed(message ?? '')
      else files.push({ source: sourceOf(path, text, 'json'), language })
    }
  }
  return { name: paths.join(', '), files, unread, passed: passed.sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** The calls of a program. */
export async function callsOfCode(
  files: CodeFiles,
  config: Config,
  io: Io,
): Promise<{ readonly reading: CodeReading; readonly operations: Operations; readonly catalogue: Catalogue }> {
  const catalogue = await catalogueFor(config, io)
  const operations = new Operations(routesOf(await operationsFor(config, io)), catalogue)
  return { reading: readCode(files.files, operations, config.settings.brand), operations, catalogue }
}

/** The actions that the calls of a program need. `about`: who runs it. */
export async function needsOfFiles(
  files: CodeFiles,
  about: Pick<CallContext, 'identity' | 'context'>,
  config: Config,
  io: Io,
): Promise<NeedsOfCode> {
  const { reading, operations, catalogue } = await callsOfCode(files, config, io)
  const codeNeeds = needsOfCode(reading.calls, operations.routes, catalogue, { ...about, resources: [], actions: [] })
  const { name, unread, passed } = files
  const subject: CodeSubject = { name, files: reading.files, unread, passed, others: reading.others, seen: catalogue.seen }
  return { ...codeNeeds, gaps: [...reading.gaps, ...codeNeeds.gaps], subject }
}
