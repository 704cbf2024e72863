import { resolve } from 'node:path'
import { pageHtml } from '../../page/html.ts'
import { plural } from '../../report/words.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { displayPath } from '../app/paths.ts'
import { formatByEnding } from '../input/endings.ts'
import { readPage } from '../input/page.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { pageAssets } from '../output/page-assets.ts'
import { writingOf } from '../output/writing.ts'

/** `report [PATH…]`: one HTML file with who may do what, and why. */
export const run: Run<'report'> = async (paths, options, io) => {
  const file = options.output === '-' ? undefined : resolve(io.cwd, options.output)
  formatByEnding(options.output, 'report', ['html'])
  const writing = writingOf(options, io)
  if (file === undefined) writing.refuseIdle('name the file to write: -o FILE')
  const targets = file === undefined ? [] : [{ option: '-o', file }]
  checkTargets(targets, io)
  const { data } = await readPage(paths, options, io, (read, settings) => guardInputs(targets, read, [], settings, io))
  if (!data) return exit.error
  const { 'live.js': _, ...assets } = pageAssets()
  const html = pageHtml(data, assets)
  if (file === undefined) io.stdout.write(html, (text) => text)
  else {
    await writing.write(file, html)
    if (!writing.isDry)
      io.stderr.write(
        `grantwise: ${displayPath(file, io.cwd)}: ${plural(data.policies.length, 'policy')}, ${plural(data.identities.length, 'identity')}, ${plural(data.resources.length, 'resource')}; ${Math.ceil(Buffer.byteLength(html) / 1000)} kB\n`,
      )
  }
  if (data.history?.isOpen) {
    const why =
      data.history.notes.join('; ') || 'since when some entries have their effect is not fully known: the page says so at each of them'
    io.stderr.write(`grantwise: note: --blame: ${why}\n`)
  }
  return writing.exitCode(data.reasons.length > 0 || data.history?.isOpen ? exit.unknown : exit.success)
}
