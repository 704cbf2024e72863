/** Command lines that write files, and what these are about: for tests of how anything is written. */

export const policy = (name: string, actions: readonly string[], host = 'vps-1') =>
  [
    `name: ${name}`,
    'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]',
    `resources: [{ urn: "urn:v1:eu:resource:vps:${host}" }]`,
    'permissions:',
    '  allow:',
    ...actions.map((action) => `    - action: ${action}`),
    '',
  ].join('\n')

const risky = { 'policies/risky.yaml': policy('risky', ['vps:apisvc:terminate'], 'vps-4') }
const unformatted = { name: 'c', identities: [], resources: [], permissions: { allow: [] } }

/** Two files with something to fix, one of them as Windows writes it, and what other commands read. */
export const files: Readonly<Record<string, string>> = {
  'policies/a.yaml': policy('a', ['vps:apisvc:reboot', 'vps:apisvc:reboot']),
  'policies/b c.yaml': policy('b', ['vps:apisvc:get', 'vps:apisvc:get'], 'vps-2').replaceAll('\n', '\r\n'),
  'policies/plain.yaml': policy('plain', ['vps:apisvc:get'], 'vps-3'),
  'wider/plain.yaml': policy('plain', ['vps:apisvc:get', 'vps:apisvc:reboot'], 'vps-3'),
  'tests/one.iamtest.yaml': [
    'policies: [../policies]',
    'tests:',
    '  - { name: reads, identity: "urn:v1:eu:identity:user:ab12-svc/ann", action: vps:apisvc:get, resource: "urn:v1:eu:resource:vps:vps-3", expect: allow }',
    '',
  ].join('\n'),
  'api.json': JSON.stringify({
    apiVersion: '1.0',
    basePath: 'https://api.example.net/v1',
    resourcePath: '/vps',
    apis: [
      {
        path: '/vps/{name}/wash',
        operations: [{ httpMethod: 'POST', iamActions: [{ name: 'vps:apisvc:wash', required: true }], parameters: [] }],
      },
    ],
    models: {},
  }),
}

export interface Case {
  readonly args: readonly string[]
  /** Files besides the usual ones. */
  readonly files?: Readonly<Record<string, string>>
  /** Commands that are run before. */
  readonly first?: readonly string[]
}

/** Lines that write files: new ones, other texts in old ones, the same text, and nothing left. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  lint: [
    { args: ['lint', '--fix', 'policies'] },
    { args: ['lint', '--fix', '--fix-level', 'suggested', '--write-baseline', 'base.json', 'policies'] },
    { args: ['lint', '--write-baseline', 'base.json', 'policies'], files: { 'base.json': '{}' } },
    { args: ['lint', '--format', 'json=new.json', '--format', 'compact=old.txt', 'policies/plain.yaml'], files: { 'old.txt': 'old' } },
  ],
  graph: [{ args: ['graph', 'policies', '-o', 'access.dot'] }],
  report: [{ args: ['report', 'policies', '-o', 'page.html'], files: { 'page.html': '<p>\n' } }],
  diff: [{ args: ['diff', 'policies/plain.yaml', 'wider/plain.yaml', '--format', 'sarif=out.sarif'] }],
  catalogue: [{ args: ['catalogue', 'import', 'api.json', '--base', 'none', '--seen', '2026-01', '-o', 'catalogue.json'] }],
  fmt: [{ args: ['fmt', 'policies', 'wider'], files: { 'policies/c.json': `\ufeff{"policies":\r\n${JSON.stringify([unformatted])}}` } }],
  convert: [
    { args: ['convert', '--to', 'hcl', 'policies/plain.yaml', '--out', 'main.tf'] },
    { args: ['convert', '--to', 'json', 'policies/plain.yaml', '--out', 'old.json'], files: { 'old.json': '\ufeff{}\r\n' } },
  ],
  export: [
    { args: ['export', '--to', 'cedar', '--conservative', '-p', 'policies', '--out', 'cedar/deep'] },
    { args: ['export', '--to', 'cedar', '--conservative', '-p', 'policies', '--out', 'old'], files: { 'old/NOTES.md': '' } },
    { args: ['export', 'sql', '--dialect', 'trino', '-p', 'policies/plain.yaml', '--out', 'sql'] },
    { args: ['export', 'sql', '--dialect', 'postgres', '-p', 'policies/plain.yaml', '--out', 'old'], files: { 'old/load.sql': '' } },
  ],
  settle: [
    { args: ['settle', 'residue.json', '--dialect', 'trino', '-p', 'policies/plain.yaml', '--out', 'sql'], files: { 'residue.json': '' } },
  ],
  lock: [
    { args: ['lock', '-p', 'policies'] },
    { args: ['lock', '-p', 'policies', '-o', 'old.lock'], first: ['lock', '-p', 'wider', '-o', 'old.lock'] },
  ],
  budget: [
    { args: ['budget', '--update', '-p', 'policies'], files: risky },
    {
      args: ['budget', '--update', '-p', 'policies/plain.yaml', '--file', 'old.yaml'],
      files: risky,
      first: ['budget', '--update', '-p', 'policies', '--file', 'old.yaml'],
    },
  ],
  anonymise: [
    {
      args: [
        'anonymise',
        'urn:v1:eu:identity:user:ab12-svc/ann',
        'vps:apisvc:get',
        'urn:v1:eu:resource:vps:vps-3',
        '-p',
        'policies/plain.yaml',
        '-o',
        'shared',
      ],
    },
  ],
  review: [
    { args: ['review', '-p', 'policies'] },
    { args: ['review', 'old.yaml', '-p', 'policies'], first: ['review', 'old.yaml', '-p', 'wider'] },
  ],
  pull: [],
  test: [
    { args: ['test', 'tests', '--format', 'junit=report.xml', '--format', 'json=report.json'] },
    { args: ['test', 'tests', '--write', 'tests/one.iamtest.yaml'] },
    { args: ['test', 'tests', '-p', 'policies/plain.yaml', '--write', 'new.iamtest.json'] },
  ],
  init: [{ args: ['init'] }, { args: ['init', '--merge-driver'] }],
  'merge-driver': [
    {
      args: ['merge-driver', 'policies/plain.yaml', 'ours.yaml', 'wider/plain.yaml'],
      files: { 'ours.yaml': policy('plain', ['vps:apisvc:get'], 'vps-3') },
    },
  ],
}
