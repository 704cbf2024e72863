import { defaultSettings } from '../names.ts'
import { sourceOf } from '../source.ts'
import { readSuiteText } from '../suite/read-text.ts'

/**
 * Whether a file has policy tests and nothing else: no policy, and no group that a policy may refer to. The service refuses it as a policy.
 * The name is not enough: any file can have it.
 */
export async function isPolicyTest(path: string, text: string, brand: string): Promise<boolean> {
  if (!/\.iamtest\.(?:ya?ml|json)$/.test(path)) return false
  const { suite, diagnostics } = await readSuiteText(sourceOf(path, text), 0, { ...defaultSettings, brand })
  return suite !== undefined && suite.facts === undefined && diagnostics.every(({ severity }) => severity !== 'error')
}
