import { readAddress } from '../conditions/address.ts'
import { readInstant } from '../conditions/time.ts'
import { type Context, type Problem, readGroup } from '../simulate/question.ts'
import type { Io } from './io.ts'
import { type Options, pair } from './options.ts'
import { Refusal } from './refusal.ts'

/** The context flags of every deciding command: `--group`, `--ip`, `--tag`, `--at`, `--owner`. */
export function readContext(options: Options, io: Io): Context {
  const groups = options.list('group')
  refuseProblems(groups.flatMap((group) => readGroup(group).problems))
  const ip = options.text('ip')
  const address = ip === undefined ? undefined : readAddress(ip)
  if (ip !== undefined && !address)
    throw new Refusal(`--ip \`${ip}\`: not an IP address`, 'write it plainly, such as `192.0.2.1` or `2001:db8::1`')
  const tags = options.list('tag').map((text) => pair('--tag', text))
  const twice = tags.find(([key], i) => tags.findIndex(([other]) => other === key) !== i)
  if (twice) throw new Refusal(`--tag \`${twice[0]}\` is given twice: a resource has one value for each tag`)
  const owner = options.text('owner')
  return {
    at: readAt(options, io),
    groups,
    ...(address && { ip: address }),
    ...(tags.length > 0 && { tags: new Map(tags) }),
    ...(owner !== undefined && { owner }),
  }
}

/** `--at`, or now. */
export function readAt(options: Options, io: Io): number {
  const text = options.text('at')
  if (text === undefined) return io.now()
  const instant = readInstant(text)
  if (instant === undefined)
    throw new Refusal(`--at \`${text}\`: not a date and time`, 'write RFC 3339 with an offset, such as `2027-01-31T12:00:00Z`')
  return instant
}

/** Refuse with every problem at once. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const [first, ...others] = problems.map(({ message, help }) => (help ? `${message}: ${help}` : message))
  throw new Refusal([first, ...others].join('\n'))
}
