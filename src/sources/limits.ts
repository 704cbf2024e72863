import { encodedWords } from '../hidden.ts'

/** Limits that are checked before reading: characters in one file and in all of them, files, and nested folders. */
export const limits = { file: 8 * 2 ** 20, total: 64 * 2 ** 20, files: 10_000, depth: 32 } as const

/** Why something could not be read. */
export interface Problem {
  /** As shown to users; '' when it is about no single path. */
  readonly path: string
  readonly message: string
}

/** Words without which no text can hold a policy; an escape, or a line that continues in the next one, may hide any of them. */
const words = [
  'urn:v1:',
  'identities',
  'permissions',
  'policies',
  'resourceGroups',
  'permissionsGroups',
  'accessRules',
  'credentialId',
  'applicationId',
  '\\u',
  '\\x',
  '\\U',
  '\\\n',
  '\\\r',
  ...encodedWords,
  // Their values are in base64, over any lines.
  'binaryData',
  'Secret',
]

/** Whether a text may hold a policy: the quick test for files that were found and not named. */
export function mayHoldPolicy(text: string): boolean {
  return words.some((word) => text.includes(word))
}

/** Whether a text may hold a word: an escape may hide it. */
export function mayHold(text: string, word: string): boolean {
  return text.includes(word) || /\\u/i.test(text)
}

/** Why a file with a name of our own is not read for policies. */
export const ownReason = 'a file of grantwise itself'

/** Whether a text is only a pointer to a file that Git LFS keeps elsewhere. */
export function isPointer(text: string): boolean {
  return /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//.test(text)
}
