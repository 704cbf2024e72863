import { groupedBy } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject } from '../memo.ts'
import { position, type Source, type Span } from '../source.ts'
import { CallFinder, type CodeCall, type CodeFindings, type CodeGap, type OtherCall, type Wrapper } from './calls.ts'
import type { ClientsElsewhere } from './clients.ts'
import { type CodeLanguage, codeLanguages, codeLimits } from './languages.ts'
import type { Operations } from './lookup.ts'
import { shellCalls } from './shell.ts'

/** A file of a program. */
export interface CodeFile {
  readonly source: Source
  readonly language: CodeLanguage
}

/** The calls of a program over all its files, and how much was looked at. */
export interface CodeReading {
  /** In the order of files and places, each once. */
  readonly calls: readonly CodeCall[]
  readonly gaps: readonly CodeGap[]
  /** Calls that are written alike, of paths that are none of the API. */
  readonly others: readonly OtherCall[]
  readonly files: readonly { readonly language: CodeLanguage; readonly count: number }[]
}

/** Without one of these, a text has no call that is found. */
const mayCall = (text: string, brand: string) =>
  /["'`]\/|:\/\/|\bcurl\b|["'`](?:GET|POST|PUT|DELETE|PATCH)["'`]/i.test(text) || text.toLowerCase().includes(brand)

/** Find the calls in the files of a program. Files that are too long must have been left out (`codeLimits.length`). */
export function readCode(files: readonly CodeFile[], operations: Operations, brand: string): CodeReading {
  const allFindings: CodeFindings[] = []
  const cut: CodeGap[] = []
  const note = (file: CodeFile, findings: CodeFindings) => {
    allFindings.push(findings)
    if (findings.isCut) cut.push(cutGap(file))
  }
  const wordsOf = memoizeByObject(({ source }: CodeFile) => new Set(source.text.match(/[\p{L}\p{N}_$]+/gu)))
  const clients = clientsOf(files, operations, brand)
  const clientsFor = (file: CodeFile) => clients.get(scopeOf(file))
  const holdsClient = (file: CodeFile) => {
    const names = clientsFor(file)
    if (!names) return false
    const words = wordsOf(file)
    return names.size < words.size ? [...names].some((name) => words.has(name)) : [...words].some((word) => names.has(word))
  }
  const byFile = new Map<CodeFile, CodeFindings>()
  for (const file of files) {
    if (!mayCall(file.source.text, brand) && !holdsClient(file)) continue
    const findings = findingsIn(file, operations, brand, clientsFor(file))
    byFile.set(file, findings)
    if (findings.isCut) cut.push(cutGap(file))
  }
  const reached = new Set<Wrapper>()
  let wrappers = [...byFile.values()].flatMap((each) => each.wrappers)
  const all: Wrapper[] = []
  for (let round = 0; round < codeLimits.wrappers && wrappers.length > 0; round++) {
    all.push(...wrappers)
    const byName = new Map([...groupedBy(wrappers, ({ name }) => name)].map(([name, same]) => [name, distinct(same)]))
    const next: Wrapper[] = []
    for (const file of files) {
      if (file.language === 'shell') continue
      const words = wordsOf(file)
      const names =
        words.size < byName.size ? [...words].filter((word) => byName.has(word)) : [...byName.keys()].filter((name) => words.has(name))
      if (names.length === 0) continue
      const finder = new CallFinder(file.source, file.language, operations, brand, clientsFor(file))
      // Names are clients by the calls of the program itself.
      finder.find()
      const through = finder.through(new Map(names.map((name) => [name, chosen(byName.get(name), file)])))
      for (const each of through.reached) reached.add(each)
      // The path is the one that the function makes of it, not the one that it is given.
      const places = new Set(through.places)
      const direct = byFile.get(file)
      if (direct && places.size > 0) byFile.set(file, without(direct, places))
      note(file, through)
      next.push(...through.wrappers)
    }
    wrappers = next
  }
  all.push(...wrappers)
  allFindings.unshift(...byFile.values())
  const isReached = new Set([...reached].map(keyOfWrapper))
  const uncalled = all.filter((each) => each.isSure && !reached.has(each) && !isReached.has(keyOfWrapper(each))).map(uncalledGap)
  const counts = codeLanguages.map((language) => ({ language, count: files.filter((file) => file.language === language).length }))
  return {
    calls: inOrder(allFindings.flatMap(({ calls }) => calls)),
    gaps: inOrder([...allFindings.flatMap(({ gaps }) => gaps), ...uncalled, ...cut]),
    others: inOrder(allFindings.flatMap(({ others }) => others)),
    files: counts.filter(({ count }) => count > 0),
  }
}

/** Functions with one name: those of each file, and some of those that differ. */
interface Named {
  readonly ofFiles: ReadonlyMap<Source, readonly Wrapper[]>
  readonly different: readonly Wrapper[]
}

function distinct(same: readonly Wrapper[]): Named {
  const different = [...new Map(same.map((each) => [keyOfWrapper(each), each])).values()]
  return { ofFiles: groupedBy(same, ({ at }) => at.source), different: different.slice(0, mostDifferent) }
}

/** More functions with one name are not looked at; those that no call reaches are not known. */
const mostDifferent = 16

const chosen = (named: Named | undefined, { source }: CodeFile): readonly Wrapper[] => named?.ofFiles.get(source) ?? named?.different ?? []

function keyOfWrapper({ name, language, methods = [], methodAt = -1, branch, text }: Wrapper): string {
  const path = text.map((part) => (typeof part === 'string' ? part : [part.name, part.parameter?.index ?? -1]))
  return keyOf(name, language, ...methods, String(methodAt), branch ?? '', JSON.stringify(path))
}

/** Findings without those at some places. */
function without(findings: CodeFindings, places: ReadonlySet<number>): CodeFindings {
  const isElsewhere = ({ at }: { readonly at: Span }) => !places.has(at.start)
  return {
    ...findings,
    calls: findings.calls.filter(isElsewhere),
    gaps: findings.gaps.filter(isElsewhere),
    others: findings.others.filter(isElsewhere),
  }
}

function findingsIn(
  { source, language }: CodeFile,
  operations: Operations,
  brand: string,
  elsewhere: ClientsElsewhere | undefined,
): CodeFindings {
  return language === 'shell'
    ? shellCalls(source, operations, brand)
    : new CallFinder(source, language, operations, brand, elsewhere).find()
}

/** Files that may have the names of each other: those of one language, and in Go those of one package. */
function scopeOf({ source, language }: CodeFile): string {
  const folder = language === 'Go' ? source.path.slice(0, source.path.lastIndexOf('/') + 1) : ''
  return keyOf(language === 'TypeScript' ? 'JavaScript' : language, folder)
}

/** The names of clients that files of a program share. */
function clientsOf(files: readonly CodeFile[], operations: Operations, brand: string): ReadonlyMap<string, ClientsElsewhere> {
  const clientsByScope = new Map<string, Set<string>>()
  if (files.length < 2) return clientsByScope
  for (const file of files) {
    if (file.language === 'shell' || !file.source.text.toLowerCase().includes(brand)) continue
    const names = new CallFinder(file.source, file.language, operations, brand).shared()
    const scope = scopeOf(file)
    const scopeClients = clientsByScope.get(scope) ?? new Set<string>()
    for (const name of names) scopeClients.add(name)
    if (scopeClients.size > 0) clientsByScope.set(scope, scopeClients)
  }
  return clientsByScope
}

function uncalledGap({ at, language, name, text, methods }: Wrapper): CodeGap {
  const path = text.map((part) => (typeof part === 'string' ? part : `{${part.name === '' ? '…' : part.name}}`)).join('')
  return {
    at,
    language,
    shown: `${methods?.join(' or ') ?? '{method}'} ${path}`,
    why: `\`${name}\` hands it on, and no call of it with a path was found`,
  }
}

function cutGap({ source, language }: CodeFile): CodeGap {
  return { at: { source, start: 0, end: 0 }, language, shown: source.path, why: 'there is more in this file than is looked at in one' }
}

/** By files and places, each once. */
function inOrder<T extends { readonly at: Span; readonly shown: string }>(all: readonly T[]): readonly T[] {
  const once = new Map(all.map((each) => [keyOf(each.at.source.path, String(each.at.start), each.shown), each]))
  return [...once.values()].sort(
    (a, b) => compareText(a.at.source.path, b.at.source.path) || a.at.start - b.at.start || compareText(a.shown, b.shown),
  )
}

/** Where a call is: `src/a.js:3:5`. */
export function placeOf({ source, start }: Span): string {
  const { line, column } = position(source, start)
  return `${source.path}:${line}:${column}`
}
