import type { Diagnostic } from '../../diagnostic.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import { fingerprints } from '../../lint/fingerprint.ts'
import { lintFiles } from '../../lint/lint-files.ts'
import { wordsFor } from '../../report/guardrail-words.ts'
import type { ReadFiles } from '../../sources/files.ts'
import type { Io } from '../app/io.ts'
import type { ConfigOptions } from '../app/options.ts'
import { portable } from '../app/paths.ts'
import { openConfigs } from './config.ts'
import { catalogueFor, operationsFor } from './known.ts'
import { checkCodes } from './levels.ts'

/** The findings of lint in the second of two states that the first does not have, guardrails included. */
export async function addedFindings(
  [before, after]: readonly [ReadFiles, ReadFiles],
  options: ConfigOptions,
  now: number,
  io: Io,
): Promise<readonly Diagnostic[]> {
  const configs = await openConfigs(options, io)
  await configs.load([...before.files, ...after.files])
  checkCodes(configs.all())
  const { main } = configs
  const [catalogue, operations] = [await catalogueFor(main, io), await operationsFor(main, io)]
  const words = await wordsFor(configs.all(), now)
  const findingsIn = async (files: ReadFiles) =>
    lintFiles({
      files,
      settings: main.settings,
      catalogue,
      operations: () => operations,
      now,
      ...(await applyConfigurations(configs, files.files, { cwd: portable(io.cwd), ...words })),
    }).findings
  const earlierFingerprints = new Set(fingerprints(await findingsIn(before)))
  const findings = await findingsIn(after)
  const laterFingerprints = fingerprints(findings)
  return findings.filter((_, i) => !earlierFingerprints.has(laterFingerprints[i] as string))
}
