import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Reports, the console and the documentation site have the colours of `src/theme.css`, and none besides. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const sheets = ['src/web', 'src/page', 'src/emulator', 'site/.vitepress/theme'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
)

test('style sheets have no colours besides those of the theme', () => {
  expect(sheets.length).toBeGreaterThanOrEqual(5)
  const own = sheets.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => /:.*(?:#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)\()/i.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(own).toEqual([])
})

test('each variable of a style sheet is defined', () => {
  const theme = read('src/theme.css')
  for (const path of sheets) {
    const text = read(path)
    const defined = new Set([...`${theme}${text}`.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name))
    const used = [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name)
    // Those of VitePress are defined by it.
    const missing = used.filter((name) => !name.startsWith('--vp-') && !defined.has(name))
    expect([...new Set(missing)], path).toEqual([])
  }
})
