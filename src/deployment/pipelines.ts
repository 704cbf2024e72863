import { pushAllTo, reachedFrom } from '../collections.ts'
import { glob, matches } from '../glob.ts'
import { nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { essenceIn, essenceOf } from './essence.ts'
import { type Handed, handedBy, handsOn, isCachedFor, listingOf, takesFrom } from './handing.ts'
import { isProgram, isYaml } from './kinds.ts'
import { ofPackages, rightsIn, without, withoutNoise, withoutVersions } from './noise.ts'
import { isRecord, textsIn } from './records.ts'
import { writtenValue } from './written.ts'

/** A part of a program that is run by itself. */
export interface Part {
  /** Of a job. */
  readonly name?: string
  readonly text: string
  readonly mark: string
  /** It holds for all jobs of the pipeline. */
  readonly isForAll: boolean
  /** It holds for all jobs, and may deploy by itself. */
  readonly mayDeploy?: boolean
  /** The jobs before it of the same pipeline from which it takes what they hand on. */
  readonly fedBy?: readonly string[]
  readonly handed?: Handed
}

/** Whether a program is looked at by its parts: those that take part are known, and what else differs in it has none. */
export const isStructured = (path: string): boolean => isProgram(path) && structured.test(path)

const structured =
  /(?:^|\/)(?:GNU|BSD)?[Mm]akefile$|\.mk$|(?:^|\/)(?:package\.json|pyproject\.toml|hatch\.toml|tox\.ini|setup\.cfg|(?:\.?mise|Cargo)\.toml)$|^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|^\.(?:gitlab|circleci|buildkite|woodpecker)\/[\w./-]+\.ya?ml$|(?:^|[./])gitlab-ci\.ya?ml$|(?:^|\/)(?:azure|bitbucket)-pipelines[\w.-]*\.ya?ml$|(?:^|\/)\.(?:drone|woodpecker|travis|cirrus)\.ya?ml$|(?:^|\/)(?:action|appveyor|buildspec|cloudbuild|[Tt]askfile)[\w.-]*\.ya?ml$/

/** The dependencies of a package that are in its own repository, commits of others, or packages under other names. */
function localIn(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const ofPnpm = isRecord(value.pnpm) ? value.pnpm : {}
  const { dependencies, devDependencies, optionalDependencies, overrides, resolutions, packageManager } = value
  const manager = { packageManager: typeof packageManager === 'string' ? packageManager.replace(/^\w+@(?!\w+:)/, '') : '' }
  const all = [
    dependencies,
    devDependencies,
    optionalDependencies,
    overrides,
    resolutions,
    ofPnpm.overrides,
    ofPnpm.patchedDependencies,
    manager,
  ].flatMap((each) => (isRecord(each) ? Object.entries(each) : []))
  const isElsewhere = ([, version]: readonly [string, unknown]) =>
    typeof version === 'string' && /^(?:file|link|portal|git|github|npm)[:+]|\//.test(version)
  // A package under the name of another one, of any version.
  const named = ([name, version]: readonly [string, unknown]) => [name, String(version).replace(/^(npm:.+)@[^@/]*$/, '$1')]
  return Object.fromEntries(all.filter(isElsewhere).map(named))
}

/** A pipeline by its jobs, and a list of scripts by these; another text as a whole. */
export async function partsOf(path: string, text: string): Promise<readonly Part[]> {
  const whole = [{ text, mark: essenceIn(path, text), isForAll: false }]
  if (/(?:^|\/)(?:GNU|BSD)?[Mm]akefile$|\.mk$/.test(path)) return targetsOf(text)
  const isPackage = nameIn(path) === 'package.json'
  if (path.endsWith('.toml') || /\.(?:ini|cfg)$/.test(path)) return sectionsOf(essenceIn(path, text))
  if (!isPackage && !isYaml(path)) return whole
  const { documents, refused, diagnostics } = await treeOf(sourceOf(path, text))
  const [document] = documents
  if (refused || documents.length !== 1 || !document || diagnostics.some(({ severity }) => severity === 'error')) return whole
  const written = writtenValue(document)
  if (!isRecord(written)) return whole
  const value =
    isPackage || isRecord(written.jobs)
      ? written
      : withArtifacts(isAction(path) && !/action\.ya?ml|\.description\b/.test(text) ? withoutSentences(written) : written)
  if (Object.keys(isRecord(value.jobs) ? value.jobs : value).length > mostParts) return whole
  if (isPackage) {
    const { scripts = {}, config = {}, bin = {}, imports = {}, exports = {}, main = '', workspaces, files } = value
    const rest = JSON.stringify({ bin, imports, exports, main, workspaces, files, local: localIn(value) })
    return [
      ...(isRecord(scripts) && Object.keys(scripts).length <= mostParts
        ? scriptsOf(withWireit(scripts, value.wireit), [config, value.nx])
        : [{ text: JSON.stringify(scripts), mark: JSON.stringify([scripts, config]), isForAll: false }]),
      { text: rest, mark: rest, isForAll: false },
    ]
  }
  if (/(?:^|\/)[Tt]askfile[^/]*$/.test(path) && isRecord(value.tasks)) return tasksOf(value, value.tasks)
  const jobs = isRecord(value.jobs) ? value.jobs : value
  const flows = jobs === value ? [] : flowsIn(value)
  const isPlainFlow = ({ entries }: Flow) =>
    entries.every(([name, { requires }]) => name in jobs && textsIn(requires).every((each) => each in jobs))
  const areNamesRead = readsNames.test(text)
  const apart = areNamesRead ? ['jobs', 'permissions', 'concurrency'] : ['name', 'run-name', 'jobs', 'permissions', 'concurrency']
  const rights = rightsIn(value.permissions)
  const others =
    jobs === value
      ? []
      : [
          ...Object.entries(value).filter(([key]) => !apart.includes(key) && !(key === 'workflows' && flows.every(isPlainFlow))),
          ...(rights.length > 0 ? [['rights', rights] as const] : []),
        ]
  const inFlows = (name: string) =>
    flows.flatMap(({ settings, entries }) => entries.filter(([each]) => each === name).map((entry) => [settings, entry[1]] as const))
  const feeders = feedersIn(jobs, value)
  const handed = Object.entries(jobs).map(([name, job]) => ({ name, ...handedBy(jobs === value ? withCache(name, jobs) : job) }))
  const cachingFor = (name: string) => {
    const own = handed.find((each) => each.name === name)
    return handed.flatMap((each) => (own !== undefined && each !== own && isCachedFor(each, own) ? each.name : []))
  }
  const part = ([name, job]: [string, unknown], isForAll: boolean): Part => {
    // Settings of all jobs take nothing themselves.
    const takes = jobs !== value || (isRecord(job) && !common.has(name))
    const fedBy = (takes ? feeders(name) : []).map((each) => [each, fed(jobs[each]), ...inFlows(each)])
    const caching = (takes ? cachingFor(name) : []).map((each) => [each, withoutNoise(jobs[each])])
    const plainJob = isJob(name, job) ? withoutNoise(job) : withoutVersions(name, job)
    const names = areNamesRead && isRecord(job) ? [job.name, [job.steps].flat().map((step) => isRecord(step) && step.name)] : []
    const mark = JSON.stringify([name, plainJob, ...names, ...inFlows(name), ...[fedBy, caching].filter((each) => each.length > 0)])
    const contexts = inFlows(name).flatMap(([, { context }]) => textsIn(context))
    const ofJob = typeof job === 'string' ? job : `${JSON.stringify(job).replaceAll('\\n', '\n')}${listingOf(job)}`
    const text = [ofJob, ...contexts.map((each) => `context: ${each}`)].join('\n')
    const takenFrom = feeders(name).filter((each) => takesFrom(job, each, jobs[each]))
    const mayDeploy = isForAll && jobs === value && !holdsValues.has(name) && (!isPlain(job) || ofCommands.test(name))
    const ownHanded = handed.find((each) => each.name === name)
    return {
      name,
      text: isForAll ? `${name}: ${text}` : text,
      mark,
      isForAll,
      mayDeploy,
      fedBy: takenFrom,
      handed: ownHanded ?? handedBy(job),
    }
  }
  const isJob = (name: string, job: unknown) => (jobs === value ? isRecord(job) && ofJobs.some((key) => isTexts(job[key])) : name in jobs)
  const isCommon = ([name, job]: [string, unknown]) =>
    jobs === value && !unimportant.has(name) && (name.startsWith('.') || common.has(name) || isPlain(job) || !holdsCommands(job, name))
  return [...Object.entries(jobs).map((each) => part(each, isCommon(each))), ...others.map(([key, each]) => part([key, each], true))]
}

/** Ways to ask a server for the names of runs and of their jobs. */
const readsNames = /\bdisplay_?title\b|\bgh\s+run\b|\/actions\/(?:runs|jobs)\b|\blistJobs\w*/i

/** A job of GitLab with the caches that it may have: its own, else those of what it extends, and that of all jobs. */
function withCache(name: string, jobs: Readonly<Record<string, unknown>>): unknown {
  const job = jobs[name]
  // Settings of all jobs take nothing from a cache themselves.
  if (name === 'default') return undefined
  if (!isRecord(job) || job.script === undefined || job.cache !== undefined) return job
  const holders = [...withExtended(name, jobs), jobs.default, jobs]
  const caches = holders.flatMap((each) => (isRecord(each) ? [each.cache].flat() : []))
  const script = JSON.stringify(job)
  // Jobs that only share what managers of packages keep do not hand it on to each other.
  const mayUse = (place: string) => !ofPackages.test(place) || script.includes(nameIn(place.replace(/\/+$/, '')))
  return {
    ...job,
    cache: caches.filter(isRecord).map((each) => ({ ...each, paths: [...textsIn(each.paths)].filter(mayUse), key: undefined })),
  }
}

/** A job of GitLab, and what it extends. */
function withExtended(name: string, jobs: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const extendedBy = (each: string) => textsIn(isRecord(jobs[each]) ? jobs[each].extends : undefined)
  return reachedFrom(name, extendedBy)
    .map((each) => jobs[each])
    .filter(isRecord)
}

/** A pipeline of GitLab whose jobs have the artifacts that they take from what they extend, and from the defaults of all jobs. */
const withArtifacts = (jobs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => {
      if (!isRecord(job) || job.artifacts !== undefined || (job.script ?? job.extends) === undefined) return [name, job]
      const holders = [...withExtended(name, jobs), jobs.default].filter(isRecord)
      const artifacts = holders.map((each) => each.artifacts).find((each) => each !== undefined)
      return [name, artifacts === undefined ? job : { ...job, artifacts }]
    }),
  )

/** Whether a job of GitLab may be of an earlier stage than another one: where one says no stage that is listed, it may. */
function isEarlier(name: string, other: string, jobs: Readonly<Record<string, unknown>>): boolean {
  const stages = ['.pre', ...(Array.isArray(jobs.stages) ? jobs.stages : ['build', 'test', 'deploy']), '.post']
  const [first, second] = [name, other].map((each) => {
    const own = withExtended(each, jobs).find(({ stage }) => stage !== undefined)?.stage ?? 'test'
    return stages.indexOf(own)
  }) as [number, number]
  return first < 0 || second < 0 || first < second
}

/** Keys of which a job at the top of a pipeline has one, with a string or a list of strings. */
const ofJobs = ['script', 'stage', 'extends', 'trigger', 'needs'] as const

const isTexts = (value: unknown): boolean => typeof value === 'string' || (Array.isArray(value) && value.every(isPlain))

/** Keys of a pipeline, or of something in one, that hold what is run. */
const ofCommands =
  /^(?:(?:before|after)_|\w+_)?(?:script|deploy|install|build|test)$|^(?:steps?|stages|jobs?|run|runs|cmds?|commands?|uses|template|tasks?|phases|pipelines?|pipes?|plugins?|trigger|powershell|pwsh|bash|ps|sh)$|_(?:task|pipe)$/

/** Whether something in a pipeline runs commands, so that it is a job, or holds some. */
function holdsCommands(value: unknown, key: string): boolean {
  if (ofCommands.test(key)) return true
  if (Array.isArray(value)) return value.some((each) => holdsCommands(each, ''))
  return isRecord(value) && Object.entries(value).some(([name, each]) => holdsCommands(each, name))
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
  // Later jobs wait for its end, or for an approval of it.
  const { if: condition, when, rules, only, except, environment, 'continue-on-error': goesOn, allow_failure: mayFail } = job
  return { condition, when, rules, only, except, environment, goesOn, mayFail }
}

/** The jobs that come before each job: those that it names, and those that these name; of GitLab, without any named, all with artifacts. */
function feedersIn(jobs: Readonly<Record<string, unknown>>, whole: Readonly<Record<string, unknown>>): (name: string) => readonly string[] {
  const required = requiredIn(whole)
  const before = (name: string): readonly string[] => {
    const job = jobs[name]
    if (!isRecord(job)) return []
    const named = dependencies.flatMap((key) => textsIn(job[key])).concat(required.get(name) ?? [])
    if (named.length > 0 || jobs !== whole || 'needs' in job || 'dependencies' in job) return named.filter((each) => each in jobs)
    return Object.keys(jobs).filter((each) => {
      const earlier = jobs[each]
      return each !== name && isRecord(earlier) && handsOn(earlier.artifacts) && isEarlier(each, name, jobs)
    })
  }
  return (name) =>
    reachedFrom(name, before)
      .filter((each) => each !== name)
      .sort()
}

/** A workflow of CircleCI: when it runs, and its jobs with how they are run in it. */
interface Flow {
  readonly settings: Readonly<Record<string, unknown>>
  readonly entries: readonly (readonly [name: string, settings: Readonly<Record<string, unknown>>])[]
}

const flowsIn = ({ workflows }: Readonly<Record<string, unknown>>): readonly Flow[] =>
  (isRecord(workflows) ? Object.values(workflows) : []).filter(isRecord).map(({ jobs, ...settings }) => ({
    settings,
    entries: [jobs]
      .flat()
      .flatMap((item) =>
        isRecord(item)
          ? Object.entries(item).map(([name, each]) => [name, isRecord(each) ? each : {}] as const)
          : typeof item === 'string'
            ? [[item, {}] as const]
            : [],
      ),
  }))

/** Which jobs of CircleCI require which, by its workflows. */
function requiredIn(value: Readonly<Record<string, unknown>>): ReadonlyMap<string, readonly string[]> {
  const requirements = new Map<string, string[]>()
  for (const { entries } of flowsIn(value)) for (const [name, { requires }] of entries) pushAllTo(requirements, name, textsIn(requires))
  return requirements
}

/** The scripts of a package, each with the settings of its runner in the manifest. */
const withWireit = (scripts: Readonly<Record<string, unknown>>, wireit: unknown): Readonly<Record<string, unknown>> =>
  isRecord(wireit)
    ? Object.fromEntries(
        Object.entries(scripts).map(([name, script]) => [name, name in wireit ? `${script} ${JSON.stringify(wireit[name])}` : script]),
      )
    : scripts

/** The scripts of a package, each with those that it runs, and with what npm runs before and after it. */
function scriptsOf(scripts: Readonly<Record<string, unknown>>, config: unknown): readonly Part[] {
  const names = Object.keys(scripts)
  const runBy = (name: string): readonly string[] => {
    const words = new Set(String(scripts[name]).split(/[\s:"';&|]+/))
    const whole = String(scripts[name])
    // Runners of scripts take patterns: `run-s deploy:*`, `concurrently npm:build:*`, `pnpm run "/^deploy:/"`.
    const patterns = whole
      .split(/[\s"']+/)
      .flatMap((each) => (/:\*/.test(each) ? glob(each.replace(/^npm:/, '')) : /^\/\^?\w/.test(each) ? glob('*') : []))
    return names.filter(
      (other) =>
        other !== name &&
        (other === `pre${name}` ||
          other === `post${name}` ||
          words.has(other) ||
          whole.includes(`run ${other}`) ||
          patterns.some((each) => matches(each, other))),
    )
  }
  const runs = new Map(names.map((name) => [name, runBy(name)]))
  return names.map((name) => {
    const jobScripts = reachedFrom(name, (each) => runs.get(each) ?? []).map((each) => [each, scripts[each]])
    return { text: JSON.stringify(Object.fromEntries(jobScripts)), mark: JSON.stringify([jobScripts, config]), isForAll: false }
  })
}

const isAction = (path: string): boolean => /(?:^|\/)action\.ya?ml$/.test(path)

/** An action without what it says of itself and of its inputs to readers. */
const withoutSentences = ({ name: _, description, author, branding, inputs, ...action }: Readonly<Record<string, unknown>>) => ({
  ...action,
  ...(isRecord(inputs) && {
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, isRecord(input) ? without(input, sentences) : input])),
  }),
})

const sentences: ReadonlySet<string> = new Set(['description', 'deprecationMessage'])

/** The tasks of a Taskfile, each with those that it runs, and what holds for all of them. */
function tasksOf({ tasks: _, ...others }: Readonly<Record<string, unknown>>, tasks: Readonly<Record<string, unknown>>): readonly Part[] {
  const written = new Map(Object.entries(tasks).map(([name, task]) => [name, `${name}: ${JSON.stringify(task).replaceAll('\\n', '\n')}`]))
  const spellings = Object.entries(tasks).map(
    ([name, task]) => [name, [name, ...textsIn(isRecord(task) ? task.aliases : undefined)]] as const,
  )
  const runBy = (ownText: string): readonly string[] => {
    const words = new Set(ownText.split(/["\s]+/))
    const isComputed = /"task":"[^"]*\{\{/.test(ownText)
    return spellings.flatMap(([other, names]) => (isComputed || other.includes('*') || names.some((each) => words.has(each)) ? other : []))
  }
  const runs = new Map([...written].map(([name, ownText]) => [name, runBy(ownText)]))
  const rest = JSON.stringify(others)
  const parts = [...written.keys()].map((name): Part => {
    const text = reachedFrom(name, (each) => runs.get(each) ?? [])
      .map((each) => written.get(each))
      .join('\n')
    return { text, mark: text, isForAll: false }
  })
  return [...parts, { text: rest, mark: rest, isForAll: true }]
}

/** How many jobs, scripts, targets or sections a file has at most that is taken by them. */
const mostParts = 500

/**
 * Settings of tools by their sections. One that has tasks includes what others of the same tool say, but for those of other tasks, and what it
 * refers to: `{[names]all}`.
 */
function sectionsOf(essence: string): readonly Part[] {
  const sections: { readonly title: string; text: string }[] = [{ title: '', text: '' }]
  for (const line of essence.split('\n')) {
    const title = /^\s*\[+\s*([^\]]*)\]/.exec(line)?.[1]
    if (title !== undefined) sections.push({ title: title.replace(/["'\s]/g, ''), text: '' })
    const section = sections.at(-1) as { readonly title: string; text: string }
    // A sentence about a package names nothing that it takes; programs that ask for the field are known by its name.
    if (
      !/^(?:project|package|metadata|tool\.poetry)$/.test(section.title) ||
      !/^(?:description|keywords)\s*=\s*(?:["'][^"']*["']|\[[^\]]*\]|[^"'[]*)$/.test(line)
    )
      section.text += `${line}\n`
  }
  if (sections.length > mostParts) return [{ text: essence, mark: essence, isForAll: false }]
  const toolOf = (title: string) => /^(?:tool\.)?[^.:]*/.exec(title)?.[0] ?? ''
  const isTask = ({ title }: { readonly title: string }) => /(?:^|[.:])(?:tasks|scripts|commands|envs|testenv)[.:]/.test(title)
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`)
  const joined = ({ title, text }: (typeof sections)[number]): string => {
    // Those of the package itself are no settings of one tool.
    if (/^(?:project|package|metadata|options)\b/.test(title)) return text
    const others = sections.filter((other) => {
      if (other.title === title) return other.text !== text
      if (other.title === '') return false
      if (text.includes(`{[${other.title}]`)) return true
      if (isWithin(other.title, title) || isWithin(title, other.title)) return true
      return title.includes('.') && toolOf(other.title) === toolOf(title) && !isTask(other)
    })
    return [text, ...others.map((each) => each.text)].join('')
  }
  // A tool that a list of tools knows by its name is published; others come from where their names say.
  const ofTools = (lines: string) =>
    lines
      .split('\n')
      .filter((line) => /^\s*["'][\w-]+:|["'](?:path|ref|prefix|sub-\w+):/.test(line))
      .map((line) => line.replace(/(?:=|\bversion\s*=)\s*["']v?(?:\d[^"'\n]*|latest)["']/g, '='))
      .join('\n')
  return sections.map((each) => ({
    text: each.text,
    mark: each.title === 'tools' ? ofTools(each.text) : joined(each),
    isForAll:
      /^(?:tools|plugins|settings|tox)$/.test(each.title) ||
      /(?:^|[.:])[^.:]*(?:env|vars|activation)(?!.*(?:scripts|tasks)$)/.test(each.title),
  }))
}

/** A word, or some: no job. */
const isPlain = (value: unknown): boolean => (Array.isArray(value) ? value.every(isPlain) : typeof value !== 'object')

/** Keys of a pipeline that hold for all of its jobs, of which these hold values, and no commands. */
const holdsValues: ReadonlySet<string> = new Set(['variables', 'include', 'includes', 'env', 'vars'])
const common: ReadonlySet<string> = new Set([
  ...holdsValues,
  'default',
  'workflow',
  'image',
  'resources',
  'before_script',
  'after_script',
  'extends',
])
const unimportant: ReadonlySet<string> = new Set(['version', 'name', 'silent', 'output', 'interval', 'notifications'])

const quietTargets: ReadonlySet<string> = new Set(['.PHONY', '.SILENT', '.DELETE_ON_ERROR', '.SUFFIXES'])

/** The target of a makefile that is made where none is named. */
export const firstTargetOf = (text: string): string | undefined =>
  /^\.DEFAULT_GOAL\s*[:?]?=\s*(\S+)/m.exec(text)?.[1] ?? /^((?!\.[A-Z_]+\s*:)[\w./$(){}-][\w./%$(){} -]*?)[ \t]*::?(?!=)/m.exec(text)?.[1]

/** A makefile by its targets: a target that another one names is part of that, and so is all that belongs to none. */
function targetsOf(text: string): readonly Part[] {
  const sections: { readonly name: string; readonly lines: string[] }[] = [{ name: '', lines: [] }]
  let isContinued = false
  for (const line of essenceOf(text, 'make').split('\n')) {
    const name = isContinued ? undefined : /^([\w./%$(){} -]*?[\w./%$(){}-])[ \t]*::?(?!=)/.exec(line)?.[1]
    if (name !== undefined) sections.push({ name, lines: [] })
    else if (!/^\s/.test(line) && !isContinued) sections.push({ name: '', lines: [] })
    isContinued = line.endsWith('\\')
    sections.at(-1)?.lines.push(line)
  }
  // Special targets are settings; these change nothing of what is run.
  const isSetting = ({ name }: (typeof sections)[number]) => name === '' || (/^\.[A-Z_]+$/.test(name) && !quietTargets.has(name))
  const targets = sections.filter((each) => !isSetting(each) && !quietTargets.has(each.name))
  if (targets.length > mostParts) return [{ text, mark: text, isForAll: false }]
  const values = new Map<string, string>()
  for (const [, name = '', value = ''] of text.matchAll(/^[ \t\ufeff]*(\w+)[ \t]*[:?+]{0,2}=[ \t]*(.*)$/gm))
    values.set(name, `${values.get(name) ?? ''} ${value}`)
  const wordsIn = (line: string) => line.replace(/\$[({](\w+)[)}]/g, (_, name) => ` ${values.get(name) ?? ''} `).split(/[\s:;&|]+/)
  const namedBy = (target: (typeof sections)[number]) => {
    const words = new Set(target.lines.flatMap(wordsIn))
    return targets.filter(({ name }) => words.has(name))
  }
  const named = new Map(targets.map((target) => [target, namedBy(target)]))
  const withNamed = (target: (typeof sections)[number]): string =>
    reachedFrom(target, (each) => named.get(each) ?? [])
      .flatMap(({ lines }) => lines)
      .join('\n')
  const common = sections
    .filter(isSetting)
    .flatMap(({ lines }) => lines.filter((line) => line !== '' && !/^\.DEFAULT_GOAL\s*[:?]?=/.test(line)))
    .join('\n')
  return [
    ...targets.map(withNamed).map((part) => ({ text: part, mark: part, isForAll: false })),
    { text: common, mark: common, isForAll: true },
  ]
}
