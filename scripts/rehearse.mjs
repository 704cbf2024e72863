/**
 * A release on this machine: packs, signs, attests, publishes to a registry of its own and installs from it.
 * usage: node scripts/rehearse.mjs [--tarball FILE] [--nodes 22,24]
 * `--tarball`: a package that is packed already. `--nodes`: versions of Node that it is tried on, too; they come from the npm registry.
 * docs/install.md says what this shows, and what only a real release shows. Writes figures/release.json. Nothing is sent elsewhere but
 * requests for those versions of Node, and for the npm that can check signatures without the public keys of Sigstore.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { bundleOf, provenanceProblems, provenanceStatement, publishStatement } from './provenance.mjs'
import { publicationOf } from './publication.mjs'

const { values } = parseArgs({ options: { tarball: { type: 'string' }, nodes: { type: 'string', default: '' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-rehearsal-'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { name, version } = manifest
/** An npm that checks signatures with the keys of the registry alone; later ones first ask Sigstore, which a closed network cannot. */
const npmOfKeys = 'npm@9.5.1'

let passed = 0
const failures = []
function step(what, isRight, detail = '') {
  console.log(`${isRight ? 'ok' : 'FAILED'}  ${what}`)
  if (isRight) passed++
  else {
    failures.push(what)
    console.log(String(detail).slice(0, 3000))
  }
}

/** The key of the registry, and another one that it does not have. */
function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const der = publicKey.export({ type: 'spki', format: 'der' })
  return { privateKey, publicKey, der, keyid: `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}` }
}
const key = newKey()

/** A registry that holds what is published to it: https://docs.npmjs.com, the part that npm asks for. */
function openRegistry() {
  const held = { packument: undefined, tarball: undefined, attestations: [], asked: [], signer: key }
  const server = createServer((request, response) => {
    const { method, url } = request
    const path = decodeURIComponent(url.split('?')[0])
    held.asked.push(`${method} ${path}`)
    const send = (status, body) => {
      response.writeHead(status, { 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json' })
      response.end(Buffer.isBuffer(body) ? body : JSON.stringify(body))
    }
    if (method === 'PUT' && path === `/${name}`) {
      const pieces = []
      request.on('data', (piece) => pieces.push(piece))
      request.on('end', () => send(201, { ok: publish(JSON.parse(Buffer.concat(pieces))) }))
    } else if (path === `/${name}` && held.packument) send(200, held.packument)
    else if (path === `/${name}/-/${name}-${version}.tgz` && held.tarball) send(200, held.tarball)
    else if (path === '/-/npm/v1/keys') send(200, { keys: [registryKey()] })
    else if (path === `/-/npm/v1/attestations/${name}@${version}`) send(200, { attestations: held.attestations })
    else send(404, { error: 'not_found' })
  })
  const registryKey = () => ({
    expires: null,
    keyid: key.keyid,
    keytype: 'ecdsa-sha2-nistp256',
    scheme: 'ecdsa-sha2-nistp256',
    key: key.der.toString('base64'),
  })
  /** The registry signs the name, the version and the digest of what it got. */
  function publish({ _attachments: attachments, ...packument }) {
    held.tarball = Buffer.from(Object.values(attachments)[0].data, 'base64')
    const { dist } = packument.versions[version]
    dist.tarball = `${address()}/${name}/-/${name}-${version}.tgz`
    const signed = Buffer.from(`${name}@${version}:${dist.integrity}`)
    dist.signatures = [{ keyid: key.keyid, sig: sign('sha256', signed, held.signer.privateKey).toString('base64') }]
    held.packument = packument
    return true
  }
  const address = () => `http://127.0.0.1:${server.address().port}`
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done({ held, server, address: address() })))
}

/** Run a program while the registry goes on answering. */
function run(command, args, { cwd = folder, env = {} } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, npm_config_loglevel: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (piece) => {
      stdout += piece
    })
    child.stderr.on('data', (piece) => {
      stderr += piece
    })
    child.on('error', (error) => done({ status: null, stdout, stderr: String(error) }))
    child.on('close', (status) => done({ status, stdout, stderr }))
  })
}

const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-update-notifier']

/** A project that has this registry and a cache of its own. */
function project(title, address) {
  const cwd = join(folder, title)
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'a-user', version: '1.0.0', private: true }))
  const host = address.replace(/^http:/, '')
  writeFileSync(join(cwd, '.npmrc'), `registry=${address}/\n${host}/:_authToken=rehearsal\ncache=${join(folder, `cache-${title}`)}\n`)
  return cwd
}

async function rehearse({ held, address }) {
  const file = values.tarball === undefined ? pack() : resolve(values.tarball)
  const tarball = readFileSync(file)

  const publisher = project('publisher', address)
  const published = await run('npm', ['publish', '--provenance=false', '--ignore-scripts', file], { cwd: publisher })
  step('npm publishes the package', published.status === 0, published.stderr)
  step('the registry has the bytes that were packed', held.tarball?.equals(tarball))

  const repository = publicationOf(manifest).web
  const commit = git('rev-parse', 'HEAD') ?? '0'.repeat(40)
  const builder = newKey()
  const keys = new Map([key, builder].map(({ keyid, publicKey }) => [keyid, publicKey]))
  const invocation = `${repository}/actions/runs/1/attempts/1`
  const built = provenanceStatement({ manifest, tarball, commit, builder: 'https://github.com/actions/runner/github-hosted', invocation })
  const attest = (said, signer) => ({ predicateType: said.predicateType, bundle: bundleOf(said, signer) })
  held.attestations = [attest(built, builder), attest(publishStatement({ manifest, tarball, registry: address }), key)]
  const { attestations } = await (await fetch(`${address}/-/npm/v1/attestations/${name}@${version}`)).json()
  const problemsOf = (list, about = {}) => provenanceProblems(list, { manifest, tarball, commit, keys, ...about })
  step(
    'the provenance is of this package, commit, workflow and repository',
    problemsOf(attestations).length === 0,
    problemsOf(attestations),
  )
  const changed = gzipSync(gunzipSync(tarball), { level: 1 })
  step('… and not of the same files, packed otherwise', problemsOf(attestations, { tarball: changed }).length > 0)
  step('… nor of another commit', problemsOf(attestations, { commit: 'f'.repeat(40) }).length > 0)
  step('… nor of another repository', problemsOf(attestations, { manifest: elsewhere() }).length > 0)
  step('a statement that was changed after it was signed is refused', problemsOf(attestations.map(forged)).length > 0)
  step('one that a stranger signed is refused', problemsOf([attest(built, newKey()), attestations[1]]).length > 0)
  step('a package without provenance is refused', problemsOf(attestations.slice(1)).length > 0)

  const user = project('user', address)
  const installed = await run('npm', ['install', ...quiet, `${name}@${version}`], { cwd: user })
  step('npm installs it from the registry', installed.status === 0, installed.stderr)
  const audit = await audited(user)
  step(
    `npm audit signatures verifies it (${audit.by})`,
    audit.status === 0 && /1 package has a .*verified/.test(audit.stdout),
    audit.stdout + audit.stderr,
  )

  held.signer = newKey()
  const packument = structuredClone(held.packument)
  held.packument.versions[version].dist.signatures[0].sig = sign('sha256', Buffer.from('other'), held.signer.privateKey).toString('base64')
  const refused = await audited(project('forged', address), true)
  // By what it prints: the older npm ends with 0 all the same.
  step(
    '… and refuses a signature of another key',
    /has an invalid registry signature/.test(refused.stdout),
    refused.stdout + refused.stderr,
  )
  held.packument = packument
  held.tarball = changed
  const broken = await run('npm', ['install', ...quiet, `${name}@${version}`], { cwd: project('broken', address) })
  step('npm refuses a package that is not what was published', broken.status !== 0 && /EINTEGRITY/.test(broken.stderr), broken.stderr)
  held.tarball = tarball

  bill(join(user, 'node_modules', name))
  await tried(user, process.execPath, process.version)
  for (const major of values.nodes.split(',').filter(Boolean)) {
    const home = join(folder, `node-${major}`)
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    const fetched = await run('npm', ['install', ...quiet, `${platform}@${major}`], { cwd: home })
    step(`Node ${major} is there`, fetched.status === 0, fetched.stderr)
    if (fetched.status !== 0) continue
    const node = join(home, 'node_modules', platform, 'bin/node')
    const cli = npmCli()
    const own = project(`user-${major}`, address)
    const again = await run(node, [cli, 'install', ...quiet, `${name}@${version}`], { cwd: own })
    const { stdout } = await run(node, ['--version'])
    step(`npm installs it on Node ${stdout.trim()}`, again.status === 0, again.stderr)
    await tried(own, node, stdout.trim())
  }
}

function pack() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/pack.mjs'), folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return join(folder, stdout.trim())
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

const elsewhere = () => ({ ...manifest, repository: { ...manifest.repository, url: 'git+https://github.com/another/repository.git' } })

/** An attestation whose subject was changed, with the signature that it had. */
function forged({ predicateType, bundle }) {
  const said = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, 'base64'))
  said.predicate = { ...said.predicate, forged: true }
  const payload = Buffer.from(JSON.stringify(said)).toString('base64')
  return { predicateType, bundle: { ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, payload } } }
}

/** `npm audit signatures` by the npm that is here, or where that one cannot reach Sigstore, by one that asks the registry alone. */
let auditor
async function audited(cwd, installFirst = false) {
  if (installFirst) await run('npm', ['install', ...quiet, `${name}@${version}`], { cwd })
  if (auditor === undefined) {
    const own = await run('npm', ['audit', 'signatures'], { cwd, env: { npm_config_fetch_retries: '0' } })
    if (/verified|invalid/.test(own.stdout)) {
      auditor = ['npm']
      return { ...own, by: 'npm' }
    }
    const home = join(folder, 'npm')
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    await run('npm', ['install', ...quiet, npmOfKeys], { cwd: home })
    auditor = [process.execPath, join(home, 'node_modules/npm/bin/npm-cli.js')]
  }
  const [command, ...first] = auditor
  return { ...(await run(command, [...first, 'audit', 'signatures'], { cwd })), by: command === 'npm' ? 'npm' : npmOfKeys }
}

/** The npm that runs on any of these versions of Node. */
function npmCli() {
  const { stdout } = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' })
  return join(stdout.trim(), 'npm/bin/npm-cli.js')
}

/** The program and the library, as a user runs them. */
async function tried(cwd, node, label) {
  const program = join(cwd, 'node_modules', name, 'bin/grantwise.js')
  for (const example of ['quickstart/policy.json', 'mistakes/misspelt-field.yaml', 'library/decide.mjs'])
    cpSync(join(root, 'examples', example), join(cwd, example.split('/')[1]))
  const [who, what] = ['urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef', 'urn:v1:eu:resource:webHosting:example.org']
  const runs = [
    [['--version'], 0, `grantwise ${version}`],
    [['lint', 'policy.json'], 0, ''],
    [['lint', 'misspelt-field.yaml'], 1, 'denny'],
    [['can', who, 'webHosting:apisvc:get', what, '-p', 'policy.json'], 0, 'ALLOW'],
    [['can', who, 'webHosting:apisvc:terminate', what, '-p', 'policy.json'], 1, 'DENY'],
  ]
  for (const [args, code, text] of runs) {
    const { status, stdout, stderr } = await run(node, [program, ...args], { cwd })
    step(`${label}: ${args.slice(0, 1)} exits with ${code}`, status === code && stdout.includes(text), stdout + stderr)
  }
  const library = await run(node, ['decide.mjs'], { cwd })
  step(`${label}: the library decides`, library.status === 0, library.stderr)
}

/** The bill of materials names what is in the WebAssembly that the package holds. */
function bill(installed) {
  const sbom = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8'))
  const modules = sbom.components.flatMap(({ components = [] }) => components.filter(({ name: file }) => file.endsWith('.wasm')))
  step('the bill of materials has a WebAssembly module with its digest and what is in it', modules.length > 0 && modules.every(isDescribed))
}

const isDescribed = ({ hashes, components }) =>
  hashes.length > 0 && components.length > 0 && components.every(({ name: part, licenses }) => part && licenses.length > 0)

const registry = await openRegistry()
try {
  await rehearse(registry)
} catch (error) {
  step(`the rehearsal ended: ${error.message}`, false, error.stack)
} finally {
  registry.server.close()
  registry.server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failures.length} failed`)
mkdirSync(join(root, 'figures'), { recursive: true })
writeFileSync(
  join(root, 'figures/release.json'),
  `${JSON.stringify(
    {
      claim: 'a release can be packed, signed, attested, published, verified and installed, and what was changed on the way is refused',
      wanted: { failed: 0 },
      reached: { passed, failed: failures.length, nodes: [process.version, ...values.nodes.split(',').filter(Boolean)].join(', ') },
      failures,
      command: 'node scripts/rehearse.mjs --nodes 22,24',
      at: new Date().toISOString().slice(0, 10),
    },
    null,
    2,
  )}\n`,
)
process.exit(failures.length === 0 ? 0 : 1)
