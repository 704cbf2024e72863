import { nameIn } from '../hcl/paths.ts'
import { isRecord } from './records.ts'

/** The artifacts that a job keeps for others, and those that it takes from other workflows. */
export interface Handed {
  /** By their names; `*` for a name that is computed. */
  readonly uploads: readonly string[]
  /** By their names; `*` for all artifacts of another run. */
  readonly downloads: readonly string[]
  /** The places and keys of what it keeps in a cache, and those of what it takes from one: jobs of any workflow share them. */
  readonly saves: readonly string[]
  readonly restores: readonly string[]
}

type Values = Readonly<Record<string, unknown>>

/** Steps of a job that call an action, or a command of the service, with what they give to it. */
interface Step {
  readonly action: string
  readonly inputs: Values
}

const stepsOf = (job: unknown): readonly Step[] =>
  !isRecord(job) || !Array.isArray(job.steps)
    ? []
    : job.steps.filter(isRecord).flatMap((step): readonly Step[] => {
        const inputs = isRecord(step.with) ? step.with : {}
        return typeof step.uses === 'string'
          ? [{ action: step.uses, inputs }]
          : Object.entries(step).flatMap(([action, each]) => (isRecord(each) ? [{ action, inputs: each }] : []))
      })

const isUpload = ({ action }: Step): boolean => /\bupload-artifact\b/.test(action)
const isDownload = ({ action }: Step): boolean => /\bdownload-\w*-?artifact\b/.test(action)

/** Actions that pack or copy the files of a folder. Those that apply configurations, and prepare machines, go through none. */
const packing = /zip|archiv|compress|\btar\b|tarball|(?<!setup-)\bpack\b|bundle|rsync|\bscp\b|s?ftp\b|upload|persist_to_workspace/i
/** Of these, those that take the whole repository where no input says what. */
const packsAll = /zip|archiv|compress|\btar\b|tarball/i

/** Inputs of an action that say what it reads. */
const isRead = (input: string): boolean =>
  /path|file|dir|folder|source|src|include|root|pattern|glob/i.test(input) && !isWritten.test(input)
const isWritten = /dest|out|target|remote|filename|exclu|ignore/i

/** The artifacts of a job. */
export function handedBy(job: unknown): Handed {
  const steps = stepsOf(job)
  const fromElsewhere = ({ action, inputs }: Step) =>
    !action.startsWith('actions/') || Object.keys(inputs).some((key) => /run.?id|workflow|repository|token/.test(key))
  const cachedBy = (actions: RegExp) => steps.filter(({ action }) => actions.test(action)).map(({ inputs }) => inputs)
  const ofGitlab = isRecord(job) ? [job.cache].flat().filter(isRecord) : []
  return {
    saves: [...cachedBy(/\bcache(?:\/save)?(?:@|$)|^save_cache$/), ...ofGitlab].flatMap((each) => [...placesOf(each), ...keysOf(each)]),
    restores: [...cachedBy(/\bcache(?:\/restore)?(?:@|$)|^restore_cache$/), ...ofGitlab].flatMap((each) =>
      placesOf(each).length > 0 ? placesOf(each) : keysOf(each),
    ),
    uploads: steps.filter(isUpload).map(({ inputs }) => nameOf(inputs.name ?? 'artifact')),
    downloads: steps.filter(isDownload).flatMap((step) => {
      const isNamed = step.inputs.name !== undefined
      return isNamed ? [nameOf(step.inputs.name)] : fromElsewhere(step) ? ['*'] : []
    }),
  }
}

const nameOf = (name: unknown): string => (typeof name === 'string' && !name.includes('$') ? name : '*')

/** Whether one job takes an artifact of another one, of any workflow: both say the same name, or one computes it. */
export const isHandedTo = (from: Pick<Handed, 'uploads'>, to: Pick<Handed, 'downloads'>): boolean =>
  from.uploads.some((upload) => to.downloads.some((download) => upload === download || upload === '*' || download === '*'))

/** The places of a cache, by which jobs share it. */
const placesOf = ({ path, paths }: Values): readonly string[] =>
  [...textsOf(path), ...textsOf(paths)].flatMap((each) => each.split(/\s+/)).filter((each) => each !== '')

/** Its keys, by which jobs share it that name no places. */
const keysOf = ({ key, keys }: Values): readonly string[] => [...textsOf(key), ...textsOf(keys)].map((each) => `key ${each}`)

/** Whether a job takes from a cache what another one, of any workflow, may have put there: a key is found by its beginning. */
export const isCachedFor = (from: Handed, to: Handed): boolean =>
  from.saves.some((place) => to.restores.some((each) => place === each || (each.startsWith('key ') && place.startsWith(each))))

/** Artifacts of GitLab that later jobs get: not the reports that it shows itself, but for one of variables. */
export function handsOn(artifacts: unknown): boolean {
  if (!isRecord(artifacts)) return artifacts !== undefined
  const { reports, ...rest } = artifacts
  return 'paths' in rest || 'untracked' in rest || !isRecord(reports) || 'dotenv' in reports
}

/** Whether a job takes what an earlier job of the same pipeline hands on. */
export function takesFrom(job: unknown, name: string, earlier: unknown): boolean {
  if (!isRecord(job) || !isRecord(earlier)) return false
  const text = JSON.stringify(job)
  if (text.includes(`needs.${name}.`) || text.includes(`needs['${name}']`) || /toJSON\(needs\)/i.test(text)) return true
  const downloads = stepsOf(job).filter(isDownload)
  // The artifacts of a workflow that a job calls are those of its jobs.
  if (downloads.length > 0 && typeof earlier.uses === 'string') return true
  const { uploads } = handedBy(earlier)
  // A workflow that is called may take what the jobs before it keep.
  const takesAll = downloads.some(({ inputs }) => inputs.name === undefined) || (typeof job.uses === 'string' && job.uses.startsWith('.'))
  if ((uploads.length > 0 && takesAll) || isHandedTo(handedBy(earlier), handedBy(job))) return true
  if (hasStep(earlier, 'persist_to_workspace') && hasStep(job, 'attach_workspace')) return true
  return isRecord(earlier.artifacts) && handsOn(earlier.artifacts) && takesFiles(text, earlier.artifacts)
}

const hasStep = (job: unknown, name: string): boolean => stepsOf(job).some(({ action }) => action === name)

/** Whether a job of GitLab may use files of an earlier one: it names some of them, or computes which files it uses. */
function takesFiles(text: string, { paths, reports }: Values): boolean {
  if (isRecord(reports) && 'dotenv' in reports) return true
  const names = textsOf(paths).map((path) => nameIn(path.replace(/(?<!\/)\/[/*]*$/, '')))
  return names.length === 0 || names.some((name) => /[*$]/.test(name) || text.includes(name)) || /\$\w+\/\*|\$\{\w+\}\/\*/.test(text)
}

/** The folders and files that steps of a job pack or keep for others, as a line to be looked at with its text; empty where there are none. */
export function listingOf(job: unknown): string {
  const steps = stepsOf(job).filter(({ action }) => packing.test(action) && !/\bdownload\b/.test(action))
  const places = steps.flatMap(({ action, inputs }) => {
    const read = Object.entries(inputs).flatMap(([key, value]) => (isRead(key) ? textsOf(value) : []))
    const isAll = read.length === 0 && packsAll.test(action)
    // The root of a workspace is a folder in which its paths are.
    const inRoot = Array.isArray(inputs.paths) ? textsOf(inputs.paths) : read
    return isAll ? ['.'] : inRoot
  })
  const artifacts = isRecord(job) && isRecord(job.artifacts) ? textsOf(job.artifacts.paths) : []
  const all = [...places, ...artifacts].flatMap((place) => place.split(/[\s,]+/)).filter((place) => place !== '' && !place.startsWith('!'))
  return all.length === 0 ? '' : `\nuploads: ${all.join(' ')}`
}

const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
