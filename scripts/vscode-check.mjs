// Checks the packed VS Code extension: what is in it, what its manifest says, and that the server in it answers.
// usage: node scripts/vscode-check.mjs      after `node scripts/vscode.mjs`; unpacks it into editors/vscode/dist/unpacked
import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unzipSync } from 'fflate'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node.js'
import { publicationOf } from './publication.mjs'

/** A seventh more than it has. */
const mostBytes = 2_400_000

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'editors/vscode/dist')
const program = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { version } = program
const packed = join(dist, `grantwise-${version}.vsix`)
const unpacked = join(dist, 'unpacked')

const files = unzipSync(readFileSync(packed))
rmSync(unpacked, { recursive: true, force: true })
for (const [name, bytes] of Object.entries(files)) {
  const path = join(unpacked, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

const names = Object.keys(files).toSorted()
const laidOut = readdirSync(join(dist, 'extension'), { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile())
  .map((each) => join('extension', each.parentPath.slice(join(dist, 'extension').length), each.name).replaceAll('\\', '/'))
// The packer has names of its own for these.
const expected = laidOut.map((name) => name.replace(/^extension\/(README|CHANGELOG)\.md$/, (path) => path.toLowerCase()))
assert.deepStrictEqual(names, [...expected, '[Content_Types].xml', 'extension.vsixmanifest'].toSorted())
const isWanted =
  /^(\[Content_Types\]\.xml|extension\.vsixmanifest|extension\/(extension\.js|package\.json|readme\.md|changelog\.md|icon\.png|walkthrough\/[\w-]+\.md|(LICENSE|THIRD-PARTY-LICENSES)\.txt|schemas\/[^/]+\.json|server\/package\.json|server\/bin\/(grantwise\.js|package\.json)|server\/dist\/program\/[^/]+\.c?js))$/
assert.deepStrictEqual(
  names.filter((name) => !isWanted.test(name) || /\.map$|\.d\.ts$|(^|\/)(test|src|node_modules)\//.test(name)),
  [],
)
assert.ok(statSync(packed).size < mostBytes, `it has ${statSync(packed).size} bytes, and may have ${mostBytes}`)

const manifest = JSON.parse(readFileSync(join(unpacked, 'extension/package.json'), 'utf8'))
const listed = readFileSync(join(unpacked, 'extension.vsixmanifest'), 'utf8')
assert.match(listed, new RegExp(`<Identity [^>]*Id="grantwise" Version="${version}" Publisher="grantwise" ?/>`))
assert.ok(listed.includes(`Id="Microsoft.VisualStudio.Code.Engine" Value="${manifest.engines.vscode}"`))
// A marketplace shows these.
for (const asset of ['Content.Details', 'Content.Changelog', 'Content.License', 'Icons.Default'])
  assert.ok(listed.includes(`Type="Microsoft.VisualStudio.Services.${asset}"`), asset)
assert.ok(listed.includes(`Id="Microsoft.VisualStudio.Services.Links.Source" Value="${publicationOf(program).web}`), 'the repository')

const server = spawn(process.execPath, [join(unpacked, 'extension/server/bin/grantwise.js'), 'lsp', '--stdio'], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const ended = once(server, 'exit')
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin))
connection.listen()
const { serverInfo } = await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} })
assert.deepStrictEqual(serverInfo, { name: 'grantwise', version })
await connection.sendRequest('shutdown')
await connection.sendNotification('exit')
assert.deepStrictEqual(await ended, [0, null])
console.log(`${packed}: ${names.length} files, ${statSync(packed).size} bytes; its server answers`)
