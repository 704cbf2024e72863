import type { Schemas } from './schema.ts'

export const schemas: Schemas
