import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { root, run } from './run.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The packed package. */
    readonly tarball: string
    /** A folder where it is installed: folders in it are projects that have it. */
    readonly home: string
    /** A folder with the checkers of `tools/package.json` in its `node_modules`. */
    readonly tools: string
    /** The single executable. */
    readonly executable: string
  }
}

/** One package for all tests: built with its declarations, packed as it would be published, and installed as users do. */
export default function setup(project: TestProject): () => void {
  const scratch = mkdtempSync(join(tmpdir(), 'grantwise-package-'))
  const [home, tools] = [join(scratch, 'home'), join(scratch, 'tools')]
  const quiet = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund']
  done(run(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'], root))
  const packed = done(run(process.execPath, [join(root, 'scripts/pack.mjs'), scratch], root))
  const tarball = join(scratch, packed.trim())
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  // It needs nothing else, so nothing is asked for.
  done(run('npm', ['install', ...quiet, '--offline', tarball], home))
  cpSync(join(root, 'test/package/tools'), tools, { recursive: true })
  done(run('npm', ['ci', ...quiet], tools))
  const executable = done(run(process.execPath, [join(root, 'scripts/executable/make.mjs')], root))
  project.provide('executable', join(root, executable.trim()))
  project.provide('tarball', tarball)
  project.provide('home', home)
  project.provide('tools', tools)
  return () => rmSync(scratch, { recursive: true, force: true })
}

function done({ status, stdout, stderr }: ReturnType<typeof run>): string {
  if (status !== 0) throw new Error(`${stdout}\n${stderr}`)
  return stdout
}
