import { expect, test } from 'vitest'
import {
  allow,
  bob,
  branch,
  committed,
  deny,
  git,
  none,
  plain,
  policy,
  proposed,
  refusedBody,
  run,
  server,
  state,
  write,
} from '../support/proposing.ts'

/** `call --from-403 --propose`: what is written to a repository, what is claimed of it, and what is refused. */

/** The parts of a region that two comparisons with different file names share. */
const pickOf = (region: object) => {
  const { identities, actions, resources, condition } = region as Record<string, unknown>
  return { identities, actions, resources, condition }
}

test('allows the call until the expiry, and the working folder, the index and HEAD stay as they are', async () => {
  committed(plain)
  const before = state()
  const { exit, claim, expires, replay, commit, files, difference } = await proposed()
  expect({ exit, claim, expires }).toEqual({ exit: 0, claim: 'exact', expires: '2026-12-09T12:00:00Z' })
  expect(replay.map(({ at, before, after }) => [at, before, after])).toEqual([
    ['2026-11-25T12:00:00Z', 'deny', 'allow'],
    ['2026-12-09T12:00:00Z', 'deny', 'allow'],
    ['2026-12-09T12:00:01Z', 'deny', 'deny'],
  ])
  expect(state()).toEqual(before)
  expect(git('rev-parse', branch, `${branch}^`).split('\n').slice(0, 2)).toEqual([commit, before[1]?.trim()])
  expect(git('diff', '--name-status', 'main', branch).trim().split('\n')).toEqual([
    'A\tpolicies/allow-bob-reboot.iamtest.yaml',
    'M\tpolicies/team.json',
  ])
  expect(files[0]?.diff).toContain('+    "expiredAt": "2026-12-09T12:00:00Z"')

  // Its claims are those of the other commands.
  const compared = JSON.parse((await run('diff', 'git:main', `git:${branch}`, '--over', 'everything', '--format', 'json')).stdout)
  expect(compared.gained.map(({ causes: _, catalogue: __, ...region }: Record<string, unknown>) => region)).toEqual(
    difference.gained.map((region) => expect.objectContaining(pickOf(region))),
  )
  expect(compared.deployment).toBeUndefined()
  const can = async (...at: readonly string[]) => (await run('can', bob, 'vps:apisvc:reboot', server, '-p', `git:${branch}`, ...at)).exit
  expect([await can(), await can('--at', '2026-12-09T12:00:00Z'), await can('--at', '2026-12-09T12:00:01Z')]).toEqual([0, 0, 1])

  // The policy test passes with the policies of the branch, and fails with those of the commit before.
  git('checkout', '--quiet', branch)
  expect((await run('test')).exit).toBe(0)
  git('checkout', '--quiet', 'main', '--', 'policies/team.json')
  expect((await run('test')).exit).toBe(1)
})

test('where no new policy allows the call', async () => {
  committed({ 'policies/team.json': [policy('guard', deny('vps:apisvc:reboot')), policy('done', allow('vps:apisvc:get'))] })
  await none(1, 'a deny statement covers the call')
  write({ '403.json': '{"message": "This call has not been granted"}' })
  await none(1, 'the rules of the consumer key')
  write({ '403.json': refusedBody.replace('}', ', "details": {"unauthorizedActionsByAuthentication": "vps:apisvc:reboot"}}') })
  await none(1, 'the authentication does not carry')
  write({ '403.json': refusedBody.replace('}', ', "details": {"unauthorizedActionsByIAM": "vps:apisvc:get"}}') })
  await none(1, 'the policies of HEAD allow the call')
  write({ '403.json': '{"message": "no"}' })
  await none(2, 'this is no refusal that is known')
  write({ '403.json': 'no' })
  await none(2, '403.json:1:1: error syntax')
})
