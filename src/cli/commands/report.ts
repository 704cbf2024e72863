import { resolve } from 'node:path'
import { readActions } from '../../actions/reads.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import { lintFiles } from '../../lint/lint-files.ts'
import { pageData } from '../../page/build.ts'
import { pageHtml } from '../../page/html.ts'
import { plural } from '../../report/words.ts'
import { rules } from '../../rules/index.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { displayPath, portable } from '../app/paths.ts'
import { refuseProblems } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { readAccountContext, withTags } from '../input/account.ts'
import { docsOf, openConfigs } from '../input/config.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkCodes } from '../input/levels.ts'
import { policySelection } from '../input/policies.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { decidable, decided, noteUncreated, readFiles } from '../input/world.ts'
import { pageAssets } from '../output/page-assets.ts'
import { writeFile } from '../output/write.ts'

/** `report [PATH…]`: one HTML file with who may do what, and why. */
export const run: Run<'report'> = async (paths, options, io) => {
  const file = options.output === '-' ? undefined : resolve(io.cwd, options.output)
  const targets = file === undefined ? [] : [{ option: '-o', file }]
  checkTargets(targets, io)
  const { given, times, tags, problems } = readAccountContext(options, io)
  refuseProblems(problems)
  const configs = await openConfigs(options, io)
  const { main } = configs
  checkCodes([main])
  const selection = await policySelection([...paths, ...options.policies], main, io)
  const read = await decided(await readFiles(selection, main.settings, io), options, io)
  await guardInputs(targets, read, [], main.settings, io)
  const before = decidable(read, io)
  if (!before) return exit.error
  noteUncreated([read], io)
  const world = withTags(before, tags)
  await configs.load(read.files)
  checkCodes(configs.all())
  const catalogue = await catalogueFor(main, io)
  const operations = await operationsFor(main, io)
  const { findings, suppressed } = lintFiles({
    files: read,
    settings: main.settings,
    catalogue,
    operations: () => operations,
    now: times.at ?? times.from,
    ...(await applyConfigurations(configs, read.files, {
      cwd: portable(io.cwd),
      given: { rules: new Map(), preset: undefined },
      covers: () => true,
    })),
  })
  const data = pageData({
    world,
    sources: read.each.map(({ source }) => source),
    findings,
    suppressed: suppressed.length,
    rules,
    catalogue,
    actions: new ActionsByType(catalogue),
    reads: readActions(operations),
    times,
    given,
    settings: main.settings,
    title: options.title ?? 'Access report',
    version,
    docs: docsOf(main),
    ip: options.ip,
  })
  const html = pageHtml(data, pageAssets())
  if (file === undefined) io.stdout.write(html, (text) => text)
  else {
    writeFile(file, html, io.cwd)
    io.stderr.write(
      `grantwise: ${displayPath(file, io.cwd)}: ${plural(data.policies.length, 'policy')}, ${plural(data.identities.length, 'identity')}, ${plural(data.resources.length, 'resource')}; ${Math.ceil(Buffer.byteLength(html) / 1000)} kB\n`,
    )
  }
  return exit.success
}
