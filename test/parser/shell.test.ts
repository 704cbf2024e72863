import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type Command, type Piece, type Pipeline, readShell, type ShellString } from '../../src/parser/shell.ts'
import '../support/seed.ts'
import { effort } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

const values = (script: string, hasExpressions = false) =>
  readShell(script, hasExpressions).pipelines.flatMap(({ commands }) =>
    commands.flatMap(({ strings }) => strings.map(({ kind, pieces }) => `${kind}:${stringOf(script, pieces)}`)),
  )

/** The value of a string, with its expansions as they are written between `⟨` and `⟩`. */
function stringOf(script: string, pieces: readonly Piece[], expand = (hole: string) => `⟨${hole}⟩`): string {
  return pieces
    .map(({ kind, value, start, end }) => (kind === 'hole' ? expand(script.slice(start, end)) : (value ?? script.slice(start, end))))
    .join('')
}

describe('strings of commands', () => {
  test.each([
    ['a b\\ c \'d e\' "f g"', ['word:a', 'word:b c', 'word:d e', 'word:f g']],
    ['a\\\nb "c\\\nd"', ['word:ab', 'word:cd']],
    ['a "\\"\\$\\`\\\\\\n"', ['word:a', 'word:"$`\\\\n']],
    ["a $'x\\n\\'\\x41\\u00e9\\101\\q'", ['word:a', "word:x\n'AéA\\q"]],
    ['a "$b ${c:-"}"} $(d) `e` $((1+(2)))$ $%"', ['word:d', 'word:a', 'word:⟨$b⟩ ⟨${c:-"}"}⟩ ⟨$(d)⟩ ⟨`e`⟩ ⟨$((1+(2)))⟩$ $%']],
    ['a <<E\nx $y \\$z\nE\nb', ['word:a', 'heredoc:x ⟨$y⟩ $z\n', 'word:b']],
    ["a <<'E' 'b\n' c\nx $y \\$z\nE\n", ['word:a', 'word:b\n', 'word:c', 'heredoc:x $y \\$z\n']],
    ['a <<-E\n\t\tx\n\ty\n\tE\n', ['word:a', 'heredoc:x\ny\n']],
    ['a <<A <<B\n1\nA\n2\nB\n', ['word:a', 'heredoc:1\n', 'heredoc:2\n']],
    ['a <<< "b c" >&2 2>/dev/null', ['word:a', 'here-string:b c', 'word:2', 'word:2', 'word:/dev/null']],
    ['a # "b\nc#d', ['word:a', 'word:c#d']],
    ['(( 1 << 2 ))\na', ['word:a']],
    ['x=$(case $y in a) b;; (c) d;; esac) e', ['word:case', 'word:⟨$y⟩', 'word:in', 'word:a', 'word:b', 'word:c', 'word:d', 'word:esac']],
  ])('%s', (script, wanted) => {
    expect(values(script)).toEqual(expect.arrayContaining(wanted))
  })

  test('expressions that another program replaces, in any quotes', () => {
    const script = "a '${{ b }}' \"$[[ c ]]\" d <<'E'\n${{ '}' }}\nE\n"
    expect(values(script, true)).toEqual(['word:a', 'word:⟨${{ b }}⟩', 'word:⟨$[[ c ]]⟩', 'word:d', "heredoc:⟨${{ '}' }}⟩\n"])
    expect(values("a '${{ b }}'")).toEqual(['word:a', 'word:${{ b }}'])
  })

  test('what a pipe joins is one pipeline, also over lines', () => {
    const at = (script: string) => readShell(script).pipelines.map(({ commands }) => commands.length)
    expect(at('a | b |\n # c\n d; e && f || g\nh')).toEqual([3, 1, 1, 1, 1])
    expect(at('a <<E |\nx\nE\nb')).toEqual([2])
  })
})

describe('strings are those that bash gives to commands', () => {
  test('in scripts of any quotes', () => {
    const random = randomOf(71)
    let met = 0
    for (let i = 0; i < effort(400); i++) {
      const script = Array.from({ length: 25 }, () => statement(random)).join('\n')
      const [ours, theirs] = [ownCalls(script), bashCalls(script)]
      expectSame({ script, calls: ours }, { script, calls: theirs })
      met += theirs.length
    }
    expect(met).toBeGreaterThan(effort(400) * 20)
  }, 120_000)
})

interface Call {
  readonly words: readonly string[]
  readonly input: string
}

/** The values that the scripts have in place of expansions. */
const expansions: Readonly<Record<string, string>> = {
  $V: 'v"al',
  '${V}': 'v"al',
  '${V:-"}"}': 'v"al',
  '${#V}': '4',
  '$(echo "s)ub")': 's)ub',
  '`echo tick`': 'tick',
  '$((1+(2)))': '3',
  $1: 'one',
}

/** What bash gives to `curl`, by a function of that name. */
function bashCalls(script: string): readonly Call[] {
  const head = `set -f +B\nset -- one\nV='v"al'\ncurl() { printf 'W%s\\0' "$@"; printf 'I'; cat; printf '\\0'; }\n`
  const output = execFileSync('bash', ['-c', head + script, 'bash', 'one'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const calls: Call[] = []
  let words: string[] = []
  for (const record of output.split('\0').slice(0, -1)) {
    if (record.startsWith('W')) words.push(record.slice(1))
    else {
      calls.push({ words, input: record.slice(1) })
      words = []
    }
  }
  return calls
}

function ownCalls(script: string): readonly Call[] {
  const { pipelines } = readShell(script)
  const within = (outer: Pipeline) => pipelines.filter((each) => each.outer === outer)
  const valueIn = (pipeline: Pipeline, { pieces }: ShellString): string => {
    const inner = within(pipeline)
    const substituted = () => inner.flatMap((each) => inputOf(each, each.commands[0]) ?? [])[0]?.replace(/\n+$/, '')
    // A variable that has no value gives nothing.
    return stringOf(script, pieces, (hole) => expansions[hole] ?? (/^\$\w+$/.test(hole) ? '' : (substituted() ?? '?')))
  }
  const inputOf = (pipeline: Pipeline, command: Command | undefined): string | undefined => {
    const string = command?.strings.filter(({ kind }) => kind !== 'word').at(-1)
    return string && valueIn(pipeline, string) + (string.kind === 'here-string' ? '\n' : '')
  }
  return pipelines.flatMap((pipeline) =>
    pipeline.commands.flatMap((command, i): readonly Call[] => {
      const words = command.strings.filter(({ kind }) => kind === 'word').map((string) => valueIn(pipeline, string))
      const at = words.indexOf('curl')
      if (at < 0) return []
      return [
        {
          words: words.slice(at + 1),
          input: inputOf(pipeline, command) ?? (i > 0 ? inputOf(pipeline, pipeline.commands[i - 1]) : undefined) ?? '',
        },
      ]
    }),
  )
}

const many = (random: Random, most: number, one: () => string) => Array.from({ length: Math.floor(random() * (most + 1)) }, one).join('')

/** A statement with one call of `curl`. */
function statement(random: Random): string {
  const blank = () => pick(random, [' ', '  ', ' \\\n  ', '\t'])
  const words = `${word(random)}${many(random, 4, () => blank() + word(random))}`
  const kind = random()
  const [redirection, lines] = kind < 0.25 ? heredoc(random) : kind < 0.35 ? [` <<< ${quoted(random)}`, ''] : ['', '']
  const call = `curl ${words}`
  if (kind > 0.9) {
    const [source, body] = heredoc(random)
    return `cat${source} | ${pick(random, ['', '\\\n'])}${call}${body}`
  }
  if (kind > 0.8) {
    const [source, body] = heredoc(random)
    return `${call} "$(cat${source}${body}\n)"`
  }
  const shape = random()
  if (shape < 0.1) return `if true; then ${call}${redirection}${lines}\nfi`
  if (shape < 0.2) return `case x in y) ;; x) ${call}${redirection}${lines}\n;; esac`
  if (shape < 0.3) return `(${call}${redirection}${lines}\n)`
  if (shape < 0.4) return `# don't "${random()}\n${call}${redirection} # it's${lines}`
  if (shape < 0.5) return `true && { ${call}${redirection}; }${lines}`
  return `${call}${redirection}${lines}`
}

const plainSigns = [...'{}[]:,=+%@.-_/ab1é', '😀']

function word(random: Random): string {
  const first = pick(random, ['a', '-d', '--data=', '/x'])
  return first + many(random, 3, () => (random() < 0.3 ? bare(random) : quoted(random)))
}

function bare(random: Random): string {
  return pick(random, [...plainSigns.filter((sign) => !'{}'.includes(sign)), '#', '\\"', "\\'", '\\ ', '\\$', '\\\\', '\\{', '\\#', '\\\n'])
}

const anySigns = [...plainSigns, ' ', '\n', '\t', '#', ';', '&', '|', '<', '>', '(', ')', '*', '!']

function quoted(random: Random): string {
  const kind = random()
  if (kind < 0.35) return `'${many(random, 12, () => pick(random, [...anySigns, '"', '\\', '$', '`', '$V', '\\"']))}'`
  if (kind < 0.85) {
    const signs = [...anySigns, "'", '\\"', '\\\\', '\\$', '\\`', '\\n', ' \\\n', '\\{', '$ ', '$%', ...Object.keys(expansions)]
    return `"${many(random, 12, () => pick(random, signs))}"`
  }
  const signs = [...anySigns, '"', '$', '`', "\\'", '\\n', '\\t', '\\\\', '\\x41', '\\u00e9', '\\101', '\\q', '\\e']
  return `$'${many(random, 12, () => pick(random, signs))}'`
}

/** The redirection of a heredoc, and its lines from the line break in front of them. */
function heredoc(random: Random): readonly [string, string] {
  const isQuoted = random() < 0.4
  const stripsTabs = random() < 0.3
  const delimiter = isQuoted ? pick(random, ["'EOF'", '"EOF"', '\\EOF', "E'O'F"]) : 'EOF'
  const simple = [...anySigns.filter((sign) => sign !== '\n'), '"', "'"]
  const signs = isQuoted
    ? [...simple, '\\', '$V', '`', '$', '\\$']
    : [...simple, '\\\\', '\\$', '\\`', '\\"', '\\n', '$ ', ...Object.keys(expansions).filter((each) => !each.includes(':-'))]
  const line = () => `\n${stripsTabs ? many(random, 2, () => '\t') : ''}${many(random, 8, () => pick(random, signs))}`
  return [` <<${stripsTabs ? '-' : ''}${pick(random, ['', ' '])}${delimiter}`, `${many(random, 4, line)}\n${stripsTabs ? '\t' : ''}EOF`]
}
