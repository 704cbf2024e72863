import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * Comments cite the documents of this repository as `(docs/FILE.md, HEADING)`, several with `;` between them. Each must
 * exist: a citation that leads nowhere is worse than none.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Citation {
  readonly at: string
  readonly file: string
  readonly heading: string | undefined
}

/** The citations in the comments of a file; a comment may break one over two lines. */
function citationsIn(file: string): readonly Citation[] {
  const text = readFileSync(`${root}${file}`, 'utf8').replace(/\n\s*(?:\*|\/\/)\s*/g, ' ')
  const groups = [...text.matchAll(/\((docs\/[\w-]+\.md[^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map((match) => match[1] as string)
  return groups.flatMap((group) =>
    group.split(';').map((one) => {
      const [, target = one.trim(), heading] = /^(docs\/[\w-]+\.md)(?:, (.*))?$/.exec(one.trim()) ?? []
      return { at: file, file: target, heading }
    }),
  )
}

const sources = ['src', 'test', 'scripts', 'bench']
  .flatMap((folder) => readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules') && name !== 'test/project/citations.test.ts')
  .sort()

function headingsOf(file: string): readonly string[] {
  const text = readFileSync(`${root}${file}`, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map((match) => (match[1] as string).trim())
}

test('every citation of a document names a heading that it has', () => {
  const citations = sources.flatMap(citationsIn)
  expect(citations.length).toBeGreaterThan(40)
  const wrong = citations.flatMap(({ at, file, heading }) => {
    if (!existsSync(`${root}${file}`)) return [`${at}: there is no ${file}`]
    return heading === undefined || headingsOf(file).includes(heading) ? [] : [`${at}: ${file} has no heading "${heading}"`]
  })
  expect(wrong).toEqual([])
})

test('the places that new maintainers are sent to exist', () => {
  const [, table = ''] = /## Where to find it\n([\s\S]*?)\n## /.exec(readFileSync(`${root}CONTRIBUTING.md`, 'utf8')) ?? []
  const paths = [...table.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map((match) => match[1] as string)
  expect(paths.length).toBeGreaterThan(8)
  expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
})

test('nothing cites a document that is not in the repository', () => {
  const wrong = sources.filter((file) => /\(spec: (?!string)/.test(readFileSync(`${root}${file}`, 'utf8')))
  expect(wrong).toEqual([])
})
