import type { Commits, DeploymentChange, FileContext } from './facts.ts'
import { reachOf } from './reach.ts'

/** Code in which a program depends on the message of a commit. */
const asking = /COMMIT_(?:MESSAGE|TITLE|DESCRIPTION)|commit\.message|\bgit\b[^\n]{0,1000}\b(?:log|show)\b|%[Bs]\b|trailers:/

/**
 * Programs that deploy and depend on commits: on words that a message between two states has, or on every single commit, where
 * some change policies and others change them back.
 */
export async function commitChanges(around: FileContext, { messages, touched, missing }: Commits): Promise<readonly DeploymentChange[]> {
  if (messages === '' && missing === undefined) return []
  const { programs } = await reachOf(around)
  const { files, folders } = around.policies
  const isOfPolicies = (path: string) => files.includes(path) || folders.some((folder) => folder !== '' && path.startsWith(`${folder}/`))
  const by = programs.find(({ text }) => replaying.test(text))
  const policy = by && touched().find(isOfPolicies)
  const unsure = missing === undefined ? undefined : `and ${missing}`
  const ofWhich = policy === undefined ? unsure : `of which some change \`${policy}\``
  const replayed = by && ofWhich !== undefined ? [{ path: by.path, why: `it goes through commits, ${ofWhich}` }] : []
  const worded = programs.flatMap(({ path, text }) => {
    const lines = text.split('\n').filter((line) => asking.test(line))
    const word = lines.flatMap(wordsIn).find((each) => messages.includes(each))
    if (word !== undefined) return [{ path, why: `it goes by \`${word}\` in the message of a commit` }]
    const isAsked = unsure !== undefined && lines.some((line) => !showsFile.test(line) && wordsIn(line).length > 0)
    return !isAsked ? [] : [{ path, why: `it goes by messages of commits, ${unsure}` }]
  })
  return [...replayed, ...worded]
}

/** Programs that go through the commits between two states. */
const replaying = /\bgit['",\s]{1,6}(?:rev-list|format-patch|cherry|whatchanged|log)\b|\.(?:iter_commits|walk_commits|revwalk)\b/

/** A file of a commit, of which no message is asked. */
const showsFile = /\bgit\b[^\n]{0,1000}\bshow\s[^\n]{0,200}[\w})]:[\w./$](?![^\n]{0,1000}%[Bs]\b)/

/** Words that a line may compare a message with: strings, expressions between slashes, arguments of `grep`. */
function wordsIn(line: string): readonly string[] {
  const words = [
    ...line.split(/["'`]/),
    ...[...line.matchAll(/\/((?:\\.|[^/\\\n]){4,80})\//g)].map(([, each = '']) => each),
    ...[...line.matchAll(/trailers:[^)'"]{0,200}\bkey=([\w-]{2,80})/g)].map(([, key = '']) => `${key}:`),
    ...[...line.matchAll(/\bgrep\s+(?:-\S+\s+){0,50}([^\s"'`|;&]{4,80})/g)].map(([, each = '']) => each),
  ]
  return words
    .map((each) =>
      each
        .replaceAll('\\', '')
        .replace(/^\^|\$$/g, '')
        .trim(),
    )
    .filter((each) => each.length > 3 && !/^(?:HEAD|main|master|--\S*)$/.test(each))
}
