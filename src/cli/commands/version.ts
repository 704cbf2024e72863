import { createHash } from 'node:crypto'
import { printRecord } from '../../actions/record.ts'
import { shippedRecord } from '../../actions/shipped.ts'
import { defaultSettings } from '../../names.ts'
import { json } from '../../report/safe.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { commit, version } from '../app/version.ts'

/** The version of the JSON formats, as reports have it in `version`. */
const schema = 1

/** `--version --json`: what this program is, for reports of problems and for inventories. */
export async function run(io: Io): Promise<ExitCode> {
  const record = shippedRecord(defaultSettings.brand)
  const hash = createHash('sha256').update(printRecord(record)).digest('hex')
  const { version: node, platform, arch } = process
  const catalogue = { seen: record.seen, actions: record.actions.size, hash: `sha256:${hash}` }
  io.stdout.write(`${json({ version, commit: commit ?? null, schema, catalogue, node: node.replace(/^v/, ''), platform, arch })}\n`)
  return exit.success
}
