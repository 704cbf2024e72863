import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { transformSync } from 'esbuild'
import type { Plugin } from 'vitest/config'

/**
 * The sources, and what tests share, as modules that Node loads itself. What vitest loads, it transforms once for each part of the
 * tests, and each worker asks it for every module: a tenth of the CPU time of all tests, and of short ones more.
 */

const root = new URL('../../', import.meta.url)
const compiled = new URL('dist/tested/', root)
/** The files of compiled modules, in which vitest has nothing to do. */
export const modules = /\/dist\/tested\//

const stamp = new URL('.built-from', compiled)

/** Whether a file is compiled, by its path from the root: all but the tests themselves. */
const isCompiled = (path: string) => /^(?:src|test)\/.*(?<!\.d|\.test)\.[jt]s$/.test(path)

const inJavaScript = (path: string) => path.replace(/\.ts(`?)$/, '.js$1')

/** Compile the modules; not again where nothing has changed. */
export default async function setup(): Promise<void> {
  const texts = new Map(['src', 'test'].flatMap(filesIn).map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
  const manifest = readFileSync(new URL('package.json', root), 'utf8')
  const digest = createHash('sha256')
    .update(JSON.stringify([root, manifest, ...texts]))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  rmSync(compiled, { recursive: true, force: true })
  await init
  const { version } = JSON.parse(manifest)
  for (const [path, text] of texts) put(inJavaScript(path), compile(path, text, version))
  writeFileSync(stamp, digest)
}

function filesIn(folder: string): readonly string[] {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(isCompiled)
    .sort()
}

function compile(path: string, text: string, version: string): string {
  const { href } = new URL(path, root)
  const sourcefile = fileURLToPath(href)
  const known = { __VERSION__: version, 'import.meta.url': href, 'import.meta.dirname': dirname(sourcefile) }
  const { code } = transformSync(text, {
    loader: path.endsWith('.ts') ? 'ts' : 'js',
    target: 'node20.19',
    define: Object.fromEntries(Object.entries(known).map(([name, value]) => [name, JSON.stringify(value)])),
    sourcemap: 'inline',
    sourcefile,
  })
  let at = 0
  const pieces = parse(code)[0].flatMap(({ s, e }) => {
    const piece = [code.slice(at, s), imported(path, code.slice(s, e))]
    at = e
    return piece
  })
  return [...pieces, code.slice(at)].join('')
}

/** The specifier of an imported module where it is compiled: a name, or an expression of an import on demand. */
function imported(importer: string, name: string): string {
  const [, quote = '', target] = /^(["'`]?)(\.\.?\/.*?)\1$/.exec(name) ?? []
  if (target === undefined) return name
  const path = posix.join(posix.dirname(importer), target)
  if (target.endsWith('?raw')) return `${quote}${rawText(path.replace('?raw', ''))}${quote}`
  return `${quote}${isCompiled(path) ? inJavaScript(target) : new URL(path, root).href}${quote}`
}

/** A module that gives the text of a file as it is when it is loaded. */
function rawText(path: string): string {
  const file = JSON.stringify(fileURLToPath(new URL(path, root)))
  put(`${path}.js`, `import { readFileSync } from 'node:fs'\nexport default readFileSync(${file}, 'utf8')\n`)
  return new URL(`${path}.js`, compiled).href
}

function put(path: string, text: string): void {
  const file = fileURLToPath(new URL(path, compiled))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Has tests import what is compiled; not while they watch, where a change of a source is to be seen. */
export function asCompiled(): Plugin {
  let isWatching = false
  return {
    name: 'as-compiled',
    enforce: 'pre',
    configureVitest({ vitest }) {
      isWatching = vitest.config.watch
    },
    resolveId(name, importer) {
      if (isWatching || importer === undefined || !/^\.\.?\/[^?]*$/.test(name)) return null
      const { href } = new URL(name, pathToFileURL(importer))
      const path = href.startsWith(root.href) ? href.slice(root.href.length) : ''
      return isCompiled(path) ? join(fileURLToPath(compiled), inJavaScript(path)).replaceAll('\\', '/') : null
    },
  }
}
