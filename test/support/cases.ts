import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'

/**
 * Cases in files that one can read:
 *
 *     ⟨ann⟩ = urn:v1:eu:identity:user:ab12-svc/ann
 *
 *     === the title of a case
 *     @ path: a.tf
 *     what is given,
 *     line by line
 *     >>>
 *     what comes of it
 *
 * `⟨ann⟩` stands for its text wherever it is, `⟨200b⟩` for a character that does not show, `⟨end⟩` for the end of a text without
 * a line break. Lines with `@` are options. `UPDATE_CASES=1` writes what comes of each case anew; then read the difference.
 */
interface Case {
  readonly title: string
  readonly options: Readonly<Record<string, string>>
  readonly given: string
  readonly expected: readonly string[]
}

type Definitions = readonly (readonly [name: string, text: string])[]

const isUpdate = process.env.UPDATE_CASES === '1'

/** The tests of a file of cases. `run` gives the lines that come of a text. */
export function testCases(
  file: URL,
  run: (given: string, options: Readonly<Record<string, string>>) => readonly string[] | Promise<readonly string[]>,
): void {
  const [head = '', ...blocks] = readFileSync(file, 'utf8').split(/^(?==== )/m)
  const definitions = definitionsIn(head)
  const now = new Map<string, readonly string[]>()
  for (const { title, options, given, expected } of blocks.map((block) => caseIn(block, definitions))) {
    test(title, async () => {
      const lines = await run(given, options)
      now.set(title, lines)
      if (!isUpdate) expect(lines).toEqual(expected)
    })
  }
  if (isUpdate)
    afterAll(() => {
      const written = blocks.map((block) => {
        const { title } = caseIn(block, definitions)
        const lines = (now.get(title) ?? []).map((line) => `${shortened(line, definitions)}\n`)
        return `${block.slice(0, block.indexOf('\n>>>\n') + 5)}${lines.join('')}\n`
      })
      writeFileSync(file, `${head}${written.join('').trimEnd()}\n`)
    })
}

/** The texts that the cases of a file are given. */
export function givenIn(file: URL): readonly string[] {
  const [head = '', ...blocks] = readFileSync(file, 'utf8').split(/^(?==== )/m)
  const definitions = definitionsIn(head)
  return blocks.map((block) => caseIn(block, definitions).given)
}

function definitionsIn(head: string): Definitions {
  return [...head.matchAll(/^⟨(.+?)⟩ = (.*)$/gm)].map(([, name = '', text = '']) => [name, text])
}

function caseIn(block: string, definitions: Definitions): Case {
  const [, title = '', options = '', given = '', expected = ''] = /^=== (.*)\n((?:@ .*\n)*)([\s\S]*?)^>>>\n([\s\S]*)$/m.exec(block) ?? []
  if (title === '') throw new Error(`no case: ${block}`)
  const read = (text: string) => expanded(text, definitions)
  return {
    title,
    options: Object.fromEntries([...options.matchAll(/^@ (\w+): (.*)$/gm)].map(([, name = '', text = '']) => [name, read(text)])),
    given: read(given).replace('⟨end⟩\n', ''),
    expected: expected.trimEnd() === '' ? [] : expected.replace(/\n+$/, '').split('\n').map(read),
  }
}

function expanded(text: string, definitions: Definitions): string {
  const named = definitions.reduce((all, [name, meant]) => all.replaceAll(`⟨${name}⟩`, meant), text)
  return named.replace(/⟨([0-9a-f]{1,6})⟩/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
}

const escaped = (sign: string) => `⟨${sign.codePointAt(0)?.toString(16)}⟩`

/** A line as a file of cases has it. */
function shortened(line: string, definitions: Definitions): string {
  const shown = line
    .replace(/[⟨⟩\p{C}\p{M}\p{Zl}\p{Zp}\u00a0]/gu, escaped)
    .replace(/ +$/, (blanks) => escaped(' ').repeat(blanks.length))
    .replace(/^(?:>>>$|=== |@ )/, ([sign = '', ...rest]) => escaped(sign) + rest.join(''))
  const longest = definitions.toSorted(([, one], [, other]) => other.length - one.length)
  return longest.reduce((all, [name, meant]) => all.replaceAll(meant, `⟨${name}⟩`), shown)
}
