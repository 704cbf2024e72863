import { expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'
import { cleanUp, prepare } from '../support/scenario.ts'

const policy = JSON.stringify({
  name: 'good',
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
  permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
})

// covers: T23, T24, M42
test.each([
  [['lint', '--config', 'X']],
  [['lint', '--baseline', 'X']],
  [['lint', '--rule', 'X']],
  [['lint', 'p.json', '--format', 'sarif=none/X']],
  [['can', 'user/ann', 'vps:apisvc:get', 'vps-1', '-p', 'p.json', '--at', 'X']],
  [['can', 'user/ann', 'vps:apisvc:get', 'vps-1', '-p', 'p.json', '--without', 'X']],
  [['explain', 'X']],
  [['policies', 'X', '-p', 'p.json']],
  [['graph', '-p', 'p.json', '-o', 'X.svg']],
  [['report', '-p', 'p.json', '-o', 'X.html']],
  [['report', '-p', 'p.json', '--before', 'X']],
  [['export', 'sql', '-p', 'p.json', '--dialect', 'duckdb', '-o', 'X']],
  [['X']],
])('an argument begins no line of a message, and has no effect on a terminal: %j', async (args) => {
  const odd = 'x\ngrantwise: 0 errors\u001b[31m\u202e'
  const work = prepare([{ kind: 'file', name: 'p.json', argument: '', content: policy }])
  try {
    const { stdout, stderr } = await mainIn(
      args.map((each) => each.replace('X', odd)),
      work,
    )
    expect(stdout + stderr).toContain('\\u{a}grantwise: 0 errors\\u{1b}')
    expect(stdout + stderr).not.toMatch(/[^\P{C}\n]|^grantwise: 0 errors/mu)
  } finally {
    cleanUp(work)
  }
})

test('the value of an option that does not exist is not repeated, since it may be a secret', async () => {
  const { stdout, stderr, exit } = await mainIn(['can', 'a', 'b', 'c', '--token=s3cr=t', '-p', 'p.json'], '.')
  expect([exit, stdout + stderr]).toEqual([2, expect.stringContaining('`--token`')])
  expect(stdout + stderr).not.toContain('s3cr')
})

test('an option that is the name of a file is refused, and behind `--` it is a file', async () => {
  const work = prepare([
    { kind: 'file', name: '--config=c.yaml', argument: '', content: policy },
    { kind: 'file', name: 'c.yaml', argument: '', content: 'rules: {}\n' },
  ])
  try {
    const refused = await mainIn(['lint', '--config=c.yaml', '.'], work)
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('`--config=c.yaml` is the name of a file here')])
    expect((await mainIn(['lint', '--no-config', '--', '--config=c.yaml'], work)).exit).toBe(0)
  } finally {
    cleanUp(work)
  }
})
