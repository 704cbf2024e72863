import type { Asked } from '../ask/asked.ts'

/** The state of the playground, all of which is in a link. */

export type Preset = (typeof presets)[number]
export const presets = ['recommended', 'strict', 'auditor'] as const

export interface Shared {
  /** The files by their names, in the order of their tabs. */
  readonly files: readonly (readonly [name: string, text: string])[]
  /** The name of the file in the editor. */
  readonly file: string
  readonly preset: Preset
  readonly asked: Asked
}
