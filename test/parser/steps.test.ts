import { describe, expect, test } from 'vitest'
import { Document, Scalar } from 'yaml'
import { scalarPlaces } from '../../src/parser/scalars.ts'
import { stepTexts } from '../../src/parser/steps.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { position, sourceOf } from '../../src/source.ts'
import type { Node, TextNode } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'
import { pick, randomOf } from '../support/worlds.ts'
import '../support/seed.ts'

const styles = [Scalar.BLOCK_LITERAL, Scalar.BLOCK_FOLDED, Scalar.QUOTE_DOUBLE, Scalar.QUOTE_SINGLE, Scalar.PLAIN] as const

/** The strings of a tree. */
function stringsIn(node: Node): readonly TextNode[] {
  if (node.kind === 'text') return [node]
  if (node.kind === 'list') return node.items.flatMap(stringsIn)
  return node.kind === 'map' ? node.entries.flatMap(({ value }) => stringsIn(value)) : []
}

test('words of scalars are at their places in the file, in each style that the library writes', async () => {
  const random = randomOf(72)
  const met = new Map<string, number>()
  for (let i = 0; i < effort(4000); i++) {
    const words = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, index) => `w${index}w`)
    const gap = () => pick(random, [' ', ' ', '\n', '\n  ', '\n\n', ' "', "'", ' \\', ': ', ' #', '\t', ' é'])
    const value = words.map((word) => word + gap()).join('') + pick(random, ['', '\n', '.'])
    const scalar = new Scalar(value)
    const style = pick(random, styles)
    scalar.type = style
    const document = new Document({ jobs: { job: { steps: [{ name: 'a', run: null }, { run: null }] } } })
    document.setIn(['jobs', 'job', 'steps', 1, 'run'], scalar)
    const text = document
      .toString({ lineWidth: pick(random, [0, 20, 40]), indent: pick(random, [2, 4]) })
      .replaceAll('\n', pick(random, ['\n', '\n', '\r\n']))
    const { documents } = await treeOf(sourceOf('w.yml', text, 'yaml'))
    const node = documents.flatMap(stringsIn).find(({ value: read }) => read.includes('w0w'))
    // Some values cannot be written in some styles: the library then writes another one, which is another value for CRLF.
    if (!node) throw new Error(`not read: ${JSON.stringify(text)}`)
    const places = scalarPlaces(node)
    if (!places) throw new Error(`no places: ${JSON.stringify({ text, value: node.value })}`)
    expect(places.starts).toHaveLength(node.value.length + 1)
    expect(places.ends).toHaveLength(node.value.length)
    for (const each of words) {
      const [at, inFile] = [node.value.indexOf(each), text.indexOf(each)]
      // A long line in double quotes is also broken within words.
      if (inFile < 0 && text[node.start] === '"') continue
      expect([text, each, places.starts[at], places.ends[at + each.length - 1]]).toEqual([text, each, inFile, inFile + each.length])
    }
    met.set(text[node.start] ?? '', (met.get(text[node.start] ?? '') ?? 0) + 1)
  }
  for (const sign of ['|', '>', '"', "'", 'w'])
    expect([sign, met.get(sign) ?? 0]).toEqual([sign, expect.toSatisfy((count: number) => count > 0)])
})

const policy = '{"name":"web","identities":["urn:v1:eu:identity:user:ab12-svc/ann"]}'

/** The strings that may hold policies, each with its place. */
async function found(text: string) {
  const source = sourceOf('.gitlab-ci.yml', text, 'steps')
  const { texts } = await stepTexts(source)
  return texts.map(({ placed, opening, isBody }) => {
    const { line, column } = position(source, opening.start)
    return `${line}:${column} ${isBody ? 'body ' : ''}${placed.text === policy ? 'whole' : placed.text}`
  })
}

describe('strings of pipelines', () => {
  test.each([
    ['a block', `a:\n  script:\n    - |\n      set -e\n      x '${policy}'\n`, ['5:10 whole']],
    ['a list in a list', `a:\n  script:\n    - [x, "y '${policy.replaceAll('"', '\\"')}'"]\n`, ['3:15 whole']],
    ['a line', `a:\n  before_script:\n    - x '${policy}'\n`, ['3:10 whole']],
    ['an input', `jobs:\n  a:\n    steps:\n      - with: { data: '${policy}', url: "https://x/v2/iam/policy" }\n`, ['4:24 body whole']],
    ['an input that is a program', `jobs:\n  a:\n    steps:\n      - with:\n          script: |\n            f('${policy}')\n`, []],
    ['another shell', `jobs:\n  a:\n    steps:\n      - shell: pwsh\n        run: x '${policy}'\n`, []],
    ['a variable', `variables:\n  P: '${policy}'\ninclude: []\n`, ['2:7 whole']],
    [
      'beyond an anchor',
      `.a: &a\n  script:\n    - x '${policy}'\nb:\n  <<: *a\n  after_script: [!reference [.a, script]]\n`,
      ['3:10 whole'],
    ],
    [
      'a list that scripts name by its anchor',
      `.a: &a\n  - x '${policy}'\n.c: &c [y]\nb:\n  before_script: *a\n  script:\n    - *a\n    - *gone\n`,
      ['2:8 whole'],
    ],
    ['a block that a script names by its anchor', `.a:\n  b: &a |\n    x '${policy}'\nb:\n  script:\n    - *a\n`, ['3:8 whole']],
    ['an anchored list that no script names', `.a: &a\n  - x '${policy}'\nb:\n  variables: *a\n  script: []\n`, []],
    ['an anchored script', `a:\n  script: &s\n    - x '${policy}'\nb:\n  script: *s\n`, ['3:10 whole']],
  ])('%s', async (_, text, wanted) => {
    expect(await found(text)).toEqual(wanted)
  })
})
