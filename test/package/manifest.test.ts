import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { rules } from '../../src/rules/index.ts'
import { root, run } from './run.ts'

interface Publication {
  readonly organisation: string
  readonly isPlaceholder: boolean
  readonly web: string
  readonly files: string
  readonly raw: string
}
const { publicationOf }: { readonly publicationOf: (manifest: object) => Publication } = await import(
  new URL('../../scripts/publication.mjs', import.meta.url).href
)

const [tarball, home, tools] = [inject('tarball'), inject('home'), inject('tools')]
const installed = join(home, 'node_modules/grantwise')

/** Files that may be in the package. A file that matches none was packed by mistake; a pattern that matches none is out of date. */
const published = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^bin\/(grantwise\.js|package\.json)$/,
  /^dist\/THIRD-PARTY-LICENSES\.txt$/,
  /^dist\/sbom\.cdx\.json$/,
  /^dist\/library\/([\w-]+\/)*[\w-]+\.js(\.map)?$/,
  /^dist\/commonjs\/([\w-]+\/)*[\w-]+(\.(css|js))?\.js(\.map)?$/,
  /^dist\/commonjs\/(embed\.mjs|package\.json)$/,
  /^dist\/program\/(cli|compile-cache|core|cost|lint|can)\.cjs$/,
  /^dist\/program\/[\w-]+-[A-Z0-9]{8}\.cjs$/,
  /^dist\/types\/(index|embed)\.d\.mts$/,
  /^dist\/types\/package\.json$/,
  /^dist\/types\/([\w-]+\/)*[\w-]+\.d\.ts$/,
  /^docs\/[\w-]+\.md$/,
  /^docs\/cookbook\/[\w-]+\.md$/,
  /^docs\/rules\/[\w-]+\.md$/,
  /^docs\/images\/[\w-]+\.svg$/,
  /^integrations\/([\w-]+\.sh|configurations\.mjs)$/,
  /^integrations\/comment\/[\w-]+\.mjs$/,
  /^man\/grantwise\.1$/,
  /^schemas\/([\w-]+\.schema|catalog)\.json$/,
]
const files = readdirSync(installed, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(installed.length + 1)
      .replaceAll('\\', '/'),
  )

const policy = {
  name: 'p',
  identities: ['urn:v1:eu:identity:user:ab/a'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:x' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
}

/** Programs that print the stack of an error, thrown within the library for what is given as `lintText`, and by the emulator. */
const stackOfLint = `const rule = { code: 'acme/fails', section: 'document', severity: 'error', summary: 's', why: 'w', policy: () => { throw new Error('on purpose') } }
lintText(JSON.stringify(${JSON.stringify(policy)}), { now: 0, rules: [rule] }).catch((error) => console.log(error.stack))`
const stackOfEmulator = `startEmulator().then(async (emulator) => {
  try { emulator.advance(-1) } catch (error) { console.log(error.stack) }
  await emulator.close()
})`
const stacks = [
  { file: 'stack.mjs', loads: "import { lintText } from 'grantwise'", program: stackOfLint, place: 'lint/run.ts', name: 'runOnPolicies' },
  {
    file: 'stack.cjs',
    loads: "const { lintText } = require('grantwise')",
    program: stackOfLint,
    place: 'lint/run.ts',
    name: 'runOnPolicies',
  },
  {
    // As tools take it that cannot load ES modules, such as Jest on Node.js 20.
    file: 'stack-of-commonjs.cjs',
    loads: "const { lintText } = require('./node_modules/grantwise/dist/commonjs/index.js')",
    program: stackOfLint,
    place: 'lint/run.ts',
    name: 'runOnPolicies',
  },
  {
    file: 'stack-of-emulator.mjs',
    loads: "import { startEmulator } from 'grantwise/emulator'",
    program: stackOfEmulator,
    place: 'embed.ts',
    name: 'advance',
  },
  {
    file: 'stack-of-emulator.cjs',
    loads: "const { startEmulator } = require('grantwise/emulator')",
    program: stackOfEmulator,
    place: 'embed.ts',
    name: 'advance',
  },
]

/** The files that a part of a manifest names, however deep. */
function filesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : []
}

describe('the packed package', () => {
  test('has the files that are published, and no other', () => {
    expect(files.filter((file) => !published.some((pattern) => pattern.test(file)))).toEqual([])
    expect(published.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([])
  })

  test('has at most 5 MB', () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(5_000_000)
  })

  test('has the page of every rule', () => {
    const pages = new Set(readdirSync(join(installed, 'docs/rules')))
    expect(rules.map(({ code }) => `${code}.md`).filter((page) => !pages.has(page))).toEqual([])
  })

  // covers: T32, P8
  test('lists the packages that are bundled, and none of them has an install script', () => {
    const bill = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8'))
    const listed: string[] = bill.components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`)
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    expect(listed.filter((each) => !licences.includes(`${each} (`))).toEqual([])
    expect(licences.match(/^[\w@/.-]+ \d+\.\d+\.\d+\S* \(.+\)$/gm)).toHaveLength(listed.length)
    for (const linked of ['musl', 'emscripten']) expect(licences).toMatch(new RegExp(`^${linked}, in the WebAssembly of .+ \\(MIT\\)`, 'm'))
    const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))
    const scripted = Object.entries<{ version: string; hasInstallScript?: boolean }>(packages).flatMap(([folder, each]) =>
      each.hasInstallScript ? [`${folder.replace(/^.*node_modules\//, '')} ${each.version}`] : [],
    )
    expect(listed.filter((each) => scripted.includes(each))).toEqual([])
    expect(listed.length).toBeGreaterThan(10)
  })

  // covers: P8
  test('has every file that its manifest names, runs nothing when it is installed, and needs no other package', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest.dependencies).toBeUndefined()
    expect(manifest.scripts).toBeUndefined()
    expect(manifest.devDependencies).toBeUndefined()
    const named = filesIn([manifest.bin, manifest.exports, manifest.main, manifest.types, manifest.typesVersions])
    expect(named.length).toBeGreaterThan(10)
    for (const file of named) if (!file.includes('*')) expect(readFileSync(join(installed, file), 'utf8')).not.toBe('')
  })

  test('says who makes it, where its repository is, and by which words it is found', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const { organisation, web } = publicationOf(manifest)
    expect(manifest).toMatchObject({ author: organisation, homepage: `${web}#readme`, bugs: { url: `${web}/issues` } })
    expect(manifest.keywords).toContain('iam')
  })

  test('has a README whose links and pictures are addresses of files of this version', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8')
    const { files: blob, raw } = publicationOf(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')))
    const targets = [...readme.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target as string)
    expect(targets.length).toBeGreaterThan(50)
    for (const target of targets) {
      const path = [blob, raw].flatMap((base) => (target.startsWith(base) ? [target.slice(base.length)] : []))
      expect(path, target).toHaveLength(1)
      expect(existsSync(join(root, (path[0] as string).replace(/#.*$/, ''))), target).toBe(true)
    }
  })

  test.each(stacks)('has the lines of its sources in the stack of $file', ({ file, loads, program, place, name }) => {
    writeFileSync(join(home, file), `${loads}\n${program}`)
    const { stdout } = run(process.execPath, ['--enable-source-maps', file], home)
    const places = [...stdout.matchAll(/grantwise\/src\/(\S+\.ts):(\d+):(\d+)/g)].map(
      ([, source = '', line, column]) => [source, Number(line), Number(column)] as const,
    )
    expect(places.map(([source]) => source)).toContain(place)
    for (const [source, line, column] of places) {
      const text = readFileSync(join(root, 'src', source), 'utf8').split('\n')[line - 1] ?? ''
      expect(text.slice(column - 1), `${source}:${line}:${column} in ${text}`).toMatch(/^(?:new )?[\w$]+\(/)
    }
    // Names are those of the sources without maps, too.
    expect(run(process.execPath, [file], home).stdout).toMatch(new RegExp(`^ +at (?:\\w+\\.)?${name} \\(.+/dist/`, 'm'))
  })

  test('has the sources of the library with its maps', () => {
    const map = JSON.parse(readFileSync(join(installed, 'dist/library/lint/run.js.map'), 'utf8'))
    expect(map.sourcesContent).toEqual([readFileSync(join(root, 'src/lint/run.ts'), 'utf8')])
  })

  test('is refused for a release while the organisation is a placeholder', () => {
    const { status, stderr } = run(process.execPath, [join(root, 'scripts/pack.mjs'), home, '--release'], root)
    const { isPlaceholder } = publicationOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    // The next fault that it looks for, where the organisation is set.
    const isEarly = readFileSync(join(root, 'README.md'), 'utf8').includes('not in the npm registry yet')
    expect({ isPlaceholder, status, isSaid: stderr.includes('your-org') }).toEqual({
      isPlaceholder,
      status: isPlaceholder || isEarly ? 2 : 0,
      isSaid: isPlaceholder,
    })
  })

  test('is as package managers, bundlers and Node expect it', () => {
    const publint = join(tools, 'node_modules/publint/src/cli.js')
    const said = run(process.execPath, [publint, '--strict', installed], tools)
    expect(said).toMatchObject({ status: 0 })
    expect(said.stdout).toContain('All good!')
  })

  test('has types of the right kind of module in every resolution mode', () => {
    const attw = join(tools, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    const said = run(process.execPath, [attw, tarball, '--format', 'json'], tools)
    const { analysis, problems = {} } = JSON.parse(said.stdout)
    expect({ status: said.status, problems }).toEqual({ status: 0, problems: {} })
    const modes = ['node10', 'node16-cjs', 'node16-esm', 'bundler']
    for (const entry of ['.', './browser', './emulator']) {
      const { resolutions } = analysis.entrypoints[entry]
      expect(modes.filter((mode) => resolutions[mode]?.resolution?.isTypeScript !== true)).toEqual([])
    }
  })

  test.each(['grantwise', 'grantwise/browser', 'grantwise/emulator'])(
    'gives those who import and those who require `%s` the same instance',
    (name) => {
      const program = `const required = require('${name}')
import('${name}').then((imported) => {
  const names = Object.keys(imported)
  console.log(names.length > 0 && names.every((each) => imported[each] === required[each]), names.join() === Object.keys(required).sort().join())
})`
      const file = `same-${name.replace('/', '-')}.cjs`
      writeFileSync(join(home, file), program)
      expect(run(process.execPath, [file], home)).toEqual({ status: 0, stdout: 'true true\n', stderr: '' })
    },
  )

  test('has the same names for what cannot load ES modules, such as Jest on Node.js 20', () => {
    const program = `import * as modules from 'grantwise'
import { createRequire } from 'node:module'
const required = createRequire(import.meta.url)('./node_modules/grantwise/dist/commonjs/index.js')
console.log(Object.keys(required).sort().join() === Object.keys(modules).sort().join(), typeof required.decide)`
    writeFileSync(join(home, 'required.mjs'), program)
    expect(run(process.execPath, ['required.mjs'], home)).toEqual({ status: 0, stdout: 'true function\n', stderr: '' })
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const entry of ['.', './browser']) expect(exports[entry].require.default).toBe('./dist/commonjs/index.js')
  })

  test('has one library, for Node and for browsers', () => {
    const program = `import * as node from 'grantwise'
import * as browser from 'grantwise/browser'
console.log(Object.keys(node).length > 0 && Object.keys(node).every((name) => node[name] === browser[name]))`
    writeFileSync(join(home, 'mixed.mjs'), program)
    expect(run(process.execPath, ['mixed.mjs'], home)).toEqual({ status: 0, stdout: 'true\n', stderr: '' })
  })
})
