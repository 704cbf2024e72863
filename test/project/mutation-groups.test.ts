import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'

const { generated, groups } = (await import(new URL('../../scripts/mutate/groups.mjs', import.meta.url).href)) as {
  generated: readonly string[]
  groups: readonly { files: readonly string[] }[]
}

it('puts every file of the mutated folders in one group of mutation testing', () => {
  const named = groups.flatMap(({ files }) => files)
  const folders = ['actions', 'conditions', 'hcl', 'parser', 'simulate', 'symbolic', 'urn']
  const files = folders
    .flatMap((folder) => readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !generated.includes(`src/${file}`))
  const groupsOf = (file: string) => named.filter((name) => name === file || (name.endsWith('/') && file.startsWith(name)))
  expect(files.filter((file) => groupsOf(file).length !== 1)).toEqual([])
})
