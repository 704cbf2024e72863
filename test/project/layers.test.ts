import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

/**
 * A file imports from its own folder and from the layers below, never sideways and never up: a lower layer knows nothing
 * of a higher one. Parts of the same layer do not know each other.
 */
const layers = [
  ['collections'],
  ['source', 'spelling', 'codes', 'zones', 'memo', 'keys', 'budget', 'version'],
  ['tree', 'glob', 'coverage'],
  ['names', 'nearest', 'hidden'],
  ['diagnostic', 'urn', 'actions', 'conditions'],
  ['policy', 'texts'],
  ['edits'],
  ['world', 'declared', 'unknown'],
  ['parser', 'simulate'],
  ['symbolic', 'calls', 'export', 'hcl'],
  ['escalation'],
  ['rules', 'suite', 'convert', 'sources', 'code'],
  ['lint', 'fmt', 'diff', 'lock', 'deployment'],
  ['propose', 'anonymise'],
  ['merge', 'history'],
  ['usage'],
  ['warehouse', 'review'],
  ['report'],
  ['answers'],
  ['ask', 'picture'],
  ['library'],
  ['page'],
  ['editor'],
  ['index', 'emulator', 'lsp', 'mcp'],
  ['web'],
  ['cli'],
  ['embed'],
] as const

/** The layers inside a part, from the lowest: each imports from those before it. */
const inside: Readonly<Record<string, readonly string[]>> = {
  cli: ['app', 'output', 'input', 'live', 'commands', 'programs', 'main'],
  emulator: ['model', 'auth', 'api', 'authzen', 'console', 'control', 'service', 'server'],
}

/** Parts that must not import each other though one is in a higher layer: a rule depends on policies, not on how they were read. */
const strangers: readonly (readonly [part: string, target: string])[] = [
  ['rules', 'parser'],
  ['rules', 'simulate'],
]

const root = new URL('../../src/', import.meta.url)
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
  .map((entry) => posix.join(posix.relative(root.pathname, entry.parentPath.replace(/\/?$/, '/')), entry.name))
  .sort()

/** The part of `src` that a file belongs to: its folder, or its own name at the top. */
const partOf = (file: string) => (file.split('/')[0] as string).replace(/\.[jt]s$/, '')
const layerOf = (part: string) => layers.findIndex((layer) => (layer as readonly string[]).includes(part))

function mayImport(part: string, target: string): boolean {
  if (part === target) return true
  return layerOf(target) < layerOf(part) && !strangers.some(([a, b]) => a === part && b === target)
}

/** Imports of a file, be it types or values, at the start or later. */
function importsOf(file: string): string[] {
  const text = readFileSync(new URL(file, root), 'utf8')
  const imports = /(?:^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?|\bimport\()\s*['"]([^'"\n]+)['"]/gm
  return [...text.matchAll(imports)].map((match) => match[1] as string)
}

/** The files that each file imports. */
const targets = new Map(
  files.map((file) => {
    const relative = importsOf(file).filter((target) => target.startsWith('.'))
    return [file, relative.map((target) => posix.join(posix.dirname(file), target))]
  }),
)
const targetsOf = (file: string) => targets.get(file) ?? []

test('the files are found, and what they import', () => {
  expect(files.length).toBeGreaterThan(80)
  expect(importsOf('simulate/reference.ts')).toContain('../glob.ts')
  expect(importsOf('parser/read.ts')).toContain('./yaml.ts')
})

test('every file belongs to a layer', () => {
  expect(files.filter((file) => layerOf(partOf(file)) < 0)).toEqual([])
})

test('CONTRIBUTING lists every part, in the order of the layers', () => {
  const table = /^\| part of `src`[\s\S]*?\n\n/m.exec(readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8'))?.[0] ?? ''
  const rows = table.trim().split('\n').slice(2)
  const listed = rows.map((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)(?:\.ts)?`/g)].map((match) => match[1] as string))
  expect(listed.flat().sort()).toEqual([...new Set(files.map(partOf))].sort())
  // From the lowest layer to the highest.
  const heights = listed.map((parts) => Math.max(...parts.map(layerOf)))
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
})

test('imports point downwards', () => {
  const wrong = files.flatMap((file) =>
    targetsOf(file)
      .filter((target) => !mayImport(partOf(file), partOf(target)))
      .map((target) => `${file} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test.each(Object.entries(inside))('inside `%s`, imports point downwards', (part, order) => {
  const height = (file: string) => order.indexOf((file.split('/')[1] as string).replace(/\.ts$/, ''))
  const own = files.filter((file) => partOf(file) === part)
  expect(own.filter((file) => height(file) < 0)).toEqual([])
  const wrong = own.flatMap((file) =>
    targetsOf(file)
      .filter((target) => partOf(target) === part && height(target) > height(file))
      .map((target) => `${file} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('no imports go in a circle, types included', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, above: readonly string[]): void => {
    const start = above.indexOf(file)
    if (start >= 0) circles.push([...above.slice(start), file].join(' -> '))
    if (start >= 0 || done.has(file)) return
    for (const target of targetsOf(file)) visit(target, [...above, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('unknown values are applied to problems of a text, to findings and to worlds, each in one file', () => {
  const applying = ['unknown/certain.ts', 'unknown/without-unknowns.ts']
  const users = files.filter((file) => targetsOf(file).some((target) => applying.includes(target)))
  expect(users).toEqual(['lint/assignments.ts', 'parser/read-open.ts', 'parser/world.ts'])
})

test.each(['report', 'answers'])('among the files of `%s` no imports are more than five files deep', (part) => {
  const depths = new Map<string, number>()
  const depthOf = (file: string, above: readonly string[]): number => {
    expect(above, 'a circle').not.toContain(file)
    const known = depths.get(file)
    if (known !== undefined) return known
    const own = targetsOf(file).filter((target) => partOf(target) === part)
    const depth = 1 + Math.max(0, ...own.map((target) => depthOf(target, [...above, file])))
    depths.set(file, depth)
    return depth
  }
  const found = files.filter((file) => partOf(file) === part).map((file) => depthOf(file, []))
  expect(found.length).toBeGreaterThan(10)
  expect(Math.max(...found)).toBeLessThanOrEqual(5)
})

/** All that a file imports, and what that imports. */
function reachedBy(entry: string): ReadonlySet<string> {
  const reached = new Set([entry])
  for (const file of reached) for (const target of targetsOf(file)) reached.add(target)
  return reached
}

test('no file of the emulator reaches itself', () => {
  const circles = files.filter((file) => partOf(file) === 'emulator' && targetsOf(file).some((target) => reachedBy(target).has(file)))
  expect(circles).toEqual([])
})

test('the library reaches no server, and the emulator no command', () => {
  expect([...reachedBy('index.ts')].filter((file) => ['emulator', 'cli', 'embed'].includes(partOf(file)))).toEqual([])
  expect(reachedBy('embed.ts')).toContain('emulator/server/http.ts')
  expect([...reachedBy('embed.ts')].filter((file) => file.startsWith('cli/commands/') || file === 'cli/main.ts')).toEqual([])
})

// covers: P5, P7, T27
test('only the command line and the server of the emulator know files, processes, the network and the clock', () => {
  // Code of a browser reaches what it reaches there.
  const outer = /^(?:cli|emulator\/server|web)\/|^embed\.ts$|^emulator\/console\/browser\.js$/
  const below = files.filter((file) => !outer.test(file))
  const wrong = below.flatMap((file) => {
    const text = readFileSync(new URL(file, root), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const outside = importsOf(file).filter((target) => target.startsWith('node:'))
    const reached = [
      /\bprocess\./,
      /\bDate\.now\b/,
      /\bnew Date\(\)/,
      /\bfetch\(/,
      /\bconsole\./,
      /\bperformance\./,
      /\bMath\.random\b/,
      /\bsetTimeout\b/,
    ].filter((word) => word.test(text))
    return [...outside, ...reached].map((what) => `${file}: ${what}`)
  })
  expect(wrong).toEqual([])
})

// covers: T15
test('no regular expression is built from text', () => {
  const wrong = files.filter((file) => /\bnew RegExp\((?!['"/])|\bRegExp\((?!['"/])/.test(readFileSync(new URL(file, root), 'utf8')))
  expect(wrong).toEqual([])
})

// covers: T32
test('each package is imported only where it belongs', () => {
  const homes: Readonly<Record<string, RegExp>> = {
    fflate: /^page\/xlsx\.ts$/,
    diff: /^report\/diff\.ts$/,
    yaml: /^parser\/yaml(?:-tokens)?\.ts$/,
    '@codemirror': /^web\/ask\/editor\.ts$/,
    '@lezer': /^web\/ask\/editor\.ts$/,
    '@duckdb': /^cli\/live\/duckdb\.ts$/,
    'hyparquet-writer': /^warehouse\/parquet\.ts$/,
    minimatch: /^(?:cli\/input|lint)\//,
    re2js: /^cli\/input\/hcl-patterns\.ts$/,
    '@modelcontextprotocol': /^mcp\//,
    commander: /^cli\/app\/(?:command-line|help)\.ts$/,
    oauth4webapi: /^cli\/live\/oauth\.ts$/,
    'vscode-languageserver': /^(?:lsp\/|cli\/commands\/lsp\.ts$)/,
    'node-sqlite3-wasm': /^cli\/live\/state-file\.ts$/,
  }
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('.') && !target.startsWith('node:'))
      .map((target) => target.split('/')[0] as string)
      .filter((name) => !homes[name]?.test(file))
      .map((name) => `${file} imports ${name}`),
  )
  expect(wrong).toEqual([])
})
