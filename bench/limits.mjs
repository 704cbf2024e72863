/**
 * How long the program takes at its limits, and what memory: node bench/limits.mjs [--runs 5] [--no-write]
 * Each command is run so often in a process of its own, and the median counts; of memory the most. Writes figures/limits.json.
 * Refusals are counted above the time of linting one small file, which is the start of the program.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' }, 'no-write': { type: 'boolean', default: false } } })
const runs = Number(values.runs)
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const mebibyte = 2 ** 20

/** A clean policy; `edit` changes what it grants. */
const policy = (i, { actions = 3, edit = '' } = {}) => ({
  name: `team ${i}`,
  description: 'x'.repeat(2_400),
  identities: [`urn:v1:eu:identity:user:ab12-svc/user-${i}`],
  resources: [{ urn: `urn:v1:eu:resource:vps:vps-${i}${edit}` }],
  permissions: {
    allow: ['reboot', 'start', 'stop', ...Array.from({ length: actions - 3 }, (_, k) => `path/${k}`)].map((path) => ({
      action: `vps:apisvc:${path}`,
    })),
  },
})
const policies = (count, options = () => ({})) =>
  JSON.stringify({ policies: Array.from({ length: count }, (_, i) => policy(i, options(i))) })
const filler = (length) => 'a'.repeat(length)
/** YAML that the reader for plain text does not take, so that it goes the long way. */
const honestYaml = () => {
  let text = 'policies:\n'
  for (let i = 0; text.length < mebibyte - 900; i++)
    text += `- name: "t${i}"\n  identities: [urn:v1:eu:identity:user:ab12-svc/u${i}]\n  resources: [{urn: "urn:v1:eu:resource:vps:v${i}"}]\n  permissions: {allow: [{action: vps:apisvc:reboot}]}\n  description: >-\n    folded\n    text\n`
  return text
}
/** Policies of one identity on all servers. */
const granting = (...all) =>
  JSON.stringify({
    policies: all.map(({ allow = [], except = [], deny = [] }, i) => ({
      name: `p${i}`,
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: Object.fromEntries(
        Object.entries({ allow, except, deny }).map(([list, names]) => [list, names.map((action) => ({ action }))]),
      ),
    })),
  })
/** Excepts with inner wildcards, stacked, which a difference cannot decide within its budget. */
const stacked = granting(...[...'abcdefghijklmnop'].map((letter) => ({ allow: ['p:apisvc:*'], except: [`*Z${letter}*`] })))

/** The runs: their files, the command, and the most milliseconds; `isRefusal`: above the start of the program. */
const commands = [
  { what: 'start, and lint of one small file', most: 250, files: { 'small.json': policies(1) }, args: ['lint', 'small.json'] },
  { what: 'lint of 100 policies', most: 1_000, files: { 'hundred.json': policies(100) }, args: ['lint', 'hundred.json'] },
  {
    what: 'lint of 1,000 policies',
    most: 6_000,
    memory: 256,
    files: { 'thousand.json': policies(1_000) },
    args: ['lint', 'thousand.json'],
  },
  { what: 'lint of 1 MiB of YAML', most: 2_000, files: { 'large.yaml': honestYaml() }, args: ['lint', 'large.yaml'] },
  {
    what: 'diff of 100 policies with 30 actions',
    most: 3_000,
    files: { 'a1.json': policies(100, () => ({ actions: 30 })), 'b1.json': policies(100, () => ({ actions: 30, edit: 'x' })) },
    args: ['diff', 'a1.json', 'b1.json'],
  },
  {
    what: 'diff of 300 policies, 5 % edited',
    most: 2_000,
    files: { 'a2.json': policies(300), 'b2.json': policies(300, (i) => (i % 20 === 0 ? { edit: 'x' } : {})) },
    args: ['diff', 'a2.json', 'b2.json'],
  },
  {
    what: 'diff of 1,000 policies, one edited',
    most: 500,
    isRefusal: true,
    files: { 'a3.json': policies(1_000), 'b3.json': policies(1_000, (i) => (i === 7 ? { edit: 'x' } : {})) },
    args: ['diff', 'a3.json', 'b3.json'],
  },
  {
    what: 'diff that is undecided',
    most: 5_000,
    files: { 'a4.json': stacked, 'b4.json': granting({ allow: ['p:apisvc:*'] }, { deny: ['*Zo*Zp*', '*Zp*Zo*'] }) },
    args: ['diff', 'a4.json', 'b4.json'],
  },
  {
    what: 'as many `a,` of YAML as are read',
    most: 2_000,
    files: { 'items.yaml': `[${'a,'.repeat(166_665)}]` },
    args: ['lint', 'items.yaml'],
  },
  {
    what: '50,000 keys of YAML, the last one twice',
    most: 2_000,
    files: { 'keys.yaml': `${Array.from({ length: 50_000 }, (_, i) => `k${i}: a`).join('\n')}\nk49999: b\n` },
    args: ['lint', 'keys.yaml'],
  },
  ...[
    ['JSON past its length', 'r1.json', `["${filler(8 * mebibyte)}"]`],
    ['YAML past its length', 'r2.yaml', `a: "${filler(8 * mebibyte)}"`],
    ['1 MB of `]`', 'r3.yaml', ']'.repeat(1_000_000)],
    ['1 MB of `a,`', 'r4.yaml', `[${'a,'.repeat(500_000)}]`],
    ['1 MB of anchors', 'r5.yaml', '&a '.repeat(340_000)],
    ['an alias bomb', 'r6.yaml', `a: &a [x]\n${Array.from({ length: 10 }, (_, i) => `b${i}: &b${i} [${'*a,'.repeat(10)}]`).join('\n')}`],
    ['100,000 levels of JSON', 'r7.json', '['.repeat(100_000)],
    ['100,000 levels of YAML', 'r8.yaml', '['.repeat(100_000)],
  ].map(([what, file, text]) => ({ what: `refusal: ${what}`, most: 200, isRefusal: true, files: { [file]: text }, args: ['lint', file] })),
]

const folder = mkdtempSync(join(tmpdir(), 'grantwise-limits-'))
const rows = []
try {
  for (const { what, most, memory = 512, isRefusal = false, files, args } of commands) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const measured = Array.from({ length: runs }, () => run(args))
    const start = isRefusal ? rows[0].milliseconds : 0
    const milliseconds = Math.max(0, Math.round(median(measured.map((each) => each.milliseconds)) - start))
    const mebibytes = Math.round(Math.max(...measured.map((each) => each.mebibytes)))
    rows.push({ what, mostMilliseconds: most, milliseconds, mostMebibytes: memory, mebibytes, exit: measured[0].exit })
    console.log(`${what}: ${milliseconds} ms (${most}), ${mebibytes} MiB (${memory}), exit ${measured[0].exit}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}

const over = rows.filter((row) => row.milliseconds > row.mostMilliseconds || row.mebibytes > row.mostMebibytes)
const figure = {
  claim: 'the program keeps its bounds of time and memory, and refuses at once what is past its limits',
  wanted: { commands: rows.length, over: 0 },
  reached: { commands: rows.length, over: over.map(({ what }) => what) },
  machine: { cores: availableParallelism(), node: process.versions.node },
  runs,
  rows,
  at: new Date().toISOString().slice(0, 10),
  command: 'node bench/limits.mjs',
}
if (!values['no-write']) {
  mkdirSync(new URL('../figures/', import.meta.url), { recursive: true })
  writeFileSync(new URL('../figures/limits.json', import.meta.url), `${JSON.stringify(figure, null, 2)}\n`)
}
process.exit(over.length > 0 ? 1 : 0)

/** Run the program once: how long it took from outside, and the most memory that it held. */
function run(args) {
  const watch = 'data:text/javascript,process.on("exit",()=>process.stderr.write("\\nmaxRSS "+process.resourceUsage().maxRSS))'
  const before = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ['--import', watch, program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  const milliseconds = performance.now() - before
  const [, kibibytes] = /\nmaxRSS (\d+)$/.exec(stderr) ?? []
  if (status === null || kibibytes === undefined) throw new Error(`${args.join(' ')}: no answer\n${stderr.slice(0, 2_000)}`)
  return { milliseconds, mebibytes: Number(kibibytes) / 1024, exit: status }
}

function median(list) {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
}
