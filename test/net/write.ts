import type { PolicyJson } from '../support/worlds.ts'
import { newSide, type Side } from './repository.ts'

/** The notations in which policies come to a repository, each in several styles. */

/** The additions to a side for a policy at a path, whose ending the style gives. */
export type Style = (policy: PolicyJson, path: string) => Partial<Side>

export interface Item {
  readonly policy: PolicyJson
  readonly path: string
  readonly style: Style
}

const file = (path: string, text: string): Partial<Side> => ({ tree: new Map([[path, text]]) })
const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

/** YAML of a policy in block style. */
export function yamlOf({ name, identities, resources, permissions }: PolicyJson): string {
  const lists = Object.entries(permissions as Record<string, { action: string }[]>)
  return [
    `name: ${name}`,
    'identities:',
    ...identities.map((each) => `  - ${each}`),
    'resources:',
    ...resources.map(({ urn }) => `  - urn: "${urn}"`),
    'permissions:',
    ...lists.flatMap(([list, entries]) => [`  ${list}:`, ...entries.map(({ action }) => `    - action: ${action}`)]),
    '',
  ].join('\n')
}

export function attributesOf({ name, identities, resources, permissions }: PolicyJson): Record<string, string | string[]> {
  const lists = Object.entries(permissions as Record<string, { action: string }[]>)
  return {
    name,
    identities,
    resources: resources.map(({ urn }) => urn),
    ...Object.fromEntries(lists.map(([list, entries]) => [list, entries.map(({ action }) => action)])),
  }
}

function hclOf(policy: PolicyJson, change: Record<string, string> = {}): string {
  const attributes = { ...Object.fromEntries(Object.entries(attributesOf(policy)).map(([key, v]) => [key, JSON.stringify(v)])), ...change }
  const lines = Object.entries(attributes).map(([key, value]) => `  ${key} = ${value}\n`)
  return `resource "svc_iam_policy" "${policy.name}" {\n${lines.join('')}}\n`
}

const effectOf = ({ permissions }: PolicyJson) => Object.keys(permissions)[0] as 'allow' | 'deny'
const actionsOf = (policy: PolicyJson) => (policy.permissions[effectOf(policy)] ?? []).map(({ action }) => action)
const both = (policy: PolicyJson) => ({ terraform: [policy], tofu: [policy] })

export const jsonStyles: readonly Style[] = [
  (policy, path) => file(`${path}.json`, JSON.stringify(policy)),
  (policy, path) => file(`${path}.json`, JSON.stringify([policy], undefined, 2)),
  (policy, path) => file(`${path}.json`, JSON.stringify({ policies: [policy] })),
  (policy, path) =>
    file(`${path}.json`, `\n\t ${JSON.stringify(policy).replaceAll('urn', '\\u0075rn').replaceAll('allow', 'a\\u006clow')}\n`),
]

export const yamlStyles: readonly Style[] = [
  (policy, path) => file(`${path}.yaml`, yamlOf(policy)),
  (policy, path) => file(`${path}.yml`, `---\n- ${indented(yamlOf(policy), '  ').trimStart()}`),
  (policy, path) => file(`${path}.yaml`, `policies:\n- ${indented(yamlOf(policy), '  ').trimStart()}`),
  (policy, path) => file(`${path}.yaml`, JSON.stringify(policy, undefined, 1)),
  (policy, path) => file(`${path}.yaml`, `# nothing yet\n---\n${yamlOf(policy)}---\n# the end\n`),
  (policy, path) =>
    file(
      `${path}.yaml`,
      `apiVersion: iam.svc.edixos.io/v1alpha1\nkind: Policy\nmetadata: { name: ${policy.name} }\nspec:\n  forProvider: ${JSON.stringify(attributesOf(policy))}\n`,
    ),
]

export const terraformStyles: readonly Style[] = [
  (policy, path) => ({ ...file(`${path}.tf`, hclOf(policy)), ...both(policy) }),
  (policy, path) => ({
    ...file(`${path}.tf.json`, JSON.stringify({ resource: { svc_iam_policy: { [policy.name]: attributesOf(policy) } } })),
    ...both(policy),
  }),
  (policy, path) => ({ ...file(`${path}/main.tofu`, hclOf(policy)), ...both(policy) }),
  (policy, path) => ({
    ...file(
      `${path}.tf`,
      `locals {\n  of_${policy.name} = ${JSON.stringify(actionsOf(policy))}\n}\n${hclOf(policy, { [effectOf(policy)]: `local.of_${policy.name}` })}`,
    ),
    ...both(policy),
  }),
  (policy, path) => ({
    ...file(
      `${path}.tf`,
      `variable "of_${policy.name}" {\n  type    = list(string)\n  default = ${JSON.stringify(actionsOf(policy))}\n}\n${hclOf(policy, { [effectOf(policy)]: `var.of_${policy.name}` })}`,
    ),
    ...both(policy),
  }),
  (policy, path) => ({
    tree: new Map([
      [`${path}/main.tf`, `module "m" {\n  source = "./inner"\n  given  = ${JSON.stringify(actionsOf(policy))}\n}\n`],
      [`${path}/inner/a.tf`, `variable "given" {}\n${hclOf(policy, { [effectOf(policy)]: 'var.given' })}`],
    ]),
    ...both(policy),
  }),
  (policy, path) => ({
    tree: new Map([
      [`${path}/main.tf`, `variable "given" {\n  default = []\n}\n${hclOf(policy, { [effectOf(policy)]: 'var.given' })}`],
      [`${path}/a.auto.tfvars`, `given = []\n`],
      [`${path}/b.auto.tfvars.json`, JSON.stringify({ given: actionsOf(policy) })],
    ]),
    ...both(policy),
  }),
  (policy, path) => ({
    tree: new Map([
      [`${path}/main.tf`, hclOf(policy, { [effectOf(policy)]: '["vps:apisvc:get"]' })],
      [
        `${path}/main_override.tf`,
        `resource "svc_iam_policy" "${policy.name}" {\n  ${effectOf(policy)} = ${JSON.stringify(actionsOf(policy))}\n}\n`,
      ],
    ]),
    ...both(policy),
  }),
  (policy, path) => {
    const each = actionsOf(policy).map((action, i) => ({
      ...policy,
      name: `${policy.name}-${i}`,
      permissions: { [effectOf(policy)]: [{ action }] },
    }))
    const text = hclOf(policy, { name: `"${policy.name}-\${each.key}"`, [effectOf(policy)]: '[each.value]' })
    const given = JSON.stringify(Object.fromEntries(actionsOf(policy).map((action, i) => [i, action]))).replaceAll('":"', '" = "')
    return { ...file(`${path}.tf`, text.replace('{\n', `{\n  for_each = ${given}\n`)), terraform: each, tofu: each }
  },
  (policy, path) => ({
    ...file(`${path}.tf`, hclOf(policy, { [effectOf(policy)]: `[for v in ${JSON.stringify(actionsOf(policy))} : format("%s", v)]` })),
    ...both(policy),
  }),
  (policy, path) => ({
    ...file(`${path}.tf`, hclOf(policy).replace('{\n', '{\n  count = length(["one"]) == 1 ? 1 : 0\n')),
    ...both(policy),
  }),
]

/** Styles whose values are in a file that is no policy. */
export const fileStyles: readonly Style[] = [
  (policy, path) => ({
    tree: new Map([
      [`${path}/main.tf`, hclOf(policy, { [effectOf(policy)]: 'jsondecode(file("${path.module}/given.data"))' })],
      [`${path}/given.data`, JSON.stringify(actionsOf(policy))],
    ]),
    ...both(policy),
  }),
  (policy, path) => ({
    tree: new Map([
      [`${path}/main.tf`, hclOf(policy, { [effectOf(policy)]: 'split("\\n", trimspace(file("${path.module}/given.txt")))' })],
      [`${path}/given.txt`, `${actionsOf(policy).join('\n')}\n`],
    ]),
    ...both(policy),
  }),
]

/** The side that some policies make. */
export function sideOf(items: readonly Item[]): Side {
  const side = newSide()
  side.tree.set('.grantwise.yaml', 'brand: svc\n')
  for (const { policy, path, style } of items) {
    const { tree, terraform, tofu } = { ...newSide(), ...style(policy, path) }
    for (const [name, content] of tree) side.tree.set(name, content)
    side.terraform.push(...terraform)
    side.tofu.push(...tofu)
  }
  return side
}
