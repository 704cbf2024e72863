import type { Around, DeploymentChange } from './facts.ts'
import { reachOf } from './reach.ts'

/** Where a program goes by the message of a commit. */
const asking = /COMMIT_(?:MESSAGE|TITLE|DESCRIPTION)|commit\.message|\bgit\b[^\n]*\b(?:log|show)\b|%[Bs]\b|trailers:/

/** Programs that deploy and go by words of commit messages which one of the messages between two states has. */
export async function messageChanges(around: Around, messages: string): Promise<readonly DeploymentChange[]> {
  if (messages === '') return []
  const { programs } = await reachOf(around)
  return programs.flatMap(({ path, text }) => {
    const word = text
      .split('\n')
      .filter((line) => asking.test(line))
      .flatMap(wordsIn)
      .find((each) => messages.includes(each))
    return word === undefined ? [] : [{ path, why: `it goes by \`${word}\` in the message of a commit` }]
  })
}

/** What a line may compare a message with: strings, expressions between slashes, what `grep` looks for. */
function wordsIn(line: string): readonly string[] {
  const found = [
    ...line.split(/["'`]/),
    ...[...line.matchAll(/\/((?:\\.|[^/\n]){4,80})\//g)].map(([, each = '']) => each),
    ...[...line.matchAll(/trailers:[^)'"]*\bkey=([\w-]{2,80})/g)].map(([, key = '']) => `${key}:`),
    ...[...line.matchAll(/\bgrep\s+(?:-\S+\s+)*([^\s"'`|;&]{4,80})/g)].map(([, each = '']) => each),
  ]
  return found
    .map((each) =>
      each
        .replaceAll('\\', '')
        .replace(/^\^|\$$/g, '')
        .trim(),
    )
    .filter((each) => each.length > 3 && !/^(?:HEAD|main|master|--\S*)$/.test(each))
}
