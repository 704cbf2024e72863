import { rules } from '../../rules/index.ts'
import { type CommandEntry, type Run, commands as table } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { commonOptions, type OptionEntry, textOf } from '../app/options.ts'

/** What a shell needs to know of an option. */
interface Completion {
  /** With their dashes, the long one last. */
  readonly names: readonly string[]
  readonly text: string
  /** Whether a value follows, and which; without values, a file or anything else. */
  readonly takesValue: boolean
  readonly values: readonly string[]
}

/** `completions SHELL`: a script for a shell, from the table of commands. */
export const run: Run<'completions'> = async ([shell], _, io) => {
  io.stdout.write(completionScript(shell))
  return exit.success
}

/** The script that makes a shell complete commands, options, their values, and files. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish'): string {
  return { bash, zsh, fish }[shell]()
}

const everywhere: readonly OptionEntry[] = [...commonOptions, { flags: '-h, --help', text: 'show help' }]

const topOptions = ['--version', '--help', '--color', '--no-color']

const codes = rules.map((rule) => rule.code)

function optionsOf({ options }: CommandEntry): readonly Completion[] {
  return [...options, ...everywhere].map((entry) => ({
    names: entry.flags.split(/,? /).filter((word) => word.startsWith('-')),
    text: textOf(entry),
    takesValue: entry.flags.includes('<'),
    values: entry.flags.startsWith('--rule ') ? codes.map((code) => `${code}=`) : (entry.values ?? []),
  }))
}

/** What the arguments of a command are, where they are a few words. */
function wordsOf({ name, arguments: [first] }: CommandEntry): readonly string[] {
  return name === 'rules' ? codes : (first?.[2] ?? [])
}

const commands: readonly CommandEntry[] = table
const names = [...commands.map((command) => command.name), 'help']

function bash(): string {
  const cases = commands.map((command) => {
    const options = optionsOf(command)
    const values = options
      .filter((option) => option.values.length > 0)
      .map((option) => `        ${option.names.join('|')}) words="${option.values.join(' ')}" ;;\n`)
    const open = options.filter((option) => option.takesValue && option.values.length === 0).flatMap((option) => option.names)
    return (
      `    ${command.name})\n` +
      `      options="${options.flatMap((option) => option.names).join(' ')}"\n` +
      `      arguments="${wordsOf(command).join(' ')}"\n` +
      `      case "$previous" in\n${values.join('')}` +
      (open.length > 0 ? `        ${open.join('|')}) files=yes ;;\n` : '') +
      `        *) words= ;;\n      esac\n      ;;\n`
    )
  })
  return `# grantwise: completion for bash
_grantwise() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command= options= arguments= words= files=
  # The shell splits a word at \`=\`.
  if [[ "$current" == "=" ]]; then current=; elif [[ "$previous" == "=" ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${names.join(' ')} ${topOptions.join(' ')}" -- "$current"))
    return
  fi
  command="\${COMP_WORDS[1]}"
  case "$command" in
    help) words="${commands.map((command) => command.name).join(' ')}" ;;
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

/** A text within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function zsh(): string {
  const described = (name: string, text: string) => quoted(`${name.replaceAll(':', '\\:')}:${text}`)
  const cases = commands.map((command) => {
    const options = optionsOf(command)
    const values = options
      .filter((option) => option.values.length > 0)
      .map(
        (option) =>
          `        ${option.names.join('|')}) compadd ${option.names.includes('--rule') ? "-S '' " : ''}-- ${option.values.join(' ')}; return ;;\n`,
      )
    const open = options.filter((option) => option.takesValue && option.values.length === 0).flatMap((option) => option.names)
    const words = wordsOf(command)
    return (
      `    ${command.name})\n` +
      `      case "$previous" in\n${values.join('')}` +
      (open.length > 0 ? `        ${open.join('|')}) _files; return ;;\n` : '') +
      `      esac\n` +
      `      entries=(\n${options.flatMap((option) => option.names.map((name) => `        ${described(name, option.text)}\n`)).join('')}      )\n` +
      `      if [[ "$PREFIX" == -* ]]; then _describe option entries\n` +
      `      else ${words.length > 0 ? `compadd -- ${words.join(' ')}` : '_files'}\n      fi\n      ;;\n`
    )
  })
  return `#compdef grantwise
# grantwise: completion for zsh
_grantwise() {
  local -a entries
  local previous="$words[CURRENT-1]"
  # The value may stand in the same word.
  if [[ "$PREFIX" == --*=* ]]; then previous="\${PREFIX%%=*}"; compset -P 1 '*='; fi
  if (( CURRENT == 2 )); then
    if [[ "$PREFIX" == -* ]]; then compadd -- ${topOptions.join(' ')}; return; fi
    entries=(
${[...commands.map(({ name, summary }) => described(name, summary)), described('help', 'show help for a command')].map((line) => `      ${line}\n`).join('')}    )
    _describe command entries
    return
  fi
  case "$words[2]" in
    help) compadd -- ${commands.map((command) => command.name).join(' ')} ;;
${cases.join('')}  esac
}
if [ "$funcstack[1]" = "_grantwise" ]; then _grantwise "$@"; else compdef _grantwise grantwise; fi
`
}

/** Whether the first word that is no option is the command: an argument may have the name of another one. */
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
  const line = (...parts: readonly string[]) => `complete -c grantwise ${parts.join(' ')}\n`
  const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const first = '__fish_use_subcommand'
  const within = (name: string) => `-n '__grantwise_command ${name}'`
  const top = [
    ...commands.map(({ name, summary }) => line(`-n ${first}`, '-f', `-a ${name}`, `-d ${text(summary)}`)),
    line(`-n ${first}`, '-f', '-a help', `-d ${text('show help for a command')}`),
    ...topOptions.map((option) => line(`-n ${first}`, `-l ${option.slice(2)}`)),
    line(within('help'), '-f', `-a ${text(commands.map((command) => command.name).join(' '))}`),
  ]
  const inner = commands.flatMap((command) => [
    ...optionsOf(command).map((option) => {
      const short = option.names.find((name) => !name.startsWith('--'))
      const long = option.names.find((name) => name.startsWith('--'))
      return line(
        within(command.name),
        ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
        ...(long === undefined ? [] : [`-l ${long.slice(2)}`]),
        ...(option.values.length > 0 ? ['-x', `-a ${text(option.values.join(' '))}`] : option.takesValue ? ['-r'] : []),
        `-d ${text(option.text)}`,
      )
    }),
    ...(wordsOf(command).length > 0 ? [line(within(command.name), '-f', `-a ${text(wordsOf(command).join(' '))}`)] : []),
  ])
  return `# grantwise: completion for fish\n${fishCommand}${top.join('')}${inner.join('')}`
}
