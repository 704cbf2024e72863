import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { describe, expect, it } from 'vitest'
import { linesWithin } from '../../src/deployment/comments.ts'
import { essenceOf } from '../../src/deployment/essence.ts'
import { effort } from '../support/effort.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** The lines of programs within something of several lines, next to what a reader of all of JavaScript says of them. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const written = [
  'scripts',
  'bench',
  'test',
  ...['yaml', 'ajv', 'commander', 'diff', 'fast-check'].map((name) => `node_modules/${name}`),
].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:mjs|cjs|js)$/.test(name) && !/\.min\.|bundle/.test(name))
    .sort()
    .map((name) => readFileSync(`${root}${folder}/${name}`, 'utf8')),
)

/** For each line, whether it begins within a template, a string or a block of comments; undefined for what is no program. */
function byParser(text: string): readonly boolean[] | undefined {
  const parts: { readonly start: number; readonly end: number }[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, start, end, value } = node as { type?: string; start: number; end: number; value?: unknown }
    if (type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')) parts.push({ start, end })
    else for (const each of Object.values(node)) visit(each)
  }
  for (const sourceType of ['module', 'script'] as const) {
    try {
      const onComment = (_isBlock: boolean, _text: string, start: number, end: number) => parts.push({ start, end })
      visit(parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true, onComment }))
      return [...text.matchAll(/^/gm)].map(({ index }) => parts.some(({ start, end }) => start < index && index < end))
    } catch {
      parts.length = 0
    }
  }
  return undefined
}

describe('lines of JavaScript within something', () => {
  it('are those that the parser finds, and in most programs it is sure', () => {
    let sure = 0
    for (const text of written) {
      const lines = linesWithin(text, 'js')
      if (lines === undefined) continue
      sure++
      if (text.includes('`')) expect(lines, text.slice(0, 200)).toEqual(byParser(text))
    }
    expect(sure / written.length).toBeGreaterThan(0.8)
  })

  it('are the same or not sure in made programs, in which slashes, quotes and braces mean something else everywhere', () => {
    const random = randomOf(20261201)
    const of = <T>(...list: readonly T[]): T => pick(random, list)
    const several = (make: () => string, most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, make).join('')
    const inText = (): string => of('a', ' ', '//', '/*', '*/', '{', '}', '$', '#', '/', '\\`', '\\\\')
    const value = (depth: number): string =>
      depth <= 0
        ? of('a', '1', 'b.c', '"`"', "'//'", '"/*"', '/`/', '/[/`]/g', '/"/', '/\\/`/', "/'/i", '``', '`//`')
        : of(
            () => value(0),
            () =>
              `\`${several(
                () =>
                  of(
                    inText,
                    inText,
                    () => '\n',
                    () => '"',
                    () => `\${${value(depth - 1)}}`,
                  )(),
                5,
              )}\``,
            () => `(${value(depth - 1)})`,
            () => `${value(depth - 1)}${of(' / ', '/', ' + ', ' < ', '\n/ ')}${value(depth - 1)}`,
            () => `f(${value(depth - 1)})${of('', ' / 2', '[0]', '.x', '/a/2')}`,
            () => `({ a: ${value(depth - 1)} })`,
            () => `function () {${statements(depth - 1)}}`,
            () => `x => {${statements(depth - 1)}}`,
            () => `a++ ${of('/', '+')} ${value(depth - 1)}`,
            () => `typeof ${value(depth - 1)}`,
            () => `a${of('.', '. ', './**/')}${of('return', 'in', 'of')}${of('', ' ', '/**/')}${of('/', ' / ')}${value(depth - 1)}`,
            () => `${of('of', 'éin', 'let', 'xin', 'a/**/in')} ${of('/', '+', '/`/', '/{/')} ${value(depth - 1)}`,
            () => `[a]${of('/', '\n/')}${value(depth - 1)}`,
            () => `/* \` */ ${value(depth - 1)}`,
          )()
    const statement = (depth: number): string =>
      of<() => string>(
        () => `${value(depth)}${of(';', '\n', ';\n')}`,
        () => `let x${Math.floor(random() * 1e6)} = ${value(depth)}\n`,
        () => `if (${value(depth - 1)}) ${value(depth - 1)}\n`,
        () => `if (a) ${of('/`/', '/{/', '/}/', '/a//b/', "/'/")}.test(${value(depth - 1)})\n`,
        () => `for (const x of ${value(depth - 1)}) {${statements(depth - 1)}}\n`,
        () => `if (a) {${statements(depth - 1)}}\n${value(0)}\n`,
        () => `{${statements(depth - 1)}}${of('', '\n')}`,
        () =>
          `//${several(
            () =>
              of(
                inText,
                () => '"',
                () => "'",
              )(),
            4,
          )}\n`,
        () => `/*${several(() => of('`', '\n', '"', '//', ' ', '$'), 4)}*/${of('', '\n')}`,
      )()
    const statements = (depth: number): string => (depth < 0 ? '' : several(() => statement(depth), 3))
    let compared = 0
    for (let i = 0; i < effort(200_000, 40); i++) {
      const text = statements(3)
      const lines = text.includes('`') ? linesWithin(text, 'js') : undefined
      const expected = lines && byParser(text)
      if (!lines || !expected) continue
      compared++
      expect(lines, text).toEqual(expected)
    }
    expect(compared).toBeGreaterThan(500)
  })
})

describe('a script without its comments', () => {
  /** The output of scripts, and their exit codes: from one shell, since to start one from here for each takes longer than all of them. */
  const printedBy = (scripts: readonly string[]): readonly string[] => {
    const each = 'PATH=; for script; do "$BASH" -c "$script"; printf "\\0%s\\0" $?; done'
    const { stdout } = spawnSync('bash', ['-c', each, 'bash', ...scripts], { encoding: 'utf8' })
    const parts = stdout.split('\0')
    return scripts.map((_, i) => `${parts[2 * i + 1]}: ${parts[2 * i]}`)
  }

  it('prints what it prints with them, whatever looks like one in it', () => {
    const random = randomOf(20261202)
    const of = <T>(...list: readonly T[]): T => pick(random, list)
    const several = (make: () => string, most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, make).join('')
    const inText = (): string => of('a', ' ', '\n# b\n', '\n#c', ' # d', '#', '\\\\', '$x', '\n  # e')
    const word = (depth: number): string =>
      of<() => string>(
        () => of('a', 'a#b', '\\#', "'#'", '"#"', '$#', '${x#a}', '${x/#a/b}', "\\'", "$'it\\'s # f'"),
        () => `'${several(() => of(inText(), '"', '`'), 4)}'`,
        () => `"${several(() => of(inText(), "'", depth > 0 ? `$(${command(depth - 1)})` : 'x'), 4)}"`,
        () => (depth > 0 ? `$(${command(depth - 1)})` : 'y'),
      )()
    const command = (depth: number): string => `printf '[%s]' ${several(() => `${word(depth)}${of(' ', ' ', '')}`, 3)}`
    const statement = (): string =>
      of<() => string>(
        () => `${command(2)}${of('\n', ' # g\n', "; # it's\n", ' #"h\n')}`,
        () => `x=${word(1)}\n`,
        () => `# i ${of("it's", '"', '`', '$(', '\\', '<<X')}\n`,
        () => `  # j\n`,
        () =>
          `while read -r l; do printf '<%s>' "$l"; done <<${of('X', "'X'", '-X')}\n${several(() => of('# k\n', "it's\n", '"\n', 'l # m\n', '$x\n'), 3)}X\n`,
        () => `${command(1)}\\\n${of('#p', ' #p', '# p')}\n`,
        () => `case ${word(1)} in # q\n'#'*) ${command(0)};; # r\n*) # s\n${command(1)}\nesac\n`,
        () => `printf '%s' $((1 +\n# t\n2 ))\n`,
        () => `printf '%s' $(( 10#7 )) "\${#BASH}" "\${x:-\n# u\n}"\n`,
        () => `f() { # v\n${command(1)}\n# w\n}\nf #x\n`,
        () => `read -r x <<<"y\n# z"; printf '%s' "$x"\n`,
        () => `[[ "#" == \\# ]] # a\n`,
        () => `list=(a # n\n'b\n# o\n' c)\nprintf '{%s}' "\${list[@]}"\n`,
      )()
    const scripts = Array.from({ length: effort(4000, 40) }, () => several(statement, 5))
    const essences = scripts.map((script) => essenceOf(script, 'shell'))
    const printed = printedBy(scripts)
    const printedShort = printedBy(essences)
    // Empty lines are left out, also in strings: nothing is done by them.
    const plain = (text: string | undefined) => String(text).replace(/[ \t]*\n[\s]*/g, '\n')
    for (const [i, script] of scripts.entries())
      expect(plain(printedShort[i]), JSON.stringify([script, essences[i]])).toBe(plain(printed[i]))
    expect(printed.filter((each) => each.startsWith('0: ') && each.length > 3).length).toBeGreaterThan(scripts.length / 3)
    expect(scripts.filter((script, i) => (essences[i] as string).length < script.trimEnd().length).length).toBeGreaterThan(30)
  })
})
