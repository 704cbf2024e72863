/** What does not fit, with the fields of the library that compiles the schemas: users of these types do not have it. */
export interface ShapeError {
  keyword: string
  instancePath: string
  schemaPath: string
  // biome-ignore lint/suspicious/noExplicitAny: it differs with the keyword
  params: Record<string, any>
  propertyName?: string
  message?: string
  schema?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: a schema is any object
  parentSchema?: Record<string, any>
  data?: unknown
}

/** A JSON Schema compiled ahead of time: true when the value fits, else `errors` says where it does not. */
export interface ShapeCheck {
  (value: unknown): boolean
  errors?: ShapeError[] | null
}
export const policy: ShapeCheck
export const world: ShapeCheck
export const config: ShapeCheck
export const catalogue: ShapeCheck
