import type { Hash } from 'node:crypto'

/** A hash to update. Node's module for it is loaded with the first one: most runs need none, and loading it is a part of their start. */
export function startHash(algorithm: 'sha1' | 'sha256'): Hash {
  return process.getBuiltinModule('node:crypto').createHash(algorithm)
}
