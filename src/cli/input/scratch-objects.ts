import { delimiter, resolve } from 'node:path'
import { type Io, ioWith } from '../app/io.ts'
import { git } from './git.ts'

/** The same repository, where git writes new objects into another folder and reads those of the repository as well. */
export function withScratchObjects(io: Io, scratch: string): Io {
  const objects = git(['rev-parse', '--git-path', 'objects'], io).toString('utf8').trim()
  const alternates = [resolve(io.cwd, objects), ...(io.env.GIT_ALTERNATE_OBJECT_DIRECTORIES ?? '').split(delimiter)].filter(Boolean)
  return ioWith(io, {
    env: { ...io.env, GIT_OBJECT_DIRECTORY: scratch, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates.join(delimiter) },
  })
}
