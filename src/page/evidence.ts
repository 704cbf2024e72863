import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { plural } from '../report/words.ts'
import type { PageCommit, PageData } from './data.ts'
import { dayOf } from './ends.ts'

/** The state that a page is of, as terms and their values; escaped. */
export function evidenceFacts(data: PageData): readonly (readonly [term: string, value: string])[] {
  const { evidence, at, ip, made, version } = data
  const time = at === null ? `any time from ${momentWords(toMinute(made))} on` : momentWords(at)
  return [
    ...(evidence && evidence.accounts.length > 0
      ? [[evidence.accounts.length === 1 ? 'Account' : 'Accounts', evidence.accounts.map(shown).join(', ')] as const]
      : []),
    ...(evidence ? [['State', stateWords(evidence)] as const] : []),
    ['Time', `${time}${ip === null ? '' : `, for requests from ${shown(ip)}`}`],
    ...(data.tagged === undefined ? [] : [['Resources', `only those that are described with ${shown(data.tagged)}`] as const]),
    ...(data.tags && data.tags.length > 0 ? [['Supposed', `every resource has the tags ${data.tags.map(shown).join(', ')}`] as const] : []),
    ...data.reasons.map((reason) => ['Limits', shown(reason)] as const),
    ...(data.calls ?? []).map((note) => ['Recorded calls', note] as const),
    ['Made', `${momentWords(toMinute(made))} by grantwise ${version}`],
    ...(evidence ? [['Files', filesWords(evidence.inputs)] as const] : []),
  ]
}

const filesWords = ({ files, others, sha256 }: NonNullable<PageData['evidence']>['inputs']): string =>
  `${plural(files, 'file')} of this state, SHA-256 ${sha256}${others > 0 ? `; ${others} more without` : ''}`

const toMinute = (at: number): number => Math.floor(at / 60_000) * 60_000

/** The commit, and whether the files are as they are in it. */
function stateWords({ commit, why }: NonNullable<PageData['evidence']>): string {
  if (!commit) return `no commit: ${shown(why ?? 'not looked for')}`
  return commit.changed === 0
    ? commitWords(commit)
    : `working tree, uncommitted changes: ${plural(commit.changed, 'file')} that ${commit.changed === 1 ? 'is' : 'are'} not as in ${commitWords(commit)}`
}

/** `commit 3f2a1c4 of main: Let operators restart servers (carol, 2026-03-02)` */
const commitWords = ({ short, branch, subject, author, at }: PageCommit): string =>
  `commit ${short}${branch === undefined ? '' : ` of ${shown(branch)}`}: ${shown(subject)} (${shown(author)}, ${dayOf(at)})`
