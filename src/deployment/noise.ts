import { isRecord, textsIn } from './records.ts'

/** Folders in which managers of packages, and of providers, keep what they install. */
export const ofPackages =
  /(?:^|\/)(?:node_modules|vendor|target|\.?venv|\.(?:npm|yarn|pnpm\S*|cache|pip\S*|terraform(?:\.d)?|m2|gradle|go|cargo|bundle|composer\S*|nuget|poetry|uv\S*))(?:\/|$)/

/**
 * Keys of a job, of a step and of its inputs that have no part in what is deployed. Whether what follows a failure runs has, and so has
 * the choice of a runner.
 */
const noise: readonly ReadonlySet<string>[] = [
  'name timeout-minutes timeout permissions retention-days cache',
  'name timeout-minutes',
  'terraform_version tofu_version terragrunt_version node-version python-version go-version cache cache-dependency-path retention-days',
].map((words) => new Set(words.split(' ')))

const timesOfArtifacts: ReadonlySet<string> = new Set(['expire_in', 'expose_as'])

/** A job without names, and without versions of actions, images and machines. */
export function withoutNoise(job: unknown): unknown {
  if (!isRecord(job)) return job
  const plainJob = Object.entries(job).map(([key, value]) => [
    key,
    key === 'steps' && Array.isArray(value) ? value.map(plainStep) : withoutVersions(key, value),
  ])
  const rights = rightsIn(job.permissions)
  const caches = cachesIn(job)
  return {
    ...without(Object.fromEntries(plainJob), noise[0] as ReadonlySet<string>),
    ...(rights.length > 0 && { rights }),
    ...(caches.length > 0 && { caches }),
  }
}

/** The permissions of a job to change something by which something else may be deployed. */
export function rightsIn(permissions: unknown): readonly string[] {
  if (permissions === 'write-all') return [permissions]
  return isRecord(permissions) ? Object.keys(permissions).filter((key) => permissions[key] === 'write' && ofDeployments.has(key)) : []
}

const ofDeployments: ReadonlySet<string> = new Set(['actions', 'contents', 'id-token', 'packages'])

/** The caches of a job of GitLab, but those in which managers of packages keep what they install: it may find there what it sends. */
const cachesIn = ({ cache }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  [cache].flat().flatMap((each) => {
    const paths = isRecord(each) ? [...textsIn(each.paths)].filter((place) => !ofPackages.test(place)) : []
    return paths.length > 0 ? [[(each as { readonly key?: unknown }).key, paths]] : []
  })

/** The value of a key of a pipeline or of a job, without versions of images and machines; of an action, what it runs, without names. */
export function withoutVersions(key: string, value: unknown): unknown {
  if (key === 'runs' && isRecord(value)) return withoutNoise(value)
  if (key === 'artifacts' && isRecord(value)) return without(value, timesOfArtifacts)
  if (key === 'docker' && Array.isArray(value))
    return value.map((each) => (isRecord(each) ? { ...each, image: withoutVersions('image', each.image) } : each))
  const version = key === 'image' || key === 'container' ? ofImage : key === 'runs-on' || key === 'pool' ? ofMachine : undefined
  if (version === undefined) return value
  const plain = (each: unknown) => (typeof each === 'string' ? each.replace(version, '') : each)
  if (Array.isArray(value)) return value.map(plain)
  return isRecord(value) ? { ...value, name: plain(value.name), image: plain(value.image), vmImage: plain(value.vmImage) } : plain(value)
}

function plainStep(step: unknown): unknown {
  if (!isRecord(step)) return step
  const { uses, with: inputs, ...rest } = step
  const plainRest = without(rest, noise[1] as ReadonlySet<string>)
  if (typeof uses !== 'string') return { ...plainRest, ...(inputs !== undefined && { with: inputs }) }
  // An action of this repository gives its inputs the meaning that it likes.
  const plainInputs = isRecord(inputs) && !uses.startsWith('.') ? without(inputs, noise[2] as ReadonlySet<string>) : inputs
  // The versions of an action in a repository of several are those of programs as its own.
  const plainUses = uses.includes('/.') ? uses : uses.replace(ofAction, '')
  return { ...plainRest, uses: plainUses, ...(inputs !== undefined && { with: plainInputs }) }
}

/** A version of an action, or a commit, and no other branch of its repository. */
const ofAction = /(?<=.)@(?:v?\d[\w.+-]*|[0-9a-f]{40}|main|master|latest|stable|releases?\/\S*)$/

/** The versions of an image, and of a machine that a service of pipelines offers; others are machines of their owner. */
const ofImage = /(?<=.)@.*$|:[^/]*$/
const ofMachine = /(?<=^(?:ubuntu|windows|macos))-(?:latest|\d[\d.]*)(?:-(?:arm\d*|intel|large|xlarge|slim|vs\d+|\d+-?cores?))*$/

export function without(value: Readonly<Record<string, unknown>>, words: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !words.has(key)))
}
