// The commands whose growth is measured, and the worlds that they are run on: those of workload.mjs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workload } from './workload.mjs'

const everything = 'urn:v1:eu:resource:*'

/** Write the files of a world of so many policies to a folder. Gives what is run in it, in order: a name, and the arguments of the program. */
export function commandsIn(cwd, size) {
  mkdirSync(cwd, { recursive: true })
  const { policies, identities, questions } = workload(size, 10_000, 1)
  const write = (name, value) => writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value))
  const edited = (every) => policies.map((policy, i) => (i % every === 0 ? { ...policy, resources: [{ urn: everything }] } : policy))
  const file = (list) => ({ policies: list, identities })
  write('world.json', file(policies))
  write('same.json', file(policies.toReversed()))
  write('one.json', file(edited(size)))
  // The merge driver writes into it.
  write('ours.json', file(edited(size)))
  write('edited.json', file(edited(20)))
  write('nothing.json', file([]))
  // Files within the limits of the readers, which a converted or formatted file has to keep as well.
  mkdirSync(join(cwd, 'parts'), { recursive: true })
  for (let i = 0; i < size; i += 1000) write(join('parts', `${i}.json`), policies.slice(i, i + 1000))
  const asked = { account: 'ab12-svc', method: 'GET', path: '/v1/called', operation: '/v1/called', ip: null, credential: null }
  const calls = questions.slice(0, size).map(({ expect: verdict, identity, action, resource }) => {
    const answer = { verdict, status: verdict === 'allow' ? 200 : 403, actions: [{ action, resource, required: true, verdict }] }
    return { at: '2026-11-01T00:00:00Z', identity, ...asked, ...answer }
  })
  write('calls.ndjson', calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
  write(
    'questions.ndjson',
    questions.map(({ identity, action, resource }) => `${JSON.stringify({ identity, action, resource })}\n`).join(''),
  )
  const tests = questions.slice(0, 1000).map((question, i) => ({ name: `question ${i}`, ...question }))
  write('questions.iamtest.yaml', { policies: 'world.json', tests })
  const [allowed, denied] = ['allow', 'deny'].map((verdict) => questions.find(({ expect }) => expect === verdict))
  return commands(
    allowed,
    denied,
    policies.flatMap((policy) => policy.identities).find((each) => each.includes(':group:')),
  )
}

const commands = ({ identity: user, action, resource }, denied, group) => [
  ['lint', 'lint', 'world.json'],
  ['can', 'can', user, action, resource, '-p', 'world.json'],
  ['can --batch, 10,000 questions', 'can', '--batch', 'questions.ndjson', '-p', 'world.json'],
  ['who', 'who', action, resource, '-p', 'world.json'],
  ['who, a pattern', 'who', `${action.split(':')[0]}:*`, resource, '-p', 'world.json'],
  ['what', 'what', user, '-p', 'world.json'],
  ['what, all users', 'what', 'user/*', '-p', 'world.json'],
  ['diff, the same', 'diff', 'world.json', 'same.json'],
  ['diff, one edited', 'diff', 'world.json', 'one.json'],
  ['diff, 5 % edited', 'diff', 'world.json', 'edited.json'],
  ['diff, from nothing', 'diff', 'nothing.json', 'world.json'],
  ['lock', 'lock', '-p', 'world.json'],
  ['lock --check', 'lock', '--check', '-p', 'world.json'],
  ['minimise', 'minimise', '-p', 'world.json'],
  ['suggest', 'suggest', denied.identity, denied.action, denied.resource, '-p', 'world.json'],
  ['matrix', 'matrix', '-p', 'world.json'],
  ['report', 'report', '-p', 'world.json', '-o', 'report.html'],
  ['timeline', 'timeline', '-p', 'world.json'],
  ['escalate', 'escalate', user, '-p', 'world.json'],
  ['escalate, all', 'escalate', '-p', 'world.json'],
  ['compare', 'compare', user, group, '-p', 'world.json'],
  ['policies', 'policies', user, '-p', 'world.json'],
  ['policies --overlap', 'policies', '--overlap', '-p', 'world.json'],
  ['graph', 'graph', '-p', 'world.json'],
  ['filter', 'filter', user, action, '--dialect', 'duckdb', '-p', 'world.json'],
  ['approvers', 'approvers', 'world.json', 'one.json'],
  ['budget', 'budget', '--update', '-p', 'world.json'],
  ['review', 'review', '--round', '2026-Q4', '--due', '2026-12-31', '-p', 'world.json'],
  ['anonymise', 'anonymise', user, action, resource, '-p', 'world.json', '-o', 'shared'],
  ['replay', 'replay', 'calls.ndjson', '-p', 'one.json'],
  ['least', 'least', '--from', 'calls.ndjson', '-p', 'world.json'],
  ['fmt', 'fmt', '--check', 'parts'],
  ['convert', 'convert', '--to', 'hcl', 'parts', '--out', 'policy.tf'],
  ['export cedar', 'export', 'cedar', '-p', 'world.json', '--out', 'cedar'],
  ['export sql', 'export', 'sql', '--dialect', 'duckdb', '-p', 'world.json', '--out', 'sql'],
  ['call', 'call', '--identity', user, 'GET', '/v1/called', '--action', action, '--resource', resource, '-p', 'world.json'],
  ['test, 1,000 questions', 'test', 'questions.iamtest.yaml'],
  ['repl', 'repl', '-p', 'world.json'],
  ['merge-driver', 'merge-driver', 'world.json', 'ours.json', 'edited.json'],
]
