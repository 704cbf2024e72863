import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AppliedPlan } from '../../answers/apply.ts'
import { type ApplyGap, type ApplyNeeds, applyNeeds } from '../../calls/apply.ts'
import type { CallContext } from '../../calls/judge.ts'
import { routesOf } from '../../calls/match.ts'
import { providerTypes } from '../../calls/provider.ts'
import { plannedChanges, type ResourceChange } from '../../declared/changes.ts'
import { isPlan } from '../../declared/declared.ts'
import { compareText } from '../../diagnostic.ts'
import type { Folder } from '../../hcl/declarations.ts'
import { readHclJson } from '../../hcl/json.ts'
import { readHcl } from '../../hcl/parse.ts'
import { installedModules } from '../../hcl/remote.ts'
import { writtenResources } from '../../hcl/resources.ts'
import type { HclFile } from '../../hcl/syntax.ts'
import { isHcl, notationOf, sourceOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import type { Config } from './config.ts'
import { readDocument } from './document.ts'
import { catalogueFor, operationsFor } from './known.ts'
import { kindOf, textAt } from './read-file.ts'

/** The actions that applying a plan needs, and the plan itself. */
export interface NeedsOfPlan extends ApplyNeeds {
  readonly plan: AppliedPlan
}

/** Read a plan of Terraform in JSON, and what applying it needs. `about`: who applies it. */
export async function needsOfPlan(
  option: string,
  path: string,
  policies: readonly string[],
  about: Pick<CallContext, 'identity' | 'context'>,
  config: Config,
  io: Io,
): Promise<NeedsOfPlan> {
  if (isHcl(notationOf(path)))
    throw new Refusal(
      `${option} ${path}: a configuration does not say what applying it changes`,
      'write its plan as JSON: `terraform plan -out plan.bin`, then `terraform show -json plan.bin > plan.json`',
    )
  const { name, document } = await readDocument(option, path, policies, io, 'json')
  if (!document || !isPlan(document))
    throw new Refusal(
      `${option} ${name}: not a plan of Terraform or OpenTofu in JSON`,
      'write it with `terraform show -json PLAN > plan.json`: a plan file is binary',
    )
  const prefix = prefixOf(config)
  const { changes, deferred, others, diagnostics } = plannedChanges(document, prefix)
  refuseErrors(diagnostics)
  const resources = changes.length + deferred.length
  refuseForeign(`${option} ${name}`, resources, others, prefix)
  const postponed = deferred.map((each) => ({ ...each, why: 'the plan puts its change off to a later one' }))
  return needsOf({ name, resources, others, prefix }, changes, postponed, about, config, io)
}

/** Read a configuration of Terraform, and what applying and destroying it needs: a folder, or files that make one module. */
export async function needsOfConfiguration(
  option: string,
  paths: readonly string[],
  about: Pick<CallContext, 'identity' | 'context'>,
  config: Config,
  io: Io,
): Promise<NeedsOfPlan> {
  const prefix = prefixOf(config)
  const [first = '.', ...more] = paths
  const isFolder = kindOf(first, io.cwd) === 'folder'
  if (isFolder && more.length > 0) throw new Refusal(`${option} ${first}: a folder is read by itself`, 'name one folder, or files')
  const path = portable(resolve(io.cwd, isFolder ? first : dirname(first)))
  const root = isFolder
    ? folderAt(path, io)
    : { path, name: path, files: paths.map((each) => fileAt(resolve(io.cwd, each), io)), values: [] }
  const name = isFolder ? displayPath(path, io.cwd) || '.' : paths.join(', ')
  if (!root) throw new Refusal(`${option} ${name}: no configuration of Terraform in it`, 'name the folder of a root module')
  const { changes, modules, others, diagnostics } = writtenResources(root, (each) => folderAt(each, io), prefix, unpackedFor(path, io))
  refuseErrors(diagnostics)
  refuseForeign(`${option} ${name}`, changes.length + modules.length, others, prefix)
  const unread = modules.map(({ address }) => ({
    address,
    type: 'module',
    why: 'a module that is not followed: its files are not here, or it calls itself',
  }))
  return needsOf({ name, resources: changes.length, others, prefix, isConfiguration: true }, changes, unread, about, config, io)
}

/** The modules that `terraform init` has unpacked for the root module in a folder, and below it. */
function unpackedFor(path: string, io: Io): ReturnType<typeof installedModules> {
  const file = join(path, '.terraform/modules/modules.json')
  if (kindOf(file, io.cwd) !== 'file') return undefined
  const { text } = textAt(file, 'part', io)
  const all = text === undefined ? undefined : installedModules(text, path)
  return all && new Map([...all].filter(([, each]) => each.path.startsWith(`${path}/`)))
}

/** The files of a module in a folder; undefined where there are none. A file for OpenTofu is read in the place of that for Terraform. */
function folderAt(path: string, io: Io): Folder | undefined {
  if (kindOf(path, io.cwd) !== 'folder') return undefined
  const names = readdirSync(path).filter((each) => /\.(?:tf|tofu)(?:\.json)?$/.test(each))
  const isReplaced = (each: string) => names.includes(each.replace(/\.tf(?=(?:\.json)?$)/, '.tofu')) && !/\.tofu(?:\.json)?$/.test(each)
  const files = names.filter((each) => !isReplaced(each)).sort(compareText)
  if (files.length === 0) return undefined
  return { path, name: displayPath(path, io.cwd), files: files.map((each) => fileAt(join(path, each), io)), values: [] }
}

function fileAt(file: string, io: Io): HclFile {
  const name = displayPath(file, io.cwd)
  const { text, message } = textAt(file, 'policies', io)
  if (text === undefined) throw new Refusal(`${name}: ${message}`)
  const source = sourceOf(name, text, notationOf(file))
  return source.notation === 'hcl-json' ? readHclJson(source, false) : readHcl(source, undefined)
}

const prefixOf = ({ settings: { brand, resourcePrefix = brand } }: Config): string => resourcePrefix

/** Refuse to answer about nothing: without the right prefix, all resources are of other providers. */
function refuseForeign(what: string, resources: number, others: number, prefix: string): void {
  if (resources > 0 || others === 0) return
  throw new Refusal(
    `${what}: none of its resources (${others}) has a type that begins with \`${prefix}_\`: what they need is not known`,
    'set `terraform.prefix` in the configuration where the provider has another name',
  )
}

async function needsOf(
  plan: Omit<AppliedPlan, 'seen' | 'types'>,
  changes: readonly ResourceChange[],
  unread: readonly ApplyGap[],
  about: Pick<CallContext, 'identity' | 'context'>,
  config: Config,
  io: Io,
): Promise<NeedsOfPlan> {
  const provider = providerTypes(plan.prefix)
  const catalogue = await catalogueFor(config, io)
  const routes = routesOf(await operationsFor(config, io))
  const knowledge = { provider, prefix: plan.prefix, routes, catalogue }
  const { needs, gaps } = applyNeeds(changes, knowledge, { ...about, resources: [], actions: [] })
  return { needs, gaps: [...gaps, ...unread], plan: { ...plan, seen: provider.seen, types: provider.resources.size } }
}
