/**
 * The provenance of a package in the forms of npm: an in-toto statement with SLSA v1, in a DSSE envelope, in a Sigstore bundle.
 * usage: node scripts/provenance.mjs TARBALL ATTESTATIONS [--commit SHA]
 * ATTESTATIONS: a file as the registry has it at `/-/npm/v1/attestations/NAME@VERSION`. Checks what the statements say. That their
 * signatures lead to the certificates of Sigstore is checked by `npm audit signatures`.
 */
import { createHash, sign, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { publicationOf } from './publication.mjs'

export const predicates = {
  provenance: 'https://slsa.dev/provenance/v1',
  publish: 'https://github.com/npm/attestation/tree/main/specs/publish/v0.1',
}
const statementType = 'https://in-toto.io/Statement/v1'
const payloadType = 'application/vnd.in-toto+json'
const buildType = 'https://slsa-framework.github.io/github-actions-buildtypes/workflow/v1'
const workflowPath = '.github/workflows/release.yml'

/** The statement of a build server about a tarball. */
export function provenanceStatement({ manifest, tarball, commit, builder, invocation }) {
  const repository = repositoryOf(manifest)
  const ref = `refs/tags/v${manifest.version}`
  return statement(manifest, tarball, predicates.provenance, {
    buildDefinition: {
      buildType,
      externalParameters: { workflow: { ref, repository, path: workflowPath } },
      internalParameters: { github: { event_name: 'push' } },
      resolvedDependencies: [{ uri: `git+${repository}@${ref}`, digest: { gitCommit: commit } }],
    },
    runDetails: { builder: { id: builder }, metadata: { invocationId: invocation } },
  })
}

/** The statement of a registry that it has a tarball. */
export function publishStatement({ manifest, tarball, registry }) {
  const { name, version } = manifest
  return statement(manifest, tarball, predicates.publish, { name, version, registry })
}

function statement({ name, version }, tarball, predicateType, predicate) {
  const digest = { sha512: createHash('sha512').update(tarball).digest('hex') }
  return { _type: statementType, subject: [{ name: purlOf(name, version), digest }], predicateType, predicate }
}

const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

const repositoryOf = (manifest) => publicationOf(manifest).web

/** The bytes that a DSSE signature is over: the pre-authentication encoding. */
function signedBytes(type, payload) {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])
}

/** A bundle with a statement, signed with a key of our own: no certificate, and no entry in a public log. */
export function bundleOf(said, { privateKey, keyid }) {
  const payload = Buffer.from(JSON.stringify(said))
  const sig = sign('sha256', signedBytes(payloadType, payload), privateKey).toString('base64')
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: keyid }, tlogEntries: [] },
    dsseEnvelope: { payload: payload.toString('base64'), payloadType, signatures: [{ sig, keyid }] },
  }
}

/**
 * Problems of the attestations of a package. `keys`: public keys by their ids; without them, the
 * signatures are not checked here.
 */
export function provenanceProblems(attestations, { manifest, tarball, commit, keys }) {
  const problems = []
  for (const wanted of Object.values(predicates)) {
    const own = attestations.filter(({ predicateType }) => predicateType === wanted)
    if (own.length !== 1) {
      problems.push(`expected one attestation of ${wanted}, found ${own.length}`)
      continue
    }
    const { payload, payloadType: type, signatures } = own[0].bundle.dsseEnvelope
    const bytes = Buffer.from(payload, 'base64')
    const said = JSON.parse(bytes.toString('utf8'))
    const expect = (what, found, expected) => {
      if (JSON.stringify(found) !== JSON.stringify(expected))
        problems.push(`${wanted}: ${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`)
    }
    expect('the type of the payload', type, payloadType)
    if (keys) {
      const isSigned = signatures.some(({ sig, keyid }) => {
        const key = keys.get(keyid)
        return key && verify('sha256', signedBytes(type, bytes), key, Buffer.from(sig, 'base64'))
      })
      if (!isSigned) problems.push(`${wanted}: no signature of a known key`)
    }
    expect('the type of the statement', said._type, statementType)
    expect('the type of the predicate', said.predicateType, wanted)
    expect('the subject', said.subject, statement(manifest, tarball, wanted, {}).subject)
    if (wanted === predicates.provenance) expectBuild(said.predicate, { manifest, commit }, expect)
    else expect('the package', [said.predicate?.name, said.predicate?.version], [manifest.name, manifest.version])
  }
  return problems
}

function expectBuild(predicate, { manifest, commit }, expect) {
  const { buildDefinition, runDetails } = predicate ?? {}
  const repository = repositoryOf(manifest)
  const ref = `refs/tags/v${manifest.version}`
  expect('the kind of build', buildDefinition?.buildType, buildType)
  expect('the workflow', buildDefinition?.externalParameters?.workflow, { ref, repository, path: workflowPath })
  const [source] = buildDefinition?.resolvedDependencies ?? []
  expect('the source', source?.uri, `git+${repository}@${ref}`)
  expect('the digest of the source', Object.keys(source?.digest ?? {}), ['gitCommit'])
  if (commit !== undefined) expect('the commit', source?.digest?.gitCommit, commit)
  expect('the builder is named', typeof runDetails?.builder?.id === 'string' && runDetails.builder.id.startsWith('https://'), true)
  expect('the run is named', String(runDetails?.metadata?.invocationId).startsWith(`${repository}/actions/runs/`), true)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { commit: { type: 'string' } } })
  if (positionals.length !== 2) {
    console.error('usage: node scripts/provenance.mjs TARBALL ATTESTATIONS [--commit SHA]')
    process.exit(2)
  }
  const [tarball, document] = positionals.map((file) => readFileSync(file))
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const problems = provenanceProblems(JSON.parse(document).attestations, { manifest, tarball, ...values })
  for (const problem of problems) console.error(problem)
  console.log(`${problems.length} problems in the provenance of ${manifest.name} ${manifest.version}`)
  process.exit(problems.length === 0 ? 0 : 1)
}
