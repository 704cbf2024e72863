import type { ExitCode } from './exit.ts'
import type { Io } from './io.ts'
import {
  contextOptions,
  formatOption,
  type OptionEntry,
  type Options,
  rootOption,
  settingOptions,
  variableOptions,
  worldOptions,
} from './options.ts'

export type Run = (args: readonly string[], options: Options, io: Io) => Promise<ExitCode>

/** One command, as `--help` shows it and as it is started. */
export interface CommandEntry {
  readonly name: string
  /** In commander's notation: `<one>`, `[perhaps]`, `[many...]`; each with what it is. */
  readonly arguments: readonly (readonly [string, string])[]
  readonly summary: string
  readonly options: readonly OptionEntry[]
  /** Two or more, each with what it does. */
  readonly examples: readonly (readonly [string, string])[]
}

/** Words that stand here as well, so that the help is shown without loading the commands. */
const presets = ['recommended', 'strict', 'auditor']
const hooks = ['pre-commit', 'husky', 'lefthook', 'lint-staged']
const pipelines = ['github', 'gitlab']
const shells = ['bash', 'zsh', 'fish']
const ruleLevels = ['none', 'parameters', 'branches']
const generaliseLevels = ['none', 'known', 'actions', 'resources', 'types', 'all']

const buildFormats = ['sarif', 'github', 'gitlab', 'junit', 'checkstyle', 'markdown', 'agent']

/** Every command (spec: command line). */
export const commands: readonly CommandEntry[] = [
  {
    name: 'lint',
    arguments: [['[path...]', 'files, folders, globs, or - for standard input (default: `policies` of the configuration, else .)']],
    summary: 'find what is wrong in policy files',
    options: [
      formatOption(
        ['pretty', 'compact', 'json', 'ndjson', ...buildFormats],
        'how findings are written; FORMAT=FILE writes to a file; may be given again',
        true,
      ),
      { flags: '--rule <code=level>', many: true, text: 'the level of a rule: off, info, warning or error' },
      { flags: '--fix', text: 'mend, in the files, what can be mended without changing who may do what' },
      { flags: '--fix-dry-run', text: 'show what --fix would change, as a diff, and write nothing' },
      {
        flags: '--fix-level <level>',
        text: 'what is mended: safe, or suggested for what is only likely to be meant too (default: safe)',
        values: ['safe', 'suggested'],
      },
      { flags: '--preset <name>', text: 'the rules to start from: recommended, strict or auditor (default: recommended)', values: presets },
      {
        flags: '--fail-on <level>',
        text: 'the lowest level that makes the answer bad: error, warning, info or never (default: warning)',
        values: ['error', 'warning', 'info', 'never'],
      },
      { flags: '--quiet', text: 'show errors only' },
      { flags: '--at <time>', text: 'the instant at which expiry is judged, RFC 3339 (default: now)' },
      { flags: '--files-from <file>', text: 'the files named in a list, a line each or ended by NUL, or - for standard input' },
      { flags: '--staged', text: 'what the next git commit holds of them, where it adds or changes a file' },
      { flags: '--since <ref>', text: 'those that differ from a git commit, and those that git does not know yet' },
      { flags: '--stdin-filename <path>', text: 'what standard input (-) goes by: its name, notation and configuration' },
      { flags: '--if-policy', text: 'pass over named files that hold no policy' },
      { flags: '--fences', text: 'look in folders for Markdown too: policies in its fenced code blocks' },
      { flags: '--baseline <file>', text: 'leave out what the baseline records' },
      { flags: '--write-baseline <file>', text: 'record all that is found, to be left out with --baseline' },
      { flags: '--no-suppressions', text: 'do not leave out what comments and the configuration say to ignore' },
      { flags: '--show-suppressed', text: 'show what is left out as well, each with the reason' },
      { flags: '--list-files', text: 'list the files that would be linted, and why others would not' },
      { flags: '--print-config <file>', text: 'show the configuration that holds for a file' },
      { flags: '--no-progress', text: 'no progress on a terminal' },
      ...variableOptions,
      ...settingOptions,
    ],
    examples: [
      ['grantwise lint policies/', 'lint every policy file in a folder'],
      ['grantwise lint --format json --fail-on error p.json', 'for a program to read; warnings do not fail'],
      ['grantwise lint --staged', 'before a commit: what it is about to hold'],
      ['grantwise lint --fix-dry-run policies/', 'what would be mended, to be read first'],
    ],
  },
  {
    name: 'can',
    arguments: [
      ['[identity]', 'the identity URN that asks'],
      ['[action]', 'the action, such as vps:apisvc:reboot'],
      ['[resource]', 'the resource URN it is about'],
    ],
    summary: 'decide whether an identity may do an action on a resource, and say why',
    options: [
      ...worldOptions,
      ...contextOptions,
      { flags: '--explain', text: 'walk through every policy' },
      { flags: '--batch <file>', text: 'answer many questions: a file of one JSON object a line, or -' },
      { flags: '--jobs <number>', text: 'threads that share a large --batch (default: one for each processor, at most 4)' },
      formatOption(['pretty', 'compact', 'json', 'ndjson'], 'how the answer is written'),
      ...settingOptions,
    ],
    examples: [
      [
        'grantwise can urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/',
        'one verdict, with the entries that decided it',
      ],
      ['grantwise can --batch questions.ndjson -p policies/', 'many questions, an answer a line'],
    ],
  },
  {
    name: 'call',
    arguments: [
      ['[method]', 'the method of the call, such as GET'],
      ['[path]', 'its path with real values, such as /v1/hosting/web/example.org'],
    ],
    summary: 'decide whether a call of the API is let through, and say why',
    options: [
      { flags: '--identity <urn>', text: 'the identity URN that makes the call' },
      ...worldOptions,
      ...contextOptions,
      { flags: '--region <region>', text: 'the region of the resources (default: that of the identity)' },
      { flags: '--resource <urn>', many: true, text: 'a resource that the path does not tell' },
      { flags: '--action <action>', many: true, text: 'an action that the call needs, where the catalogue does not know' },
      {
        flags: '--credential <file>',
        text: 'the access rules of a consumer key: a file with a credential request, what the service says of one, or a list; or the address of a token page',
      },
      {
        flags: '--from-403 <file>',
        text: 'the body of a refusal, or -: tell what would have to be granted, and by whom; METHOD and PATH may then be left out',
      },
      { flags: '--explain', text: 'walk through every policy' },
      formatOption(['pretty', 'compact', 'json', 'ndjson'], 'how the answer is written'),
      ...settingOptions,
    ],
    examples: [
      [
        'grantwise call GET /v1/hosting/web/example.org --identity urn:v1:eu:identity:user:ab12-svc/ann -p policies/',
        'what the call needs, and the entries that decide it',
      ],
      [
        'grantwise call POST /v1/vps/vps-1/reboot --identity urn:v1:eu:identity:user:ab12-svc/ann --credential request.json -p policies/',
        'the same for an application that holds a consumer key',
      ],
      [
        'grantwise call POST /v1/vps/vps-1/reboot --identity urn:v1:eu:identity:user:ab12-svc/ann --from-403 body.json',
        'what to grant after the service refused it',
      ],
    ],
  },
  {
    name: 'who',
    arguments: [
      ['[action]', 'the action, such as vps:apisvc:reboot'],
      ['[resource]', 'the resource URN it is about'],
    ],
    summary: 'list who may do an action on a resource, and by which entries',
    options: [
      ...worldOptions,
      ...contextOptions,
      formatOption(['pretty', 'compact', 'json'], 'how the answer is written'),
      ...settingOptions,
    ],
    examples: [
      ['grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/', 'everybody who may restart a server'],
      [
        'grantwise who vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 --ip 192.0.2.1 --format json -p policies/',
        'from one address, for a program to read',
      ],
    ],
  },
  {
    name: 'what',
    arguments: [
      ['[identity]', 'the identity URN that asks'],
      ['[resource]', 'a resource URN, or a pattern over resources, if only these are meant'],
    ],
    summary: 'list what an identity may do, and by which entries',
    options: [
      ...worldOptions,
      ...contextOptions,
      { flags: '--expand', text: 'list the catalogue actions of each region' },
      formatOption(['pretty', 'compact', 'json'], 'how the answer is written'),
      ...settingOptions,
    ],
    examples: [
      ['grantwise what urn:v1:eu:identity:user:ab12-svc/ann -p policies/', 'everything that ann may do'],
      ["grantwise what urn:v1:eu:identity:user:ab12-svc/ann 'urn:v1:eu:resource:vps:*' --expand -p policies/", 'which actions on servers'],
    ],
  },
  {
    name: 'diff',
    arguments: [
      ['[before]', 'a file, folder or glob, or git:REF or git:REF:PATH for what a commit holds'],
      ['[after]', 'the same for what it is compared with'],
    ],
    summary: 'tell exactly what access is gained and lost between two sets of policies',
    options: [
      {
        flags: '--fail-on <what>',
        text: 'what makes the answer bad: gained, lost, any or never (default: gained)',
        values: ['gained', 'lost', 'any', 'never'],
      },
      {
        flags: '--ceiling <path>',
        text: 'policies beyond which AFTER must not go; without --fail-on, only what lies beyond makes the answer bad',
      },
      {
        flags: '--at <time>',
        many: true,
        text: 'compare what holds at this instant, RFC 3339 (default: at any time); given twice: BEFORE at the first and AFTER at the second',
      },
      {
        flags: '--horizon <length>',
        text: 'compare what holds from --at (default: now) for so long, such as 90d or P90D, or until an instant',
      },
      {
        flags: '-p, --policies <path>',
        many: true,
        text: 'in place of BEFORE and AFTER, with --at twice: one set of policies, to see what the time changes; with --plan: what it does not manage',
      },
      {
        flags: '--plan <file>',
        text: 'in place of BEFORE and AFTER: what applying a plan would change, as `terraform show -json` or `pulumi preview --json` writes it',
      },
      rootOption,
      ...variableOptions,
      formatOption(
        ['pretty', 'compact', 'json', 'markdown', 'sarif', 'github', 'gitlab'],
        'how the answer is written; FORMAT=FILE writes to a file; may be given again',
        true,
      ),
      ...settingOptions,
    ],
    examples: [
      ['grantwise diff git:origin/main:policies policies', 'what a branch changes'],
      ['grantwise diff --fail-on any --format markdown old.json new.json', 'for a comment; access that is lost counts, too'],
      [
        'grantwise diff -p policies --at 2026-12-01T00:00:00Z --at 2027-01-01T00:00:00Z',
        'what December brings while nobody edits anything',
      ],
      ['grantwise diff --plan plan.json -p account/', 'what applying a plan would open or close, beside all else in the account'],
    ],
  },
  {
    name: 'timeline',
    arguments: [],
    summary: 'tell when access opens and closes by itself: expiries, dates, hours and weekdays',
    options: [
      ...worldOptions,
      { flags: '--from <time>', text: 'the instant to start from, RFC 3339 (default: now)' },
      { flags: '--horizon <length>', text: 'how far to look: a length such as 30d, 12h or P30D, or an instant (default: 90d)' },
      { flags: '--all', text: 'also when policies begin or cease to apply and access stays the same' },
      {
        flags: '--fail-on <what>',
        text: 'what makes the answer bad: gained, lost, any or never (default: never)',
        values: ['gained', 'lost', 'any', 'never'],
      },
      formatOption(['pretty', 'compact', 'json', 'markdown'], 'how the answer is written'),
      ...settingOptions,
    ],
    examples: [
      ['grantwise timeline -p policies/', 'what opens and closes in the next 90 days'],
      [
        'grantwise timeline --from 2026-12-01T00:00:00Z --horizon 30d --fail-on lost --format markdown -p policies/',
        'a report that fails where somebody loses access',
      ],
    ],
  },
  {
    name: 'expand',
    arguments: [['[pattern...]', 'action patterns, such as vps:apisvc:*']],
    summary: 'list the catalogue actions that a pattern designates',
    options: [
      { flags: '--from <file>', text: 'a list of actions, as JSON, as YAML or an action a line, or -; less its `except` and `deny`' },
      formatOption(['pretty', 'compact', 'json'], 'how the list is written'),
      ...settingOptions,
    ],
    examples: [
      ["grantwise expand 'vps:apisvc:ips/*'", 'what the pattern stands for'],
      ["grantwise expand --format json 'webHosting:*' 'dns:*'", 'two patterns, for a program to read'],
    ],
  },
  {
    name: 'catalogue',
    arguments: [
      ['[what]', 'info: what the catalogue holds (default); import: build one from API descriptions'],
      ['[argument...]', 'for info: a product; for import: the files, or - for standard input'],
    ],
    summary: 'say what the action catalogue holds, or build one from API descriptions',
    options: [
      formatOption(['pretty', 'compact', 'json'], 'how info is written'),
      { flags: '-o, --output <file>', text: 'where import writes the catalogue (default: standard output)' },
      { flags: '--base <catalogue>', text: 'what import builds on: shipped, none or a catalogue file (default: shipped)' },
      { flags: '--seen <month>', text: 'the month the descriptions are of, such as 2026-01 (default: what they say themselves)' },
      { flags: '--brand <word>', text: 'the brand word that the descriptions are written with (default: that of the configuration)' },
      ...settingOptions,
    ],
    examples: [
      ['grantwise catalogue info vps', 'what is known of one product'],
      [
        'grantwise catalogue import api/*.json -o catalogue.json',
        'build a catalogue, for `catalogue: catalogue.json` in the configuration',
      ],
    ],
  },
  {
    name: 'minimise',
    arguments: [],
    summary: 'find the fewest policies and entries that say the same, with a proof',
    options: [
      ...worldOptions,
      formatOption(['pretty', 'json', 'diff'], 'how it is written; diff can be given to git apply'),
      ...settingOptions,
    ],
    examples: [
      ['grantwise minimise -p policies/', 'what can go or be merged, and the files as they would be'],
      ['grantwise minimise --format diff -p policies/ | git apply', 'do it'],
    ],
  },
  {
    name: 'suggest',
    arguments: [
      ['[identity]', 'the identity URN that asks'],
      ['[action]', 'the action, such as vps:apisvc:reboot'],
      ['[resource]', 'the resource URN it is about'],
    ],
    summary: 'find the smallest edits that turn the answer of can, each with all else that it would change',
    options: [
      {
        flags: '--to <verdict>',
        text: 'what the answer should be: allow or deny (default: the other than it is)',
        values: ['allow', 'deny'],
      },
      ...worldOptions,
      ...contextOptions,
      formatOption(['pretty', 'json', 'diff'], 'how it is written; diff is the first one, and can be given to git apply'),
      ...settingOptions,
    ],
    examples: [
      [
        'grantwise suggest urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/',
        'what would let ann restart the server, if she may not',
      ],
      [
        'grantwise suggest --to deny urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:reboot urn:v1:eu:resource:vps:vps-1 -p policies/',
        'what would keep her from it',
      ],
    ],
  },
  {
    name: 'least',
    arguments: [],
    summary: 'propose the smallest policies that allow exactly what recorded calls used',
    options: [
      {
        flags: '--from <file>',
        many: true,
        text: 'recorded calls, a JSON object a line: of `serve --record` or of the access log of the service; or - for standard input',
      },
      {
        flags: '-p, --policies <path>',
        many: true,
        text: 'the policies in force: prove that the proposal grants nothing beyond them, and tell what access nobody used',
      },
      {
        flags: '--format-in <notation>',
        text: 'what the policy files are, in place of what their names and contents tell: policy, tfplan or hcl',
      },
      rootOption,
      ...variableOptions,
      { flags: '--identity <urn>', many: true, text: 'look only at what this identity used, or a pattern over identities' },
      {
        flags: '--generalise <level>',
        text: `what is granted beyond what was used: ${generaliseLevels.join(', ')}; for access rules ${ruleLevels.join(', ')} (default: none)`,
        values: [...new Set([...generaliseLevels, ...ruleLevels])],
      },
      { flags: '--access-rules', text: 'propose access rules of delegated access in place of policies' },
      { flags: '--credential <file>', text: 'with --access-rules: the rules in force, to prove that the proposal lies within them' },
      { flags: '--base-url <url>', text: 'with --access-rules and --format url: the address of the API' },
      { flags: '--skip-bad', text: 'pass over lines that cannot be read, and say how many' },
      {
        flags: '--format <format>',
        text: 'yaml and policies (JSON) are the policies alone; pretty has the summary with them, json tells everything: yaml, policies, pretty, json (default: yaml); for access rules request, list, url, pretty, json (default: request)',
        values: ['yaml', 'policies', 'pretty', 'json', 'request', 'list', 'url'],
      },
      ...settingOptions,
    ],
    examples: [
      ['grantwise least --from calls.ndjson > least.yaml', 'what the recorded calls used, and nothing else'],
      [
        'grantwise least --from calls.ndjson --identity urn:v1:eu:identity:user:ab12-svc/ann --generalise resources -p policies/',
        'for one user, with patterns over names, held against the policies in force',
      ],
      [
        'grantwise least --access-rules --from calls.ndjson --generalise parameters --credential current.json',
        'the access rules that an application needs, held against those it has',
      ],
    ],
  },
  {
    name: 'from-operations',
    arguments: [['[call...]', 'calls, such as "GET /hosting/web/{serviceName}"; a name in braces stands for every name']],
    summary: 'propose access rules of delegated access for calls that are to be made',
    options: [
      { flags: '--from <file>', text: 'more calls, one a line, or - for standard input' },
      {
        flags: '--format <form>',
        text: 'json is the body of the request for a credential, url the address of the page that makes a token: json, url, list (default: json)',
        values: ['json', 'url', 'list'],
      },
      { flags: '--base-url <url>', text: 'with --format url: the address of the API' },
      {
        flags: '--generalise <level>',
        text: `how paths are widened: ${ruleLevels.join(', ')} (default: none)`,
        values: ruleLevels,
      },
      { flags: '--policy', text: 'write the policies that the user needs beside the rules, in place of the rules' },
      { flags: '--identity <urn>', text: 'with --policy: who is to be allowed' },
      { flags: '--region <region>', text: 'the region of the resources (default: that of the identity)' },
      ...settingOptions,
    ],
    examples: [
      ["grantwise from-operations 'GET /hosting/web/{serviceName}' 'POST /vps/vps-1/reboot'", 'the body of the request for a credential'],
      [
        'grantwise from-operations --from calls.txt --policy --identity urn:v1:eu:identity:user:ab12-svc/ann',
        'what the user must be allowed, for the same calls',
      ],
    ],
  },
  {
    name: 'replay',
    arguments: [['[file...]', 'recorded calls, a JSON object a line, or - for standard input']],
    summary: 'tell which recorded calls other policies would refuse, or newly allow',
    options: [
      { flags: '--from <file>', many: true, text: 'the same as an argument: recorded calls, as `least` takes them' },
      ...worldOptions,
      { flags: '--at <time>', text: 'judge every call at this instant, RFC 3339 (default: at its own time)' },
      {
        flags: '--credential <file>',
        text: 'the access rules of a consumer key, for calls that were made with one (default: what was recorded of them stands)',
      },
      {
        flags: '--fail-on <what>',
        text: 'what makes the answer bad: refused, allowed, any or never (default: refused)',
        values: ['refused', 'allowed', 'any', 'never'],
      },
      { flags: '--all', text: 'also tell what stays as it is' },
      { flags: '--skip-bad', text: 'pass over lines that cannot be read, and say how many' },
      formatOption(['pretty', 'compact', 'json', 'ndjson'], 'how the answer is written'),
      ...settingOptions,
    ],
    examples: [
      ['grantwise replay calls.ndjson -p policies/', 'before policies are applied: whom would they stop?'],
      [
        'grantwise replay --fail-on any --format json --from calls.ndjson -p least.yaml',
        'for a program to read; newly allowed calls count, too',
      ],
    ],
  },
  {
    name: 'convert',
    arguments: [['[path...]', 'files, folders, globs, or - for standard input (default: `policies` of the configuration, else .)']],
    summary: 'write policies and groups in another notation: JSON, YAML or HCL',
    options: [
      { flags: '--to <notation>', text: 'the notation to write: json, yaml or hcl', values: ['json', 'yaml', 'hcl'] },
      { flags: '--out <file>', text: 'write to a file instead of standard output' },
      { flags: '--urn <address=urn>', many: true, text: 'the URN that the service gave to a group, by its address in a configuration' },
      ...settingOptions,
    ],
    examples: [
      ['grantwise convert --to hcl policy.json --out policy.tf', 'a policy of the service as a resource of a configuration'],
      [
        'grantwise convert --to yaml main.tf --urn svc_iam_permissions_group.readers=urn:v1:eu:permissionsGroup:ab12-svc:readers',
        'back, with the name that a group got from the service',
      ],
    ],
  },
  {
    name: 'export',
    arguments: [],
    summary: 'write the policies in the language of an engine that enforces them',
    options: [
      { flags: '--to <language>', text: 'the language: cedar', values: ['cedar'] },
      { flags: '--out <folder>', text: 'write policies.cedar, schema.cedarschema, entities.json and NOTES.md into a folder' },
      {
        flags: '--part <name>',
        text: 'without --out, the part to print: policies, schema, entities or notes (default: policies)',
        values: ['policies', 'schema', 'entities', 'notes'],
      },
      {
        flags: '--conservative',
        text: 'where something is not known, grant nothing by it and forbid what it may forbid, instead of refusing',
      },
      ...worldOptions,
      ...settingOptions,
    ],
    examples: [
      ['grantwise export --to cedar -p policies/', 'print the policies in Cedar'],
      ['grantwise export --to cedar -p policies/ -p world.yaml --out cedar/', 'the policies with schema, entities and notes'],
    ],
  },
  {
    name: 'lock',
    arguments: [],
    summary: 'write what the policies allow into one file for review, or check that it still says so',
    options: [
      { flags: '--check', text: 'write nothing: fail when the policies allow more or less than the lockfile says, and list what' },
      { flags: '-o, --output <file>', text: 'the lockfile, or - to print it (default: grantwise.lock)' },
      ...worldOptions,
      formatOption(['pretty', 'json'], 'how --check writes the answer'),
      ...settingOptions,
    ],
    examples: [
      ['grantwise lock -p policies/', 'write grantwise.lock; when it says the same already, leave it as it is'],
      ['grantwise lock --check -p policies/', 'in a pipeline: fail when somebody gains or loses access and the lockfile does not say so'],
    ],
  },
  {
    name: 'pull',
    arguments: [['[folder]', 'where the files are written (default: the working folder)']],
    summary: 'bring the policies of a live account to files, or tell how the files differ from it',
    options: [
      { flags: '--check', text: 'write nothing: tell the access that the account has and the files do not, and the reverse' },
      { flags: '--base-url <url>', text: 'the address of the API, without /v1 or /v2 (default: GRANTWISE_BASE_URL)' },
      { flags: '--auth-url <url>', text: 'the address of the token host (default: GRANTWISE_AUTH_URL)' },
      { flags: '--client-id <id>', text: 'the id of the service account (default: GRANTWISE_CLIENT_ID)' },
      { flags: '--secret-file <file>', text: 'a file that holds its secret and nothing else (default: GRANTWISE_CLIENT_SECRET)' },
      { flags: '--client-secret <secret>', text: 'refused: others see command lines, and shells keep them' },
      { flags: '--account <id>', text: 'the account, where what it holds does not tell' },
      { flags: '--page-size <number>', text: 'how many items to ask for at once (default: what the service gives)' },
      { flags: '--schemas-version <major>', text: 'the major version of the schemas (default: that of the account)' },
      { flags: '--partial', text: 'leave out, and tell, what may not be read or is not understood' },
      { flags: '--force', text: 'put what the account has over what was edited here' },
      { flags: '--retries <number>', text: 'how often a request is tried again (default: 5)' },
      { flags: '--timeout <seconds>', text: 'how long one request may take (default: 30)' },
      formatOption(
        ['pretty', 'compact', 'json', 'markdown', 'sarif', 'github', 'gitlab'],
        'how --check writes the answer; FORMAT=FILE writes to a file; may be given again',
        true,
      ),
      ...settingOptions,
    ],
    examples: [
      [
        'grantwise pull --base-url https://api.example.net --auth-url https://auth.example.net account/',
        'write policies/ and world.yaml; id and secret are in GRANTWISE_CLIENT_ID and GRANTWISE_CLIENT_SECRET',
      ],
      ['grantwise pull --check --secret-file /run/secrets/iam account/', 'in a pipeline: fail when the account is not what the files say'],
    ],
  },
  {
    name: 'test',
    arguments: [['[path...]', 'files of policy tests, folders or globs (default: .)']],
    summary: 'run policy tests: files *.iamtest.yaml that say what policies are meant to allow and deny',
    options: [
      ...worldOptions,
      { flags: '--at <time>', text: 'the instant of questions that name none, RFC 3339 (default: now)' },
      { flags: '--filter <text>', text: 'run only the tests with this in their names' },
      { flags: '--coverage', text: 'list the entries of policies that no test exercises' },
      { flags: '--min-coverage <percent>', text: 'fail where fewer of the entries are exercised' },
      { flags: '--watch', text: 'run again whenever a file of tests or policies changes' },
      formatOption(['pretty', 'json', 'junit'], 'how results are written; FORMAT=FILE writes to a file; may be given again', true),
      ...settingOptions,
    ],
    examples: [
      ['grantwise test', 'run every policy test in this folder and below'],
      ['grantwise test --coverage --format pretty --format junit=report.xml tests/', 'for people and for a build server'],
    ],
  },
  {
    name: 'rules',
    arguments: [['[code]', 'one rule, in full']],
    summary: 'list the rules of lint, or explain one',
    options: [formatOption(['pretty', 'compact', 'json'], 'how the list is written')],
    examples: [
      ['grantwise rules', 'every rule, with its level and what it finds'],
      ['grantwise rules resource-urn', 'why the rule is there, with examples'],
    ],
  },
  {
    name: 'serve',
    arguments: [],
    summary: 'be a stand-in for the service on this machine: tokens, policies, calls that are judged',
    options: [
      { flags: '--port <number>', text: 'the port, or 0 for any that is free (default: 8765)' },
      { flags: '--host <address>', text: 'the address to listen at (default: 127.0.0.1)' },
      { flags: '--allow-remote', text: 'let others than this machine reach it' },
      {
        flags: '--seed <path>',
        many: true,
        text: 'files, folders or globs of policies, groups, inventory and `standIn` documents that it begins with',
      },
      { flags: '--state <file>', text: 'keep what it knows in a file, and go on from there (default: in memory)' },
      { flags: '--record <file>', text: 'add a line of JSON for each call that is judged' },
      { flags: '--public-url <url>', text: 'the address that clients use, as of a container or a proxy: pages and answers lead there' },
      { flags: '--trust-proxy', text: 'a proxy stands in front: the last address of X-Forwarded-For is that of the client' },
      { flags: '--client-ip <address>', text: 'the address that every call is taken to come from' },
      { flags: '--clock <time>', text: 'an instant at which the clock stands still, RFC 3339, or an offset, such as +30d or -2h' },
      { flags: '--request-log <file>', text: 'add a line of JSON for each request, without secrets' },
      { flags: '--ready-file <file>', text: 'write addresses and ids as JSON once it listens; the file is removed at the end' },
      { flags: '--export-on-exit <file>', text: 'write the state as a seed at the end' },
      { flags: '--demo-credentials', text: 'begin with published credentials as well, the same everywhere, which protect nothing' },
      { flags: '--token-lifetime <time>', text: 'how long tokens live, in seconds or as 90s, 2h (default: 3599)' },
      { flags: '--strict-assets', text: 'answer 404 for resources that the seed does not list' },
      { flags: '--stub <call=file>', many: true, text: 'the body of an operation, from a file: METHOD PATH=FILE' },
      {
        flags: '--fault <fault>',
        many: true,
        text: 'what goes wrong on purpose: [METHOD] [PATH] status=429 retry-after=2 latency=500ms share=10% times=3 task=fail',
      },
      { flags: '--fault-seed <number>', text: 'which calls of a share are hit (default: 0)' },
      { flags: '--quiet', text: 'no line for each request on standard error' },
      ...settingOptions,
    ],
    examples: [
      ['grantwise serve', 'one account with one service account, whose made-up secret is shown'],
      ['grantwise serve --port 0 --seed policies/ --state stand-in.db --record calls.ndjson', 'over policies, kept across restarts'],
    ],
  },
  {
    name: 'init',
    arguments: [],
    summary: 'write a commented configuration, or print what a hook or a pipeline needs',
    options: [
      { flags: '--hook <name>', text: `print the snippet for a hook: ${hooks.join(', ')}`, values: hooks },
      { flags: '--ci <name>', text: `print the snippet for a pipeline: ${pipelines.join(', ')}`, values: pipelines },
    ],
    examples: [
      ['grantwise init', 'write .grantwise.yaml into this folder, unless there is one'],
      ['grantwise init --hook husky', 'what lints before each commit'],
    ],
  },
  {
    name: 'completions',
    arguments: [['<shell>', `one of ${shells.join(', ')}`]],
    summary: 'print what makes a shell complete commands and options',
    options: [],
    examples: [
      ['source <(grantwise completions bash)', 'for this session, or in ~/.bashrc'],
      ['grantwise completions fish > ~/.config/fish/completions/grantwise.fish', 'for fish, once'],
    ],
  },
]
