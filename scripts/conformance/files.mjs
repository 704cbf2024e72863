import {
  allow,
  ann,
  decides,
  deny,
  files,
  group,
  match,
  permissionsGroup,
  policy,
  reboot,
  refuses,
  refusesFiles,
  resource,
  resourceGroup,
  under,
  unknown,
  user,
  web,
  world,
} from './build.mjs'

const plain = policy({ allow: reboot })
const denying = policy({ name: 'd', deny: reboot })
const json = (value) => JSON.stringify(value)
const spread = (value) => JSON.stringify(value, null, 2)
const urnOf = resourceGroup('shop')

/** The plain policy, and one that denies the same, in YAML. */
const yaml = `name: p
identities:
  - ${ann}
resources:
  - urn: ${web}
permissions:
  allow:
    - action: ${reboot}
`
const yamlDenying = yaml.replace('name: p', 'name: d').replace('allow:', 'deny:')
/** The same worlds in both notations, with the questions about them. */
const both = (what, inJson, inYaml, ...questions) => [
  files(`${what}, in JSON`, { 'world.json': inJson }, questions),
  files(`${what}, in YAML`, { 'world.yaml': inYaml }, questions),
]

const jsonFaults = [
  ['a comma after the last entry', json([plain]).replace('}]', '},]')],
  ['a comma after the last field', json(plain).replace(/\}$/, ',}')],
  ['no comma between fields', json(plain).replace('"p",', '"p" ')],
  ['no colon after a key', json(plain).replace('"name":', '"name" ')],
  ['single quotes', json(plain).replaceAll('"', "'")],
  ['a key without quotes', json(plain).replace('"name"', 'name')],
  ['a comment', `// what follows\n${json(plain)}`],
  ['a comment at the end', `${json(plain)} /* all */`],
  ['no closing brace', json(plain).slice(0, -1)],
  ['no closing quote', json(plain).replace('"p"', '"p')],
  ['a brace too many', `${json(plain)}}`],
  ['two values', `${json(plain)}\n${json(denying)}`],
  ['a number that none is', json({ ...plain, readOnly: 'x' }).replace('"x"', '01')],
  ['a word that none is', json({ ...plain, readOnly: 'x' }).replace('"x"', 'True')],
  ['a line break in a text', json(plain).replace('"p"', '"p\nq"')],
  ['an escape that none is', json(plain).replace('"p"', '"\\p"')],
  ['an unfinished escape', json(plain).replace('"p"', '"\\u00g1"')],
  ['a key twice', json(plain).replace('"name":"p"', '"name":"p","name":"q"')],
  ['a list twice', json({ policies: [plain] }).replace(/\}$/, ',"policies":[]}')],
  ['a key twice, deep inside', json(plain).replace('"allow":[', '"allow":[],"allow":[')],
  ['an effect twice, deep inside', json(policy({ allow: reboot, deny: 'vps:apisvc:get' })).replace('"deny":[', '"deny":[],"deny":[')],
]
const yamlFaults = [
  ['a tab that indents', yaml.replace('  - urn', '\t- urn')],
  ['a list that is not closed', yaml.replace(`identities:\n  - ${ann}`, `identities: ["${ann}"`)],
  ['a quote that is not closed', yaml.replace('name: p', 'name: "p')],
  ['an entry that is not indented as the others', yaml.replace(`  - ${ann}`, `  - ${ann}\n - ${user('bob')}`)],
  ['a key twice', yaml.replace('name: p', 'name: p\nname: q')],
  ['a list twice', `${yaml}identities: []\n`],
  ['a key twice, deep inside', yaml.replace('  allow:', '  allow: []\n  allow:')],
  ['a wildcard without quotes that is an alias', yaml.replace(`action: ${reboot}`, 'action: *')],
  ['an alias of nothing', yaml.replace(`action: ${reboot}`, 'action: *reboot')],
  ['a second document that is no YAML', `${yaml}---\nname: [\n`],
]

/** Values of another kind, each in place of one part of the plain policy. */
const kinds = [
  ['identities', null, 'nothing in place of a list'],
  ['resources', null, 'nothing in place of a list'],
  ['identities', ann, 'a text in place of a list'],
  ['identities', [{ urn: ann }], 'an object in place of a text'],
  ['identities', [7], 'a number in place of a text'],
  ['identities', [[ann]], 'a list in place of a text'],
  ['resources', web, 'a text in place of a list'],
  ['resources', [web], 'a text in place of an object'],
  ['resources', { urn: web }, 'an object in place of a list'],
  ['resources', [{ urn: [web] }], 'a list in place of a text'],
  ['resources', [{ urn: web, action: reboot }], 'a field of another record'],
  ['permissions', [reboot], 'a list in place of an object'],
  ['permissions', reboot, 'a text in place of an object'],
  ['permissions', { allow: [reboot] }, 'a text in place of an object'],
  ['permissions', { allow: reboot }, 'a text in place of a list'],
  ['permissions', { allow: { action: reboot } }, 'an object in place of a list'],
  ['permissions', { allow: [{ action: [reboot] }] }, 'a list in place of a text'],
  ['permissions', { allow: [{ urn: reboot }] }, 'a field of another record'],
  ['permissions', { grant: [{ action: reboot }] }, 'a list of another name'],
  ['permissions', { allow: [{ action: reboot }], Deny: [{ action: reboot }] }, 'a list in other case'],
  ['permissionsGroups', permissionsGroup('care'), 'a text in place of a list'],
  ['permissionsGroups', [permissionsGroup('care')], 'a text in place of an object'],
  ['conditions', 'always', 'a text in place of an object'],
  ['conditions', [match({})], 'a list in place of an object'],
  ['conditions', { operator: 'AND', conditions: match({}) }, 'an object in place of a list'],
  ['conditions', { operator: 'MATCH', values: ['resource.Name'] }, 'a list in place of an object'],
  ['conditions', { operator: 'MATCH', values: { 'resource.Name': ['web-1'] } }, 'a list in place of a text'],
  ['conditions', { operator: 'MATCH', values: { 'date(UTC).Hour': 12 } }, 'a number in place of a text'],
  ['conditions', { operator: 'MATCH', match: { 'resource.Name': 'web-1' } }, 'a field of another name'],
  ['expiredAt', 1782864000000, 'a number in place of a text'],
  ['expiredAt', ['2027-01-01T00:00:00Z'], 'a list in place of a text'],
  ['expiresAt', '2027-01-01T00:00:00Z', 'a field of another name'],
  ['readOnly', 'yes', 'a text in place of true or false'],
  ['effect', 'Deny', 'a field of another language'],
  ['Identities', [ann], 'a field in other case'],
  ['name', 7, 'a number in place of a text'],
  ['description', ['a'], 'a list in place of a text'],
]
const malformed = [
  ['an identity that is no URN', { who: 'ann' }],
  ['an identity without its account', { who: 'urn:v1:eu:identity:user:ann' }],
  ['an identity of another kind', { who: ann.replace(':user:', ':role:') }],
  ['an identity without its id', { who: 'urn:v1:eu:identity:user:' }],
  ['an identity without its login', { who: 'urn:v1:eu:identity:user:ab12-svc/' }],
  ['an identity in place of a resource', { on: ann }],
  ['a resource in place of an identity', { who: web }],
  ['an identity of another version', { who: ann.replace(':v1:', ':v2:') }],
  ['a resource of another version', { on: web.replace(':v1:', ':v2:') }],
  ['a resource of another prefix', { on: web.replace('urn:', 'arn:') }],
  ['a resource without its name', { on: 'urn:v1:eu:resource:vps' }],
  ['a resource with an empty name', { on: 'urn:v1:eu:resource:vps:' }],
  ['a resource with an empty type', { on: 'urn:v1:eu:resource::web-1' }],
  ['a resource group without its id', { on: 'urn:v1:eu:resourceGroup:' }],
  ['an empty text as a resource', { on: '' }],
  ['an empty text as an identity', { who: '' }],
  ['an empty text as an action', { allow: '' }],
  ['an action of one word', { allow: 'reboot' }],
  ['an action of two words', { allow: 'vps:reboot' }],
  ['an action with an empty path', { allow: 'vps:apisvc:' }],
  ['an action with an empty product', { allow: ':apisvc:reboot' }],
  ['an action with an empty word in its path', { allow: 'vps:apisvc:a//b' }],
  ['an action with a blank', { allow: 'vps:apisvc:re boot' }],
  ['an action with a blank before it', { allow: ` ${reboot}` }],
  ['a product that begins with a capital', { allow: 'Vps:apisvc:reboot' }],
  ['a malformed action in `deny`', { allow: '*', deny: 'reboot' }],
  ['a malformed action in `except`', { allow: '*', except: 'vps:reboot' }],
  ['a permissions group without its owner', { named: 'urn:v1:eu:permissionsGroup:care' }],
  ['a permissions group with a wildcard', { named: permissionsGroup('*') }],
  ['an identity with a zero-width space', { who: `${ann}\u200b` }],
  ['a resource with a line break', { on: `${web}\n` }],
]
const instants = [
  ['a date without a time', '2027-01-01'],
  ['a time without an offset', '2027-01-01T00:00:00'],
  ['a day that does not exist', '2027-02-29T00:00:00Z'],
  ['a month that does not exist', '2027-13-01T00:00:00Z'],
  ['an hour that does not exist', '2027-01-01T24:00:00Z'],
  ['a minute that does not exist', '2027-01-01T00:60:00Z'],
  ['an offset that does not exist', '2027-01-01T00:00:00+24:00'],
  ['no seconds', '2027-01-01T00:00Z'],
  ['another separator', '2027-01-01 00:00:00Z'],
  ['an offset without a colon', '2027-01-01T00:00:00+0100'],
  ['a year of two digits', '27-01-01T00:00:00Z'],
  ['a word', 'never'],
  ['an empty text', ''],
]

const shop = (...members) => ({ urn: urnOf, name: 'shop', resources: members.map((urn) => ({ urn })) })
const care = (lists) => ({ urn: permissionsGroup('care'), name: 'care', permissions: lists })
const [get, stop] = ['vps:apisvc:get', 'vps:apisvc:stop'].map((action) => ({ action }))

export const section = 'Files'
export const cases = [
  under(
    'A file holds a policy',
    both('a policy', json(plain), yaml, allow(), deny({ who: user('bob') })),
    both(
      'a list of policies',
      json([plain, denying]),
      [yaml, yamlDenying].map((text) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`).join(''),
      deny(),
    ),
    both('a list without policies', '[]', '[]\n', deny()),
    both('a world of policies', json({ policies: [plain] }), `policies:\n  - ${yaml.trimEnd().replaceAll('\n', '\n    ')}\n`, allow()),
    both('a world without policies', json({ policies: [] }), 'policies: []\n', deny()),
    both(
      'a world with every key',
      json({
        account: 'ab12-svc',
        policies: [policy({ who: group('ops'), on: urnOf, named: permissionsGroup('care') })],
        identities: [{ urn: ann, groups: [group('ops')] }],
        resources: [{ urn: web, owner: 'ab12-svc', tags: { env: 'prod' } }],
        resourceGroups: [shop(web)],
        permissionsGroups: [care({ allow: [{ action: reboot }] })],
      }),
      `account: ab12-svc
policies:
  - name: p
    identities: ['${group('ops')}']
    resources: [{ urn: '${urnOf}' }]
    permissions: {}
    permissionsGroups: [{ urn: '${permissionsGroup('care')}' }]
identities:
  - { urn: '${ann}', groups: ['${group('ops')}'] }
resources:
  - { urn: '${web}', owner: ab12-svc, tags: { env: prod } }
resourceGroups:
  - { urn: '${urnOf}', name: shop, resources: [{ urn: '${web}' }] }
permissionsGroups:
  - { urn: '${permissionsGroup('care')}', name: care, permissions: { allow: [{ action: '${reboot}' }] } }
`,
      allow(),
      deny({ who: user('bob') }),
      deny({ on: resource('web-2') }),
      deny({ action: 'vps:apisvc:get' }),
      allow({ who: 'urn:v1:eu:identity:account:ab12-svc' }),
    ),
  ),
  under(
    'JSON and YAML mean the same',
    files('JSON on one line', { 'p.json': json(plain) }, allow()),
    files('JSON on many lines', { 'p.json': spread(plain) }, allow()),
    files('JSON with blanks everywhere', { 'p.json': json(plain).replaceAll(/([,:{}[\]])(?=["{[])/g, '$1 \t') }, allow()),
    files('JSON with lines that end as on Windows', { 'p.json': spread(plain).replaceAll('\n', '\r\n') }, allow()),
    files('JSON whose letters are escaped', { 'p.json': json(plain).replace('reboot', '\\u0072eb\\u006fot') }, allow()),
    files('JSON whose key is escaped', { 'p.json': json(plain).replace('"permissions"', '"permi\\u0073sions"') }, allow()),
    files('JSON whose slashes are escaped', { 'p.json': json(plain).replaceAll('/', '\\/') }, allow()),
    files('JSON whose fields are turned', { 'p.json': json(Object.fromEntries(Object.entries(plain).reverse())) }, allow()),
    files('JSON in a file of YAML', { 'p.yaml': json(plain) }, allow()),
    files('JSON on many lines in a file of YAML', { 'p.yml': spread(plain) }, allow()),
    files('YAML in blocks', { 'p.yaml': yaml }, allow()),
    files(
      'YAML in one line',
      {
        'p.yaml': `{ name: p, identities: ["${ann}"], resources: [{ urn: "${web}" }], permissions: { allow: [{ action: "${reboot}" }] } }\n`,
      },
      allow(),
    ),
    files('YAML with double quotes', { 'p.yaml': yaml.replace(ann, `"${ann}"`).replace(reboot, `"${reboot}"`) }, allow()),
    files('YAML with single quotes', { 'p.yaml': yaml.replace(ann, `'${ann}'`).replace(reboot, `'${reboot}'`) }, allow()),
    files('YAML with quoted keys', { 'p.yaml': yaml.replace('permissions:', '"permissions":').replace('allow:', "'allow':") }, allow()),
    files(
      'YAML with comments',
      { 'p.yaml': `# restarts\n${yaml.replace(`- ${ann}`, `- ${ann}   # Ann`).replace('permissions:', '# what\npermissions:')}# end\n` },
      allow(),
    ),
    files(
      'YAML with a `#` that begins no comment',
      { 'p.yaml': yaml.replaceAll('web-1', 'web#1') },
      allow({ on: resource('web#1') }),
      deny(),
    ),
    files('YAML with blank lines', { 'p.yaml': yaml.replaceAll('\n', '\n\n') }, allow()),
    files('YAML with wider indents', { 'p.yaml': yaml.replaceAll('  ', '      ') }, allow()),
    files(
      'YAML with lists that are not indented',
      { 'p.yaml': yaml.replace(`  - ${ann}`, `- ${ann}`).replace('  - urn', '- urn') },
      allow(),
    ),
    files('YAML with lines that end as on Windows', { 'p.yaml': yaml.replaceAll('\n', '\r\n') }, allow()),
    files('YAML without a line break at its end', { 'p.yaml': yaml.trimEnd() }, allow()),
    files('YAML with the mark of a document', { 'p.yaml': `---\n${yaml}` }, allow()),
    files('YAML with the marks of a document', { 'p.yaml': `---\n${yaml}...\n` }, allow()),
    files('YAML with escapes in double quotes', { 'p.yaml': yaml.replace(reboot, '"vps:apisvc:\\x72eb\\u006fot"') }, allow()),
    files('YAML with no escapes in single quotes', { 'p.yaml': yaml.replace(web, `'${web}\\x'`) }, deny(), allow({ on: `${web}\\x` })),
    files('YAML with a quote in single quotes', { 'p.yaml': yaml.replace(web, `'${web}''s'`) }, allow({ on: `${web}'s` })),
    files(
      'YAML with a description of many lines',
      { 'p.yaml': `${yaml}description: |\n  permissions:\n    deny:\n      - action: '*'\n` },
      allow(),
    ),
    files('YAML with a folded description', { 'p.yaml': `description: >-\n  identities:\n  nobody\n${yaml}` }, allow()),
    files(
      'YAML with an instant',
      { 'p.yaml': `${yaml}expiredAt: 2026-07-01T12:00:00Z\n` },
      allow({ at: '2026-07-01T12:00:00Z' }),
      deny({ at: '2026-07-01T12:00:00.001Z' }),
    ),
    files(
      'YAML with a quoted instant',
      { 'p.yaml': `${yaml}expiredAt: "2026-07-01T12:00:00+02:00"\n` },
      allow({ at: '2026-07-01T10:00:00Z' }),
      deny({ at: '2026-07-01T10:00:00.001Z' }),
    ),
    files(
      'YAML with a number in quotes',
      { 'p.yaml': `${yaml}conditions: { operator: MATCH, values: { date.Hour: "12" } }\n` },
      allow(),
      deny({ at: '2026-07-01T13:00:00Z' }),
    ),
    files(
      'YAML with words of older versions',
      { 'p.yaml': `${yaml}conditions: { operator: MATCH, values: { resource.Tag(on): yes } }\n` },
      allow({ tags: { on: 'yes' } }),
      deny({ tags: { on: 'true' } }),
    ),
    files('YAML with true and false', { 'p.yaml': `${yaml}readOnly: true\n` }, allow()),
    files('YAML with a wildcard in quotes', { 'p.yaml': yaml.replace(reboot, '"*"') }, allow(), allow({ action: 'ip:apisvc:get' })),
    files('YAML with a wildcard after text', { 'p.yaml': yaml.replace(reboot, 'vps:*') }, allow(), deny({ action: 'ip:apisvc:get' })),
  ),
  under(
    'Several YAML documents',
    files('two documents', { 'all.yaml': `${yaml}---\n${yamlDenying}` }, deny()),
    files('two documents, turned', { 'all.yaml': `${yamlDenying}---\n${yaml}` }, deny()),
    files('an empty document between', { 'all.yaml': `${yaml}---\n---\n${yamlDenying}` }, deny()),
    files(
      'a policy and a world',
      { 'all.yaml': `${yaml.replace(ann, group('ops'))}---\nidentities:\n  - { urn: '${ann}', groups: ['${group('ops')}'] }\n` },
      allow(),
      deny({ who: user('bob') }),
    ),
    files('two files of JSON', { 'p.json': json(plain), 'd.json': json(denying) }, deny()),
    files('two files of YAML', { 'p.yaml': yaml, 'd.yaml': yamlDenying }, deny()),
    files('one file of each', { 'p.json': json(plain), 'd.yaml': yamlDenying }, deny()),
    files('one file of each, turned', { 'd.json': json(denying), 'p.yaml': yaml }, deny()),
    files('the same file twice', { 'a.json': json(plain), 'b.json': json(plain) }, allow()),
    files(
      'policies in one file and facts in another',
      { 'policies.json': json(policy({ on: urnOf, allow: reboot })), 'groups.json': json({ resourceGroups: [shop(web)] }) },
      allow(),
      deny({ on: resource('a') }),
    ),
    files(
      'facts in one file and policies in another',
      {
        'a.yaml': `resourceGroups:\n  - urn: ${urnOf}\n    name: shop\n    resources:\n      - urn: ${web}\n`,
        'b.json': json(policy({ on: urnOf, allow: reboot })),
      },
      allow(),
      deny({ on: resource('a') }),
    ),
    files(
      'facts about a resource in two files',
      {
        'p.json': json(policy({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) })),
        'a.json': json({ resources: [{ urn: web, owner: 'ab12-svc' }] }),
        'b.json': json({ resources: [{ urn: web, tags: { env: 'prod' } }] }),
      },
      allow(),
      allow({ who: 'urn:v1:eu:identity:account:ab12-svc' }),
    ),
    files(
      'a permissions group in another file',
      {
        'p.json': json(policy({ named: permissionsGroup('care') })),
        'g.yaml': `permissionsGroups:\n  - urn: ${permissionsGroup('care')}\n    name: care\n    permissions: { allow: [{ action: '${reboot}' }] }\n`,
      },
      allow(),
    ),
    files(
      'the account in another file',
      { 'p.json': json(denying), 'a.yaml': 'account: ab12-svc\n' },
      deny(),
      allow({ who: 'urn:v1:eu:identity:account:ab12-svc' }),
    ),
    files(
      'a group of facts that is in no file',
      { 'p.json': json(policy({ on: urnOf, allow: reboot })) },
      unknown(`resourceGroup:${urnOf}`),
    ),
  ),
  under(
    '`null` in place of',
    decides('`permissions.allow`', { policies: [{ ...plain, permissions: { allow: null, deny: [{ action: reboot }] } }] }, deny()),
    decides('`permissions.except`', { policies: [{ ...plain, permissions: { allow: [{ action: reboot }], except: null } }] }, allow()),
    decides('`permissions.deny`', { policies: [{ ...plain, permissions: { allow: [{ action: reboot }], deny: null } }] }, allow()),
    decides(
      '`permissions.except` and `permissions.deny`',
      { policies: [{ ...plain, permissions: { allow: [{ action: reboot }], except: null, deny: null } }] },
      allow(),
      deny({ who: user('bob') }),
    ),
    decides('`conditions`', { policies: [{ ...plain, conditions: null }] }, allow()),
    decides('`conditions` of a policy that denies', { policies: [plain, { ...denying, conditions: null }] }, deny()),
    decides('`expiredAt`', { policies: [{ ...plain, expiredAt: null }] }, allow({ at: '2999-01-01T00:00:00Z' })),
    decides(
      '`expiredAt` of a policy that denies',
      { policies: [plain, { ...denying, expiredAt: null }] },
      deny({ at: '2999-01-01T00:00:00Z' }),
    ),
    decides('`description`', { policies: [{ ...plain, description: null }] }, allow()),
    decides(
      'all of them',
      { policies: [{ ...plain, description: null, conditions: null, expiredAt: null }] },
      allow(),
      deny({ on: resource('a') }),
    ),
    files('`null` in YAML', { 'p.yaml': `${yaml}conditions: null\nexpiredAt: ~\ndescription:\n` }, allow()),
  ),
  under(
    'A fact may be stated twice',
    decides(
      'the members of a resource group',
      { policies: [policy({ on: urnOf, allow: reboot })], resourceGroups: [shop(web), shop(web)] },
      allow(),
      deny({ on: resource('a') }),
    ),
    decides(
      'the members of a resource group, in another order',
      { policies: [policy({ on: urnOf, allow: reboot })], resourceGroups: [shop(web, resource('a')), shop(resource('a'), web)] },
      allow(),
      allow({ on: resource('a') }),
    ),
    decides(
      'the entries of a permissions group, in another order',
      {
        policies: [policy({ named: permissionsGroup('care') })],
        permissionsGroups: [care({ allow: [get, { action: reboot }] }), care({ allow: [{ action: reboot }, get] })],
      },
      allow(),
    ),
    decides(
      'the groups of an identity',
      {
        policies: [policy({ who: group('ops'), allow: reboot })],
        identities: [
          { urn: ann, groups: [group('ops')] },
          { urn: ann, groups: [group('ops')] },
        ],
      },
      allow(),
    ),
    decides(
      'the tags of a resource',
      {
        policies: [policy({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) })],
        resources: [
          { urn: web, tags: { env: 'prod' } },
          { urn: web, tags: { env: 'prod' } },
        ],
      },
      allow(),
    ),
    decides(
      'the tags of a resource and its owner',
      {
        policies: [policy({ allow: reboot, when: match({ 'resource.Tag(env)': 'prod' }) })],
        resources: [
          { urn: web, tags: { env: 'prod' } },
          { urn: web, owner: 'ab12-svc' },
        ],
      },
      allow(),
      allow({ who: 'urn:v1:eu:identity:account:ab12-svc' }),
    ),
    files(
      'the account',
      { 'a.json': json({ account: 'ab12-svc', policies: [] }), 'b.json': json({ account: 'ab12-svc' }) },
      deny(),
      allow({ who: 'urn:v1:eu:identity:account:ab12-svc' }),
    ),
  ),
  under(
    'A file that is not understood is refused',
    refusesFiles('beside one that is understood', { 'p.json': json(plain), 'd.json': json(denying).slice(0, -1) }),
    refusesFiles('before one that is understood', { 'd.json': json(denying).slice(0, -1), 'p.json': json(plain) }),
    refusesFiles('a document beside one that is understood', { 'all.yaml': `${yaml}---\n${yamlDenying}permission: []\n` }),
    refuses('a policy beside one that is understood', { policies: [plain, { ...denying, resources: [{ urn: 'web-1' }] }] }),
    refuses('a policy that would only grant', { policies: [plain, { ...plain, resources: [{ urn: 'web-1' }] }] }),
    refuses('a policy for somebody else', { policies: [plain, { ...denying, identities: [user('bob'), 'kim'] }] }),
    refuses('a policy that has expired', {
      policies: [plain, { ...denying, expiredAt: '2020-01-01T00:00:00Z', permissions: { deny: [{ action: 'reboot' }] } }],
    }),
    refuses('a resource group that no policy names', { policies: [plain], resourceGroups: [shop('web-1')] }),
    refuses('a permissions group that no policy names', { policies: [plain], permissionsGroups: [care({ deny: [{ action: 'reboot' }] })] }),
    refuses('an identity of the world', { policies: [plain], identities: [{ urn: 'ann', groups: [] }] }),
    refuses('a resource of the world', { policies: [plain], resources: [{ urn: 'web-1' }] }),
  ),
  under(
    'a text that is not JSON or YAML',
    jsonFaults.map(([what, text]) => refusesFiles(`JSON: ${what}`, { 'p.json': text })),
    yamlFaults.map(([what, text]) => refusesFiles(`YAML: ${what}`, { 'p.yaml': text })),
  ),
  under(
    'a field that no record has',
    kinds.map(([key, value, what]) => refuses(`\`${key}\`: ${what}, ${json(value)}`, { policies: [{ ...plain, [key]: value }] })),
    refuses('a world with another key', { policies: [plain], users: [] }),
    refuses('`policies`: a text in place of an object', { policies: [plain, 'q'] }),
    refuses('`account`: a number in place of a text', { account: 12, policies: [plain] }),
    refuses('`identities` of a world: a text in place of an object', { policies: [plain], identities: [ann] }),
    refuses('`groups` of an identity: a text in place of a list', { policies: [plain], identities: [{ urn: ann, groups: group('ops') }] }),
    refuses('`tags` of a resource: a list in place of an object', { policies: [plain], resources: [{ urn: web, tags: ['env'] }] }),
    refuses('`tags` of a resource: a number in place of a text', { policies: [plain], resources: [{ urn: web, tags: { env: 1 } }] }),
    refuses('`resources` of a group: a text in place of an object', {
      policies: [plain],
      resourceGroups: [{ urn: urnOf, name: 'shop', resources: [web] }],
    }),
    refuses('`permissions` of a group: a list in place of an object', {
      policies: [plain],
      permissionsGroups: [{ urn: permissionsGroup('care'), name: 'care', permissions: [] }],
    }),
    refusesFiles('YAML that reads as a number', { 'p.yaml': `${yaml}conditions: { operator: MATCH, values: { date.Hour: 12 } }\n` }),
    refusesFiles('YAML that reads as true', { 'p.yaml': yaml.replace('name: p', 'name: true') }),
    refusesFiles('YAML that reads as nothing', { 'p.yaml': yaml.replace(`- urn: ${web}`, '- urn:') }),
    refusesFiles('YAML that reads as an object', { 'p.yaml': yaml.replace(`- ${ann}`, '- user: ann') }),
  ),
  under(
    'a name, a pattern or an instant',
    malformed.map(([what, fields]) => refuses(what, world({ allow: reboot, ...fields }))),
    instants.map(([what, until]) => refuses(`\`expiredAt\`: ${what}`, world({ allow: reboot, until }))),
    refuses('a group that an identity is in', world({ allow: reboot }, { identities: [{ urn: ann, groups: ['ops'] }] })),
    refuses('a user that an identity is in', world({ allow: reboot }, { identities: [{ urn: ann, groups: [user('bob')] }] })),
    refuses('a pattern in place of a member of a group', world({ allow: reboot }, { resourceGroups: [shop(resource('*'))] })),
    refuses('a pattern in place of a resource', world({ allow: reboot }, { resources: [{ urn: resource('*'), tags: {} }] })),
    refuses('a pattern in place of an identity', world({ allow: reboot }, { identities: [{ urn: user('*'), groups: [group('ops')] }] })),
    refuses(
      'a pattern in place of a resource group',
      world({ allow: reboot }, { resourceGroups: [{ urn: resourceGroup('*'), name: 'all', resources: [] }] }),
    ),
  ),
  under(
    'two statements of one fact',
    refuses('the members of a resource group', { policies: [plain], resourceGroups: [shop(web), shop(resource('a'))] }),
    refuses('the members of a resource group, some and all', { policies: [plain], resourceGroups: [shop(web), shop(web, resource('a'))] }),
    refuses('the entries of a permissions group', {
      policies: [plain],
      permissionsGroups: [care({ allow: [get] }), care({ allow: [stop] })],
    }),
    refuses('the lists of a permissions group', { policies: [plain], permissionsGroups: [care({ allow: [get] }), care({ deny: [get] })] }),
    refuses('the groups of an identity', {
      policies: [plain],
      identities: [
        { urn: ann, groups: [group('ops')] },
        { urn: ann, groups: [] },
      ],
    }),
    refuses('the tags of a resource', {
      policies: [plain],
      resources: [
        { urn: web, tags: { env: 'prod' } },
        { urn: web, tags: { env: 'dev' } },
      ],
    }),
    refuses('the tags of a resource, and none', {
      policies: [plain],
      resources: [
        { urn: web, tags: { env: 'prod' } },
        { urn: web, tags: {} },
      ],
    }),
    refuses('the owner of a resource', {
      policies: [plain],
      resources: [
        { urn: web, owner: 'ab12-svc' },
        { urn: web, owner: 'cd34-svc' },
      ],
    }),
    refusesFiles('the account, in two files', {
      'a.json': json({ account: 'ab12-svc', policies: [plain] }),
      'b.json': json({ account: 'cd34-svc' }),
    }),
    refusesFiles('a resource group, in two files', {
      'a.json': json({ policies: [plain], resourceGroups: [shop(web)] }),
      'b.yaml': `resourceGroups:\n  - { urn: '${urnOf}', name: shop, resources: [] }\n`,
    }),
  ),
  under(
    'An entry that is understood is never refused',
    decides(
      'an action that nothing is known about',
      world({ allow: 'zeppelin:apisvc:land' }),
      deny(),
      allow({ action: 'zeppelin:apisvc:land' }),
    ),
    decides('a product that nothing is known about', world({ allow: 'zeppelin:*' }), deny(), allow({ action: 'zeppelin:apisvc:land' })),
    decides(
      'a type that nothing is known about',
      world({ on: resource('hindenburg', 'zeppelin'), allow: '*' }),
      deny(),
      allow({ on: resource('hindenburg', 'zeppelin') }),
    ),
    decides(
      'a region that nothing is known about',
      world({ on: resource('web-1', 'vps', 'mars'), allow: '*' }),
      deny(),
      allow({ on: resource('web-1', 'vps', 'mars') }),
    ),
    decides(
      'an identity that the world does not describe',
      world({ allow: reboot }, { identities: [{ urn: user('bob'), groups: [] }] }),
      allow(),
    ),
    decides('a resource that the world does not describe', world({ allow: reboot }, { resources: [{ urn: resource('web-2') }] }), allow()),
    decides(
      'an action on a resource of another type',
      world({ on: resource('10.0.0.1', 'ip'), allow: reboot }),
      allow({ on: resource('10.0.0.1', 'ip') }),
    ),
    decides('an entry that another covers', world({ allow: ['*', reboot, 'vps:*'] }), allow()),
    decides('an exception of what is not allowed', world({ allow: reboot, except: 'ip:*' }), allow()),
    decides('a policy that has long expired', world([{ allow: reboot }, { allow: '*', until: '1999-01-01T00:00:00Z' }]), allow()),
  ),
  under(
    'A condition that is not understood',
    decides('no refusal', world({ allow: reboot, when: match({ 'request.Country': 'FR' }) }), unknown('condition:request.Country=FR')),
    decides(
      'no refusal, beside one that holds',
      world({
        allow: reboot,
        when: { operator: 'AND', conditions: [match({ 'resource.Name': 'web-1' }), match({ 'request.Device': 'x' })] },
      }),
      unknown('condition:request.Device=x'),
    ),
    decides(
      'each for itself, in two policies',
      world([
        { allow: reboot, when: match({ 'request.Device': 'x' }) },
        { deny: reboot, when: match({ 'request.Colour': 'red' }) },
      ]),
      unknown(['condition:request.Device=x', 'condition:request.Colour=red']),
    ),
    decides(
      'the same value under two keys, of which one is understood',
      world({ allow: reboot, when: match({ 'resource.Name': 'web-1', 'resource.Names': 'web-1' }) }),
      unknown('condition:resource.Names=web-1'),
      deny({ on: resource('web-2') }),
    ),
    decides(
      'no refusal, of a policy for somebody else',
      world([{ allow: reboot }, { who: user('bob'), deny: '*', when: match({ 'request.Country': 'FR' }) }]),
      allow(),
    ),
  ),
]
