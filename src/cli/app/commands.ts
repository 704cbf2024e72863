import { sheetNames } from '../../page/sheet-names.ts'
import type { ExitCode } from './exit.ts'
import type { Io } from './io.ts'
import {
  type ArgumentEntry,
  type ArgumentsOf,
  accessOptions,
  allOption,
  answerOptions,
  asOfOption,
  atOption,
  type CommonOptions,
  configOptions,
  contextOptions,
  coverageOption,
  factOptions,
  formatOption,
  formatsOption,
  fullUrnsOption,
  type OptionEntry,
  type OptionsOf,
  outputOption,
  overOption,
  ownRulesOption,
  policiesOption,
  requestOptions,
  sinceOption,
  sourceOptions,
  supposeOptions,
  terraformOptions,
  variableOptions,
  withTagOption,
  worldOptions,
  writeOptions,
} from './options.ts'

/** Groups of commands by purpose, in the order of `--help`. */
export const groups = {
  check: 'Check policies:',
  ask: 'Ask who may do what:',
  compare: 'Compare access:',
  change: 'Change policies:',
  emulate: 'Try calls on this machine:',
  editors: 'Editors and assistants:',
  setUp: 'Set up:',
} as const

/** One command, as `--help` shows it. Its program is the file with its name in `src/cli/commands`. */
export interface CommandEntry {
  readonly name: string
  readonly group: keyof typeof groups
  readonly arguments: readonly ArgumentEntry[]
  readonly summary: string
  readonly options: readonly OptionEntry[]
  /** Two or more, each with what it does. */
  readonly examples: readonly (readonly [line: string, text: string])[]
}

const identityArgument = ['[identity]', 'identity URN'] as const
const actionArgument = ['[action]', 'action, such as vps:apisvc:reboot'] as const
const resourceArgument = ['[resource]', 'resource URN'] as const
const pathsArgument = [
  '[path...]',
  'files, folders, globs, or - for standard input (default: `policies` in the configuration, else .)',
] as const

const explainOption = { flags: '--explain', text: 'show how every policy was evaluated' } as const
const baseUrlOption = { flags: '--base-url <url>', text: 'URL of the API; required by --format url' } as const
const credentialOption = {
  flags: '--credential <file>',
  text: 'access rules of a consumer key: a credential request, a credential as the service returns it, a list of rules, or the URL of a token page',
} as const
const regionOption = { flags: '--region <region>', text: 'region of the resources', otherwise: 'the region of the identity' } as const
const skipBadOption = { flags: '--skip-bad', text: 'skip lines that cannot be read, and report how many' } as const
const columnsOption = {
  flags: '--columns <mapping>',
  text: 'columns of the log, as NAME=COLUMN,NAME=COLUMN, or a YAML or JSON file with a mapping',
} as const
const dialectOption = {
  flags: '--dialect <name>',
  text: 'SQL: dialect to write',
  values: ['duckdb', 'postgres', 'clickhouse', 'spark', 'trino', 'bigquery', 'snowflake'],
} as const
const prefixOption = { flags: '--prefix <text>', text: 'SQL: beginning of the names of tables and views', default: 'gw_' } as const
const insertsOption = { flags: '--inserts', text: 'SQL: write the tables as INSERT statements, not as files' } as const
const failLevels = ['error', 'warning', 'info', 'never'] as const
const sides = ['gained', 'lost', 'any', 'never'] as const
const ruleLevels = ['none', 'parameters', 'branches'] as const
/** Facts of the requests that an answer about a described account is about. */
const requestsOptions = [
  { ...atOption, otherwise: 'all times from now on' },
  { flags: '--ip <address>', text: 'IP address the requests come from', otherwise: 'any' },
  { flags: '--tag <key=value>', many: true, text: 'suppose this tag of every resource, in addition to those of a world file' },
] as const
/** Options of the questions about a described account. */
const accountOptions = [...worldOptions, ...requestsOptions, fullUrnsOption] as const
/** Options for the content of the page of `report` and `explore`. */
const pageOptions = [
  { flags: '--title <text>', text: 'title of the page', otherwise: 'Access report' },
  { flags: '--before <state>', text: 'also show the access gained and lost since a commit, or since the policies of a file or folder' },
  { ...sinceOption, text: `in the place of --before: ${sinceOption.text}` },
  { flags: '--blame', text: 'also show since which commit each entry of a policy has its effect' },
  ...sourceOptions,
  ...requestsOptions,
  withTagOption,
  ...configOptions,
  ownRulesOption,
] as const
const differenceFormats = formatsOption(['pretty', 'compact', 'json', 'markdown', 'sarif', 'github', 'gitlab'])

const lintFormats = [
  'pretty',
  'compact',
  'json',
  'ndjson',
  'sarif',
  'github',
  'gitlab',
  'azure',
  'junit',
  'checkstyle',
  'rdjson',
  'rdjsonl',
  'markdown',
  'agent',
] as const

/** Every command, in the order of `--help`. Its program, help, manual page and shell completion are found by this table. */
export const commands = [
  {
    name: 'lint',
    group: 'check',
    arguments: [pathsArgument],
    summary: 'find problems in policy files',
    options: [
      formatsOption(lintFormats),
      outputOption,
      { flags: '--rule <code=level>', many: true, text: 'level of a rule: off, info, warning or error; repeatable' },
      {
        flags: '--rule-option <code.name=value>',
        many: true,
        text: 'option of a rule, over that of the configuration: a list separated by commas, maps as JSON; repeatable',
      },
      {
        flags: '--only <rules>',
        many: true,
        text: 'run only these rules: codes, or groups such as actions or risk, separated by commas; repeatable',
      },
      { flags: '--fix', text: 'apply safe fixes: those that do not change access' },
      { flags: '--fix-dry-run', text: 'show what --fix would change, as a diff, without writing files' },
      {
        flags: '--fix-level <level>',
        text: 'fixes to apply; suggested ones may change access, and need review',
        values: ['safe', 'suggested'],
        otherwise: 'safe',
      },
      ...writeOptions,
      { flags: '--preset <name>', text: 'rules to start from', values: ['recommended', 'strict', 'auditor'], otherwise: 'recommended' },
      { flags: '--fail-on <level>', text: 'minimum severity that exits with 1', values: failLevels, otherwise: 'warning' },
      { flags: '--max-warnings <number>', text: 'exit with 1 for more warnings than this, and not for fewer', range: [0, 999_999_999] },
      { flags: '--exit-zero', text: 'exit with 0 whatever is found or would change; errors still exit with 2' },
      { flags: '--quiet', text: 'report errors only' },
      { flags: '--statistics', text: 'count the findings by rule, instead of listing them' },
      { ...atOption, text: 'time at which expiry is evaluated, RFC 3339' },
      {
        flags: '--files-from <file>',
        text: 'lint the files listed in a file (one per line, or separated by NUL), or - for standard input',
      },
      { flags: '--staged', text: 'lint what the next git commit changes, as it is staged' },
      { flags: '--since <ref>', text: 'lint what differs from a git commit, and untracked files' },
      { flags: '--changed', text: 'lint the named files, if any, and what the next git commit changes: for hooks' },
      { flags: '--stdin-filename <path>', text: 'path of standard input (-): determines its notation and configuration' },
      { flags: '--if-policy', text: 'ignore named files that contain no policy' },
      { flags: '--fences', text: 'also lint fenced code blocks of Markdown files in folders' },
      { flags: '--baseline <file>', text: 'suppress the findings in a baseline' },
      { flags: '--write-baseline <file>', text: 'write a baseline of all findings' },
      { flags: '--no-suppressions', text: 'ignore suppression comments and `ignores` in the configuration' },
      { flags: '--show-suppressed', text: 'also show suppressed findings, with their reasons' },
      { flags: '--watch', text: 'lint again when a file changes, until Ctrl-C' },
      { flags: '--cache', text: 'keep the result, and print it again while nothing that it depends on changes' },
      {
        flags: '--cache-location <folder>',
        text: 'folder of the cache',
        otherwise: 'node_modules/.cache/grantwise, else .grantwise_cache',
      },
      { flags: '--list-files', text: 'list the files that would be linted, and why others are skipped' },
      { flags: '--print-config <file>', text: 'print the configuration that applies to a file' },
      { flags: '--no-progress', text: 'show no progress' },
      ...variableOptions,
      coverageOption,
      ...configOptions,
      ownRulesOption,
    ],
    examples: [
      ['grantwise lint policies/', 'lint every policy file in a folder'],
      ['grantwise lint --format json --fail-on error p.json', 'JSON output; warnings do not fail'],
      ['grantwise lint --staged', 'lint what the next commit contains'],
      ['grantwise lint --fix-dry-run policies/', 'review fixes before applying them'],
    ],
  },
  {
    name: 'explain',
    group: 'check',
    arguments: [['[code]', 'rule to explain; without it, all rules are listed']],
    summary: 'explain a lint rule: what it finds and why, with examples, options and fixes',
    options: [...answerOptions(['pretty', 'compact', 'json']), ownRulesOption],
    examples: [
      ['grantwise explain unknown-action', 'the page of a rule whose code is in a report'],
      ['grantwise explain resource-urn --format json', 'the same as JSON'],
    ],
  },
  {
    name: 'rules',
    group: 'check',
    arguments: [['[code]', 'rule to explain']],
    summary: 'list the lint rules, or explain one',
    options: [...answerOptions(['pretty', 'compact', 'json']), ownRulesOption],
    examples: [
      ['grantwise rules', 'every rule, with its severity and summary'],
      ['grantwise rules resource-urn', 'why the rule exists, with examples'],
    ],
  },
  {
    name: 'test',
    group: 'check',
    arguments: [['[path...]', 'policy test files, folders or globs (default: .)']],
    summary: 'run policy tests (*.iamtest.yaml), which state what policies must allow and deny',
    options: [
      ...worldOptions,
      { ...atOption, text: 'time of questions that specify none, RFC 3339' },
      { flags: '--filter <text>', text: 'run only tests whose name contains this text' },
      { ...coverageOption, text: 'list policy entries that no test exercises; also print what was read, passed over and assumed' },
      { flags: '--min-coverage <percent>', text: 'exit with 1 if fewer entries are exercised' },
      { flags: '--watch', text: 'run again when a test or policy file changes' },
      formatsOption(['pretty', 'json', 'junit']),
      outputOption,
      ...writeOptions,
      ...configOptions,
    ],
    examples: [
      ['grantwise test', 'run every policy test in this folder and below'],
      ['grantwise test --coverage --format pretty --format junit=report.xml tests/', 'for people and for CI'],
    ],
  },
  {
    name: 'lock',
    group: 'check',
    arguments: [],
    summary: 'write what the policies allow to a lockfile for review, or check it',
    options: [
      {
        flags: '--check',
        text: 'write nothing; exit with 1 if the policies allow more or less than the lockfile, and list the difference',
      },
      { flags: '-o, --output <file>', text: 'lockfile, or - to print it', default: 'grantwise.lock' },
      { flags: '--at <time>', text: 'with --check: instant from which examples of a difference are given, RFC 3339', otherwise: 'now' },
      ...worldOptions,
      allOption,
      { ...overOption, text: `with --check: ${overOption.text}` },
      fullUrnsOption,
      { flags: '--format <format>', text: 'output format of --check', values: ['pretty', 'json'], otherwise: 'pretty' },
      ...writeOptions,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise lock -p policies/', 'write grantwise.lock, unless it is up to date'],
      ['grantwise lock --check -p policies/', 'in CI: fail if access differs from the lockfile'],
    ],
  },
  {
    name: 'can',
    group: 'ask',
    arguments: [identityArgument, actionArgument, resourceArgument],
    summary: 'decide whether an identity may perform an action on a resource, and explain why',
    options: [
      ...worldOptions,
      ...contextOptions,
      asOfOption,
      explainOption,
      fullUrnsOption,
      { flags: '--batch <file>', text: 'answer many questions: a file with one JSON object per line, or -' },
      { flags: '--jobs <number>', text: 'threads for a large --batch', range: [1, 16], otherwise: 'one per processor, at most 4' },
      {
        flags: '--format <format>',
        text: 'output format',
        values: ['pretty', 'compact', 'json', 'ndjson', 'verdict'],
        otherwise: 'pretty',
      },
      outputOption,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      [
        'grantwise can urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/',
        'one verdict, with the entries that decided it',
      ],
      ['grantwise can --batch questions.ndjson -p policies/', 'many questions, one answer per line'],
      ['grantwise can --batch questions.ndjson -p policies/ --format verdict', 'only the verdicts, a word a line: faster'],
    ],
  },
  {
    name: 'call',
    group: 'ask',
    arguments: [
      ['[method]', 'HTTP method, such as GET'],
      ['[path]', 'path with real values, such as /v1/hosting/web/example.org'],
    ],
    summary: 'decide whether an API call is allowed, and explain why',
    options: [
      { flags: '--identity <urn>', text: 'identity URN that makes the call' },
      ...worldOptions,
      ...contextOptions,
      regionOption,
      { flags: '--resource <urn>', many: true, text: 'resource that the path does not name' },
      { flags: '--action <action>', many: true, text: 'action that the call needs, where the catalogue does not know it' },
      credentialOption,
      {
        flags: '--from-403 <file>',
        text: 'body of a 403 response, or -: show what to grant, and who can grant it; METHOD and PATH are then optional',
      },
      explainOption,
      fullUrnsOption,
      ...answerOptions(['pretty', 'compact', 'json', 'ndjson']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      [
        'grantwise call GET /v1/hosting/web/example.org --identity urn:v1:eu:identity:user:ab12-svc/ann -p policies/',
        'what the call needs, and the entries that decide it',
      ],
      [
        'grantwise call POST /v1/vps/vps-1/reboot --identity urn:v1:eu:identity:user:ab12-svc/ann --credential request.json -p policies/',
        'the same for an application with a consumer key',
      ],
      [
        'grantwise call POST /v1/vps/vps-1/reboot --identity urn:v1:eu:identity:user:ab12-svc/ann --from-403 body.json',
        'what to grant after a 403 response',
      ],
    ],
  },
  {
    name: 'who',
    group: 'ask',
    arguments: [
      ['[action]', 'action, or a pattern over actions'],
      ['[resource]', 'resource, a pattern over resources, or a resource group (default: every resource that is described)'],
    ],
    summary: 'list the identities that may perform an action on a resource',
    options: [
      ...worldOptions,
      ...accessOptions,
      asOfOption,
      withTagOption,
      allOption,
      fullUrnsOption,
      ...answerOptions(['pretty', 'compact', 'json']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/', 'every identity that may restart a server'],
      [
        'grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 --ip 192.0.2.1 --format json -p policies/',
        'from one IP address, as JSON',
      ],
      ["grantwise who '*:terminate' 'vps:*' -p policies/", 'who may end which server, among those that are described'],
      ["grantwise who '*:terminate' -p policies/", 'who may end anything at all'],
    ],
  },
  {
    name: 'what',
    group: 'ask',
    arguments: [
      ['[identity]', 'identity, a pattern over identities, or several of both, separated by commas'],
      ['[resource]', 'resource, a pattern over resources, or a resource group; limits the answer'],
    ],
    summary: 'list what an identity may do',
    options: [
      ...worldOptions,
      ...accessOptions,
      asOfOption,
      withTagOption,
      allOption,
      fullUrnsOption,
      { flags: '--expand', text: 'list the catalogue actions that the patterns match' },
      ...answerOptions(['pretty', 'compact', 'json']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise what urn:v1:eu:identity:user:ab12-svc/ann -p policies/', 'everything that ann may do'],
      [
        "grantwise what urn:v1:eu:identity:user:ab12-svc/ann 'urn:v1:eu:resource:vps:*' --expand -p policies/",
        'her actions on servers, one by one',
      ],
    ],
  },
  {
    name: 'history',
    group: 'ask',
    arguments: [
      ['[identity]', 'identity, or a pattern over identities; * for every identity'],
      ['[action]', 'action, or a pattern over actions (default: *)'],
      ['[resource]', 'resource, or a pattern over resources (default: *)'],
    ],
    summary: 'list the commits at which access changed, with their authors and the entries that changed it',
    options: [
      ...sourceOptions,
      ...factOptions,
      { flags: '--guardrail <code>', many: true, text: 'in the place of a question: whether guardrails of the configuration are kept' },
      { flags: '--test <file>', many: true, text: 'in the place of a question: whether policy tests of this file pass' },
      { flags: '--at <time>', text: 'only access at this time, RFC 3339', otherwise: 'all times' },
      { flags: '--as-of-commit', text: 'access at each commit is that at the time of the commit' },
      {
        flags: '--since <date>',
        text: 'only commits after the one that the branch was at then: a date (the end of that day in UTC), a time, a tag or a commit',
      },
      { flags: '--all-parents', text: 'also the commits of merged branches; a merge is listed where it changes more than they do' },
      overOption,
      allOption,
      fullUrnsOption,
      ...answerOptions(['pretty', 'compact', 'json', 'markdown']),
      ...configOptions,
    ],
    examples: [
      [
        'grantwise history urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1',
        'since when she may restart the server, and which commit made it so',
      ],
      ["grantwise history '*' '*:terminate'", 'every commit that changed who may end something'],
      ['grantwise history urn:v1:eu:identity:user:ab12-svc/ann', 'every commit that changed what she may do'],
      ['grantwise history --guardrail org/no-public-delete', 'the commits that broke and repaired a guardrail'],
    ],
  },
  {
    name: 'blame',
    group: 'ask',
    arguments: [['[file]', 'file of policies']],
    summary: 'list the entries of a file with the commits since which they have had an effect',
    options: [...sourceOptions, allOption, fullUrnsOption, ...answerOptions(['pretty', 'compact', 'json', 'markdown']), ...configOptions],
    examples: [
      ['grantwise blame policies/ops.yaml', 'which entries grant or deny something, and since which commit'],
      ['grantwise blame policies/ops.yaml --format json', 'the same for a program'],
    ],
  },
  {
    name: 'filter',
    group: 'ask',
    arguments: [
      ['[identity]', 'identity URN'],
      ['[action]', 'action, such as vps:apisvc:reboot'],
      ['[resource]', 'resource, or a pattern over resources; only rows that match it'],
    ],
    summary: 'write the SQL condition that keeps the resources on which an identity is allowed an action',
    options: [
      ...worldOptions,
      {
        flags: '--dialect <name>',
        text: 'dialect of SQL',
        values: ['duckdb', 'postgres', 'clickhouse', 'spark', 'trino', 'bigquery', 'snowflake'],
      },
      { flags: '--which <rows>', text: 'print only one expression', values: ['allowed', 'perhaps'] },
      { flags: '--as <form>', text: 'form of the output, in the place of expressions', values: ['dbt'] },
      { flags: '--macro <name>', text: 'with --as dbt: start of the names of the macros', otherwise: 'grantwise' },
      { flags: '--urn-column <name>', text: 'column of URNs', default: 'urn' },
      { flags: '--tags-column <name>', text: 'column of tags, a JSON object or NULL', default: 'tags' },
      { flags: '--no-tags', text: 'the table has no column of tags' },
      { flags: '--name-column <name>', text: 'column of names', otherwise: 'the name in the URN' },
      { flags: '--type-column <name>', text: 'column of types', otherwise: 'the type in the URN' },
      { flags: '--owner-column <name>', text: 'column of the accounts that own the resources', otherwise: 'the owners in a world file' },
      { flags: '--well-formed', text: 'every URN in the table is the name of a resource: the expressions do not check it' },
      ...requestOptions,
      ...answerOptions(['pretty', 'json']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise filter urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot --dialect duckdb -p policies/', 'both expressions'],
      [
        'duckdb inventory.db "SELECT urn FROM servers WHERE $(grantwise filter user/ann vps:apisvc:reboot --dialect duckdb --which allowed)"',
        'the servers that she may restart',
      ],
    ],
  },
  {
    name: 'policies',
    group: 'ask',
    arguments: [['[name...]', 'identities, resources, resource groups or patterns: URNs, or short names such as user/ann or vps:*']],
    summary: 'list the policies that concern an identity or a resource, and what they grant and deny',
    options: [
      ...accountOptions,
      { flags: '--overlap', text: 'list what several policies grant alike, and policies of which others grant all, instead' },
      allOption,
      ...answerOptions(['pretty', 'compact', 'json']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise policies user/ann -p policies/', 'the policies about ann and her groups'],
      ["grantwise policies 'vps:*' -p policies/", 'the policies about any server'],
      ['grantwise policies vps:web-1 --format json -p policies/', 'the policies about a server, as JSON'],
      ['grantwise policies --overlap -p policies/', 'which policies grant the same to whom'],
    ],
  },
  {
    name: 'matrix',
    group: 'ask',
    arguments: [],
    summary: 'show what each described identity may do with each resource type: nothing, read, write or all',
    options: [
      ...accountOptions,
      { flags: '--identity <name>', many: true, text: 'only this identity: a URN, a short name, or a pattern; repeatable' },
      { flags: '--type <type>', many: true, text: 'only this resource type; repeatable' },
      withTagOption,
      { flags: '--resources', text: 'a column for each resource of the type, instead of each type' },
      { ...sinceOption, text: `show what each cell gained (+) and lost (-) since then, and only what changed: ${sinceOption.text}` },
      { ...allOption, text: 'show every row and column, whatever the width of the terminal' },
      ...answerOptions(['pretty', 'compact', 'json', 'csv', 'markdown', 'svg', 'html']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise matrix -p policies/', 'every described identity and resource type'],
      ['grantwise matrix --type vps --resources --format csv -p policies/', 'each server, for a spreadsheet'],
      ['grantwise matrix --identity user/ann -p policies/', 'one identity, with conditions and policies'],
      ['grantwise matrix --since 2026-07-01 -p policies/', 'what changed since a date: access added (+) and removed (-)'],
    ],
  },
  {
    name: 'graph',
    group: 'ask',
    arguments: [pathsArgument],
    summary: 'draw who gets to what: identities, groups, policies, resource groups and resources',
    options: [
      ...worldOptions,
      { ...atOption, text: 'time at which policies have ended or not, RFC 3339' },
      {
        flags: '--identity <name>',
        many: true,
        text: 'only paths from this identity or group: a URN, a short name, or a pattern; repeatable',
      },
      { flags: '--policy <name>', many: true, text: 'only paths through this policy; repeatable' },
      { flags: '--resource <name>', many: true, text: 'only paths to this resource or resource group; repeatable' },
      { flags: '--type <type>', many: true, text: 'only paths to resources of this type; repeatable' },
      {
        flags: '--expand <name>',
        many: true,
        text: 'show the members of a cluster, or of all clusters with `all`; repeatable',
        otherwise: 'a column of more than 40 names is shown as clusters, except in GraphML',
      },
      fullUrnsOption,
      {
        flags: '--format <format>',
        text: 'output format',
        values: ['svg', 'dot', 'mermaid', 'graphml'],
        otherwise: 'by the ending of the output file, else dot',
      },
      { flags: '-o, --output <file>', text: 'file to write', otherwise: 'standard output' },
      ...writeOptions,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise graph policies/ -o access.svg', 'a picture of all policies'],
      ['grantwise graph --identity user/ann --format mermaid -p policies/', 'what leads to the access of ann, for a comment'],
      ['grantwise graph policies/ | dot -Tpdf > access.pdf', 'with Graphviz'],
    ],
  },
  {
    name: 'report',
    group: 'ask',
    arguments: [pathsArgument],
    summary: 'write one HTML page with who may do what, why, and what lint finds',
    options: [
      {
        flags: '-o, --output <file>',
        text: 'file to write, or - for standard output',
        otherwise: 'report.html, or with the ending of the format',
      },
      {
        flags: '--format <format>',
        text: 'a page, or a file for archives, spreadsheets and programs',
        values: ['html', 'markdown', 'md', 'csv', 'json', 'xlsx'],
        otherwise: 'by the ending of the file, else html',
      },
      { flags: '--table <name>', text: 'CSV: the table to write', values: sheetNames, otherwise: 'access' },
      ...writeOptions,
      coverageOption,
      ...pageOptions,
    ],
    examples: [
      ['grantwise report policies/ -o report.html', 'a page to open in a browser, or to keep as an artifact'],
      ['grantwise report --before origin/main policies/', 'with what a branch changes'],
      ['grantwise report policies/ -o access.xlsx', 'the tables of the page, for a spreadsheet'],
    ],
  },
  {
    name: 'explore',
    group: 'ask',
    arguments: [pathsArgument],
    summary: 'show the page of `report` over the working folder, and again whenever a file changes',
    options: [
      { flags: '--port <number>', text: 'port on 127.0.0.1, or 0 for any free one', range: [0, 65_535], default: 8766 },
      { flags: '--open', text: 'open the page in a browser' },
      ...pageOptions,
    ],
    examples: [
      ['grantwise explore', 'a page over the policies of the working folder, read again whenever one changes'],
      ['grantwise explore --open --before origin/main policies/', 'with what a branch changes, in a browser'],
    ],
  },
  {
    name: 'escalate',
    group: 'ask',
    arguments: [
      ['[identity...]', 'identities, groups or patterns: URNs, or short names such as user/ann (default: every described identity)'],
    ],
    summary: 'find out whether an identity can raise its own rights, and by which grants',
    options: [...accountOptions, allOption, ...answerOptions(['pretty', 'compact', 'json']), coverageOption, ...configOptions],
    examples: [
      ['grantwise escalate user/ann -p policies/', 'exits with 1 if ann can give herself more rights'],
      ['grantwise escalate -p policies/', 'who can escalate at all: a line for each identity'],
      ['grantwise escalate group/ops --format json -p policies/', 'a member of a group, as JSON'],
    ],
  },
  {
    name: 'timeline',
    group: 'ask',
    arguments: [],
    summary: 'list time-limited access: when it starts and ends',
    options: [
      ...worldOptions,
      { flags: '--from <time>', text: 'start time, RFC 3339', otherwise: 'now' },
      { flags: '--horizon <length>', text: 'how far to look: a duration such as 30d, 12h or P30D, or a time', default: '90d' },
      { flags: '--within <length>', text: 'how far to look from now: the same as --horizon without --from' },
      {
        ...sinceOption,
        text: 'also show the past: the commits that opened or closed access since then, and what started and ended in between; a date (the end of that day in UTC), a time, a tag or a commit',
      },
      { flags: '--all', text: 'show every change in full, and policies that start or end without changing access' },
      { flags: '--identity <urn>', text: 'only access of this identity, or of a pattern; short names such as user/kim work' },
      { flags: '--policy <name>', text: 'only changes that this policy causes' },
      { flags: '--only <kind>', text: 'only changes by expiry or a last day, or only time windows', values: ['expiry', 'window'] },
      { flags: '--fail-on <what>', text: 'access change that exits with 1', values: sides, default: 'never' },
      overOption,
      fullUrnsOption,
      ...answerOptions(['pretty', 'compact', 'json', 'markdown', 'svg']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise timeline -p policies/', 'access that starts or ends in the next 90 days'],
      [
        'grantwise timeline --from 2026-12-01T00:00:00Z --horizon 30d --fail-on lost --format markdown -p policies/',
        'a report that fails when somebody loses access',
      ],
      ['grantwise timeline --identity user/kim --only expiry -p policies/', 'which of their access expires, and when'],
      ['grantwise timeline --since 2026-07-01 -p policies/', 'since a date: the commits and the times that opened and closed access'],
    ],
  },
  {
    name: 'expand',
    group: 'ask',
    arguments: [['[pattern...]', 'action patterns, such as vps:apisvc:*']],
    summary: 'list the catalogue actions that patterns match',
    options: [
      {
        flags: '--from <file>',
        text: 'list of actions: JSON, YAML or one action per line, or - for standard input; `except` and `deny` are subtracted',
      },
      ...answerOptions(['pretty', 'compact', 'json']),
      ...configOptions,
    ],
    examples: [
      ["grantwise expand 'vps:apisvc:ips/*'", 'the actions that a pattern matches'],
      ["grantwise expand --format json 'webHosting:*' 'dns:*'", 'two patterns, as JSON'],
    ],
  },
  {
    name: 'catalogue',
    group: 'ask',
    arguments: [
      ['[what]', 'info: show the catalogue (default); import: build one from API descriptions', ['info', 'import']],
      ['[argument...]', 'for info: a product; for import: files, or - for standard input'],
    ],
    summary: 'show the action catalogue, or build one from API descriptions',
    options: [
      { flags: '--format <format>', text: 'output format of info', values: ['pretty', 'compact', 'json'], otherwise: 'pretty' },
      { flags: '-o, --output <file>', text: 'file that import writes', otherwise: 'standard output' },
      { flags: '--base <catalogue>', text: 'catalogue that import extends: shipped, none or a file', otherwise: 'shipped' },
      { flags: '--seen <month>', text: 'month of the descriptions, such as 2026-01', otherwise: 'as they specify' },
      { flags: '--brand <word>', text: 'brand word used in the descriptions', otherwise: 'that of the configuration' },
      ...writeOptions,
      ...configOptions,
    ],
    examples: [
      ['grantwise catalogue info vps', 'what is known about one product'],
      [
        'grantwise catalogue import api/*.json -o catalogue.json',
        'build a catalogue, for `catalogue: catalogue.json` in the configuration',
      ],
    ],
  },
  {
    name: 'repl',
    group: 'ask',
    arguments: [],
    summary: 'load the policies once, then answer questions and what-if questions, one a line',
    options: [
      ...worldOptions,
      ...accessOptions,
      fullUrnsOption,
      { flags: '--history <file>', text: 'file for the lines typed at a terminal', otherwise: 'grantwise/history in XDG_STATE_HOME' },
      { flags: '--no-history', text: 'keep no history' },
      { flags: '--stop-on-error', text: 'end a script at the first line that cannot be answered' },
      { flags: '--echo', text: 'print each line of a script before its answer' },
      formatOption(['pretty', 'compact', 'json']),
      ...configOptions,
    ],
    examples: [
      ['grantwise repl -p policies/', 'at a terminal: ask, assume, ask again; `help` lists the commands'],
      ['grantwise repl -p policies/ < questions.txt', 'a script: one command per line'],
    ],
  },
  {
    name: 'diff',
    group: 'compare',
    arguments: [
      ['[before]', 'file, folder or glob; git:REF or git:REF:PATH for a commit'],
      ['[after]', 'what to compare it with, in the same form'],
      ['[other]', 'with --merge: what is merged with [after], both made from [before]'],
    ],
    summary: 'show the access gained and lost between two sets of policies',
    options: [
      {
        flags: '--merge',
        text: 'with three arguments, the second and third made from the first: the access that both together grant and neither does by itself',
      },
      { flags: '--refs <file>', text: 'with --merge and one argument: a commit, branch or tag a line, of which each two are merged' },
      { ...sinceOption, text: `in the place of BEFORE: ${sinceOption.text}` },
      { flags: '--fail-on <what>', text: 'access change that exits with 1', values: sides, otherwise: 'gained' },
      { flags: '--identity <name>', many: true, text: 'only access of this identity, or of a pattern; short names work; repeatable' },
      { flags: '--action <pattern>', many: true, text: 'only access to these actions; repeatable' },
      {
        flags: '--map <old=new>',
        many: true,
        text: 'read a name in the texts of BEFORE, as a whole word, as another one: to compare copies; repeatable',
      },
      {
        flags: '--ceiling <path>',
        text: 'policies that AFTER must not exceed; without --fail-on, only access beyond them exits with 1',
      },
      {
        flags: '--at <time>',
        many: true,
        text: 'compare access at this time, RFC 3339; given twice, BEFORE at the first and AFTER at the second',
        otherwise: 'at any time',
      },
      {
        flags: '--horizon <length>',
        text: 'compare access from --at (default: now) for a duration, such as 90d or P90D, or until a time',
      },
      {
        flags: '-p, --policies <path>',
        many: true,
        text: 'instead of BEFORE and AFTER: policies to compare at two times (--at twice); with --plan, policies that the plan does not manage',
      },
      {
        flags: '--plan <file>',
        text: 'instead of BEFORE and AFTER: what applying a plan would change, from `terraform show -json` or `pulumi preview --json`',
      },
      ...supposeOptions,
      allOption,
      overOption,
      fullUrnsOption,
      ...terraformOptions,
      differenceFormats,
      outputOption,
      ...writeOptions,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise diff git:origin/main:policies policies', 'what a branch changes'],
      ['grantwise diff --fail-on any --format markdown old.json new.json', 'for a comment; lost access fails, too'],
      ['grantwise diff -p policies --at 2026-12-01T00:00:00Z --at 2027-01-01T00:00:00Z', 'what changes during December without any edit'],
      ['grantwise diff --plan plan.json -p account/', 'what a plan would change, given the rest of the account'],
      ['grantwise diff --map staging=production staging/ production/', 'what differs between two copies'],
      ['grantwise diff --merge git:main git:one git:two', 'what merging two branches grants that neither does by itself'],
    ],
  },
  {
    name: 'compare',
    group: 'compare',
    arguments: [
      ['[first]', 'identity or group: a URN, or a short name such as user/ann'],
      ['[second...]', 'another one, or several, or a pattern: each is compared with the first'],
    ],
    summary: 'show what one identity may do and another may not, both ways',
    options: [...accountOptions, allOption, ...answerOptions(['pretty', 'compact', 'json']), coverageOption, ...configOptions],
    examples: [
      ['grantwise compare user/ann user/bob -p policies/', 'what only ann may do, and what only bob may do, with the entries'],
      ["grantwise compare user/ann 'user/*' -p policies/", 'ann and each other user'],
      ['grantwise compare group/ops group/dev --format json -p policies/', 'two groups, as JSON'],
    ],
  },
  {
    name: 'replay',
    group: 'compare',
    arguments: [['[file...]', 'recorded calls, one JSON object per line, or - for standard input']],
    summary: 'list recorded calls that other policies would refuse or newly allow',
    options: [
      overOption,
      fullUrnsOption,
      { flags: '--from <file>', many: true, text: 'the same as an argument: recorded calls, as for `least`' },
      ...worldOptions,
      { ...atOption, text: 'evaluate every call at this time, RFC 3339', otherwise: 'its own time' },
      { ...credentialOption, otherwise: 'the result recorded for the key' },
      { flags: '--fail-on <what>', text: 'change that exits with 1', values: ['refused', 'allowed', 'any', 'never'], default: 'refused' },
      { flags: '--all', text: 'also list calls that do not change' },
      skipBadOption,
      ...answerOptions(['pretty', 'compact', 'json', 'ndjson']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise replay calls.ndjson -p policies/', 'which calls would these policies refuse?'],
      ['grantwise replay --fail-on any --format json --from calls.ndjson -p least.yaml', 'as JSON; newly allowed calls fail, too'],
    ],
  },
  {
    name: 'suggest',
    group: 'change',
    arguments: [identityArgument, actionArgument, resourceArgument],
    summary: 'find the smallest edits that change a verdict, each with its side effects',
    options: [
      overOption,
      { flags: '--to <verdict>', text: 'wanted verdict', values: ['allow', 'deny'], otherwise: 'the opposite of the current one' },
      ...worldOptions,
      ...accessOptions,
      { flags: '--pick <number>', text: 'show only the suggestion of this number', range: [1, 5] },
      allOption,
      ...answerOptions(['pretty', 'json', 'diff'], 'output format; diff shows the first or picked suggestion and suits `git apply`'),
      fullUrnsOption,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      [
        'grantwise suggest urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/',
        'what would let ann restart the server, if she may not',
      ],
      [
        'grantwise suggest --to deny urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/',
        'what would prevent it',
      ],
    ],
  },
  {
    name: 'minimise',
    group: 'change',
    arguments: [],
    summary: 'find the fewest policies and entries with the same meaning, with a proof',
    options: [
      ...sourceOptions,
      { flags: '--at <time>', text: 'instant from which access counts, RFC 3339', otherwise: 'now' },
      ...answerOptions(['pretty', 'json', 'diff'], 'output format; diff suits `git apply`'),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise minimise -p policies/', 'what can be removed or merged, and the resulting files'],
      ['grantwise minimise --format diff -p policies/ | git apply', 'apply it'],
    ],
  },
  {
    name: 'least',
    group: 'change',
    arguments: [],
    summary: 'propose the smallest policies that allow exactly the recorded calls',
    options: [
      {
        flags: '--from <file>',
        many: true,
        text: 'recorded calls, one JSON object per line: from `serve --record` or the access log of the service; or - for standard input',
      },
      {
        ...policiesOption,
        text: 'current policies: prove that the proposal grants nothing beyond them, and show unused access',
        otherwise: 'none',
      },
      {
        flags: '--format-in <notation>',
        text: 'notation of the policy files, instead of detecting it',
        values: ['policy', 'tfplan', 'hcl'],
      },
      ...terraformOptions,
      { ...atOption, text: 'compare with the current policies at this instant only, RFC 3339', otherwise: 'all times from now on' },
      overOption,
      fullUrnsOption,
      ...supposeOptions,
      { flags: '--identity <urn>', many: true, text: 'consider only this identity, or identities that match this pattern' },
      {
        flags: '--generalise <level>',
        text: `access to grant beyond what was used; with --access-rules only ${ruleLevels.join(', ')}`,
        values: ['none', 'known', 'actions', 'resources', 'types', 'all', 'parameters', 'branches'],
        default: 'none',
      },
      {
        flags: '--unused',
        text: 'list what the current policies grant and no call used, by entry, instead of the proposal; formats pretty, compact, json',
      },
      allOption,
      { flags: '--access-rules', text: 'propose access rules for delegated access instead of policies' },
      { flags: '--credential <file>', text: 'with --access-rules: current rules, to prove that the proposal stays within them' },
      { flags: '--base-url <url>', text: 'with --access-rules and --format url: URL of the API' },
      skipBadOption,
      {
        flags: '--format <format>',
        text: 'output format; with --access-rules only pretty, json, request, list, url',
        values: ['yaml', 'policies', 'pretty', 'compact', 'json', 'request', 'list', 'url'],
        otherwise: 'yaml, request, or pretty',
      },
      outputOption,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise least --from calls.ndjson > least.yaml', 'what the recorded calls used, and nothing else'],
      [
        'grantwise least --from calls.ndjson --identity urn:v1:eu:identity:user:ab12-svc/ann --generalise resources -p policies/',
        'for one user, with patterns over names, compared with the current policies',
      ],
      ['grantwise least --from calls.ndjson -p policies/ --unused', 'which entries of the policies nobody used'],
      [
        'grantwise least --access-rules --from calls.ndjson --generalise parameters --credential current.json',
        'the access rules that an application needs, compared with its current ones',
      ],
    ],
  },
  {
    name: 'from-operations',
    group: 'change',
    arguments: [['[call...]', 'calls, such as "GET /hosting/web/{serviceName}"; a name in braces matches any name']],
    summary: 'propose access rules for delegated access, for planned calls',
    options: [
      { flags: '--from <file>', text: 'more calls, one per line, or - for standard input' },
      ...answerOptions(['json', 'url', 'list'], 'output format; json is the body of a credential request, url the URL of a token page'),
      baseUrlOption,
      { flags: '--generalise <level>', text: 'how to widen paths', values: ruleLevels, default: 'none' },
      { flags: '--policy', text: 'write the policies that the user also needs, instead of the rules' },
      { flags: '--identity <urn>', text: 'with --policy: identity to allow' },
      regionOption,
      ...configOptions,
    ],
    examples: [
      ["grantwise from-operations 'GET /hosting/web/{serviceName}' 'POST /vps/vps-1/reboot'", 'the body of a credential request'],
      [
        'grantwise from-operations --from calls.txt --policy --identity urn:v1:eu:identity:user:ab12-svc/ann',
        'what the user must be allowed for the same calls',
      ],
    ],
  },
  {
    name: 'convert',
    group: 'change',
    arguments: [pathsArgument],
    summary: 'convert policies and groups to JSON, YAML or HCL',
    options: [
      { flags: '--to <notation>', text: 'notation to write', values: ['json', 'yaml', 'hcl'] },
      { flags: '-o, --out <file>', text: 'file to write', otherwise: 'standard output' },
      { flags: '--urn <address=urn>', many: true, text: 'URN of a group, by its address in a Terraform configuration' },
      ...writeOptions,
      ...configOptions,
    ],
    examples: [
      ['grantwise convert --to hcl policy.json --out policy.tf', 'a policy as a Terraform resource'],
      [
        'grantwise convert --to yaml main.tf --urn svc_iam_permissions_group.readers=urn:v1:eu:permissionsGroup:ab12-svc:readers',
        'back, with the URN that the service assigned to a group',
      ],
    ],
  },
  {
    name: 'export',
    group: 'change',
    arguments: [['[language]', 'language to write', ['cedar', 'sql']]],
    summary: 'export policies to the language of an enforcement engine, or decisions to SQL',
    options: [
      { flags: '--to <language>', text: 'the same as the argument', values: ['cedar', 'sql'] },
      {
        flags: '-o, --out <folder>',
        text: 'folder to write: policies.cedar, schema.cedarschema, entities.json and NOTES.md; for SQL tables, load.sql, decide.sql and README.md',
      },
      {
        flags: '--part <name>',
        text: 'Cedar, without --out: part to print',
        values: ['policies', 'schema', 'entities', 'notes'],
        otherwise: 'policies',
      },
      {
        flags: '--conservative',
        text: 'Cedar: where something is unknown, let it grant nothing and deny all it might deny, instead of refusing to export',
      },
      dialectOption,
      prefixOption,
      { flags: '--calls <table>', text: 'SQL: table of calls to decide about', default: 'gw_call' },
      columnsOption,
      { flags: '--before <state>', text: 'SQL: also decide by this state, and compare: a commit, or the policies of a file or folder' },
      insertsOption,
      {
        flags: '--as <form>',
        text: 'SQL: write the decision as models of dbt, one for each step, in the place of a script',
        values: ['dbt'],
      },
      ...sourceOptions,
      ...writeOptions,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise export cedar -p policies/', 'print the policies in Cedar'],
      ['grantwise export cedar -p policies/ -p world.yaml --out cedar/', 'write policies, schema, entities and notes'],
      ['grantwise export sql --dialect duckdb -p policies/ --out sql/', 'write tables, and SQL that decides about a table of calls'],
    ],
  },
  {
    name: 'sql',
    group: 'compare',
    arguments: [
      [
        '[question]',
        'decide: the calls by verdict; replay: those that change; unused: entries that no call used; who-used: who used which entry; least: the uses, for least --from',
        ['decide', 'replay', 'unused', 'who-used', 'least'],
      ],
    ],
    summary: 'decide the calls of large logs in DuckDB, or compare two states by them',
    options: [
      { flags: '--calls <file>', many: true, text: 'log to read: Parquet, CSV or JSON lines, also compressed; files or globs' },
      columnsOption,
      { flags: '--before <state>', text: 'replay: the state to compare with: a commit, or the policies of a file or folder' },
      ...sourceOptions,
      { ...atOption, text: 'time of calls that have none, RFC 3339' },
      {
        flags: '--memory <size>',
        text: 'most memory of DuckDB, such as 4GB; more goes to --temporary',
        otherwise: 'four fifths of the memory',
      },
      { flags: '--threads <number>', text: 'threads of DuckDB', range: [1, 1024], otherwise: 'one for each core' },
      { flags: '--temporary <folder>', text: 'folder for temporary files', otherwise: 'the one of the system' },
      {
        flags: '--fail-on <what>',
        text: 'replay: change that exits with 1',
        values: ['refused', 'allowed', 'any', 'never'],
        default: 'refused',
      },
      allOption,
      { flags: '--decisions <file>', text: 'decide: also write each call with its verdict, as .parquet, .csv or .json' },
      fullUrnsOption,
      ...answerOptions(['pretty', 'compact', 'json', 'markdown', 'verdict']),
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ["grantwise sql decide --calls 'logs/*.parquet' -p policies/", 'which of these calls do the policies deny?'],
      [
        "grantwise sql replay --calls 'logs/*.parquet' --before git:main -p policies/",
        'which calls does this change refuse, or newly allow?',
      ],
    ],
  },
  {
    name: 'settle',
    group: 'change',
    arguments: [['[file]', 'rows of `gw_residue`, one JSON object per line, or -']],
    summary: 'decide what the SQL of `export sql` leaves open',
    options: [
      {
        flags: '-o, --out <folder>',
        text: 'folder of the export: tables of the settled verdicts go there, and settled.sql, which loads them',
      },
      dialectOption,
      prefixOption,
      insertsOption,
      ...sourceOptions,
      { ...atOption, text: 'time of calls that have none, RFC 3339' },
      ...writeOptions,
      coverageOption,
      ...configOptions,
    ],
    examples: [
      ['grantwise settle residue.json --dialect duckdb -p policies/ --out sql/', 'write the verdicts of the open situations'],
      ['grantwise settle - --dialect postgres -p policies/ --out sql/ < residue.json', 'the same from standard input'],
    ],
  },
  {
    name: 'serve',
    group: 'emulate',
    arguments: [],
    summary: 'run a local emulator of the service: tokens, policies, and calls decided by them',
    options: [
      { flags: '--port <number>', text: 'port, or 0 for any free one', range: [0, 65_535], default: 8765 },
      { flags: '--host <address>', text: 'address to listen on', default: '127.0.0.1' },
      { flags: '--allow-remote', text: 'allow connections from other machines' },
      {
        flags: '--seed <path>',
        many: true,
        text: 'initial state: files, folders or globs of policies, groups, inventory and `standIn` documents',
      },
      { flags: '--state <file>', text: 'keep the state in a file', otherwise: 'in memory' },
      { flags: '--record <file>', text: 'append one line of JSON for each decided call' },
      { flags: '--public-url <url>', text: 'URL that clients use, such as that of a container or proxy; used in pages and responses' },
      { flags: '--trust-proxy', text: 'behind a proxy: take the client address from the last entry of X-Forwarded-For' },
      { flags: '--client-ip <address>', text: 'treat every call as coming from this IP address' },
      { flags: '--clock <time>', text: 'fixed time, RFC 3339, or an offset from the current time, such as +30d or -2h' },
      { flags: '--request-log <file>', text: 'append one line of JSON for each request, without secrets' },
      { flags: '--ready-file <file>', text: 'write URLs and ids as JSON once it listens; removed at exit' },
      { flags: '--export-on-exit <file>', text: 'write the state as a seed at exit' },
      { flags: '--demo-credentials', text: 'add well-known credentials for demonstrations; they protect nothing' },
      { flags: '--token-lifetime <time>', text: 'lifetime of tokens, in seconds or as 90s, 2h', otherwise: '3599' },
      { flags: '--strict-assets', text: 'respond with 404 for resources that the seed does not list' },
      { flags: '--stub <call=file>', many: true, text: 'response body of an operation, from a file: METHOD PATH=FILE' },
      {
        flags: '--fault <fault>',
        many: true,
        text: 'fault to inject: [METHOD] [PATH] status=429 retry-after=2 latency=500ms share=10% times=3 task=fail',
      },
      { flags: '--fault-seed <number>', text: 'selects which calls of a share are hit', range: [0, 999_999_999], default: 0 },
      { flags: '--quiet', text: 'print no line for each request' },
      ...configOptions,
    ],
    examples: [
      ['grantwise serve', 'one account with one service account; its generated secret is printed'],
      [
        'grantwise serve --port 0 --seed policies/ --state emulator.db --record calls.ndjson',
        'with policies, and state kept across restarts',
      ],
    ],
  },
  {
    name: 'lsp',
    group: 'editors',
    arguments: [],
    summary: 'run the language server for editors, on standard input and output',
    options: [
      { flags: '--stdio', text: 'use standard input and output, which it does anyway: some editors add it' },
      {
        flags: '--clientProcessId <number>',
        text: 'end when this process is gone: some editors add it',
        range: [1, 4_294_967_295],
        otherwise: 'the process that the editor names when it starts',
      },
      ownRulesOption,
    ],
    examples: [
      ['grantwise lsp', 'what an editor starts'],
      ['grantwise lsp --stdio', 'the same'],
    ],
  },
  {
    name: 'mcp',
    group: 'editors',
    arguments: [],
    summary: 'answer the tool calls of an assistant, by the Model Context Protocol on standard input and output',
    options: [
      {
        flags: '--root <folder>',
        many: true,
        text: 'workspace: nothing outside of it is read; repeat it for several',
        otherwise: 'the working folder',
      },
      { flags: '--allow-write', text: 'also offer the tools that write files: apply_fixes and apply_suggestion' },
    ],
    examples: [
      ['grantwise mcp', 'serve the working folder, read-only; an MCP client starts it'],
      ['grantwise mcp --root policies --allow-write', 'one folder, whose files may be edited'],
    ],
  },
  {
    name: 'init',
    group: 'setUp',
    arguments: [],
    summary: 'write a commented configuration, set up the merge driver, or print a hook or CI snippet',
    options: [
      ...writeOptions,
      { flags: '--hook <name>', text: 'print the snippet for a git hook', values: ['pre-commit', 'husky', 'lefthook', 'lint-staged'] },
      { flags: '--ci <name>', text: 'print the snippet for a CI service', values: ['github', 'gitlab'] },
      { flags: '--merge-driver', text: 'have git merge policies by meaning: write .gitattributes, and print what each clone runs once' },
    ],
    examples: [
      ['grantwise init', 'write .grantwise.yaml to this folder, unless it has a configuration'],
      ['grantwise init --hook husky', 'lint before each commit'],
    ],
  },
  {
    name: 'merge-driver',
    group: 'setUp',
    arguments: [
      ['<base>', 'version that both sides were made from: %O of git'],
      ['<ours>', 'version of this side, into which is merged: %A'],
      ['<theirs>', 'version of the other side: %B'],
      ['[path]', 'path of the file in the repository: %P'],
    ],
    summary: 'merge policy files for git, by policy, list and entry',
    options: [
      ...writeOptions,
      { flags: '--marker-size <number>', text: 'length of the markers of conflicts: %L', range: [1, 1000], default: 7 },
    ],
    examples: [
      ['grantwise init --merge-driver', 'set it up'],
      ['grantwise merge-driver --diff base.yaml ours.yaml theirs.yaml', 'show what it would make of ours.yaml'],
    ],
  },
  {
    name: 'pull',
    group: 'setUp',
    arguments: [['[folder]', 'folder to write to (default: .)']],
    summary: 'write the policies of a live account to files, or compare them',
    options: [
      { flags: '--check', text: 'write nothing; show the access that only the account or only the files allow' },
      { flags: '--base-url <url>', text: 'URL of the API, without /v1 or /v2', otherwise: 'GRANTWISE_BASE_URL' },
      { flags: '--auth-url <url>', text: 'URL of the token host', otherwise: 'GRANTWISE_AUTH_URL' },
      { flags: '--client-id <id>', text: 'id of the service account', otherwise: 'GRANTWISE_CLIENT_ID' },
      { flags: '--secret-file <file>', text: 'file that contains only its secret', otherwise: 'GRANTWISE_CLIENT_SECRET' },
      { flags: '--client-secret <secret>', text: 'refused: other users can see command lines, and shells record them' },
      { flags: '--account <id>', text: 'account id, where the account does not show it' },
      { flags: '--page-size <number>', text: 'items per page', range: [1, 10_000], otherwise: 'decided by the service' },
      { flags: '--schemas-version <major>', text: 'major version of the schemas', range: [1, 10_000], otherwise: 'that of the account' },
      { flags: '--partial', text: 'skip and report what cannot be read or understood' },
      { flags: '--force', text: 'overwrite local edits' },
      { flags: '--retries <number>', text: 'retries per request', range: [0, 20], default: 5 },
      { flags: '--timeout <seconds>', text: 'time limit per request', range: [1, 600], default: 30 },
      { ...differenceFormats, text: 'output format of --check; FORMAT=FILE writes to a file; repeatable' },
      ...writeOptions,
      ...configOptions,
    ],
    examples: [
      [
        'grantwise pull --base-url https://api.example.net --auth-url https://auth.example.net account/',
        'write policies/ and world.yaml; id and secret are in GRANTWISE_CLIENT_ID and GRANTWISE_CLIENT_SECRET',
      ],
      ['grantwise pull --check --secret-file /run/secrets/iam account/', 'in CI: fail if the account differs from the files'],
    ],
  },
  {
    name: 'completions',
    group: 'setUp',
    arguments: [['<shell>', 'shell', ['bash', 'zsh', 'fish', 'powershell']]],
    summary: 'print a shell completion script',
    options: [],
    examples: [
      ['source <(grantwise completions bash)', 'for this session, or in ~/.bashrc'],
      ['grantwise completions fish > ~/.config/fish/completions/grantwise.fish', 'for fish, once'],
      ['grantwise completions powershell | Out-String | Invoke-Expression', 'for PowerShell, in the file that $PROFILE names'],
    ],
  },
] as const satisfies readonly CommandEntry[]

export type CommandName = (typeof commands)[number]['name']
type Entry<Name extends CommandName> = Extract<(typeof commands)[number], { readonly name: Name }>

/** The parsed options of a command, by its entry in the table. */
export type Options<Name extends CommandName> = OptionsOf<Entry<Name>['options']> & CommonOptions
export type Arguments<Name extends CommandName> = ArgumentsOf<Entry<Name>['arguments']>

export type Run<Name extends CommandName> = (args: Arguments<Name>, options: Options<Name>, io: Io) => Promise<ExitCode>
