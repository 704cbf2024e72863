import { posix } from 'node:path'
import type { PolicyJson } from '../support/worlds.ts'
import type { Random } from './random.ts'
import { type Content, policyOf, type Repository, type Side } from './repository.ts'
import { attributesOf, yamlOf } from './write.ts'

/**
 * What a change does to a repository so that a reader might miss something: each by a few words. A mutation that finds nothing
 * to change does nothing. They work on the side of the change, and where the words say so on both.
 */
export type Mutation = (repository: Repository, random: Random) => void

/** A policy that nobody should get unseen. */
const evil: PolicyJson = policyOf('evil', 'bob', 'allow', ['terminate'], 'b')
const evilJson = JSON.stringify(evil)

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
    const name = 'evil'
    const { name: _, ...attributes } = attributesOf(evil)
    const lines = Object.entries(attributes).map(([key, value]) => `  ${key} = ${JSON.stringify(value)}\n`)
    after.tree.set('p/zz.tf', `resource "svc_iam_policy" "${name}" {\n  name = "evil"\n${lines.join('')}}\n`)
    after.terraform.push(evil)
    after.tofu.push(evil)
  },
  'attributes of no matter': added({ '.gitattributes': '* text=auto\n*.json eol=crlf linguist-language=JSON -diff\n*.yaml ident\n' }),
  'a link to a policy that is read': ({ after }, random) => {
    const [path] = someFile(after, random) ?? []
    if (path !== undefined) after.tree.set(`p/link${posix.extname(path)}`, { link: posix.relative('p', path) })
  },
  'a link to a folder that is read': added({ 'p/folder': { link: '../q' }, 'q/evil.json': evilJson }),
}
