// The navigation. A page of docs/ that no group names is in the last one, so that none is lost.

/** The links that every page has at its top. */
export const top = [
  { text: 'Start', link: '/start' },
  { text: 'Questions', link: '/questions' },
  { text: 'Rules', link: '/rules' },
  { text: 'Playground', link: '/playground' },
]

const groups = [
  ['Start', ['start', 'questions', ['Playground', 'playground'], ['Commands', 'commands'], 'command-line']],
  ['Lint', ['lint', ['Rules', 'rules'], 'fixes', 'fmt', 'configuration', 'guardrails', 'custom-rules', 'sources', 'formats']],
  ['Ask', ['access', 'history', 'filter', 'calls', 'account', 'report', 'explore', 'pictures', 'repl', 'mcp', 'coverage', 'anonymise']],
  [
    'Change',
    [
      'diff',
      'approvers',
      'merge',
      'lockfile',
      'budget',
      'review',
      'policy-tests',
      'timeline',
      'proposals',
      'usage',
      'source-code',
      'access-rules',
    ],
  ],
  [
    'Connect',
    [
      'integrations',
      'editors',
      'lsp',
      'terraform',
      'pulumi',
      'pull',
      'convert',
      'cedar',
      'warehouse',
      'warehouse-input',
      'service',
      'authzen',
    ],
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
      ['Library', 'api'],
      ['Library API', 'api/'],
      ['API: grantwise/emulator', 'api/emulator/'],
      'schemas',
      ['Schema reference', 'schema/'],
      ['Examples', 'examples/'],
    ],
  ],
  ['Trust', ['assurance', 'proofs', 'conformance', 'analysis', 'benchmarks', 'libraries', 'security', 'contributing', 'changelog']],
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

/** The navigation over the pages of commands. `groups`: titles with names. */
export function commandSidebar(groups) {
  const items = groups.map(({ title, names }) => ({ text: title, items: names.map((name) => ({ text: name, link: `/commands/${name}` })) }))
  return [{ items: [{ text: 'All commands', link: '/commands' }] }, ...items]
}
