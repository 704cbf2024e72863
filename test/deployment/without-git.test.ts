import { describe, expect, test } from 'vitest'
import { deploymentChanges } from '../../src/deployment/changes.ts'
import { type Policies, Repository } from '../../src/deployment/facts.ts'
import { isConfiguration, isObject } from '../../src/deployment/kinds.ts'
import { folderOf } from '../../src/hcl/paths.ts'
import { type Content, type GateCase, gateCases } from '../support/gate-cases.ts'

/**
 * The cases of test/bypass that the gate decides by how something is deployed, all of them, without git and without reading policies: what
 * a whole deep run asks of the program, in seconds.
 */

interface State {
  readonly texts: ReadonlyMap<string, string>
  readonly executable: ReadonlySet<string>
}

/** A file as a state of a repository has it; undefined where it is no text. */
function textOf(content: Content): string | undefined {
  if (content === null || typeof content === 'string') return content ?? undefined
  if ('text' in content) return content.text
  return 'link' in content ? `link ${content.link}` : 'commit' in content ? `commit ${content.commit}` : undefined
}

function stateOf(...parts: readonly GateCase['base'][]): State {
  const contents = new Map(parts.flatMap((part) => Object.entries(part ?? {})))
  const texts = [...contents].flatMap(([path, content]) => {
    const text = textOf(content)
    return text === undefined ? [] : [[path, text] as const]
  })
  const isRun = (content: Content) => typeof content === 'object' && content !== null && 'mode' in content && content.mode === '755'
  return { texts: new Map(texts), executable: new Set([...contents].flatMap(([path, content]) => (isRun(content) ? path : []))) }
}

const repositoryOf = ({ texts, executable }: State) =>
  new Repository({ paths: [...texts.keys()], text: (path) => texts.get(path), isExecutable: (path) => executable.has(path) })

function policiesOf(states: readonly State[]): Policies {
  const texts = states.flatMap((state) => [...state.texts])
  const isPolicy = ([path, text]: readonly [string, string]) => /^(?!\.).*\.(?:tf|ya?ml|jsonc?)$/.test(path) && /urn:v1:/.test(text)
  const holding = texts.filter(isPolicy)
  const files = [...new Set(holding.map(([path]) => path))]
  return {
    files,
    folders: files.map(folderOf),
    parts: texts.map(([path]) => path).filter((path) => /\.(?:tf|tfvars)$/.test(path)),
    compared: [''],
    nameUnknown: true,
    nameGroups: true,
    groupNames: [
      ...new Set(holding.flatMap(([, text]) => [...text.matchAll(/:identity:group:[\w-]+\/([\w.-]+)/g)].map(([, name = '']) => name))),
    ],
    readTags: true,
    inTerraform: files.some(isConfiguration),
    inManifests: holding.some(([, text]) => isObject(text)),
    brand: 'svc',
    prefix: 'svc',
  }
}

/** The files of a case that may change what is deployed. */
async function found({ base, change, access }: GateCase): Promise<readonly string[]> {
  const [before, after] = [stateOf(base), stateOf(base, change)]
  const differs = (path: string) =>
    before.texts.get(path) !== after.texts.get(path) || before.executable.has(path) !== after.executable.has(path)
  const paths = [...new Set([...before.texts.keys(), ...after.texts.keys()])].filter(differs)
  const isSame = access !== 'lost'
  const changes = await deploymentChanges(repositoryOf(before), repositoryOf(after), paths, policiesOf([before, after]), [], isSame)
  return changes.map(({ path }) => path)
}

/** Cases that the gate decides by more than the contents of files that are no policies. */
const byMore: ReadonlySet<string> = new Set([
  // Commits between the states.
  'a policy that one commit adds and the next removes, where a script sends each commit',
  'a policy in a file with a tab in its name, which one commit adds and the next removes, without messages',
  'a script takes which policies it sends from a trailer of the newest commit',
  'a job is only run for commits with a word in their message, which the change has',
  // Bytes that are no text in UTF-8.
  'a script with a comment in Latin-1 gives another value',
  'a PowerShell script in UTF-16 gives another value',
  'a script runs the end of a picture',
  // Policies, the world and the configuration.
  'a package that the configuration extends, in another version',
  'a permissions group that the change itself describes as smaller than it is',
  'a resource group that the change itself describes as empty',
  'a resource group of a deny that the change itself describes as larger than it is',
  'a user that the change itself describes as one to whom something is denied',
  'the body of a resource group that a policy names holds one more',
  'Ops may end servers',
  'an expiry that only differs below a millisecond',
  'a unit of Terragrunt that deploys another module gets another input',
  'tags change where no condition looks at them',
  'two policies have one id',
  'a policy that has the name of another one moves to another file, and a script sends all files of the folder',
  'a remote module of a version that is not pinned and stays',
  'files that the configuration leaves out before and after',
  'Terragrunt hands something to another module',
  'a guard by a text of JSON without a byte order mark',
  'a file of actions that a configuration goes through is formatted',
  'a file that the configuration extends is no longer strict',
  'a new deny is in a folder that the loop of the pipeline does not go through',
])

const isOfGate = ({ run }: GateCase['commands'][number]) => /^grantwise diff git:main (?:\.|git:HEAD)$/.test(run)

/** Whether the gate stops a case by what is deployed; undefined where it is asked something else, or goes by more. */
function isStopped({ title, commands }: GateCase): boolean | undefined {
  if (byMore.has(title)) return undefined
  const gate = commands.filter(isOfGate)
  if (gate.some(({ exit }) => exit === 3)) return true
  return gate.length > 0 && gate.every(({ exit }) => exit === 0) ? false : undefined
}

const decided = [...gateCases()].map(([file, cases]) => [file, cases.filter((each) => isStopped(each) !== undefined)] as const)

describe.each(decided.filter(([, cases]) => cases.length > 0))('%s', (_, cases) => {
  test.each(cases.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const paths = await found(each)
    expect(paths.length > 0).toBe(isStopped(each))
    const changed = Object.keys(each.change ?? {})
    const said = each.commands.filter(isOfGate).flatMap(({ says = [] }) => says.filter((words) => changed.includes(words)))
    expect(paths).toEqual(expect.arrayContaining(said))
  })
})

test('each case that is decided by more is one', () => {
  const titles = new Set([...gateCases().values()].flat().map(({ title }) => title))
  expect([...byMore].filter((title) => !titles.has(title))).toEqual([])
})
