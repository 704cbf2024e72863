// The pages of the commands, from their declarations, and the list of them by groups.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { declarations } from '../scripts/man.mjs'
import { cell, prose, sentence } from './markdown.mjs'

/** Pages by their paths on the site, and the navigation over them. `readme`: has a table of the commands with links to what describes them. */
export async function commandPages(root, readme) {
  const { build } = createRequire(join(root, 'package.json'))('esbuild')
  const declared = await declarations(build, root)
  const rows = rowsOf(readme)
  const missing = declared.commands.filter(({ name }) => !rows.has(name)).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`the table of commands of README.md lacks ${missing.join(', ')}`)
  const groups = Object.entries(declared.groups)
    .map(([group, title]) => ({
      title: title.replace(/:$/, ''),
      commands: declared.commands.filter((command) => command.group === group),
    }))
    .filter(({ commands }) => commands.length > 0)
  const pages = declared.commands.map((command) => [`commands/${command.name}.md`, commandPage(command, rows.get(command.name), declared)])
  return {
    pages: { 'commands.md': overview(groups, rows), ...Object.fromEntries(pages) },
    groups: groups.map(({ title, commands }) => ({ title, names: commands.map(({ name }) => name) })),
  }
}

/** The rows of the table of commands, by name. */
function rowsOf(readme) {
  const [table] = /^\| command \| purpose \|\n(?:\|.*\n)+/m.exec(readme) ?? []
  if (table === undefined) throw new Error('README.md has no table of commands')
  return new Map(
    [...table.matchAll(/^\| (?:\[?)`([a-z-]+)`(?:\]\(([^)]*)\))? \| (.*) \|$/gm)].map(([, name, link, purpose]) => [
      name,
      { link, purpose },
    ]),
  )
}

/** Each row has the anchor that the command once had on this page. */
function overview(groups, rows) {
  const tables = groups.map(({ title, commands }) => {
    const lines = commands.map(
      ({ name }) => `| <a id="${name}"></a>[\`${name}\`](/commands/${name}.md) | ${sentence(rows.get(name).purpose)} |`,
    )
    return `## ${title}\n\n| command | purpose |\n|---|---|\n${lines.join('\n')}\n`
  })
  return `---\noutline: 2\n---\n\n# Commands\n\nEach command with its arguments, options and examples, by purpose. [Questions and commands](docs/questions.md) starts from what you want to know, [Command line](docs/command-line.md) describes what all commands share.\n\n${tables.join('\n')}`
}

function commandPage({ name, arguments: args, options, examples }, { link, purpose }, { commonOptions, textOf, optionGroupOf, sentences }) {
  const usage = ['grantwise', name, '[options]', ...args.map(([notation]) => notation)].join(' ')
  const all = [...options, ...commonOptions]
  const headings = [...new Set(all.map((option) => optionGroupOf(option) ?? 'Options:'))].sort(
    (a, b) => (b === 'Options:' ? 1 : 0) - (a === 'Options:' ? 1 : 0),
  )
  const optionRow = (option) => `| ${anchor(option)}${code(option.flags)} | ${cell(prose(textOf(option)))} |`
  return [
    `# ${name}\n`,
    `${sentence(purpose)}${link === undefined ? '' : ` [More](${link}).`}\n`,
    `\`\`\`text\n${usage}\n\`\`\`\n`,
    '## Examples\n',
    `\`\`\`sh\n${examples.map(([line, text]) => `# ${text}\n${line}`).join('\n\n')}\n\`\`\`\n`,
    ...(args.length > 0
      ? [
          '## Arguments\n',
          table(
            'argument',
            args.map(
              ([notation, text, values]) => `| ${code(notation)} | ${cell(prose(values ? `${text}: ${values.join(', ')}` : text))} |`,
            ),
          ),
        ]
      : []),
    ...headings.flatMap((heading) => [
      `## ${heading.replace(/:$/, '')}\n`,
      table('option', all.filter((option) => (optionGroupOf(option) ?? 'Options:') === heading).map(optionRow)),
    ]),
    '## Exit codes\n',
    table(
      'code',
      Object.entries(sentences).map(([exit, text]) => `| ${exit} | ${cell(prose(text))} |`),
    ),
    '[All commands](/commands.md)\n',
  ].join('\n')
}

const table = (head, rows) => `| ${head} | meaning |\n|---|---|\n${rows.join('\n')}\n`

const code = (text) => `\`${cell(text)}\``

/** The place of an option, by its long name: `lint.html#option-fix`. */
const anchor = ({ flags }) => `<a id="option-${/--([\w-]+)/.exec(flags)[1]}"></a> `
