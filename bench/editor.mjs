/**
 * How long what editors ask takes in a workspace of many policies, a file each, with a key pressed before every question:
 * node bench/editor.mjs [--policies 1000] [--identities 500] [--resources 2000] [--rounds 200] [--seed 1]
 * The file that is edited is read again, and the world is built again, as the language server does it. Prints a line of JSON:
 * the median, the 99th percentile and the longest time of each question in milliseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const number = (value) => ({ type: 'string', default: value })
const { values } = parseArgs({
  options: { policies: number('1000'), identities: number('500'), resources: number('2000'), rounds: number('200'), seed: number('1') },
})
const [policies, identities, resources, rounds] = [values.policies, values.identities, values.resources, values.rounds].map(Number)
let state = Number(values.seed)
/** A whole number below a bound, the same for the same seed. */
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * bound)
}

const editor = await library()
const catalogue = editor.loadCatalogue()
const operations = editor.loadOperations()
const settings = { ...editor.defaultSettings, zones: new editor.Zones() }
const texts = account()
const files = new Map()
for (const [path, text] of texts) files.set(path, await fileOf(path, text))
const now = Date.UTC(2026, 0, 1)
const index = new editor.NameIndex()
const workspace = () =>
  editor.workspaceOf({
    files,
    index,
    catalogue,
    settings,
    now,
    docs: 'https://docs.example',
    operations: () => operations,
    committed: (path) => texts.get(path),
  })

const at = (text, part) => text.indexOf(part) + part.length
/** Each question, and where in a file it is asked. */
const questions = {
  completeField: (space, file) => editor.complete(space, file, at(file.source.text, '\n')),
  completeIdentity: (space, file) => editor.complete(space, file, at(file.source.text, 'identities:\n  - ')),
  completeAction: (space, file) => editor.complete(space, file, at(file.source.text, 'action: ')),
  completeResource: (space, file) => editor.complete(space, file, at(file.source.text, 'urn: ')),
  hoverIdentity: (space, file) => editor.hover(space, file, at(file.source.text, 'identities:\n  - urn')),
  hoverAction: (space, file) => editor.hover(space, file, at(file.source.text, 'action: ')),
  hoverResource: (space, file) => editor.hover(space, file, at(file.source.text, 'urn: urn')),
  definition: (space, file) => editor.definition(space, file, at(file.source.text, 'identities:\n  - urn')),
  references: (space, file) => editor.references(space, file, at(file.source.text, 'identities:\n  - urn')),
  rename: (space, file) => editor.rename(space, file, at(file.source.text, 'identities:\n  - urn'), 'renamed'),
  inlays: (space, file) => editor.inlays(space, file, { start: 0, end: file.source.text.length }),
  lenses: (space, file) => editor.lenses(space, file),
  documentSymbols: (_, file) => editor.documentSymbols(file),
  workspaceSymbols: (space) => editor.workspaceSymbols(space, 'pol9'),
  folding: (_, file) => editor.folding(file),
  links: (space, file) => editor.links(space, file),
}

const paths = [...texts.keys()].filter((path) => path !== 'world.yaml')
// The first question of all builds what later ones find.
for (const ask of Object.values(questions)) ask(workspace(), files.get(paths[0]))
const out = {}
for (const [name, ask] of Object.entries(questions)) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const path = paths[below(paths.length)]
    const text = texts.get(path)
    const cut = below(text.length)
    files.set(path, await fileOf(path, round % 2 === 0 ? `${text}# ${round}\n` : `${text.slice(0, cut)} ${text.slice(cut)}`))
    const begin = performance.now()
    ask(workspace(), files.get(path))
    times.push(performance.now() - begin)
    files.set(path, await fileOf(path, text))
  }
  times.sort((a, b) => a - b)
  const part = (share) => Number(times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1))
  out[name] = { median: part(0.5), p99: part(0.99), max: part(1) }
}
console.log(
  JSON.stringify({
    machine: { cores: availableParallelism(), node: process.versions.node },
    workload: { policies, identities, resources, rounds },
    milliseconds: out,
  }),
)

async function fileOf(path, text) {
  const source = editor.sourceOf(path, text)
  return editor.editorFile({ source, read: await editor.readSource(source, settings) })
}

/** Policies over groups and single users, one in fifty of which denies; and a world that describes who and what they name. */
function account() {
  const products = catalogue.products.filter((product) => catalogue.typesOf(product).length > 0)
  const user = (i) => `urn:v1:eu:identity:user:ab12-svc/user${i}`
  const group = (i) => `urn:v1:eu:identity:group:ab12-svc/team${i}`
  const teams = Math.ceil(identities / 10)
  const resource = (i) => `urn:v1:eu:resource:${catalogue.typesOf(products[i % products.length])[0]}:resource-${i}`
  const out = new Map()
  for (let i = 0; i < policies; i++) {
    const product = products[below(products.length)]
    const list = i % 50 === 0 ? 'deny' : 'allow'
    out.set(
      `policies/${i}.yaml`,
      `name: policy${i}\nidentities:\n  - ${group(below(teams))}\n  - ${user(below(identities))}\nresources:\n  - urn: ${resource(below(resources))}\n  - urn: ${resource(below(resources)).replace(/[^:]*$/, '*')}\npermissions:\n  ${list}:\n    - action: ${product}:*\n    - action: ${catalogue.actionsOf(product)[0]}\n${i % 7 === 0 ? 'conditions:\n  operator: MATCH\n  values:\n    date(Europe/Paris).Hour.GE: "8"\n    request.IP.IN_RANGE: 192.0.2.0/24\n' : ''}`,
    )
  }
  const users = Array.from(
    { length: identities },
    (_, i) => `  - urn: ${user(i)}\n    groups: [${group(i % teams)}, ${group((i * 7) % teams)}]\n`,
  )
  const things = Array.from(
    { length: resources },
    (_, i) => `  - urn: ${resource(i)}\n    tags: {env: ${['prod', 'test'][i % 2]}, team: team${i % teams}}\n`,
  )
  out.set('world.yaml', `account: ab12-svc\nidentities:\n${users.join('')}resources:\n${things.join('')}`)
  return out
}

/** The functions under test, as one file. */
async function library() {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-editor-'))
  const source = fileURLToPath(new URL('../src/', import.meta.url))
  const names = [
    'completion/complete',
    'hover',
    'references',
    'rename',
    'inlays',
    'lenses',
    'symbols',
    'folding',
    'links',
    'name-index',
    'workspace',
  ]
  const others = ['actions/load', 'actions/operations', 'names', 'zones', 'source', 'parser/read']
  const contents = [...names.map((name) => `editor/${name}`), ...others].map((name) => `export * from './${name}.ts'\n`).join('')
  const outfile = join(folder, 'editor.mjs')
  await build({
    stdin: { contents, resolveDir: source, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    banner: { js: `import { createRequire } from 'node:module'\nconst require = createRequire(${JSON.stringify(import.meta.url)})` },
  })
  try {
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
