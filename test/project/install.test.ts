import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Calls of npx that would download a package of our name, of any publisher. */
function downloads(text: string): readonly string[] {
  const words = text.replaceAll(/["',:[\]\s]+/g, ' ')
  return [...words.matchAll(/\bnpx((?: -[\w-]+)*) (?:args )?((?:-[\w-]+ )*)grantwise\b/g)]
    .filter(([call]) => !call.includes('--no-install'))
    .map(([call]) => call)
}

test('nothing that users copy downloads a package of our name', () => {
  const tracked = execFileSync(
    'git',
    ['ls-files', 'README.md', 'CONTRIBUTING.md', 'docs', 'examples', 'integrations', 'templates', 'editors', 'src', '*.yml'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const files = tracked.split('\n').filter((file) => /\.(md|ya?ml|sh|ts|json|mjs|js)$/.test(file) && !file.startsWith('test/'))
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap((file) => downloads(read(file)).map((call) => `${file}: ${call}`))).toEqual([])
})

test.each([
  ['npx grantwise lint', 1],
  ['npx --yes grantwise lint', 1],
  ['"command": "npx", "args": ["grantwise", "mcp"]', 1],
  ['npx --no-install grantwise lint', 0],
  ['"command": "npx",\n "args": ["--no-install", "grantwise", "mcp"]', 0],
])('%s', (text, count) => {
  expect(downloads(text)).toHaveLength(count)
})

test('the changelog has the version of the package, and the changes since then are of this package', () => {
  const { name, version } = JSON.parse(read('package.json'))
  const [, entry = ''] = read('CHANGELOG.md').split(/^## (?=\d)/m)
  expect(entry.split('\n')[0]).toBe(version)
  expect(entry).toMatch(/^- \S/m)
  for (const file of readdirSync(join(root, '.changeset')).filter((each) => each.endsWith('.md') && each !== 'README.md'))
    expect(read(`.changeset/${file}`)).toMatch(new RegExp(`^---\n["']?${name}["']?: (patch|minor|major)\n---\n\n\\S`))
})
