// Bundles the program and the library into dist/, and writes the manual page: no run-time dependency is left.
// usage: node scripts/build.mjs [--no-types] [--if-changed]
// --no-types: without the library's declarations; --if-changed: only where the sources have changed since the last build
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules, isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { builtFrom, isCurrent, noteBuilt, noteUnbuilt } from './built.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const hasTypes = !process.argv.includes('--no-types')
if (process.argv.includes('--if-changed') && isCurrent(root, hasTypes)) process.exit(0)
const { build } = await bundler()
const { commonJs, commonJsModule } = await import('./chunks.mjs')
const { forStacks } = await import('./source-maps.mjs')
const { web } = await import('./web.mjs')
const { licences } = await import('./licences.mjs')
const { billOfMaterials } = await import('./sbom.mjs')
const { manual } = await import('./man.mjs')
const { writeRuleExamples } = await import('./rule-examples.mjs')
const { sourcesHash } = await import('./sources-hash.mjs')
const dist = join(root, 'dist')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The modules that the package exports to programs. */
const packageEntries = { library: 'src/index.ts', emulator: 'src/embed.ts' }

/**
 * The bundler. A global install from a git address builds before the development packages are there (the settings of
 * the outer install reach the inner one): then they are installed here, by the lockfile.
 */
async function bundler() {
  try {
    return await import('esbuild')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || existsSync(join(root, 'node_modules'))) throw error
  }
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_(global|prefix|location)$/i.test(name)))
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--global=false'], {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(1)
  return await import('esbuild')
}

/**
 * CommonJS packages ask for built-in modules with `require`, which an ES module does not have. The module that starts
 * programs is left empty: nothing here may start one.
 */
const builtins = {
  name: 'builtins',
  setup(esbuild) {
    const filter = new RegExp(`^(node:)?(${builtinModules.filter((name) => /^[a-z]/.test(name)).join('|')})$`)
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

/** A validator of schemas that only servers that ask the user for input need: ours does not, and the package is a third of its chunk. */
const withoutAjv = {
  name: 'without-ajv',
  setup(esbuild) {
    const contents = 'export class AjvJsonSchemaValidator {}'
    esbuild.onLoad({ filter: /[\\/]@modelcontextprotocol[\\/]sdk[\\/].*[\\/]ajv-provider\.js$/ }, () => ({ contents, loader: 'js' }))
  },
}

/**
 * The database of `serve --state` is compiled code, which its package reads from a file next to it. Here it is in the
 * bundle, compressed, so that a program in one file has it too.
 */
const database = {
  name: 'database',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]node-sqlite3-wasm\.js$/ }, ({ path }) => {
      const code = brotliCompressSync(readFileSync(path.replace(/\.js$/, '.wasm')), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } })
      const binary = `require('node:zlib').brotliDecompressSync(Buffer.from('${code.toString('base64')}', 'base64'))`
      return { contents: `var Module = { wasmBinary: ${binary} };${readFileSync(path, 'utf8')}`, loader: 'js' }
    })
  },
}

/**
 * A file as its text, as Vite knows it, which runs the tests: `import text from './style.css?raw'`. Its path is relative: names of
 * chunks follow from it, and are to be the same wherever the checkout is.
 */
const texts = {
  name: 'texts',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: relative(root, join(resolveDir, path.replace('?raw', ''))).replaceAll('\\', '/'),
      namespace: 'text',
    }))
    esbuild.onLoad({ filter: /.*/, namespace: 'text' }, ({ path }) => ({ contents: readFileSync(join(root, path)), loader: 'text' }))
  },
}

/** The commit that is built, where git knows it: of changed files it says so. A package that is installed from git has no history. */
function commitOf() {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
    cwd: root,
    encoding: 'utf8',
  })
  const commit = process.env.GRANTWISE_COMMIT ?? (status === 0 ? stdout.trim() : '')
  return /^[0-9a-f]{40}(-dirty)?$/.test(commit) ? { __COMMIT__: JSON.stringify(commit) } : {}
}

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  // A quarter less to read at each start of the program, and to download.
  minifyIdentifiers: true,
  legalComments: 'none',
  define: { __VERSION__: JSON.stringify(version), __SOURCES__: JSON.stringify(sourcesHash(root)), ...commitOf() },
  metafile: true,
  write: false,
  logLevel: 'warning',
}

/**
 * The program, as CommonJS, which starts faster. What `lint` and `can` need at start is in few files, since each costs time to find and
 * open; every other module that is imported on demand is a file, and so is what some of them share.
 */
async function program() {
  const settings = {
    format: 'esm',
    splitting: true,
    outdir: join(dist, 'program'),
    chunkNames: '[name]-[hash]',
    plugins: [builtins, database, texts, withoutAjv],
  }
  const [main, lint, can] = ['src/cli/main.ts', 'src/cli/commands/lint.ts', 'src/cli/commands/can.ts']
  // The counter of steps is loaded before all that it counts.
  const entryPoints = { cli: main, cost: 'src/cli/app/cost.ts' }
  const result = await build({ ...common, ...settings, entryPoints })
  const groups = new Map([
    ['cli.cjs', [main]],
    ['core.cjs', [lint, can]],
    ['lint.cjs', [lint]],
    ['can.cjs', [can]],
  ])
  const files = await commonJs(result, groups)
  // Loaded before all others, and none of them with it.
  const first = { entryPoints: { 'compile-cache': 'src/cli/app/compile-cache.ts' }, outdir: settings.outdir, format: 'cjs' }
  const cache = await build({ ...common, ...first, outExtension: { '.js': '.cjs' } })
  files.set('compile-cache.cjs', cache.outputFiles[0].text)
  const outputFiles = [...files].map(([name, code]) => ({ path: join(dist, 'program', name), contents: Buffer.from(code) }))
  return { outputFiles, metafile: result.metafile }
}

/** Generated tables and examples: nothing to step through. */
const isData = (path) => /(?:-table|\/shape-\w+|\/rules\/examples)\.[jt]s$/.test(path)

/** The list of rules. A module that only it imports is part of its file: programs that take the list take them all, and files cost time to load. */
const ruleList = 'src/rules/index.ts'

/**
 * Modules that are files and name one another; packages, and files that are taken as their text, are modules in a folder next to them.
 * `others`: where these are noted, with what imports them. `parts`: modules that are no files.
 */
const unbundled = (others, parts) => ({
  name: 'unbundled',
  setup(esbuild) {
    // An import whose names are not used does nothing: no module of the library has side effects.
    const apart = { external: true, sideEffects: false }
    const named = (from, to) =>
      slashed(relative(dirname(from), to))
        .replace(/^(?!\.)/, './')
        .replace(/\.ts$/, '.js')
    esbuild.onResolve({ filter: /./ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      if (isBuiltin(path)) return { ...apart, path }
      const file = resolve(dirname(importer), path)
      const [isPackage, isText] = [!path.startsWith('.'), path.endsWith('?raw')]
      const name = isPackage ? `packages/${path}` : `texts/${basename(path, '?raw')}`
      if (isPackage || isText) others.push({ name, path: isPackage ? path : relative(root, file), importer })
      const target = isPackage || isText ? join(root, 'src', `${name}.js`) : file
      const from = parts.has(importer) ? join(root, ruleList) : importer
      return parts.has(target) ? undefined : { ...apart, path: named(from, target) }
    })
  },
})

/**
 * The library and the emulator. Each module of `src` is a file, not minified and with a source map, so that a stack shows our lines. Those
 * of the library have the sources, which a debugger shows. Packages are minified.
 * The library is ES modules that use neither modules of Node nor what only a browser has: a bundler takes no module that is not used.
 * All is there as CommonJS, too: of the library for what cannot load ES modules, such as Jest; of the emulator, which runs in Node only,
 * for everybody, since it starts faster.
 */
async function modules() {
  const where = { platform: 'neutral', mainFields: ['module', 'main'], conditions: ['browser', 'import'], format: 'esm' }
  const outdir = join(dist, 'library')
  const settings = { ...common, ...where, outbase: 'src', outdir }
  const whole = { ...common, ...where, splitting: true, external: ['node:*'], plugins: [texts], outdir }
  const library = await build({ ...whole, entryPoints: [packageEntries.library] })
  const all = await build({ ...whole, entryPoints: Object.values(packageEntries) })
  const { inputs } = library.metafile
  const importers = (path) => Object.values(all.metafile.inputs).filter(({ imports }) => imports.some((each) => each.path === path))
  const rules = inputs[ruleList].imports.flatMap(({ path }) => (importers(path).length === 1 ? [path] : []))
  const sources = Object.keys(all.metafile.inputs).filter((path) => path.startsWith('src/') && !rules.includes(path))
  const others = []
  const plugins = [unbundled(others, new Set(rules.map((path) => join(root, path))))]
  const readable = { minifyWhitespace: false, minifySyntax: false, minifyIdentifiers: false, sourcemap: 'linked', sourcesContent: true }
  const results = [
    await build({ ...settings, ...readable, plugins, entryPoints: sources.filter((path) => !isData(path)) }),
    await build({ ...settings, plugins, entryPoints: sources.filter(isData) }),
  ]
  const entryPoints = [...new Map(others.map(({ name, path }) => [name, path]))].map(([out, path]) => ({ in: path, out }))
  results.push(await build({ ...settings, plugins: [texts], entryPoints }))
  const namesOfLibrary = new Set([
    ...Object.keys(inputs).map((path) => path.replace(/^src\/(.*)\.[jt]s$/, '$1')),
    ...others.flatMap(({ name, importer }) => (inputs[slashed(relative(root, importer))] ? [name] : [])),
  ])
  const outputFiles = []
  const add = (name, text) => outputFiles.push({ path: join(dist, name), contents: Buffer.from(text) })
  const made = new Map(results.flatMap((result) => result.outputFiles.map(({ path, text }) => [slashed(relative(outdir, path)), text])))
  for (const [file, text] of made) {
    if (!file.endsWith('.js')) continue
    const isOfLibrary = namesOfLibrary.has(file.replace(/\.js$/, ''))
    const [map, mapFile] = [made.get(`${file}.map`), `${isOfLibrary ? 'library' : 'commonjs'}/${file}.map`]
    if (isOfLibrary) add(`library/${file}`, text)
    if (map !== undefined) add(mapFile, forStacks(map, text, isOfLibrary))
    add(`commonjs/${file}`, commonJsModule(text, slashed(relative(dirname(`commonjs/${file}`), mapFile))))
  }
  add('commonjs/package.json', '{ "type": "commonjs" }\n')
  const [{ exports }] = Object.values(all.metafile.outputs).filter(({ entryPoint }) => entryPoint === packageEntries.emulator)
  // Modules that import the emulator and those that require it share one instance.
  add('commonjs/embed.mjs', `import all from './embed.js'\nexport const { ${exports.join(', ')} } = all\n`)
  return { metafile: all.metafile, outputFiles }
}

const slashed = (path) => path.replaceAll('\\', '/')

writeRuleExamples()
noteUnbuilt(root)
// A source that changes meanwhile has another digest.
const digest = builtFrom(root)
// Scripts of the browser first: the program holds it as text.
const pages = await web(build, root, common)
for (const { path, contents } of pages.outputFiles) put(path, contents)
const results = [pages, await program(), await modules()]
// Entries last, and each renamed into place, so that a program started meanwhile finds a whole build.
const isEntry = ({ path }) => /(cli\.cjs|(library|commonjs).(index|embed)\.m?js)$/.test(path)
const outputs = results.flatMap((result) => result.outputFiles).toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
for (const { path, contents } of outputs) put(path, contents)
put(join(root, 'man', 'grantwise.1'), await manual(build, root))
const inputs = results.flatMap((result) => Object.keys(result.metafile.inputs))
put(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(root, inputs))
put(join(dist, 'sbom.cdx.json'), billOfMaterials(root, inputs))
const current = new Set(outputs.map(({ path }) => path))
for (const folder of ['program', 'library', 'commonjs', 'web']) {
  for (const name of existsSync(join(dist, folder)) ? readdirSync(join(dist, folder), { recursive: true }) : []) {
    const path = join(dist, folder, name)
    if (!current.has(path) && !name.endsWith('.new') && statSync(path).isFile()) rmSync(path)
  }
}
// Files that earlier versions of this script wrote.
for (const name of ['emulator', 'emulator.js', 'index.js', 'index.cjs']) rmSync(join(dist, name), { recursive: true, force: true })
if (hasTypes) types()
noteBuilt(root, digest, hasTypes)

function put(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  if (existsSync(path) && Buffer.from(contents).equals(readFileSync(path))) return
  const temporary = `${path}.${process.pid}.new`
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

/**
 * Declarations of what the package exports; their imports name the `.js` files that a package's users resolve. They are
 * written once, as CommonJS, which both kinds of modules may take names from; what ES modules import gives them all.
 */
function types() {
  const out = join(dist, 'types')
  rmSync(out, { recursive: true, force: true })
  const flags = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--outDir', out, '--rootDir', join(root, 'src')]
  const config = join(out, 'tsconfig.json')
  mkdirSync(out, { recursive: true })
  const files = [...Object.values(packageEntries), 'src/emulator/console/text.d.ts'].map((path) => join(root, path))
  writeFileSync(config, JSON.stringify({ extends: relative(out, join(root, 'tsconfig.json')), include: [], files }))
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, ...flags], {
    stdio: 'inherit',
  })
  rmSync(config)
  if (status !== 0) process.exit(1)
  const entries = Object.values(packageEntries).map((path) => join(out, relative('src', path).replace(/\.ts$/, '.d.ts')))
  const needed = declarations(entries, out)
  // Modules of the program only have no types that others use.
  for (const file of readdirSync(out, { recursive: true, withFileTypes: true }))
    if (file.isFile() && !needed.has(join(file.parentPath, file.name))) rmSync(join(file.parentPath, file.name))
  put(join(out, 'package.json'), '{ "type": "commonjs" }\n')
  for (const path of entries) put(path.replace(/\.d\.ts$/, '.d.mts'), `export * from './${basename(path).replace(/\.d\.ts$/, '.js')}'\n`)
}

/**
 * The declarations that some lead to, themselves included, with the names of their files in them as users resolve them. Those
 * that are written by hand are not among what the compiler writes, and are put there. What belongs to a package, users
 * have not: nothing may lead to it.
 */
function declarations(entries, out) {
  const found = new Set(entries)
  // The set grows while it is walked.
  for (const path of found) {
    const source = join(root, 'src', relative(out, path))
    if (!existsSync(path)) writeFileSync(path, readFileSync(source, 'utf8'))
    const text = readFileSync(path, 'utf8').replace(/((?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2')
    writeFileSync(path, text)
    // Comments may show an import of the package itself.
    for (const [, name] of text.replace(/\/\*.*?\*\//gs, '').matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (isBuiltin(name)) continue
      if (!name.startsWith('.')) throw new Error(`${relative(out, path)}: the declarations need \`${name}\`, which users do not have`)
      found.add(resolve(dirname(path), name.replace(/\.js$/, '.d.ts')))
    }
  }
  return found
}
