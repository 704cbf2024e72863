/**
 * For each command, and for each view of its pages, what judges its answers by other means than its own, and the tests that hold it to
 * that. `test/project/assurance.test.ts` fails for a command or a view without a judge.
 */

/** @typedef {{ names: readonly string[], judge: string, tests: readonly string[] }} Judge */

/** @type {(names: string, judge: string, tests: string) => Judge} */
const judge = (names, text, tests) => ({
  names: names.split(' '),
  judge: text,
  tests: tests.split(' ').map((name) => (name.endsWith('/') ? `test/${name}` : `test/${name}.test.ts`)),
})

/** @type {readonly Judge[]} */
export const commandJudges = [
  judge(
    'lint',
    'mistakes that are planted in sound files, findings of users’ files judged by hand, decisions for what is called redundant, every request for guardrails',
    'rules/quality project/corpus rules/rule-claims lint/guardrails answers/claims-checks.deep',
  ),
  judge('explain', 'the examples of each rule, with the places that are reported in them', 'rules/rules project/examples'),
  judge('rules', 'the files of rules in `src/rules`, and what the library lists', 'rules/rule-set project/library.deep'),
  judge('test', 'single decisions of every question of small worlds', 'suite/suite-laws.deep answers/claims-checks.deep'),
  judge('lock', 'decisions of the lockfile read as policies, and regions of changed worlds', 'lock/lock lock/lock-causes'),
  judge('budget', 'decisions over every member, action and resource', 'lock/budget'),
  judge(
    'review',
    'the access of each grant by itself, a page that records the same, edits tried on the world',
    'page/review review/status review/apply review/use',
  ),
  judge(
    'can',
    'an evaluator that reads the JSON by itself, a second evaluator, Cedar, the evaluator extracted from the proofs',
    'cli/surfaces.deep simulate/engine simulate/cedar.deep simulate/oracle answers/claims-can.deep',
  ),
  judge('call', '`can` for each action that the call needs', 'answers/claims-call.deep'),
  judge(
    'who what',
    'an evaluator that reads the JSON by itself, asked for every identity, action and resource; conditions in words, read back',
    'cli/surfaces.deep answers/claims.deep symbolic/access report/conditions',
  ),
  judge('history', 'deciding every commit in a checkout of it', 'cli/history-laws.deep'),
  judge('blame', 'the world of each commit without the entry', 'cli/blame.deep'),
  judge('filter', 'SQL engines over a table of the resources, next to single decisions', 'warehouse/filter.deep cli/filter'),
  judge(
    'policies',
    'each policy by itself, by an evaluator that reads the JSON by itself',
    'cli/surfaces.deep answers/claims-policies.deep symbolic/overlap',
  ),
  judge(
    'matrix',
    'an evaluator that reads the JSON by itself, asked for every identity, action and resource',
    'cli/surfaces.deep answers/claims-matrix.deep symbolic/matrix',
  ),
  judge(
    'graph',
    'paths of the picture compared with an evaluator that reads the JSON by itself',
    'cli/surfaces.deep answers/claims-graph.deep picture/picture',
  ),
  judge(
    'report',
    'the data of the page compared with other commands of the program, and an evaluator that reads the JSON by itself',
    'cli/surfaces.deep answers/claims-page.deep page/sheets',
  ),
  judge('explore', 'the page in a browser, compared with the files that changed', 'pages/explore'),
  judge(
    'escalate',
    'a search through every state of a small account, which reads policies by itself',
    'symbolic/escalation-oracle.deep answers/claims.deep',
  ),
  judge('timeline', 'decisions at every quarter of an hour', 'answers/timeline answers/claims-timeline.deep cli/since-timeline.deep'),
  judge('anonymise', 'the same question to the files that it wrote, by two evaluators', 'anonymise/anonymise cli/anonymise'),
  judge(
    'expand catalogue',
    'the operations and actions of the source, printed again',
    'actions/catalogue actions/catalogue-facts cli/surfaces.deep',
  ),
  judge('repl', 'each line as a separate command', 'cli/repl'),
  judge(
    'diff',
    'every request of two small worlds, solvers of strings, the evaluator extracted from the proofs',
    'cli/surfaces.deep symbolic/analysis.deep symbolic/gained diff/replay',
  ),
  judge('approvers', 'every question about every described resource', 'diff/approvers'),
  judge(
    'compare',
    'an evaluator that reads the JSON by itself, asked for both identities',
    'cli/surfaces.deep answers/claims.deep diff/replay',
  ),
  judge(
    'replay',
    'decisions of each recorded call in both worlds, and counts of SQL engines',
    'answers/claims-usage.deep warehouse/views.deep',
  ),
  judge('suggest', 'the edited files, asked again', 'answers/suggest answers/claims-edits.deep'),
  judge('minimise', 'decisions before and after, over every question', 'answers/claims-edits.deep propose/minimise'),
  judge('least', 'decisions of each recorded call in the policies that it wrote', 'answers/claims-usage.deep usage/usage'),
  judge('from-operations', 'paths of the API with names filled in, matched one by one', 'rules/access-rules'),
  judge('fmt', 'the formatted text read again, and what other formatters write', 'fmt/fmt fmt/laws.deep'),
  judge('convert', 'each notation read again: the same findings and decisions', 'convert/convert lint/notations'),
  judge('export', 'Cedar’s own engine, and SQL engines', 'simulate/cedar.deep engines/within.deep'),
  judge('sql settle', 'DuckDB over a log, next to `can --batch`', 'cli/sql.deep warehouse/views.deep'),
  judge('serve', 'the document of the interface, and `can` over the same files', 'emulator/document emulator/ask-as-can.deep'),
  judge('lsp', '`lint` over the same texts after each edit', 'lsp/sessions lsp/random'),
  judge('mcp', 'a client of the SDK, compared with the commands', 'mcp/mcp.deep'),
  judge('init', '`lint` with the configuration that it wrote and without, and git with its hook', 'cli/init'),
  judge('merge-driver', 'git, and three worlds put together by hand', 'cli/merge-driver.deep merge/merge-laws'),
  judge('pull', 'decisions of the account, and of the files that it wrote', 'cli/pull-laws.deep'),
  judge('completions', 'the table of commands, and shells', 'cli/init project/install'),
]

/** @type {readonly Judge[]} */
export const viewJudges = [
  judge('summary identity group resource resource-group policy', 'decisions about each number and list', 'answers/claims-page.deep'),
  judge('matrix type', 'decisions about each cell, level and mark', 'answers/claims-page-matrix.deep page/page-matrix.deep'),
  judge('changes', 'decisions before and after', 'answers/claims-page-changes.deep'),
  judge('findings rule', '`lint` over the same files', 'web/web-engine.deep'),
  judge('review', 'the file that `review` writes for the same decisions', 'page/review'),
  judge('identities resources policies action reach', 'decisions about each row', 'answers/claims-page.deep'),
  judge('graph', 'decisions about each path', 'answers/claims-graph.deep picture/picture'),
  judge('timeline', 'decisions at every quarter of an hour', 'answers/timeline answers/claims-timeline.deep'),
  judge(
    'ask',
    '`can`, `who`, `what`, `suggest`, `lint` and `diff` over the same files',
    'web/web-engine.deep answers/claims-page-editing.deep answers/claims-page-whatif.deep',
  ),
  judge('search print', 'the page in a browser', 'pages/report'),
]

/** The table of a list of judges. */
export function judgesTable(judges, heading) {
  const rows = judges.map(({ names, judge: text, tests }) => {
    const links = tests.map((file) => `[${file.replace(/^test\//, '').replace(/\.test\.ts$/, '')}](../${file})`)
    return `| ${names.map((name) => `\`${name}\``).join(', ')} | ${text} | ${links.join(', ')} |`
  })
  return `| ${heading} | judged by | tests |\n|---|---|---|\n${rows.join('\n')}`
}
