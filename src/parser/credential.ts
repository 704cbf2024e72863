import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import type { AccessRule, CredentialRequest } from '../policy.ts'
import type { Located } from '../source.ts'
import { field, type MapNode, type Node } from '../tree.ts'
import { shortened } from './reading.ts'

/**
 * Requests for delegated access (docs/access-rules.md, Access rules): what an application sends,
 * `{accessRules: [{method, path}], redirection}`, or what the service says of a credential, with `rules`. Only linted.
 */

const requestFields = ['accessRules', 'redirection', '$schema']
/** Fields in the service's description of a credential, apart from its rules. */
const describing = ['credentialId', 'applicationId']
/** Fields that no form of a request for a credential has. */
const policyFields = ['permissions', 'identities', 'policies', 'resources', 'permissionsGroups', 'resourceGroups']
const ruleFields = ['method', 'path']

/** Whether a document is a request for a credential, or describes one. */
export function isCredential(document: Node): document is MapNode {
  if (document.kind !== 'map' || policyFields.some((key) => field(document, key))) return false
  if (field(document, 'accessRules')) return true
  const rules = field(document, 'rules')
  if (rules?.kind !== 'list') return false
  // One without rules is recognized by what else the service says of it.
  return (
    describing.some((key) => field(document, key)) ||
    rules.items.some((item) => item.kind === 'map' && ruleFields.every((key) => field(item, key)))
  )
}

/** Read a request. What cannot be read is a diagnostic at its place, and left out. */
export function readCredential(node: MapNode): { readonly request: CredentialRequest; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const fail = (span: Node, message: string, help?: string) => {
    diagnostics.push({ code: 'shape', severity: 'error', message, span, ...(help !== undefined && { help }) })
  }
  const text = (value: Node, name: string): Located<string> | undefined => {
    if (value.kind === 'text') return { value: value.value, span: value }
    fail(value, `\`${name}\` must be a text`, value.kind === 'number' || value.kind === 'boolean' ? 'put it in quotes' : undefined)
    return undefined
  }
  const listed = field(node, 'accessRules') ? 'accessRules' : 'rules'
  // A described credential is the service's own, and may hold more than is published.
  if (listed === 'accessRules') unknownFields(node, requestFields, fail)

  const list = field(node, listed) as Node
  if (list.kind !== 'list') fail(list, `\`${listed}\` must be a list of rules`, 'write `[{"method": "GET", "path": "/me"}]`')
  const rules = (list.kind === 'list' ? list.items : []).flatMap((item): readonly AccessRule[] => {
    if (item.kind !== 'map') {
      fail(item, 'an access rule is an object with `method` and `path`', 'write `{"method": "GET", "path": "/me"}`')
      return []
    }
    unknownFields(item, ruleFields, fail)
    const [method, path] = ruleFields.map((name) => {
      const value = field(item, name)
      if (!value) fail(item.entries[0]?.key ?? item, `missing field \`${name}\``)
      return value && text(value, name)
    })
    return method && path ? [{ method, path, span: item }] : []
  })
  const written = field(node, 'redirection')
  const redirection = written && written.kind !== 'null' ? text(written, 'redirection') : undefined
  return { request: { rules, ...(redirection && { redirection }), span: node, node }, diagnostics }
}

function unknownFields(node: MapNode, knownFields: readonly string[], fail: (span: Node, message: string, help: string) => void): void {
  for (const { key } of node.entries) {
    if (knownFields.includes(key.value)) continue
    const suggested = nearest(key.value, knownFields)
    const shown = knownFields.filter((name) => name !== '$schema').map((name) => `\`${name}\``)
    fail(
      key,
      `unknown field \`${visible(shortened(key.value))}\``,
      suggested === undefined ? `known fields here: ${shown.join(', ')}` : `did you mean \`${suggested}\`?`,
    )
  }
}
