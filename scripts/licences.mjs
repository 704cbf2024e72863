import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules, packageFolders } from './sbom.mjs'

/**
 * The licence of every package that files of a bundle are from, by their paths from the root, and of what its WebAssembly was linked
 * from.
 */
export function licences(root, inputs) {
  return packageFolders(inputs)
    .flatMap((folder) => {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const text = licence(join(root, folder), manifest)
      const linked = (modules[manifest.name]?.parts ?? []).filter(({ copyright }) => copyright !== undefined)
      return [
        `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`,
        ...linked.map((part) => linkedText(manifest.name, part)),
      ]
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

const linkedText = (packageName, { name, licence, role, copyright }) =>
  `${name}, in the WebAssembly of ${packageName} (${licence}): ${role}\n\n${copyright}\n\n${mit}\n`

/** The terms of the MIT licence, which follow the copyright. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.`

/** A package without a licence file says in its manifest or its readme what holds. */
function licence(folder, { name, author, license }) {
  const names = readdirSync(folder)
  const file = names.find((each) => /^(licen[cs]e|copying)/i.test(each))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  const readme = names.find((each) => /^readme/i.test(each))
  const text = readme === undefined ? '' : readFileSync(join(folder, readme), 'utf8')
  const stated = /^#+ *licen[cs]e\b[^\n]*\n([^#]*)/im.exec(text)?.[1]?.trim()
  if (license === undefined || stated === undefined) throw new Error(`${name} has no licence file`)
  return [stated, typeof author === 'string' ? author : author?.name].filter(Boolean).join('\n')
}
