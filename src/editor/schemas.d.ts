import type { Schema } from './shapes.ts'

export const schemas: Readonly<Record<string, Schema>>
