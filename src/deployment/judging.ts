import { nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import type { DeploymentChange, Repository } from './facts.ts'
import { isCode, isProgram } from './kinds.ts'
import { without } from './noise.ts'
import { type Part, partsOf } from './pipelines.ts'
import { isRecord } from './records.ts'
import { writtenValue } from './written.ts'

/** Programs that run this tool, and the version that they run: a change of these decides how the next one is checked. */

/** A job, a script, a hook or a dependency by which this tool runs. */
interface Check {
  readonly path: string
  /** Of a job, or of what else is in the file. */
  readonly name: string
  /** Its contents, without the version of this tool. */
  readonly mark: string
  readonly versions: readonly string[]
}

/** The checks that a change takes away or alters, by their files. More checks and later versions do not count. */
export async function checkChanges(before: Repository, after: Repository, paths: readonly string[]): Promise<readonly DeploymentChange[]> {
  const [old, now] = [await checksOf(before, paths), await checksOf(after, paths)]
  const changes = new Map<string, DeploymentChange>()
  for (const check of old) {
    const alike = now.filter(({ mark }) => mark === check.mark)
    if (changes.has(check.path) || alike.some(({ versions }) => areLater(check.versions, versions))) continue
    changes.set(check.path, { path: check.path, why: whyOf(check, now, alike.length > 0) })
  }
  return [...changes.values()]
}

function whyOf({ path, name }: Check, now: readonly Check[], isAlike: boolean): string {
  const what = name === '' ? 'it' : `\`${name}\` in it`
  if (isAlike) return `${what} runs a version of grantwise that is not known to be later`
  return now.some((each) => each.path === path && each.name === name)
    ? `${what} runs grantwise: later changes may be checked otherwise`
    : `${what} ran grantwise: later changes may not be checked`
}

/** The checks in some files of a state. */
async function checksOf(repository: Repository, paths: readonly string[]): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const path of paths) {
    const text = isProgram(path) && !isCode(path) ? repository.text(path) : undefined
    if (text?.includes('grantwise')) checks.push(...(await checksIn(path, text)))
  }
  return checks
}

async function checksIn(path: string, text: string): Promise<readonly Check[]> {
  const hooks = /(?:^|\/)\.pre-commit-config\.ya?ml$/.test(path) ? await hooksIn(path, text) : undefined
  if (hooks) return hooks
  const parts = await partsOf(path, text)
  // Of a makefile, what a target names is part of it; other settings are those of all jobs.
  const common = parts.filter(({ isForAll }) => isForAll).map(({ mark }) => mark)
  const checks = parts.filter((part) => runs.test(part.text)).map((part) => checkOf(path, part, common))
  return nameIn(path) === 'package.json' ? [...checks, ...(await dependenciesIn(path, text))] : checks
}

function checkOf(path: string, { name = '', text, mark }: Part, common: readonly string[]): Check {
  const versions = [...text.matchAll(version)].map(([, each = '']) => each)
  return { path, name, mark: JSON.stringify([name, mark.replaceAll(version, 'grantwise'), common.toSorted()]), versions }
}

/** Ways to run this tool: by its name, an action, an image or a package; not the names of its settings. */
const runs = /(?<![.\w-])grantwise(?:-\w+)*(?![\w./-])/

/** A version of an action, a package or an image. */
const version = /\bgrantwise(?:-\w+)*[@:]([\w.+-]+)/g

/** The dependency of a package on this tool. */
async function dependenciesIn(path: string, text: string): Promise<readonly Check[]> {
  const value = await recordIn(path, text)
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions'].flatMap((key) => {
    const list = value?.[key]
    const wanted = isRecord(list) ? list.grantwise : undefined
    if (typeof wanted !== 'string') return []
    const [, range = '', number = ''] = /^([\^~]|>=)?\s*v?(\d[\w.+-]*)$/.exec(wanted) ?? []
    const isPlain = number !== ''
    return [{ path, name: 'grantwise', mark: JSON.stringify([key, isPlain ? range : wanted]), versions: isPlain ? [number] : [] }]
  })
}

/** The hooks of `pre-commit`, of each repository that has some of this tool, with the settings of all hooks. */
async function hooksIn(path: string, text: string): Promise<readonly Check[] | undefined> {
  const value = await recordIn(path, text)
  if (!value || !Array.isArray(value.repos)) return undefined
  const settings = without(value, new Set(['repos', 'minimum_pre_commit_version']))
  const ownRepos = value.repos.filter(
    (each): each is Readonly<Record<string, unknown>> => isRecord(each) && runs.test(JSON.stringify(each)),
  )
  return ownRepos.map(({ rev, ...rest }) => ({
    path,
    name: '',
    mark: JSON.stringify([rest, settings]),
    versions: [String(rev ?? '')],
  }))
}

async function recordIn(path: string, text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { documents, refused } = await treeOf(sourceOf(path, text))
  const value = !refused && documents.length === 1 && documents[0] ? writtenValue(documents[0]) : undefined
  return isRecord(value) ? value : undefined
}

/** Whether each of some versions is as it was, or a later number: of a commit or a branch, it is not known. */
function areLater(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((each, i) => isLater(each, after[i] as string))
}

function isLater(before: string, after: string): boolean {
  if (before === after) return true
  const [old, now] = [numbersOf(before), numbersOf(after)]
  if (!old || !now) return false
  const first = old.findIndex((each, i) => each !== (now[i] ?? 0))
  return first < 0 || (old[first] as number) < (now[first] ?? 0)
}

/** The numbers of a version such as `v1.2.3`; undefined for another one. */
function numbersOf(written: string): readonly number[] | undefined {
  return /^v?\d{1,9}(?:\.\d{1,9}){0,3}$/.test(written) ? written.replace('v', '').split('.').map(Number) : undefined
}
