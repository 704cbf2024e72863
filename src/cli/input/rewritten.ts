import { join, relative, sep } from 'node:path'
import { gitFolders } from './git-folder.ts'
import { type AttributeFile, readAttributeFile } from './gitattributes.ts'
import { bytesAt, isRepository, kindAt, type Reader, readBytes, refusals, repositoryOf } from './read-file.ts'

/** The `.gitattributes` files above a folder, up to the top of its repository, and errors of reading them. */
export function attributesAbove(
  folder: string,
  reader: Reader,
): {
  readonly attributes: readonly AttributeFile[]
  readonly unread: readonly { readonly file: string; readonly message: string }[]
} {
  const top = repositoryOf(folder)
  if (top === undefined) return { attributes: [], unread: [] }
  const attributes: AttributeFile[] = []
  const unread: { file: string; message: string }[] = []
  let here = top
  let path = ''
  for (const name of top === folder ? [] : relative(top, folder).split(sep)) {
    const { rules, message } = attributeFileIn(here, path, reader)
    if (rules) attributes.push(rules)
    if (message !== undefined) unread.push({ file: join(here, '.gitattributes'), message })
    here = join(here, name)
    path += `${name}/`
  }
  return { attributes: [...attributes, ...attributesOfClone(top)], unread }
}

/** The `.gitattributes` rules for the files of a folder. `prefix`: the path of the folder from the top, with a final `/`. */
export function attributesAt(folder: string, reader: Reader): ReturnType<typeof attributesAbove> & { readonly prefix: string } {
  const { attributes, unread } = attributesAbove(folder, reader)
  const top = repositoryOf(folder)
  if (top === undefined) return { attributes: [], unread: [], prefix: '' }
  const prefix = top === folder ? '' : `${relative(top, folder).split(sep).join('/')}/`
  const { rules, message } = attributeFileIn(folder, prefix, reader)
  return {
    attributes: [...attributes, ...(rules ? [rules] : [])],
    unread: [...unread, ...(message === undefined ? [] : [{ file: join(folder, '.gitattributes'), message }])],
    prefix,
  }
}

/** The attributes of the clone, with precedence over all of the files in its folders; written by the user who made the clone. */
function attributesOfClone(top: string): readonly AttributeFile[] {
  const folders = gitFolders(top)
  const text = folders && readBytes(join(folders.common, 'info', 'attributes')).bytes?.toString('utf8')
  const rules = text === undefined ? undefined : readAttributeFile('', text)
  return rules === undefined || typeof rules === 'string' ? [] : [{ ...rules, isLast: true }]
}

/** The `.gitattributes` file of a folder, or why one that is there cannot be read. `path`: that of the folder, with `/` after it. */
export function attributeFileIn(
  folder: string,
  path: string,
  reader: Reader,
): { readonly rules?: AttributeFile; readonly message?: string } {
  const file = join(folder, '.gitattributes')
  const { bytes, message } = bytesAt(file, 'settings', reader)
  if (!bytes) {
    const kind = kindAt(file)
    return kind === 'file' ? { message } : kind === 'link' ? { message: refusals.link } : {}
  }
  const rules = readAttributeFile(path, bytes.toString('utf8'), path === '' || isRepository(folder))
  return typeof rules === 'string' ? { message: rules } : { rules }
}
