/**
 * Write what follows from the files of the rules and from their data: node scripts/rule-docs.mjs
 * - src/rules/index.ts, the list of rules, and src/codes.ts, the types of their codes;
 * - src/actions/sensitive-table.ts, from data/sensitive-actions.yaml;
 * - src/actions/deprecated-operations-table.ts and deprecated-actions-table.ts, from data/deprecated-operations.yaml;
 * - docs/rules.md and docs/rules/CODE.md.
 * With `--check` nothing is written, and the exit code is 1 when one of these files is not current.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { parse } from 'yaml'
import { fold, methods } from './fold.mjs'
import { ruleExamples } from './rule-examples.mjs'

const root = new URL('..', import.meta.url)
const kinds = {
  number: 'a number',
  text: 'a string',
  texts: 'a list of strings',
  flag: '`true` or `false`',
  month: 'a month such as `2026-01`',
  records: 'a list of maps',
}
const fixWords = { safe: 'safe, applied by `--fix`', suggested: 'suggested, applied by `--fix --fix-level suggested`' }
const generated = '// Generated from the files of the rules by `npm run generate`: do not edit.'
const list = ruleList()
const outgoing = await deprecatedTables()
const { rules, sections } = await loadRules()
const examples = ruleExamples()
for (const { code } of rules) if (!examples.has(code)) stop(`the rule ${code} has no examples in examples/rules`)
for (const code of examples.keys()) if (!rules.some((rule) => rule.code === code)) stop(`examples/rules/${code}.yaml belongs to no rule`)

const pages = new Map([
  ['src/rules/index.ts', list],
  ['src/codes.ts', codes()],
  ['src/actions/sensitive-table.ts', sensitiveTable()],
  ['src/actions/deprecated-operations-table.ts', outgoing.operations],
  ['src/actions/deprecated-actions-table.ts', outgoing.actions],
  ['docs/rules.md', index()],
  ...rules.map((rule) => [`docs/rules/${rule.code}.md`, page(rule)]),
])
process.exitCode = process.argv.includes('--check') ? check() : write()

/** The list of rules: a file `SECTION/CODE.ts` exports the rule under its code in camel case. Sorted by code. */
function ruleList() {
  const folders = readdirSync(new URL('src/rules', root), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'support',
  )
  const files = folders.flatMap(({ name }) =>
    readdirSync(new URL(`src/rules/${name}`, root)).map((file) => ({ path: `./${name}/${file}`, code: basename(file, '.ts') })),
  )
  const named = files
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ path, code }) => ({ path, name: code.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()) }))
  return `${[
    generated,
    ...named.map(({ name, path }) => `import { ${name} } from '${path}'`),
    "import type { Rule } from './rule.ts'",
    '',
    '/** Every rule, sorted by code. */',
    'export const rules: readonly Rule[] = [',
    ...named.map(({ name }) => `  ${name},`),
    ']',
  ].join('\n')}\n`
}

/** The types of the codes: they are below the rules, for whatever reports a finding. */
function codes() {
  const union = (name, some) => [`export type ${name} =`, ...some.map(({ code }) => `  | '${code}'`)]
  return `${[
    generated,
    '',
    '/** The code of a lint rule. */',
    ...union('RuleCode', rules),
    '',
    '/** The codes of the rules whose findings come from the readers. */',
    ...union('ReaderCode', rules.filter(isReader)),
    '',
    '/** The codes of the rules about suppressions and baselines. */',
    ...union(
      'UpkeepCode',
      rules.filter((rule) => 'upkeep' in rule),
    ),
  ].join('\n')}\n`
}

function stop(problem) {
  console.error(problem)
  process.exit(1)
}

/** A text for each category, read when it is first needed. */
function sensitiveTable() {
  const texts = Object.entries(parse(read('data/sensitive-actions.yaml'))).map(([category, reasons]) => {
    const rows = Object.entries(reasons).map(([pattern, reason]) => `${pattern} ${reason}`)
    return `  ${category}: \`${rows.join('\n')}\`,`
  })
  return `// Generated from data/sensitive-actions.yaml by \`npm run generate\`: do not edit.\nexport const sensitiveTable = {\n${texts.join('\n')}\n}\n`
}

/** The operations as the file has them, and the actions that only they need, as an import of descriptions derives them. */
async function deprecatedTables() {
  const { dated, undated } = parse(read('data/deprecated-operations.yaml'))
  const rows = [...Object.entries(dated), ...undated.map((name) => [name, {}])]
  const letters = grouped(
    rows.map(([name, { from = '-', until = '-', replacement = '-' }]) => {
      const [method, path] = name.split(' ')
      return [`${from} ${until} ${replacement} ${path.slice(1)}`, methods[method]]
    }),
  )
  const table = (name, summary, members) =>
    `// Generated from data/deprecated-operations.yaml by \`npm run generate\`: do not edit.\n// ${summary}\nexport const ${name} = \`${members.join('\n')}\n\`\n`
  const operations = table(
    'deprecatedOperationsTable',
    'Since when, until when, the path to call instead, and the operations with the letters of their methods; `-` for none.',
    folded([...letters].map(([key, list]) => `${key}:${list.sort().join('')}`)),
  )
  const entry = ["export { loadOperations } from './src/actions/operations.ts'", "export { deprecationsOf } from './src/actions/merge.ts'"]
  const { loadOperations, deprecationsOf } = await bundledModule(entry, [
    [/deprecated-operations-table\.ts$/, operations],
    [/deprecated-actions-table\.ts$/, 'export const deprecatedActionsTable = ""'],
  ])
  const short = (name) => name.replace(':apisvc:', ':')
  const actions = [...deprecationsOf(loadOperations())].map(
    ([name, { from = '-', until = '-', replacedBy }]) => `${from} ${until} ${replacedBy.map(short).join(',') || '-'} ${short(name)}`,
  )
  return {
    operations,
    actions: table(
      'deprecatedActionsTable',
      'Since when, until when, the actions to allow instead, and the actions, without namespaces; `-` for none.',
      folded(actions),
    ),
  }
}

/** Lines whose last words are paths, those that differ in it alone as one: many have the same days and replacement. */
function folded(lines) {
  const groups = grouped(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]))
  return [...groups].map(([words, paths]) => `${words} ${fold(paths.sort().map((path) => path.split('/')))}`).sort()
}

/** The values of each key, in their order. */
function grouped(pairs) {
  const lists = new Map()
  for (const [key, value] of pairs) lists.set(key, [...(lists.get(key) ?? []), value])
  return lists
}

function loadRules() {
  const entry = ["export { rules } from './src/rules/index.ts'", "export { sections } from './src/rules/rule.ts'"]
  return bundledModule(entry, [
    [/src[\\/]rules[\\/]index\.ts$/, list],
    [/deprecated-operations-table\.ts$/, outgoing.operations],
    [/deprecated-actions-table\.ts$/, outgoing.actions],
  ])
}

/** A module of some lines, in which some files have another content: what they are to become. */
async function bundledModule(lines, contents) {
  const replaced = {
    name: 'files to be written',
    setup({ onLoad, onResolve }) {
      for (const [filter, text] of contents) {
        onResolve({ filter }, ({ path, resolveDir }) => ({ path: join(resolveDir, path) }))
        onLoad({ filter }, () => ({ contents: text, loader: 'ts' }))
      }
    },
  }
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: fileURLToPath(root), loader: 'ts' },
    plugins: [replaced],
    external: ['./examples.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'error',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

function index() {
  const parts = sections.flatMap((section) => {
    const rows = rules
      .filter((rule) => rule.section === section)
      .map(
        (rule) =>
          `| [${rule.code}](rules/${rule.code}.md) | ${shown(rule)} | ${rule.preset ?? 'recommended'} | ${(rule.fixes ?? []).join(', ')} | ${cell(rule.summary)} |`,
      )
    return rows.length === 0
      ? []
      : [
          `## ${section[0].toUpperCase()}${section.slice(1)}\n\n| code | level | preset | fix | reports |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
        ]
  })
  return [
    '# Rules\n',
    'Each rule has a code, which configurations and suppressions refer to, and a default level, which the configuration can change. A `*` marks problems found while reading a file: these rules cannot be disabled, because nothing is decided over a file that is not understood.\n',
    'Each preset includes the ones before it: `recommended` (the default) reports mistakes, `strict` adds unwise policies, `auditor` adds what deserves a review. The configuration can also enable single rules.\n',
    'The column `fix` shows which [fixes](fixes.md) a rule has: a `safe` fix changes no decision, a `suggested` fix is likely to be what was intended. Not every finding has one.\n',
    ...parts,
    'These pages are generated from the rules in `src/rules` by `npm run generate`. Their examples are run as tests.\n',
  ].join('\n')
}

function page(rule) {
  const { code, summary, why, section } = rule
  const { bad, good } = examples.get(code)
  const stops = isReader(rule)
    ? 'Found while reading: after an error, every command that decides (`can`, `who`, `what`, `call`, `diff`, `test`) exits with 2. The rule cannot be disabled.'
    : 'Does not block decisions. The configuration can change its level under `rules`.'
  return [
    `# ${code}\n`,
    `## What it does\n\n${summary}\n`,
    `- Level: ${rule.severity}\n- Preset: ${rule.preset ?? 'recommended'}\n- About: ${section}\n${fixLine(rule)}- ${stops}\n`,
    `## Why\n\n${why}\n`,
    `## Incorrect\n\n${bad.map(block).join('\n\n')}\n`,
    `## Correct\n\n${good.map(block).join('\n\n')}\n`,
    ...options(rule),
    'Carets mark what is reported. The examples omit parts that do not matter to the rule. [All rules](../rules.md)\n',
  ].join('\n')
}

function fixLine({ fixes = [] }) {
  return fixes.length > 0 ? `- [Fix](../fixes.md): ${fixes.map((fix) => fixWords[fix]).join('; ')}\n` : ''
}

function options({ code, severity, options = [] }) {
  if (options.length === 0) return []
  const rows = options.map(({ name, type, text, choices, fields, required }) => {
    const kind = fields
      ? `a list of maps with ${Object.keys(fields)
          .map((field) => `\`${field}\``)
          .join(' and ')}`
      : choices
        ? choices.map((choice) => `\`${choice}\``).join(', ')
        : kinds[type]
    return `| \`${name}\` | ${kind} | ${cell(text)}${required ? ' (required: the rule reports nothing without it)' : ''} |`
  })
  return [
    `## Options\n\nSet in the configuration as \`${code}: [${severity}, {${options[0].name}: …}]\`.\n`,
    `| option | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n`,
  ]
}

function block({ text, options, path, catalogue }) {
  const given = [
    ...(path ? [`In a file \`${path}\``] : []),
    ...(options ? [`${path ? 'with' : 'With'} the options \`${JSON.stringify(options)}\``] : []),
    ...(catalogue
      ? [
          `${path || options ? 'with' : 'With'} a catalogue that holds ${catalogue.map((each) => `\`${JSON.stringify(each)}\``).join(' and ')}`,
        ]
      : []),
  ]
  const fenced = `\`\`\`${path?.endsWith('.tf') ? 'hcl' : /^\s*[[{]/.test(text) ? 'json' : 'yaml'}\n${visible(text.trim())}\n\`\`\``
  return given.length > 0 ? `${given.join(', ')}:\n\n${fenced}` : fenced
}

/** Characters that a page would hide or obey are written as their numbers. */
function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (c) =>
    c === '\n' ? c : `<U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
  )
}

function shown(rule) {
  return `${rule.severity}${isReader(rule) ? ' *' : ''}`
}

function isReader(rule) {
  return 'reader' in rule
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

/** The pages that are there, and no longer belong to a rule. */
function orphans() {
  return readFolder('docs/rules').filter((name) => !pages.has(name))
}

function readFolder(folder) {
  try {
    return readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}`)
  } catch {
    return []
  }
}

function read(name) {
  try {
    return readFileSync(new URL(name, root), 'utf8')
  } catch {
    return undefined
  }
}

function check() {
  const stale = [...[...pages].filter(([name, text]) => read(name) !== text).map(([name]) => name), ...orphans()]
  for (const name of stale) console.error(`${name} is not current: run npm run generate`)
  return stale.length > 0 ? 1 : 0
}

function write() {
  mkdirSync(new URL('docs/rules', root), { recursive: true })
  for (const name of orphans()) rmSync(new URL(name, root))
  for (const [name, text] of pages) writeFileSync(new URL(name, root), text)
  return 0
}
