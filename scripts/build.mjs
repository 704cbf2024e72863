// Bundles the program and the library into dist/: no run-time dependency is left. `--no-types` skips the declarations.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * CommonJS packages ask for built-in modules with `require`, which an ES module does not have. The module that starts
 * programs is left empty: nothing here may start one.
 */
const builtins = {
  name: 'builtins',
  setup(esbuild) {
    const filter = /^(node:)?(assert|buffer|child_process|events|fs|os|path|process|url|util)$/
    esbuild.onResolve({ filter }, ({ path, kind }) =>
      kind === 'require-call' ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'builtin' } : undefined,
    )
    esbuild.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const value =
        path === 'node:child_process' ? '{}' : path === 'node:process' ? 'process' : `process.getBuiltinModule(${JSON.stringify(path)})`
      return { contents: `module.exports = ${value}`, loader: 'js' }
    })
  },
}

const entryPoints = { cli: join(root, 'src/cli/main.ts') }
if (existsSync(join(root, 'src/index.ts'))) entryPoints.index = join(root, 'src/index.ts')

const result = await build({
  entryPoints,
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'parts/[name]-[hash]',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [builtins],
  metafile: true,
  write: false,
  logLevel: 'warning',
})

// Parts first and entries last, each renamed into place, so that a program started meanwhile finds a whole build.
const isEntry = (path) => dirname(path) === dist
const outputs = result.outputFiles.toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)))
for (const { path, contents } of outputs) put(path, contents)
put(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(result.metafile.inputs)))
const current = new Set(outputs.map(({ path }) => path))
for (const name of existsSync(join(dist, 'parts')) ? readdirSync(join(dist, 'parts')) : []) {
  const path = join(dist, 'parts', name)
  if (!current.has(path) && !name.endsWith('.new')) rmSync(path, { force: true })
}
if (entryPoints.index && !process.argv.includes('--no-types')) types()

function put(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  if (existsSync(path) && Buffer.from(contents).equals(readFileSync(path))) return
  const beside = `${path}.${process.pid}.new`
  writeFileSync(beside, contents)
  renameSync(beside, path)
}

/** The licence of every package that went into the bundle. */
function licences(inputs) {
  const folders = new Set(inputs.map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter(Boolean))
  return [...folders]
    .sort()
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, folder)).find((name) => /^(licen[cs]e|copying)/i.test(name))
      if (file === undefined) throw new Error(`${folder} has no licence file`)
      const text = readFileSync(join(root, folder, file), 'utf8').trim()
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Declarations of the library; their imports name the `.js` files that a package's users resolve. */
function types() {
  const out = join(dist, 'types')
  rmSync(out, { recursive: true, force: true })
  const flags = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--outDir', out, '--rootDir', join(root, 'src')]
  const config = join(out, 'tsconfig.json')
  mkdirSync(out, { recursive: true })
  writeFileSync(
    config,
    JSON.stringify({ extends: relative(out, join(root, 'tsconfig.json')), include: [], files: [join(root, 'src/index.ts')] }),
  )
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, ...flags], {
    stdio: 'inherit',
  })
  rmSync(config)
  if (status !== 0) process.exit(1)
  for (const file of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const path = join(file.parentPath, file.name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}
