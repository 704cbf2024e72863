// Builds the engine of the pages in three scripts: the catalogue of actions, what few questions need, and the rest, which loads the second
// when it is first needed.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { init } from 'es-module-lexer'
import { chunkOf, closureOf } from './chunks.mjs'

/**
 * Rules without the words that only their documentation shows, a quarter of their size, and what only summaries answer: pages have none. Of
 * sections, pages ask for those that `isLocal` names (src/lint/run.ts), `whole set` and `upkeep`.
 */
const withoutWords = (code) =>
  code
    .replace(/^ {2}needs: 'may\w+',\n/gm, '')
    .replace(/^ {2}section: '(?:access rules|conditions|expiry|risk)',\n/gm, '')
    .replace(/^ {2}(?:why|summary|security|precision|fixes):[\s\S]*?(?=^ {2}\S|^\})/gm, '')
    .replace(/(\bname: '\w+',\s*type: '\w+',(?:\s*required: true,)?\s*)text:\s*(?:'(?:[^'\\]|\\.)*'|`[^`]*`),?/g, '$1')

/** Of the package `yaml`, the modules that write it, a fifth of the package: pages only read YAML. Their names stay, and a call of one fails. */
const writesYaml = /[\\/]yaml[\\/]browser[\\/]dist[\\/]stringify[\\/]\w+\.js$/

const withoutWriting = (code) => {
  const [, names] = /^export \{ (.+) \};$/m.exec(code)
  return `const none=()=>{throw Error('YAML is not written here')};export{${names.split(', ').map((name) => `none as ${name}`)}}`
}

/** The modules that the scripts begin with. */
const entries = { engine: 'index.ts', more: 'more.ts', catalogue: 'catalogue.ts' }

const plugin = {
  name: 'engine',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\/src\/rules\/[a-z-]+\/[a-z-]+\.ts$/ }, ({ path }) => ({
      contents: withoutWords(readFileSync(path, 'utf8')),
      loader: 'ts',
    }))
    esbuild.onLoad({ filter: writesYaml }, ({ path }) => ({ contents: withoutWriting(readFileSync(path, 'utf8')), loader: 'js' }))
  },
}

/** The scripts by their names, and what went into them. `settings`: of the bundler. */
export async function engine(build, root, settings) {
  await init
  const { outputFiles, metafile } = await build({
    ...settings,
    format: 'esm',
    splitting: true,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, 'src/web/engine', file)])),
    outdir: join(root, 'dist/web'),
    chunkNames: '[name]-[hash]',
    plugins: [plugin],
  })
  const chunks = new Map(outputFiles.map(({ path, text }) => [basename(path), chunkOf(text)]))
  const about = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const catalogue = closureOf('catalogue.js', chunks)
  const inMore = new Set([...closureOf('more.js', chunks)].flatMap((name) => Object.keys(about.get(name).inputs)))
  // Modules that the program loads on demand are at hand here, except what `more` holds.
  const early = closureOf('engine.js', chunks)
  for (const name of early)
    for (const { path } of chunks.get(name).body)
      if (path !== undefined && !inMore.has(about.get(basename(path)).entryPoint))
        for (const each of closureOf(basename(path), chunks)) early.add(each)
  const all = [...chunks.keys()]
  const names = {
    'engine.js': [...early].filter((name) => !catalogue.has(name)),
    'more.js': all.filter((name) => !early.has(name) && !catalogue.has(name)),
    'catalogue.js': [...catalogue],
  }
  // Names that a script takes from another are bound to constants; the other one is there by then.
  const places = new Map(all.map((name, place) => [name, place]))
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
