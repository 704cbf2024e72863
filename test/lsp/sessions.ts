import type { Session } from './replay.ts'

// The texts that sessions begin with.

const policy = (
  name: string,
  { who = 'urn:v1:eu:identity:user:ab12-svc/bob', what = 'urn:v1:eu:resource:vps:web-1', allow = 'vps:apisvc:reboot', more = '' } = {},
) =>
  `name: ${name}
identities: ["${who}"]
resources:
  - urn: ${what}
permissions:
  allow:
    - action: ${allow}
${more}`

const json = (name: string, action = 'vps:apisvc:reboot') => `{
  "name": "${name}",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/bob"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:web-1" }],
  "permissions": {
    "allow": [{ "action": "${action}" }]
  }
}
`

const good = policy('reboots', { allow: 'vps:apisvc:reboot' })
const bad = policy('wrong', { allow: 'vps:apisvc:rebot' })
const wide = policy('wide', { allow: '"*"' })
const crlf = (text: string) => text.replaceAll('\n', '\r\n')
const mark = '\ufeff'
const astral = `name: "🦊 ${'𝒳'.repeat(3)} é" # 🐻\nidentities: ["urn:v1:eu:identity:user:ab12-svc/bob"]\nresources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]\npermissions: { allow: [{ action: "vps:apisvc:rebot" }] } # 🐻‍❄️\n`

const main = `resource "svc_iam_policy" "deploy" {
  name       = "deploy"
  identities = ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources  = ["urn:v1:eu:resource:vps:web-1"]
  allow      = ["vps:apisvc:rebot"]
}

module "team" {
  source = "./modules/team"
  verbs  = ["get", "rebot"]
}
`
const team = `variable "verbs" { type = list(string) }

resource "svc_iam_policy" "team" {
  name       = "team"
  identities = ["urn:v1:eu:identity:group:ab12-svc/team"]
  resources  = ["urn:v1:eu:resource:vps:*"]
  allow      = [for verb in var.verbs : "vps:apisvc:\${verb}"]
}
`
const fenced = `# How to

\`\`\`yaml
${bad}\`\`\`

<!-- grantwise-ignore: an example of what not to do -->

\`\`\`json
${json('example', 'vps:apisvc:gett')}\`\`\`
`
const script = `#!/bin/bash
BODY="{\\"name\\": \\"x\\", \\"identities\\": [$WHO]}"
curl "$API/v2/iam/policy" -d '${json('example', 'vps:apisvc:gett')}'
# grantwise-ignore unknown-action: to come
curl "$API/v2/iam/policy" -d '${json('second', 'vps:apisvc:gett')}'
`
const ignoring = `name: ignoring
identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
resources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]
permissions:
  allow:
    # grantwise-ignore unknown-action: announced for next month
    - action: vps:apisvc:resurrect
`
const large = JSON.stringify(
  {
    policies: Array.from({ length: 330 }, (_, i) => ({
      name: `policy ${i}`,
      identities: [`urn:v1:eu:identity:user:ab12-svc/user-${i}`],
      resources: Array.from({ length: 40 }, (_, k) => ({ urn: `urn:v1:eu:resource:vps:machine-${i}-${k}` })),
      permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:reboot' }] },
    })),
  },
  null,
  2,
)
const expiring = policy('expiring', { more: 'expiredAt: 2026-05-31T00:00:00Z\n' })

const baselineOf = (file: string, entries: readonly (readonly [code: string, policy: string, text: string, print: string])[]) =>
  `${JSON.stringify({ version: 1, findings: entries.map(([code, policy, text, fingerprint]) => ({ file, code, policy, text, count: 1, fingerprint })) })}\n`

/** Sessions about one file and the way in which it is edited. */
const typing: readonly Session[] = [
  { name: 'open a good file', files: { 'a.yaml': good }, steps: [{ open: 'a.yaml' }, { close: 'a.yaml' }] },
  { name: 'open a bad file', files: { 'a.yaml': bad }, steps: [{ open: 'a.yaml' }, { close: 'a.yaml' }] },
  {
    name: 'type an action letter by letter',
    files: { 'a.yaml': good },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', type: '\n    - action: vps:apisvc:start', after: 'vps:apisvc:reboot' }, { save: 'a.yaml' }],
  },
  {
    name: 'make a slip, and undo it',
    files: { 'a.yaml': good },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'reboot', by: 'rebot' }, { undo: 'a.yaml' }],
  },
  {
    name: 'undo several changes',
    files: { 'a.json': json('a') },
    steps: [
      { open: 'a.json', language: 'json' },
      { in: 'a.json', replace: ' }]', by: ' },]' },
      { in: 'a.json', replace: '"name"', by: 'name' },
      { undo: 'a.json' },
      { undo: 'a.json' },
    ],
  },
  {
    name: 'half-written YAML',
    files: { 'a.yaml': good },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', type: '\n    - act', after: 'vps:apisvc:reboot' },
      { in: 'a.yaml', type: 'ion', after: '- act' },
      { in: 'a.yaml', type: '\n  deny: [', after: 'reboot' },
      { in: 'a.yaml', type: '{ action: "vps:apisvc:terminate" }]', after: 'deny: [' },
    ],
  },
  {
    name: 'half-written JSON',
    files: { 'a.json': json('a') },
    steps: [
      { open: 'a.json', language: 'json' },
      { in: 'a.json', replace: '{ "action": "vps:apisvc:reboot" }', by: '{ "action": "vps:ap' },
      { in: 'a.json', type: 'isvc:get" }', after: '"vps:ap' },
    ],
  },
  {
    name: 'an unclosed quote',
    files: { 'a.yaml': good },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'ab12-svc/bob"', by: 'ab12-svc/bob' }, { undo: 'a.yaml' }],
  },
  {
    name: 'a tab for indentation',
    files: { 'a.yaml': good },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: '    - action', by: '\t- action' }, { undo: 'a.yaml' }],
  },
  {
    name: 'empty a file and paste it back',
    files: { 'a.yaml': bad },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', set: '' }, { in: 'a.yaml', set: bad }],
  },
  {
    name: 'replace a file by something else',
    files: { 'a.yaml': bad },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', set: 'just: a file\n' }, { in: 'a.yaml', set: wide }],
  },
  {
    name: 'a policy without an end of line',
    files: { 'a.yaml': bad.trimEnd() },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', type: 'oo', after: 'vps:apisvc:reb' }],
  },
  {
    name: 'lines that end in CRLF',
    files: { 'a.yaml': crlf(bad) },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: 'rebot', by: 'reboot' },
      { in: 'a.yaml', type: '\r\n    - action: nothing', after: 'apisvc:reboot' },
    ],
  },
  {
    name: 'lines that end in CRLF, in JSON',
    files: { 'a.json': crlf(json('a', 'vps:apisvc:gett')) },
    steps: [
      { open: 'a.json', language: 'json' },
      { in: 'a.json', replace: 'gett', by: 'get' },
    ],
  },
  {
    name: 'both ends of lines in one file',
    files: { 'a.yaml': `${crlf(bad)}\n# more\n` },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: '# more', by: 'description: x' }],
  },
  {
    name: 'a byte order mark on the disk and in the editor',
    files: { 'a.yaml': mark + bad, 'b.json': mark + json('b', 'vps:apisvc:gett') },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'rebot', by: 'reboot' }, { open: 'b.json', language: 'json' }],
  },
  {
    name: 'an editor that takes the byte order mark away',
    files: { 'a.yaml': mark + bad },
    steps: [{ open: 'a.yaml', text: bad }, { close: 'a.yaml' }],
  },
  {
    name: 'astral characters',
    files: { 'a.yaml': astral },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: '🦊', by: '🦊🦊' },
      { in: 'a.yaml', replace: 'rebot" }] } #', by: 'reboot" }] } #' },
    ],
  },
  {
    name: 'astral characters in UTF-8',
    encoding: 'utf-8',
    files: { 'a.yaml': astral },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: '🦊', by: '🦊é' },
      { in: 'a.yaml', type: '🐻x', after: '𝒳𝒳' },
      { in: 'a.yaml', replace: 'rebot', by: 'reboot' },
    ],
  },
  {
    name: 'astral characters in UTF-32',
    encoding: 'utf-32',
    files: { 'a.yaml': astral },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: '🦊', by: '' },
      { in: 'a.yaml', type: '🐻x', after: '𝒳𝒳' },
      { in: 'a.yaml', replace: 'rebot', by: 'reboot' },
    ],
  },
  {
    name: 'look-alike letters',
    files: { 'a.yaml': good },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'apisvc:reboot', by: 'apisvc:rеboot' }, { undo: 'a.yaml' }],
  },
  {
    name: 'anchors and aliases',
    files: { 'a.yaml': 'x: &who ["urn:v1:eu:identity:user:ab12-svc/bob"]\n' },
    steps: [
      { open: 'a.yaml' },
      {
        in: 'a.yaml',
        set: `policies:\n  - &p\n    name: a\n    identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]\n    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]\n    permissions: { allow: [{ action: "vps:apisvc:rebot" }] }\n  - *p\n`,
      },
    ],
  },
  {
    name: 'two documents in a file',
    files: { 'a.yaml': `${bad}---\n${wide}` },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: '---', by: '--' }, { undo: 'a.yaml' }],
  },
  {
    name: 'a file of a megabyte',
    files: { 'big.json': large },
    steps: [
      { open: 'big.json', language: 'json' },
      { in: 'big.json', replace: 'machine-150-7"', by: 'machine-150-8"' },
      { in: 'big.json', replace: '"name": "policy 329"', by: '"nam": "policy 329"' },
    ],
  },
  {
    name: 'a policy list in JSON',
    files: { 'a.json': `{"policies": [${json('a')}, ${json('b', 'vps:apisvc:gett')}]}` },
    steps: [{ open: 'a.json', language: 'json' }, { in: 'a.json', replace: '{"policies": [', by: '{"policies": [[' }, { undo: 'a.json' }],
  },
  {
    name: 'access rules',
    files: { 'rules.access-rules': 'GET /vps\nGET /nothing/*\nPOTS /vps/*\n' },
    steps: [
      { open: 'rules.access-rules', language: 'plaintext' },
      { in: 'rules.access-rules', replace: 'POTS', by: 'POST' },
    ],
  },
]

/** Sessions about several files. */
const together: readonly Session[] = [
  {
    name: 'findings in files that are not open',
    files: { 'a.yaml': bad, 'deep/er/b.json': json('b', 'vps:apisvc:gett') },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'rebot', by: 'reboot' }, { close: 'a.yaml' }],
  },
  {
    name: 'two policies of one name',
    files: { 'a.yaml': good, 'b.yaml': policy('starts', { allow: 'vps:apisvc:start' }) },
    steps: [{ open: 'b.yaml' }, { in: 'b.yaml', replace: 'name: starts', by: 'name: reboots' }, { undo: 'b.yaml' }],
  },
  {
    name: 'a policy that another one makes redundant',
    files: { 'a.yaml': good, 'b.yaml': policy('all', { allow: 'vps:apisvc:get' }) },
    settings: { preset: 'strict' },
    steps: [
      { open: 'b.yaml' },
      { in: 'b.yaml', replace: 'vps:apisvc:get', by: 'vps:*' },
      { open: 'a.yaml' },
      { in: 'b.yaml', replace: 'vps:*', by: 'vps:apisvc:start' },
      { close: 'b.yaml' },
    ],
  },
  {
    name: 'an allow under a deny of another file',
    files: { 'a.yaml': good, 'guard.yaml': policy('guard').replace('allow', 'deny') },
    settings: { preset: 'strict' },
    steps: [{ open: 'guard.yaml' }, { in: 'guard.yaml', replace: 'vps:apisvc:reboot', by: 'vps:*' }, { undo: 'guard.yaml' }],
  },
  {
    name: 'rename a group in one file after the other',
    files: {
      'a.yaml': `${good}permissionsGroups: ["urn:v1:eu:permissionsGroup:ab12-svc/readers"]\n`,
      'world.yaml':
        'permissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc/readers\n    permissions: { allow: [{ action: "vps:apisvc:get" }] }\n',
    },
    steps: [
      { open: 'world.yaml' },
      { in: 'world.yaml', replace: 'readers', by: 'lookers' },
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: 'readers', by: 'lookers' },
    ],
  },
  {
    name: 'members of a resource group elsewhere',
    files: {
      'a.yaml': policy('a', { what: 'urn:v1:eu:resourceGroup:ab12-svc-1' }),
      'world.yaml': 'resourceGroups:\n  - urn: urn:v1:eu:resourceGroup:ab12-svc-1\n    resources: []\n',
    },
    settings: { preset: 'auditor' },
    steps: [{ open: 'world.yaml' }, { in: 'world.yaml', replace: '[]', by: '["urn:v1:eu:resource:vps:web-1"]' }],
  },
  {
    name: 'the same identity described twice',
    files: { 'a.yaml': good, 'w.yaml': 'identities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/bob\n    groups: []\n' },
    steps: [
      {
        open: 'more.yaml',
        text: 'identities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/bob\n    groups: [urn:v1:eu:identity:group:ab12-svc/x]\n',
      },
      { close: 'more.yaml' },
    ],
  },
  {
    name: 'a file deleted outside of the editor',
    files: { 'a.yaml': bad, 'b.yaml': wide },
    steps: [{ disk: { 'b.yaml': null } }, { open: 'a.yaml' }, { disk: { 'a.yaml': null } }, { close: 'a.yaml' }],
  },
  {
    name: 'a file changed outside while it is open',
    files: { 'a.yaml': good },
    steps: [{ open: 'a.yaml' }, { disk: { 'a.yaml': bad } }, { close: 'a.yaml' }],
  },
  {
    name: 'a file written outside',
    files: { 'a.yaml': good },
    steps: [{ disk: { 'new/b.yaml': bad } }, { disk: { 'new/b.yaml': wide } }, { disk: { 'new/b.yaml': null } }],
  },
  {
    name: 'a branch is switched',
    files: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}.yaml`, policy(`p${i}`)])),
    steps: [
      { open: 'p3.yaml' },
      { in: 'p3.yaml', replace: 'reboot', by: 'rebot' },
      {
        disk: {
          ...Object.fromEntries(
            Array.from({ length: 20 }, (_, i) => [
              `p${i}.yaml`,
              i % 3 === 0 ? null : policy(`q${i % 7}`, { allow: i % 2 ? 'vps:*' : 'vps:apisvc:gett' }),
            ]),
          ),
          'other/x.json': json('x', 'vps:apisvc:gett'),
        },
      },
      { close: 'p3.yaml' },
    ],
  },
  {
    name: 'rename a file',
    files: { 'a.yaml': bad },
    steps: [{ open: 'a.yaml' }, { disk: { 'a.yaml': null, 'b.yaml': bad } }, { close: 'a.yaml' }, { open: 'b.yaml' }],
  },
  {
    name: 'a file that is not UTF-8 after all',
    files: { 'a.yaml': `${bad}# \u0000\n` },
    steps: [{ open: 'b.yaml', text: good }, { disk: { 'a.yaml': bad } }],
  },
  {
    name: 'two folders',
    folders: ['one', 'two'],
    files: { 'one/a.yaml': bad, 'two/a.yaml': wide, 'two/.grantwise.yaml': 'rules: { allow-everything: "off" }\n', 'outside.yaml': bad },
    steps: [
      { open: 'one/a.yaml' },
      { open: 'two/a.yaml' },
      { in: 'two/a.yaml', replace: '"*"', by: 'vps:apisvc:gett' },
      { in: 'one/a.yaml', set: wide },
    ],
  },
  {
    name: 'a new file that is not saved yet',
    files: { 'a.yaml': good },
    steps: [
      { open: 'new.yaml', text: good },
      { in: 'new.yaml', replace: 'reboots', by: 'others' },
      { save: 'new.yaml' },
      { close: 'new.yaml' },
    ],
  },
  {
    name: 'an odd name',
    files: { 'a b %41 é#?/c&d.yaml': bad },
    steps: [{ open: 'a b %41 é#?/c&d.yaml' }, { in: 'a b %41 é#?/c&d.yaml', replace: 'rebot', by: 'reboot' }],
  },
  {
    name: 'a symbolic link beside its file',
    files: { 'a.yaml': bad },
    links: { 'link.yaml': 'a.yaml' },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'rebot', by: 'start' }],
  },
  {
    name: 'what git ignores',
    files: { '.gitignore': 'out/\n', 'out/a.yaml': bad, 'b.yaml': bad },
    alone: ['out/a.yaml'],
    steps: [{ open: 'out/a.yaml' }, { close: 'out/a.yaml' }, { disk: { '.gitignore': 'b.yaml\n' } }],
  },
  {
    name: 'pulled diagnostics',
    pulled: true,
    files: { 'a.yaml': bad, 'b.yaml': wide },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'rebot', by: 'reboot' }, { disk: { 'b.yaml': null } }, { undo: 'a.yaml' }],
  },
  {
    name: 'a text that is in no file',
    files: { 'a.yaml': good },
    alone: ['untitled:Untitled-1.yaml'],
    steps: [
      { open: 'untitled:Untitled-1.yaml', text: bad },
      { in: 'untitled:Untitled-1.yaml', set: wide },
      { close: 'untitled:Untitled-1.yaml' },
    ],
  },
  {
    name: 'a text of no known kind',
    files: { 'a.yaml': good },
    steps: [{ open: 'notes.txt', text: 'urn:v1: is what they begin with', language: 'plaintext' }, { close: 'notes.txt' }],
  },
]

/** Sessions about what is said in other files, and about other notations. */
const said: readonly Session[] = [
  {
    name: 'a comment that suppresses',
    files: { 'a.yaml': ignoring },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: ': announced for next month', by: '' },
      { undo: 'a.yaml' },
      { in: 'a.yaml', replace: 'unknown-action', by: 'unknown-acton' },
    ],
  },
  {
    name: 'a comment that suppresses nothing',
    files: { 'a.yaml': ignoring },
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'resurrect', by: 'reboot' }],
  },
  {
    name: 'suppressions are switched off',
    files: { 'a.yaml': ignoring },
    steps: [{ open: 'a.yaml' }, { settings: { suppressions: false } }, { settings: { suppressions: true } }],
  },
  {
    name: 'the configuration is edited',
    files: { 'a.yaml': wide, '.grantwise.yaml': '# nothing yet\n' },
    steps: [
      { open: '.grantwise.yaml' },
      { in: '.grantwise.yaml', set: 'rules: { allow-everything: "off" }\n' },
      { in: '.grantwise.yaml', set: 'extends: [auditor]\n' },
      { save: '.grantwise.yaml' },
      { close: '.grantwise.yaml' },
    ],
  },
  {
    name: 'the configuration is changed outside',
    files: { 'a.yaml': wide },
    steps: [
      { disk: { '.grantwise.yaml': 'rules: { allow-everything: info }\n' } },
      { disk: { '.grantwise.yaml': 'rules: { allow-everything: error }\n' } },
      { disk: { '.grantwise.yaml': null } },
    ],
  },
  {
    name: 'a configuration that is refused while it is written',
    files: { 'a.yaml': wide, '.grantwise.yaml': 'rules: { allow-everything: info }\n' },
    steps: [
      { open: '.grantwise.yaml' },
      { in: '.grantwise.yaml', replace: 'info }', by: '' },
      { in: '.grantwise.yaml', type: '"off" ', after: 'everything: ' },
      { in: '.grantwise.yaml', type: '}', after: '"off" ' },
      { in: '.grantwise.yaml', replace: 'allow-everything', by: 'allow-everythin' },
      { undo: '.grantwise.yaml' },
    ],
  },
  {
    name: 'a configuration that is extended',
    files: { 'a.yaml': wide, '.grantwise.yaml': 'extends: [base.yaml]\n', 'base.yaml': 'rules: { allow-everything: info }\n' },
    steps: [{ open: 'base.yaml' }, { in: 'base.yaml', replace: 'info', by: 'warning' }],
  },
  {
    name: 'ignores of the configuration',
    files: {
      'a.json': json('a', 'vps:apisvc:gett'),
      '.grantwise.yaml': 'ignores:\n  - files: a.json\n    codes: [unknown-action]\n    reason: soon\n',
    },
    steps: [
      { open: 'a.json', language: 'json' },
      { in: 'a.json', replace: 'gett', by: 'get' },
      { open: '.grantwise.yaml' },
      { in: '.grantwise.yaml', type: '    until: "2026-01-31"\n', after: 'reason: soon\n' },
    ],
  },
  {
    name: 'overrides of the configuration',
    files: { 'a.yaml': wide, 'b/a.yaml': wide, '.grantwise.yaml': 'overrides:\n  - files: b/**\n    rules: { allow-everything: "off" }\n' },
    steps: [{ open: '.grantwise.yaml' }, { in: '.grantwise.yaml', replace: 'b/**', by: '"*.yaml"' }],
  },
  {
    name: 'a configuration in a folder',
    files: { 'a.yaml': wide, 'b/a.yaml': wide },
    steps: [
      { disk: { 'b/.grantwise.yaml': 'rules: { allow-everything: info }\n' } },
      { open: 'b/.grantwise.yaml' },
      { in: 'b/.grantwise.yaml', replace: 'info', by: '"off"' },
    ],
  },
  {
    name: 'paths of the configuration',
    files: { 'a.yaml': bad, 'b/a.yaml': wide, '.grantwise.yaml': 'policies: [b]\n' },
    alone: ['a.yaml'],
    steps: [{ open: 'a.yaml' }, { in: 'a.yaml', replace: 'rebot', by: 'reboo' }, { close: 'a.yaml' }],
  },
  {
    name: 'a world of the configuration',
    files: {
      'p/a.yaml': good,
      'w/w.yaml': 'identities:\n  - urn: urn:v1:eu:identity:user:ab12-svc/eve\n    groups: []\n',
      '.grantwise.yaml': 'policies: [p]\nworld: [w/w.yaml]\n',
    },
    alone: ['x.yaml'],
    steps: [
      { open: 'w/w.yaml' },
      { in: 'w/w.yaml', replace: 'eve', by: 'bob' },
      { open: 'x.yaml', text: policy('x', { who: 'urn:v1:eu:identity:user:ab12-svc/bobb' }) },
    ],
  },
  {
    name: 'rules set in the editor',
    files: { 'a.yaml': wide },
    settings: { rules: { 'allow-everything': 'info' } },
    steps: [{ settings: { rules: { 'allow-everything': 'off' } } }, { settings: { preset: 'auditor' } }, { settings: {} }],
  },
  {
    name: 'another configuration, or none',
    files: {
      'a.yaml': wide,
      '.grantwise.yaml': 'rules: { allow-everything: "off" }\n',
      'other.yaml': 'rules: { allow-everything: info }\n',
    },
    steps: [{ settings: { config: 'other.yaml' } }, { settings: { config: false } }, { settings: {} }],
  },
  {
    name: 'a baseline',
    files: { 'a.yaml': bad, 'base.json': baselineOf('a.yaml', [['unknown-action', 'wrong', 'x', '00000000000000000000000000000000']]) },
    settings: { baseline: 'base.json' },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: 'rebot', by: 'reboot' },
      { disk: { 'base.json': baselineOf('a.yaml', []) } },
      { settings: {} },
    ],
  },
  {
    name: 'a baseline that hides what was there before',
    files: {
      'a.yaml': bad,
      'base.json': baselineOf('a.yaml', [['unknown-action', 'wrong', 'vps:apisvc:rebot', 'c3b16df4b84af2d52ef47d142c035f63']]),
    },
    settings: { baseline: 'base.json' },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', type: '\n    - action: vps:apisvc:gett', after: 'rebot' },
      { in: 'a.yaml', replace: 'rebot', by: 'rebott' },
      { undo: 'a.yaml' },
    ],
  },
  {
    name: 'a profile of the configuration, and what it extends',
    files: {
      'a.yaml': policy('soon', { more: 'expiredAt: 2026-06-10T00:00:00Z\n' }),
      '.grantwise.yaml': 'extends: [auditor, team.yaml]\n',
      'team.yaml': 'rules: { expires-soon: "off" }\n',
    },
    steps: [
      { open: 'team.yaml' },
      { in: 'team.yaml', replace: '"off"', by: 'error' },
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: '06-10', by: '06-11' },
      { disk: { '.grantwise.yaml': 'extends: [strict]\n' } },
    ],
  },
  {
    name: 'something that has expired',
    files: { 'a.yaml': expiring },
    steps: [
      { open: 'a.yaml' },
      { in: 'a.yaml', replace: '2026-05-31', by: '2026-06-30' },
      { in: 'a.yaml', replace: '2026-06-30', by: '2026-06-31' },
    ],
  },
  {
    name: 'Markdown that is open',
    files: { 'how.md': fenced, 'a.yaml': good },
    alone: ['how.md'],
    steps: [
      { open: 'how.md', language: 'markdown' },
      { in: 'how.md', replace: 'rebot', by: 'reboot' },
      { in: 'how.md', replace: 'an example of what not to do', by: '' },
      { in: 'how.md', replace: '<!--', by: '<!' },
      { close: 'how.md' },
    ],
  },
  {
    name: 'a script that is open',
    files: { 'apply.sh': script, 'a.yaml': good },
    alone: ['apply.sh'],
    steps: [
      { open: 'apply.sh', language: 'shellscript' },
      { in: 'apply.sh', replace: 'gett', by: 'get' },
      { in: 'apply.sh', replace: 'to come', by: '' },
      { in: 'apply.sh', replace: "-d '", by: '-d ' },
      { close: 'apply.sh' },
    ],
  },
  {
    name: 'scripts in folders',
    files: { 'bin/apply.sh': script },
    settings: { fences: true },
    steps: [
      { open: 'bin/apply.sh', language: 'shellscript' },
      { in: 'bin/apply.sh', replace: 'gett', by: 'get' },
    ],
  },
  {
    name: 'Markdown in folders',
    files: { 'docs/how.md': fenced },
    settings: { fences: true },
    steps: [
      { open: 'docs/how.md', language: 'markdown' },
      { in: 'docs/how.md', replace: 'rebot', by: 'reboot' },
      { in: 'docs/how.md', replace: '```yaml', by: '```' },
    ],
  },
  {
    name: 'a configuration of Terraform with a module',
    files: { 'main.tf': main, 'modules/team/main.tf': team },
    steps: [
      { open: 'main.tf', language: 'terraform' },
      { in: 'main.tf', replace: '"get", "rebot"', by: '"get"' },
      { open: 'modules/team/main.tf', language: 'terraform' },
      { in: 'modules/team/main.tf', replace: 'var.verbs', by: 'var.verb' },
      { undo: 'modules/team/main.tf' },
      { in: 'main.tf', replace: 'resource "svc', by: 'resource svc' },
    ],
  },
  {
    name: 'values of variables in a file beside',
    files: {
      'main.tf': main.replace('["get", "rebot"]', 'var.all'),
      'variables.tf': 'variable "all" { type = list(string) }\n',
      'terraform.tfvars': 'all = ["gett"]\n',
      'modules/team/main.tf': team,
    },
    steps: [
      { open: 'terraform.tfvars', language: 'terraform-vars' },
      { in: 'terraform.tfvars', replace: 'gett', by: 'get' },
      { disk: { 'variables.tf': 'variable "all" { default = ["start"] }\n' } },
    ],
  },
  {
    name: 'two root modules that call one module',
    files: {
      'prod/main.tf': `module "team" {\n  source = "../modules/team"\n  verbs = ["get"]\n}\n`,
      'test/main.tf': `module "team" {\n  source = "../modules/team"\n  verbs = ["gett"]\n}\n`,
      'modules/team/main.tf': team,
    },
    steps: [
      { open: 'test/main.tf', language: 'terraform' },
      { in: 'test/main.tf', replace: 'gett', by: 'get' },
      { in: 'test/main.tf', replace: '"get"', by: '"rebot", "x"' },
    ],
  },
  {
    name: 'a half-written block of HCL',
    files: { 'main.tf': main, 'modules/team/main.tf': team },
    steps: [
      { open: 'main.tf', language: 'terraform' },
      { in: 'main.tf', type: '\nresource "svc_iam_policy" "x" {', after: '["get", "rebot"]\n}' },
      { in: 'main.tf', type: '\n}', after: '"x" {' },
    ],
  },
  {
    name: 'a plan',
    files: { 'plan.json': '{"format_version": "1.2", "planned_values": {"root_module": {"resources": []}}}', 'a.yaml': bad },
    steps: [
      { open: 'plan.json', language: 'json' },
      { in: 'plan.json', replace: '[]', by: '[{}]' },
    ],
  },
  {
    name: 'a list of actions',
    files: { 'a.yaml': good },
    alone: ['used.actions'],
    steps: [
      { open: 'used.actions', text: 'vps:apisvc:get\nvps:apisvc:gett\n', language: 'plaintext' },
      { in: 'used.actions', replace: 'gett', by: 'reboot' },
      { in: 'used.actions', type: '\nvps:*', after: 'reboot' },
    ],
  },
]

export const sessions: readonly Session[] = [...typing, ...together, ...said]
