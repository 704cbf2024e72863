import { resolve } from 'node:path'
import type { BrokenChain } from '../../answers/review.ts'
import type { Settings } from '../../names.ts'
import { shown } from '../../report/safe.ts'
import { departureFrom } from '../../review/chain.ts'
import { sourceOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { objectOf } from './git.ts'
import { gitPathOf } from './policies.ts'
import { type ReviewOnDisk, reviewAt, reviewIn } from './reviewed.ts'

/**
 * The first decision of an earlier version of a review that is not in it, at its place: none where decisions were only added. `given`: a
 * file, `git:REF`, or `git:REF:PATH`. A commit without the file has no decisions.
 */
export async function departedFrom(follows: string, disk: ReviewOnDisk, settings: Settings, io: Io): Promise<readonly BrokenChain[]> {
  const { review } = await earlierReview(follows, disk, settings, io)
  const index = departureFrom(review.decisions, disk.read.review.decisions)
  const key = index === undefined ? undefined : review.decisions[index]
  if (index === undefined || !key) return []
  const source = sourceOf(disk.path, disk.text ?? '', 'yaml')
  return [{ kind: 'follows', key, span: disk.read.places[index] ?? { source, start: 0, end: 0 } }]
}

async function earlierReview(follows: string, disk: ReviewOnDisk, settings: Settings, io: Io): Promise<ReviewOnDisk['read']> {
  const committed = gitPathOf(follows)
  if (!committed) {
    const earlier = await reviewAt(follows, settings, io)
    if (earlier.text === undefined) throw new Refusal(`--follows: ${earlier.path}: there is no such file`)
    return earlier.read
  }
  const { reference, path } = committed
  const { configFilesOf } = await import('./config-at.ts')
  const file = path === undefined ? disk.file : resolve(io.cwd, path)
  const { text, message } = configFilesOf(objectOf(reference, 'commit', io, follows), io).read(file)
  if (text !== undefined) return reviewIn(follows, text, settings)
  if (path !== undefined) throw new Refusal(`--follows \`${follows}\`: ${message}`)
  io.stderr.write(`grantwise: note: --follows: ${shown(follows)} has no ${shown(disk.path)}: there is no decision to follow\n`)
  return { review: { owners: [], open: [], decisions: [] }, places: [], worlds: { decisions: [], open: [] } }
}
