import { describe, expect, test } from 'vitest'
import { readShell } from '../../src/parser/shell.ts'
import { stringOf } from '../support/shell-strings.ts'

const values = (script: string, hasExpressions = false) =>
  readShell(script, hasExpressions).pipelines.flatMap(({ commands }) =>
    commands.flatMap(({ strings }) => strings.map(({ kind, pieces }) => `${kind}:${stringOf(script, pieces)}`)),
  )

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
