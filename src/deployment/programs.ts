import { glob, matches } from '../glob.ts'
import { folderOf, joinPath, nameIn } from '../hcl/paths.ts'
import { treeOf } from '../parser/tree.ts'
import { sourceOf } from '../source.ts'
import { givers } from './blocks.ts'
import { essenceIn } from './essence.ts'
import { type ChangedFile, type Fact, type FileContext, fact } from './facts.ts'
import {
  isCode,
  isConfiguration,
  isInert,
  isKustomization,
  isManifest,
  isObject,
  isOfTools,
  isProgram,
  isReadElsewhere,
  mayBeData,
} from './kinds.ts'
import { mentioned } from './mentions.ts'
import { pageFacts } from './pages.ts'
import { firstTargetOf, partsOf } from './pipelines.ts'
import { type Consumer, reachOf, readsManifest } from './reach.ts'
import { isRecord } from './records.ts'
import { isPolicyTest } from './tests.ts'
import { commandIn, namedPolicies, policyWordsIn, wordsIn } from './words.ts'
import { writtenValue } from './written.ts'

/** Facts of pipelines, scripts and other programs that take part in a deployment, and of the files that they may read or run. */
export async function programFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, policies, repository } = file
  if (isReadElsewhere(path) || policies.files.includes(path)) return []
  if (/^commit [0-9a-f]{40,64}$/.test(text)) return linkedFacts(file)
  const facts = isInert(path) ? await pageFacts(file) : await ownFacts(file)
  if (facts.length > 0) return facts
  const { by: readerOf, programs } = await reachOf(file)
  const by = readerOf(path)
  if (by === undefined) return []
  const why = by === path ? 'it takes part in the deployment' : `\`${by}\` deploys, and may read or run it`
  const texts = programs.filter((each) => each.path === path).map((each) => each.text)
  const parts = by === path && isProgram(path) && !(await isReadWhole(file)) ? await partsOf(path, text) : []
  const taken = parts.filter((part) => part.isForAll || texts.includes(part.text)).map(({ mark }) => mark)
  return [fact(file, why, path, taken.length > 0 ? taken.sort() : await markOf(file), repository.isExecutable(path))]
}

/** Facts of workflows by which one that takes part runs, and runs to its end. */
export async function workflowFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const value = await workflowOf(file.path, file.text)
  if (!value) return []
  const { programs } = await reachOf(file)
  return [...ownRunFacts(file, value, programs), ...(await triggerFacts(file, value, programs))]
}

/** Facts of a workflow that takes part: its name, where something goes by it, and whether its runs end each other. */
function ownRunFacts(file: ChangedFile, value: Readonly<Record<string, unknown>>, programs: readonly Consumer[]): readonly Fact[] {
  if (!programs.some((each) => each.path === file.path)) return []
  const by = programs.find((each) => asksForName.test(each.text.replace(/"concurrency":(?:"[^"]*"|\{[^}]*\}\}?[^}]*\})/g, '')))
  const ends = endingIn(value)
  return [
    ...(by ? [fact(file, `\`${by.path}\` may go by its name`, 'name', value.name)] : []),
    ...(ends.length > 0 ? [fact(file, 'a run of it may end another one that deploys', ends)] : []),
  ]
}

/** Facts of a workflow that triggers one that takes part: it names that, and may depend on its results. */
async function triggerFacts(
  file: ChangedFile,
  value: Readonly<Record<string, unknown>>,
  programs: readonly Consumer[],
): Promise<readonly Fact[]> {
  const { path, text, repository } = file
  const name = typeof value.name === 'string' ? value.name : path
  const others = programs.filter((each) => each.path !== path)
  const started = /\bdispatch(?:es)?\b|\bworkflow\s+run\b|DispatchEvent|WorkflowDispatch/.test(text)
    ? others.find((each) => /\b(?:repository|workflow)_dispatch\b/.test(each.text))
    : undefined
  if (started) return [fact(file, `it may start \`${started.path}\`, which deploys`, path, value.on, value.jobs)]
  const groups = groupsOf(value)
  for (const other of groups.length === 0 ? [] : new Set(others.map((each) => each.path))) {
    const otherGroups = groupsOf(await workflowOf(other, repository.text(other) ?? ''))
    const shared = otherGroups.find((group) => groups.some((each) => mayBeSame(group, each)))
    if (shared !== undefined) return [fact(file, `its runs and those of \`${other}\`, which deploys, may end each other`, groups, value.on)]
  }
  const by = others.find((each) => /\bworkflow_run\b/.test(each.text) && each.text.includes(name))
  const jobs = isRecord(value.jobs)
    ? Object.entries(value.jobs).map(([job, each]) => [job, isRecord(each) ? [each.if, each.needs] : each])
    : value.jobs
  return by ? [fact(file, `\`${by.path}\` deploys when it has run`, name, value.on, jobs)] : []
}

/** Facts of makefiles that take part, and of which something makes the first target. */
export async function makeFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, repository } = file
  if (!/(?:^|\/)(?:GNU|BSD)?[Mm]akefile$/.test(path) || !(await reachOf(file)).programs.some((each) => each.path === path)) return []
  // A target with the name of a file is made only where it is said to be none.
  const isThere = (name: string) => repository.paths.some((each) => `${each}/`.startsWith(`${joinPath(folderOf(path), name)}/`))
  const targets = [...text.matchAll(/^\.PHONY[ \t]*:(.*)$/gm)]
    .flatMap(([, names = '']) => names.split(/\s+/))
    .filter((each) => each !== '' && isThere(each))
  const by = repository.texts(isProgram).find((each) => each.path !== path && plainMake.test(each.text))
  return [
    ...(targets.length > 0 ? [fact(file, 'it says which targets are made although files have their names', path, targets.sort())] : []),
    ...(by ? [fact(file, `\`${by.path}\` makes its first target`, path, firstTargetOf(text))] : []),
  ]
}

/** A call of make without a target. */
const plainMake =
  /(?:^|[\s;&|"'[(])make(?:[ \t]+(?:-C[ \t]+[^\s;&|"']+|-(?!C\b)\w+(?:[ \t]+\d+(?![\w=]))?|--[\w-]+(?:=[^\s;&|"']+)?|\w+=[^\s;&|"']*)){0,20}[ \t]*(?=["'\n;&|\])]|$)/m

/** The value of a workflow; undefined where a file is none. */
async function workflowOf(path: string, text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (!isWorkflow(path)) return undefined
  const { documents } = await treeOf(sourceOf(path, text))
  const value = documents[0] && writtenValue(documents[0])
  return isRecord(value) ? value : undefined
}

/** Ways of a program to ask for the name of the workflow that runs it. */
const asksForName = /\bgithub\.workflow\b(?!_)|\bGITHUB_WORKFLOW\b/

/** The group of a workflow whose runs end each other, although they are of several branches. */
function endingIn({ concurrency }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!isRecord(concurrency)) return []
  const { group, 'cancel-in-progress': ends = false } = concurrency
  return ends === false || /\b(?:ref\w*|head_ref|sha|run_id|run_number|number)\b/.test(String(group)) ? [] : [group, ends]
}

/** Whether two groups may have one name: expressions in them stand for anything. */
function mayBeSame(group: string, other: string): boolean {
  if (group === other) return true
  const [first, second] = [group, other].map((each) => each.replace(/\$\{\{[^}]*\}\}/g, '*')) as [string, string]
  return [first, second].every((each) => /\w{3}/.test(each)) && (matches(glob(first), second) || matches(glob(second), first))
}

/** The groups of which one run at a time goes on, but those of a single workflow. */
function groupsOf(workflow: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const jobs = isRecord(workflow?.jobs) ? Object.values(workflow.jobs).map((job) => (isRecord(job) ? job.concurrency : undefined)) : []
  const named = [workflow?.concurrency, ...jobs].map((each) => (isRecord(each) ? each.group : each))
  return named.filter((each): each is string => typeof each === 'string' && !each.includes('github.workflow'))
}

const isWorkflow = (path: string): boolean => /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+\.ya?ml$/.test(path)

/** Facts of manifests of packages that programs which deploy read: the fields that these name, such as the version. */
export async function manifestFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text } = file
  if (!isManifest(path)) return []
  const { programs } = await reachOf(file)
  // npm hands fields on to scripts, also to those in the manifest itself.
  const readerOf = (key: string) =>
    programs.find(
      (each) =>
        each.text.includes(`npm_package_${key}`) || ((readsManifest(each, path) || looksUp.test(each.text)) && namesField(each.text, key)),
    )
  const used = fieldsOf(path, text).flatMap(([key, value]) => {
    const by = readerOf(key)
    return by ? [{ by: by.path, field: [key, value] }] : []
  })
  const [first] = used
  return first
    ? [
        fact(
          file,
          `\`${first.by}\` may go by what it says`,
          path,
          used.map(({ field }) => field),
        ),
      ]
    : []
}

/** Libraries by which programs find their settings, also in the manifest of a package. */
const looksUp = /\b(?:cosmiconfig|lilconfig|c12|unconfig|pkg-conf|read-pkg(?:-up)?|read-package-up|package-config)\b/

/** The fields of a manifest by their names: of JSON those at its top, else lines that begin with a name. */
function fieldsOf(path: string, text: string): readonly (readonly [string, unknown])[] {
  if (!path.endsWith('.json'))
    return [...text.matchAll(/^[ \t\ufeff]*([\w-]+)\s*[=:](.*)$/gm)].map(([, key = '', value]) => [key, value] as const)
  try {
    return Object.entries(JSON.parse(text))
  } catch {
    return []
  }
}

/** Whether a program names a field: after a dot, in quotes, or where it takes an object apart. */
const namesField = (text: string, key: string): boolean =>
  [`.${key}`, `"${key}"`, `'${key}'`].some((each) => text.includes(each)) ||
  [...text.matchAll(/\{([^{}\n]{1,200})\}\s*=/g)].some(([, names = '']) => names.split(/[\s,:]+/).includes(key))

/** The part of a program or of another file that counts: comments included where a program reads source code. */
const markOf = async (file: ChangedFile): Promise<string> => ((await isReadWhole(file)) ? file.text : withoutComments(file))

/** Whether a program reads the text of another one. Of pipelines in YAML and JSON it mostly reads a field. */
const isReadWhole = async (file: ChangedFile): Promise<boolean> =>
  !/\.(?:ya?ml|jsonc?)$/.test(file.path) && (await reachOf(file)).readsWhole(file.path)

const withoutComments = ({ path, text }: ChangedFile): string => (isCode(path) || isProgram(path) ? essenceIn(path, text) : text)

/** Facts of another repository of which a commit is checked out in a folder that something which deploys names. */
async function linkedFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, name, repository } = file
  const { programs } = await reachOf(file)
  const by = programs.find(({ named }) => named.folder(path) || named.word(name))?.path ?? mentioned(path, repository)
  return by === undefined ? [] : [fact(file, `\`${by}\` names it, and it is another commit of another repository`, path, text)]
}

/** Facts that follow from a file's own words, or from references to it. */
async function ownFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, policies, repository } = file
  const command = commandIn(text, file)
  const isRun = repository.isExecutable(path)
  if (isProgram(path) || text.startsWith('#!')) {
    const pipelineFound = await pipelineFacts(file)
    if (pipelineFound.length > 0 || !mayBeData(path)) return pipelineFound
  }
  // Manifests are looked at by what they are.
  if (command !== undefined) return [fact(file, command, path, await markOf(file), isRun)]
  if ((/\.(?:ya?ml|json)$/.test(path) && isObject(text)) || isKustomization(path)) {
    const named =
      /^[ \t\ufeff]*kind:\s*(?:CronJob|Job|Workflow|WorkflowTemplate|CronWorkflow|Pipeline|PipelineRun|Task|TaskRun)\b/m.test(text) &&
      namedPolicies(text, file)
    return named ? [fact(file, named, path, text)] : []
  }
  if (isCode(path)) return codeFacts(file)
  const mentioner = mentionedBy(file)
  // A program that takes no part may name what it likes.
  const by = mentioner !== undefined && isProgram(mentioner) && (await reachOf(file)).by(mentioner) !== mentioner ? undefined : mentioner
  // The target of a link is in the repository under its own name.
  if (text.startsWith('link ') && (by === undefined || !isProgram(by))) return []
  if (isOfTools(path) && (by === undefined || !isProgram(by))) return []
  if (by !== undefined) return [fact(file, `\`${by}\` names it${isProgram(by) ? '' : ', or its folder'}`, path, text)]
  const isCompared = policies.compared.some((folder) => folder === '' || path.startsWith(`${folder}/`))
  const policyWords =
    isCompared && !policies.parts.includes(path) && !(await isPolicyTest(path, text, policies.brand)) ? policyWordsIn(text) : undefined
  return policyWords === undefined ? [] : [fact(file, policyWords, path, text)]
}

/** Facts of source code that a pipeline or a script names, or runs by what it names, and that sends policies or chooses their files. */
async function codeFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, repository } = file
  const by = mentioned(path, repository)
  const why = by === undefined ? undefined : (wordsIn(text, file) ?? namedPolicies(text, file))
  return by === undefined || why === undefined
    ? []
    : [fact(file, `\`${by}\` names it, and ${why}`, path, await markOf(file), repository.isExecutable(path))]
}

/** A file that names another and has a part in the deployment. Files that configurations read for their policies are read with these. */
function mentionedBy({ path, repository, policies }: ChangedFile): string | undefined {
  const by = mentioned(path, repository)
  if (by === undefined || !isConfiguration(by)) return by
  const isUsed = repository.once(
    mentionedBy,
    () => givers(repository, policies).length > 0 || repository.texts(isConfiguration).some(({ text }) => usesElsewhere.test(text)),
  )
  return isUsed ? by : undefined
}

/** Resources that are made from files, and are no policies. */
const usesElsewhere = /"(?:kubernetes|kubectl|helm|argocd|flux|restapi|terracurl|http)_?\w*"/

/** How many files that scripts call are looked into. */
const mostCalled = 40

async function pipelineFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, text, repository } = file
  const parts = await partsOf(path, text)
  const { programs } = await reachOf(file)
  const isDeployed = programs.length > 0
  const deployingParts = parts.flatMap((part) => {
    const why = programWhy(part.text, file) ?? (isDeployed ? undefined : handedOver(part.text, file))
    return why === undefined ? [] : [{ ...part, why }]
  })
  const [first] = deployingParts
  if (!first) return []
  if (await isReadWhole(file)) return [fact(file, first.why, path, text, repository.isExecutable(path))]
  // Parts for the whole pipeline count where one of its jobs deploys, and so do those that such a job runs.
  const taken = new Set(programs.filter((each) => each.path === path).map((each) => each.text))
  const marks = [...deployingParts, ...parts.filter((part) => part.isForAll || taken.has(part.text))].map((part) => part.mark)
  return [fact(file, first.why, path, [...new Set(marks)].sort(), repository.isExecutable(path))]
}

/**
 * Why a job may deploy policies where nothing in the repository is known to do it: it sends something, or runs what is elsewhere. Files
 * only are meant: what applies configurations and manifests may be a service that reads the repository.
 */
function handedOver(text: string, { policies, repository }: FileContext): string | undefined {
  const command = sendsElsewhere.exec(text)?.[0]
  const isSent = (path: string) => !isConfiguration(path) && !isObject(repository.text(path) ?? '')
  return command !== undefined && policies.files.some(isSent)
    ? `nothing else is known to deploy policies, and it has \`${command.trim().slice(0, 60)}\``
    : undefined
}

/** Ways to send files or to run what is elsewhere; not actions that only prepare a machine, build or check. */
const sendsElsewhere =
  /\b(?:curl|wget)\b[^\n"|]*\|\s*(?:sudo\s+)?\w*sh\b|\b(?:ssh|scp|rsync|sftp|lftp|rclone|azcopy|gsutil)\s|\bmc\s+(?:mirror|cp)\b|\bs3\s+(?:sync|cp)\b|\b(?:curl|wget|httpie?|xh)\b[^\n"|]*\s(?:-X|--request|-d|--data\S*|--post\S*|-T|-F)\b|"trigger":\{|"uses":"(?!\.\/|(?:actions|github|docker|codecov|pre-commit|golangci|gradle|astral-sh|sigstore|step-security)\/|[^"@]*(?:setup|lint|cache|checkout|scan|test|check|stale|label|release|notify|slack|grantwise))[\w.-]+\/[^"@]+/

/** Why a pipeline or a script has a part in the deployment: by its own words, or by those of the scripts that it names. */
function programWhy(text: string, file: ChangedFile): string | undefined {
  const { repository } = file
  const ownWords = wordsIn(text, file) ?? namedPolicies(text, file)
  if (ownWords !== undefined) return ownWords
  const scripts = repository.once(programWhy, () => repository.paths.filter((path) => isProgram(path)))
  const seen = new Set([file.path])
  const open = [text]
  for (let next = open.pop(); next !== undefined && seen.size <= mostCalled; next = open.pop()) {
    for (const path of namedIn(next, scripts)) {
      if (seen.has(path)) continue
      seen.add(path)
      const called = repository.text(path)
      if (called === undefined) continue
      if (wordsIn(called, file) !== undefined || namedPolicies(called, file) !== undefined)
        return `it names \`${path}\`, which takes part in the deployment`
      open.push(called)
    }
  }
  if (seen.size > mostCalled) return 'it calls more scripts than are looked into'
  // A file that a program of the deployment includes is part of it.
  const by = mentioned(file.path, repository)
  const caller = by !== undefined && isProgram(by) ? repository.text(by) : undefined
  return caller !== undefined && by !== undefined && (wordsIn(caller, file) ?? namedPolicies(caller, file)) !== undefined
    ? `\`${by}\` names it, which takes part in the deployment`
    : undefined
}

/** The files that a text names, by the words in it. */
function namedIn(text: string, scripts: readonly string[]): readonly string[] {
  const words = new Set(text.match(/[\w@%+~.-]+/g) ?? [])
  const isNamed = (path: string) => {
    const name = nameIn(path)
    if (words.has(name)) return true
    // These read their files by default.
    return (
      (/akefile$/.test(name) && words.has('make')) ||
      (/ustfile$/.test(name) && words.has('just')) ||
      (/^[Tt]askfile/.test(name) && words.has('task'))
    )
  }
  return scripts.filter(isNamed)
}
