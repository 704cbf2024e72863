import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

/** The recipes of package managers, as a release writes them of its archives. */

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-recipes-'))
const [archives, recipes] = [join(scratch, 'archives'), join(scratch, 'recipes')]
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const manifest = JSON.parse(read('package.json')) as { version: string; license: string; repository: { url: string } }
const { version } = manifest
const web = manifest.repository.url.replace(/^git\+|\.git$/g, '')
const downloads = `${web}/releases/download/v${version}/`

const recipe = (path: string) => readFileSync(join(recipes, path), 'utf8')
const write = (...flags: string[]) =>
  spawnSync(process.execPath, [join(root, 'scripts/recipes.mjs'), archives, recipes, ...flags], { encoding: 'utf8' })
/** A checksum as the program for it prints it. */
const sumOf = (file: string) => {
  const { stdout } = spawnSync('sha256sum', [join(archives, file)], { encoding: 'utf8' })
  return stdout.slice(0, 64)
}
const has = (program: string) => spawnSync(program, ['--version']).status === 0

/** The executables of a release, by its workflow. */
const { jobs } = parse(read('.github/workflows/release.yml')) as {
  jobs: { executable: { strategy: { matrix: { include: readonly { readonly name: string }[] } } } }
}
const platforms = jobs.executable.strategy.matrix.include.map(({ name }) => name)
const archiveOf = (platform: string) => `grantwise-${platform}.${platform === 'windows-x64' ? 'zip' : 'tar.gz'}`

beforeAll(() => {
  mkdirSync(archives)
  for (const platform of platforms) writeFileSync(join(archives, archiveOf(platform)), `the archive for ${platform}\n`)
  expect(write()).toMatchObject({ status: 0, stderr: '' })
})

// `repository` of package.json is the one place that decides it.
test('every page names the organisation of the repository', () => {
  const pages = spawnSync('git', ['ls-files', '*.md', 'templates', 'action.yml', 'src'], { cwd: root, encoding: 'utf8' })
    .stdout.split('\n')
    .filter((path) => path !== '' && !path.startsWith('test/'))
  const named = pages.flatMap((path) =>
    [...read(path).matchAll(/(?:github\.com\/|uses: |--repo )([\w-]+)\/grantwise\b|https:\/\/([\w-]+)\.github\.io\/grantwise\b/g)].map(
      ([, organisation, owner]) => `${path}: ${organisation ?? owner}`,
    ),
  )
  expect(named.length).toBeGreaterThan(5)
  const own = new URL(web).pathname.split('/')[1]
  expect(named.filter((each) => !each.endsWith(`: ${own}`))).toEqual([])
})

test('a release has no page that says that there is none yet', async () => {
  const { pageFault } = await import(new URL('../../scripts/publication.mjs', import.meta.url).href)
  const pages = [
    { path: 'README.md', text: 'grantwise needs Node.js. It is not in the npm registry yet.' },
    { path: 'docs/fmt.md', text: '# Format' },
  ]
  expect(pageFault(pages)).toBe('README.md: `not in the npm registry yet`: say how the package is installed from there')
  expect(pageFault(pages.slice(1))).toBeUndefined()
  const early = ['README.md', 'docs/install.md', 'docs/start.md'].filter((path) => pageFault([{ path, text: read(path) }]))
  // All of them, or none: one that was forgotten would say otherwise than the others.
  expect([0, 3]).toContain(early.length)
})

describe('recipes', () => {
  test('name archives of the release, with their checksums, and no other address', () => {
    const [formula, mise] = [recipe('homebrew/Formula/grantwise.rb'), recipe('mise/mise.toml')]
    const scoop = JSON.parse(recipe('scoop/bucket/grantwise.json'))
    const windows = scoop.architecture['64bit']
    const pairs = [
      ...[...formula.matchAll(/url "(.*)"\n +sha256 "(.*)"/g)].map(([, url = '', sum]) => ['homebrew', url.replace(downloads, ''), sum]),
      ...[...mise.matchAll(/asset_pattern = "(.*?)", checksum = "sha256:(.*?)"/g)].map(([, file, sum]) => ['mise', file, sum]),
      ['scoop', windows.url.replace(downloads, ''), windows.hash],
    ]
    const expected = (manager: string, ...of: string[]) => of.map((platform) => [manager, archiveOf(platform), sumOf(archiveOf(platform))])
    expect(pairs).toEqual([
      ...expected('homebrew', 'macos-arm64', 'macos-x64', 'linux-arm64', 'linux-x64'),
      ...expected('mise', 'linux-arm64', 'linux-x64', 'macos-arm64', 'macos-x64', 'windows-x64'),
      ...expected('scoop', 'windows-x64'),
    ])
    const texts = [formula, mise, JSON.stringify(scoop), recipe('pre-commit/README.md')].join('\n')
    expect([...texts.matchAll(/https:\/\/[^\s"')]+/g)].map(([url]) => url).filter((url) => !url.startsWith(web))).toEqual([
      'https://pre-commit.com',
    ])
  })

  test('for Homebrew: each system and processor once, within the limits of its audit', () => {
    const formula = recipe('homebrew/Formula/grantwise.rb')
    expect([...formula.matchAll(/on_(macos|linux|arm|intel) do/g)].map(([, word]) => word)).toEqual(
      ['macos', 'linux'].flatMap((system) => [system, 'arm', 'intel']),
    )
    expect(formula).toContain(`  version "${version}"\n  license "${manifest.license}"\n`)
    const [, description = ''] = /^ {2}desc "(.*)"$/m.exec(formula) ?? []
    expect(description).toMatch(/^(?!An? |The |grantwise)[A-Z].{10,78}[^.]$/)
    // Each block is closed: `class`, `def` and `do` open one.
    expect(formula.match(/^ *(?:class|def)\b| do$/gm)).toHaveLength(formula.match(/^ *end$/gm)?.length ?? 0)
    if (!has('ruby')) return
    const { stdout, stderr } = spawnSync('ruby', ['-c', join(recipes, 'homebrew/Formula/grantwise.rb')], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: 'Syntax OK\n', stderr: '' })
  })

  test('for Scoop: a later version is found by the checksums that the release publishes', () => {
    const { architecture, autoupdate, checkver, bin } = JSON.parse(recipe('scoop/bucket/grantwise.json'))
    expect(autoupdate.architecture['64bit'].url.replaceAll('$version', version)).toBe(architecture['64bit'].url)
    const sums = autoupdate.architecture['64bit'].hash.url.replace('$baseurl/', '')
    expect(read('.github/workflows/release.yml')).toContain(`sha256sum -- * > ${sums}`)
    expect({ checkver, bin }).toEqual({ checkver: { github: web }, bin: 'grantwise.exe' })
  })

  test('for mise: TOML with a version', () => {
    if (!has('python3')) return
    const script = 'import json, sys, tomllib; print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))))'
    const { stdout, status } = spawnSync('python3', ['-c', script, join(recipes, 'mise/mise.toml')], { encoding: 'utf8' })
    expect(status).toBe(0)
    const [[tool, { version: named, platforms: known }] = ['', {}]] = Object.entries<Record<string, unknown>>(JSON.parse(stdout).tools)
    expect([tool, named]).toEqual([`github:${new URL(web).pathname.slice(1)}`, version])
    expect(Object.keys(known as object)).toHaveLength(5)
  })

  test('for pre-commit: the hooks of this repository, which install the package of the release', () => {
    const own = parse(read('.pre-commit-hooks.yaml')) as readonly object[]
    const mirrored = parse(recipe('pre-commit/.pre-commit-hooks.yaml'))
    expect(mirrored).toEqual(own.map((hook) => ({ ...hook, additional_dependencies: [`grantwise@${version}`] })))
    const { name, dependencies, files } = JSON.parse(recipe('pre-commit/package.json'))
    expect({ name, dependencies, files }).toEqual({ name: 'grantwise-pre-commit', dependencies: undefined, files: [] })
  })

  test('are refused without an archive, and for a release while the organisation is a placeholder', () => {
    const placeholder = web.includes('/your-org/')
    expect(write('--release')).toMatchObject(
      placeholder
        ? {
            status: 2,
            stderr: 'recipes: package.json: `repository` names the placeholder `your-org`: set it before a release\n',
          }
        : { status: 0 },
    )
    expect(write('--else')).toMatchObject({ status: 2, stderr: 'recipes: usage: node scripts/recipes.mjs ARCHIVES FOLDER [--release]\n' })
    const file = join(archives, archiveOf('macos-x64'))
    rmSync(file)
    expect(write()).toMatchObject({ status: 2, stderr: `recipes: ${file}: no such file: a release has an archive for macos-x64\n` })
  })
})
