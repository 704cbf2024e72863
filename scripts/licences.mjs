import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './sbom.mjs'

/** The licence of every package that files of a bundle are from, by their paths from the root. */
export function licences(root, inputs) {
  return packageFolders(inputs)
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const text = licence(join(root, folder), manifest)
      return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** A package without a licence file says in its manifest or its readme what holds. */
function licence(folder, { name, author, license }) {
  const names = readdirSync(folder)
  const file = names.find((each) => /^(licen[cs]e|copying)/i.test(each))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  const readme = names.find((each) => /^readme/i.test(each))
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8')
  const told = /^#+ *licen[cs]e\b[^\n]*\n([^#]*)/im.exec(text)?.[1]?.trim()
  if (license === undefined || told === undefined) throw new Error(`${name} has no licence file`)
  return [told, typeof author === 'string' ? author : author?.name].filter(Boolean).join('\n')
}
