/**
 * How long `report` takes over a large account, and how long its page makes a reader wait:
 * node bench/page.mjs [--policies 1000] [--identities 500] [--resources 2000] [--seed 1] [--keep FILE]
 * The longest stretch in which the page does not answer is that of the browser's own trace: tasks of its main thread, after
 * loading, in time of its processor where the trace has it. Prints a line of JSON. `--keep` leaves the page.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const number = (value) => ({ type: 'string', default: value })
const { values } = parseArgs({
  options: {
    policies: number('1000'),
    identities: number('500'),
    resources: number('2000'),
    seed: number('1'),
    keep: { type: 'string' },
  },
})
const sizes = { policies: Number(values.policies), identities: Number(values.identities), resources: Number(values.resources) }
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-page-'))
writeFileSync(join(folder, 'account.json'), JSON.stringify(account(sizes, Number(values.seed))))
const page = values.keep === undefined ? join(folder, 'report.html') : resolve(values.keep)

const built = build()
console.log(
  JSON.stringify({
    machine: { cores: availableParallelism(), node: process.versions.node },
    workload: sizes,
    build: built,
    kilobytes: Math.round(statSync(page).size / 1000),
    page: await drive(),
  }),
)
rmSync(folder, { recursive: true })

/** Write the report; the seconds of the process, of its user time and of the clock. */
function build() {
  const args = [process.execPath, program, 'report', '--no-config', 'account.json', '-o', page]
  const timed = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %R"; time "$0" "$@"', ...args], { cwd: folder, encoding: 'utf8' })
  if (timed.status !== 0) throw new Error(timed.stderr)
  const [userSeconds, seconds] = timed.stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { userSeconds, seconds }
}

/** Open the page, use it, and look up in the trace how long it did not answer, for each thing that was done. */
async function drive() {
  const browser = await chromium.launch({
    executablePath: process.env.GRANTWISE_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const start = performance.now()
  await tab.goto(`file://${page}`)
  await tab.locator('main h2').first().waitFor()
  const out = { loadMs: Math.round(performance.now() - start) }
  const measure = async (name, act) => {
    await tab.waitForTimeout(200)
    await browser.startTracing(tab, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] })
    await act()
    await tab.waitForTimeout(500)
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
    const main = traceEvents.filter(({ name: thread, args }) => thread === 'thread_name' && args?.name === 'CrRendererMain')
    const threads = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`))
    const tasks = traceEvents.filter((event) => /RunTask/.test(event.name) && event.dur && threads.has(`${event.pid} ${event.tid}`))
    out[name] = Math.round(Math.max(0, ...tasks.map(({ dur, tdur = dur }) => tdur)) / 1000)
  }
  await measure('summaryMs', () => tab.reload())
  await measure('matrixMs', () => tab.goto(`file://${page}#/matrix`))
  await measure('matrixOfResourcesMs', () => tab.getByLabel('Columns', { exact: true }).selectOption('*'))
  await measure('scrollMs', async () => {
    const box = await tab.locator('.matrix-scroller').boundingBox()
    await tab.mouse.move(box.x + 400, box.y + 200)
    for (let i = 0; i < 30; i++) await tab.mouse.wheel(i % 3 === 0 ? 900 : 0, i % 3 === 0 ? 0 : 700)
  })
  await measure('filterTextMs', () => tab.getByLabel('Filter identities').pressSequentially('user-1'))
  await measure('filterColumnsMs', () => tab.getByLabel('Filter columns').pressSequentially('vps'))
  await measure('clearMs', async () => {
    await tab.getByLabel('Filter identities').fill('')
    await tab.getByLabel('Filter columns').fill('')
  })
  await measure('filterLevelMs', () => tab.getByLabel('Level', { exact: true }).selectOption('write'))
  await measure('filterConditionalMs', () => tab.getByLabel('Only under conditions').check())
  await measure('filterRiskMs', () => tab.getByLabel('Can', { exact: true }).selectOption('destruction'))
  await measure('sortMs', () => tab.getByLabel('Order', { exact: true }).selectOption('most'))
  await measure('openCellMs', () => tab.locator('.matrix td.write').first().click())
  await measure('resourcesMs', () => tab.goto(`file://${page}#/resources`))
  await measure('filterResourcesMs', () => tab.getByRole('searchbox').pressSequentially('vps-1'))
  await measure('policiesMs', () => tab.goto(`file://${page}#/policies`))
  await measure('searchMs', async () => {
    await tab.goto(`file://${page}#/search`)
    await tab.getByRole('searchbox').pressSequentially('reboot')
  })
  await measure('graphMs', async () => {
    await tab.goto(`file://${page}#/graph`)
    await tab.locator('.canvas [data-place]').first().waitFor()
  })
  await measure('graphClusterMs', () => tab.locator('.canvas [aria-expanded]').first().press('Enter'))
  await measure('graphSearchMs', () => tab.getByLabel('Resource or pattern').pressSequentially('vps-1'))
  await measure('graphClearMs', () => tab.getByLabel('Resource or pattern').fill(''))
  await measure('graphFilterMs', () => tab.getByLabel('Resource type').selectOption({ index: 1 }))
  await measure('graphZoomMs', async () => {
    for (let i = 0; i < 5; i++) await tab.getByRole('button', { name: 'Larger' }).click()
  })
  await measure('graphChooseMs', () => tab.locator('.canvas [data-place]').first().press(' '))
  await measure('timelineMs', () => tab.goto(`file://${page}#/timeline`))
  await browser.close()
  return out
}

/** An account as teams write one: users in groups, policies about groups and users, resources by name, pattern, group and tag. */
function account({ policies, identities, resources }, seed) {
  const random = randomOf(seed)
  const below = (n) => Math.floor(random() * n)
  const pick = (list) => list[below(list.length)]
  const some = (most, make) => [...new Set(Array.from({ length: 1 + below(most) }, make))]
  const own = 'ab12-svc'
  const types = [
    'vps',
    'webHosting',
    'dnsZone',
    'domain',
    'dedicatedServer',
    'publicCloudProject',
    'ipLoadbalancing',
    'vrack',
    'allDom',
    'emailDomain',
  ]
  const envs = ['prod', 'staging', 'dev', 'test']
  const groups = Array.from({ length: Math.max(1, Math.floor(identities / 12)) }, (_, i) => `urn:v1:eu:identity:group:${own}/team-${i}`)
  const users = Array.from({ length: identities }, (_, i) =>
    i % 8 === 7
      ? `urn:v1:eu:identity:credential:${own}/oauth2-EU.${String(i).padStart(16, '0')}`
      : `urn:v1:eu:identity:user:${own}/user-${i}`,
  )
  const all = Array.from({ length: resources }, (_, i) => {
    const type = types[i % types.length]
    return { urn: `urn:v1:eu:resource:${type}:${type}-${i}`, tags: { env: pick(envs), team: `team-${below(groups.length)}` } }
  })
  const resourceGroups = Array.from({ length: Math.ceil(resources / 40) }, (_, i) => ({
    urn: `urn:v1:eu:resourceGroup:00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    name: `service ${i}`,
    resources: some(30, () => pick(all)).map(({ urn }) => ({ urn })),
  }))
  const verbs = ['get', '*', 'reboot', 'terminate', 'serviceInfos/*', 'edit', 'confirmTermination', 'task/*', 'create']
  const conditions = () => {
    const roll = random()
    if (roll < 0.1) return { operator: 'MATCH', values: { 'request.IP.IN_RANGE': `203.0.${below(200)}.0/24` } }
    if (roll < 0.2) return { operator: 'MATCH', values: { 'resource.Tag(env)': pick(envs) } }
    if (roll < 0.25) return { operator: 'MATCH', values: { 'date(Europe/Paris).WeekDay.IN': 'Monday, Tuesday' } }
    return undefined
  }
  return {
    policies: Array.from({ length: policies }, (_, i) => {
      const about = pick(types)
      const entry = () => {
        const roll = random()
        if (roll < 0.6) return pick(all.filter(({ urn }) => urn.includes(`:${about}:`))).urn
        if (roll < 0.85) return pick(resourceGroups).urn
        return `urn:v1:eu:resource:${about}:${random() < 0.5 ? '' : `${about}-${below(10)}`}*`
      }
      const condition = conditions()
      return {
        name: `policy ${i}`,
        identities: some(3, () => (random() < 0.6 ? pick(groups) : pick(users))),
        resources: some(5, entry).map((urn) => ({ urn })),
        permissions: {
          allow: some(5, () => `${about}:apisvc:${pick(verbs)}`).map((action) => ({ action })),
          ...(random() < 0.06 && { deny: [{ action: `${about}:apisvc:terminate` }] }),
        },
        ...(condition && { conditions: condition }),
        ...(random() < 0.1 && { expiredAt: `20${29 + below(5)}-06-30T00:00:00Z` }),
      }
    }),
    identities: users.map((urn) => ({ urn, groups: some(2, () => pick(groups)) })),
    resources: all,
    resourceGroups,
  }
}

function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
