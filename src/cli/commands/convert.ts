import { resolve } from 'node:path'
import { convertSources } from '../../convert/sources.ts'
import { guardNotation } from '../../report/safe.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { pair } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { loadConfig } from '../input/config.ts'
import { decidable, readFiles } from '../input/world.ts'
import { diagnosticLines } from '../output/diagnostics.ts'
import { writingOf } from '../output/writing.ts'

/** `convert --to json|yaml|hcl`: policies and groups in another notation. */
export const run: Run<'convert'> = async (paths, options, io) => {
  const { to: target } = options
  const writing = writingOf(options, io)
  if (options.out === undefined) writing.refuseIdle('name the file to write: --out FILE')
  if (target === undefined) throw new Refusal('`--to` is missing: the notation to write', 'use `--to json`, `--to yaml` or `--to hcl`')
  const urns = new Map(
    options.urn.map((each) => pair('--urn', each, 'ADDRESS=URN')).map(([address, urn]) => [address.replace(/\.urn$/, ''), urn]),
  )
  const { settings, policies } = await loadConfig(options, io)
  const read = await readFiles({ paths: paths.length > 0 ? paths : (policies ?? ['.']) }, settings, io)
  if (!decidable(read, io, { nothing: 'nothing is converted of' })) return exit.error
  const prefix = settings.resourcePrefix ?? settings.brand

  const files = read.each.flatMap(({ source, read: { holdsPolicies } }) => (holdsPolicies ? [source] : []))
  const prose = files.find(({ notation }) => notation === 'markdown')
  if (prose) throw new Refusal(`${prose.path}: Markdown is not converted`, 'copy the policy to a separate file')
  const { text, refused, notes, comments, unused } = await convertSources(files, target, { prefix, urns })
  if (unused[0] !== undefined)
    throw new Refusal(
      `--urn \`${unused[0]}\`: no group has this address`,
      'the address is TYPE.NAME, as in `svc_iam_permissions_group.readers`',
    )

  if (refused.length > 0) {
    io.stderr.write(diagnosticLines(refused))
    io.stderr.write('grantwise: nothing is converted\n')
    return exit.error
  }
  if (text === undefined)
    throw new Refusal(
      `these policies cannot be written in ${target} without changing their meaning`,
      'convert the files one by one to find the cause',
    )
  const out = options.out
  if (out === undefined) io.stdout.write(text, guardNotation)
  else await writing.write(resolve(io.cwd, out), text)
  io.stderr.write(diagnosticLines(notes))
  if (comments > 0)
    io.stderr.write(`grantwise: ${comments} ${comments === 1 ? 'comment is' : 'comments are'} omitted: JSON has no comments\n`)
  return writing.exitCode(exit.success)
}
