import { type Glob, glob } from '../glob.ts'
import { type Fault, isWideLetter, longestName, type Read, strangeCharacter, tooMuch } from '../names.ts'
import { checked, urnHead, urnWord } from './head.ts'

/** A resource, or a pattern over resources (docs/semantics.md, Names). */
export interface ResourceUrn {
  readonly kind: 'resource'
  readonly text: string
  readonly region: string
  /** The type, `*` for every type; may hold `/` (sub-types). */
  readonly type: string
  /** The name, '' when the pattern is `urn:v1:<region>:resource:*`; may hold `:` and `/`. */
  readonly name: string
  readonly glob: Glob
}

/** A resource group, or `urn:v1:<region>:resourceGroup:*` for every group. */
export interface ResourceGroupUrn {
  readonly kind: 'group'
  readonly text: string
  readonly region: string
  readonly id: string
  readonly glob: Glob
}

export interface PermissionsGroupUrn {
  readonly text: string
  readonly region: string
  readonly owner: string
  readonly name: string
}

export function printResource({ region, type, name }: Pick<ResourceUrn, 'region' | 'type' | 'name'>): string {
  return name === '' ? `urn:v1:${region}:resource:${type}` : `urn:v1:${region}:resource:${type}:${name}`
}

const shape = 'urn:v1:<region>:resource:<type>:<name>'

/** Read an entry of a policy's `resources`: a resource, a pattern over resources, a resource group or every one. */
export function readResourcePattern(text: string): Read<ResourceUrn | ResourceGroupUrn> {
  const plain = plainResource(text)
  if (plain) return plain
  return urnWord(text) === 'resourceGroup' ? readResourceGroup(text, { pattern: true }) : readResource(text, { pattern: true })
}

/** The form of most resources, read without the grammar: plain letters and no wildcard. */
const plainForm = /^urn:v1:([a-z][a-z0-9-]*):resource:([A-Za-z][\w-]*(?:\/[\w-]+)*):([!-)+-~]+)$/

/** A resource of the plain form, at a glance. */
function plainResource(text: string): Read<ResourceUrn> | undefined {
  const match = text.length > longestName ? null : plainForm.exec(text)
  if (!match) return undefined
  const [, region, type, name] = match as unknown as readonly [string, string, string, string]
  return { value: { kind: 'resource', text, region, type, name, glob: { text, pieces: [text] } } }
}

/** Read `urn:v1:<region>:resource:<type>:<name>`; with `pattern`, wildcards are allowed in the type and the name. */
export function readResource(text: string, options: { readonly pattern: boolean }): Read<ResourceUrn> {
  return plainResource(text) ?? checked(text, (candidate) => resource(candidate, options))
}

function resource(text: string, { pattern }: { readonly pattern: boolean }): Read<ResourceUrn> {
  const strange = strangeCharacter(text) ?? tooMuch(text)
  if (strange) return { faults: [strange] }
  const head = urnHead(text, 'resource', 'urn:v1:eu:resource:<type>:<name>')
  if (head.faults) return { faults: head.faults }
  const { region, rest, at } = head.value
  const star = rest.indexOf('*')
  if (star >= 0 && !pattern) {
    return { faults: [{ from: at + star, to: at + star + 1, message: 'one resource is expected here, not a pattern' }] }
  }
  const colon = rest.indexOf(':')
  const type = colon < 0 ? rest : rest.slice(0, colon)
  const name = colon < 0 ? '' : rest.slice(colon + 1)
  const faults: Fault[] = []
  if (!/^[A-Za-z*][A-Za-z0-9_*-]*(\/[A-Za-z0-9_*-]+)*$/.test(type)) {
    faults.push({
      from: at,
      to: at + Math.max(type.length, 1),
      message: `the resource type is ${type === '' ? 'missing' : `malformed: \`${type}\``}: expected \`${shape}\``,
    })
  }
  if (name === '' && !(colon < 0 && type.endsWith('*'))) {
    faults.push({
      from: at,
      to: text.length,
      message: `the resource name is missing: expected \`${shape}\``,
      ...(type !== '' && { suggestion: `${text.replace(/:$/, '')}:*` }),
    })
  } else if (name.trim() !== name) {
    faults.push({
      from: at + type.length + 1,
      to: text.length,
      message: 'the resource name is surrounded by spaces',
      suggestion: text.slice(0, at + type.length + 1) + name.trim(),
    })
  }
  if (faults.length > 0) return { faults }
  return { value: { kind: 'resource', text, region, type, name, glob: glob(text) } }
}

/** Read `urn:v1:<region>:resourceGroup:<id>`; with `pattern`, wildcards are allowed in the id. */
export function readResourceGroup(text: string, options: { readonly pattern: boolean }): Read<ResourceGroupUrn> {
  return checked(text, (candidate) => resourceGroup(candidate, options))
}

function resourceGroup(text: string, { pattern }: { readonly pattern: boolean }): Read<ResourceGroupUrn> {
  const strange = strangeCharacter(text, isWideLetter) ?? tooMuch(text)
  if (strange) return { faults: [strange] }
  const head = urnHead(text, 'resourceGroup', 'urn:v1:eu:resourceGroup:<id>')
  if (head.faults) return { faults: head.faults }
  const { region, rest: id, at } = head.value
  if (id === '')
    return {
      faults: [
        { from: 0, to: text.length, message: 'the id of the resource group is missing: expected `urn:v1:<region>:resourceGroup:<id>`' },
      ],
    }
  const star = id.indexOf('*')
  if (star >= 0 && !pattern)
    return { faults: [{ from: at + star, to: at + star + 1, message: 'a resource group is defined with one id, not a pattern' }] }
  return { value: { kind: 'group', text, region, id, glob: glob(text) } }
}

/** Read `urn:v1:<region>:permissionsGroup:<owner>:<name>`. It names one group; there are no patterns over them. */
export function readPermissionsGroup(text: string): Read<PermissionsGroupUrn> {
  return checked(text, permissionsGroup)
}

function permissionsGroup(text: string): Read<PermissionsGroupUrn> {
  const strange = strangeCharacter(text, isWideLetter) ?? tooMuch(text)
  if (strange) return { faults: [strange] }
  const example = 'urn:v1:eu:permissionsGroup:<owner>:<name>'
  const head = urnHead(text, 'permissionsGroup', example)
  if (head.faults) return { faults: head.faults }
  const { region, rest, at } = head.value
  const star = rest.indexOf('*')
  if (star >= 0)
    return { faults: [{ from: at + star, to: at + star + 1, message: 'a permissions group is named in full, without wildcards' }] }
  const colon = rest.indexOf(':')
  if (colon <= 0 || colon === rest.length - 1) {
    const head = text.slice(0, at)
    const only = colon < 0 ? rest : ''
    return {
      faults: [
        {
          from: at,
          to: text.length,
          message: `the owner or the name is missing: expected \`${example}\``,
          ...(only !== '' && {
            help: `put the owner, an account or the service, before it: \`${head}<owner>:${only}\``,
            suggestion: head + only.replace('/', ':'),
          }),
        },
      ],
    }
  }
  return { value: { text, region, owner: rest.slice(0, colon), name: rest.slice(colon + 1) } }
}

/**
 * The type and the name of a concrete resource URN, for conditions. The text must have been read as a resource before.
 */
export function typeAndName(resource: string): { readonly type: string; readonly name: string } {
  const start = resource.indexOf(':resource:') + ':resource:'.length
  const colon = resource.indexOf(':', start)
  return { type: resource.slice(start, colon), name: resource.slice(colon + 1) }
}

/** Whether a name is that of a resource group, or a pattern over them. */
export const isResourceGroup = (urn: string): boolean => /^urn:v1:[^:]*:resourceGroup:/.test(urn)
