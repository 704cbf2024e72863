import { describe, expect, test } from 'vitest'
import { deploymentChanges } from '../src/deployment/changes.ts'
import { type Policies, Repository } from '../src/deployment/facts.ts'
import { folderOf } from '../src/hcl/paths.ts'
import { type GateCase, gateCases } from './support/gate-cases.ts'

/** What is noticed of how a change is deployed, without git and without the policies. */

const everything: Policies = {
  files: [],
  folders: [],
  parts: [],
  compared: [''],
  nameUnknown: true,
  inTerraform: true,
  inManifests: true,
  nameGroups: true,
  readTags: true,
  brand: 'svc',
  prefix: 'svc',
}

type Files = Readonly<Record<string, string>>

function statesOf({ base = {}, change = {} }: GateCase): readonly [Files, Files] {
  const texts = (files: typeof base) => Object.entries(files).filter((each): each is [string, string] => typeof each[1] === 'string')
  const before = Object.fromEntries(texts(base))
  const after = Object.fromEntries(texts({ ...base, ...change }))
  return [before, after]
}

function policiesOf(files: Files): Policies {
  const isPolicy = ([path, text]: [string, string]) => /\.(?:tf|ya?ml|json)$/.test(path) && /urn:v1:/.test(text)
  const paths = Object.entries(files).filter(isPolicy)
  return { ...everything, files: paths.map(([path]) => path), folders: paths.map(([path]) => folderOf(path)) }
}

function changes(before: Files, after: Files, policies = policiesOf({ ...before, ...after })) {
  const [a, b] = [before, after].map((files) => new Repository({ paths: Object.keys(files), text: (path) => files[path] }))
  const paths = new Set([...Object.keys(before), ...Object.keys(after)].filter((path) => before[path] !== after[path]))
  return deploymentChanges(a as NonNullable<typeof a>, b as NonNullable<typeof b>, paths, policies)
}

const cases = gateCases().get('deployment.yaml') ?? []

describe('what is noticed of a change', () => {
  test('is noticed of the change that takes it back, of the same files', async () => {
    let noticed = 0
    for (const each of cases) {
      const [before, after] = statesOf(each)
      const [there, back] = [await changes(before, after), await changes(after, before)]
      noticed += there.length
      expect(back.length, each.title).toBe(there.length)
    }
    expect(noticed).toBeGreaterThan(50)
  })

  test('hangs on no comment and no empty line', async () => {
    const workflow = 'jobs:\n  a:\n    steps:\n      - run: terraform apply\n'
    const policies = { ...everything, files: ['iam/main.tf'], folders: ['iam'] }
    const to = (text: string) => changes({ '.github/workflows/a.yml': workflow }, { '.github/workflows/a.yml': text }, policies)
    expect(await to(`# applies\n\n${workflow}`)).toEqual([])
    expect(await to(workflow.replace('apply', 'apply -var-file=b.tfvars'))).toEqual([
      { path: '.github/workflows/a.yml', why: 'it has `terraform`' },
    ])
  })

  test('reaches through scripts that a pipeline calls', async () => {
    const policies = { ...everything, inManifests: false, files: ['iam/main.tf'], folders: ['iam'] }
    const files = (name: string): Files => ({
      '.github/workflows/a.yml': `jobs: { a: { steps: [{ run: "make ${name}" }] } }\n`,
      Makefile: 'prod:\n\t./scripts/roll.sh prod\n',
      'scripts/roll.sh': '#!/bin/sh\nexec ./scripts/apply.sh "$1"\n',
      'scripts/apply.sh': '#!/bin/sh\nterraform apply -var-file="$1.tfvars"\n',
    })
    expect(await changes(files('prod'), files('dev'), policies)).toEqual([
      { path: '.github/workflows/a.yml', why: 'it names `scripts/apply.sh`, which takes part in the deployment' },
    ])
    const apart = { ...files('prod'), 'scripts/apply.sh': '#!/bin/sh\necho "$1"\n' }
    expect(await changes(apart, { ...apart, '.github/workflows/a.yml': 'jobs: {}\n' }, policies)).toEqual([])
  })

  test('is the same wherever the same is written', async () => {
    const user = 'resource "svc_me_identity_user" "eve" {\n  login = "eve"\n  group = "ops"\n}\n'
    expect(await changes({ 'a.tf': user }, { 'b.tf': user }, everything)).toEqual([])
    expect(await changes({ 'a.tf': user }, { 'b.tf': user.replace('ops', 'dev') }, everything)).toEqual([
      { path: 'a.tf', why: '`svc_me_identity_user.eve` says who is in which group' },
      { path: 'b.tf', why: '`svc_me_identity_user.eve` says who is in which group' },
    ])
  })
})
