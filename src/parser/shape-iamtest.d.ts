import type { ShapeCheck } from './shape-checks.js'

export const iamtest: ShapeCheck
