import { entriesOf, itemsOf, textOf, valueAt } from '../declared/record.ts'
import type { Node } from '../tree.ts'
import { type ChangedFile, type Fact, fact, type Repository } from './facts.ts'
import { isManifestFile } from './kinds.ts'
import { writtenValue } from './written.ts'

/** Roles of every cluster whose subjects may write any object. */
const wide: ReadonlySet<string> = new Set(['cluster-admin', 'admin', 'edit'])

/**
 * Facts of what lets a cluster take policies in, or refuses them: roles over their kinds, who has these, admission, and the
 * definitions of the kinds.
 */
export function clusterFacts(node: Node, group: string, kind: string, file: ChangedFile): readonly Fact[] {
  if (!file.policies.inManifests) return []
  const name = textOf(valueAt(node, 'metadata', 'name')) ?? ''
  const about = (why: string, ...parts: readonly (Node | undefined)[]) => [
    fact(
      file,
      `\`${kind}\` \`${name}\` ${why}`,
      kind,
      name,
      parts.map((each) => (each ? writtenValue(each) : null)),
    ),
  ]
  if (group === 'rbac.authorization.k8s.io') {
    if (/Role$/.test(kind))
      return grantsPolicies(node, file)
        ? about('says who may change policies', valueAt(node, 'rules'), valueAt(node, 'aggregationRule'))
        : []
    const role = textOf(valueAt(node, 'roleRef', 'name'))
    const counts = role === undefined || wide.has(role) || rolesIn(file.repository, file).has(role)
    return counts ? about('says who may change policies', valueAt(node, 'roleRef'), valueAt(node, 'subjects')) : []
  }
  if (group === 'admissionregistration.k8s.io') {
    const text = JSON.stringify(writtenValue(node))
    const isOurs = text.includes(file.policies.brand) || text.includes('"*"') || /Binding$/.test(kind)
    return isOurs ? about('may refuse or change policies', ...contentOf(node)) : []
  }
  if (kind === 'CustomResourceDefinition')
    return (textOf(valueAt(node, 'spec', 'group')) ?? '').split('.').includes(file.policies.brand)
      ? about('says what a policy may hold', valueAt(node, 'spec'))
      : []
  return []
}

/** All of an object but what it is called. */
function contentOf(node: Node): readonly Node[] {
  return entriesOf(node).flatMap(({ key, value }) => (/^(?:apiVersion|kind|metadata|status)$/.test(key.value) ? [] : [value]))
}

/** Whether a role may allow more than reading of our objects, or takes its rules from other roles. */
function grantsPolicies(node: Node, { policies }: ChangedFile): boolean {
  if (valueAt(node, 'aggregationRule')) return true
  return itemsOf(valueAt(node, 'rules')).some((rule) => {
    const groups = itemsOf(valueAt(rule, 'apiGroups')).map((each) => textOf(each) ?? '*')
    return groups.some((each) => each === '*' || each.split('.').includes(policies.brand))
  })
}

/** The names of roles whose rules may be about policies, judged by the text of their files. */
function rolesIn(repository: Repository, { policies }: ChangedFile): ReadonlySet<string> {
  return repository.once(rolesIn, () => {
    const texts = repository.texts(isManifestFile).filter(({ text }) => /\bkind"?:\s*"?(?:Cluster)?Role\b/.test(text))
    const ours = texts.filter(
      ({ text }) => text.includes(`.${policies.brand}.`) || text.includes(`${policies.brand}.`) || /["'[\s]\*/.test(text),
    )
    return new Set(ours.flatMap(({ text }) => [...text.matchAll(/\bname"?:\s*["']?([\w.:-]+)/g)].map((match) => match[1] as string)))
  })
}
