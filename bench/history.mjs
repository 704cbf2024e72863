/**
 * How much CPU time `history` takes over a long history: node bench/history.mjs [--commits 10000] [--files 200,1000] [--json]
 * Nine commits of ten change a policy or the world file, the others another file. The time of git counts as well, and that of starting Node, which the
 * first row has. `--json`: an object a line.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '10000' },
    files: { type: 'string', default: '200,1000' },
    json: { type: 'boolean', default: false },
  },
})
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const user = (i) => `urn:v1:eu:identity:user:ab12-svc/user${i}`
const group = (i) => `urn:v1:eu:identity:group:ab12-svc/group${i}`
const [users, groups] = [100, 20]
const actions = ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:*', 'webHosting:apisvc:get', 'webHosting:*', 'domain:apisvc:get']

/** Numbers below a bound, the same in every run. */
function randomOf(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

const listOf = (count, make) => Array.from({ length: count }, (_, i) => make(i))

const policyText = (i, random) =>
  JSON.stringify({
    name: `p${i}`,
    identities: listOf(1 + random(4), () => (random(3) > 0 ? user(random(users)) : group(random(groups)))),
    resources: [{ urn: `urn:v1:eu:resource:vps:${random(3) > 0 ? '*' : `vps-${random(50)}`}` }, { urn: 'urn:v1:eu:resource:webHosting:*' }],
    permissions: {
      allow: listOf(1 + random(4), () => ({ action: actions[random(actions.length)] })),
      ...(random(10) === 0 && { deny: [{ action: actions[random(3)] }] }),
    },
  })

const worldText = (random) =>
  JSON.stringify({
    identities: listOf(users, (i) => ({ urn: user(i), groups: [...new Set([group(random(groups)), group(random(groups))])] })),
  })

/** The files that a commit changes, by their paths. */
function changesOf(commit, files, random) {
  if (commit === 0) {
    const policies = listOf(files, (i) => [`policies/p${i}.json`, policyText(i, random)])
    return [['.grantwise.yaml', 'policies: [policies]\nworld: world.json\n'], ['world.json', worldText(random)], ...policies]
  }
  if (commit % 100 === 0) return [['world.json', worldText(random)]]
  if (random(1000) >= 870) return [[`src/file${random(50)}.js`, `// ${commit}\n`]]
  const i = random(files)
  return [[`policies/p${i}.json`, policyText(i, random)]]
}

/** A stream for `git fast-import`. */
function streamOf(commits, files) {
  const random = randomOf(7)
  const start = Date.UTC(2023, 0, 1) / 1000
  return listOf(commits, (commit) => {
    const changes = changesOf(commit, files, random).map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    )
    return `commit refs/heads/main\ncommitter carol <carol@example.org> ${start + commit * 3600} +0000\ndata 6\nchange\n${changes.join('')}`
  }).join('')
}

/** CPU seconds of a command and of what it starts. */
function cpuOf(args, cwd) {
  const { status, stderr } = spawnSync('sh', ['-c', '"$@" > /dev/null; code=$?; times >&2; exit $code', 'sh', process.execPath, ...args], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  const children = stderr.trim().split('\n').at(-1) ?? ''
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

function report(row) {
  if (values.json) console.log(JSON.stringify(row))
  else console.log(`${row.name.padEnd(28)} ${row.files === undefined ? '' : `${row.files} files`.padEnd(12)} ${row.seconds.toFixed(2)} s`)
}

const questions = [
  ['history, one question', user(5), 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:vps-1'],
  ['history, one identity', user(5)],
]

report({ name: 'node -e 0', seconds: cpuOf(['-e', '0'], tmpdir()) })
for (const files of values.files.split(',').map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-history-'))
  try {
    const git = (args, input) => {
      const { status, stderr } = spawnSync('git', args, { cwd: folder, input })
      if (status !== 0) throw new Error(stderr.toString())
    }
    git(['init', '--quiet', '--initial-branch=main'])
    git(['fast-import', '--quiet'], streamOf(Number(values.commits), files))
    git(['reset', '--quiet', '--hard', 'main'])
    for (const [name, ...asked] of questions) report({ name, files, seconds: cpuOf([program, 'history', ...asked], folder) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
