/** Requests of the AuthZEN Authorization API 1.0, read. Unknown fields are ignored, as it asks for. */

export type Properties = Readonly<Record<string, unknown>>

export interface Entity {
  readonly type: string
  readonly id: string
  readonly properties: Properties
}

export interface NamedAction {
  readonly name: string
  readonly properties: Properties
}

/** A question. */
export interface Evaluation {
  readonly subject: Entity
  readonly action: NamedAction
  readonly resource: Entity
  readonly context: Properties
}

/** A value, or what is wrong with the request. */
export type Fallible<T> = { readonly value: T; readonly fault?: undefined } | { readonly fault: string; readonly value?: undefined }

/** The parts of a question that a request has to give. */
export type Needs = 'subject' | 'subject type' | 'action' | 'resource' | 'resource type'

/** Read the parts of a question, each from the request or else from the defaults of a batch. Parts that are not needed are empty. */
export function readEvaluation(evaluation: unknown, needs: readonly Needs[], defaults: Properties = {}): Fallible<Evaluation> {
  if (!isObject(evaluation)) return { fault: 'expected an object' }
  const part = (name: string) => partOf(evaluation, defaults, name)
  const subject = readEntity('subject', part('subject'), needs)
  if (subject.fault !== undefined) return subject
  const action = readAction(part('action'), needs)
  if (action.fault !== undefined) return action
  const resource = readEntity('resource', part('resource'), needs)
  if (resource.fault !== undefined) return resource
  const context = evaluation.context ?? defaults.context ?? {}
  if (!isObject(context)) return { fault: '`context` is not an object' }
  return { value: { subject: subject.value, action: action.value, resource: resource.value, context } }
}

/** A part of a question. It replaces that of the defaults as a whole; what names it may be missing then. */
function partOf(properties: Properties, defaults: Properties, name: string): unknown {
  const specified = properties[name]
  const usual = defaults[name]
  if (specified === undefined) return usual
  if (!isObject(specified) || !isObject(usual)) return specified
  const { type, id, name: called } = usual
  return {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
    ...(called !== undefined && { name: called }),
    ...specified,
  }
}

function readEntity(part: 'subject' | 'resource', entity: unknown, needs: readonly Needs[]): Fallible<Entity> {
  const isWhole = needs.includes(part)
  if (!isWhole && !needs.includes(`${part} type`)) return { value: { type: '', id: '', properties: {} } }
  if (entity === undefined) return { fault: `\`${part}\` is missing` }
  if (!isObject(entity)) return { fault: `\`${part}\` is not an object` }
  const { type, id = '', properties = {} } = entity
  if (!isName(type)) return { fault: nameFault(`${part}.type`, type) }
  if (isWhole && !isName(entity.id)) return { fault: nameFault(`${part}.id`, entity.id) }
  if (!isObject(properties)) return { fault: `\`${part}.properties\` is not an object` }
  return { value: { type, id: typeof id === 'string' ? id : '', properties } }
}

function readAction(action: unknown, needs: readonly Needs[]): Fallible<NamedAction> {
  if (!needs.includes('action')) return { value: { name: '', properties: {} } }
  if (action === undefined) return { fault: '`action` is missing' }
  if (!isObject(action)) return { fault: '`action` is not an object' }
  const { name, properties = {} } = action
  if (!isName(name)) return { fault: nameFault('action.name', name) }
  if (!isObject(properties)) return { fault: '`action.properties` is not an object' }
  return { value: { name, properties } }
}

export function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function nameFault(place: string, value: unknown): string {
  return `\`${place}\` is ${value === undefined ? 'missing' : 'not a string with characters'}`
}
