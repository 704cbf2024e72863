// Tags a release: the commit that is checked out, plus one that adds the bundle of the action, which is in no branch. Build
// servers run the bundle as they fetch it, and install nothing.
// usage: node scripts/release-tag.mjs      then: git push origin vVERSION
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const bundle = 'integrations/action'
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const tag = `v${version}`

function git(args, env = {}) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } }).trim()
}

/** A commit on top of another one that adds the bundle. The checkout and its index stay as they are. */
function commitWithBundle(parent) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-release-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    git(['read-tree', parent], env)
    for (const name of readdirSync(join(root, bundle))) {
      const path = `${bundle}/${name}`
      git(['update-index', '--add', '--cacheinfo', `100644,${git(['hash-object', '-w', path])},${path}`], env)
    }
    return git(['commit-tree', git(['write-tree'], env), '-p', parent, '-m', `Add the bundle of the action of ${version}`])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function refuse(message) {
  console.error(`release-tag: ${message}`)
  process.exit(1)
}

if (git(['status', '--porcelain']) !== '') refuse('there are changes that are not committed')
if (git(['tag', '--list', tag]) !== '') refuse(`the tag ${tag} exists`)
// The folder is ignored by git: other files in it would get into the release.
rmSync(join(root, bundle), { recursive: true, force: true })
execFileSync(process.execPath, [join(root, 'scripts/action.mjs')], { cwd: root, stdio: 'inherit' })
git(['tag', '--annotate', '--message', `grantwise ${version}`, tag, commitWithBundle(git(['rev-parse', 'HEAD']))])
console.log(`${tag}: push it with \`git push origin ${tag}\``)
