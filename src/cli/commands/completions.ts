import { rules } from '../../rules/index.ts'
import { sections } from '../../rules/rule.ts'
import { type CommandEntry, type Run, commands as table } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { commonOptions, type OptionEntry, textOf } from '../app/options.ts'

/** `completions SHELL`: a script for a shell, from the table of commands. */
export const run: Run<'completions'> = async ([shell], _, io) => {
  io.stdout.write(completionScript(shell))
  return exit.success
}

/** The script that makes a shell complete commands, options, their values, and files. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish' | 'powershell'): string {
  return { bash, zsh, fish, powershell }[shell]()
}

/** The data of an option for shell completion. */
interface Completion {
  /** With their dashes, the long one last. */
  readonly names: readonly string[]
  readonly text: string
  /** Whether a value follows. Without `values` it is a file, or anything else. */
  readonly takesValue: boolean
  readonly values: readonly string[]
}

const everywhere: readonly OptionEntry[] = [...commonOptions, { flags: '-h, --help', text: 'show help' }]
const topOptions = ['--version', '--help', '--color', '--no-color', '--cost']
const codes = rules.map((rule) => rule.code)
const groups = sections.map((section) => section.replaceAll(' ', '-'))

const commands = (table as readonly CommandEntry[]).map(({ name, summary, options, arguments: [argument] }) => ({
  name,
  summary,
  /** The values of its argument, where they are a closed list. */
  words: name === 'rules' || name === 'explain' ? codes : (argument?.[2] ?? []),
  options: [...options, ...everywhere].map(
    (entry): Completion => ({
      names: entry.flags.split(/,? /).filter((word) => word.startsWith('-')),
      text: textOf(entry),
      takesValue: entry.flags.includes('<'),
      values: entry.flags.startsWith('--rule ')
        ? codes.map((code) => `${code}=`)
        : entry.flags.startsWith('--only <rules>')
          ? [...codes, ...groups]
          : (entry.values ?? []),
    }),
  ),
}))
const names = commands.map(({ name }) => name)

/** The lines of a shell's `case` on the word before: what follows an option with values, and an option with any other value. */
function valueCases(options: readonly Completion[], closed: (option: Completion) => string, open: string): string {
  const isOpen = ({ takesValue, values }: Completion) => takesValue && values.length === 0
  const others = options.filter(isOpen).flatMap((option) => option.names)
  return [
    ...options.filter(({ values }) => values.length > 0).map((option) => `        ${option.names.join('|')}) ${closed(option)} ;;\n`),
    ...(others.length > 0 ? [`        ${others.join('|')}) ${open} ;;\n`] : []),
  ].join('')
}

function bash(): string {
  const cases = commands.map(
    ({ name, words, options }) => `    ${name})
      options="${options.flatMap((option) => option.names).join(' ')}"
      arguments="${words.join(' ')}"
      case "$previous" in
${valueCases(options, ({ values }) => `words="${values.join(' ')}"`, 'files=yes')}        *) words= ;;
      esac
      ;;
`,
  )
  return `# grantwise: completion for bash
_grantwise() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command= options= arguments= words= files=
  # The shell splits a word at \`=\`.
  if [[ "$current" == "=" ]]; then current=; elif [[ "$previous" == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${names.join(' ')} help ${topOptions.join(' ')}" -- "$current"))
    return
  fi
  command="\${COMP_WORDS[1]}"
  case "$command" in
    help) words="${names.join(' ')}" ;;
${cases.join('')}    *) return ;;
  esac
  if [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null
  elif [[ -z "$files" && "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -z "$files" && -n "$arguments" ]]; then
    COMPREPLY=($(compgen -W "$arguments" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _grantwise grantwise
`
}

function zsh(): string {
  const entry = (name: string, text: string) => `'${`${name.replaceAll(':', '\\:')}:${text}`.replaceAll("'", `'\\''`)}'\n`
  const suffix = ({ names }: Completion) => (names.includes('--rule') ? "-S '' " : '')
  const cases = commands.map(
    ({ name, words, options }) => `    ${name})
      case "$previous" in
${valueCases(options, (option) => `compadd ${suffix(option)}-- ${option.values.join(' ')}; return`, '_files; return')}      esac
      entries=(
${options.flatMap((option) => option.names.map((each) => `        ${entry(each, option.text)}`)).join('')}      )
      if [[ "$PREFIX" == -* ]]; then _describe option entries
      else ${words.length > 0 ? `compadd -- ${words.join(' ')}` : '_files'}
      fi
      ;;
`,
  )
  return `#compdef grantwise
# grantwise: completion for zsh
_grantwise() {
  local -a entries
  local previous="$words[CURRENT-1]"
  # The value may be in the same word.
  if [[ "$PREFIX" == --*=* ]]; then previous="\${PREFIX%%=*}"; compset -P 1 '*='; fi
  if (( CURRENT == 2 )); then
    if [[ "$PREFIX" == -* ]]; then compadd -- ${topOptions.join(' ')}; return; fi
    entries=(
${[...commands, help].map(({ name, summary }) => `      ${entry(name, summary)}`).join('')}    )
    _describe command entries
    return
  fi
  case "$words[2]" in
    help) compadd -- ${names.join(' ')} ;;
${cases.join('')}  esac
}
if [ "$funcstack[1]" = "_grantwise" ]; then _grantwise "$@"; else compdef _grantwise grantwise; fi
`
}

const help = { name: 'help', summary: 'show help for a command' }

/** Whether the first word that is not an option is the command: an argument may have the name of another one. */
const fishCommand = `function __grantwise_command
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; and continue
    test $word = $argv[1]
    return
  end
  return 1
end
`

function fish(): string {
  const line = (...parts: readonly string[]) => `complete -c grantwise ${parts.filter((part) => part !== '').join(' ')}\n`
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const first = '-n __fish_use_subcommand'
  const within = (name: string) => `-n '__grantwise_command ${name}'`
  const optionLine = (name: string, { names, text: description, takesValue, values }: Completion) =>
    line(
      within(name),
      ...names.map((each) => (each.startsWith('--') ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`)),
      values.length > 0 ? `-x -a ${text(values.join(' '))}` : takesValue ? '-r' : '',
      `-d ${text(description)}`,
    )
  return [
    `# grantwise: completion for fish\n${fishCommand}`,
    ...[...commands, help].map(({ name, summary }) => line(first, '-f', `-a ${name}`, `-d ${text(summary)}`)),
    ...topOptions.map((option) => line(first, `-l ${option.slice(2)}`)),
    line(within('help'), '-f', `-a ${text(names.join(' '))}`),
    ...commands.flatMap(({ name, words, options }) => [
      ...options.map((option) => optionLine(name, option)),
      words.length > 0 ? line(within(name), '-f', `-a ${text(words.join(' '))}`) : '',
    ]),
  ].join('')
}

/** A text in single quotes: PowerShell takes typographic ones for the same. */
const quoted = (text: string) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
const listed = (values: readonly string[]) => `@(${values.map(quoted).join(', ')})`

function powershell(): string {
  const option = ({ names, text, takesValue, values }: Completion) =>
    `      @{ Names = ${listed(names)}; Text = ${quoted(text)}; TakesValue = $${takesValue}; Values = ${listed(values)} }\n`
  const cases = commands.map(
    ({ name, words, options }) => `    ${quoted(name)} = @{ Words = ${listed(words)}; Options = @(
${options.map(option).join('')}    ) }
`,
  )
  return `# grantwise: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName grantwise -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${[...commands, help].map(({ name, summary }) => `    ${quoted(name)} = ${quoted(summary)}\n`).join('')}  }
  $details = @{
${cases.join('')}    'help' = @{ Words = @($commands.Keys); Options = @() }
  }
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $command = $before | Where-Object { -not $_.StartsWith('-') } | Select-Object -First 1
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }
  $prefix = ''
  $current = $wordToComplete
  # The value may be in the same word.
  if ($wordToComplete -match '^(--[^=]+)=(.*)$') {
    $previous = $Matches[1]
    $prefix = "$($Matches[1])="
    $current = $Matches[2]
  }
  function Complete-Grantwise($text, $tip) {
    if ($text.StartsWith($current)) {
      [System.Management.Automation.CompletionResult]::new("$prefix$text", $text, 'ParameterValue', $tip)
    }
  }
  if (-not $command) {
    foreach ($name in $commands.Keys) { Complete-Grantwise $name $commands[$name] }
    foreach ($name in ${listed(topOptions)}) { Complete-Grantwise $name $name }
    return
  }
  $detail = $details[$command]
  if (-not $detail) { return }
  $option = $detail.Options | Where-Object { $_.Names -contains $previous } | Select-Object -First 1
  if ($option -and $option.TakesValue) {
    # Without a list it is a file, or anything else: PowerShell completes files itself.
    foreach ($value in $option.Values) { Complete-Grantwise $value $option.Text }
  } elseif ($current.StartsWith('-')) {
    foreach ($each in $detail.Options) { foreach ($name in $each.Names) { Complete-Grantwise $name $each.Text } }
  } else {
    foreach ($word in $detail.Words) { Complete-Grantwise $word $word }
  }
}
`
}
