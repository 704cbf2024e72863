/**
 * What is mutated, and the tests that look for the mutants: the fast ones that know most about it. A test that needs a program, a
 * server or seconds is left out.
 */
const decisions = [
  'cases',
  'conformance',
  'public-corpus',
  'engine',
  'laws',
  'why',
  'short-names',
  'question-names',
  'completion',
  'supposed',
  'account',
  'unknown',
]
const regions = [
  'regions',
  'account',
  'page-html',
  'difference',
  'access',
  'windows',
  'described',
  'escalation',
  'access-rules',
  'minimise',
  'timeline',
]
const notations = [
  'source',
  'json',
  'yaml',
  'yaml-plain',
  'shape',
  'fences',
  'notations',
  'rules-text',
  'any-text',
  'hostile/reading',
  'spelling',
  'suppress',
  'plan',
  'lint-reports',
  'dumps',
  'unknown',
  'fuzz',
]
const configurations = [
  'hcl/corpus',
  'hcl/evaluation',
  'hcl/module',
  'hcl/configurations',
  'hcl/instances',
  'hcl/json',
  'hcl/parts',
  'hcl/paths',
  'hcl/given',
  'hcl/kinds',
  'hcl/uncreated',
  'hcl/roots',
  'hcl/library',
  'hcl/syntax',
  'hcl/hostile',
  'fuzz',
  'hcl/exclusive',
  'hcl/open',
  'plan',
  'fix-hcl',
]
const fixes = ['edits', 'edits-styles', 'fix', 'fix-texts', 'fix-together', 'fix-files', 'fix-hcl', 'unknown-fixes', 'lint-again']
const actions = [
  'catalogue-facts',
  'nearest-action',
  'action-faults',
  'catalogue-merge',
  'catalogue-read',
  'catalogue',
  'catalogue-import',
  'suggest',
  'unknown-names',
  'action-lists',
  'calls',
  'rule-risk',
  'lint-reports',
  'question-names',
]

const analyses = ['region-sets', ...regions, 'cases', 'laws', 'rules', 'diff', 'why']
const readers = ['characters', 'json-whole', 'comments', 'json-line', 'tree', 'weight', ...notations, 'rules', 'names', 'conditions', 'corpus']

/** @type {readonly { name: string, files: string[], tests: string[] }[]} paths of `src`, a folder with a slash at its end */
export const groups = [
  { name: 'wildcards', files: ['glob.ts'], tests: ['glob', ...decisions] },
  { name: 'names', files: ['urn/', 'names.ts'], tests: ['names', 'glob', ...decisions, 'rules', 'unknown-names'] },
  {
    name: 'conditions',
    files: ['conditions/'],
    tests: ['conditions', 'names', 'messages', ...decisions, 'windows', 'rules', 'long-answers'],
  },
  {
    name: 'decisions',
    files: ['application', 'decide', 'decision', 'engine', 'facts', 'lifts', 'pattern-index', 'reference', 'scan', 'table', 'units'].map(
      (name) => `simulate/${name}.ts`,
    ),
    tests: [...decisions, 'conditions', 'cedar', 'regions', 'rules', 'suite', 'usage', 'hcl/kinds', 'long-answers'],
  },
  {
    name: 'explanations',
    files: ['blocks', 'completion', 'question', 'short-names', 'supposed', 'why'].map((name) => `simulate/${name}.ts`),
    tests: ['question', ...decisions, 'conditions', 'cedar', 'regions', 'rules', 'suite', 'usage', 'hcl/kinds', 'long-answers'],
  },
  { name: 'actions', files: ['actions/'], tests: [...actions, 'names', 'rules', 'cases'] },
  { name: 'fixes', files: ['edits.ts', 'lint/may-fix.ts', 'lint/fix.ts', 'lint/fix-files.ts'], tests: [...fixes, 'rules', 'convert'] },
  {
    name: 'regions',
    files: [
      'axes',
      'boxes',
      'cover',
      'covers',
      'entries',
      'known',
      'lists',
      'patterns',
      'place',
      'published',
      'regions',
      'side',
      'simplify',
      'situation',
      'turns',
      'witness',
    ].map((name) => `symbolic/${name}.ts`),
    tests: analyses,
  },
  {
    name: 'differences',
    files: ['concerning', 'formula', 'gained', 'search', 'statements'].map((name) => `symbolic/${name}.ts`),
    tests: ['formula', 'statements', 'search', ...analyses],
  },
  {
    name: 'descriptions',
    files: ['clock', 'described-access', 'described', 'matrix', 'what', 'who', 'windows'].map((name) => `symbolic/${name}.ts`),
    tests: analyses,
  },
  {
    name: 'texts',
    files: ['characters', 'comments', 'json-line', 'json', 'limits', 'open', 'tree', 'weight'].map((name) => `parser/${name}.ts`),
    tests: readers,
  },
  {
    name: 'yaml',
    files: ['yaml-core', 'yaml-plain', 'yaml-tokens', 'yaml'].map((name) => `parser/${name}.ts`),
    tests: readers,
  },
  {
    name: 'markdown',
    files: ['action-list', 'credential', 'foreign', 'markdown-blocks', 'markdown', 'rules-text'].map((name) => `parser/${name}.ts`),
    tests: readers,
  },
  {
    name: 'documents',
    files: ['assume', 'certain', 'policy', 'read-world', 'read', 'reading', 'schema', 'shape', 'world'].map((name) => `parser/${name}.ts`),
    tests: readers,
  },
  {
    name: 'expressions',
    files: ['cursor', 'evaluate', 'expressions', 'template-text', 'tokens', 'types', 'unify', 'values'].map((name) => `hcl/${name}.ts`),
    tests: configurations,
  },
  { name: 'functions', files: ['hcl/functions.ts', 'hcl/functions/'], tests: configurations },
  {
    name: 'modules',
    files: [
      'alone',
      'blanks',
      'declarations',
      'frame',
      'instances',
      'json-text',
      'json',
      'kinds',
      'module',
      'parse',
      'parts',
      'paths',
      'policies',
      'read',
      'syntax',
      'tools',
    ].map((name) => `hcl/${name}.ts`),
    tests: configurations,
  },
]

/** Generated tables and compiled schemas. */
export const generated = [
  'src/actions/catalogue-table.ts',
  'src/actions/operations-table.ts',
  'src/actions/sensitive-table.ts',
  'src/parser/shape-iamtest.js',
  'src/parser/shape-schemas.js',
]
