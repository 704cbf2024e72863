import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

/** The code that V8 compiled in earlier runs: it changes nothing but the time that a run takes, and cannot be put there by others. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = join(root, 'examples/quickstart/policy.json')
const rules = join(root, 'examples/custom-rules')

describe('the cache of compiled code', () => {
  const work = mkdtempSync(join(tmpdir(), 'grantwise-compile-cache-'))
  const installed = join(work, 'installed')
  const home = join(work, 'home')
  const checkout = join(work, 'checkout')
  const folder = join(home, '.cache/grantwise/compiled')
  const kept = () => (existsSync(folder) ? readdirSync(folder).sort() : undefined)
  const pathOf = (program: string) => join(folder, kept()?.find((name) => name.startsWith(`${program}-`)) ?? 'none')

  function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, options: readonly string[] = []) {
    const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, XDG_CACHE_HOME: ___, ...others } = process.env
    const { stdout, stderr, status, signal } = spawnSync(process.execPath, [...options, join(installed, 'bin/grantwise.js'), ...args], {
      cwd: checkout,
      encoding: 'utf8',
      env: { ...others, HOME: home, ...env },
    })
    return { stdout, stderr, status, signal }
  }

  beforeAll(() => {
    for (const part of ['bin', 'dist/program', 'package.json']) cpSync(join(root, part), join(installed, part), { recursive: true })
  })
  beforeEach(() => {
    for (const each of [home, checkout]) {
      rmSync(each, { recursive: true, force: true })
      mkdirSync(each, { mode: 0o755 })
    }
  })
  afterAll(() => rmSync(work, { recursive: true }))

  it('is written by the second run, and taken from then on', () => {
    const first = run(['lint', example])
    expect(kept()).toEqual([])
    const second = run(['lint', example])
    expect(kept()?.map((name) => name.split('-')[0])).toEqual(['cli.cjs', 'core.cjs', 'lint.cjs'])
    const written = statSync(pathOf('cli.cjs')).ino
    const third = run(['lint', example])
    expect(statSync(pathOf('cli.cjs')).ino).toBe(written)
    expect([second, third]).toEqual([first, first])
    expect(first.status).toBe(0)
  })

  it.each([
    ['a command that loads more later, some of it not in ASCII', ['graph', example, '--format', 'svg', '--at', '2026-01-01T00:00:00Z']],
    ['threads', ['lint', '--jobs', '2', example]],
    ['rules that may not be run', ['lint', '--config', join(rules, '.grantwise.yaml'), rules]],
    ['an error', ['lint', 'no such file']],
    ['help', ['--help']],
  ])('leaves the answer as it is: %s', (_, args) => {
    const plain = run(args, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(kept()).toBeUndefined()
    expect([1, 2, 3].map(() => run(args))).toEqual([plain, plain, plain])
    expect(kept()).not.toEqual([])
  })

  // Node's own way of making folders never ends there.
  it.runIf(existsSync('/proc/self'))('is left out where the system makes no folder', () => {
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '', XDG_CACHE_HOME: '/proc' }
    const { status, signal } = spawnSync(process.execPath, [join(installed, 'bin/grantwise.js'), 'lint', example], { env, timeout: 20_000 })
    expect([status, signal]).toEqual([0, null])
  })

  it('leaves modules of the user to Node, whether or not earlier runs loaded one', () => {
    const withRules = ['lint', '--config', join(rules, '.grantwise.yaml'), rules]
    const allowed = [...withRules, '--allow-rules-from', join(rules, 'acme-rules')]
    const plain = run(allowed, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(plain.stdout).toContain('acme/names-owner')
    for (let i = 0; i < 3; i++) run(withRules)
    expect([1, 2].map(() => run(allowed))).toEqual([plain, plain])
  })

  it('is of exactly the source: one that was changed in one character is compiled', () => {
    for (let i = 0; i < 2; i++) run(['lint', example])
    const file = join(installed, 'dist/program/cli.cjs')
    const source = readFileSync(file, 'utf8')
    const word = 'unknown command'
    expect(source).toContain(word)
    try {
      writeFileSync(file, source.replaceAll(word, 'unknown_command'))
      expect(run(['nonsense']).stderr).toContain('unknown_command')
      expect(run(['nonsense']).stderr).toContain('unknown_command')
    } finally {
      writeFileSync(file, source)
    }
    expect(run(['nonsense']).stderr).toContain(word)
  })

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['lost in one sector', (bytes: Buffer) => Buffer.from(bytes).fill(0, 4096, 4608)],
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ])('is made again where it is damaged: %s', (_, damage) => {
    const whole = run(['lint', example])
    run(['lint', example])
    const file = pathOf('core.cjs')
    const bytes = readFileSync(file)
    writeFileSync(file, damage(bytes))
    expect(run(['lint', example])).toEqual(whole)
    expect(readFileSync(file).length).toBeGreaterThan(bytes.length / 2)
    expect(run(['lint', example])).toEqual(whole)
  })

  it.each([
    ['the folder', '.cache/grantwise/compiled'],
    ['the folder above it', '.cache/grantwise'],
  ])('is not used where others may write into it: %s', (_, name) => {
    mkdirSync(folder, { recursive: true })
    chmodSync(join(home, name), 0o777)
    expect(run(['lint', example]).status).toBe(0)
    expect(kept()).toEqual([])
  })

  it.each([
    ['no home', { HOME: '' }],
    ['a home that is not there', { HOME: '/nowhere/at/all' }],
    ['a relative folder', { XDG_CACHE_HOME: 'caches' }],
    ['a file in its place', { XDG_CACHE_HOME: example }],
  ])('is left out with %s', (_, env) => {
    for (let i = 0; i < 2; i++) expect(run(['lint', example], env)).toMatchObject({ stderr: '', status: 0 })
    expect(readdirSync(home)).toEqual([])
  })

  it.each([
    ['the working folder', join(checkout, 'home'), checkout],
    ['the working folder itself', checkout, checkout],
    ['a repository', join(work, 'repository/home'), join(work, 'repository/.git')],
  ])('is not used where it may come with what is judged: a home in %s', (_, place, other) => {
    mkdirSync(place, { recursive: true })
    mkdirSync(other, { recursive: true })
    mkdirSync(join(place, '.cache/grantwise/compiled'), { recursive: true, mode: 0o700 })
    run(['lint', example], { HOME: place })
    expect(readdirSync(join(place, '.cache/grantwise/compiled'))).toEqual([])
    rmSync(join(place, '.cache'), { recursive: true })
    run(['lint', example], { HOME: place })
    expect(existsSync(join(place, '.cache'))).toBe(false)
  })

  it('is in the cache folder that the user names', () => {
    const caches = join(home, 'caches')
    for (let i = 0; i < 2; i++) run(['lint', example], { XDG_CACHE_HOME: caches })
    expect(readdirSync(join(caches, 'grantwise/compiled'))).toHaveLength(3)
    expect(readdirSync(home)).toEqual(['caches'])
  })

  it('gives way to what loads such files already', () => {
    const hook = join(home, 'hook.cjs')
    writeFileSync(hook, `require.extensions['.cjs'] = (module, file) => { console.error('hook'); require.extensions['.js'](module, file) }`)
    expect(run(['lint', example], {}, ['--require', hook]).stderr).toContain('hook')
    expect(kept()).toBeUndefined()
  })

  it('does not keep the code of what is long gone', () => {
    run(['lint', example])
    const [old, recent] = [join(folder, 'old'), join(folder, 'recent')]
    for (const file of [old, recent]) writeFileSync(file, '')
    const days = (count: number) => (Date.now() - count * 86_400_000) / 1000
    utimesSync(old, days(31), days(31))
    utimesSync(recent, days(29), days(29))
    run(['lint', example])
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true])
  })
})
