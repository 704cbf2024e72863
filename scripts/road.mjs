// Counts how often a reader who follows one command through the code climbs and returns: node scripts/road.mjs lint FILE [--files]
// It looks at the first call of each function, once modules are loaded. A climb goes to a higher layer. A return goes to a file that was left
// before, by a function that was handed in, or to one from which a file is reached that was not seen yet: there the reader has to go on. A
// file that is left and only looked at again, by a call of what the caller imports, is known: it is counted apart. Each pair of files counts
// once, with `--files` also pairs in one folder. Only files from text to findings or a decision count, not rules, reports and answers.
// The caller of what runs after an `await` may be one of its own callers: the figures are close, not exact.
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'acorn'
import { build, transform } from 'esbuild'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')
const folders = ['cli', 'lint', 'sources', 'parser', 'hcl', 'simulate', 'world', 'unknown', 'declared', 'ask']
const isOnRoad = (file) => folders.includes(partOf(file)) && !/^cli\/(app|output|live)/.test(file)
const partOf = (file) => file.split('/')[0].replace(/\.ts$/, '')

/** Layers from the lowest; among the files of the command line, commands are the highest. */
const listed = /const layers = \[([\s\S]*?)\n\]/.exec(readFileSync(join(root, 'test/project/layers.test.ts'), 'utf8'))[1]
const layers = listed.split('\n').map((line) => line.match(/\w+/g) ?? [])
const heightOf = (file) => layers.findIndex((layer) => layer.includes(partOf(file))) + (file.startsWith('cli/commands/') ? 0.5 : 0)

/** Code whose functions say when they begin and end. Generators and constructors are left as they are. */
function traced(code, file) {
  const edits = []
  const visit = (node, parent) => {
    if (typeof node?.type !== 'string') return
    if (/Function/.test(node.type) && !node.generator && parent.kind !== 'constructor') {
      const { start, end, type } = node.body
      const enter = `__enter(${JSON.stringify(file)}, ${start})`
      const isBlock = type === 'BlockStatement'
      edits.push(isBlock ? [start + 1, `const __depth = ${enter}; try {`] : [start, `__leave(${enter}, (`])
      edits.push(isBlock ? [end - 1, '} finally { __leave(__depth) }'] : [end, '))'])
    }
    for (const value of Object.values(node)) for (const child of [value].flat()) visit(child, node)
  }
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  return edits.sort(([a], [b]) => b - a).reduce((text, [at, inserted]) => text.slice(0, at) + inserted + text.slice(at), code)
}

const tracing = {
  name: 'tracing',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\?raw$/ }, ({ path }) => ({ path, namespace: 'raw' }))
    onLoad({ filter: /./, namespace: 'raw' }, () => ({ contents: '{}', loader: 'text' }))
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'ts', target: 'node20' })
      const file = relative(source, path)
      // A reader does not follow calls that run while modules are loaded.
      return { contents: `__load(1); ${isOnRoad(file) ? traced(code, file) : code}; __load(-1)`, loader: 'js' }
    })
  },
}

/** Pairs of files, in the order of the first calls between them. `isOnward`: a file is reached by them that was not seen before. */
const pairs = new Map()
const [functions, files, stack] = [new Set(), new Set(), []]
let loading = 0
globalThis.__load = (change) => {
  loading += change
}
globalThis.__enter = (file, at) => {
  const caller = stack.at(-1)?.file
  const key = `${file} ${at}`
  const frame = { file, pair: undefined }
  if (loading === 0) {
    if (!files.has(file)) for (const { pair } of stack) if (pair) pair.isOnward = true
    if (!functions.has(key) && caller !== undefined && caller !== file) {
      frame.pair = pairs.get(`${caller} > ${file}`) ?? { from: caller, to: file, isOnward: false }
      pairs.set(`${caller} > ${file}`, frame.pair)
    }
    files.add(file)
    functions.add(key)
  }
  return stack.push(frame) - 1
}
globalThis.__leave = (depth, value) => [stack.splice(depth), value][1]

function isImported(from, to) {
  const imports = readFileSync(join(source, from), 'utf8').matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)
  return [...imports].some(([, path]) => join(dirname(from), path) === to)
}

/** The step of a reader that a call is; undefined for one to a file that is new. */
function kindOf({ from, to, isOnward }, left) {
  if (heightOf(to) > heightOf(from)) return 'climb'
  if (!left.has(to)) return undefined
  return isOnward || !isImported(from, to) ? 'return' : 'known'
}

const isByFile = process.argv.includes('--files')
process.argv = process.argv.filter((argument) => argument !== '--files')
process.on('exit', () => {
  rmSync(outfile)
  const left = new Set()
  const counts = { climb: 0, return: 0, known: 0 }
  for (const [name, pair] of pairs) {
    const kind = kindOf(pair, left)
    left.add(pair.to)
    if (!kind || (!isByFile && dirname(pair.from) === dirname(pair.to))) continue
    counts[kind]++
    console.error(`${kind.padEnd(6)}  ${name}`)
  }
  console.error(`climbs: ${counts.climb}, returns: ${counts.return}, calls of known files: ${counts.known}`)
})
const outfile = join(root, 'dist/road.mjs')
const define = { __VERSION__: '"0"', __COMMIT__: '""' }
// A name that no bundled module imports by itself.
const banner = { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" }
const usual = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' }
await build({ ...usual, entryPoints: [join(source, 'cli/main.ts')], outfile, define, banner, plugins: [tracing] })
;(await import(pathToFileURL(outfile).href)).start(process)
