import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { instrument } from './mutants.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * Bundles test files with all mutants of some source files in them. The modules of `src` are shared by all bundles.
 *
 * @param {{ sources: string[], tests: string[], outdir: string }} what paths from the root of the repository
 * @returns the mutants, each with its file
 */
export async function bundle({ sources, tests, outdir }) {
  const mutants = []
  const mutated = new Map()
  for (const file of sources) {
    const { code, mutants: found } = instrument(readFileSync(join(root, file), 'utf8'), mutants.length)
    for (const mutant of found) mutants.push({ file, ...mutant })
    mutated.set(file, code)
  }
  const plugin = {
    name: 'mutants',
    setup(made) {
      made.onResolve({ filter: /^vitest$/ }, () => ({ path: join(root, 'scripts/mutate/vitest.mjs'), external: true }))
      // Files as texts, as Vite reads them; what only a build makes is not needed here.
      made.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path.slice(0, -'?raw'.length)),
        namespace: 'raw',
      }))
      made.onLoad({ filter: /./, namespace: 'raw' }, ({ path }) => ({
        contents: existsSync(path) ? readFileSync(path) : '{}',
        loader: 'text',
      }))
      made.onLoad({ filter: /\.[mc]?[jt]s$/ }, ({ path }) => {
        const file = relative(root, path).replaceAll('\\', '/')
        if (file.includes('node_modules/')) return undefined
        const text = mutated.get(file) ?? readFileSync(path, 'utf8')
        // Files find what is next to them by their own place.
        const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
      })
    },
  }
  await build({
    absWorkingDir: root,
    entryPoints: ['test/support/seed.ts', ...tests],
    outbase: '.',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    outExtension: { '.js': '.mjs' },
    define: { __VERSION__: JSON.stringify(version) },
    loader: { '.css': 'text' },
    supported: { 'import-attributes': true },
    plugins: [plugin],
    logLevel: 'error',
  })
  return mutants
}
