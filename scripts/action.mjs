// Bundles what the pipelines run, the commands `lint`, `diff` and `report`, into integrations/action/. The tag of a release holds
// it (scripts/release-tag.mjs): a build server runs it as it is fetched, and installs nothing.
// usage: node scripts/action.mjs [--check]      --check: fail if the bundle in the checkout is not what the sources make
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licences } from './licences.mjs'
import { sourcesHash } from './sources-hash.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'integrations/action')
const commands = ['lint', 'diff', 'report']
/** The most bytes of the bundle, of which the scripts of the report's page are a fifth: it is fetched at each run of a pipeline. */
const most = 4_100_000
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Loads these commands in place of all, and refuses any other. */
const onlyThese = {
  name: 'only-these',
  setup(esbuild) {
    esbuild.onLoad({ filter: /[\\/]cli[\\/]programs\.ts$/ }, ({ path }) => ({
      contents: `import { Refusal } from './app/refusal.ts'
        const programs = { ${commands.map((name) => `${name}: () => import('./commands/${name}.ts')`).join(', ')} }
        export async function programOf(name) {
          if (!Object.hasOwn(programs, name)) throw new Refusal(\`\\\`\${name}\\\` is not part of this bundle\`, 'install the package')
          return (await programs[name]()).run
        }`,
      resolveDir: dirname(path),
      loader: 'js',
    }))
  },
}

/** A file as its text. */
const texts = {
  name: 'texts',
  setup(esbuild) {
    esbuild.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      // The path is written into the bundle.
      path: relative(root, join(resolveDir, path.replace('?raw', ''))).replaceAll('\\', '/'),
      namespace: 'text',
    }))
    esbuild.onLoad({ filter: /.*/, namespace: 'text' }, ({ path }) => ({ contents: readFileSync(join(root, path)), loader: 'text' }))
  },
}

/** The files of the bundle. Names stay as they are written and lines short, so that two releases can be compared. */
async function files() {
  const result = await build({
    absWorkingDir: root,
    stdin: { contents: "import { start } from './src/cli/main.ts'\nstart(process)", resolveDir: root, sourcefile: 'action.js' },
    outfile: join(folder, 'grantwise.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
    legalComments: 'none',
    define: { __VERSION__: JSON.stringify(version), __SOURCES__: JSON.stringify(sourcesHash(root)) },
    plugins: [onlyThese, texts],
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const [{ contents }] = result.outputFiles
  if (contents.length > most) throw new Error(`the bundle has ${contents.length} bytes, more than ${most} (scripts/action.mjs)`)
  const ofPages = JSON.parse(readFileSync(join(root, 'dist/web/inputs.json'), 'utf8'))
  return new Map([
    ['grantwise.cjs', Buffer.from(contents)],
    ['THIRD-PARTY-LICENSES.txt', Buffer.from(licences(root, [...Object.keys(result.metafile.inputs), ...ofPages]))],
  ])
}

// The page's scripts come from the build.
const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types', '--if-changed'], { stdio: 'inherit' })
if (status !== 0) process.exit(1)
const made = await files()
const stale = [...made].filter(([name, contents]) => {
  const path = join(folder, name)
  return !existsSync(path) || !contents.equals(readFileSync(path))
})
if (process.argv.includes('--check')) {
  for (const [name] of stale) console.error(`integrations/action/${name} is not what the sources make`)
  process.exit(stale.length > 0 ? 1 : 0)
}
mkdirSync(folder, { recursive: true })
for (const [name, contents] of stale) writeFileSync(join(folder, name), contents)
for (const [name, contents] of made) console.log(`integrations/action/${name}: ${Math.ceil(contents.length / 1000)} kB`)
