import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Clock, Ports } from '../model/ports.ts'

export function machineClock(now: () => number): Clock {
  const after: Clock['after'] = (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    timer.unref()
    return () => clearTimeout(timer)
  }
  return { now, after, wait: after }
}

export function machinePorts(clock: Clock): Ports {
  return {
    clock,
    chance: {
      uuid: randomUUID,
      token: (length) =>
        randomBytes(Math.ceil(length * 0.75))
          .toString('base64url')
          .slice(0, length),
    },
    digest: {
      sha1: (text) => createHash('sha1').update(text).digest('hex'),
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      same: (a, b) => {
        const [first, second] = [Buffer.from(a), Buffer.from(b)]
        return first.length === second.length && timingSafeEqual(first, second)
      },
    },
  }
}
