import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The parts of WebAssembly modules, which no lockfile has: by package, the module and what it was linked from. A version that the
 * module says itself is read from it, see `versionIn`; the others are parts of the toolchain, and the module names none of theirs.
 * `copyright`: of those whose licence asks to be named with a copy (scripts/licences.mjs).
 */
export const modules = {
  'node-sqlite3-wasm': {
    file: 'dist/node-sqlite3-wasm.wasm',
    parts: [
      { name: 'sqlite', versionIn: /(3\.\d+\.\d+)\0/, licence: 'blessing', supplier: 'SQLite Consortium', purl: 'pkg:generic/sqlite' },
      {
        name: 'clang',
        versionIn: /COMPILER=clang-(\d+\.\d+\.\d+)/,
        licence: 'Apache-2.0 WITH LLVM-exception',
        role: 'its compiler, and compiler-rt',
      },
      {
        name: 'emscripten',
        licence: 'MIT',
        role: 'its run-time',
        copyright: 'Copyright (c) 2010-2014 Emscripten authors, see AUTHORS file.',
      },
      { name: 'musl', licence: 'MIT', role: 'the C library of emscripten', copyright: 'Copyright © 2005-2020 Rich Felker, et al.' },
    ],
  },
}

/** A module with its digest and its parts, as a component of the package that it is from. */
function moduleOf(root, folder, packageName) {
  const known = modules[packageName]
  if (known === undefined) return undefined
  const bytes = readFileSync(join(root, folder, known.file))
  const text = bytes.toString('latin1')
  return {
    type: 'file',
    'bom-ref': `${packageName}/${known.file}`,
    name: known.file.split('/').at(-1),
    mimeType: 'application/wasm',
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(bytes).digest('hex') }],
    components: known.parts.map(({ name, versionIn, licence, supplier, purl: address, role }) => {
      const version = versionIn?.exec(text)?.[1]
      if (versionIn && version === undefined) throw new Error(`${known.file} of ${packageName} does not say its version of ${name}`)
      return {
        type: 'library',
        'bom-ref': `${packageName}/${name}`,
        ...(supplier && { supplier: { name: supplier } }),
        name,
        ...(version && { version }),
        ...(role && { description: role }),
        ...(address && { purl: `${address}@${version}` }),
        licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
      }
    }),
  }
}

/**
 * The bill of materials of the bundles (CycloneDX 1.6): every package that files of them are from, with version, licence and the
 * digest that the lockfile has. Nothing in it depends on when or where it was made.
 */
export function billOfMaterials(root, inputs) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const components = packageFolders(inputs).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    const [algorithm, digest] = packages[folder]?.integrity?.split(/-(.*)/s) ?? []
    const module = moduleOf(root, folder, name)
    if (algorithm !== 'sha512') throw new Error(`${folder} is not in the lockfile with a SHA-512 digest`)
    return {
      type: 'library',
      'bom-ref': purl(name, version),
      name,
      version,
      purl: purl(name, version),
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }],
      ...(module && { components: [module] }),
    }
  })
  const own = {
    type: 'application',
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
    licenses: [{ license: { id: license } }],
  }
  const dependsOn = components.map((each) => each['bom-ref'])
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn }],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** The folders of the packages that files are from, as the lockfile has them, sorted. */
export function packageFolders(inputs) {
  const folders = inputs.map((input) => /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(input)?.[1])
  return [...new Set(folders.filter(Boolean))].sort()
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}
