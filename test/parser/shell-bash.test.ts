import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type Command, type Pipeline, readShell, type ShellString } from '../../src/parser/shell.ts'
import '../support/seed.ts'
import { effort } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { stringOf } from '../support/shell-strings.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

test('strings of commands are those that bash gives to them', () => {
  const random = randomOf(71)
  let met = 0
  for (let i = 0; i < effort(400, 100); i++) {
    const script = Array.from({ length: 25 }, () => statement(random)).join('\n')
    const [ours, theirs] = [ownCalls(script), bashCalls(script)]
    expectSame({ script, calls: ours }, { script, calls: theirs })
    met += theirs.length
  }
  expect(met).toBeGreaterThan(effort(400, 100) * 20)
}, 120_000)

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

/** Arguments that bash gives to `curl`, by a function of that name. */
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
