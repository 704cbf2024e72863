// The manual page of the program, from the table of its commands: `man/grantwise.1`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of the page. `build`: what bundles; `root`: the folder of the package. */
export async function manual(build, root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return pageOf(await declarations(build, root), version)
}

/** The tables of commands, options and exit codes. `build`: what bundles; `root`: the folder of the package. */
export async function declarations(build, root) {
  const entry = `
    export { commands, groups } from './src/cli/app/commands.ts'
    export { commonOptions, textOf } from './src/cli/app/options.ts'
    export { optionGroupOf } from './src/cli/app/help.ts'
    export { sentences } from './src/cli/app/exit.ts'`
  const stdin = { contents: entry, resolveDir: root, loader: 'ts' }
  const { outputFiles } = await build({ stdin, bundle: true, platform: 'node', format: 'cjs', write: false, logLevel: 'warning' })
  const module = { exports: {} }
  new Function('module', 'exports', 'require', outputFiles[0].text)(
    module,
    module.exports,
    process.getBuiltinModule('module').createRequire(import.meta.url),
  )
  return module.exports
}

function pageOf({ commands, groups, commonOptions, textOf, sentences }, version) {
  const optionLines = (options) => options.flatMap((option) => ['.TP', `.B ${plain(option.flags)}`, ...line(`${textOf(option)}.`)])
  const commandLines = ({ name, summary, arguments: args, options, examples }) => [
    `.SS ${plain(name)}`,
    ...line(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    '.PP',
    `.B grantwise ${plain([name, ...args.map(([notation]) => notation), ...(options.length > 0 ? ['[options]'] : [])].join(' '))}`,
    ...args.flatMap(([notation, text, values]) => [
      '.TP',
      `.I ${plain(notation)}`,
      ...line(`${values ? `${text}: ${values.join(', ')}` : text}.`),
    ]),
    ...optionLines(options),
    ...examples.flatMap(([text, what]) => ['.PP', ...line(`Example: ${what}`), '.PP', '.nf', `.RS 4`, ...line(`$ ${text}`), '.RE', '.fi']),
  ]
  const namesIn = (group) => [
    ...commands.filter((command) => command.group === group).map(({ name }) => name),
    ...(group === 'setUp' ? ['help'] : []),
  ]
  const groupLines = Object.entries(groups).flatMap(([group, title]) => [
    '.TP',
    `.B ${plain(title.replace(/:$/, ''))}`,
    ...line(namesIn(group).join(', ')),
  ])
  const variables = {
    'NO_COLOR, FORCE_COLOR': 'Whether output is coloured, unless --color or --no-color says so.',
    'CI, PRE_COMMIT': 'No progress is shown, and --watch is refused with CI.',
    'GRANTWISE_BASE_URL, GRANTWISE_AUTH_URL, GRANTWISE_CLIENT_ID, GRANTWISE_CLIENT_SECRET': 'What pull connects with.',
    GRANTWISE_RULES_FROM: 'Folders that rule modules may be loaded from.',
    GRANTWISE_DEBUG: 'With 1, an internal error is printed with where it happened.',
  }
  const entries = (record) => Object.entries(record).flatMap(([name, text]) => ['.TP', `.B ${plain(name)}`, ...line(text)])
  return `${[
    `.\\" Generated from the table of commands: do not edit.`,
    `.TH GRANTWISE 1 "" "grantwise ${version}" "User Commands"`,
    '.SH NAME',
    'grantwise \\- offline linter and simulator for cloud IAM policies',
    '.SH SYNOPSIS',
    '.B grantwise',
    '.I command',
    '.RI [ arguments ]',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    ...line(
      'grantwise reports mistakes in IAM policies, answers who may do what and why, and shows what a change grants. It needs no network: only pull and serve use one.',
    ),
    '.PP',
    ...groupLines,
    '.SH OPTIONS',
    ...entries({
      '-V, --version': 'Print the version; with --json, also what it was built from and runs on.',
      '-h, --help': 'Show help; after a command, help for that command.',
    }),
    ...optionLines(commonOptions),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH EXIT STATUS',
    ...entries(sentences),
    '.SH ENVIRONMENT',
    ...entries(variables),
    '.SH FILES',
    ...entries({
      '.grantwise.yaml, .grantwise.yml, .grantwise.json': 'The configuration: the nearest one above the working folder.',
      '.gitignore': 'What it names is not searched.',
    }),
    '.SH SEE ALSO',
    ...line('The documentation is in the folder docs of the package.'),
  ].join('\n')}\n`
}

/** A text within a line: a backslash and a hyphen are themselves, and characters beyond ASCII are named. */
function plain(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\x20-\x7e]/gu, (c) => `\\[u${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

/** A line of text: what begins it is no request. */
function line(text) {
  return [`${/^[.']/.test(text) ? '\\&' : ''}${plain(text)}`]
}
