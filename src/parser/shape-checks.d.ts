import type { ErrorObject } from 'ajv'

/** A JSON Schema compiled ahead of time: true when the value fits, else `errors` says where it does not. */
export interface ShapeCheck {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}
export const policy: ShapeCheck
export const world: ShapeCheck
export const config: ShapeCheck
export const catalogue: ShapeCheck
