// Builds what runs in a browser, one script for each asset, into dist/web/ and all of them as dist/web/assets.json. The packages
// that they hold are in dist/web/inputs.json.
// An asset that sets nothing starts by itself; any other sets `globalThis.grantwise[NAME]` to what its entry exports.
// What is run on demand is compressed in the page, with the hash by which the policy of the page lets it run.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipAsync } from '@gfx/zopfli'
import { engine } from './engine.mjs'

/**
 * The assets, with the most bytes that each may have, and how many as it is in a page if it is run on demand. One whose
 * entry is not there is left out; an entry may make several.
 */
const entries = [
  { name: 'app.js', entry: 'src/web/app/start.ts', most: 150_000 },
  { name: 'live.js', entry: 'src/web/app/live.ts', most: 4_000 },
  { name: 'style.css', entry: 'src/web/style.css', most: 40_000 },
  { name: 'engine.js', entry: 'src/web/engine/index.ts', most: 400_000, packed: 200_000, make: engine },
  { name: 'more.js', most: 320_000, packed: 144_000 },
  { name: 'catalogue.js', most: 250_000, packed: 100_000 },
  { name: 'editor.js', entry: 'src/web/ask/editor.ts', most: 500_000, packed: 200_000 },
  { name: 'workbook.js', entry: 'src/page/xlsx.ts', most: 30_000, packed: 16_000 },
  { name: 'graph.js', entry: 'src/web/graph/index.ts', most: 100_000, packed: 40_000 },
]

/** Build every asset. The result is as esbuild gives it: `outputFiles` and `metafile`. */
export async function web(build, root, common) {
  const inputs = {}
  const scripts = {}
  const assets = {}
  const compressed = compressedBefore(root)
  for (const { name, entry, make } of entries) {
    if (entry === undefined || !existsSync(join(root, entry))) continue
    const isScript = name.endsWith('.js')
    const settings = {
      ...common,
      platform: 'browser',
      target: ['chrome123', 'firefox120', 'safari17.5'],
      mainFields: ['browser', 'module', 'main'],
      conditions: ['browser', 'import'],
      minify: true,
      charset: 'utf8',
      entryPoints: [join(root, entry)],
    }
    const made = await (make ?? one)(build, root, settings, name, isScript)
    Object.assign(inputs, made.inputs)
    for (const [file, code] of Object.entries(made.files)) {
      const text = inPage(code.trimEnd(), file)
      const limits = entries.find((each) => each.name === file)
      checkSize(file, text, limits.most)
      scripts[file] = text
      assets[file] = limits.packed === undefined ? text : await packed(text, compressed)
      if (limits.packed !== undefined) checkSize(`${file}, compressed,`, assets[file].gzip, limits.packed)
    }
  }
  const ofPackages = Object.keys(inputs).filter((path) => path.startsWith('node_modules/'))
  const kept = Object.fromEntries(Object.values(assets).flatMap(({ sha256, gzip }) => (gzip === undefined ? [] : [[sha256, gzip]])))
  const described = {
    [basename(keptPath)]: JSON.stringify(kept),
    'assets.json': JSON.stringify(assets),
    'inputs.json': JSON.stringify(ofPackages),
  }
  const outputFiles = Object.entries({ ...scripts, ...described }).map(([name, text]) => ({
    path: join(root, 'dist/web', name),
    contents: Buffer.from(text),
  }))
  return { outputFiles, metafile: { inputs } }
}

/** How scripts are compressed. Another way needs another name, since results are kept by it. */
const encoder = { name: 'zopfli-1', gzip: (text) => gzipAsync(Buffer.from(text), { numiterations: 1 }) }

/** Where the scripts of the last build are kept as they were compressed, by the hashes of their texts. */
const keptPath = `dist/web/${encoder.name}.json`

function compressedBefore(root) {
  try {
    return JSON.parse(readFileSync(join(root, keptPath), 'utf8'))
  } catch {
    return {}
  }
}

/**
 * A script as a page holds it until it runs: `Packed` in src/page/html.ts. Not compressed by Node, whose versions write different
 * bytes: every build of a version writes the same page. Zopfli takes seconds for 3 % less than zlib, in each page that users keep; what
 * has not changed since the last build is not compressed again.
 */
async function packed(text, compressed) {
  const sha256 = createHash('sha256').update(text).digest('base64')
  return { gzip: compressed[sha256] ?? Buffer.from(await encoder.gzip(text)).toString('base64'), sha256 }
}

function checkSize(file, text, most) {
  const size = Buffer.byteLength(text)
  if (size > most) throw new Error(`dist/web/${file} has ${size} bytes, more than ${most} (scripts/web.mjs)`)
}

async function one(build, root, settings, name, isScript) {
  const result = await build({
    ...settings,
    ...(isScript && { format: 'iife', globalName: `grantwise.${name.slice(0, -'.js'.length)}` }),
    outfile: join(root, 'dist/web', name),
  })
  return { files: { [name]: result.outputFiles[0].text }, inputs: result.metafile.inputs }
}

/** A script or style as it may be within a page: nothing in it ends its element or is read as another character. */
function inPage(text, name) {
  const safe = text
    .replace(/<\/(script|style)/gi, '<\\/$1')
    .replaceAll('<!--', '\\x3C!--')
    .replaceAll('\r', '\\r')
    .replaceAll('\0', '\\0')
  if (/<\/(script|style)|<!--/i.test(safe)) throw new Error(`dist/web/${name} cannot stand within a page`)
  return safe
}
