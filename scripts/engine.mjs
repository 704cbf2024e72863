// Builds the engine of the pages: the library for a browser, with what few texts need, and the catalogue, as assets of their own.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { init } from 'es-module-lexer'
import { chunkOf, closureOf } from './chunks.mjs'

/** Modules in the place of others: tables that an asset holds, and readers that a page has no use for. */
const instead = [
  [/\/(?:catalogue|operations|sensitive)-table\.ts$/, 'tables.ts'],
  [/\/(?:fill|unknown\/certain|openness|unknown\/place|declared|rules-text|examples|templates)\.ts$/, 'unread.ts'],
]
/** What is loaded when a text needs it: every dynamic import of these leads to one module. */
const late = /\/(?:yaml|shape|remedy)\.ts$/

/** Rules without the texts that only their documentation shows, a quarter of their size. */
const withoutWords = (code) =>
  code
    .replace(/^ {2}(?:why|summary|security|precision|fixes):[\s\S]*?(?=^ {2}\S|^\})/gm, '')
    .replace(/(\bname: '\w+',\s*type: '\w+',(?:\s*required: true,)?\s*)text:\s*(?:'(?:[^'\\]|\\.)*'|`[^`]*`)/g, "$1text: ''")

const plugin = (root) => ({
  name: 'engine',
  setup(esbuild) {
    const own = (name) => ({ path: join(root, 'src/web/engine', name) })
    esbuild.onResolve({ filter: /\.ts$/ }, ({ path, kind, importer }) => {
      if (importer.includes('/src/web/engine/')) return undefined
      for (const [pattern, name] of instead) if (pattern.test(path)) return own(name)
      return kind === 'dynamic-import' && late.test(path) ? own('more.ts') : undefined
    })
    esbuild.onLoad({ filter: /\/src\/rules\/[a-z-]+\/[a-z-]+\.ts$/ }, ({ path }) => ({
      contents: withoutWords(readFileSync(path, 'utf8')),
      loader: 'ts',
    }))
  },
})

/** The scripts by their names, and what went into them. `settings`: of the bundler. */
export async function engine(build, root, settings) {
  await init
  const { outputFiles, metafile } = await build({
    ...settings,
    format: 'esm',
    splitting: true,
    entryPoints: { engine: join(root, 'src/web/engine/index.ts') },
    outdir: join(root, 'dist/web'),
    chunkNames: '[name]-[hash]',
    plugins: [plugin(root)],
  })
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path), chunkOf(text)]))
  const isLate = (name) => /^more-\w+\.js$/.test(name)
  // What the program loads on demand is at hand here, but for what the other script holds.
  const early = closureOf('engine.js', chunks)
  for (const name of early)
    for (const { path } of chunks.get(name).body)
      if (path !== undefined && !isLate(basename(path))) for (const each of closureOf(basename(path), chunks)) early.add(each)
  const names = { 'engine.js': [...early], 'more.js': [...chunks.keys()].filter((name) => !early.has(name)) }
  // What a script takes from another is bound to constants; the other one is there by then.
  const places = new Map([...chunks.keys()].map((name, place) => [name, place]))
  const reference = (name) => `parts[${places.get(name)}]()`
  const files = Object.entries(names).map(([file, own]) => {
    const parts = own.map((name) => {
      const { imports, body, exports } = chunks.get(name)
      const bound = imports.map(
        ({ path, names: bindings }) => `${bindings === '' ? '' : `const ${bindings}=`}${reference(basename(path))};`,
      )
      const code = body.map((part) =>
        part.path === undefined
          ? part
          : `${early.has(basename(part.path)) ? 'Promise.resolve()' : 'grantwise.load("more")'}.then(()=>${reference(basename(part.path))})`,
      )
      const out = exports.map(({ name: as, local }) => (as === local ? as : `${as}:${local}`))
      return `parts[${places.get(name)}]=once(function(){${bound.join('')}${code.join('')}return{${out.join(',')}}});`
    })
    const key = file.slice(0, -'.js'.length)
    const result = key === 'engine' ? reference('engine.js') : 'true'
    const text = `"use strict";(globalThis.grantwise??={}).${key}=(()=>{const grantwise=globalThis.grantwise,parts=grantwise.parts??={},once=make=>{let made;return()=>made??=make()};${parts.join('\n')}return ${result}})();\n`
    return [file, text]
  })
  return { files: Object.fromEntries(files), inputs: metafile.inputs }
}
