import { folderOf, nameIn } from '../hcl/paths.ts'
import type { FileContext } from './facts.ts'
import { isConfiguration } from './kinds.ts'

/** A tool that deploys, and the subcommands or options that do. A text deploys only where it has both. */
interface Words {
  readonly tool: RegExp
  readonly does: RegExp
  /** The required subject. */
  readonly about?: RegExp
}

const anything = /(?:)/

/** Ways to push commits to a branch: what they change is merged as it is, policies as well. Tags and pages of a site are none of them. */
const pushing =
  /\bgit\s+(?:-[cC]\s+\S+\s+){0,50}push\b(?![^\n"]{0,400}(?:--tags\b|\bgh-pages\b|\brefs\/tags\b|\bv?\$\{?\w*(?:tag|version)))|\b(?:git-auto-commit-action|add-and-commit|github-push-action|create-pull-request)\b|\bgh\s+pr\s+merge\b|\bgh\s+api\b[^\n]{0,1000}\/(?:contents|git\/refs|merges)\b|\b(?:createOrUpdateFileContents|createCommitOnBranch)\b/i

/** Ways to set what jobs of other pipelines are given: variables, secrets, caches. */
const setting =
  /\b(?:gh|glab)\s+(?:variable|secret|environment)\s+(?:set|update|delete|remove|create)\b|\bgh\s+(?:cache|workflow)\s+(?:delete|enable|disable)\b|\bgh\s+api\b[^\n]{0,1000}\/(?:variables|secrets|environments|caches)\b|\bglab\s+api\b[^\n]{0,1000}\/variables\b|\b(?:createOrUpdate|create|update|delete)(?:Repo|Org|Environment)(?:Variable|Secret)\b/i

/** Words that name a deployment in a pipeline or a script, where the policies are of a kind that it deploys. */
const words: Readonly<Record<'inTerraform' | 'inManifests' | 'always', readonly Words[]>> = {
  inTerraform: [
    {
      tool: /\b(?:terraform|tofu|terragrunt|terramate)\b(?!-(?:docs|lsp|ls|compliance|config-inspect)\b|[._]version|[-\w]*@)/,
      does: /\b(?:apply|destroy|import|taint|state|workspace|run-all|deploy)\b|-var(?:-file)?\b|\bterragrunt\s+run\b/,
    },
    { tool: /\bTF_(?:VAR_\w+|WORKSPACE|CLI_ARGS\w*|CLI_CONFIG_FILE|DATA_DIR)\b|-var-file[= ]/, does: anything },
  ],
  inManifests: [
    {
      tool: /\b(?:kubectl|helm|helmfile|kustomize|flux|argocd|kapp|kluctl|skaffold|oc|werf|kpt|ytt|jsonnet)\b/,
      does: /\b(?:apply|upgrade|install|build|sync|create|replace|patch|delete|deploy|template|reconcile|label|annotate|set)\b/,
    },
  ],
  always: [
    { tool: /\b(?:pulumi|cdktf)\b/, does: /\b(?:up|update|config|destroy|stack|deploy|import|refresh)\b/ },
    { tool: /\bansible-playbook\b|\bPULUMI_\w+/, does: anything },
    { tool: /\/iam\/\w+|\/me\/identity\/\w+|\burn:v1:[\w:-]+/, does: anything },
    { tool: /\b(?:curl|wget|httpie?|xh)\b/, does: /\b(?:PUT|POST|PATCH|DELETE)\b/, about: /iam|polic/i },
    { tool: pushing, does: anything },
    { tool: setting, does: anything },
  ],
}

/** The same for source code, and manifests: only what can hardly mean anything else. */
const commands: Readonly<Record<'inTerraform' | 'inManifests' | 'always', RegExp>> = {
  inTerraform:
    /\bTF_(?:VAR_\w+|WORKSPACE|CLI_ARGS\w*|CLI_CONFIG_FILE|DATA_DIR)\b|\b(?:terraform|tofu|terragrunt)['",\s]{1,8}(?:-chdir\S+['",\s]{1,8})?(?:apply|workspace|run|run-all|import|state|destroy)\b|-var-file[= ]/,
  inManifests:
    /\bkubectl['",\s]{1,8}(?:apply|create|replace|patch|delete|label|annotate)\b|\bhelm['",\s]{1,8}(?:upgrade|install)\b|\bkustomize['",\s]{1,8}build\b/,
  always: /\bpulumi['",\s]{1,8}(?:up|update|config|destroy)\b|['"]@pulumi\/|\bpulumi_\w+|\bcdktf\b|@cdktf\/|\/iam\/\w+|\/me\/identity\/\w+/,
}

type ToolKind = keyof typeof commands
const toolKinds: readonly ToolKind[] = ['inTerraform', 'inManifests', 'always']

/** The first words of policies in a file that is not read, as a message. */
export function policyWordsIn(text: string): string | undefined {
  const match =
    /urn:v1:[\w:*-]+|"(?:identities|permissionsGroups?|permissions)"\s*:|^[ \t\ufeff]*(?:- )?(?:identities|permissionsGroups?|permissions):|\b[a-zA-Z]+:apisvc:[\w/*]+/m.exec(
      text,
    )?.[0]
  return match === undefined ? undefined : `it is not read as a policy, and has \`${match.trim()}\``
}

export function wordsIn(text: string, { policies }: Pick<FileContext, 'policies'>): string | undefined {
  for (const kind of toolKinds) {
    if (kind !== 'always' && !policies[kind]) continue
    for (const { tool, does, about } of words[kind]) {
      const toolName = tool.exec(text)?.[0]
      if (toolName !== undefined && does.test(text) && about?.test(text) !== false) return `it has \`${toolName.trim()}\``
    }
  }
  const ownToolName = ownTool(text, policies.brand)
  return ownToolName === undefined ? undefined : `it has \`${ownToolName}\``
}

/** Why source code, or a file of any other kind, has a part in the deployment: by commands that can hardly mean anything else. */
export function commandIn(text: string, { policies }: Pick<FileContext, 'policies'>): string | undefined {
  const match = toolKinds
    .flatMap((kind) => (kind === 'always' || policies[kind] ? [commands[kind].exec(text)?.[0]] : []))
    .find((each) => each !== undefined)
  return match === undefined ? undefined : `it has \`${match.trim()}\``
}

/** Commands that look at the form of files, and deploy none. */
const checks =
  /\b(?:grantwise|yamllint|prettier|jsonlint|check-jsonschema|ajv|markdownlint[^\s"]*|shellcheck|tflint|checkov)\b[^\n"|;&$`]*/g

/** That a text names files with policies, or their folder. What applies configurations is known by its own words. */
export function namedPolicies(text: string, { policies, repository }: FileContext): string | undefined {
  const { names, folders } = repository.once(namedPolicies, () => {
    const sent = policies.files.filter((path) => !isConfiguration(path))
    return {
      names: new Set(sent.flatMap((path) => [path, nameIn(path)])),
      folders: new Set(sent.map(folderOf).flatMap((path) => (path === '' ? [] : [path, nameIn(path)]))),
    }
  })
  for (const [word] of text.replace(checks, ' ').matchAll(/[\w@%+~./-]{2,300}/g)) {
    const plainWord = word.replace(/^\.?\/+|(?<![./])[./]+$/g, '')
    const isFolder = folders.has(plainWord) && plainWord.length > 2
    if (names.has(plainWord) || isFolder || [...folders].some((folder) => plainWord.startsWith(`${folder}/`)))
      return `it names \`${plainWord}\``
  }
  // The beginning of a path, of which the rest is computed: `iam/v${major}`.
  for (const [, word = ''] of text.matchAll(
    /(?<![\w@%+~./-])((?:[\w@%+~.-]{1,100}\/){1,12}[\w@%+~.-]{0,100})(?=\$[{\w(]|\{\w|["']\s*\+|%[sdv])/g,
  )) {
    const start = word.replace(/^(?:\.{0,2}\/)+/, '')
    if (start.length > 2 && [...names].some((each) => each.startsWith(start))) return `it names \`${start}\``
  }
  return undefined
}

/** A call of the command-line tool of the service for policies, or users: `svc-cli iam policy put`. */
function ownTool(text: string, brand: string): string | undefined {
  for (const line of text.split('\n')) {
    const last = [...line.matchAll(/\b(?:iam|polic(?:y|ies))\b/gi)].at(-1)
    if (!last) continue
    const called = (line.slice(0, last.index).match(/[\w./-]+/g) ?? []).find((word) => ofBrand.test(withoutBrand(nameIn(word), brand)))
    if (called !== undefined) return called
  }
  // Words that many things have count where the tool is what is called.
  for (const [, called = ''] of text.matchAll(aboutUsers)) if (ofBrand.test(withoutBrand(nameIn(called), brand))) return called
  return undefined
}

const ofBrand = /^(?:[-_]?cli|ctl)?$/i

/** A command, or a list of its words, that begins with a tool and goes on with users, groups or credentials. */
const aboutUsers =
  /(?:^[ \t\ufeff]*|[;&|(`"'@$]\s{0,4}|\b(?:sudo|exec|env|time|then|do|else|xargs|if|!)\s+)([\w./-]{2,100})(?:[\s"',]{1,4}(?:[a-z][\w-]{0,20}|--?[\w=./-]{1,60})){0,4}?[\s"',]{1,4}(?:users?|groups?|teams?|members?|memberships?|identit(?:y|ies)|credentials?|oauth2?|(?:api-?|oauth2?-?)?(?:clients?|keys?|tokens?)|service-?accounts?)(?=["'\s,:]|$)/gim

const withoutBrand = (word: string, brand: string): string =>
  word.toLowerCase().startsWith(brand.toLowerCase()) ? word.slice(brand.length) : '-'

/** Whether source code, or a script, sends what it reads. */
export const sendsData = (text: string): boolean =>
  /(?<!\b(?:pull|merge)-)\b(?:requests|httpx|urllib|http\.client|aiohttp|boto3|fetch|axios|got|undici|Req|HTTPoison|Finch|Tesla|Mojo|LWP|HTTP::Tiny|curl_exec|file_get_contents|Dio|HttpRequest|URLSession|clj-http|httpc|Net\.HTTP|sttp|https?\.request|Net::HTTP|Faraday|HTTParty|http\.NewRequest|http\.Post|http\.Client|HttpClient|OkHttp|RestTemplate|reqwest|ureq|hyper|Guzzle|curl|wget|subprocess|child_process|execSync|spawn|os\/exec|exec\.Command|ProcessBuilder|Process\.Start|system)\b/.test(
    text,
  )

/** Source code that sends who is in a group which a policy names: the group after such a word in a path, an argument or a field. */
export function sentGroup(text: string, groupNames: readonly string[]): string | undefined {
  if (groupNames.length === 0 || !sendsData(text) || !/\b(?:put|post|patch|delete|invite|add)\w*\b/i.test(text)) return undefined
  const names = new Set(groupNames)
  return [...text.matchAll(ofGroups)]
    .map((match) => match.slice(1).find((each) => each !== undefined) ?? '')
    .find((name) => names.has(name))
}

const ofGroups =
  /(?:teams?|groups?|members?|memberships?)\/([\w.@-]{1,100})(?=[/"'`?#\s]|$)|(?:teams?|groups?|memberships?)["']?\s{0,4}(?::|=(?!=))\s{0,4}[[({\s]{0,4}["'`]([\w.@-]{1,100})["'`]|(?:add|join|put|set|update|create|invite|assign|sync|ensure)\w{0,30}(?:team|group|member)\w{0,30}\(\s{0,4}["'`]([\w.@-]{1,100})["'`]/gi

/** Words by which a file is about access: the name of the field, URNs, actions. */
const ofAccess = /(?<![a-zA-Z])(?:iam|Iam|IAM)(?![a-z])|(?<=[a-z])(?:Iam|IAM)(?![a-z])|\burn:v1:|\b[a-zA-Z]+:apisvc:/

/** Words in programs that send or choose policies. */
const ofPolicies =
  /(?:sync(?!Policy)|push|apply|deploy|upload|put|post|publish|send|load|read|create|update)[_-]?polic(?:y|ies)|polic(?:y|ies)[_-]?(?:dir|file|path|client|api|sync)|["'`/]polic(?:y|ies)["'`/]/i

/** Whether a text is about access. */
export const mentionsAccess = (text: string): boolean => ofAccess.test(text) || ofPolicies.test(text)
