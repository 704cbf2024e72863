import { pushAllTo } from '../collections.ts'
import { nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { plainValue } from '../tree.ts'
import { linesWithin } from './comments.ts'
import { type Handed, handedBy, handsOn, isCachedFor, listingOf, takesFrom } from './handing.ts'
import { isProgram, isYaml, languageOf } from './kinds.ts'
import { isRecord } from './records.ts'

/** A part of a program that is run by itself. */
export interface Part {
  /** Of a job. */
  readonly name?: string
  readonly text: string
  readonly mark: string
  readonly isForAll: boolean
  /** The jobs before it of the same pipeline from which it takes what they hand on. */
  readonly fedBy?: readonly string[]
  readonly handed?: Handed
}

/** Languages of scripts and of what runs them. */
const isShell: ReadonlySet<string> = new Set(['shell', 'task', 'hcl', ''])

/** Whether a program is looked at by its parts: those that take part are known, and what else differs in it has none. */
export const isStructured = (path: string): boolean => isProgram(path) && structured.test(path)

const structured =
  /(?:^|\/)(?:GNU|BSD)?[Mm]akefile$|\.mk$|(?:^|\/)(?:package\.json|pyproject\.toml|hatch\.toml|tox\.ini|setup\.cfg|(?:\.?mise|Cargo)\.toml)$|^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|^\.(?:gitlab|circleci|buildkite|woodpecker)\/[\w./-]+\.ya?ml$|(?:^|[./])gitlab-ci\.ya?ml$|(?:^|\/)(?:azure|bitbucket)-pipelines[\w.-]*\.ya?ml$|(?:^|\/)\.(?:drone|woodpecker|travis|cirrus)\.ya?ml$|(?:^|\/)(?:action|appveyor|buildspec|cloudbuild|[Tt]askfile)[\w.-]*\.ya?ml$/

/** The dependencies of a package that are in its own repository, commits of others, or packages under other names. */
function localIn(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const all = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions'].flatMap((key) =>
    isRecord(value[key]) ? Object.entries(value[key]) : [],
  )
  const isElsewhere = ([, version]: readonly [string, unknown]) =>
    typeof version === 'string' && /^(?:file|link|portal|git|github|npm)[:+]|\//.test(version)
  // A package under the name of another one, of any version.
  const named = ([name, version]: readonly [string, unknown]) => [name, String(version).replace(/^(npm:.+)@[^@/]*$/, '$1')]
  return Object.fromEntries(all.filter(isElsewhere).map(named))
}

/** A pipeline by its jobs, and a list of scripts by these; another text as a whole. */
export async function partsOf(path: string, text: string): Promise<readonly Part[]> {
  const language = languageOf(path, text)
  const whole = [{ text, mark: essenceOf(text, isShell.has(language) ? '' : language), isForAll: false }]
  if (/(?:^|\/)(?:GNU|BSD)?[Mm]akefile$|\.mk$/.test(path)) return targetsOf(text)
  const isPackage = nameIn(path) === 'package.json'
  if (path.endsWith('.toml') || /\.(?:ini|cfg)$/.test(path)) return sectionsOf(text)
  if (!isPackage && !isYaml(path)) return whole
  const { documents, refused, diagnostics } = await treeOf(sourceOf(path, text))
  const [document] = documents
  if (refused || documents.length !== 1 || !document || diagnostics.some(({ severity }) => severity === 'error')) return whole
  const value = plainValue(document)
  if (!isRecord(value)) return whole
  if (isPackage) {
    const { scripts = {}, config = {}, bin = {}, imports = {}, exports = {}, main = '', workspaces } = value
    const rest = JSON.stringify({ bin, imports, exports, main, workspaces, local: localIn(value) })
    return [
      ...(isRecord(scripts)
        ? scriptsOf(scripts, config)
        : [{ text: JSON.stringify(scripts), mark: JSON.stringify([scripts, config]), isForAll: false }]),
      { text: rest, mark: rest, isForAll: false },
    ]
  }
  const jobs = isRecord(value.jobs) ? value.jobs : value
  const others =
    jobs === value ? [] : Object.entries(value).filter(([key]) => !['name', 'run-name', 'jobs', 'permissions', 'concurrency'].includes(key))
  const feeders = feedersIn(jobs, value)
  const handed = Object.entries(jobs).map(([name, job]) => ({ name, ...handedBy(job) }))
  const cachingFor = (name: string) => {
    const own = handed.find((each) => each.name === name)
    return handed.flatMap((each) => (own !== undefined && each !== own && isCachedFor(each, own) ? each.name : []))
  }
  const part = ([name, job]: [string, unknown], isForAll: boolean): Part => {
    const fedBy = feeders(name).map((each) => [each, fed(jobs[each])])
    const caching = cachingFor(name).map((each) => [each, withoutNoise(jobs[each])])
    const mark = JSON.stringify([name, withoutNoise(job), ...[fedBy, caching].filter((each) => each.length > 0)])
    const text = typeof job === 'string' ? job : `${JSON.stringify(job).replaceAll('\\n', '\n')}${listingOf(job)}`
    const takenFrom = feeders(name).filter((each) => takesFrom(job, each, jobs[each]))
    return { name, text: isForAll ? `${name}: ${text}` : text, mark, isForAll, fedBy: takenFrom, handed: handedBy(job) }
  }
  const isCommon = ([name, job]: [string, unknown]) =>
    jobs === value && !unimportant.has(name) && (name.startsWith('.') || common.has(name) || isPlain(job))
  return [...Object.entries(jobs).map((each) => part(each, isCommon(each))), ...others.map((each) => part(each, true))]
}

/** Keys under which a job names others that come before it. */
const dependencies = ['needs', 'requires', 'dependencies', 'dependsOn', 'depends_on', 'extends'] as const

/** Ways to pass data to later jobs: outputs, artifacts, workspaces, files of variables. */
const handing =
  /"outputs":|"artifacts":|artifact|persist_to_workspace|dotenv|setvariable|isOutput=true|GITHUB_ENV|paths-filter|changed-files/

/** The part of an earlier job that affects a later one: all of it where it passes data on, else only whether it runs. */
function fed(job: unknown): unknown {
  if (!isRecord(job)) return withoutNoise(job)
  const { artifacts, ...rest } = job
  if (handing.test(JSON.stringify(handsOn(artifacts) ? job : rest))) return withoutNoise(job)
  const { if: condition, when, rules, only, except } = job
  return { condition, when, rules, only, except }
}

/** The jobs that come before each job: those that it names, and those that these name; of GitLab, without any named, all with artifacts. */
function feedersIn(jobs: Readonly<Record<string, unknown>>, whole: Readonly<Record<string, unknown>>): (name: string) => readonly string[] {
  const required = requiredIn(whole)
  const before = (name: string): readonly string[] => {
    const job = jobs[name]
    if (!isRecord(job)) return []
    const named = dependencies.flatMap((key) => textsIn(job[key])).concat(required.get(name) ?? [])
    if (named.length > 0 || jobs !== whole || 'needs' in job || 'dependencies' in job) return named.filter((each) => each in jobs)
    return Object.keys(jobs).filter(
      (each) => each !== name && isRecord(jobs[each]) && handsOn((jobs[each] as { readonly artifacts?: unknown }).artifacts),
    )
  }
  return (name) => {
    const all = new Set([name])
    for (const each of all) for (const other of before(each)) all.add(other)
    all.delete(name)
    return [...all].sort()
  }
}

/** Which jobs of CircleCI require which, by its workflows. */
function requiredIn({ workflows }: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const requirements = new Map<string, string[]>()
  for (const flow of isRecord(workflows) ? Object.values(workflows) : [])
    for (const item of isRecord(flow) && Array.isArray(flow.jobs) ? flow.jobs : [])
      for (const [name, settings] of isRecord(item) ? Object.entries(item) : [])
        if (isRecord(settings)) pushAllTo(requirements, name, textsIn(settings.requires))
  return requirements
}

/** The strings in a value: a string, a list, or records with a `job`. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isRecord(value) ? textsIn(value.job ?? Object.keys(value)) : []
}

/** The scripts of a package, each with those that it runs, and with what npm runs before and after it. */
function scriptsOf(scripts: Readonly<Record<string, unknown>>, config: unknown): readonly Part[] {
  const names = Object.keys(scripts)
  const runBy = (name: string): readonly string[] => {
    const words = new Set(String(scripts[name]).split(/[\s:"';&|]+/))
    const whole = String(scripts[name])
    return names.filter(
      (other) =>
        other !== name && (other === `pre${name}` || other === `post${name}` || words.has(other) || whole.includes(`run ${other}`)),
    )
  }
  return names.map((name) => {
    const all = new Set([name])
    for (const each of all) for (const other of runBy(each)) all.add(other)
    const jobScripts = [...all].map((each) => [each, scripts[each]])
    return { text: JSON.stringify(Object.fromEntries(jobScripts)), mark: JSON.stringify([jobScripts, config]), isForAll: false }
  })
}

/** Settings of tools by their sections: what those of tasks share counts for each of them. */
function sectionsOf(text: string): readonly Part[] {
  const sections: string[] = ['']
  for (const line of essenceOf(text).split('\n')) {
    if (/^\s*\[/.test(line)) sections.push('')
    sections.push(`${sections.pop()}${line}\n`)
  }
  return sections.map((each) => ({ text: each, mark: each, isForAll: /^\s*\[[^\]]*(?:env|vars)(?![^\]]*(?:scripts|tasks)\])/.test(each) }))
}

/** A word, or some: no job. */
const isPlain = (value: unknown): boolean => (Array.isArray(value) ? value.every(isPlain) : typeof value !== 'object')

/** Keys of a pipeline that hold for all of its jobs. */
const common: ReadonlySet<string> = new Set(['variables', 'include', 'includes', 'default', 'env', 'vars'])
const unimportant: ReadonlySet<string> = new Set(['version', 'name', 'image', 'silent', 'output', 'interval'])

/** A makefile by its targets: a target that another one names is part of that, and so is all that belongs to none. */
function targetsOf(text: string): readonly Part[] {
  const sections: { readonly name: string; readonly lines: string[] }[] = [{ name: '', lines: [] }]
  let isContinued = false
  for (const line of essenceOf(text).split('\n')) {
    const name = isContinued ? undefined : /^([\w./%$(){} -]*?[\w./%$(){}-])[ \t]*::?(?!=)/.exec(line)?.[1]
    if (name !== undefined) sections.push({ name, lines: [] })
    else if (!/^\s/.test(line) && !isContinued) sections.push({ name: '', lines: [] })
    isContinued = line.endsWith('\\')
    sections.at(-1)?.lines.push(line)
  }
  const targets = sections.filter(({ name }) => name !== '' && name !== '.PHONY')
  const withNamed = (first: (typeof sections)[number]): string => {
    const all = new Set([first])
    for (const { lines } of all)
      for (const other of targets) if (!all.has(other) && lines.some((line) => line.split(/[\s:;&|]+/).includes(other.name))) all.add(other)
    return [...all].map(({ lines }) => lines.join('\n')).join('\n')
  }
  const common = sections
    .filter(({ name }) => name === '')
    .map(({ lines }) => lines.join('\n'))
    .join('\n')
  return [
    ...targets.map((target) => ({ text: withNamed(target), mark: withNamed(target), isForAll: false })),
    { text: common, mark: common, isForAll: true },
  ]
}

/**
 * Keys of a job, of a step and of its inputs that have no part in what is deployed. Whether what follows a failure runs has, and so has
 * the choice of a runner.
 */
const noise: readonly ReadonlySet<string>[] = [
  'name timeout-minutes timeout permissions retention-days cache',
  'name timeout-minutes',
  'terraform_version tofu_version terragrunt_version node-version python-version go-version cache cache-dependency-path retention-days',
].map((words) => new Set(words.split(' ')))

/** A job without names, machines and versions. */
function withoutNoise(job: unknown): unknown {
  if (!isRecord(job)) return job
  const [ofJob, ofStep, ofInput] = noise.map((words) => (value: unknown) => (isRecord(value) ? without(value, words) : value))
  const stepOf = (step: unknown) => {
    if (!isRecord(step)) return step
    // The versions of an action in a repository of several are those of programs as its own.
    const uses = typeof step.uses === 'string' && !step.uses.includes('/.') ? withoutVersion(step.uses) : step.uses
    return ofStep?.({ ...step, ...(uses !== undefined && { uses }), ...(step.with !== undefined && { with: ofInput?.(step.with) }) })
  }
  const steps = Array.isArray(job.steps) ? job.steps.map(stepOf) : job.steps
  const machines = Object.entries(job).filter(([key]) => key === 'runs-on' || key === 'image')
  return ofJob?.({
    ...job,
    ...(steps !== undefined && { steps }),
    ...Object.fromEntries(
      machines.map(([key, value]) => [key, JSON.stringify(value).replace(/"([^"]*)"/g, (_, each) => withoutVersion(each))]),
    ),
  })
}

/** The name of an action, an image or a machine without its version. */
const withoutVersion = (name: string): string => name.replace(/(?:@|:(?!.*\/)|-(?=\d|latest)).*$/, '')

function without(value: Readonly<Record<string, unknown>>, words: ReadonlySet<string>): unknown {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !words.has(key)))
}

/** The start of a comment on a separate line, by language. */
const comments: Readonly<Record<string, RegExp>> = { js: /^\s*\/\//, go: /^\s*\/\//, java: /^\s*\/\//, rs: /^\s*\/\//, cs: /^\s*\/\// }

/** A text without empty lines and comments on separate lines, where removing them cannot cut a construct of several lines. */
export function essenceOf(text: string, language = ''): string {
  const within = text.includes('<#') || readsItself.test(text) ? undefined : linesWithin(text, language)
  if (within === undefined) return text
  const comment = comments[language] ?? /^\s*#(?!!)/
  // A shell takes a carriage return as part of the last word of a line.
  const keepsReturns = language === '' || language === 'shell'
  // A comment at the end of a line without quotes is none of what is run.
  const lines = text.split('\n').map((line, i) => {
    if (within[i] || within[i + 1]) return line
    const code = (/['"`\\]/.test(line) || comments[language] ? line : line.replace(/\s#\s.*/, '')).trimEnd()
    return keepsReturns && code !== '' && line.endsWith('\r') ? `${code}\r` : code
  })
  return (
    lines
      // A comment of a makefile that ends so goes on in the next line.
      .filter(
        (line, i) =>
          within[i] ||
          [lines[i - 1], line].some((each) => each?.endsWith('\\')) ||
          (line !== '' && (!comment.test(line) || directive.test(line))),
      )
      .join('\n')
  )
}

/** A script that looks at its own text, or one whose comments hold its settings. */
const readsItself =
  /\b(?:sed|[ef]?grep|rg|awk|cat|tail|head)\b[^\n|;]{0,1000}\$\{?(?:0|BASH_SOURCE)|__FILE__|\b__file__\)\.read|^# \/\/\/ /m

/** Comments on which compilers, runners and generators act. */
const directive =
  /^\s*(?:\/\/(?:go:|>|\s?\+\w|[A-Z]{3,}\s+\S*[:./])|#\s*(?:syntax|escape|check)\s*=|#\s?[\w.-]+-set(?:ter)?s?:|#\s?\+\w|#\s*-\*-|#\s?cython:|#\s*frozen_string_literal)|\$Format:/
