import { expect } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import type { World } from '../../src/policy.ts'
import type { File, Read } from '../../src/propose/write.ts'
import { sourceOf } from '../../src/source.ts'

/** Texts as files that were read, for what rewrites them. */

export const read: Read = (source) => readSource(source, defaultSettings)

export async function filesOf(texts: Readonly<Record<string, string>>): Promise<readonly File[]> {
  return Promise.all(
    Object.entries(texts).map(async ([path, text]) => {
      const source = sourceOf(path, text)
      return { source, read: await read(source) }
    }),
  )
}

/** The world of files that must be without fault. */
export function worldOf(files: readonly File[]): World {
  const { world, diagnostics } = buildWorld(files.map((file) => file.read.facts))
  const errors = [...files.flatMap((file) => file.read.diagnostics), ...diagnostics].filter(({ severity }) => severity === 'error')
  expect(errors).toEqual([])
  return world
}
