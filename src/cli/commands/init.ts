import { closeSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options, Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { configNames } from '../input/config.ts'
import { isThere, readText } from '../input/read-file.ts'
import { writingOf } from '../output/writing.ts'

/** The file that `init` writes. Every commented-out line is valid when it is uncommented: a test tries each. */
export const template = `# How grantwise works on the files in this folder and below. Paths are relative to this file.
# yaml-language-server: $schema=./node_modules/grantwise/schemas/config.schema.json

# Where the policies are: files, folders or globs. Without it, all of this folder.
#policies: [policies/]

# World files: identities and their groups, resources and their tags, members of groups.
#world: [world.yaml]

# Action catalogue, instead of the built-in one: a file written by \`grantwise catalogue import\`.
#catalogue: catalogue.json

# The brand word in namespaces (\`api<brand>\`), and the regions in use.
#brand: svc
#regions: [eu, ca, us]

# Prefix of the headers of signed calls, where it differs from the brand: \`Acme\` for \`X-Acme-Application\`.
#headerPrefix: Acme

# Prefix of the Terraform provider's resource types, where it differs from the brand: \`acme\` for \`acme_iam_policy\`.
#terraform: { prefix: svc }

# Files that have no part in what is deployed: \`diff\` ignores that they change. Patterns from the top of the repository.
# Where \`diff\` guards who gets access, add \`strict: true\`: then every other file that differs counts, policies as well.
#deployment: { ignore: [.github/workflows/test.yml] }

# Who approves new access to resources without \`owners\` in the world file, and to resources that it does not describe.
#approvers: { fallback: acme/security }

# URL of the documentation, for links in reports: a copy of the package's \`docs\` folder, or a pattern with \`{page}\`.
#docs: https://docs.example.org/grantwise

# Rules to start from: recommended (certain problems), strict (also risky practice), auditor (all rules).
# May also list paths of other configurations; later ones win.
extends: recommended

# Levels of individual rules: off, info, warning or error; with options where a rule has any. See \`grantwise rules\`.
#rules:
#  unknown-action: error
#  expires-soon: [warning, { days: 30 }]

# Claims that every policy must keep, decided over all requests: never, only, always, requires or separate. See \`docs/guardrails.md\`.
#guardrails:
#  - code: acme/no-machine-terminates
#    message: service accounts never terminate servers
#    never:
#      identities: urn:v1:eu:identity:credential:*
#      actions: vps:apisvc:terminate
#      resources: urn:v1:eu:resource:vps:*

# Modules with lint rules of your organisation. They run only where \`--allow-rules-from FOLDER\` or GRANTWISE_RULES_FROM names
# the folder that they are in. See \`docs/custom-rules.md\`.
#ruleModules: acme-rules

# Other levels for some files. Later entries win.
#overrides:
#  - files: policies/sandbox/**
#    rules: { unknown-action: "off" }

# Findings to suppress, each with a reason. In YAML and Terraform files, a comment suppresses findings on one line:
# \`# grantwise-ignore CODE: reason\`
#ignores:
#  - files: policies/generated/*.json
#    codes: [redundant-action]
#    reason: the generator writes out every action
#    until: "2099-12-31"

# Minimum severity that makes \`lint\` exit with 1: error, warning, info or never.
failOn: warning
`

/** The world file in a folder, which ends in a slash or is empty: it is called a world and has a field of one. */
function worldOf(top: string, folder: string): string | undefined {
  const field = /^[ \t\ufeff]*(?:\{\s*)?"?(?:identities|resources|resourceGroups|permissionsGroups|account)"?\s*:/m
  return ['yaml', 'yml', 'json']
    .map((ending) => `${folder}world.${ending}`)
    .find((name) => field.test(readText(join(top, name)).text ?? ''))
}

/** The world file at the top of a project, next to its policies, or else the only one in a folder of it: of several, each has a world of its own. */
function worldIn(top: string): string | undefined {
  const usual = worldOf(top, '') ?? worldOf(top, 'policies/')
  if (usual !== undefined) return usual
  const folders = readdirSync(top, { withFileTypes: true }).filter((each) => each.isDirectory() && !/^\.|^node_modules$/.test(each.name))
  const worlds = folders.flatMap(({ name }) => worldOf(top, `${name}/`) ?? [])
  return worlds.length === 1 ? worlds[0] : undefined
}

/** The template with the world file of the folder in force: without it, names, groups and tags are not known. */
function templateFor(world: string | undefined): string {
  return world === undefined ? template : template.replace('#world: [world.yaml]', `world: [${world}]`)
}

/** The endings of names that hooks pass to `lint`. `.tf.json` ends in `.json`. */
const endings = ['json', 'jsonc', 'yaml', 'yml', 'tf', 'tofu', 'tfvars', 'md', 'markdown', 'sh', 'bash', 'zsh']
const expression = `\\.(${endings.join('|')})$`
const glob = `*.{${endings.join(',')}}`

type Hook = NonNullable<Options<'init'>['hook']>
type Pipeline = NonNullable<Options<'init'>['ci']>

/** Snippets for projects that have grantwise among their Node packages; `elsewhere` turns them into those for other projects. */
const hooks: Readonly<Record<Hook, string>> = {
  'pre-commit': `# .pre-commit-config.yaml
repos:
  - repo: local
    hooks:
      - id: grantwise
        name: grantwise
        entry: npx --no-install grantwise lint --no-progress --changed
        language: system
        files: '${expression}'
        always_run: true
        require_serial: true
`,
  husky: `# .husky/pre-commit
npx --no-install grantwise lint --no-progress --staged
`,
  lefthook: `# lefthook.yml
pre-commit:
  commands:
    grantwise:
      run: npx --no-install grantwise lint --no-progress --staged
`,
  'lint-staged': `{
  "lint-staged": {
    "${glob}": "grantwise lint --no-progress --if-policy"
  }
}
`,
  git: `#!/bin/sh
# .git/hooks/pre-commit, which must be executable
exec npx --no-install grantwise lint --no-progress --staged
`,
}

/** The configuration of a pull request is not used, so that a change cannot turn off its own checks. */
const trust = 'A pull request cannot switch its own checks off: the configuration is that of the branch it goes to, if it has one.'

const pipelines: Readonly<Record<Pipeline, string>> = {
  github: `# .github/workflows/policies.yml
name: policies
on: pull_request
permissions:
  contents: read
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
      - uses: actions/setup-node@48b55a011bda9f5d6aeb4c2d9c7362e8dae4041e # v6.4.0
        with:
          node-version: 22
      - run: npm ci --ignore-scripts
      # ${trust}
      - run: bash node_modules/grantwise/integrations/lint.sh
        env:
          GRANTWISE_BIN: node_modules/grantwise/bin/grantwise.js
          GRANTWISE_BASE: \${{ github.event.pull_request.base.sha }}
`,
  gitlab: `# .gitlab-ci.yml
policies:
  image: node:22
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GRANTWISE_BIN: node_modules/grantwise/bin/grantwise.js
    GRANTWISE_ANNOTATIONS: "false"
    GRANTWISE_CODE_QUALITY: gl-code-quality-report.json
    GRANTWISE_JUNIT: grantwise.junit.xml
  script:
    - npm ci --ignore-scripts
    # ${trust.replace('pull', 'merge')}
    - export GRANTWISE_BASE="\${CI_MERGE_REQUEST_TARGET_BRANCH_SHA:-$CI_MERGE_REQUEST_DIFF_BASE_SHA}"
    - export GRANTWISE_BASE_BRANCH="$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
    - bash node_modules/grantwise/integrations/lint.sh
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
      junit: grantwise.junit.xml
`,
  azure: `# azure-pipelines.yml
trigger: none
# Azure Repos does not read \`pr\`: add the pipeline to the branch policy as a build validation.
pr: ["*"]
pool:
  vmImage: ubuntu-latest
steps:
  # The merge of the change, and the commit of the branch that it is merged into.
  - checkout: self
    fetchDepth: 2
  - task: UseNode@1
    inputs:
      version: 22.x
  - bash: npm ci --ignore-scripts
  # ${trust}
  - bash: |
      GRANTWISE_BASE=$(git rev-parse --verify 'HEAD^1') || exit 2
      export GRANTWISE_BASE
      bash node_modules/grantwise/integrations/lint.sh
    env:
      GRANTWISE_BIN: node_modules/grantwise/bin/grantwise.js
      GRANTWISE_JUNIT: $(Agent.TempDirectory)/grantwise.junit.xml
  - task: PublishTestResults@2
    condition: succeededOrFailed()
    inputs:
      testResultsFiles: $(Agent.TempDirectory)/grantwise.junit.xml
`,
  bitbucket: `# bitbucket-pipelines.yml
image: node:22
pipelines:
  pull-requests:
    "**":
      - step:
          name: policies
          script:
            - npm ci --ignore-scripts
            # ${trust}
            - export GRANTWISE_BASE="$BITBUCKET_PR_DESTINATION_COMMIT"
            - export GRANTWISE_BASE_BRANCH="$BITBUCKET_PR_DESTINATION_BRANCH"
            - export GRANTWISE_BIN=node_modules/grantwise/bin/grantwise.js
            - export GRANTWISE_ANNOTATIONS=false
            # Bitbucket shows reports in folders of this name.
            - mkdir -p test-results
            - export GRANTWISE_JUNIT=test-results/grantwise.xml
            - bash node_modules/grantwise/integrations/lint.sh
`,
}

export const hookNames = Object.keys(hooks) as Hook[]
export const pipelineNames = Object.keys(pipelines) as Pipeline[]

/** The package of this version, as package managers name it. */
const released = `grantwise@${version}`

/** Replacements that make a snippet for projects without Node packages: pre-commit and pipelines install grantwise themselves. */
const elsewhere: readonly (readonly [node: string, other: string])[] = [
  [
    'entry: npx --no-install grantwise lint --no-progress --changed\n        language: system',
    `entry: grantwise lint --no-progress --changed\n        language: node\n        additional_dependencies: ["${released}"]`,
  ],
  ['npm ci --ignore-scripts', `npm install --prefix /tmp/grantwise --ignore-scripts --no-audit --no-fund ${released}`],
  ['node_modules/grantwise/', '/tmp/grantwise/node_modules/grantwise/'],
  ['npx --no-install grantwise', 'grantwise'],
]

/** Hook tools that are Node packages themselves. */
const ofNode: ReadonlySet<string> = new Set(['husky', 'lint-staged'])

const fitted = (text: string, isNode: boolean): string =>
  isNode ? text : elsewhere.reduce((changed, [node, other]) => changed.replaceAll(node, other), text)

/** The snippet for a hook tool, or for a CI service. `isNode`: the project has a `package.json`, which lists grantwise. */
export const hookText = (name: Hook, isNode = true): string => fitted(hooks[name], isNode || ofNode.has(name))
export const pipelineText = (name: Pipeline, isNode = true): string => fitted(pipelines[name], isNode)

/** `init`: writes a configuration, or prints a hook or CI snippet. */
export const run: Run<'init'> = async (_, options, io) => {
  const { hook, ci } = options
  const isNode = isThere(join(io.cwd, 'package.json'))
  const snippets = [...(hook === undefined ? [] : [hookText(hook, isNode)]), ...(ci === undefined ? [] : [pipelineText(ci, isNode)])]
  const writing = writingOf(options, io)
  if (options.mergeDriver) {
    if (snippets.length > 0) throw new Refusal('`--merge-driver` and snippets cannot be combined', 'run `init` once for each')
    return (await import('./init-merge.ts')).setUpMergeDriver(writing, io)
  }
  if (snippets.length > 0) {
    writing.refuseIdle('omit `--hook` and `--ci`: their snippets are printed')
    io.stdout.write(snippets.join('\n'))
    return exit.success
  }
  const [name = ''] = configNames
  const there = configNames.find((each) => isThere(join(io.cwd, each)))
  if (there !== undefined) throw new Refusal(`${there} already exists`, 'edit it, or remove it first')
  const world = worldIn(io.cwd)
  if (writing.isDry) {
    await writing.write(join(io.cwd, name), templateFor(world))
    return writing.exitCode(exit.success)
  }
  create(join(io.cwd, name), name, templateFor(world))
  io.stdout.write(
    `wrote ${name}: \`grantwise lint\` now uses it\n` +
      (world === undefined ? '' : `  identities and resources are described in ${world}\n`) +
      `  before commits:   grantwise init --hook ${usedOf(hookNames, io.cwd)}\n` +
      `  in pull requests: grantwise init --ci ${usedOf(pipelineNames, io.cwd)}\n` +
      '  for merges:       grantwise init --merge-driver\n' +
      '  for new access:   grantwise diff git:HEAD .\n',
  )
  return exit.success
}

/** Files by which a project is known to use a hook tool or a CI service. */
const signs: Readonly<Partial<Record<Hook | Pipeline, readonly string[]>>> = {
  'pre-commit': ['.pre-commit-config.yaml'],
  husky: ['.husky'],
  lefthook: ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'],
  'lint-staged': ['.lintstagedrc', '.lintstagedrc.json', '.lintstagedrc.yaml', 'lint-staged.config.js', 'lint-staged.config.mjs'],
  github: ['.github'],
  gitlab: ['.gitlab-ci.yml'],
  azure: ['azure-pipelines.yml'],
  bitbucket: ['bitbucket-pipelines.yml'],
}

/** Those of some tools that a project uses; all of them where it is not known. */
function usedOf(names: readonly (Hook | Pipeline)[], folder: string): string {
  const used = names.filter((name) => signs[name]?.some((file) => isThere(join(folder, file))))
  return (used.length > 0 ? used : names).join('|')
}

/** Write to a new file; one that appears meanwhile is not overwritten either. */
function create(file: string, name: string, content: string): void {
  let fd: number | undefined
  try {
    fd = openSync(file, 'wx')
    writeFileSync(fd, content)
    closeSync(fd)
  } catch (error) {
    // A partly written file would be read as a configuration.
    if (fd !== undefined) rmSync(file, { force: true })
    throw new Refusal(`${name}: cannot be written: ${writeFault((error as NodeJS.ErrnoException).code)}`)
  }
}
