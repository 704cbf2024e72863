// The JSON that the program prints, and the files of one line or one shape that it reads: the source of the schemas that
// `scripts/schemas.mjs` writes. A field is [shape, description, example]; a name that ends in `?` may be missing. A shape is a
// type, several in one text, the name of a shared shape, `[shape]` for a list, fields, or one of those below.

/** A shape, or `null`. */
const orNull = (shape) => ({ $any: [shape, 'null'] })
/** One of several shapes. */
const either = (...shapes) => ({ $any: shapes })
/** An object with these fields and others, in a schema that is else strict. */
const openTo = (shape) => ({ $open: shape })
/** An object with any keys, whose values have a shape. */
const mapOf = (shape) => ({ $map: shape })

const schemaAt = (name) => ['string', 'The address of this schema, for editors.', `https://unpkg.com/grantwise/schemas/${name}.schema.json`]
const user = 'urn:v1:eu:identity:user:ab12-svc/ann'
const vps = 'urn:v1:eu:resource:vps:vps-1'
const reboot = 'vps:apisvc:reboot'
const time = '2027-01-31T12:00:00Z'

const place = {
  file: ['string', 'The file, relative to the working folder.', 'policies/team.yaml'],
  line: ['integer', 'The line, from 1.', 9],
  column: ['integer', 'The column, from 1, in UTF-16 units.', 17],
}
const placed = (entry) => ({ entry: ['string', 'The entry as it is written.', entry], ...place })
const identityEntry = placed(user)
const resourceEntry = {
  ...placed('urn:v1:eu:resource:vps:*'),
  'group?': ['string|null', 'The resource group that holds the resource.', null],
}
const formatVersion = ['integer', 'The version of this format.', 1]
/** Of a file: no other version is read. */
const onlyVersion = [{ enum: [1] }, 'The version of this format.', 1]
const verdict = ['verdict', 'Whether it is allowed.', 'allow']
const reason = ['reason', 'Why: `granted`, `denied` (explicitly), `default` (nothing grants it), `root` or `unknown`.', 'granted']
const clauses = [['clause'], 'The policy entries that decide it.']
const missing = [['string'], 'The facts that would settle an unknown verdict.', ['request.IP']]
const questionNotes = [
  ['string'],
  'What may be wrong with the names in the question: an action that the catalogue does not know, for example.',
  [],
]
const caveats = [['string'], 'What the verdict rests on and is not published of the service.', []]
const condition = ['string|null', 'The condition under which it holds; `null`: always.', 'request.IP in 192.0.2.0/24']
const question = {
  identity: ['string', 'Who asks: a URN.', user],
  action: ['string', 'The action.', reboot],
  resource: ['string', 'The resource: a URN.', vps],
}
const decision = { verdict, reason, clauses, missing, caveats }
const commit = {
  id: ['string', 'The hash of the commit.', '3f2a1c4e5b6d7f8091a2b3c4d5e6f70812345678'],
  author: ['string', 'The name of its author.', 'carol'],
  date: ['string', 'When it was committed, RFC 3339.', '2026-03-02T10:00:00Z'],
  subject: ['string', 'The first line of its message.', 'Let operators restart servers (#142)'],
  request: ['string|null', 'The number of the pull request that the subject names.', '#142'],
}
const unreadCommit = { ...commit, why: ['string', 'Why it cannot be read.', 'policies/ops.yaml:3:1: unknown field `identites`'] }
const lookedAt = {
  first: [commit, 'The oldest.'],
  last: [commit, 'The newest.'],
  count: ['integer', 'How many there are.', 812],
}
const accessThen = {
  verdict,
  reason,
  when: ['string|null', 'The times at which it is allowed; `null`: no time changes it, or one instant was asked about.', null],
  missing,
  clauses,
}
const claim = {
  name: ['string', 'The code of the guardrail, or the name of the test.', 'org/no-public-delete'],
  status: [{ enum: ['passed', 'failed', 'undecided'] }, 'Whether it is kept, or passes.', 'failed'],
  by: [[{ policy: ['string', 'The name of the policy.', 'ops'], ...place }], 'The entries that are against it.', []],
}
const size = {
  combinations: ['integer', 'The number of combinations.', 12],
  identities: ['integer', 'The number of identities.', 2],
  actions: ['integer', 'The number of actions.', 3],
  resources: ['integer', 'The number of resources.', 2],
}
const counts = {
  allowed: [size, 'What is allowed.'],
  unknown: [size, 'What is unknown.'],
  denied: [size, 'What is denied.'],
}
const kinds = ['module', 'file', 'value', 'groups', 'time', 'part', 'link', 'resource', 'catalogue', 'search', 'provider', 'deployment']
const riskNames = ['destruction', 'spend', 'escalation', 'credentials', 'exfiltration', 'exposure', 'audit', 'tagging']
const reportKind = [{ enum: ['user', 'group', 'account', 'service account'] }, 'Its kind.', 'user']
/** Files that a run read and passed over, and its assumptions. `mark`: `?` where the fields may be missing. */
const recordOf = (mark) => ({
  [`summary${mark}`]: ['string', 'The record in one line.', 'read 12 files; passed over 0'],
  [`searched${mark}`]: [['string'], 'The folders that were searched.', ['policies']],
  [`read${mark}`]: [
    [
      {
        path: ['string', 'The file.', 'policies/team.yaml'],
        'from?': ['string', 'Where it was read from, if not from its folder.', 'git:main'],
        as: [{ enum: ['policies', 'part', 'none', 'settings'] }, 'What it was read for; `none`: it holds no policy.', 'policies'],
        'blob?': ['string', 'The id that git gives to its bytes.', '3b18e512dba79e4c8300dd08aeb37f8e728b8dad'],
      },
    ],
    'The files that were read.',
  ],
  [`passed${mark}`]: [
    [
      {
        path: ['string', 'The file or folder.', 'node_modules/'],
        reason: ['string', 'Why.', 'never searched'],
        'count?': ['integer', 'How many files it stands for, where it is a kind of file that is never read.', 12],
      },
    ],
    'What was found and not read.',
    [],
  ],
  [`assumptions${mark}`]: [
    [
      {
        kind: [{ enum: kinds }, 'What it is about.', 'module'],
        what: ['string', 'What was not read, or is taken for granted.', 'module.iam (acme/iam/svc 1.2.0)'],
        why: ['string', 'Why.', 'its files are not in the repository'],
        'help?': ['string', 'What to do about it.', 'run `terraform init`'],
        'file?': place.file,
        'line?': place.line,
        'column?': place.column,
        matters: ['boolean', 'Whether an answer may be wrong if it does not hold.', true],
        inWorld: ['boolean', 'Whether what depends on it is unknown in the answer itself.', true],
      },
    ],
    'What is assumed.',
    [],
  ],
})
const complete = ['boolean', 'Whether the list is complete.', true]
const reasons = [['string'], 'Why the list is not complete.', []]
const several = {
  'identities?': [['string'], 'Identities.', [user]],
  'actions?': [['string'], 'Actions, or patterns over actions.', [reboot]],
  'resources?': [['string'], 'Resources, or patterns over resources.', [vps]],
}
const catalogue = {
  seen: ['string', 'The month in which the catalogue was seen, `YYYY-MM`.', '2025-10'],
  actions: ['integer', 'The number of its actions.', 4971],
}
const timesOfCalls = {
  count: ['integer', 'The number of calls.', 312],
  last: ['string|null', 'The time of the last one; `null`: there is none, or no record has a time.', time],
  by: ['string|null', 'The identity that made it.', user],
}
/** How recorded calls used something, of `--calls`. */
const use = {
  'use?': [
    {
      used: [timesOfCalls, 'The calls that were let through.'],
      refused: [timesOfCalls, 'The calls that were refused.'],
      elsewhere: ['integer', 'Calls of the same that were let through at times, from addresses or with tags that it is not about.', 0],
      undetermined: ['integer', 'Calls that were let through of which it cannot be determined.', 0],
    },
    'With `--calls`, how recorded calls used it.',
  ],
}
const callsRead = {
  'calls?': [
    {
      count: ['integer', 'The number of recorded calls.', 8412],
      first: ['string|null', 'The time of the first one; `null`: no record has a time.', time],
      last: ['string|null', 'The time of the last one.', time],
      undated: ['integer', 'Calls without a time.', 0],
      undecided: ['integer', 'Calls that are recorded as neither allowed nor refused: they count nowhere.', 0],
      withoutResource: ['integer', 'Calls on a resource that is not recorded: of what may be meant, they cannot be determined.', 0],
      ofOwner: ['integer', 'Calls of the owning account, which needs no policy: they count nowhere.', 0],
      otherEntries: ['integer', 'Log entries that are not decisions.', 0],
      badLines: ['integer', 'Lines that cannot be read, with `--skip-bad`.', 0],
    },
    'With `--calls`, the records that were counted.',
  ],
}
const finding = {
  code: ['string', 'The code of the rule.', 'resource-urn'],
  severity: ['severity', 'The severity.', 'error'],
  message: ['string', 'What is wrong. Messages may change in any release.', 'unknown field `identity`'],
  help: ['string|null', 'What to do; `null` where nothing is known.', 'did you mean `identities`?'],
  ...place,
  endLine: ['integer', 'The line of the end, from 1.', 9],
  endColumn: ['integer', 'The column of the end, exclusive.', 24],
  policy: ['string|null', 'The policy that it is about.', 'web readers'],
  fixable: ['boolean', 'Whether `--fix` removes it.', false],
  url: ['string', 'The page of the rule.', 'https://docs.example.org/rules/resource-urn.md'],
  'new?': [
    {
      reason: [
        { enum: ['access', 'undecided', 'text'] },
        'Why it is new: the access that it is about did not exist, or it cannot be decided whether it did; or its text did not.',
        'access',
      ],
      witness: [orNull('request'), 'One request of the new access; `null`: none is known.', null],
    },
    'With `--new-since`, why it counts as new.',
  ],
  'since?': [
    {
      kind: [
        { enum: ['since', 'uncommitted', 'undecided'] },
        '`uncommitted`: the last commit does not grant all of the access; `undecided`: it is not known since when it exists.',
        'since',
      ],
      commit: [orNull(commit), 'The commit since which all of the access exists that it is about; `null`: none.'],
      'orEarlier?': ['boolean', 'Whether it may exist for longer: not all commits were compared.', true],
      'unread?': [[unreadCommit], 'The commits right before that cannot be read.', []],
      'between?': [[unreadCommit], 'The commits since then that cannot be read.', []],
    },
    'With `--age`, of a finding on access.',
  ],
  ...use,
}
const examplePolicy = { name: 'web readers', identities: [user], resources: [{ urn: vps }], permissions: { allow: [{ action: reboot }] } }
/** The part of the schema `world` about a field. */
const worldField = (name) => ({ $ref: `world.schema.json#/properties/${name}` })

const riskCategories = ['escalation', 'credentials', 'audit', 'exposure', 'exfiltration', 'tagging', 'spend', 'destruction']
const reviewChoices = ['keep', 'remove', 'shorten', 'ask']
const reviewStates = ['decided', 'changed', 'undecided', 'asked', 'unexplained', 'not-removed', 'not-shortened', 'unproved']
const grantNames = {
  policy: ['string', 'The name of the policy.', 'web readers'],
  identity: ['string', 'The entry of its identities.', user],
}
/** The two numbers of an access budget. */
const budgetNumbers = {
  described: ['integer', 'The number of combinations of an action and a described resource.', 12],
  undescribed: ['integer', 'The number of actions on resources that no world file describes.', 3],
}

/** The same in the file, whose reader knows no integers: it reports other numbers by itself. */
const writtenNumbers = Object.fromEntries(Object.entries(budgetNumbers).map(([key, [, ...rest]]) => [key, ['number', ...rest]]))

/** The names and the access of a grant in a review. */
const reviewedGrant = {
  policy: ['string', 'The name of the policy.', 'web readers'],
  'file?': ['string', 'The file, where policies of the same name in several files grant something to the identity.', 'policies/web.yaml'],
  identity: ['string', 'The entry of its identities, as it is written.', user],
  'owner?': ['string', 'The person who owns the policy.', 'kim'],
  access: [worldField('policies'), 'What it grants less what is denied, as policies in the form of a lockfile.', [examplePolicy]],
}

const unread = {
  file: ['string|null', 'The file; `null` for the whole run.', 'p.yaml'],
  message: ['string', 'Why it could not be read.', 'permission denied'],
}
const certain = ['boolean', 'Whether that is certain.', true]
const texts = (description, ...examples) => [['string'], description, examples]
const combined = {
  identities: texts('Identities, or patterns over them.', user),
  actions: texts('Actions, or patterns over them.', reboot),
  resources: texts('Resources, or patterns over them.', vps),
}
const policyPlace = {
  policy: ['string', 'The name of the policy.', 'web readers'],
  'address?': ['string', 'The address of the policy in a Terraform configuration or plan.', 'svc_iam_policy.readers'],
  ...place,
}
const entryPlace = {
  policy: ['string', 'The name of the policy.', 'web readers'],
  list: ['string|null', 'The list of the entry; `null`: the policy.', 'allow'],
  entry: ['string|null', 'The entry as it is written; `null`: the policy.', 'vps:*'],
  ...place,
}
const openSide = {
  side: ['string', 'The side that was not decided.', 'gained'],
  'patterns?': texts('The patterns.'),
  'culprits?': texts('The patterns.'),
}
const access = {
  method: ['string', 'The HTTP method that is allowed.', 'GET'],
  path: ['string', 'The path that is allowed; `*` stands for any text.', '/vps/*'],
}
const calls = (description) => texts(description, 'GET /v1/vps/{serviceName}')
/** A part of a refused call: a question, in some circumstances. */
const partOfCall = {
  action: question.action,
  resource: question.resource,
  when: ['string|null', 'In which circumstances; `null`: this cannot be said.', 'not after 2027-01-31T23:59:59Z'],
}

const calledShape = {
  branch: ['string|null', 'The branch of the API.', 'v1'],
  method: ['string', 'The method.', 'GET'],
  path: ['string', 'The path of the operation.', '/hosting/web/{serviceName}'],
}
const plainPolicy = {
  name: ['string', 'The name of the policy.', 'vps used by ann'],
  'description?': ['string', 'What it is for.', 'From 12 recorded calls.'],
  identities: texts('Identities.', user),
  resources: [[{ urn: ['string', 'The resource, or a pattern.', vps] }], 'Resources.'],
  permissions: [
    {
      'allow?': [[{ action: ['string', 'The action.', reboot] }], 'What it allows.'],
      'deny?': [[{ action: ['string', 'The action.', reboot] }], 'What it denies.'],
    },
    'What it allows and denies.',
  ],
  'conditions?': [
    { $ref: 'policy.schema.json#/definitions/condition' },
    'When it applies.',
    { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
  ],
}
/** Of `who`, `what` and `compare`. */
const undescribed = [['whatRow'], 'What is granted on resources that are not described: in none of the other rows.', []]
const only = (text) => ({
  identity: ['string', text, user],
  only: [
    [
      {
        actions: combined.actions,
        resources: combined.resources,
        condition,
        certain,
        witness: ['request', 'One request that shows it.'],
        policies: [['policyPlace'], 'The policies that grant it.'],
        grants: [['clause'], 'The entries that grant it.', []],
        denies: [['clause'], 'The entries that deny it to the other.', []],
        others: [['clause'], 'Entries that grant it to the other at other times.', []],
      },
    ],
    'What only this one may do, with the entries that grant it.',
    [],
  ],
  combinations: ['integer', 'The number of combinations of action and resource.', 12],
  'undescribed?': undescribed,
})
const step = {
  action: ['string', 'The action.', 'account:apisvc:iam/policy/edit'],
  reason: ['string', 'Why it raises rights.', 'edits policies'],
  resource: ['string', 'The resource.', vps],
  as: ['string', 'The identity that takes the step.', user],
  groups: texts('The groups it is in by then.'),
  tags: ['texts', 'The tags that the resource has by then.', {}],
  condition,
  certain,
  root: ['boolean', 'Whether it owns the account.', false],
  policies: [['policyPlace'], 'The policies that allow it.', []],
  grants: [['clause'], 'The entries that allow it.', []],
  after: texts('The actions of earlier steps that it needs.'),
}
const timedBy = {
  zone: ['string', 'The time zone of the condition.', 'Europe/Paris'],
  pattern: [
    orNull({
      weekdays: texts('The days.', 'Monday'),
      time: ['string', 'The time of the day.', '08:00'],
      first: ['string', 'The first time.', time],
      last: ['string', 'The last time.', time],
      count: ['integer', 'How often.', 5],
    }),
    'When it recurs; `null`: once.',
    null,
  ],
  causes: [['cause'], 'The policies that cause it.', []],
}
const commitGaps = [
  [
    {
      after: [orNull(commit), 'The last readable commit before; `null`: there is none.'],
      until: [orNull(commit), 'The first readable commit after; `null`: there is none.'],
      unread: [[unreadCommit], 'The commits that cannot be read.', []],
    },
  ],
  'Commits that cannot be read, with the same answer before and after them.',
  [],
]
const pastOfTimeline = {
  from: ['string', 'The first time that was looked at.', time],
  to: ['string', 'The last one: when it was asked.', time],
  branch: ['string', 'The branch.', 'HEAD'],
  commits: [
    {
      first: [commit, 'The commit that the branch had at first.'],
      last: [commit, 'The last one.'],
      count: ['integer', 'How many commits followed the first one.', 12],
    },
    'The commits.',
  ],
  complete: ['boolean', 'Whether every commit was looked at and could be read, and every difference decided.', true],
  edited: ['boolean', 'Whether access is another one now than the policies of the last commit grant.', false],
  lookedAt: [orNull(commit), 'The last commit that was looked at, where not all were; `null`: all were.', null],
  changes: [
    [
      {
        kind: [{ enum: ['commit', 'time'] }, 'What changed access.', 'commit'],
        commit: [commit, 'The commit, or the one that the branch had at that time.'],
        at: ['string', 'The time of the change.', '2027-02-28T23:59:59Z'],
        difference: ['difference', 'The access that it opens and closes.'],
        'zone?': timedBy.zone,
        'pattern?': timedBy.pattern,
        'causes?': timedBy.causes,
        'unread?': [[unreadCommit], 'The commits right before it that cannot be read: any of them may have changed the access.', []],
      },
    ],
    'The changes, in order of time; a commit is after what time changes at its instant.',
  ],
  gaps: commitGaps,
}
const matrixLevel = {
  level: ['string', 'How much: `none`, `read`, `write` or `all`.', 'read'],
  'unconditional?': ['string', 'The level that needs no condition.', 'read'],
  conditional: ['boolean', 'Whether a condition restricts the level.', false],
  certain,
  resources: ['integer', 'The number of resources of which that is so.', 4],
  condition: ['string|null', 'The condition under which the level is reached on one of the resources; `null`: always.', null],
  partly: ['boolean', 'Whether it is then reached only in part: on some of the resources, or with some of all actions.', false],
  reason: ['string', 'Why: `none`, `root` or `granted`.', 'granted'],
}
const changedAccess = {
  actions: texts('The actions.', 'vps:apisvc:reboot'),
  resources: texts('The resources.', 'urn:v1:eu:resource:vps:web-1'),
  condition,
  certain,
}
const matrixCell = {
  'column?': ['string', 'The column.', 'vps'],
  ...matrixLevel,
  policies: [['policyPlace'], 'The policies that grant it.', []],
  'change?': [
    orNull({
      before: [matrixLevel, 'The level at that commit.'],
      gained: [[changedAccess], 'The access that was added since then.', []],
      lost: [[changedAccess], 'The access that was removed since then.', []],
    }),
    'With `--since`, what changed; `null`: nothing.',
    null,
  ],
}
const replayed = {
  change: [{ enum: ['refused', 'allowed', 'unknown', 'same'] }, 'What becomes of the call.', 'refused'],
  identity: ['string', 'Who called.', user],
  groups: texts('The groups of the identity.'),
  call: [orNull(access), 'The call; `null`: a recorded decision.', null],
  recorded: ['string|null', 'The recorded verdict.', 'allow'],
  verdict,
  credential: ['string|null', 'What the access rules of a consumer key say.', null],
  actions: [
    [
      {
        action: ['string', 'The action.', reboot],
        resource: ['string|null', 'The resource; `null`: not known.', vps],
        required: ['boolean', 'Whether the call needs it.', true],
        recorded: ['string|null', 'The recorded verdict.', 'allow'],
        verdict,
        reason: ['string', 'Why.', 'granted'],
        clauses,
        missing,
      },
    ],
    'The actions that the call needs.',
    [],
  ],
  count: ['integer', 'How often it was called.', 3],
  first: ['string|null', 'The first time.', time],
  last: ['string|null', 'The last time.', time],
}
const level = { enum: ['off', 'info', 'warning', 'error'] }
const point = { line: place.line, column: place.column }
const covered = {
  total: ['integer', 'How many there are.', 10],
  exercised: ['integer', 'How many a test exercises.', 8],
  percent: ['number', 'The share in per cent.', 80],
}
const uses = (description) => [['use'], description, []]
const counted = (description) => ['integer', description, 0]
const amount = { policies: ['integer', 'The number of policies.', 12], entries: ['integer', 'The number of entries.', 80] }

/** A plan of Terraform, and the table that its calls were looked up in. */
const appliedPlan = {
  plan: ['string', 'The file of the plan; of `least`, also the folder or files of a configuration.', 'plan.json'],
  resources: ['integer', 'The number of resources and data sources of the provider.', 5],
  otherProviders: counted('The number of resources of other providers, which were not looked at.'),
  table: [
    {
      seen: ['string', 'The month in which the calls of the provider were read, `YYYY-MM`.', '2026-11'],
      types: ['integer', 'The number of resource types in the table.', 62],
    },
    'The table of the calls that the provider makes.',
  ],
}
const applyNeed = {
  action: ['string', 'The action.', reboot],
  resource: ['string', 'The resource: its URN, or a pattern over all names of its type.', vps],
  named: ['boolean', 'Whether the plan gives the name of the resource.', true],
  certain: ['boolean', 'Whether it is needed in every case.', true],
  for: [
    [
      {
        address: ['string', 'The address of the resource in the plan.', 'svc_domain_zone_record.www'],
        type: ['string', 'Its type.', 'svc_domain_zone_record'],
        part: [{ enum: ['create', 'read', 'update', 'delete'] }, 'What is done with it.', 'update'],
        call: ['string', 'The call of the API.', 'PUT /domain/zone/{zoneName}/record/{id}'],
      },
    ],
    'The resources that need it, and the calls.',
  ],
}
const decidedNeed = { ...applyNeed, ...decision }
const applyGaps = [
  [
    {
      address: ['string', 'The address of the resource in the plan.', 'svc_okms_credential.app'],
      type: ['string', 'Its type.', 'svc_okms_credential'],
      part: [{ enum: ['create', 'read', 'update', 'delete', null] }, 'What is done with it; `null`: anything.', null],
      why: ['string', 'Why it is not known what that needs.', 'its type is not in the table of calls'],
    },
  ],
  'Parts of the plan of which it is not known what they need.',
  [],
]

/** A call of the API in source code. */
const codePlace = {
  file: ['string', 'The file.', 'src/dyndns.py'],
  line: ['integer', 'The line, from 1.', 12],
  column: ['integer', 'The column, from 1.', 26],
}
const codeCall = {
  ...codePlace,
  language: ['string', 'The language of the file.', 'Python'],
  call: ['string', 'The call as it is written, with `{name}` for what is put in.', 'GET /domain/zone/{zone}/record'],
  operation: ['string', 'The operation that it is.', 'GET /domain/zone/{zoneName}/record'],
}
const codeRead = {
  code: ['string', 'The files and folders, as they are given.', 'src'],
  files: [mapOf('integer'), 'The number of files that were read, by language.', { Python: 1 }],
  catalogue: ['string', 'The month of the catalogue of operations, `YYYY-MM`.', '2025-10'],
  calls: [[codeCall], 'Every call of the API that was found.', []],
  withoutActions: counted('The number of calls that need no action: lists, and calls that a session is enough for.'),
}
const codeNeed = {
  action: ['string', 'The action.', reboot],
  resource: ['string', 'The resource: its URN, or a pattern over all names of its type.', vps],
  named: ['boolean', 'Whether the code gives the name of the resource.', true],
  certain: ['boolean', 'Whether it is needed in every case.', true],
  for: [[codeCall], 'The calls that need it.'],
}
const codeRest = {
  unknown: [
    [
      {
        ...codePlace,
        language: ['string', 'The language of the file.', 'Python'],
        call: ['string', 'What is known of the call.', 'GET /me{section}'],
        why: ['string', 'Why it is not fully known.', '{section} may be several words of the path, or none'],
        help: ['string|null', 'What was probably meant, or what to do.', null],
      },
    ],
    'Calls of which it is not known what they need.',
    [],
  ],
  others: [
    [{ ...codePlace, call: ['string', 'The call as it is written.', 'GET /health'] }],
    'Calls that are written alike, and are none of the API.',
    [],
  ],
  unread: [
    [
      {
        file: ['string', 'The file.', 'src/bundle.js'],
        why: ['string', 'Why it was not read.', 'too large: 3.0 MiB, where 2 MiB is the limit'],
      },
    ],
    'Files that may hold calls and were not read.',
    [],
  ],
  skipped: [
    [{ file: ['string', 'The file or folder.', 'src/vendor/'], why: ['string', 'Why it is not looked at.', 'packages of others'] }],
    'Files and folders that are no part of the program.',
    [],
  ],
}

/** Shapes that several schemas share. */
export const shared = {
  comparedTwo: {
    at: ['string|null', 'The time that was asked about; `null`: all times.', null],
    'from?': ['string', 'The time from which on it holds.', time],
    verdict: ['string', 'Whether the two differ.', 'changed'],
    first: [only('The first identity.'), 'What only the first may do.'],
    second: [only('The second identity.'), 'What only the second may do.'],
    undecided: ['boolean', 'Whether a part could not be compared.', false],
    'open?': [
      { type: 'array', items: { type: 'string' } },
      'Where no resource is described: what is not known, and may mean only one of the two.',
      ['var.team'],
    ],
  },
  escalation: {
    at: ['string|null', 'The time that was asked about; `null`: all times.', null],
    identity: ['string', 'The identity.', user],
    escalates: ['boolean', 'Whether it can raise its own rights.', false],
    reach: ['string', 'How far.', 'none'],
    certain: ['boolean', 'Whether that is certain; `false` with `none`: something was not followed, so that there may be a way.', true],
    gains: ['string|null', 'What it gains, in words.', null],
    example: [
      orNull({
        question: ['request', 'The question.'],
        groups: [orNull(['string']), 'The groups that it would be in.', null],
        tags: ['texts', 'The tags that the resource would have.', { env: 'dev' }],
      }),
      'A question whose answer it can turn.',
      null,
    ],
    path: [['step'], 'The steps, each with the grants that allow it.', []],
    denies: [['clause'], 'Denies that stand in the way.', []],
    others: [['step'], 'Other ways.', []],
    notFollowed: [
      [{ actions: combined.actions, because: ['string', 'Why.', 'it depends on the operating system'] }],
      'Actions that may raise rights and were not followed.',
      [],
    ],
    'from?': ['string', 'The time from which on it holds.', time],
  },
  concerning: {
    at: ['string|null', 'The time that was asked about; `null`: all times.', null],
    'from?': ['string', 'The time from which on it holds.', time],
    about: [
      {
        kind: ['string', 'What it is: `identity` or `resource`.', 'identity'],
        urn: ['string', 'Its URN.', user],
        'groups?': texts('The groups of the identity.'),
      },
      'What the policies concern.',
    ],
    total: ['integer', 'The number of all policies.', 14],
    policies: [
      [
        {
          ...policyPlace,
          effect: ['string', 'Whether it grants or denies.', 'grants'],
          state: ['string', 'Whether it is in force.', 'active'],
          certain,
          identities: texts('The entries of `identities` through which it applies.', user),
          resources: texts('The entries of `resources` that it is about.', vps),
          permissions: [
            [
              {
                permissionsGroup: ['string|null', 'The permissions group; `null`: the policy itself.', null],
                known: ['boolean', 'Whether the group is known.', true],
                allow: texts('What it allows.', reboot),
                except: texts('What it excludes.'),
                deny: texts('What it denies.'),
              },
            ],
            'What it grants and denies.',
          ],
          condition,
          expiresAt: ['string|null', 'When it expires.', null],
        },
      ],
      'The policies.',
    ],
  },
  overlaps: {
    at: ['string|null', 'The time that was asked about; `null`: all times.', null],
    'from?': ['string', 'The time from which on it holds.', time],
    total: ['integer', 'The number of all policies.', 14],
    covered: [
      [
        {
          ...policyPlace,
          by: [[policyPlace], 'The policies that grant all that it grants, together.'],
          denies: ['boolean', 'Whether it also denies, or may.', false],
        },
      ],
      'Policies of which others grant all that they grant of what is described.',
      [],
    ],
    overlaps: [
      [
        {
          policies: [[policyPlace], 'The policies: each grants it without the others.'],
          identities: texts('Who has it.', user),
          actions: texts('The actions.', reboot),
          resources: texts('The resources.', vps),
          condition,
          certain,
        },
      ],
      'What several policies grant.',
    ],
    complete,
    reasons,
  },
  verdict: { enum: ['allow', 'deny', 'unknown'] },
  reason: { enum: ['granted', 'denied', 'default', 'root', 'unknown'] },
  severity: { enum: ['error', 'warning', 'info'] },
  texts: { type: 'object', additionalProperties: { type: 'string' } },
  clause: {
    policy: ['string', 'The name of the policy.', 'web readers'],
    ...place,
    list: ['string', 'The list that holds it: `allow` or `deny`.', 'allow'],
    entry: ['string', 'The entry as it is written.', 'webHosting:*'],
    group: ['string|null', 'The permissions group that it comes from.', 'urn:v1:eu:permissionsGroup:svc:globalReadAccess'],
    'address?': ['string', 'The address of the policy in a Terraform configuration or plan.', 'svc_iam_policy.readers'],
    'identity?': [orNull(identityEntry), 'The entry of `identities` through which it applies; `null`: none.'],
    'through?': [
      either('string', ['string'], 'null'),
      'The group through which it applies to the identity; a list in `compare` and `escalate`.',
      'urn:v1:eu:identity:group:ab12-svc/ops',
    ],
    'resource?': [orNull(resourceEntry), 'The entry of `resources` through which it applies; `null`: none.'],
    'conditions?': [['comparison'], 'The comparisons of its condition, with their values here.', []],
  },
  comparison: {
    condition: ['string', 'The comparison as it is written.', 'request.IP.IN_RANGE'],
    value: ['string|null', 'What is compared with.', '192.0.2.0/24'],
    actual: ['string|null', 'What the request has; `null`: unknown.', '192.0.2.1'],
    holds: ['boolean|null', 'Whether it holds; `null`: unknown.', true],
    excluded: ['boolean', 'Whether it stands under a NOT.', false],
    ...place,
  },
  policyPlace,
  request: {
    ...question,
    'groups?': texts('Groups of the identity.'),
    'ip?': ['string|null', 'The IP address of the request.', '192.0.2.1'],
    'tags?': ['texts', 'Tags of the resource.', {}],
    'at?': ['string', 'The time of the request, RFC 3339.', time],
    'owner?': ['string', 'The account that owns the resource.', 'ab12-svc'],
  },
  cause: {
    ...place,
    side: ['string', 'The side of the edit: `before` or `after`.', 'after'],
    change: ['string', 'What was done to it.', 'added'],
    what: ['string', 'What was edited.', 'condition'],
    policy: ['string|null', 'The name of the policy.', 'web readers'],
    'address?': ['string', 'The address of the policy in a Terraform configuration or plan.', 'svc_iam_policy.readers'],
    'by?': ['string', 'The side of a merge that made the edit.', 'git:cleanup'],
  },
  narrower: {
    resource: ['string', 'The pattern, which says too much.', 'urn:v1:eu:resource:vps:*'],
    type: ['string', 'What the type matches besides.', 'vps'],
    'name?': ['string', 'What the name matches besides.', 'web-*'],
  },
  region: {
    ...combined,
    'groups?': texts('Groups that the identities are in.'),
    'narrower?': [['narrower'], 'Where a pattern of `resources` says too much, what its type and name match besides.', []],
    condition,
    except: [
      [
        {
          why: ['string', 'Why it is excluded.', 'denied'],
          identities: [orNull(['string']), 'Patterns over identities; `null`: all.', null],
          resources: [orNull(['string']), 'Patterns over resources; `null`: all.', null],
          'narrower?': [['narrower'], 'Where a pattern of `resources` says too much, what it matches besides.', []],
          actions: [orNull(['string']), 'Patterns over actions; `null`: all.', null],
          'unless?': [
            [{ dimension: ['string', 'What the pattern is over.', 'actions'], pattern: ['string', 'The pattern.', reboot] }],
            'What is not excluded.',
            [],
          ],
          condition,
          policy: ['string|null', 'The policy that excludes it.', null],
          'file?': place.file,
          'line?': place.line,
          'column?': place.column,
        },
      ],
      'What is excluded.',
      [],
    ],
    certain,
    witness: ['request', 'One request that shows it: `can` answers it accordingly on both sides.'],
    causes: [['cause'], 'The edits that are responsible.', []],
    'catalogue?': [{ actions: ['integer', 'The number of actions of the catalogue in it.', 3] }, 'How much of the catalogue it is.'],
    known: [
      {
        identities: ['integer', 'The number of described identities in it.', 2],
        resources: ['integer', 'The number of described resources in it.', 2],
      },
      'How much of the inventory it is.',
    ],
    'past?': ['boolean', 'Whether it lies in the past.', true],
    ...use,
  },
  change: {
    ...combined,
    condition,
    certain,
    witness: ['request', 'One request that shows it.'],
    causes: [['cause'], 'The edits that are responsible.', []],
    'past?': ['boolean', 'Whether it lies in the past.', true],
    ...use,
  },
  described: {
    gained: [['change'], 'The access that is gained.', []],
    lost: [['change'], 'The access that is lost.', []],
    combinations: [
      { gained: counted('The number of combinations that are gained.'), lost: counted('The number of combinations that are lost.') },
      'The number of combinations of identity, action and resource.',
    ],
    undecided: ['boolean', 'Whether a part was not decided.', false],
  },
  difference: {
    verdict: [{ enum: ['same', 'changed', 'undecided'] }, 'Whether the access differs.', 'changed'],
    gained: [['region'], 'The access that only AFTER grants.', []],
    lost: [['region'], 'The access that only BEFORE grants.', []],
    undecided: [[openSide], 'What could not be compared.', []],
    'selection?': [
      {
        'identities?': texts('The identities that were asked about.', user),
        'actions?': texts('The actions that were asked about.', reboot),
      },
      'What of the difference was asked for: nothing is said of the rest.',
    ],
    'mapped?': texts('Names of BEFORE that were read as others, as `OLD=NEW`.', 'staging=production'),
    'deployment?': [
      [
        {
          path: ['string', 'The file.', '.github/workflows/deploy.yml'],
          why: ['string', 'What it has to do with what is deployed.', 'it has `TF_VAR_allow`'],
        },
      ],
      'What else differs, by which what is deployed may differ: its effect is not known.',
      [],
    ],
    'otherFiles?': [
      [
        {
          path: ['string', 'The file.', 'docs/setup.md'],
          ignored: ['boolean', 'Whether `deployment.ignore` leaves it out. Otherwise, nothing shows that deployment uses it.', false],
        },
      ],
      'The other files that differ: they were not checked.',
      [],
    ],
    'time?': [
      {
        'at?': ['string', 'The one time that was compared, RFC 3339.', time],
        'from?': ['string', 'The first time that was compared.', time],
        'to?': ['string', 'The last one.', time],
        'before?': ['string', 'The time at which BEFORE was compared.', time],
        'after?': ['string', 'The time at which AFTER was compared.', time],
      },
      'The times that were compared, where a policy looks at the time. Without it: all.',
      { from: time },
    ],
    'described?': ['described', 'The changes for described identities and resources.'],
    'beyond?': [['region'], 'The access beyond the ceiling.', []],
    'beyondDescribed?': ['described', 'The access beyond the ceiling of described identities and resources.'],
    'use?': [
      { gained: [use['use?'][0], 'Of all that is gained.'], lost: [use['use?'][0], 'Of all that is lost.'] },
      'With `--calls`, how recorded calls used what changes, each call once.',
    ],
    ...callsRead,
  },
  turn: { at: ['string', 'The time, RFC 3339.', time], verdict },
  time: {
    at: ['string', 'The time of the answer.', time],
    next: [orNull('turn'), 'When the verdict next changes.', null],
    after: [orNull('turn'), 'When it changes after that.', null],
  },
  use: {
    account: ['string|null', 'The account.', 'ab12-svc'],
    identity: ['string', 'Who called.', user],
    action: ['string', 'The action.', reboot],
    resource: ['string|null', 'The resource.', vps],
    count: ['integer', 'How often.', 3],
    first: ['string|null', 'The first time.', time],
    last: ['string|null', 'The last time.', time],
    'why?': ['string', 'Why it is left out.', 'undecided'],
  },
  step,
  replayed,
  plainPolicy,
  keyRequest: {
    '$schema?': schemaAt('credential'),
    accessRules: [['access'], 'What the consumer key may call.'],
    'redirection?': ['string|null', 'Where the browser goes after the login.', 'https://www.example.org/'],
  },
  key: openTo({
    rules: [['access'], 'What the consumer key may call.'],
    'credentialId?': ['integer', 'Id of the credential, set by the service.', 4711],
    'applicationId?': ['integer', 'Id of its application, set by the service.', 42],
    'status?': ['string', 'State of the credential: `validated` if it can be used.', 'validated'],
    'creation?': ['string|null', 'When it was created, set by the service.', time],
    'expiration?': ['string|null', 'When it expires, set by the service.', time],
    'lastUse?': ['string|null', 'When it was last used, set by the service.', time],
    'allowedIPs?': [orNull(['string']), 'The addresses that it can be used from.', ['192.0.2.0/24']],
  }),
  withRest: { ...access, beyond: calls('Operations that it allows besides.') },
  access,
  rule: {
    code: ['string', 'The code of the rule.', 'resource-urn'],
    severity: ['severity', 'The severity.', 'error'],
    preset: [{ enum: ['recommended', 'strict', 'auditor'] }, 'The smallest preset that has the rule.', 'recommended'],
    summary: ['string', 'What it finds.', 'A resource that is not a well-formed resource URN.'],
    why: ['string', 'Why that matters.', 'The service refuses it.'],
    options: [
      [
        {
          name: ['string', 'The name.', 'days'],
          type: ['string', 'What it takes.', 'number'],
          text: ['string', 'What it is for.', 'how many days'],
          'required?': ['boolean', 'Whether the rule reports nothing without it.', true],
          'choices?': texts('What a text may be.'),
          'fields?': ['texts', 'What each of its maps holds.', {}],
        },
      ],
      'Its options.',
      [],
    ],
    fixes: [[{ enum: ['safe', 'suggested'] }], 'The fixes it has.', ['suggested']],
    canBeSwitchedOff: ['boolean', 'Whether a configuration can switch it off.', true],
    examples: [
      { bad: [['string'], 'Texts it finds.', ['resources: [{ urn: "*" }]']], good: [['string'], 'Texts it accepts.', ['resources: []']] },
      'Texts it finds and accepts.',
    ],
    url: ['string', 'The page of the rule.', 'https://docs.example.org/rules/resource-urn.md'],
  },
  whoRow: {
    'identity?': ['string', 'A pattern over identities.', 'urn:v1:eu:identity:user:ab12-svc/*'],
    ...several,
    verdict,
    'reason?': ['string', 'Why: `granted`, `root` and so on.', 'granted'],
    condition,
    missing,
    clauses,
    'except?': texts('Identities that are excluded.'),
    'unless?': [[{ identity: ['string', 'A pattern over identities.', user], condition }], 'Who is excluded under a condition.', []],
    'groups?': texts('The groups of the identity.'),
    'members?': [['member'], 'The described members of a group.', []],
    ...use,
  },
  whatRow: {
    'resource?': ['string', 'A pattern over resources.', 'urn:v1:eu:resource:vps:*'],
    ...several,
    'except?': texts('What is subtracted.', 'vps:apisvc:reinstall'),
    'unless?': [
      [{ resource: ['string', 'A pattern over resources.', vps], actions: combined.actions, condition }],
      'What is subtracted under a condition.',
      [],
    ],
    condition,
    verdict,
    'reason?': ['string', 'Why: `granted`, `root` and so on.', 'granted'],
    missing,
    clauses,
    'members?': [['member'], 'The described members of a group.', []],
    'catalogue?': [
      {
        actions: ['integer', 'The number of actions of the catalogue.', 3],
        conditional: ['integer', 'The number of those under a condition.', 0],
        'names?': texts('Their names, with `--expand`.', reboot),
      },
      'How much of the catalogue it is.',
    ],
    ...use,
  },
  coverage: recordOf(''),
  member: {
    identity: ['string', 'The member.', user],
    'verdict?': verdict,
    'has?': [{ enum: ['all', 'some', 'none'] }, 'How much of it the member has.', 'all'],
    clauses: [['clause'], 'The entries that deny it.', []],
  },
}

/** The last line of answers that are lines. */
const lastLine = { coverage: ['coverage', 'With `--coverage`, the last line: what was read, passed over and assumed.'] }

/** A shape for one that is asked about, and a list of them for several. */
const orSeveral = (one, description) => ({ $any: [one, { answers: [[one], description] }] })

/** Every schema: what it is about, the files it is for, and its shape. `{}` as a shape: an object that is described in prose. */
export const printed = {
  lint: {
    title: 'grantwise lint report',
    description: 'What `grantwise lint --format json` prints.',
    shape: {
      version: formatVersion,
      files: ['integer', 'The number of files.', 3],
      summary: [
        {
          error: counted('The number of errors.'),
          warning: counted('The number of warnings.'),
          info: counted('The number of findings of severity `info`.'),
        },
        'The number of findings by severity.',
      ],
      findings: [[finding], 'The findings, by file, line, column and code.'],
      'statistics?': [
        [
          {
            code: ['string', 'The code of the rule.', 'unknown-action'],
            severity: ['severity', 'The worst severity of its findings.', 'warning'],
            count: ['integer', 'The number of its findings.', 12],
            fixable: ['integer', 'The number of them that `--fix` fixes.', 3],
          },
        ],
        'The findings by rule, the most frequent first, with `--statistics`.',
      ],
      'unread?': [[unread], 'The files that could not be read.'],
      'suppressed?': [
        {
          comment: ['integer', 'The number suppressed by comments.', 1],
          configuration: ['integer', 'The number suppressed by `ignores` of the configuration.', 0],
          baseline: ['integer', 'The number suppressed by a baseline.', 0],
          'findings?': [
            [
              {
                ...finding,
                by: ['string', 'What suppresses it.', 'comment'],
                reason: ['string|null', 'The reason that was given.', 'reviewed in May'],
              },
            ],
            'The suppressed findings, with `--show-suppressed`.',
          ],
        },
        'The number of suppressed findings.',
      ],
      'unknown?': texts('The expressions of Terraform whose values are unknown.', 'var.team'),
      'uncreated?': [
        [
          {
            address: ['string', 'The address.', 'svc_iam_policy.readers'],
            ...place,
            why: ['string', 'Why none is created.', 'count is 0'],
          },
        ],
        'Resources of Terraform that are created zero times.',
      ],
      'newSince?': [
        {
          commit: ['string', 'The commit.', '3f2a1bc94a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d'],
          date: ['string', 'When it was committed.', '2026-03-02T10:00:00+01:00'],
          old: ['integer', 'How many findings are not new since then, and not listed.', 12],
        },
        'With `--new-since`, the commit.',
      ],
      ...callsRead,
    },
  },
  finding: {
    title: 'grantwise finding',
    description: 'One line of `grantwise lint --format ndjson`: a finding, or what could not be read.',
    shape: either(finding, { unread: [unread, 'What could not be read.'] }, lastLine),
  },
  can: {
    title: 'grantwise decision',
    description: 'What `grantwise can --format json` prints.',
    shape: {
      ...decision,
      'time?': [orNull('time'), 'How the verdict changes with time.', null],
      'notes?': questionNotes,
      'completions?': [
        [
          {
            fact: ['string', 'A missing fact.', 'request.IP'],
            allows: ['texts', 'Values with which it is allowed, by fact.', { 'request.IP': '192.0.2.1' }],
            denies: ['texts', 'Values with which it is denied, by fact.', {}],
          },
        ],
        'With `--explain`: facts that would settle an unknown verdict, and the verdict they give.',
        [],
      ],
      'withoutInnerWildcards?': ['verdict', 'With `--explain`: the verdict if wildcards inside of a segment matched nothing.', 'deny'],
      'policies?': [
        [
          {
            ...policyPlace,
            stoppedAt: ['string|null', 'Where the evaluation of the policy ended.', null],
            applies: ['boolean|string', 'Whether it applies, or `unknown`.', true],
            grants: [['clause'], 'Its entries that grant it.', []],
            denies: [['clause'], 'Its entries that deny it.', []],
            excepted: [['clause'], 'Its entries that exclude it from what they grant.', []],
            unknownGroups: texts('Permissions groups that are not known.'),
            identity: [orNull(identityEntry), 'The entry of `identities` through which it applies; `null`: none.', null],
            through: ['string|null', 'The group through which it applies to the identity.', null],
            resource: [orNull(resourceEntry), 'The entry of `resources` through which it applies; `null`: none.', null],
            conditions: [['comparison'], 'The comparisons of its condition, with their values here.', []],
          },
        ],
        'With `--explain`: how every policy was evaluated.',
        [],
      ],
    },
  },
  filter: {
    title: 'grantwise filter',
    description:
      'What `grantwise filter --format json` prints: the rows of a table of resources on which an identity is allowed an action.',
    shape: {
      identity: question.identity,
      action: question.action,
      resource: ['string|null', 'Only rows whose URN matches; `null`: all.', 'urn:v1:eu:resource:vps:*'],
      groups: [['string'], 'Groups of the identity in addition to those in the world.', []],
      ip: ['string|null', 'The IP address of the request; `null`: not given.', null],
      at: ['string', 'The time of the request.', time],
      dialect: ['string', 'The dialect of SQL.', 'duckdb'],
      columns: [
        {
          urn: ['string', 'The column of URNs.', 'urn'],
          tags: ['string|null', 'The column of tags; `null`: there is none.', 'tags'],
          name: ['string|null', 'The column of names; `null`: the name in the URN.', null],
          type: ['string|null', 'The column of types; `null`: the type in the URN.', null],
          owner: ['string|null', 'The column of owners; `null`: the owners in the world.', null],
        },
        'The columns as the dialect writes them.',
      ],
      kind: [{ enum: ['always_allowed', 'always_denied', 'conditional'] }, 'Whether rows have to be looked at.', 'conditional'],
      allowed: [
        'string',
        'The expression that keeps the rows on which it is allowed.',
        "(urn IS NOT NULL AND urn = 'urn:v1:eu:resource:vps:vps-1')",
      ],
      perhaps: ['string', 'The expression that keeps the rows for which that is unknown.', 'FALSE'],
      missing: [['string'], 'The facts that `perhaps` may depend on and that no row gives; of a tag, rows without tags.', ['request.IP']],
      dependsOnTime: ['boolean', 'Whether the rows may be others at another time.', false],
      caveats,
      'notes?': questionNotes,
    },
  },
  question: {
    title: 'grantwise batch question',
    description: 'One line of a file of questions for `grantwise can --batch`.',
    strict: true,
    shape: {
      'id?': ['any', 'Anything that the answer is recognised by; it repeats it.', 1],
      ...question,
      'groups?': [['string'], 'Groups of the identity.', ['urn:v1:eu:identity:group:ab12-svc/ops']],
      'ip?': ['string', 'The IP address of the request.', '192.0.2.1'],
      'tags?': ['texts', 'The tags of the resource: all there are.', { env: 'prod' }],
      'at?': ['string', 'The time of the request, RFC 3339.', time],
      'owner?': ['string', 'The account that owns the resource.', 'ab12-svc'],
      'expect?': ['verdict', 'The verdict that is expected; the answer says whether it is the one.', 'allow'],
    },
  },
  answer: {
    title: 'grantwise batch answer',
    description: 'One line that `grantwise can --batch` prints: an answer, or why the line is no question.',
    shape: either(
      {
        id: ['any', 'The `id` of the question.', 1],
        ...decision,
        'expected?': ['boolean', 'Whether the verdict is the one that was expected.', true],
      },
      {
        id: ['any', 'The `id` of the question, where it could be read.', null],
        line: ['integer', 'The line that is no question, from 1.', 3],
        error: ['string', 'What is wrong with it.', 'missing field `action`'],
      },
      lastLine,
    ),
  },
  call: {
    title: 'grantwise call decision',
    description: 'What `grantwise call --format json` prints.',
    shape: {
      call: [calledShape, 'The operation.'],
      verdict,
      basis: ['string', 'What the answer rests on.', 'operation'],
      requirements: [
        [
          {
            action: question.action,
            resource: ['string|null', 'The resource; `null`: not known.', vps],
            required: ['boolean', 'Whether the call needs it.', true],
            ...decision,
            reason: ['string', 'Why, as in a decision; `listing`: list calls are not refused.', 'granted'],
            'time?': [orNull('time'), 'How the verdict changes with time.', null],
          },
        ],
        'The actions that the call needs, each with its decision.',
      ],
      credential: [
        orNull({ verdict, rule: [orNull('access'), 'The rule that allows it.', null] }),
        'What the access rules of the consumer key say; `null` without any.',
        null,
      ],
      refused: [
        [
          {
            by: ['string', 'What refuses it: `policies` or `credential`.', 'policies'],
            status: ['integer', 'The status of the response.', 403],
            class: ['string|null', 'The class of the error.', 'Client::Forbidden'],
            message: ['string', 'The message of the error.', 'User not granted for this request'],
          },
        ],
        'How the service refuses it.',
        [],
      ],
      missing,
      notes: [['string'], 'Remarks on the answer.', []],
    },
  },
  grant: {
    title: 'grantwise refused call',
    description: 'What `grantwise call --from-403 FILE --format json` prints: what would have to be granted.',
    shape: {
      refused: [
        {
          by: ['string', 'What refused it: `policies`, `credential` or `authentication`.', 'policies'],
          message: ['string', 'The message of the error.', 'User not granted for this request'],
          actions: texts('The actions that the policies do not allow.', reboot),
          actionsByAuthentication: texts('The actions that the authentication does not carry.'),
        },
        'The refusal.',
      ],
      call: [orNull(calledShape), 'The operation; `null`: not given.', null],
      by: [{ who: ['string', 'Who can grant it.', 'account'], account: ['string|null', 'The account.', 'ab12-svc'] }, 'Who can grant it.'],
      grant: [{ policies: [['plainPolicy'], 'Policies to add.'], accessRules: [['access'], 'Access rules to add.'] }, 'What to grant.'],
      suffices: ['boolean|null', 'Whether that is enough; `null`: unknown.', true],
      obstacles: [['clause'], 'Entries that deny it all the same.', []],
      missing,
      notes: [['string'], 'Remarks on the answer.', []],
      times: [
        [
          {
            action: question.action,
            time: [orNull('time'), 'How the verdict changes with time.', null],
            denied: ['string|null', 'When the policies deny it.', null],
            deniedAfter: ['string|null', 'When the policies deny it after the grant.', null],
          },
        ],
        'What time does to the refusal.',
        [],
      ],
      'proposal?': [
        {
          written: ['boolean', 'Whether the branch was written.', true],
          'reason?': ['string', 'Why nothing is proposed.', 'a deny statement covers the call, and no new policy allows it'],
          'help?': ['string|null', 'What to do.', null],
          'branch?': ['string', 'The branch.', 'grantwise/allow-ann-reboot'],
          'base?': ['string', 'The commit that it starts from.', '416ffd4d6a37c81ec3d967cc05e68cd55491e587'],
          'commit?': ['string|null', 'The new commit; `null`: not written.', '5baeaf2885d6203dab9e8cc16c0a424cbc92cc17'],
          'claim?': [
            { enum: ['exact', 'narrower', 'wider', 'undecided'] },
            'How the difference of access compares with the refused call.',
            'exact',
          ],
          'identity?': ['string', 'The identity whose call was refused.', user],
          'expires?': ['string|null', 'The last instant of the access; `null`: it does not end.', time],
          'edit?': [{ enum: ['new-policies', 'renewal'] }, 'New policies, or another expiry of one that has expired.', 'new-policies'],
          'policies?': texts('The names of the policies.', 'allow ann reboot'),
          'files?': [
            [{ path: ['string', 'The file, relative to the working folder.', 'policies/team.yaml'], diff: ['string', 'Its change.', ''] }],
            'The files with policies that change.',
          ],
          'difference?': ['difference', 'The access that the branch opens and closes.'],
          'remaining?': [[partOfCall], 'The part of the call that remains denied.', []],
          'already?': [[partOfCall], 'The part of the call that was allowed before.', []],
          'replay?': [
            [
              {
                action: question.action,
                resource: question.resource,
                at: ['string', 'The time.', time],
                before: ['verdict', 'The verdict by the policies of HEAD.', 'deny'],
                after: ['verdict', 'The verdict by those of the branch.', 'allow'],
              },
            ],
            'The refused questions at the first and the last instant, and after it.',
          ],
          'test?': [
            {
              path: ['string', 'The file.', 'policies/allow-ann-reboot.iamtest.yaml'],
              before: [{ enum: ['passed', 'failed', 'undecided'] }, 'Its result with the policies of HEAD.', 'failed'],
              after: [{ enum: ['passed', 'failed', 'undecided'] }, 'Its result with those of the branch.', 'passed'],
            },
            'The file of policy tests.',
          ],
          'findings?': [
            [
              {
                code: ['string', 'The code of the rule.', 'admin-access'],
                severity: [{ enum: ['error', 'warning', 'info'] }, 'Its level.', 'warning'],
                message: ['string', 'The message.', 'it grants everything'],
                ...place,
              },
            ],
            'The findings of lint that HEAD does not have.',
            [],
          ],
          'notes?': [['string'], 'Remarks for reviewers.', []],
        },
        'With `--propose`, the branch that allows the call, or why there is none.',
        { written: false, reason: 'a deny statement covers the call, and no new policy allows it', help: null },
      ],
    },
  },
  who: {
    title: 'grantwise who',
    description: 'What `grantwise who --format json` prints.',
    shape: {
      who: [['whoRow'], 'Those who may.'],
      unknown: [['whoRow'], 'Those of whom it is unknown.', []],
      'denied?': [['whoRow'], 'Those who are denied.', []],
      complete,
      'reasons?': reasons,
      'counts?': [counts, 'How much is allowed, unknown and denied.'],
      'undescribed?': undescribed,
      'notes?': questionNotes,
      ...callsRead,
    },
  },
  what: {
    title: 'grantwise what',
    description: 'What `grantwise what --format json` prints.',
    shape: {
      what: [['whatRow'], 'What the identity may do.'],
      complete,
      'reasons?': reasons,
      'denied?': [['whatRow'], 'What is denied, where the question is about several.', []],
      'counts?': [counts, 'How much is allowed, unknown and denied.'],
      'undescribed?': undescribed,
      'catalogue?': [catalogue, 'The catalogue.'],
      'notes?': questionNotes,
      ...callsRead,
    },
  },
  expand: {
    title: 'grantwise expand',
    description: 'What `grantwise expand --format json` prints.',
    shape: {
      expand: [
        [
          {
            pattern: ['string', 'The pattern.', 'webHosting:*'],
            count: ['integer', 'The number of actions that it matches.', 145],
            actions: [['string'], 'These actions.', ['webHosting:apisvc:get']],
          },
        ],
        'The patterns.',
      ],
      catalogue: [catalogue, 'The catalogue.'],
    },
  },
  diff: {
    title: 'grantwise diff',
    description: 'What `grantwise diff --format json` prints.',
    shape: 'difference',
  },
  merge: {
    title: 'grantwise merge',
    description: 'What `grantwise diff --merge --format json` prints.',
    shape: {
      verdict: [{ enum: ['together', 'conflict', 'undecided', 'none'] }, 'The verdict on all merges, the worst first.', 'together'],
      merges: [
        [
          {
            sides: texts('What is merged; one where it conflicts with what it is merged into.', 'git:cleanup'),
            verdict: [
              { enum: ['together', 'conflict', 'undecided', 'none'] },
              'Whether the merge grants what neither side does.',
              'together',
            ],
            'conflicts?': texts('The files that git cannot merge.', 'policies/ops.yaml'),
            together: [['region'], 'The access that only the merge grants.', []],
            undecided: [[{ patterns: texts('The patterns at which the search ended.', 'vps:*') }], 'What could not be compared.', []],
            'time?': [
              {
                'at?': ['string', 'The one time that was compared, RFC 3339.', time],
                'from?': ['string', 'The first time that was compared.', time],
              },
              'The times that were compared, where a policy looks at the time. Without it: all.',
              { from: time },
            ],
            'described?': [
              {
                together: [['change'], 'The access that only the merge grants.', []],
                combinations: ['integer', 'The number of combinations of identity, action and resource.', 1],
                undecided: ['boolean', 'Whether a part was not decided.', false],
              },
              'The same for described identities and resources.',
            ],
          },
        ],
        'Each two sides, and each side that cannot be merged.',
        [],
      ],
    },
  },
  suggest: {
    title: 'grantwise suggestions',
    description: 'What `grantwise suggest --format json` prints.',
    shape: {
      version: formatVersion,
      question: [question, 'The question.'],
      to: ['string', 'The wanted verdict.', 'allow'],
      answer: [{ enum: ['already', 'unknown', 'root', 'edits'] }, 'Whether edits are needed, and can help.', 'edits'],
      'at?': ['string', 'The time that was asked about.', time],
      today: [decision, 'The decision by the policies as they are.'],
      'when?': ['string|null', 'When the wanted verdict holds today; `null`: always.', 'never'],
      'change?': [
        orNull({ at: ['string', 'The time.', time], to: ['string', 'The verdict from then on.', 'allow'] }),
        'When the wanted verdict comes by itself.',
        null,
      ],
      suggestions: [
        [
          {
            edits: [
              [
                {
                  change: ['string', 'The kind of edit.', 'add'],
                  policy: ['string|null', 'The policy that is edited.', 'web readers'],
                  list: ['string|null', 'The list that is edited.', 'allow'],
                  text: ['string|null', 'What is added or removed.', reboot],
                  'file?': place.file,
                  'line?': place.line,
                  'column?': place.column,
                  'misspelt?': ['string', 'The entry that is corrected.', 'vps:apisvc:rebot'],
                  'group?': ['string', 'The group.', 'urn:v1:eu:permissionsGroup:svc:globalReadAccess'],
                  'members?': texts('The members that take the place of the group.', user),
                  'evades?': ['string', 'The policy whose deny no longer reaches what leaves the group.', 'production guard'],
                  message: ['string', 'The edit in words.', 'add `vps:apisvc:reboot` to `allow`'],
                },
              ],
              'The edits, each with its place and a sentence.',
              [],
            ],
            decision: [decision, 'The decision after the edits.'],
            'when?': ['string|null', 'When the wanted verdict holds; `null`: always.', null],
            others: ['difference', 'All that changes besides.'],
            diff: ['string', 'The edits as a unified diff.', ''],
          },
        ],
        'The suggestions, the smallest first.',
      ],
      conditional: [
        [{ ...policyPlace, message: ['string', 'What would have to hold.', 'if the IP address is in 192.0.2.0/24'] }],
        'Policies that would allow it if their condition held.',
        [],
      ],
      membership: [
        orNull({
          group: ['string', 'The group.', 'urn:v1:eu:identity:group:ab12-svc/ops'],
          verdict: ['verdict', 'The verdict for its members.', 'allow'],
        }),
        'A group whose members are allowed, or may be; `null`: none.',
        null,
      ],
    },
  },
  baseline: {
    title: 'grantwise baseline',
    description: 'Findings that are known and accepted, as `grantwise lint --write-baseline FILE` writes them.',
    files: ['.grantwise-baseline.json', '*.grantwise-baseline.json'],
    shape: {
      '$schema?': schemaAt('baseline'),
      version: onlyVersion,
      findings: [
        [
          {
            file: ['string', 'The file, for people; it is not compared.', 'policies/team.yaml'],
            code: ['string', 'The code of the rule.', 'resource-urn'],
            policy: ['string', 'The name of the policy; empty outside of one.', 'web readers'],
            text: ['string', 'The beginning of the text that it is about, for people.', 'urn:v1:eu:resource:*'],
            count: [{ type: 'integer', minimum: 1 }, 'How many there are.', 1],
            fingerprint: ['string', 'What is compared: a digest of the rule, the policy and the text.', '5d41402abc4b2a76'],
          },
        ],
        'The findings that are accepted.',
      ],
    },
  },
  'pull-record': {
    title: 'grantwise pull record',
    description: 'What `grantwise pull` remembers of the files that it wrote.',
    files: ['.grantwise-pull.json'],
    shape: {
      version: onlyVersion,
      'account?': ['string', 'Account whose policies were pulled.', 'ab12-svc'],
      policies: [
        mapOf({
          file: ['string', 'File that the policy was written to.', 'policies/web-readers.yaml'],
          hash: ['string', 'Digest of what was written.', '9f86d081884c7d65'],
        }),
        'The file and the digest of each policy, by its id.',
        { '0b8f4a52-52bd-4d63-8d0e-63a1f5f0c9b7': { file: 'policies/web-readers.yaml', hash: '9f86d081884c7d65' } },
      ],
      world: ['texts', 'The digest of each part of the inventory.', { resources: '9f86d081884c7d65' }],
    },
  },
  'recorded-call': {
    title: 'grantwise recorded call',
    description:
      'One line of recorded calls, as `grantwise serve --record` writes it and `grantwise replay` and `grantwise least` read it.',
    shape: {
      'at?': ['string', 'The time of the call, RFC 3339.', time],
      'account?': ['string|null', 'The account that was called.', 'ab12-svc'],
      'identity?': ['string|null', 'Who called.', user],
      'method?': ['string', 'The method.', 'GET'],
      'path?': ['string', 'The path that was called.', '/v1/vps/vps-1'],
      'ip?': ['string|null', 'The IP address of the call.', '192.0.2.7'],
      'operation?': ['string|null', 'The path of the operation.', '/v1/vps/{serviceName}'],
      'actions?': [
        [
          {
            action: ['string', 'The action.', reboot],
            resource: ['string|null', 'The resource; `null`: not known.', vps],
            'required?': ['boolean', 'Whether the call needs it.', true],
            'verdict?': ['string|null', 'The verdict.', 'allow'],
          },
        ],
        'The actions that the call needed, each with its resource and verdict.',
      ],
      'verdict?': ['string|null', 'The verdict.', 'allow'],
      'credential?': ['string|null', 'What the access rules of the consumer key said.', null],
      'status?': ['integer', 'The status of the response.', 200],
    },
  },
  test: {
    title: 'grantwise test report',
    description: 'What `grantwise test --format json` prints.',
    shape: {
      version: formatVersion,
      files: ['integer', 'The number of test files.', 2],
      summary: [
        {
          passed: counted('The number of tests that pass.'),
          failed: counted('The number of tests that fail.'),
          undecided: counted('The number of tests that could not be decided.'),
          'left?': counted('The number of tests that were not run.'),
        },
        'The number of tests by their result.',
      ],
      tests: [
        [
          {
            name: ['string', 'The name of the test.', 'ann reads web sites'],
            kind: ['string', 'The kind of test.', 'allow'],
            status: ['string', 'The result.', 'passed'],
            ...place,
            questions: counted('The number of questions it asks.'),
            claims: counted('The number of claims it makes.'),
            catalogue: [{ actions: ['integer', 'The number of actions of the catalogue.', 3] }, 'How much of the catalogue it is about.'],
            failures: [
              [
                {
                  kind: ['string', 'What failed.', 'undecided'],
                  'claim?': ['string', 'The claim.', 'nobody may terminate'],
                  'culprits?': texts('The patterns that were too many.'),
                  'onlyUnknown?': ['boolean', 'Whether it is refuted only by what is unknown.', false],
                  'question?': ['request', 'The question.'],
                  'expected?': [
                    {
                      verdict: ['string|null', 'The verdict.', 'allow'],
                      reason: ['string|null', 'The reason.', null],
                      because: [orNull(['string']), 'The policies that decide it.', null],
                      missing: [orNull(['string']), 'The facts that would settle an unknown verdict.', null],
                    },
                    'What was expected.',
                  ],
                  'differences?': texts('In what the answer differs.', 'expected allow, got deny'),
                  'got?': [decision, 'What is so.'],
                },
              ],
              'What was expected, and what is so.',
              [],
            ],
          },
        ],
        'The tests.',
      ],
      notes: [
        [
          {
            code: ['string', 'The code.', 'unknown-action'],
            severity: ['severity', 'The severity.', 'warning'],
            message: ['string', 'The remark.', 'the catalogue has no such action'],
            help: ['string|null', 'What to do.', null],
            ...place,
          },
        ],
        'Remarks on the run.',
        [],
      ],
      coverage: [
        orNull({
          entries: [covered, 'How many entries of the policies a test exercises.'],
          policies: [covered, 'How many policies a test exercises.'],
          least: ['number|null', 'The least that is wanted, in per cent.', null],
          idle: [[entryPlace], 'The policies and entries that no test exercises.', []],
          ...recordOf('?'),
        }),
        'Which entries no test decides by, with `--coverage`.',
        null,
      ],
      'mutation?': [
        {
          tried: ['integer', 'How many mistakes were made.', 4],
          noticed: ['integer', 'How many of them a test notices.', 3],
          equal: ['integer', 'How many others change no access.', 0],
          survivors: [
            [
              {
                kind: [{ enum: ['dropped', 'widened', 'unconditional', 'unlimited'] }, 'The kind of mistake.', 'dropped'],
                policy: ['string', 'The policy.', 'web readers'],
                list: ['string|null', 'The list of the entry.', 'allow'],
                entry: ['string|null', 'The entry.', reboot],
                to: ['string|null', 'What is written in its place.', null],
                ...place,
                shown: [
                  orNull({
                    question: ['request', 'A question that the mistake changes.'],
                    verdict: [{ enum: ['allow', 'deny', 'unknown'] }, 'The verdict.', 'allow'],
                    mutated: [{ enum: ['allow', 'deny', 'unknown'] }, 'The verdict with the mistake.', 'deny'],
                  }),
                  'A test that would notice; null where none was found.',
                  null,
                ],
              },
            ],
            'The mistakes that change access and that no test notices.',
            [],
          ],
        },
        'What `--mutate` found.',
      ],
    },
  },
  compare: {
    title: 'grantwise compare',
    description: 'What `grantwise compare --format json` prints.',
    shape: orSeveral('comparedTwo', 'An answer for each identity that is compared with the first.'),
  },
  escalate: {
    title: 'grantwise escalation',
    description: 'What `grantwise escalate --format json` prints.',
    shape: orSeveral('escalation', 'An answer for each identity.'),
  },
  policies: {
    title: 'grantwise policies',
    description: 'What `grantwise policies --format json` prints.',
    shape: { $any: [...orSeveral('concerning', 'An answer for each name.').$any, 'overlaps'] },
  },
  report: {
    title: 'grantwise report',
    description: 'What `grantwise report --format json` writes.',
    shape: {
      version: ['string', 'The version of the program.', '0.1.0'],
      title: ['string', 'The title.', 'Access report'],
      made: ['string', 'When it was made, RFC 3339.', time],
      at: ['string|null', 'The time that it is about; `null`: all times from `made` on.', null],
      ip: ['string|null', 'The address that requests come from; `null`: any.', null],
      tags: [['string'], 'Tags that every resource is supposed to have, as `KEY=VALUE`.', []],
      withTag: ['string|null', 'With which tags the resources are described that it keeps to; `null`: all resources.', null],
      evidence: [
        {
          accounts: [['string'], 'The accounts of the identities and resources.', ['ab12-svc']],
          commit: [
            orNull({
              id: ['string', 'The hash of the commit.', '3f2a1c4e5b6d7f8091a2b3c4d5e6f70812345678'],
              short: ['string', 'The start of it.', '3f2a1c4'],
              'branch?': ['string', 'The branch.', 'main'],
              at: ['string', 'When it was committed, RFC 3339.', time],
              author: ['string', 'The name of its author.', 'carol'],
              subject: ['string', 'The first line of its message.', 'Let operators restart servers (#142)'],
              changed: ['integer', 'How many of the files that were read are not in it as they were read.', 0],
            }),
            'The commit that the files are of; `null`: there is no one commit.',
          ],
          why: ['string|null', 'Why there is no one commit.', null],
          inputs: [
            {
              files: ['integer', 'How many files the hash is of.', 12],
              others: ['integer', 'How many further files were read, of which it is not.', 0],
              sha256: [
                'string',
                'The SHA-256 of the lines that `sha256sum` prints for them, in the order of their paths.',
                '27de3e2ddf461bc35a160a8cf4aa7020a54aa9c1c11369b89a5f26a2dbd199b3',
              ],
            },
            'The files.',
          ],
        },
        'The state that it is of.',
      ],
      comparedWith: ['string|null', 'The earlier state; `null`: nothing is compared.', null],
      complete: ['boolean', 'Whether everything was looked at.', true],
      reasons: [['string'], 'Why not.', []],
      notes: [['string'], 'The access that no row is about.', []],
      'calls?': [['string'], 'With `--calls`, which recorded calls were counted.', []],
      sensitive: [
        [
          {
            category: [{ enum: riskNames }, 'The kind of sensitive access.', 'destruction'],
            identity: ['string', 'The identity.', user],
            kind: reportKind,
            sure: [
              { enum: ['without conditions', 'under conditions', 'unknown', 'without conditions on some, under conditions on others'] },
              'Whether it is allowed at all times and from all addresses.',
              'without conditions',
            ],
            resourceCount: ['integer', 'On how many resources.', 1],
            resources: [['string'], 'The resources.', [vps]],
          },
        ],
        'Who has sensitive access.',
      ],
      'changes?': [
        [
          {
            change: [{ enum: ['gained', 'lost'] }, 'Whether it is new or gone.', 'gained'],
            sure: [{ enum: ['yes', 'perhaps'] }, '`perhaps`: it depends on facts that are not known.', 'yes'],
            identities: [['string'], 'Who.', [user]],
            resources: [['string'], 'On what.', [vps]],
            when: ['string', 'The condition in words; empty: always.', ''],
            actions: [['string'], 'The actions.', [reboot]],
            sensitive: [['string'], 'The kinds of sensitive access.', []],
            causes: [['string'], 'The entries that cause it, with their places.', []],
            'calls?': ['string', 'With `--calls`, how recorded calls used it.', ''],
          },
        ],
        'With `--before` or `--since`, the access that changes.',
      ],
      access: [
        [
          {
            identity: ['string', 'The identity.', user],
            kind: reportKind,
            resource: ['string', 'The resource.', vps],
            type: ['string', 'Its type.', 'vps'],
            level: [{ enum: ['read', 'write', 'all'] }, 'The level of these actions.', 'write'],
            sure: [
              { enum: ['without conditions', 'under conditions', 'unknown'] },
              'Whether these actions are allowed at all times and from all addresses.',
              'without conditions',
            ],
            when: ['string', 'The condition in words; empty: always.', ''],
            actions: [['string'], 'The actions that are allowed alike.', [reboot]],
            sensitive: [['string'], 'The kinds of sensitive access among them.', []],
            grantedBy: [['string'], 'The policies that grant them, each with the place of its entry; `owner`: of the resource.', []],
            limitedBy: [['string'], 'The policies that limit them.', []],
          },
        ],
        'Who may do what: an object for each identity, resource and set of actions that are allowed alike.',
      ],
      policies: [
        [
          {
            policy: ['string', 'Its name.', 'ops'],
            place: ['string', 'Its file and line.', 'policies/team.yaml:9'],
            identities: [['string'], 'Its identities.', [user]],
            resources: [['string'], 'Its resources.', [vps]],
            allow: [['string'], 'Its actions, those of described permissions groups included.', [reboot]],
            except: [['string'], 'Those left out.', []],
            deny: [['string'], 'Those denied.', []],
            permissionsGroups: [['string'], 'Its permissions groups.', []],
            condition: ['string', 'Its condition in words.', ''],
            ends: ['string', 'The day on which it ends.', ''],
            description: ['string', 'Its description.', ''],
          },
        ],
        'The policies.',
      ],
      'review?': [
        [
          {
            policy: ['string', 'The name of the policy.', 'ops'],
            place: ['string', 'Its file and line.', 'policies/team.yaml:9'],
            identity: ['string', 'The entry of its identities.', user],
            access: [['string'], 'Its access in words.', ['vps:apisvc:reboot on vps:vps-1']],
            status: [{ enum: reviewStates }, 'How it is decided.', 'undecided'],
            decided: ['string', 'The last decision in words; empty: none.', ''],
            changed: [['string'], 'How the access differs from that of the decision.', []],
            owner: ['string', 'Who decides; empty: not known.', ''],
            used: ['string', 'With `--calls`, how it is used.', ''],
            since: ['string', 'With `--blame`, the commit since which it exists.', ''],
          },
        ],
        'With `--review`, the grants under review.',
      ],
      findings: [
        [
          {
            severity: [{ enum: ['error', 'warning', 'info'] }, 'How severe it is.', 'warning'],
            rule: ['string', 'The code of the rule.', 'unused-ignore'],
            policy: ['string', 'The name of the policy.', 'ops'],
            place: ['string', 'The file and line.', 'policies/team.yaml:9'],
            message: ['string', 'What is wrong.', 'this grants all actions'],
            help: ['string', 'What to do.', ''],
            'since?': ['string', 'With `--blame`, since when the access exists that it is about.', ''],
            'calls?': ['string', 'With `--calls`, how recorded calls used what it is about.', ''],
          },
        ],
        'What `lint` finds.',
      ],
      'files?': [
        [
          {
            path: ['string', 'The file.', 'policies/team.yaml'],
            from: ['string', 'Where it was read from, if not from its folder.', ''],
            as: [{ enum: ['policies', 'part', 'none', 'settings'] }, 'What it was read for.', 'policies'],
            blob: ['string', 'The id that git gives to its bytes.', '3b18e512dba79e4c8300dd08aeb37f8e728b8dad'],
          },
        ],
        'The files that were read.',
      ],
    },
  },
  matrix: {
    title: 'grantwise matrix',
    description: 'What `grantwise matrix --format json` prints.',
    shape: {
      at: ['string|null', 'The time that was asked about; `null`: all times.', null],
      'from?': ['string', 'The time from which on it holds.', time],
      'since?': [
        {
          commit: [commit, 'The commit that it is compared with.'],
          cells: ['integer', 'The number of cells.', 28],
          changed: ['integer', 'How many of them changed.', 3],
          gained: ['integer', 'How many have access that was added.', 2],
          lost: ['integer', 'How many lack access that was removed.', 1],
        },
        'With `--since`, the comparison.',
      ],
      columns: [
        [
          {
            name: ['string', 'The name of the column.', 'vps'],
            type: ['string', 'The resource type.', 'vps'],
            resources: ['integer', 'The number of resources.', 4],
          },
        ],
        'The resource types, or the resources.',
      ],
      rows: [
        [{ identity: ['string', 'The identity.', user], cells: [[matrixCell], 'What it may do, for each column.'] }],
        'The identities.',
      ],
      unknownTypes: [['string'], 'Resource types that the catalogue does not know.', []],
      'undescribed?': [
        [
          {
            ...combined,
            except: texts('What is subtracted.', 'vps:apisvc:reinstall'),
            condition,
            verdict,
            policies: [['policyPlace'], 'The policies that grant it.', []],
          },
        ],
        'What is granted on resources that no column is about.',
        [],
      ],
      complete,
      'reasons?': reasons,
    },
  },
  history: {
    title: 'grantwise history',
    description: 'What `grantwise history --format json` prints.',
    shape: {
      question: [orNull(question), 'The question, with patterns where it is about many; `null`: of guardrails and policy tests.'],
      branch: ['string', 'The branch.', 'HEAD'],
      commits: [lookedAt, 'The commits that were looked at.'],
      times: ['string|null', 'The instant that counts, RFC 3339; `commit`: that of each commit; `null`: all times.', null],
      'now?': [
        { $any: [accessThen, 'null', [claim]] },
        'The answer under the policies of the last commit; `null`: it cannot be read. Of guardrails and policy tests, the result of each.',
      ],
      complete: ['boolean', 'Whether every commit could be read, and every difference decided.', true],
      changes: [
        [
          {
            commit: [commit, 'The commit with which the answer is another one.'],
            'before?': [orNull(accessThen), 'Of one question, the answer before it; `null`: there were no policies.'],
            'after?': [orNull(accessThen), 'The answer since then.'],
            'difference?': ['difference', 'Of patterns, the access gained and lost.'],
            'claims?': [
              [{ ...claim, before: ['string|null', 'The result before it; `null`: there was no commit.', 'passed'] }],
              'Of guardrails and policy tests, those with another result.',
            ],
            unread: [[unreadCommit], 'The commits right before it that cannot be read: any of them may have changed the answer.', []],
          },
        ],
        'The commits that changed the answer, newest first.',
      ],
      gaps: commitGaps,
    },
  },
  blame: {
    title: 'grantwise blame',
    description: 'What `grantwise blame --format json` prints.',
    shape: {
      file: ['string', 'The file.', 'policies/ops.yaml'],
      branch: ['string', 'The branch.', 'HEAD'],
      commits: [lookedAt, 'The commits that were looked at.'],
      complete: ['boolean', 'Whether every effect is decided, and every commit could be read that matters.', true],
      entries: [
        [
          {
            policy: ['string', 'The name of the policy.', 'ops'],
            ...placed('vps:*'),
            list: [
              { enum: ['identities', 'resources', 'allow', 'except', 'deny', 'permissionsGroups'] },
              'The list of the policy that it is in.',
              'allow',
            ],
            effect: [
              { enum: ['effective', 'none', 'never', 'undecided'] },
              'Whether access is another one without it: `none` now, `never` in any commit.',
              'effective',
            ],
            since: [commit, 'The commit with which that began.'],
            'orEarlier?': ['boolean', 'It may have begun earlier: not every commit was looked at.', true],
            'because?': [
              {
                reason: ['reason', 'Why an example of what the entry is about is decided as it is without it.', 'denied'],
                example: ['request', 'The example.'],
                clauses,
              },
              'Why it has no effect.',
            ],
            'culprits?': texts('What the effect depends on and is not known.', 'vps:*'),
            unread: [[unreadCommit], 'The commits right before `since` that cannot be read.', []],
            between: [[unreadCommit], 'The commits after `since` that cannot be read, between others with this effect.', []],
          },
        ],
        'The entries of the policies of the file.',
      ],
      unread: [[unreadCommit], 'The commits after the one that the answer is about, which cannot be read.', []],
    },
  },
  timeline: {
    title: 'grantwise timeline',
    description: 'What `grantwise timeline --format json` prints.',
    shape: {
      verdict: ['string', 'Whether the access changes.', 'changed'],
      from: ['string', 'The first time that was looked at.', time],
      to: ['string', 'The last time that was looked at.', '2027-04-30T12:00:00Z'],
      'until?': ['string', 'The time up to which the answer holds.', '2027-04-30T12:00:00Z'],
      'tzdata?': ['string|null', 'The version of the time zone rules.', '2026a'],
      'past?': [pastOfTimeline, 'With `--since`, the changes until now.'],
      changes: [
        [
          {
            at: ['string', 'The time of the change.', '2027-02-28T23:59:59Z'],
            ...timedBy,
            verdict: [{ enum: ['same', 'changed', 'undecided'] }, 'Whether the access changes then.', 'changed'],
            gained: [['region'], 'The access that starts.', []],
            lost: [['region'], 'The access that ends.', []],
            undecided: [[openSide], 'What could not be compared.', []],
            'described?': ['described', 'The changes for described identities and resources.'],
          },
        ],
        'The changes, in order of time.',
      ],
    },
  },
  minimise: {
    title: 'grantwise minimise',
    description: 'What `grantwise minimise --format json` prints.',
    shape: {
      version: formatVersion,
      verdict: ['string', 'Whether fewer policies grant the same.', 'smaller'],
      before: [amount, 'How much there is.'],
      after: [amount, 'How much would remain.'],
      steps: [
        [
          {
            ...entryPlace,
            reason: ['string', 'The kind of reason.', 'policies'],
            by: [
              [{ ...place, 'entry?': ['string', 'The entry.', 'vps:*'], 'policy?': ['string', 'The policy.', 'ops'] }],
              'The entries or policies that cover it.',
            ],
            message: ['string', 'The reason in words.', 'is covered by `ops` (least.json:1:11)'],
          },
        ],
        'What is removed or merged, each with its place and the reason.',
        [],
      ],
      undecided: [[{ ...entryPlace, culprits: texts('The patterns that were too many.') }], 'What could not be proved.', []],
      left: texts('The files from which single entries cannot be removed.', 'p.yaml'),
      certificate: [
        {
          gained: [{ enum: ['none', 'undecided'] }, 'The access that is gained.', 'none'],
          lost: [{ enum: ['none', 'undecided'] }, 'The access that is lost.', 'none'],
          denied: [{ enum: ['same', 'undecided'] }, 'What is explicitly denied.', 'same'],
        },
        'What is proved of the policies before and after.',
      ],
      diff: ['string', 'The edits as a unified diff.', ''],
      'from?': ['string', 'The time from which on it holds.', time],
    },
  },
  approvers: {
    title: 'grantwise approvers',
    description: 'What `grantwise approvers --format json` prints.',
    shape: {
      version: formatVersion,
      verdict: [
        { enum: ['none', 'needed', 'approved', 'missing', 'undecided'] },
        'Whether approvals are needed. `approved`, `missing`: with `--approved-by`, whether all are there. `undecided`: some cannot be determined.',
        'needed',
      ],
      approvers: [
        [
          {
            name: ['string|null', 'The approver; `null`: no one is named who may approve this.', 'acme/web'],
            fallback: ['boolean', 'Whether it approves this only because no owner does.', false],
            approved: ['boolean|null', 'Whether it approved; `null` without `--approved-by`.', null],
            access: [
              [
                {
                  side: [{ enum: ['gained', 'lost'] }, 'Whether the change gives or takes it.', 'gained'],
                  ...combined,
                  condition: ['string|null', 'When it is so; `null`: always.', null],
                  certain: ['boolean', 'Whether it is certain; otherwise it depends on facts that are not known.', true],
                  undescribed: ['boolean', 'Whether it reaches resources that no world file describes.', false],
                  witness: ['request', 'One request of it.'],
                  causes: [['cause'], 'The edits that it rests on.', []],
                },
              ],
              'What it approves.',
            ],
          },
        ],
        'Who has to approve what.',
      ],
      undecided: texts('What could not be decided.', 'too many combinations'),
    },
  },
  budget: {
    title: 'grantwise budget',
    description: 'What `grantwise budget --format json` prints.',
    shape: {
      version: formatVersion,
      file: ['string', 'The file of the budget.', 'access-budget.yaml'],
      verdict: [
        { enum: ['within', 'over', 'undecided'] },
        'Whether each team is within its budget; `undecided`: that depends on facts that are not known.',
        'within',
      ],
      categories: [[{ enum: riskCategories }], 'The kinds of damage whose actions are counted.', ['destruction']],
      actions: counted('The number of actions of the catalogue that are of these kinds.'),
      resources: counted('The number of described resources that these actions are about.'),
      departures: texts('With `--follows`, how the budget departs from the earlier version.', '`web` was raised without a recorded reason'),
      raised: [
        [
          {
            team: ['string', 'The name of the team.', 'web'],
            from: [budgetNumbers, 'Its numbers in the earlier version.'],
            to: [budgetNumbers, 'Its numbers now.'],
            date: ['string', 'The day that is recorded.', '2026-12-01'],
            reason: ['string', 'The reason that is recorded.', 'the shop moved to the team'],
          },
        ],
        'With `--follows`, what was recorded as raised since the earlier version.',
        [],
      ],
      teams: [
        [
          {
            name: ['string', 'The name of the team.', 'web'],
            status: [{ enum: ['over', 'unknown', 'below', 'within'] }, 'How its access compares with the budget.', 'within'],
            members: texts('The identities of the team, as far as they are known.', user),
            access: [budgetNumbers, 'The access that it has.'],
            perhaps: [budgetNumbers, 'What more it may have, by facts that are not known.'],
            budget: [{ ...budgetNumbers, perhaps: [budgetNumbers, 'What more there may be.'] }, 'What it may have.'],
            undescribed: texts('The actions that are counted on resources that no world file describes.'),
            grants: [
              [
                {
                  ...place,
                  policy: ['string', 'The name of the policy.', 'web readers'],
                  entry: ['string', 'The action entry.', 'vps:*'],
                  count: counted('The number of combinations that it grants.'),
                },
              ],
              'Of a team over its budget, the entries that grant the combinations.',
              [],
            ],
            beyond: [
              [
                {
                  ...place,
                  policy: ['string', 'The name of the policy.', 'web readers'],
                  entry: ['string', 'The action entry.', 'vps:*'],
                  count: counted('The number of actions that it grants.'),
                },
              ],
              'Of a team over its budget, the entries that grant actions on resources that are not described.',
              [],
            ],
            added: [
              [
                {
                  identity: ['string', 'A member that has it.', user],
                  action: ['string', 'The action.', reboot],
                  resource: ['string', 'The resource.', vps],
                },
              ],
              'With `--base`, the combinations that the change adds to a team over its budget.',
              [],
            ],
          },
        ],
        'The teams.',
      ],
    },
  },
  'review-check': {
    title: 'grantwise review --check',
    description: 'What `grantwise review --check --format json` prints.',
    shape: {
      version: formatVersion,
      file: ['string', 'The file of the review.', 'review.yaml'],
      verdict: [{ enum: ['done', 'open', 'undecided'] }, 'Whether something is open; `undecided`: only what could not be proved.', 'open'],
      round: ['string|null', 'The round.', '2026-Q4'],
      due: ['string|null', 'The day at whose end everything has to be decided.', '2026-12-31'],
      overdue: ['boolean', 'Whether that is over, and something is open.', false],
      decisions: counted('The number of recorded decisions.'),
      chain: ['string|null', 'The hash of the last one.', null],
      counts: [
        {
          ...Object.fromEntries(reviewStates.map((state) => [state, counted(`The number of grants that are \`${state}\`.`)])),
          gone: counted('The number of grants that were decided about and are gone.'),
          idle: counted('The number of grants that are denied entirely or never apply.'),
          denying: counted('The number of policies that only deny.'),
          expired: counted('The number of policies that have expired.'),
        },
        'How many there are of each kind.',
      ],
      broken: [
        [
          {
            ...place,
            policy: ['string|null', 'The policy of the decision; `null`: the end of the chain.', 'web readers'],
            identity: ['string|null', 'The identity of the decision.', user],
            message: ['string', 'What is wrong.', '`chain` is not the hash of the last decision: decisions were removed or added'],
          },
        ],
        'Where the chain of decisions is broken.',
        [],
      ],
      grants: [
        [
          {
            policy: ['string', 'The name of the policy.', 'web readers'],
            identity: ['string', 'The entry of its identities.', user],
            ...place,
            owner: ['string|null', 'Who owns it.', 'kim'],
            status: [{ enum: reviewStates }, 'How it is decided.', 'undecided'],
            decision: [
              orNull({
                decision: [{ enum: reviewChoices }, 'What was decided.', 'keep'],
                until: ['string|null', 'The last day of the access.', null],
                by: ['string', 'Who decided.', 'kim'],
                date: ['string', 'The day of the decision.', '2026-12-01'],
                reason: ['string|null', 'Why.', null],
                hash: ['string', 'Its hash.', ''],
              }),
              'The last decision; `null`: none.',
              null,
            ],
            filled: ['string|null', 'What is filled in and not recorded.', null],
            'use?': [
              {
                count: counted('The number of allowed calls that it allows by itself.'),
                last: ['string|null', 'When the last one was.', time],
                refused: counted('The number of refused calls that it would allow.'),
              },
              'How recorded calls use it, with `--calls`.',
            ],
            'since?': ['string', 'Since which commit the identity has it, with `--blame`.', 'since 2026-09-01 1a2b3c4 by kim'],
            'culprits?': texts('The patterns that were too many.'),
          },
        ],
        'The grants, with what is decided about each.',
      ],
      'missed?': [
        [
          {
            ...grantNames,
            date: ['string', 'The day of the decision.', '2026-12-01'],
            refused: counted('The least number of calls refused since that it would allow.'),
          },
        ],
        'Removed grants that calls were refused for since, with `--calls`.',
        [],
      ],
    },
  },
  'review-apply': {
    title: 'grantwise review --apply',
    description: 'What `grantwise review --apply --format json` prints.',
    shape: {
      version: formatVersion,
      proof: [
        { enum: ['proved', 'undecided', 'gained', 'lost', 'early'] },
        'What is proved of the edits; `gained`, `lost` and `early`: why nothing is proposed.',
        'proved',
      ],
      decisions: [
        [{ ...grantNames, end: ['string|null', 'The last instant of the access; `null`: all of it goes.', null] }],
        'The decisions that are carried out.',
      ],
      edits: [
        [
          {
            kind: [{ enum: ['remove-identity', 'remove-policy', 'expire', 'new-policy'] }, 'The kind of edit.', 'remove-identity'],
            ...place,
            policy: ['string', 'The policy that is edited, or that a new one is made of.', 'web readers'],
            identity: ['string|null', 'The identity that is taken out.', user],
            name: ['string|null', 'The name of the new policy.', null],
          },
        ],
        'The edits.',
      ],
      still: [
        [
          {
            ...grantNames,
            whole: ['boolean', 'Whether all of it is still granted.', true],
            by: [[{ ...place, policy: ['string', 'The name of the policy.', 'ops'] }], 'The policies that may still grant it.'],
          },
        ],
        'Removed grants that other policies still give.',
        [],
      ],
      left: [
        [{ ...grantNames, reason: [{ enum: ['read-only', 'layout'] }, 'Why its policy cannot be edited.', 'layout'] }],
        'The decisions that cannot be carried out.',
        [],
      ],
      verdict: ['string', 'Whether the access changes.', 'changed'],
      gained: [['region'], 'The access that is gained.', []],
      lost: [['region'], 'The access that is lost.', []],
      diff: ['string', 'The edits as a unified diff.', ''],
    },
  },
  replay: {
    title: 'grantwise replay',
    description: 'What `grantwise replay --format json` prints.',
    shape: {
      verdict: ['string', 'Whether recorded calls are decided otherwise.', 'changed'],
      records: ['integer', 'The number of recorded calls.', 120],
      counts: [
        {
          refused: counted('The number of calls that would be refused.'),
          allowed: counted('The number of calls that would be allowed now.'),
          unknown: counted('The number of calls of which it is unknown.'),
          same: counted('The number of calls that stay as they are.'),
        },
        'The number of calls by what becomes of them.',
      ],
      refused: [['replayed'], 'Calls that would be refused.', []],
      allowed: [['replayed'], 'Calls that would be allowed now.', []],
      unknown: [['replayed'], 'Calls of which it is unknown.', []],
      'same?': [['replayed'], 'Calls that stay as they are, with `--all`.', []],
      otherEntries: counted('The number of lines that record no call.'),
      badLines: counted('The number of lines that cannot be read.'),
    },
  },
  'replayed-call': {
    title: 'grantwise replayed call',
    description: 'One line of `grantwise replay --format ndjson`.',
    shape: either('replayed', lastLine),
  },
  rule: {
    title: 'grantwise rule',
    description: 'What `grantwise explain CODE --format json` and `grantwise rules CODE --format json` print.',
    shape: 'rule',
  },
  rules: {
    title: 'grantwise rules',
    description: 'What `grantwise explain --format json` and `grantwise rules --format json` print: each rule as the schema `rule` has it.',
    shape: { rules: [['rule'], 'The rules, by their codes.', []] },
  },
  version: {
    title: 'grantwise version',
    description: 'What `grantwise --version --json` prints.',
    shape: {
      version: ['string', 'The version of the program.', '0.1.0'],
      commit: ['string|null', 'The commit that was built, with `-dirty` if files had changed; `null` where unknown.', null],
      schema: ['integer', 'The version of the JSON formats, as `version` in reports.', 1],
      catalogue: [
        {
          ...catalogue,
          hash: [
            'string',
            'A digest of the built-in catalogue: the same digest, the same actions and operations.',
            `sha256:${'0'.repeat(64)}`,
          ],
        },
        'The built-in action catalogue.',
      ],
      node: ['string', 'The version of Node that runs it.', '22.12.0'],
      platform: ['string', 'The operating system, as Node names it.', 'linux'],
      arch: ['string', 'The processor, as Node names it.', 'x64'],
    },
  },
  'catalogue-info': {
    title: 'grantwise catalogue info',
    description: 'What `grantwise catalogue info --format json` prints: the catalogue, or one product.',
    shape: either(
      {
        catalogue: [
          {
            source: ['string', 'Where it is from.', 'built in'],
            ...catalogue,
            operations: [mapOf('integer'), 'The number of operations of each branch.', { v1: 4102 }],
            types: texts('The resource types.', 'vps'),
            products: [
              [
                {
                  name: ['string', 'The product.', 'vps'],
                  seen: ['string|null', 'The month in which it was seen.', '2025-10'],
                  actions: ['integer', 'The number of its actions.', 80],
                  types: texts('Its resource types.', 'vps'),
                },
              ],
              'The products.',
            ],
          },
          'The catalogue.',
        ],
      },
      {
        product: [
          {
            name: ['string', 'The product.', 'vps'],
            'seen?': ['string|null', 'The month in which it was seen.', '2025-10'],
            types: texts('Its resource types.', 'vps'),
            actions: [
              [
                {
                  name: ['string', 'The action.', reboot],
                  since: ['string|null', 'The month from which on it is known.', null],
                  deprecated: [
                    orNull({
                      'from?': ['string', 'The day since which it is deprecated.', '2026-01-02'],
                      'until?': ['string', 'The day on which it is removed.', '2027-01-02'],
                      replacedBy: texts('The actions that replace it.', reboot),
                    }),
                    'Since when it is deprecated, and what replaces it; `null`: it is not.',
                    null,
                  ],
                  operations: calls('The calls that need it.'),
                },
              ],
              'Its actions.',
            ],
          },
          'One product.',
        ],
      },
    ),
  },
  least: {
    title: 'grantwise least',
    description: 'What `grantwise least --format json` prints: policies that allow just the recorded calls.',
    shape: {
      verdict: [
        { enum: ['none', 'proposed', 'within', 'beyond', 'undecided'] },
        'How the proposal compares with the policies in force.',
        'proposed',
      ],
      policies: [['plainPolicy'], 'The policies.'],
      fewest: ['boolean', 'Whether no fewer policies would do.', true],
      generalise: ['string', 'How far resources were generalised.', 'none'],
      widened: [
        [
          {
            kind: [{ enum: ['action', 'resource'] }, 'What the pattern is over.', 'resource'],
            pattern: ['string', 'The pattern.', 'urn:v1:eu:resource:vps:*'],
            identities: texts('The identities that the proposal grants it to.', user),
            used: texts('The names that were used and that it matches.', vps),
            adds: [orNull(['string']), 'The catalogue actions that it matches and that were not used; `null`: unknown.', null],
          },
        ],
        'What grants more than was used.',
        [],
      ],
      records: ['integer', 'The number of recorded calls.', 120],
      letThrough: ['integer', 'The number of calls that were let through.', 118],
      uses: uses('What was used, and how often.'),
      refused: uses('What was refused, and how often.'),
      alsoRefused: uses('What was used and, at other times, refused.'),
      leftOut: uses('What is not granted, and why.'),
      unmet: uses('What the proposal does not allow.'),
      difference: [orNull('difference'), 'What the proposal changes of the policies in force.', null],
      noLongerAllowed: [orNull(['use']), 'What was used and would be refused.', null],
      'unused?': [
        [
          {
            ...entryPlace,
            'address?': ['string', 'The address of the policy in a Terraform configuration or plan.', 'svc_iam_policy.readers'],
            group: ['string|null', 'The permissions group that it comes from.', null],
            identities: texts('The identities that the policy names.', user),
            resources: texts('The resources that the policy names.', vps),
            actions: texts('Actions of the catalogue that it grants and that were not used.', reboot),
            whole: ['boolean', 'Whether nothing that it grants was used.', true],
          },
        ],
        'With `--unused`: the entries that grant what was not used.',
        [],
      ],
      otherEntries: counted('The number of lines that record no call.'),
      badLines: counted('The number of lines that cannot be read.'),
    },
  },
  'can-plan': {
    title: 'grantwise decision about a plan',
    description: 'What `grantwise can --plan PLAN --format json` prints: whether an identity may apply a Terraform plan.',
    shape: {
      verdict,
      identity: ['string', 'Who applies the plan: a URN.', user],
      ...appliedPlan,
      needs: [[decidedNeed], 'The actions that applying the plan needs.', []],
      unknown: applyGaps,
    },
  },
  'can-code': {
    title: 'grantwise decision about a program',
    description: 'What `grantwise can --code PATH --format json` prints: whether an identity may make the calls of the API in source code.',
    shape: {
      verdict,
      identity: ['string', 'Who runs the program: a URN.', user],
      ...codeRead,
      needs: [[{ ...codeNeed, ...decision }], 'The actions that the calls need.', []],
      ...codeRest,
    },
  },
  'diff-plan': {
    title: 'grantwise difference about a plan',
    description:
      'What `grantwise diff BEFORE AFTER --plan PLAN --format json` prints: what applying a Terraform plan needs, before and after a change of policies.',
    shape: {
      verdict: [{ enum: ['changed', 'same', 'undecided'] }, '`undecided`: nothing is known to change, and not all is known.', 'changed'],
      identity: ['string', 'Who applies the plan: a URN.', user],
      ...appliedPlan,
      before: ['verdict', 'Whether the identity may apply the plan by BEFORE.', 'allow'],
      after: ['verdict', 'Whether the identity may apply the plan by AFTER.', 'deny'],
      lost: [[decidedNeed], 'The actions that BEFORE allows and AFTER denies, as AFTER decides them.', []],
      gained: [[decidedNeed], 'The actions that BEFORE denies and AFTER allows, as AFTER decides them.', []],
      missing: [[decidedNeed], 'The actions that both deny, as AFTER decides them.', []],
      undecided: [[decidedNeed], 'The actions that one of them does not decide, as AFTER decides them.', []],
      unknown: applyGaps,
    },
  },
  'least-plan': {
    title: 'grantwise least for a plan',
    description: 'What `grantwise least --from PLAN --format json` prints: policies that allow what applying a Terraform plan needs.',
    shape: {
      verdict: [{ enum: ['proposed', 'undecided', 'none'] }, '`undecided`: not all that it needs is known.', 'proposed'],
      identity: ['string', 'Who applies the plan: a URN.', user],
      ...appliedPlan,
      policies: [['plainPolicy'], 'The policies.', []],
      needs: [[applyNeed], 'The actions that applying the plan needs.', []],
      unknown: applyGaps,
    },
  },
  'least-code': {
    title: 'grantwise least for source code',
    description:
      'What `grantwise least --from CODE --format json` prints: policies that allow what the calls of the API in source code need.',
    shape: {
      verdict: [{ enum: ['proposed', 'undecided', 'none'] }, '`undecided`: not all that it needs is known.', 'proposed'],
      identity: ['string', 'Who runs the program: a URN.', user],
      ...codeRead,
      policies: [['plainPolicy'], 'The policies.', []],
      fewest: ['boolean', 'Whether the number of policies is proved minimal.', true],
      generalise: ['string', 'How far the policies were widened.', 'none'],
      widened: [
        [
          {
            kind: [{ enum: ['action', 'resource'] }, 'What was widened.', 'action'],
            pattern: ['string', 'The pattern.', 'vps:apisvc:snapshot/*'],
            used: texts('The names that it replaces.', reboot),
            adds: [orNull({ type: 'array', items: { type: 'string' } }), 'The known actions that it adds; `null` for resources.', []],
          },
        ],
        'Patterns in place of what the code names.',
        [],
      ],
      needs: [[codeNeed], 'The actions that the calls need.', []],
      ...codeRest,
    },
  },
  'least-rules': {
    title: 'grantwise least access rules',
    description: 'What `grantwise least --access-rules --format json` prints: access rules that allow just the recorded calls.',
    shape: {
      records: ['integer', 'The number of recorded calls.', 120],
      letThrough: ['integer', 'The number of calls that were let through.', 118],
      calls: ['integer', 'The number of distinct calls.', 12],
      operations: ['integer', 'The number of operations.', 5],
      generalise: ['string', 'How far calls were generalised.', 'none'],
      verdict: ['string', 'How the proposal compares with the rules in force.', 'proposed'],
      accessRules: [['withRest'], 'The access rules.'],
      open: calls('Calls that need no rule.'),
      unknown: calls('Calls of operations that are not known.'),
      left: [mapOf('integer'), 'The number of records that were left out, by the reason.', { refused: 0, bad: 0 }],
      current: [
        orNull({
          outside: [['access'], 'Rules that the rules in force do not allow.', []],
          unused: [['withRest'], 'Rules in force that no call needs.', []],
          wider: [['withRest'], 'Rules in force that allow more than was called.', []],
          refusing: calls('Calls that the rules in force refuse.'),
        }),
        'How the rules in force compare; `null` without them.',
        null,
      ],
    },
  },
  credential: {
    title: 'grantwise access rules',
    description:
      'Access rules of a consumer key: a request for a credential, as `from-operations` and `least --access-rules` print it, or a credential as the service returns it.',
    files: ['*.grantwise-access-rules.json', '*.grantwise-access-rules.yaml', '*.grantwise-access-rules.yml'],
    strict: true,
    shape: either('keyRequest', 'key'),
  },
  refusal: {
    title: 'grantwise 403 body',
    description: 'The body of a response with status 403, as `grantwise call --from-403` reads it.',
    shape: {
      'class?': ['string', 'The class of the error.', 'Client::Forbidden'],
      message: ['string', 'The message of the error.', 'User not granted for this request'],
      'details?': [
        orNull({
          'unauthorizedActionsByIAM?': ['string|null', 'The actions that the policies do not allow, separated by commas.', reboot],
          'unauthorizedActionsByAuthentication?': ['string|null', 'The actions that the authentication does not carry.', ''],
        }),
        'The actions that were refused.',
        { unauthorizedActionsByIAM: reboot },
      ],
    },
  },
  lockfile: {
    title: 'grantwise lockfile',
    description: 'What policies allow, as `grantwise lock` writes it for review.',
    files: ['grantwise.lock', '*.grantwise.lock'],
    strict: true,
    shape: {
      'grantwise-lock': onlyVersion,
      policies: [worldField('policies'), 'What is allowed and denied, as policies.', [examplePolicy]],
    },
  },
  'access-budget': {
    title: 'grantwise access budget',
    description: 'The risky access that each team may have at most, as `grantwise budget --update` writes it.',
    files: ['grantwise-budget.yaml', '*.grantwise-budget.yaml', '*.grantwise-budget.yml'],
    strict: true,
    shape: {
      'grantwise-budget': onlyVersion,
      categories: [[{ enum: riskCategories }], 'The kinds of damage whose actions are counted.', ['destruction']],
      teams: [
        [
          {
            name: ['string', 'The name of the team. `others` has the identities that no other team has.', 'web'],
            'identities?': [
              { type: 'array', minItems: 1, items: { type: 'string' } },
              'URNs or patterns of users, groups and service accounts. Not of `others`.',
              ['urn:v1:eu:identity:group:ab12-svc/web'],
            ],
            ...writtenNumbers,
            'perhaps?': [writtenNumbers, 'How much more there may be, by facts that are not known.'],
          },
        ],
        'The teams, with the most access that each may have.',
        [{ name: 'web', identities: ['urn:v1:eu:identity:group:ab12-svc/web'], described: 12, undescribed: 3 }],
      ],
      'raised?': [
        [
          {
            team: ['string', 'The name of the team.', 'web'],
            from: [writtenNumbers, 'The numbers of the team before it was raised.'],
            to: [writtenNumbers, 'The numbers of the team since then.'],
            date: ['string', 'The day on which it was raised.', '2026-12-01'],
            reason: ['string', 'The reason why it was raised.', 'the shop moved to the team'],
          },
        ],
        'Numbers that were raised on purpose, the latest last. Not to be edited.',
      ],
    },
  },
  review: {
    title: 'grantwise review',
    description: 'A review of access: what is to be decided and what was, as `grantwise review` writes it and reviewers fill it in.',
    files: ['grantwise-review.yaml', '*.grantwise-review.yaml', '*.grantwise-review.yml'],
    strict: true,
    shape: {
      'grantwise-review': onlyVersion,
      'round?': ['string', 'The name of the round, which its decisions are recorded with.', '2026-Q4'],
      'due?': ['string', 'The day at whose end everything has to be decided.', '2026-12-31'],
      'owners?': [
        [
          {
            policies: ['string', 'A pattern over the names of policies.', 'web *'],
            owner: ['string', 'The person who decides about them.', 'kim'],
          },
        ],
        'The owners of policies; the first that matches counts.',
      ],
      open: [
        [
          {
            ...reviewedGrant,
            'used?': ['string', 'How recorded calls use it.', '12 times, last on 2026-11-03; 0 calls refused that it would allow'],
            'since?': ['string', 'Since which commit the identity has it.', 'since 2026-09-01 1a2b3c4 by kim'],
            'previous?': ['string', 'The decision that is no longer valid.', 'keep by kim on 2026-09-30'],
            'changed?': texts(
              'How the access differs from the one that was decided about.',
              'gained: ann may vps:apisvc:reboot on vps:vps-1',
            ),
            'decision?': [orNull({ enum: reviewChoices }), 'What is decided; without a value, nothing yet.', 'keep'],
            'until?': [orNull('string'), 'The last day of the access, of `shorten`.', '2027-03-31'],
            'by?': [orNull('string'), 'The person who decides.', 'kim'],
            'date?': [orNull('string'), 'The day of the decision; without a value, the day on which it is recorded.', '2026-12-01'],
            'reason?': [orNull('string'), 'The reason of the decision.', 'still on call'],
          },
        ],
        'The grants that are to be decided.',
        [{ policy: 'web readers', identity: user, access: [examplePolicy], decision: null, by: null }],
      ],
      decisions: [
        [
          {
            ...reviewedGrant,
            decision: [{ enum: reviewChoices }, 'The decision about the grant.', 'keep'],
            'until?': ['string', 'The last day of the access, of `shorten`.', '2027-03-31'],
            by: ['string', 'The person who decided.', 'kim'],
            date: ['string', 'The day of the decision.', '2026-12-01'],
            'reason?': ['string', 'The reason of the decision.', 'still on call'],
            'round?': ['string', 'The name of its round.', '2026-Q4'],
            'lock?': [
              'string',
              'The SHA-256 of the lockfile of all policies at the time.',
              '6a8b58cfeb5654e5dd06e7e4e109766a656bfca3a6dedbd9e004380e203bd52b',
            ],
            hash: [
              'string',
              'The SHA-256 of this decision and of the hash before it.',
              '6a8b58cfeb5654e5dd06e7e4e109766a656bfca3a6dedbd9e004380e203bd52b',
            ],
          },
        ],
        'The decisions, in the order in which they were made. Not to be edited.',
        [
          {
            policy: 'web readers',
            identity: user,
            access: [examplePolicy],
            decision: 'keep',
            by: 'kim',
            date: '2026-12-01',
            hash: '6a8b58cfeb5654e5dd06e7e4e109766a656bfca3a6dedbd9e004380e203bd52b',
          },
        ],
      ],
      'chain?': ['string', 'The hash of the last decision.', '6a8b58cfeb5654e5dd06e7e4e109766a656bfca3a6dedbd9e004380e203bd52b'],
    },
  },
  seed: {
    title: 'grantwise emulator seed',
    description: 'The initial state of the emulator, for `grantwise serve --seed`: policies with an inventory, and who can log in.',
    files: ['*.grantwise-seed.json', '*.grantwise-seed.yaml', '*.grantwise-seed.yml'],
    strict: true,
    shape: {
      '$schema?': schemaAt('seed'),
      'account?': [worldField('account'), 'The account that owns the policies.', 'ab12-svc'],
      'policies?': [worldField('policies'), 'The policies, as in a policy file.', [examplePolicy]],
      'permissionsGroups?': [
        worldField('permissionsGroups'),
        'Permissions groups of the account, which policies include by URN.',
        [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:deployers' }],
      ],
      'resourceGroups?': [
        worldField('resourceGroups'),
        'Resource groups with their members.',
        [{ urn: 'urn:v1:eu:resourceGroup:0b1c2d3e', resources: [{ urn: vps }] }],
      ],
      'resources?': [
        worldField('resources'),
        'The resources there are, with their owners and tags.',
        [{ urn: vps, tags: { env: 'prod' } }],
      ],
      'identities?': [
        worldField('identities'),
        'The identities there are, and the groups they belong to.',
        [{ urn: user, groups: ['urn:v1:eu:identity:group:ab12-svc/ops'] }],
      ],
      'standIn?': [
        {
          'accounts?': [
            [
              {
                id: ['string', 'Name of the account.', 'ab12-svc'],
                region: [{ enum: ['eu', 'ca'] }, 'The region of its host.', 'eu'],
                'schemasVersion?': [{ type: 'integer', minimum: 1 }, 'The major version of schemas that it chose.', 1],
              },
            ],
            'Accounts of customers, each on the host of a region.',
          ],
          'serviceAccounts?': [
            [
              {
                identity: ['string', 'URN of the service account.', 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.0123456789abcdef'],
                'secret?': ['string|null', 'Secret of the service account. Left out: one is generated and printed.', 'example-secret'],
                'secretDigest?': ['string|null', 'SHA-256 of the secret, in place of `secret`.', '0'.repeat(64)],
                'name?': ['string|null', 'Name that the console shows.', 'deployment'],
              },
            ],
            'Service accounts that can get a token.',
          ],
          'applications?': [
            [
              {
                name: ['string', 'Name of the application.', 'dashboard'],
                'description?': ['string|null', 'What the application is for.', 'shows servers'],
                key: ['string', 'Key of the application.', 'example-key'],
                secret: ['string', 'Secret of the application, which signs its calls.', 'example-secret'],
                'account?': ['string|null', 'Account that registered the application.', 'ab12-svc'],
              },
            ],
            'Applications that sign calls with a consumer key.',
          ],
          'credentials?': [
            [
              {
                consumerKey: ['string', 'The consumer key itself.', 'example-consumer-key'],
                application: ['string', 'Key of the application that it belongs to.', 'example-key'],
                identity: ['string', 'Who logged in: an account, or a user.', user],
                accessRules: [['access'], 'What the consumer key may call.'],
                'expiresAt?': ['string|null', 'When the consumer key expires, RFC 3339.', time],
              },
            ],
            'Consumer keys of applications, each of somebody who logged in.',
          ],
          'resources?': [
            [
              {
                urn: ['string', 'URN of the resource.', 'urn:v1:eu:resource:vmwareCloudDirectorBackup:backup-1'],
                path: ['string', 'Path of the resource in the API, with the branch.', '/v2/vmwareCloudDirector/backup/backup-1'],
                'owner?': ['string|null', 'Account that owns the resource.', 'ab12-svc'],
                currentState: ['object', 'Current state, as the API returns it.', { offers: ['daily'] }],
                'targetSpec?': ['object', 'Target state, as the API returns it. Left out: the current one.', { offers: ['daily'] }],
              },
            ],
            'Resources with a current and a target state.',
          ],
        },
        'Who can log in, and what else only the emulator needs.',
        { accounts: [{ id: 'ab12-svc', region: 'eu' }] },
      ],
    },
  },
  ready: {
    title: 'grantwise ready file',
    description: 'What `grantwise serve --ready-file` writes when the emulator listens.',
    shape: {
      grantwise: [{ enum: ['ready'] }, 'What the file is.', 'ready'],
      version: ['string', 'The version of grantwise.', '1.0.0'],
      pid: ['integer', 'The number of the process.', 4711],
      process: ['string', 'The process, and when it started.', '4711'],
      url: ['string', 'The URL of the emulator.', 'http://127.0.0.1:8080'],
      health: ['string', 'The URL that answers when it runs.', 'http://127.0.0.1:8080/health'],
      regions: [
        mapOf({
          url: ['string', 'The URL of the API.', 'http://127.0.0.1:8080/eu'],
          token: ['string', 'The URL of the token endpoint.', 'http://127.0.0.1:8080/eu/auth/oauth2/token'],
          console: ['string', 'The URL of the console.', 'http://127.0.0.1:8080/eu/console'],
        }),
        'The URLs of each region.',
        {},
      ],
      accounts: [[{ id: ['string', 'The account.', 'ab12-svc'], region: ['string', 'The region of its host.', 'eu'] }], 'The accounts.'],
      serviceAccounts: [
        [
          {
            identity: ['string', 'Its identity.', 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.0123456789abcdef'],
            account: ['string', 'Its account.', 'ab12-svc'],
            clientId: ['string', 'Its client id.', 'EU.0123456789abcdef'],
            'clientSecret?': ['string', 'Its secret, where it was generated.', 'example-secret'],
          },
        ],
        'The service accounts.',
      ],
      applications: [[{ key: ['string', 'Its key.', 'example-key'], name: ['string', 'Its name.', 'dashboard'] }], 'The applications.'],
      'demonstration?': [
        {
          clientId: ['string', 'The client id of a service account.', 'EU.demonstration'],
          clientSecret: ['string', 'Its secret.', 'demonstration-secret-known-to-all'],
          applicationKey: ['string', 'The key of an application.', 'demonstrationkey'],
          applicationSecret: ['string', 'The secret of the application.', 'demonstrationsecretknowntoall000'],
          consumerKey: ['string', 'A consumer key of the application.', 'demonstrationconsumerkey00000000'],
        },
        'The published credentials that `--demo-credentials` adds.',
      ],
      control: [
        { url: ['string', 'The URL.', 'http://127.0.0.1:8080/_emulator'], token: ['string', 'The token.', 'example-token'] },
        'How to control the emulator.',
      ],
    },
  },
  'request-log': {
    title: 'grantwise request log',
    description: 'One line that `grantwise serve --request-log` writes.',
    shape: {
      at: ['string', 'The time of the response, RFC 3339.', time],
      method: ['string', 'The method.', 'GET'],
      path: ['string', 'The path that was called.', '/v1/vps/vps-1'],
      status: ['integer', 'The status of the response.', 200],
      milliseconds: ['number', 'How long it took.', 1.25],
      ip: ['string|null', 'The IP address of the call.', '192.0.2.7'],
      account: ['string|null', 'The account that was called.', 'ab12-svc'],
      identity: ['string|null', 'Who called.', user],
      operation: ['string|null', 'The path of the operation.', '/v1/vps/{serviceName}'],
      verdict: ['string|null', 'The verdict.', 'allow'],
    },
  },
  'effective-config': {
    title: 'grantwise effective configuration',
    description: 'What `grantwise lint --print-config FILE` prints.',
    shape: {
      file: ['string', 'The file that it applies to.', 'policies/team.yaml'],
      configurations: texts('The files of the configuration, those that are overridden first.', '.grantwise.yaml'),
      brand: ['string', 'The brand word of actions.', 'svc'],
      regions: texts('The regions.', 'eu'),
      failOn: ['string', 'The severity from which on the run fails.', 'warning'],
      ignores: [
        [
          {
            files: texts('Patterns of files.', 'old/**'),
            codes: texts('Codes of rules.', 'expired'),
            'policy?': ['string', 'The policy.', 'web readers'],
            reason: ['string', 'The reason.', 'reviewed in May'],
            'until?': ['string', 'The last day, `YYYY-MM-DD`.', '2027-01-31'],
          },
        ],
        'What is suppressed.',
        [],
      ],
      rules: [
        {
          type: 'object',
          additionalProperties: {
            anyOf: [level, { type: 'array', minItems: 2, maxItems: 2, items: [level, { type: 'object' }] }],
          },
        },
        'The level of each rule, or its level and options.',
        { expired: 'warning', 'expires-soon': ['info', { days: 14 }] },
      ],
      origins: [
        { type: 'object', additionalProperties: { type: 'string' } },
        'Where each value comes from that is no default: file, line and column, or an option. Keys are fields, `preset`, and `rules.`, `guardrails.`, `ruleModules.` and `ignores.` with a code, a name or a number.',
        { 'rules.expired': '.grantwise.yaml:3:3' },
      ],
    },
  },
  gitlab: {
    title: 'grantwise Code Quality report',
    description: 'What `grantwise lint --format gitlab` and `grantwise diff --format gitlab` print.',
    shape: [
      {
        description: ['string', 'What is wrong, with the code of the rule.', 'expired: the policy has expired'],
        check_name: ['string', 'The code of the rule.', 'expired'],
        fingerprint: ['string', 'What the finding is recognised by.', '9f86d081884c7d659a2feaa0c55ad015'],
        severity: [{ enum: ['info', 'minor', 'major', 'critical', 'blocker'] }, 'The severity.', 'major'],
        location: [
          {
            path: ['string', 'The file.', 'policies/team.yaml'],
            lines: [{ begin: place.line, 'end?': ['integer', 'The last line.', 9] }, 'The lines.'],
            positions: [{ begin: [point, 'The first position.'], end: [point, 'The last position.'] }, 'The first and the last position.'],
          },
          'Where it is.',
        ],
      },
    ],
  },
}

/** The answers that have a record with `--coverage`. */
const answers = [
  'lint',
  'can',
  'call',
  'grant',
  'who',
  'what',
  'diff',
  'suggest',
  'compare',
  'escalate',
  'policies',
  'matrix',
  'timeline',
  'minimise',
  'replay',
  'least',
  'least-rules',
]
for (const name of answers) {
  const { shape } = printed[name]
  const fields = typeof shape === 'string' ? shared[shape] : shape
  printed[name].shape = { ...fields, 'coverage?': ['coverage', 'What was read, passed over and assumed, with `--coverage`.'] }
}
