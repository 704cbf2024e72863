import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { build as esbuild } from 'esbuild'
import { rolldown } from 'rolldown'
import { build as vite } from 'vite'
import { describe, expect, inject, test } from 'vitest'
import { root, run } from './run.ts'

/** Fresh projects of users, of every kind, that have the packed package. */

const [home, tools] = [inject('home'), inject('tools')]

/** A new project with these files. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(home, name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

const uses = `import { decide, defaultSettings, readQuestion, readWorld } from 'grantwise'
import { decide as decideInBrowser, type Verdict } from 'grantwise/browser'
import { startEmulator, type EmulatorCall } from 'grantwise/emulator'

async function verdicts(text: string): Promise<readonly (Verdict | undefined)[]> {
  const { world } = await readWorld([{ path: 'p.yaml', text }])
  const { question } = readQuestion('urn:v1:eu:identity:user:ab/a', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:x', { at: 0, groups: [] }, defaultSettings)
  if (!world || !question) return []
  return [decide(world, question).verdict, decideInBrowser(world, question).verdict]
}
// @ts-expect-error: what is imported has types, and is not any
export const wrong: number = readWorld
// @ts-expect-error: what is imported has types, and is not any
export const alsoWrong: number = startEmulator

const text = \`
name: p
identities: ["urn:v1:eu:identity:user:ab/a"]
resources: [{ urn: "urn:v1:eu:resource:vps:x" }]
permissions: { allow: [{ action: "vps:apisvc:get" }] }
\`
async function all() {
  const calls: EmulatorCall[] = []
  const emulator = await startEmulator({ onCall: (call) => calls.push(call) })
  await emulator[Symbol.asyncDispose]()
  return [...(await verdicts(text)), emulator.port > 0]
}
all().then((answers) => console.log(answers.join()))
`
const answers = { status: 0, stdout: 'allow,allow,true\n', stderr: '' }

const declaredConsole = 'declare const console: { log(...words: unknown[]): void }\n'
const compilers = { '5.9': join(tools, 'node_modules/typescript/bin/tsc'), '7': join(root, 'node_modules/typescript/bin/tsc') }

/** The output of programs that are type-checked, with every declaration looked at, compiled, and run. */
function said(compiler: keyof typeof compilers, module: string, moduleResolution: string, files: readonly string[]): string[] {
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2022',
    lib: ['es2023'],
    types: [],
    strict: true,
    skipLibCheck: false,
    esModuleInterop: true,
    rootDir: '.',
    outDir: 'out',
  }
  const folder = project(`typescript-${compiler}-${module}`, {
    'package.json': JSON.stringify({ type: module === 'commonjs' ? 'commonjs' : 'module' }),
    ...Object.fromEntries(files.map((file) => [file, `${declaredConsole}${uses}`])),
    'tsconfig.json': JSON.stringify({ compilerOptions, files }),
  })
  expect(run(process.execPath, [compilers[compiler], '-p', '.'], folder)).toEqual({ status: 0, stdout: '', stderr: '' })
  const ran = files.map((file) => run(process.execPath, [`out/${file.replace(/ts$/, 'js')}`], folder))
  expect(ran).toEqual(files.map(() => ({ status: 0, stdout: expect.any(String), stderr: '' })))
  return ran.map(({ stdout }) => stdout)
}

describe.each(['5.9', '7'] as const)('TypeScript %s', (compiler) => {
  test.each(['node16', 'nodenext'])('ES modules and CommonJS with `module: %s`', (module) => {
    expect(said(compiler, module, module, ['user.mts', 'user.cts'])).toEqual([answers.stdout, answers.stdout])
  })

  test('a project for a bundler', () => {
    expect(said(compiler, 'esnext', 'bundler', ['user.ts'])).toEqual([answers.stdout])
  })
})

test('TypeScript 5.9 with `moduleResolution: node10`, which later ones do not know', () => {
  expect(said('5.9', 'commonjs', 'node10', ['user.ts'])).toEqual([answers.stdout])
})

const programs = readdirSync(join(root, 'examples/library')).filter((name) => name.endsWith('.mjs'))
const isTest = (name: string) => name.endsWith('.test.mjs')
const examples = programs.filter((name) => !isTest(name))

test.each(examples)('Node: %s', (name) => {
  copyFileSync(join(root, 'examples/library', name), join(home, name))
  const here = run(process.execPath, [join(root, 'examples/library', name)], root)
  expect(here.stdout).not.toBe('')
  expect(run(process.execPath, [name], home)).toEqual(here)
})

test.each(programs.filter(isTest))('Node: the tests of %s pass', (name) => {
  copyFileSync(join(root, 'examples/library', name), join(home, name))
  const { status, stdout } = run(process.execPath, ['--test', name], home)
  expect(status, stdout).toBe(0)
  expect(stdout).toMatch(/^(?:#|ℹ) pass [1-9]/m)
})

const commonJs = `const { readFileSync } = require('node:fs')
const { decide, lint, readWorld, rules } = require('grantwise')
const { startEmulator } = require('grantwise/emulator')
const schema = JSON.parse(readFileSync(require.resolve('grantwise/schemas/policy.schema.json')))
console.log([typeof decide, typeof lint, typeof readWorld, rules.length > 10, typeof startEmulator, typeof schema.$id].join())
`

test('Node: CommonJS', () => {
  const folder = project('commonjs', { 'package.json': '{}', 'user.js': commonJs })
  expect(run(process.execPath, ['user.js'], folder)).toEqual({
    status: 0,
    stdout: 'function,function,function,true,function,string\n',
    stderr: '',
  })
})

/** The output of a script where there is nothing of Node: only the language, and a console. */
async function saidInPage(code: string): Promise<string> {
  const said: string[] = []
  const page = createContext({ console: { log: (...words: unknown[]) => said.push(words.join(' ')) } })
  await new Script(`(async () => { ${code} })()`).runInContext(page)
  return said.join('\n')
}

const page = readFileSync(join(root, 'examples/library/decide.mjs'), 'utf8')
const decided = run(process.execPath, [join(root, 'examples/library/decide.mjs')], root)

test('Vite', async () => {
  const folder = project('vite', {
    'package.json': '{ "type": "module" }',
    'index.html': '<!doctype html><title>Grants</title><script type="module" src="./main.js"></script>',
    'main.js': page,
  })
  const warnings: string[] = []
  await vite({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      // The engine and the rules in one file.
      chunkSizeWarningLimit: 2_000,
      modulePreload: { polyfill: false },
      rollupOptions: { onwarn: ({ message }) => warnings.push(message), output: { codeSplitting: false } },
    },
  })
  expect(warnings).toEqual([])
  const scripts = readdirSync(join(folder, 'dist/assets')).filter((name) => name.endsWith('.js'))
  expect(readFileSync(join(folder, 'dist/index.html'), 'utf8')).toContain(scripts[0])
  expect(scripts.map((script) => run(process.execPath, [`dist/assets/${script}`], folder))).toEqual([decided])
})

test('esbuild, for a browser', async () => {
  const folder = project('esbuild', { 'main.mjs': page })
  const settings = { bundle: true, write: false, logLevel: 'silent', format: 'esm', platform: 'browser' } as const
  const { outputFiles, warnings } = await esbuild({ ...settings, entryPoints: [join(folder, 'main.mjs')] })
  expect(warnings).toEqual([])
  expect(await saidInPage(outputFiles[0]?.text ?? '')).toBe(decided.stdout.trim())
})

/** The modules of the package in what a bundler makes of a program, by their names in the library. */
const taken = (inputs: readonly string[]) =>
  inputs.flatMap((path) => /grantwise\/dist\/library\/(.*)$/.exec(path.replaceAll('\\', '/'))?.[1] ?? []).sort()

describe('one function', () => {
  const folder = project('one-function', {
    'position.mjs': "import { position } from 'grantwise'\nconsole.log(position)\n",
    'decide.mjs': "import { decide } from 'grantwise'\nconsole.log(decide)\n",
  })

  test.each(['position', 'decide'])('%s costs what it needs: esbuild', async (name) => {
    const settings = { bundle: true, write: false, metafile: true, format: 'esm', logLevel: 'silent' } as const
    const { metafile, warnings } = await esbuild({ ...settings, entryPoints: [join(folder, `${name}.mjs`)], absWorkingDir: folder })
    expect(warnings).toEqual([])
    const [output] = Object.values(metafile.outputs)
    const used = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    expectNeeded(name, taken(used.map(([path]) => path)))
  })

  test.each(['position', 'decide'])('%s costs what it needs: rolldown', async (name) => {
    const bundle = await rolldown({ input: join(folder, `${name}.mjs`), cwd: folder })
    const { output } = await bundle.generate({ format: 'esm' })
    const used = output.flatMap((chunk) =>
      chunk.type === 'chunk'
        ? Object.entries(chunk.modules).flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? [path] : []))
        : [],
    )
    expectNeeded(name, taken(used))
  })

  // The list of names is read by every program, and nothing of it is left.
  const expectNeeded = (name: string, modules: readonly string[]) => {
    const needed = modules.filter((path) => path !== 'index.js')
    if (name === 'position') expect(needed).toEqual(['collections.js', 'source.js'])
    else expect(needed).toContain('simulate/decide.js')
    expect(needed.filter((path) => /^(?:rules|lint|answers|report|hcl|packages)\/|-table\.js$/.test(path))).toEqual([])
  }
})

test.each(['esm', 'cjs'] as const)('esbuild, for Node, as %s', async (format) => {
  const outfile = join(home, `bundled-${format}.${format === 'esm' ? 'mjs' : 'cjs'}`)
  const folder = project(`esbuild-${format}`, { 'main.ts': uses })
  const entryPoints = [join(folder, 'main.ts')]
  const { warnings } = await esbuild({ bundle: true, outfile, logLevel: 'silent', format, platform: 'node', entryPoints, target: 'node20' })
  expect(warnings).toEqual([])
  expect(run(process.execPath, [outfile], home)).toEqual(answers)
})
