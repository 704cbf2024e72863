import { kindOfTerraform } from '../declared/attributes.ts'
import { glob, matches } from '../glob.ts'
import { attributeOf } from '../hcl/declarations.ts'
import { readHclJson } from '../hcl/json.ts'
import { readHcl } from '../hcl/parse.ts'
import { folderOf, joinPath, nameIn } from '../hcl/paths.ts'
import { printed } from '../hcl/print.ts'
import type { Block, Body, Expression } from '../hcl/syntax.ts'
import { isTerragruntName } from '../hcl/tools.ts'
import { sourceOf } from '../source.ts'
import { policyApplicationIn } from './applications.ts'
import { type ChangedFile, type Fact, type FileText, fact, type Policies, type Repository } from './facts.ts'
import { isConfiguration, isManifestFile, isObject } from './kinds.ts'
import { countingParts } from './objects.ts'
import { type Reach, reachOf } from './reach.ts'

/** A configuration or a file of Terragrunt, parsed once. */
function bodyOf({ path, text, repository }: FileText & { readonly repository: Repository }): Body | undefined {
  return repository.once(`body ${path}`, () => parsed(path, text))
}

function parsed(path: string, text: string): Body | undefined {
  return path.endsWith('.json')
    ? readHclJson(sourceOf(path, text, 'hcl-json'), false).body
    : readHcl(sourceOf(path, text, 'hcl'), undefined).body
}

/** Whether a configuration can be read at all. */
export const isReadable = (file: FileText & { readonly repository: Repository }): boolean => bodyOf(file) !== undefined

/** Facts of configurations of Terraform: resources that are no policies and change access, and what is imported. */
export function blockFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies } = file
  if (!isConfiguration(path) || !/import|resource|module|removed|output|locals/.test(text)) return []
  const blocks = bodyOf(file)?.blocks ?? []
  return blocks.flatMap((block) => {
    if (block.type === 'import') return importFacts(block, path, policies)
    if (block.type === 'removed') return removedFacts(block, path, policies)
    const [type = '', name = ''] = block.labels
    const handed = credentialFacts(block, file)
    if (block.type === 'module' && policies.readTags) return [...handed, ...moduleFacts(block, path)]
    if (block.type !== 'resource' || handed.length > 0) return handed
    const kind = kindOfTerraform(type, policies.prefix)
    if (kind !== undefined && kind !== 'policy')
      return policies.nameUnknown
        ? [fact(file, `\`${type}.${name}\` may be a group that a policy names`, type, name, printed(block.body))]
        : []
    if (kind !== undefined) return checkedFacts(block, path)
    if (!type.startsWith(`${policies.prefix}_`)) return otherFacts(block, path, policies)
    return countingParts(type, policies).flatMap(({ attribute, why }) => {
      const found = block.body.attributes.filter((each) => attribute.test(each.name) && !(/^tags/.test(each.name) && hasPlainUrn(block)))
      const mark = [type, ...found.map((each) => [each.name, printed(each.value)]), ...identityOf(block)]
      return found.length === 0 ? [] : [fact(file, `\`${type}.${name}\` ${why}`, mark)]
    })
  })
}

/**
 * Facts of what may give a value to a resource by which access is another one, where that is an expression: calls of modules, locals,
 * defaults and files of values.
 */
export function givingFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies, repository } = file
  if (!/\.(?:tf|tofu|tfvars)(?:\.json)?$/.test(path) || !policies.inTerraform) return []
  const givingFiles = givers(repository, policies)
  if (givingFiles.length === 0) return []
  const body = bodyOf(file)
  const isValues = /\.tfvars(?:\.json)?$/.test(path)
  const blocks = (body?.blocks ?? []).filter(({ type }) => ['module', 'locals', 'variable', 'data', 'output'].includes(type))
  const mark = isValues || !body ? text : blocks.map((each) => `${each.type} ${each.labels.join(' ')} ${printed(each.body)}`)
  return mark.length === 0
    ? []
    : [fact(file, `\`${givingFiles[0]?.path}\` may take from it who is in which group, tags, or what it runs`, mark)]
}

/** The configurations with such resources. */
export function givers(repository: Repository, policies: Policies): readonly FileText[] {
  return repository.once(givers, () => repository.texts(isConfiguration).filter((each) => isGiven({ ...each, repository }, policies)))
}

/** Whether a text has a resource of ours, other than a policy, with an expression where a policy's effect may depend on it. */
function isGiven(file: FileText & { readonly repository: Repository }, policies: Policies): boolean {
  const { text } = file
  if (!/local_|group|role|member|user|tags|provisioner/.test(text)) return false
  return (bodyOf(file)?.blocks ?? []).some(({ type, labels: [kind = ''], body }) => {
    if (type !== 'resource') return false
    if (body.blocks.some((each) => each.type === 'provisioner' && /"name":"(?:local|var)"/.test(printed(each.body)))) return true
    const isOfOthers =
      !kind.startsWith(`${policies.prefix}_`) &&
      others.some(([types, needs]) => types.test(kind) && (needs === undefined || policies[needs] === true))
    if (isOfOthers) return body.attributes.some(({ value }) => isExpression(value))
    if (!kind.startsWith(`${policies.prefix}_`) || kindOfTerraform(kind, policies.prefix) !== undefined) return false
    const asked = countingParts(kind, policies)
    return body.attributes.some(({ name, value }) => asked.some(({ attribute }) => attribute.test(name)) && isExpression(value))
  })
}

/** Whether a value depends on a definition elsewhere. */
function isExpression(value: Expression): boolean {
  switch (value.kind) {
    case 'literal':
      return false
    case 'template':
      return value.parts.some((part) => part.kind !== 'text')
    case 'list':
      return value.items.some(isExpression)
    case 'object':
      return value.entries.some((entry) => isExpression(entry.value))
    default:
      return !isOwnAttribute(value)
  }
}

/** An attribute of another resource, which the same files describe. */
function isOwnAttribute(value: Expression): boolean {
  let root = value
  while (root.kind === 'attribute' || root.kind === 'index') root = root.of
  return root.kind === 'name' && !['var', 'local', 'module', 'data', 'each', 'path', 'terraform', 'self'].includes(root.name)
}

/** Arguments of a module outside of the repository may become tags. */
function moduleFacts({ labels: [name = ''], body }: Block, path: string): readonly Fact[] {
  const source = attributeOf(body, 'source')?.value
  const isHere = source?.kind === 'template' && source.parts[0]?.kind === 'text' && /^\.\.?\//.test(source.parts[0].value)
  const tagAttributes = body.attributes.filter((each) => /tag|label|metadata|annotation/i.test(each.name))
  if (isHere || tagAttributes.length === 0) return []
  return [
    fact(
      { path },
      `\`module.${name}\` has tags, which conditions look at`,
      name,
      tagAttributes.map((each) => [each.name, printed(each.value)]),
    ),
  ]
}

/** Effects on access that resources of other providers may have, by their types. */
const others: readonly (readonly [type: RegExp, needs: keyof Policies | undefined, why: string])[] = [
  [
    /^(?:tfe|github|gitlab|bitbucket|azuredevops|env0|spacelift|scalr)_(?:\w+_)?(?:variables?|secrets?|workspace_settings|workspace)$/,
    undefined,
    'gives values to deployments',
  ],
  [/(?:group|team)_?(?:member|assignment|rule|roles?|users?)|(?:member|user)ships?$|_group$/, 'nameGroups', 'says who is in which group'],
  [/^(?:kubernetes|kubectl|helm|argocd|flux)_/, 'inManifests', 'applies manifests'],
  [
    /^vault_\w*(?:role|polic(?:y|ies)|entity|alias|group|groups|user|users|auth_backend\w*|token|secret_id|members?|member_\w+)$|secrets?_?(?:manager)?_\w*(?:iam_\w+|policy|access\w*)$|key_?vault_access_policy$/,
    undefined,
    'says who may read secrets',
  ],
  [/^local_(?:sensitive_)?file$/, undefined, 'writes a file, which what deploys may read'],
  [
    /^(?:restapi|rest|terracurl|httpclient|http-full|curl|graphql|generic_?api)_|^http(?:_\w+)?$/,
    undefined,
    'sends a request, which may change access',
  ],
  [/^(?:shell|script|scripted|ansible|remote|ssh|cmd|utility_exec|process)_(?:\w+)$/, undefined, 'runs something that is not read'],
]

/** Facts of what hands on a credential of an identity of ours: an attribute of the resource that makes it. */
function credentialFacts({ type, labels, body }: Block, file: ChangedFile): readonly Fact[] {
  const { policies, text } = file
  if (!text.includes(`${policies.prefix}_`) || labels[0]?.startsWith(`${policies.prefix}_`)) return []
  if (!['resource', 'module', 'output', 'locals'].includes(type)) return []
  const isHanded = (part: Expression | Body): boolean =>
    attributesIn(JSON.parse(printed(part))).some(
      ([kind, attribute]) => kind.startsWith(`${policies.prefix}_`) && ofIdentity.test(kind) && isSecret.test(attribute),
    )
  if (!isHanded(body)) return []
  const mark =
    type === 'locals'
      ? body.attributes.filter(({ value }) => isHanded(value)).map((each) => [each.name, printed(each.value)])
      : printed(body)
  return [fact(file, `\`${[type === 'resource' ? [] : type, labels].flat().join('.')}\` hands on a credential`, type, labels, mark)]
}

/** The attributes of resources in a part of a configuration, each with the type of its resource. */
function attributesIn(part: unknown): readonly (readonly [type: string, attribute: string])[] {
  if (typeof part !== 'object' || part === null) return []
  const { kind, name, of } = part as Readonly<Record<string, unknown>>
  let root = of
  while (isNode(root) && root.kind !== 'name') root = root.of
  const pair = kind === 'attribute' && isNode(root) ? [[String(root.name), String(name)] as const] : []
  return [...pair, ...Object.values(part).flatMap(attributesIn)]
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null

const ofIdentity = /_me_|_iam_|identit|oauth|service_?account|application|(?:api|access)_?(?:key|token|client|credential)/
const isSecret = /secret|token|password|key|credential|private/i

/** The name of a file for readers, or of a key or a kubeconfig. */
const inertName = /"(?:[^"]{0,300}\.(?:md|txt|log|html|pem|key|crt|pub)|[^"]{0,300}kubeconfig[^"]{0,300})"/

function otherFacts(block: Block, path: string, policies: Policies): readonly Fact[] {
  const [type = '', name = ''] = block.labels
  const text = printed(block.body)
  const isNote = type.startsWith('local_') && inertName.test(text)
  const kind = isNote ? undefined : others.find(([types, needs]) => types.test(type) && (needs === undefined || policies[needs] === true))
  // The same of another brand.
  if (/_iam_(?:policy|permissions_group|resource_group)$/.test(type)) return []
  const isPolicy = /urn:v1:|\bidentities\b/.test(text) || text.includes(`.${policies.brand}.`)
  if (!kind && !isPolicy) return []
  return [fact({ path }, `\`${type}.${name}\` ${kind?.[2] ?? 'has what policies have, and is not read as one'}`, type, name, text)]
}

/** Facts of what other root modules hand on: outputs that are read from their states, and resources that are read as data. */
export function handedFacts(file: ChangedFile): readonly Fact[] {
  const { path, policies, repository } = file
  if (!policies.inTerraform || !isConfiguration(path)) return []
  const reads = repository.once(handedFacts, () => {
    const texts = repository.texts(isConfiguration).map((each) => each.text)
    return {
      states: texts.some((each) => /terraform_remote_state|tfe_outputs/.test(each)),
      data: new Set(texts.flatMap((each) => [...each.matchAll(/\bdata\s{1,20}"(\w+)"/g)].map((match) => match[1] as string))),
    }
  })
  const blocks = bodyOf(file)?.blocks ?? []
  const handed = blocks.filter(
    ({ type, labels }) =>
      (reads.states && /^(?:output|locals|variable)$/.test(type)) ||
      (type === 'resource' &&
        reads.data.has(labels[0] ?? '') &&
        /iam|param|secret|config|group|user|identity|ssm|consul|vault|key_value|s3_object|storage/.test(labels[0] ?? '')),
  )
  if (handed.length === 0) return []
  const why = reads.states ? 'another configuration may read its outputs' : 'another configuration may read what it makes'
  return [
    fact(
      file,
      why,
      handed.map(({ type, labels, body }) => [type, labels.join(' '), printed(body)]),
    ),
  ]
}

/** Facts of where a configuration keeps its state where that chooses values as well. */
export function cloudFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies } = file
  if (!policies.inTerraform || !isConfiguration(path) || !/\bcloud\b|\bbackend\b|\baction\b|"external"|"http"/.test(text)) return []
  const blocks = bodyOf(file)?.blocks ?? []
  const clouds = blocks.flatMap(({ type, body }) =>
    type === 'terraform' ? body.blocks.filter((each) => each.type === 'cloud' || each.type === 'backend') : [],
  )
  const acts = blocks.filter(
    ({ type, labels, body }) =>
      type === 'action' || (type === 'data' && (labels[0] === 'external' || (labels[0] === 'http' && sends(body)))),
  )
  return [
    ...clouds.map(({ type, labels, body }) => {
      const hasValues = type === 'cloud' || labels[0] === 'remote'
      // Another state may have policies of another configuration, which are changed to those of this one.
      const why = hasValues ? 'the workspace that it names has its own values' : 'it keeps its state in the place that it names'
      return fact(file, why, ...(hasValues ? [] : labels), printed(body))
    }),
    ...acts.map(({ type, labels, body }) => fact({ path }, 'it runs something that is not read', type, ...labels, printed(body))),
  ]
}

/** Whether a data source of HTTP does more than to ask for an address. */
const sends = ({ attributes }: Body): boolean => attributes.some(({ name }) => name === 'method' || name === 'request_body')

/** Facts of what a resource takes its values from that runs an application which is about policies: variables, locals, files of values. */
export async function feedingFacts(file: ChangedFile): Promise<readonly Fact[]> {
  const { path, repository, text } = file
  if (!/\.(?:tf|tofu|tfvars)(?:\.json)?$/.test(path)) return []
  const reach = await reachOf(file)
  const folder = folderOf(path)
  const fed = repository.once(`fed ${folder}`, () => fedIn(folder, file, reach))
  if (fed === undefined) return []
  const { by, names } = fed
  const why = `\`${by}\`, which is about policies, may be run by it`
  const body = bodyOf(file)
  if (/\.tfvars(?:\.json)?$/.test(path)) {
    const feeding = body?.attributes.filter(({ name }) => names.has(name)).map(({ name, value }) => [name, printed(value)]) ?? text
    return feeding.length === 0 ? [] : [fact(file, why, feeding)]
  }
  return (body?.blocks ?? []).flatMap(({ type, labels, body: blockBody }) =>
    type === 'locals'
      ? blockBody.attributes.filter(({ name }) => names.has(name)).map(({ name, value }) => fact(file, why, name, printed(value)))
      : type === 'variable' && names.has(labels[0] ?? '')
        ? [fact(file, why, labels[0], printed(blockBody))]
        : [],
  )
}

/** The variables and locals of a folder by which resources run an application about policies, and that application. */
function fedIn(folder: string, file: ChangedFile, reach: Reach): { readonly by: string; readonly names: ReadonlySet<string> } | undefined {
  const blocks = file.repository
    .texts(isConfiguration)
    .filter((each) => folderOf(each.path) === folder)
    .flatMap((each) => bodyOf({ ...each, repository: file.repository })?.blocks ?? [])
  const running = blocks
    .filter(({ type }) => type === 'resource' || type === 'module')
    .map(({ labels, body }) => ({ by: policyApplicationIn(`${labels.join(' ')} ${printed(body)}`, file, reach), body }))
    .filter((each) => each.by !== undefined)
  const by = running[0]?.by
  if (by === undefined) return undefined
  const locals = blocks.flatMap(({ type, body }) => (type === 'locals' ? body.attributes : []))
  const open = running.flatMap(({ body }) => namesIn(body))
  const names = new Set<string>()
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (names.has(name)) continue
    names.add(name)
    const local = locals.find((each) => each.name === name)
    if (local) open.push(...namesIn(local.value))
  }
  return { by, names }
}

/** The variables and locals that a part of a configuration names. */
const namesIn = (part: Body | Expression): string[] =>
  [...printed(part).matchAll(/\{"kind":"name","name":"(?:var|local)"\},"name":"(\w+)"/g)].map(([, name]) => name as string)

/** Facts of resources that run an application which is about policies, or hold values that something which deploys asks for. */
export async function storedFacts(file: ChangedFile): Promise<readonly Fact[]> {
  if (!isConfiguration(file.path)) return []
  const reach = await reachOf(file)
  const code = reach.programs.filter(({ path }) => !isConfiguration(path))
  if (code.length === 0) return []
  return (bodyOf(file)?.blocks ?? []).flatMap(({ type, labels, body }) => {
    if ((type !== 'resource' && type !== 'module') || labels[0]?.startsWith(`${file.policies.prefix}_`)) return []
    const text = `${labels.join(' ')} ${printed(body)}`
    const run = policyApplicationIn(text, file, reach)
    const values = [...text.matchAll(/"([\w@%+~.-]{0,1000}[/.][\w@%+~./-]{3,1000})"|\b([A-Z][A-Z_]{3,})\b/g)]
      .map(([, path, name]) => (path ?? name) as string)
      .filter((value) => !usualValues.test(value))
    const held = /^kubernetes_(?:config_map|secret)/.test(labels[0] ?? '') ? runsAbout(file, reach) : undefined
    const by = run ?? code.find((each) => values.some((value) => each.text.includes(value)))?.path ?? held
    return by === undefined ? [] : [fact(file, `\`${labels.join('.')}\` may be what \`${by}\` runs by, or asks for`, labels, printed(body))]
  })
}

/** Values that many programs have, and that say nothing of what they ask for. */
const usualValues =
  /^(?:POST|PATCH|DELETE|HEAD|OPTIONS|HTTPS?|JSON|TRUE|FALSE|NULL|NONE|ALLOW|DENY|ALWAYS|ICMP|[a-z]+\/(?:json|xml|plain|html|octet-stream|x-[\w-]+)|[\d./]+)$/

/** An application about policies that objects of Kubernetes in this repository run. */
function runsAbout({ repository, policies }: ChangedFile, reach: Reach): string | undefined {
  return repository.once(runsAbout, () => {
    const objects = repository.texts(isManifestFile).filter(({ text }) => isObject(text))
    return objects.map(({ text }) => policyApplicationIn(text, { repository, policies }, reach)).find((each) => each !== undefined)
  })
}

/** Tags of what is known by its URN are read with the policies. */
function hasPlainUrn({ body }: Block): boolean {
  const value = attributeOf(body, 'urn')?.value
  return value?.kind === 'template' && value.parts.every((part) => part.kind === 'text')
}

/** The attributes that distinguish resources of one type. */
function identityOf({ body }: Block): readonly string[] {
  return ['login', 'name', 'urn', 'count', 'for_each'].flatMap((word) => {
    const value = attributeOf(body, word)?.value
    return value ? [`${word} ${printed(value)}`] : []
  })
}

function importFacts({ body }: Block, path: string, { prefix }: Policies): readonly Fact[] {
  const to = attributeOf(body, 'to')
  const isOurs = to === undefined || printed(to.value).includes(`${prefix}_iam_`) || printed(to.value).includes('module')
  return isOurs ? [fact({ path }, 'it takes over an existing policy', printed(body))] : []
}

/** A policy that the configuration no longer has, and that stays in force where it says so. */
function removedFacts({ body }: Block, path: string, { prefix }: Policies): readonly Fact[] {
  const text = printed(body)
  const isOurs = text.includes(`${prefix}_iam_`) || text.includes('"module"')
  return isOurs ? [fact({ path }, 'it says what becomes of a policy that the configuration no longer has', text)] : []
}

/** A policy is left out where a condition of it fails that is only known while the others are applied. */
function checkedFacts({ labels, body }: Block, path: string): readonly Fact[] {
  const checks = body.blocks.flatMap(({ type, body: inner }) =>
    type === 'lifecycle' ? inner.blocks.filter((each) => each.type === 'precondition').map((each) => printed(each.body)) : [],
  )
  return checks.length === 0 ? [] : [fact({ path }, `\`${labels.join('.')}\` is only applied under a condition`, ...labels, checks)]
}

/** Words in a provisioner that may change access. */
const acting = /iam|polic|urn:v1|terraform|tofu|pulumi|kubectl|https?:|\.(?:sh|py|js|rb|ps1)\b/i

/** Facts of what a configuration has run while it is applied. */
export function runningFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies, repository } = file
  if (!policies.inTerraform) return []
  if (isConfiguration(path)) {
    if (!text.includes('provisioner')) return []
    const blocks = (bodyOf(file)?.blocks ?? []).flatMap((block) => block.body.blocks.filter(({ type }) => type === 'provisioner'))
    const acts = blocks
      .map(({ labels, body }) => `${labels.join(' ')} ${printed(body)}`)
      .filter((each) => each.startsWith('local-exec') || acting.test(each))
    return acts.length === 0 ? [] : [fact(file, 'what it runs when it is applied may change access', acts)]
  }
  const name = nameIn(path)
  const callers = repository.once(isCaller, () => {
    const found = repository.texts(isConfiguration).filter(isCaller)
    return new Map(found.flatMap((each) => [...each.text.matchAll(/[\w@%+~.-]{2,200}/g)].map(([word]) => [word, each.path] as const)))
  })
  const caller = callers.get(name)
  return caller === undefined ? [] : [fact(file, `\`${caller}\` names it, and may run it`, path, text)]
}

/** Whether a configuration may run, or take what it asks for from, something that it names. */
const isCaller = ({ text }: FileText): boolean => /local-exec|\bexternal\b|restapi|http"/.test(text)

const looking = /\bprovider::\w+::\w*(?:file|dir|path|exist|read|glob|list|hash|stat)\w*/i

/** Facts of what functions of providers may find on the disk: all files, where the name of one says that it looks. */
export function diskLookupFacts(file: ChangedFile): readonly Fact[] {
  const { path, text, policies, repository } = file
  if (!policies.inTerraform) return []
  const lookup = repository.once(diskLookupFacts, () => {
    const asked = repository.texts(isConfiguration).map(({ text: each }) => looking.exec(each)?.[0])
    return asked.find((each) => each !== undefined)
  })
  return lookup === undefined || policies.files.includes(path) ? [] : [fact(file, `\`${lookup}\` may look at it`, path, text)]
}

// Terragrunt.

/** Parts of a Terragrunt file that are read with the policies: inputs of a unit, generated files, and the place of its state. */
const readWithPolicies: ReadonlySet<string> = new Set(['inputs', 'generate', 'remote_state', 'locals', 'include'])

/** Facts of files of Terragrunt, of what they depend on, and of what they run. */
export function terragruntFacts(file: ChangedFile): readonly Fact[] {
  const { path, name, text, policies, repository } = file
  if (!policies.inTerraform) return []
  if (isTerragruntName(name) && !/\.(?:tfstack)\.hcl/.test(name)) {
    if (!/^terragrunt/.test(name) && !repository.paths.some(isUnit)) return []
    const body = bodyOf(file)
    const by = computedSources(file).find((unit) => unit.path === path || unit.text.includes(`"${name}"`))
    if (by) return [fact(file, `\`${by.path}\` works out from it what it deploys`, path, text)]
    if (isElsewhere(path, body, policies, text)) return []
    const parts = body && [
      ...body.attributes.filter((each) => !readWithPolicies.has(each.name)).map((each) => `${each.name} ${printed(each.value)}`),
      ...body.blocks
        .filter(({ type }) => !readWithPolicies.has(type))
        .map((each) => `${each.type} ${each.labels.join(' ')} ${printed(each.body)}`),
    ]
    const isWhole = parts === undefined || name.endsWith('.json') || /stack\.hcl$/.test(name) || (body !== undefined && isRemote(body))
    const mark = isWhole ? text : parts.sort().join('\n')
    return mark === '' ? [] : [fact(file, 'it says to Terragrunt what is deployed, and how', path, mark)]
  }
  const unit = unitsOf(repository).askingFor(path)
  return unit === undefined ? [] : [fact(file, `\`${unit}\` depends on it`, path, text)]
}

/** Units whose source is computed and may be a folder with policies. */
function computedSources({ repository, policies }: ChangedFile): readonly FileText[] {
  return repository.once(computedSources, () =>
    repository.texts(isUnit).filter(({ path, text }) => {
      const source = /\bsource\s{0,20}=\s{0,20}"([^"\n]{0,300}\$\{[^"\n]{0,300})"/.exec(text)?.[1]
      if (
        source === undefined ||
        !/\$\{[^}]{0,200}\b(?:locals?|include|dependency|values|feature|get_env|read_terragrunt_config)\b/.test(source)
      )
        return false
      const last =
        source
          .replace(/\?ref=.*$/, '')
          .replace(/\$\{[^}]{0,200}\}/g, '*')
          .split('/')
          .at(-1) ?? ''
      if (/^\**$/.test(last)) return aboutAccess.test(`${path} ${text}`)
      const pattern = glob(last)
      return policies.files.some((each) => matches(pattern, nameIn(folderOf(each))))
    }),
  )
}

const aboutAccess = /iam|polic|urn:v1|access|identit|permission|rbac|grant|auth/i

const isOfTerragrunt = (path: string): boolean => isTerragruntName(nameIn(path))

const isUnit = (path: string) => /(?:^|\/)terragrunt\.hcl(?:\.json)?$/.test(path)

/** Dependencies of Terragrunt files: folders whose outputs they take, and the names of files that they run or read. */
function unitsOf(repository: Repository) {
  return repository.once(unitsOf, () => {
    const [folders, names] = [new Map<string, string>(), new Map<string, string>()]
    let any: string | undefined
    for (const { path, text } of repository.texts(isOfTerragrunt)) {
      for (const match of text.matchAll(/\bconfig_path"?\s{0,20}[=:]\s{0,20}"([^"\n]{1,300})"/g)) {
        const written = match[1] as string
        if (/[$%]\{/.test(written)) any ??= path
        else folders.set(joinPath(folderOf(path), written), path)
      }
      if (!/run_cmd|extra_arguments|hook|arguments|sops_decrypt|file\(|read_tfvars/.test(text)) continue
      for (const [word] of text.matchAll(/[\w@%+~.-]{2,200}/g)) names.set(word, path)
    }
    const askingFor = (path: string): string | undefined => {
      const folder = folderOf(path)
      const isRead = /\.(?:tf|tofu|tfvars)(?:\.json)?$/.test(path)
      return (isRead ? (folders.get(folder) ?? (folder === '' ? undefined : any)) : undefined) ?? names.get(nameIn(path))
    }
    return { askingFor }
  })
}

/** Whether what a unit deploys is fetched from elsewhere: its inputs are all that is there to be read. */
function isRemote(body: Body): boolean {
  const sources = body.blocks.flatMap(({ type, body: inner }) => (type === 'terraform' ? (attributeOf(inner, 'source')?.value ?? []) : []))
  return sources.some(
    (source) =>
      source.kind === 'template' &&
      /^(?:git|https?|s3|gcs|tfr|ssh|git@|github\.com|bitbucket)/.test(source.parts[0]?.kind === 'text' ? source.parts[0].value : ''),
  )
}

/** Whether a unit deploys something that is written plainly and is none of the policies. */
function isElsewhere(path: string, body: Body | undefined, { files }: Policies, text: string): boolean {
  if (!isUnit(path) || !body) return false
  const folder = folderOf(path)
  if (files.some((each) => folderOf(each) === folder)) return false
  const sources = body.blocks.flatMap(({ type, body: inner }) => (type === 'terraform' ? (attributeOf(inner, 'source')?.value ?? []) : []))
  if (sources.length !== 1 || aboutAccess.test(`${path} ${text}`)) return false
  const [source] = sources
  const plain = source?.kind === 'template' ? source.parts.map((part) => (part.kind === 'text' ? part.value : '*')).join('') : '*'
  const last = plain.replace('//', '/').split('*').at(-1) ?? ''
  if (last === '') return false
  const tail = joinPath('', last).replace(/^(?:\.\.\/)+/, '')
  return !files.some((each) => folderOf(each) === tail || folderOf(each).endsWith(`/${tail}`))
}
