// Counts how often a reader who follows one command through the code climbs and returns: node scripts/road.mjs lint FILE [--files]
// It looks at the first call of each function. A climb goes to a higher layer; a return, to a file that was left before: each pair of files
// counts once, with `--files` also pairs in one folder. Only files from text to findings or a decision count, not rules, reports and answers.
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
      return { contents: isOnRoad(relative(source, path)) ? traced(code, relative(source, path)) : code, loader: 'js' }
    })
  },
}

/** Pairs of files, in the order of the first calls between them. */
const pairs = new Map()
const [seen, stack] = [new Set(), []]
globalThis.__enter = (file, at) => {
  const caller = stack.at(-1)
  const key = `${file} ${at}`
  if (!seen.has(key) && caller !== undefined && caller !== file) pairs.set(`${caller} > ${file}`, [caller, file])
  seen.add(key)
  return stack.push(file) - 1
}
globalThis.__leave = (depth, value) => [stack.splice(depth), value][1]

const isByFile = process.argv.includes('--files')
process.argv = process.argv.filter((argument) => argument !== '--files')
process.on('exit', () => {
  rmSync(outfile)
  const left = new Set()
  for (const [pair, [from, to]] of pairs) {
    const kind = heightOf(to) > heightOf(from) ? 'climb ' : left.has(to) ? 'return' : undefined
    if (kind && (isByFile || dirname(from) !== dirname(to))) console.error(`${kind}  ${pair}`)
    left.add(to)
  }
})
const outfile = join(root, 'dist/road.mjs')
const define = { __VERSION__: '"0"', __COMMIT__: '""' }
// A name that no bundled module imports by itself.
const banner = { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" }
const usual = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' }
await build({ ...usual, entryPoints: [join(source, 'cli/main.ts')], outfile, define, banner, plugins: [tracing] })
;(await import(pathToFileURL(outfile).href)).start(process)
