import type { DeploymentChange, Policies, Repository } from './facts.ts'
import { isProgram, isYaml } from './kinds.ts'
import { isStructured, partsOf } from './pipelines.ts'
import { reachOf } from './reach.ts'

/** Jobs that a change puts on a machine of the owner on which only jobs that deploy run: it may have their credentials. */
export async function runnerChanges(
  before: Repository,
  after: Repository,
  paths: readonly string[],
  policies: Policies,
): Promise<readonly DeploymentChange[]> {
  const pipelines = paths.filter((path) => isPipeline(path) && after.text(path) !== undefined)
  if (pipelines.length === 0) return []
  const { programs } = await reachOf({ repository: after, policies })
  const deploying = programs.flatMap(({ path, text }) => (isPipeline(path) ? machinesIn(text).map((labels) => ({ path, labels })) : []))
  if (deploying.length === 0) return []
  const taken = new Set(programs.map(({ text }) => text))
  const shared = (await Promise.all(before.paths.filter(isPipeline).map((path) => othersIn(path, before, taken)))).flat()
  const changes: DeploymentChange[] = []
  for (const path of pipelines) {
    const machines = (await othersIn(path, after, taken)).filter((labels) => !shared.some((each) => isWithin(labels, each)))
    const shares = deploying.find((each) => machines.some((labels) => isWithin(labels, each.labels)))
    if (shares) changes.push({ path, why: `it runs on the machines \`${shares.labels.join(', ')}\`, on which \`${shares.path}\` deploys` })
  }
  return changes
}

const isPipeline = (path: string): boolean => isYaml(path) && isProgram(path) && isStructured(path)

/** The machines of jobs that do not take part. */
async function othersIn(path: string, repository: Repository, taken: ReadonlySet<string>): Promise<readonly (readonly string[])[]> {
  const parts = await partsOf(path, repository.text(path) ?? '')
  return parts.flatMap(({ text }) => (taken.has(text) ? [] : machinesIn(text)))
}

/** The labels of the machine that a job asks for, if it is none that a service of pipelines offers. */
function machinesIn(job: string): readonly (readonly string[])[] {
  return [...job.matchAll(/"(?:runs-on|tags)":("[^"]*"|\[[^\][]{0,500}\]|\{[^{}]{0,500}\})/g)].flatMap(([, said = '']) => {
    const labels = [...said.matchAll(/"([^"]*)"(?!:)/g)].map(([, label]) => label as string)
    return labels.length === 0 || labels.some((each) => each.includes('$') || /^(?:ubuntu|windows|macos)-/.test(each)) ? [] : [labels]
  })
}

/** Whether a machine with some labels may be asked for by others. */
const isWithin = (labels: readonly string[], all: readonly string[]): boolean => labels.every((each) => all.includes(each))
