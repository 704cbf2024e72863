// The navigation. A page of docs/ that no group names stands in the last one, so that none is lost.

const groups = [
  ['Start', ['start', 'questions', ['Playground', 'playground'], ['Commands', 'commands'], 'command-line']],
  ['Lint', ['lint', ['Rules', 'rules'], 'fixes', 'configuration', 'guardrails', 'custom-rules', 'sources', 'formats']],
  ['Ask', ['access', 'history', 'filter', 'calls', 'account', 'report', 'explore', 'pictures', 'repl', 'mcp', 'coverage']],
  ['Change', ['diff', 'merge', 'lockfile', 'review', 'policy-tests', 'timeline', 'proposals', 'usage', 'access-rules']],
  [
    'Connect',
    ['integrations', 'editors', 'lsp', 'terraform', 'pulumi', 'pull', 'convert', 'cedar', 'warehouse', 'warehouse-input', 'service'],
  ],
  [
    'Cookbook',
    [
      'cookbook',
      'cookbook/pre-commit',
      'cookbook/github',
      'cookbook/gitlab',
      'cookbook/atlantis',
      'cookbook/terraform-run-tasks',
      'cookbook/monorepos',
    ],
  ],
  [
    'Reference',
    [
      'semantics',
      'catalogue',
      ['Library API', 'api/'],
      ['API: grantwise/emulator', 'api/emulator/'],
      'schemas',
      ['Schema reference', 'schema/'],
      ['Examples', 'examples/'],
    ],
  ],
  ['Trust', ['assurance', 'proofs', 'conformance', 'analysis', 'benchmarks', 'libraries', 'contributing', 'changelog']],
]

/** The navigation over pages, by their paths with their titles. */
export function sidebar(titles) {
  const link = (entry) =>
    Array.isArray(entry) ? { text: entry[0], link: `/${entry[1]}` } : { text: titles[`${entry}.md`], link: `/${entry}` }
  const isThere = (entry) => Array.isArray(entry) || titles[`${entry}.md`] !== undefined
  const named = new Set(groups.flatMap(([, entries]) => entries.map((entry) => (Array.isArray(entry) ? entry[1] : entry))))
  const others = Object.keys(titles)
    .filter((path) => /^(?:cookbook\/)?[^/]+\.md$/.test(path))
    .map((path) => path.replace(/\.md$/, ''))
    .filter((name) => !named.has(name))
  const all = others.length > 0 ? [...groups, ['More', others]] : groups
  return all.map(([text, entries]) => ({ text, items: entries.filter(isThere).map(link) }))
}
