// The fuzzer of the readers: `npm run fuzz -- --help`. Builds test/fuzz with a counter at each branch of src, and runs it.
import { mkdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { countersName, instrument } from './fuzz/instrument.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'node_modules/.cache/grantwise-fuzz')
const words = {}
let edges = 0

/** Tables have no branches, and their texts are no words of a notation. */
const isTable = (path) => path.endsWith('-table.ts') || path.includes('/src/rules/examples')

const counted = {
  name: 'counted',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'ts', target: 'es2022' })
      if (isTable(path)) return { contents: code, loader: 'js' }
      const result = instrument(code, edges)
      edges = result.next
      words[relative(root, path)] = result.literals
      return { contents: result.code, loader: 'js' }
    })
  },
}

mkdirSync(folder, { recursive: true })
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const outfile = join(folder, 'fuzz.mjs')
await build({
  entryPoints: [join(root, 'test/fuzz/main.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  define: { __VERSION__: JSON.stringify(version) },
  banner: { js: `globalThis.${countersName} = new Uint32Array(2 ** 17)` },
  logLevel: 'warning',
  plugins: [counted],
})
const { fuzzMain } = await import(pathToFileURL(outfile).href)
process.exitCode = await fuzzMain(process.argv.slice(2), { root, edges: globalThis[countersName].subarray(0, edges), words })
