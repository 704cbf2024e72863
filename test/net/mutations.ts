import { posix } from 'node:path'
import type { PolicyJson } from '../support/worlds.ts'
import type { Random } from './random.ts'
import { type Content, policyOf, type Repository, type Side } from './repository.ts'
import { attributesOf, yamlOf } from './write.ts'

/**
 * Changes of a repository such that a reader might miss something: each by a few words. A mutation that finds nothing
 * to change does nothing. They work on the side of the change, and where the words say so on both.
 */
export type Mutation = (repository: Repository, random: Random) => void

/** A policy that no identity should get unseen. */
const evil: PolicyJson = policyOf('evil', 'bob', 'allow', ['terminate'], 'b')
const evilJson = JSON.stringify(evil)

function terraformOf(policy: PolicyJson): string {
  const lines = Object.entries(attributesOf(policy)).map(([key, value]) => `  ${key} = ${JSON.stringify(value)}\n`)
  return `resource "svc_iam_policy" "${policy.name}" {\n${lines.join('')}}\n`
}

/** A file of a policy that is not of Terraform, and what it holds. */
function someFile({ tree }: Side, random: Random): [path: string, text: string] | undefined {
  const found = [...tree].filter(
    (each): each is [string, string] => /^p\/.*\.(json|ya?ml)$/.test(each[0]) && !each[0].includes('.tf') && typeof each[1] === 'string',
  )
  return found.length === 0 ? undefined : random.one(found)
}

/** The same file at another path. */
const moved =
  (to: (path: string, random: Random) => string): Mutation =>
  (repository, random) => {
    const [path, text] = someFile(repository.after, random) ?? []
    if (path === undefined || text === undefined) return
    repository.after.tree.delete(path)
    repository.after.tree.set(to(path, random), text)
  }

/** The same file with other bytes. */
const rewritten =
  (ending: RegExp, to: (text: string, random: Random) => Content): Mutation =>
  (repository, random) => {
    const [path, text] = someFile(repository.after, random) ?? []
    if (path !== undefined && text !== undefined && ending.test(path)) repository.after.tree.set(path, to(text, random))
  }

const added =
  (files: Readonly<Record<string, Content>>): Mutation =>
  ({ after }) => {
    for (const [path, content] of Object.entries(files)) after.tree.set(path, content)
  }

const yaml = /\.ya?ml$/
const json = /\.json$/
const any = /./
const below = (folder: string) => (path: string) => `${folder}/${posix.basename(path)}`
const named = (name: string) => (path: string) => `${posix.dirname(path)}/${name}${posix.extname(path)}`

function utf16(text: string, isBig: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

/** The same below unknown keys; what is no JSON any more, such as a pointer, stays as it is. */
function nested(text: string, depth: number): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { [`k${i}`]: value } : [value]
  return JSON.stringify(value)
}

/** Files that only git changes; `filters`: the deployment has the filters that the attributes name. */
const withGit =
  (mutation: Mutation): Mutation =>
  (repository, random) => {
    repository.needsGit = true
    mutation(repository, random)
  }

/** A pointer to a large file, in whose place a deployment finds another policy. */
const pointer =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 123\n'

export const mutations: Readonly<Record<string, Mutation>> = {
  nothing: () => {},
  'a comment in YAML': rewritten(yaml, (text) => `# for the night shift\n${text}`),
  'other files': added({
    'README.md': `# policies\n\n\`\`\`json\n${evilJson}\n\`\`\`\n`,
    'x.txt': evilJson,
    'x.json.bak': evilJson,
    'package.json': '{}',
  }),
  'hidden folder': moved(below('.github/p')),
  'hidden file': moved((path) => `${posix.dirname(path)}/.${posix.basename(path)}`),
  'folders deep': moved((path) => `${'d/'.repeat(20)}${posix.basename(path)}`),
  'folders deeper than is searched': moved((path) => `${'d/'.repeat(40)}${posix.basename(path)}`),
  'a folder with the name of a file': moved((path) => `${path}/inner${posix.extname(path)}`),
  'bytes that are no UTF-8': rewritten(any, (text) => Buffer.concat([Buffer.from(text.replace(/p(\d)/, 'p$1\u00e9'), 'latin1')])),
  'UTF-16 without a mark': rewritten(any, (text) => Buffer.from(text, 'utf16le')),
  'fields of no matter': rewritten(json, (text) => text.replace(/"name":/, '"description":"x","name":')),
  'a block of text': rewritten(yaml, (text) => text.replace(/action: (vps:apisvc:\w+)/, 'action: >-\n          $1')),
  'a text over two lines': rewritten(yaml, (text) => text.replace(/action: vps:apisvc:(\w+)/, 'action: "vps:apisvc:\\\n          $1"')),
  'comments between': rewritten(yaml, (text) => text.replace(/^permissions:$/m, '# { } : - |\npermissions: # >')),
  'manifest of a package': moved(named('package')),
  baseline: moved(named('.grantwise-baseline')),
  'letters of the ending': moved((path) => path.replace(/[a-z]+$/, (ending) => ending.toUpperCase())),
  'odd name': moved((path, random) =>
    path.replace(
      /(?=\.\w+$)/,
      random.one([' ', '\n', '"', "'", '\\', ':', '*', '?', '[x]', 'é', 'e\u0301', '\u202e', '-', '$(x)', '.tf', '.bak', '\t']),
    ),
  ),
  'name that begins oddly': moved(
    (path, random) => `${posix.dirname(path)}/${random.one(['-', '--config=', ':(top)', '!', '#', '~', ' ', '@'])}${posix.basename(path)}`,
  ),
  'only an ending': moved((path) => `${posix.dirname(path)}/${posix.extname(path)}`),
  'byte order mark': rewritten(any, (text) => `\ufeff${text}`),
  'UTF-16': rewritten(any, (text, random) => utf16(text, random.chance(2))),
  'carriage returns and line feeds': rewritten(any, (text) => text.replaceAll('\n', '\r\n')),
  'carriage returns': rewritten(any, (text) => text.replaceAll('\n', '\r')),
  'a comment that an odd end of line ends': rewritten(yaml, (text, random) =>
    text.startsWith('{') ? text : `${text}# more${random.one(['\r', '\x85', '\u2028', '\u2029'])}---\n${yamlOf(evil)}`,
  ),
  'keys twice': rewritten(json, (text) => text.replace('"allow"', '"allow":[{"action":"vps:apisvc:terminate"}],"allow"')),
  'keys twice in YAML': rewritten(yaml, (text) =>
    text.replace(/^permissions:$/m, `permissions: ${JSON.stringify(evil.permissions)}\npermissions:`),
  ),
  'a merge key': rewritten(yaml, (text) => `x: &x ${evilJson}\ny:\n  <<: *x\n---\n${text}`),
  'an alias': rewritten(yaml, (text) => `x: &x ${evilJson}\npolicies: [*x]\n---\n${text}`),
  tags: rewritten(yaml, (text) => text.replace(/^name: /m, 'name: !!str ')),
  'a directive': rewritten(yaml, (text) => `%YAML 1.1\n---\n${text.replace(/^---\n/, '')}`),
  'another document': rewritten(yaml, (text) => `${text}\n---\n${yamlOf(evil)}`),
  'a document after the end of one': rewritten(yaml, (text) => `${text}\n...\n# more\n---\n${evilJson}\n`),
  'an explicit key': rewritten(yaml, (text) => text.replace(/^name: /m, '? name\n: ')),
  'words over two lines': rewritten(yaml, () =>
    evilJson
      .replace('"identities"', '? "identi\\\n  ties" ')
      .replace('urn:v1:eu:i', 'urn:v\\\n  1:eu:i')
      .replaceAll('urn:v1:eu:r', 'urn:v\\\n  1:eu:r')
      .replace('"permissions"', '? "permis\\\n  sions" '),
  ),
  'beside a known key': rewritten(json, (text) => `{"policies": [], "more": ${text}}`),
  'comments in JSON': rewritten(json, (text) => `// more\n${text}`),
  'two values of JSON': rewritten(json, (text) => `${text}\n${evilJson}`),
  'a list of manifests': ({ after }) => {
    const manifest = {
      apiVersion: 'iam.svc.edixos.io/v1alpha1',
      kind: 'Policy',
      metadata: { name: 'evil' },
      spec: { forProvider: attributesOf(evil) },
    }
    after.tree.set('m/list.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [manifest] }))
  },
  'a file of Terraform that no program reads': added({
    'p/.evil.tf': `resource "svc_iam_policy" "evil" {}\n`,
    'p/evil.tf~': 'x',
    'p/EVIL.TF': 'x',
  }),
  'a file more of Terraform': ({ after }) => {
    after.tree.set('p/zz.tf', terraformOf(evil))
    after.terraform.push(evil)
    after.tofu.push(evil)
  },
  'attributes of no matter': added({ '.gitattributes': '* text=auto\n*.json eol=crlf linguist-language=JSON -diff\n*.yaml ident\n' }),
  'a link to a policy that is read': ({ after }, random) => {
    const [path] = someFile(after, random) ?? []
    if (path !== undefined) after.tree.set(`p/link${posix.extname(path)}`, { link: posix.relative('p', path) })
  },
  'a link to a folder that is read': added({ 'p/folder': { link: '../q' }, 'q/evil.json': evilJson }),
  'an ignore file': (repository, random) => {
    const [path, text] = someFile(repository.after, random) ?? []
    if (path === undefined || text === undefined) return
    const name = posix.basename(path).replaceAll(/[[\]*?! #\\]/g, '\\$&')
    const folder = random.chance(2) ? '' : `${posix.dirname(path)}/`
    repository.after.tree.set(`${folder}.gitignore`, random.one([`${name}\n`, '*\n', 'p/\n', '*.json\n*.yaml\n', '/p/**\n!*.md\n']))
    repository.needsGit = true
  },
  'a folder of packages': withGit(moved(below('node_modules/team'))),
  'a folder of the tool': withGit(
    moved((path, random) => `${random.one(['p/.terraform', '.terraform', '.grantwise'])}/${posix.basename(path)}`),
  ),
  'the name of a policy test': moved((path) => path.replace(/\.(\w+)$/, '.iamtest.$1')),
  'too deep, with the name of a configuration': (repository, random) => {
    const [path, text] = someFile(repository.after, random) ?? []
    if (path === undefined || text === undefined || !json.test(path)) return
    repository.after.tree.delete(path)
    repository.after.tree.set(`p/deeper/${random.one(['.grantwise', 'x.iamtest'])}.json`, nested(text, 70 + random.below(400)))
  },
  'the name of a configuration': moved((path, random) => `p/deeper/.grantwise${random.one(['', '.x'])}${posix.extname(path)}`),
  'under unknown keys': rewritten(json, (text, random) => nested(text, 1 + random.below(6))),
  'in a list of lists': rewritten(json, (text) => `[[${text}]]`),
  'a ConfigMap': added({
    'm/map.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: p }\ndata:\n  evil.json: |\n    ${evilJson}\n`,
  }),
  'a link to a text that is not read': added({ 'p/evil.json': { link: 'evil.txt' }, 'p/evil.txt': evilJson }),
  'a link to a link': added({ 'p/evil.yaml': { link: '../x/evil.y' }, 'x/evil.y': { link: 'z' }, 'x/z': evilJson }),
  'a link in a folder behind a link': added({
    'p/folder': { link: '../x' },
    'x/evil.json': { link: 'evil.data' },
    'x/evil.data': evilJson,
  }),
  'a large file elsewhere': (repository, random) => {
    const path = random.one(['p/large.json', 'p/large.yaml'])
    repository.after.tree.set(path, pointer)
    if (random.chance(2)) repository.after.tree.set('.gitattributes', '*.json filter=lfs\n*.yaml filter=lfs\n')
    repository.after.elsewhere.push(evil)
    repository.needsGit = true
  },
  'a filter': withGit(({ after }, random) => {
    const [path, text] = random.one([
      ['.gitattributes', '* filter=widen\n'],
      ['p/.gitattributes', '*.json filter=widen\n*.y*ml filter=widen\n*.t* filter=widen\n'],
      // Only the file at the top may say what is short for several.
      ['.gitattributes', '[attr]wide filter=widen\n/p/** wide\n'],
    ] as const)
    // Text outside of the folder is not rewritten.
    if ([...after.tree.keys()].some((each) => each.startsWith('p/') && /\.(json|ya?ml|tf|tofu)$/.test(each))) after.elsewhere.push(evil)
    after.tree.set(path, text)
  }),
  'another encoding of the checkout': withGit(({ after }) => {
    after.tree.set('.gitattributes', 'evil.json working-tree-encoding=UTF-16LE-BOM\n')
    after.tree.set('p/evil.json', evilJson)
  }),
  'a module from elsewhere': ({ after }, random) => {
    const source = random.one([
      'acme/iam/svc',
      'git::https://example.org/iam.git?ref=v1',
      'https://example.org/iam.zip',
      'app.terraform.io/acme/iam/svc',
    ])
    after.tree.set('p/module.tf', `module "iam" {\n  source = "${source}"\n}\n`)
    after.elsewhere.push(evil)
  },
  'a tag of the name of the base': (repository) => {
    repository.needsGit = true
    repository.tags.push('before')
  },
}
