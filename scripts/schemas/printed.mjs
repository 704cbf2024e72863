// What the program prints as JSON, and the files of one line or one shape that it reads: the source of the schemas that
// `scripts/schemas.mjs` writes. A field is [shape, description, example]; a name that ends in `?` may be missing.

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
const verdict = ['verdict', 'Whether it is allowed.', 'allow']
const reason = ['reason', 'Why: `granted`, `denied` (explicitly), `default` (nothing grants it), `root` or `unknown`.', 'granted']
const clauses = [['clause'], 'The policy entries that decide it.']
const missing = [['string'], 'The facts that would settle an unknown verdict.', ['request.IP']]
const caveats = [['string'], 'What the verdict rests on and is not published of the service.', []]
const condition = ['string|null', 'The condition under which it holds; `null`: always.', 'request.IP in 192.0.2.0/24']
const question = {
  identity: ['string', 'Who asks: a URN.', user],
  action: ['string', 'The action.', reboot],
  resource: ['string', 'The resource: a URN.', vps],
}
const decision = { verdict, reason, clauses, missing, caveats }
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
const complete = ['boolean', 'Whether the list is complete.', true]
const reasons = [['string'], 'Why the list is not complete.', []]
const several = {
  'identities?': [['string'], 'Identities.', [user]],
  'actions?': [['string'], 'Actions, or patterns over actions.', [reboot]],
  'resources?': [['string'], 'Resources, or patterns over resources.', [vps]],
}
const catalogue = {
  seen: ['string', 'The month in which the catalogue was seen, `YYYY-MM`.', '2025-10'],
  actions: ['integer', 'The number of its actions.', 4398],
}
const finding = {
  code: ['string', 'The code of the rule.', 'resource-urn'],
  severity: ['severity', 'The severity.', 'error'],
  message: ['string', 'What is wrong. Messages may change in any release.', 'unknown field `identity`'],
  help: ['string', 'What to do; empty where nothing is known.', 'did you mean `identities`?'],
  ...place,
  endLine: ['integer', 'The line of the end, from 1.', 9],
  endColumn: ['integer', 'The column of the end, exclusive.', 24],
  policy: ['string|null', 'The policy that it is about.', 'web readers'],
  fixable: ['boolean', 'Whether `--fix` removes it.', false],
  url: ['string', 'The page of the rule.', 'https://docs.example.org/rules/resource-urn.md'],
}
const witness = {
  ...question,
  groups: [['string'], 'Groups of the identity.', []],
  ip: ['string|null', 'The IP address of the request.', '192.0.2.1'],
  tags: ['texts', 'Tags of the resource.', {}],
  at: ['string', 'The time of the request, RFC 3339.', time],
}
const region = {
  identities: [['string'], 'Patterns over identities.', [user]],
  actions: [['string'], 'Patterns over actions.', ['vps:*']],
  resources: [['string'], 'Patterns over resources.', ['urn:v1:eu:resource:vps:*']],
  condition,
  witness: [witness, 'One request that shows it: `can` answers it accordingly on both sides.'],
  causes: [
    [
      {
        'file?': place.file,
        'line?': place.line,
        'side?': ['string', 'The side of the edit: `before` or `after`.', 'after'],
        'change?': ['string', 'What was done to it.', 'added'],
      },
    ],
    'The edits that are responsible.',
  ],
}

const only = (text) => ({
  identity: ['string', text, user],
  only: [['object'], 'What only this one may do, with the entries that grant it.', []],
  combinations: ['integer', 'The number of combinations of action and resource.', 12],
})
const amount = { policies: ['integer', 'The number of policies.', 12], entries: ['integer', 'The number of entries.', 80] }

/** Shapes that several schemas share. */
export const shared = {
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
    'identity?': [placed(user), 'The entry of `identities` through which it applies.'],
    'through?': ['string|null', 'The group through which it applies to the identity.', 'urn:v1:eu:identity:group:ab12-svc/ops'],
    'resource?': [
      { ...placed('urn:v1:eu:resource:vps:*'), 'group?': ['string|null', 'The resource group that holds the resource.', null] },
      'The entry of `resources` through which it applies.',
    ],
    'conditions?': [['object'], 'The comparisons of its condition, with their values here.', []],
  },
}

const url = ['string', 'The address of this schema, for editors.', 'baseline.schema.json']

/** Every schema: what it is about, the files it is for, and its shape. `{}` as a shape: an object that is described in prose. */
export const printed = {
  lint: {
    title: 'grantwise lint report',
    description: 'What `grantwise lint --format json` prints.',
    shape: {
      version: ['integer', 'The version of this format.', 1],
      files: ['integer', 'The number of files.', 3],
      summary: [
        {
          error: ['integer', 'The number of errors.', 1],
          warning: ['integer', 'The number of warnings.', 0],
          info: ['integer', 'The number of findings of severity `info`.', 0],
        },
        'The number of findings by severity.',
      ],
      findings: [[finding], 'The findings, by file, line, column and code.'],
      'unread?': [
        [
          {
            file: ['string|null', 'The file; `null` for the whole run.', 'p.yaml'],
            message: ['string', 'Why it could not be read.', 'permission denied'],
          },
        ],
        'The files that could not be read.',
      ],
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
                reason: ['string', 'The reason that was given.', 'reviewed in May'],
              },
            ],
            'The suppressed findings, with `--show-suppressed`.',
          ],
        },
        'The number of suppressed findings.',
      ],
      'unknown?': [['object'], 'Unknown values of Terraform.', []],
      'uncreated?': [['object'], 'Resources of Terraform that are created zero times.', []],
    },
  },
  finding: { title: 'grantwise finding', description: 'One line of `grantwise lint --format ndjson`.', shape: finding },
  can: {
    title: 'grantwise decision',
    description: 'What `grantwise can --format json` prints.',
    shape: {
      ...decision,
      'time?': ['object|null', 'How the verdict changes with time.', null],
      'completions?': [['object'], 'With `--explain`: facts that would settle an unknown verdict, and the verdict they give.', []],
      'policies?': [['object'], 'With `--explain`: how every policy was evaluated.', []],
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
      'expect?': ['verdict', 'The verdict that is expected; the answer says whether it is the one.', 'allow'],
    },
  },
  answer: {
    title: 'grantwise batch answer',
    description: 'One line that `grantwise can --batch` prints: an answer, or why the line is no question.',
    shape: {
      id: ['any', 'The `id` of the question.', 1],
      'verdict?': verdict,
      'reason?': reason,
      'clauses?': clauses,
      'missing?': missing,
      'caveats?': caveats,
      'expected?': ['boolean', 'Whether the verdict is the one that was expected.', true],
      'line?': ['integer', 'The line that is no question, from 1.', 3],
      'error?': ['string', 'What is wrong with it.', 'missing field `action`'],
    },
  },
  call: {
    title: 'grantwise call decision',
    description: 'What `grantwise call --format json` prints.',
    shape: {
      call: [
        {
          branch: ['string', 'The branch of the API.', 'v1'],
          method: ['string', 'The method.', 'GET'],
          path: ['string', 'The path of the operation.', '/hosting/web/{serviceName}'],
        },
        'The operation.',
      ],
      'verdict?': verdict,
      'requirements?': [
        [{ ...question, identity: undefined, required: ['boolean', 'Whether the call needs it.', true], ...decision }],
        'The actions that the call needs, each with its decision.',
      ],
      'credential?': ['object|null', 'What the access rules of the consumer key say.', null],
      missing: [['string'], 'The facts that would settle an unknown verdict.', []],
      notes: [['string'], 'Remarks on the answer.', []],
    },
  },
  who: {
    title: 'grantwise who',
    description: 'What `grantwise who --format json` prints.',
    shape: {
      who: [
        [
          {
            'identity?': ['string', 'A pattern over identities.', 'urn:v1:eu:identity:user:ab12-svc/*'],
            ...several,
            verdict,
            condition,
            clauses,
          },
        ],
        'Those who may.',
      ],
      unknown: [['object'], 'Those of whom it is unknown.', []],
      'denied?': [['object'], 'Those who are denied, where the question is about several.', []],
      complete,
      'reasons?': reasons,
      'counts?': [counts, 'How much is allowed, unknown and denied.'],
    },
  },
  what: {
    title: 'grantwise what',
    description: 'What `grantwise what --format json` prints.',
    shape: {
      what: [
        [
          {
            'resource?': ['string', 'A pattern over resources.', 'urn:v1:eu:resource:vps:*'],
            ...several,
            'except?': [['string'], 'What is subtracted.', ['vps:apisvc:reinstall']],
            condition,
            clauses,
          },
        ],
        'What the identity may do.',
      ],
      complete,
      'reasons?': reasons,
      'catalogue?': [catalogue, 'The catalogue that actions are counted by.'],
      'denied?': [['object'], 'What is denied, where the question is about several.', []],
      'counts?': [counts, 'How much is allowed, unknown and denied.'],
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
    shape: {
      verdict: [{ enum: ['same', 'changed', 'undecided'] }, 'Whether the access differs.', 'changed'],
      gained: [[region], 'The access that only AFTER grants.'],
      lost: [[region], 'The access that only BEFORE grants.'],
      undecided: ['any', 'What could not be compared.', []],
      'described?': ['object|null', 'The changes for described identities and resources.', null],
      'beyond?': ['any', 'The access beyond the ceiling.', []],
    },
  },
  suggest: {
    title: 'grantwise suggestions',
    description: 'What `grantwise suggest --format json` prints.',
    shape: {
      version: ['integer', 'The version of this format.', 1],
      question: [question, 'The question.'],
      to: ['string', 'The wanted verdict.', 'allow'],
      answer: [{ enum: ['already', 'unknown', 'root', 'edits'] }, 'Whether edits are needed, and can help.', 'edits'],
      today: [decision, 'The decision by the policies as they are.'],
      suggestions: [
        [
          {
            edits: [['object'], 'The edits, each with its place and a sentence.', []],
            decision: [decision, 'The decision after the edits.'],
            others: ['object', 'All that changes besides.', { verdict: 'same', gained: [], lost: [] }],
            diff: ['string', 'The edits as a unified diff.', ''],
          },
        ],
        'The suggestions, the smallest first.',
      ],
      conditional: [['object'], 'Policies that would allow it if their condition held.', []],
      membership: ['object|null', 'A group whose members are allowed.', null],
    },
  },
  baseline: {
    title: 'grantwise baseline',
    description: 'Findings that are known and accepted, as `grantwise lint --write-baseline FILE` writes them.',
    files: ['.grantwise-baseline.json', '*.grantwise-baseline.json'],
    shape: {
      '$schema?': url,
      version: [{ enum: [1] }, 'The version of this format.', 1],
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
        'The findings.',
      ],
    },
  },
  'pull-record': {
    title: 'grantwise pull record',
    description: 'What `grantwise pull` remembers of the files that it wrote: `.grantwise-pull.json`.',
    files: ['.grantwise-pull.json'],
    shape: {
      version: [{ enum: [1] }, 'The version of this format.', 1],
      'account?': ['string', 'The account.', 'ab12-svc'],
      policies: ['object', 'The file and the digest of each policy, by its id.', {}],
      world: ['texts', 'The digest of each part of the inventory.', {}],
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
      'actions?': ['any', 'The actions that the call needed, each with its resource and verdict.', []],
      'verdict?': ['string|null', 'The verdict.', 'allow'],
      'credential?': ['any', 'What the access rules of the consumer key said.', null],
      'status?': ['integer', 'The status of the response.', 200],
    },
  },
  test: {
    title: 'grantwise test report',
    description: 'What `grantwise test --format json` prints.',
    shape: {
      version: ['integer', 'The version of this format.', 1],
      files: ['integer', 'The number of test files.', 2],
      summary: [
        {
          passed: ['integer', 'The number of tests that pass.', 12],
          failed: ['integer', 'The number of tests that fail.', 0],
          undecided: ['integer', 'The number of tests that could not be decided.', 0],
          'left?': ['integer', 'The number of tests that were not run.', 0],
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
            'failures?': [['object'], 'What was expected, and what is so.', []],
          },
        ],
        'The tests.',
      ],
      'notes?': ['any', 'Remarks on the run.', []],
      'coverage?': ['object|null', 'Which entries no test decides by, with `--coverage`.', null],
    },
  },
  compare: {
    title: 'grantwise compare',
    description: 'What `grantwise compare --format json` prints.',
    shape: {
      at: ['string|null', 'The time that was asked about; `null`: all times.', null],
      'from?': ['string', 'The time from which on it holds.', time],
      verdict: ['string', 'Whether the two differ.', 'changed'],
      first: [only('The first identity.'), 'What only the first may do.'],
      second: [only('The second identity.'), 'What only the second may do.'],
      undecided: ['boolean', 'Whether a part could not be compared.', false],
    },
  },
  escalate: {
    title: 'grantwise escalation',
    description: 'What `grantwise escalate --format json` prints.',
    shape: {
      at: ['string|null', 'The time that was asked about; `null`: all times.', null],
      identity: ['string', 'The identity.', user],
      escalates: ['boolean', 'Whether it can raise its own rights.', false],
      reach: ['string', 'How far.', 'none'],
      certain: ['boolean', 'Whether that is certain.', true],
      gains: ['string|null', 'What it gains, in words.', null],
      example: ['object|null', 'A question whose answer it can turn.', null],
      path: [['object'], 'The steps, each with the grants that allow it.', []],
      denies: [['object'], 'Denies that stand in the way.', []],
      others: [['object'], 'Other ways.', []],
      'notFollowed?': [['object'], 'Actions that may raise rights and were not followed.', []],
      'from?': ['string', 'The time from which on it holds.', time],
    },
  },
  policies: {
    title: 'grantwise policies',
    description: 'What `grantwise policies --format json` prints.',
    shape: {
      at: ['string|null', 'The time that was asked about; `null`: all times.', null],
      'from?': ['string', 'The time from which on it holds.', time],
      'about?': ['object|null', 'What the policies concern.', { kind: 'identity', urn: user }],
      total: ['integer', 'The number of all policies.', 14],
      policies: [
        [
          {
            policy: ['string', 'The name of the policy.', 'web readers'],
            ...place,
            effect: ['string', 'Whether it grants or denies.', 'allow'],
            state: ['string', 'Whether it is in force.', 'active'],
            condition,
          },
        ],
        'The policies.',
      ],
    },
  },
  matrix: {
    title: 'grantwise matrix',
    description: 'What `grantwise matrix --format json` prints.',
    shape: {
      at: ['string|null', 'The time that was asked about; `null`: all times.', null],
      'from?': ['string', 'The time from which on it holds.', time],
      columns: [['object'], 'The resource types, or the resources.', [{ name: 'vps', type: 'vps', resources: 4 }]],
      rows: [
        [{ identity: ['string', 'The identity.', user], cells: [['object'], 'What it may do, for each column.', [{ level: 'read' }]] }],
        'The identities.',
      ],
      'unknownTypes?': ['any', 'Resource types that the catalogue does not know.', []],
      complete,
      'reasons?': reasons,
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
      changes: [
        [
          {
            at: ['string', 'The time of the change.', '2027-02-28T23:59:59Z'],
            verdict: ['string', 'Whether the access changes then.', 'changed'],
            gained: [['object'], 'The access that starts.', []],
            lost: [['object'], 'The access that ends.', []],
            causes: ['any', 'The policies that cause it.', []],
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
      version: ['integer', 'The version of this format.', 1],
      verdict: ['string', 'Whether fewer policies grant the same.', 'smaller'],
      before: [amount, 'How much there is.'],
      after: [amount, 'How much would remain.'],
      steps: [['object'], 'What is removed or merged, each with its place and the reason.', []],
      undecided: ['any', 'What could not be proved.', []],
      left: ['any', 'What was not looked at.', []],
      certificate: ['object', 'The proof that nothing is gained, lost or denied.', { gained: 'none', lost: 'none', denied: 'none' }],
      diff: ['string', 'The edits as a unified diff.', ''],
      'from?': ['string', 'The time from which on it holds.', time],
    },
  },
  replay: {
    title: 'grantwise replay',
    description: 'What `grantwise replay --format json` prints.',
    shape: {
      verdict: ['string', 'Whether recorded calls are decided otherwise.', 'changed'],
      records: ['integer', 'The number of recorded calls.', 120],
      counts: ['object', 'The number of calls by what becomes of them.', { refused: 1, allowed: 0, unknown: 0, same: 119 }],
      refused: [['object'], 'Calls that would be refused.', []],
      allowed: [['object'], 'Calls that would be allowed now.', []],
      unknown: [['object'], 'Calls of which it is unknown.', []],
    },
  },
  rule: {
    title: 'grantwise rule',
    description: 'What `grantwise rules CODE --format json` prints.',
    shape: {
      code: ['string', 'The code of the rule.', 'resource-urn'],
      severity: ['severity', 'The severity.', 'error'],
      preset: [{ enum: ['recommended', 'strict', 'auditor'] }, 'The smallest preset that has the rule.', 'recommended'],
      summary: ['string', 'What it finds.', 'A resource that is not a well-formed resource URN.'],
      why: ['string', 'Why that matters.', 'The service refuses it.'],
      options: [['object'], 'Its options.', []],
      fixes: [[{ enum: ['safe', 'suggested'] }], 'The fixes it has.', ['suggested']],
      canBeSwitchedOff: ['boolean', 'Whether a configuration can switch it off.', true],
      examples: [
        { bad: [['string'], 'Texts it finds.', ['resources: [{ urn: "*" }]']], good: [['string'], 'Texts it accepts.', ['resources: []']] },
        'Texts it finds and accepts.',
      ],
      url: ['string', 'The page of the rule.', 'https://docs.example.org/rules/resource-urn.md'],
    },
  },
  rules: {
    title: 'grantwise rules',
    description: 'What `grantwise rules --format json` prints: each rule as the schema `rule` has it.',
    shape: { rules: [['object'], 'The rules, by their codes.', [{ code: 'resource-urn', severity: 'error' }]] },
  },
  'catalogue-info': {
    title: 'grantwise catalogue info',
    description: 'What `grantwise catalogue info --format json` prints: the catalogue, or one product.',
    shape: {
      'catalogue?': [
        'object',
        'The catalogue: its source, date, products and types.',
        { source: 'built in', seen: '2025-10', actions: 4398 },
      ],
      'product?': ['object', 'One product: its date, types and actions.', { name: 'vps', seen: '2025-10', types: ['vps'], actions: [] }],
    },
  },
  least: {
    title: 'grantwise least',
    description: 'What `grantwise least --format json` prints: policies, or access rules, that allow just the recorded calls.',
    shape: {
      records: ['integer', 'The number of recorded calls.', 120],
      letThrough: ['integer', 'The number of calls that were let through.', 118],
      generalise: ['string', 'How far calls were generalised.', 'none'],
      verdict: ['string', 'Whether the proposal is proved.', 'same'],
      'policies?': [['object'], 'The policies.', []],
      'accessRules?': [['object'], 'The access rules.', []],
      'uses?': [['object'], 'What was used, and how often.', []],
      'refused?': [['object'], 'What was refused, and how often.', []],
      'difference?': ['object|null', 'What the proposal changes of the policies in force.', null],
    },
  },
}
