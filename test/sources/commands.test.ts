import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { inside, position, sourceOf } from '../../src/source.ts'
import { isRestKept, readCommands } from '../../src/sources/commands.ts'

const policy = '{"name":"web","identities":["urn:v1:eu:identity:user:ab12-svc/ann"],"resources":[],"permissions":{}}'
const fragment = '{"name":"web","identities":["urn:v1:eu:identity:user:ab12-svc/ann"]}'
const broken = `${policy.slice(0, -1)},}`
const post = 'curl https://api.example.com/v2/iam/policy'

async function readIn(text: string) {
  const source = sourceOf('x.sh', text, 'shell')
  return { source, ...(await readCommands(source, defaultSettings)) }
}

/** How many policies are read, and why others are not. */
async function outcome(text: string): Promise<readonly [number, readonly string[]]> {
  const { read, passed } = await readIn(text)
  return [read.apart.length, passed.map(({ reason }) => reason)]
}

describe('strings that are taken for policies', () => {
  test.each([
    ['a policy that any command is given', `client put '${policy}'`, 1],
    ['a variable', `BODY='${policy}'`, 1],
    ['an option with its value in one word', `client --body='${policy}'`, 1],
    ['a heredoc in YAML', `client <<EOF\nname: web\nidentities: [a]\nresources: []\npermissions: {}\nEOF`, 1],
    ['a part of one in a call', `${post} -d '${fragment}'`, 1],
    ['a broken one in a call', `${post} -d '${broken}'`, 1],
    ['a broken one in a variable that a call sends', `BODY='${broken}'\n${post} -d "$BODY"`, 1],
    ['a broken one that is piped into a client', `echo '${broken}' | client iam policy create`, 1],
    ['a broken one in a substitution', `${post} -d "$(cat <<'E'\n${broken}\nE\n)"`, 1],
    ['a part of one elsewhere', `client put '${fragment}'`, 0],
    ['a broken one elsewhere', `client put '${broken}'`, 0],
    ['a broken one for another variable', `OTHER='${broken}'\n${post} -d "$BODY"`, 0],
    ['a program of jq in a call', `jq -n '{identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]}' | ${post} -d @-`, 0],
    ['a broken one of another service', `client iam policy create --statements '["permissions",]'`, 0],
    ['another address', `curl https://api.example.com/v2/iam/policyholder -d '${broken}'`, 0],
    ['a policy of another cloud', `client '{"Version":"2012-10-17","Statement":[],"permissions":[]}'`, 0],
    ['an account', `client '{"account":"permissions"}'`, 0],
    ['resources by themselves', `R='[{"urn":"urn:v1:eu:resource:vps:*"}]'`, 0],
    [
      'resources as a field of HTTPie',
      `http POST https://api.example.com/v2/iam/policy resources:='[{"urn":"urn:v1:eu:resource:vps:*"}]'`,
      0,
    ],
    ['resources in a call', `${post} -d '{"resources":[{"urn":"urn:v1:eu:resource:vps:*"}]}'`, 0],
    ['a string within a string', `bash -c "client '${policy.replaceAll('"', '\\"')}'"`, 0],
    ['a comment', `# client '${policy}'`, 0],
  ])('%s', async (_, text, count) => {
    expect((await outcome(text))[0]).toBe(count)
  })
})

test('parts that are skipped are named with the reason', async () => {
  expect(await outcome(`${post} -d "{\\"identities\\": [], $REST}"`)).toEqual([0, ['an expansion is a part of its structure']])
  expect(await outcome(`client '${fragment}'`)).toEqual([0, ['a part of a policy']])
  expect(await outcome(`R='[{"urn":"urn:v1:eu:resource:vps:*"}]'`)).toEqual([0, ['a part of a policy']])
  expect(await outcome(`${post} -d '${policy.replace('ab12-svc', '<account>')}'`)).toEqual([0, ['a sketch: it leaves things out']])
  expect(await outcome(`# grantwise-ignore: why\n${post} -d '${policy}'`)).toEqual([0, ['ignored by the comment above it: why']])
  expect(await outcome(`${post} --data-binary @policy.json`)).toEqual([
    0,
    ['the policy is in `policy.json`, which is linted if it is there'],
  ])
  expect(await outcome(`curl https://example.com/upload --data-binary @policy.json`)).toEqual([0, []])
})

test('a comment is about all that begins on the line below it', async () => {
  const ignore = '# grantwise-ignore: why\n'
  expect((await outcome(`${ignore}test -n "$ID" && ${post} \\\n -d '${policy}'`))[0]).toBe(0)
  expect((await outcome(`${ignore}test -n "$ID"\n${post} -d '${policy}'`))[0]).toBe(1)
  expect((await outcome(`${ignore}\n# more\n${post} -d "$(cat <<E\n${policy}\nE\n)"`))[0]).toBe(0)
})

test('names have the place of each of their characters, behind escapes as well', async () => {
  const { source, read } = await readIn(
    `${post} \\\n  -d "{\\"identities\\":[\\"urn:v1:eu:identity:user:ab12-svc/ann\\"],\\"permissions\\":{}}"\n`,
  )
  const [identity] = read.facts.policies[0]?.identities ?? []
  if (!identity) throw new Error('not read')
  const { text } = identity.value
  const span = inside({ value: text, span: identity.span }, text.indexOf('ann'), text.length)
  expect(source.text.slice(span.start, span.end)).toBe('ann')
  expect(position(source, span.start).line).toBe(2)
})

test('values with expansions are unknown, and nothing else is', async () => {
  const { read } = await readIn(
    `${post} -d "{\\"name\\":\\"a\\",\\"identities\\":[$ALL,\\"urn:v1:eu:identity:user:$WHO/ann\\"],\\"permissions\\":$P}"`,
  )
  const unknowns = read.apart.flatMap(({ open }) => open?.unknowns ?? [])
  expect(unknowns.map(({ expression, pieces, isSpread = false }) => [expression, pieces, isSpread])).toEqual([
    ['$ALL', ['', ''], true],
    ['urn:v1:eu:identity:user:$WHO/ann', ['urn:v1:eu:identity:user:', '/ann'], false],
    ['$P', ['', ''], false],
  ])
})

test('a script is kept where only what is within its policies differs', async () => {
  const script = (head: string, name: string, tail: string) =>
    sourceOf('x.sh', `${head}\n${post} -d '${policy.replace('web', name)}'\n${tail}\n`, 'shell')
  const before = script('set -e', 'web', 'exit 0')
  expect(await isRestKept(before, script('set -e', 'webs', 'exit 0'))).toBe(true)
  expect(await isRestKept(before, script('set -x', 'web', 'exit 0'))).toBe(false)
  expect(await isRestKept(before, script('set -e', 'web', 'exit 1'))).toBe(false)
})
