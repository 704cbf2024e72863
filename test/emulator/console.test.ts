import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { name } from '../../src/emulator/console/parts.ts'
import { checkPolicy, policyText } from '../../src/emulator/console/policy-editor.ts'
import type { Reply } from '../../src/emulator/model/exchange.ts'
import type { PolicyRecord } from '../../src/emulator/model/records.ts'
import { lint } from '../../src/lint/run.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { type TestService, testAccount, testIdentity, testService } from '../support/service.ts'

const form = (fields: Record<string, string>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})
const tokenIn = (reply: Reply) => /name="form_token" value="([0-9a-f]{64})"/.exec(reply.html ?? '')?.[1] ?? ''
const hiddenIn = (reply: Reply, field: string) => new RegExp(`name="${field}" value="([^"]*)"`).exec(reply.html ?? '')?.[1] ?? ''

/** Fill in the form of a page and send it, with what the page itself puts into it. */
function submit({ send }: TestService, page: string, fields: Record<string, string>): Reply {
  const shown = send('GET', page)
  const seen = hiddenIn(shown, 'seen')
  return send('POST', page, form({ form_token: tokenIn(shown), ...(seen !== '' && { seen }), ...fields }))
}

const written = (title: string, action = 'webHosting:apisvc:get') => ({
  name: title,
  identities: [testIdentity],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
  permissions: { allow: [{ action }] },
})

function kept({ service }: TestService, id: string, title: string, more: Partial<PolicyRecord> = {}) {
  const value: PolicyRecord = {
    id,
    account: testAccount,
    written: written(title),
    readOnly: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: null,
    ...more,
  }
  service.state.commit([{ kind: 'policy', key: id, value }])
}

const policiesNamed = ({ service }: TestService, title: string) =>
  [...service.state.table('policy').all()].filter((policy) => policy.written.name === title)

describe('lists', () => {
  const many = () => {
    const tested = testService()
    for (let i = 0; i < 120; i++) kept(tested, `p${i}`, `policy number ${i}`)
    return tested
  }

  test('show a part at a time, with the way to the other parts', () => {
    const tested = many()
    const page = (query: string) => tested.send('GET', `/console/policies${query}`).html ?? ''
    const rows = (html: string) => html.split('role="rowheader"').length - 1
    expect([rows(page('')), rows(page('?page=2')), rows(page('?page=3'))]).toEqual([50, 50, 20])
    expect(page('')).toContain(`120 policies of ${testAccount}, page 1 of 3`)
    expect(page('')).not.toContain('rel="prev"')
    expect(page('?page=2')).toContain(`<a rel="prev" href="/eu/console/policies?account=${testAccount}&amp;page=1">Previous</a>`)
    expect(page('?page=2')).toContain(`<a rel="next" href="/eu/console/policies?account=${testAccount}&amp;page=3">Next</a>`)
    for (const odd of ['99', '3']) expect(page(`?page=${odd}`)).toContain('policy number 119')
    for (const odd of ['0', '-1', 'x', '1.5', '']) expect(page(`?page=${odd}`)).toContain('policy number 0<')
  })

  test('are searched for every word, in any case, and keep what was looked for', () => {
    const page = many().send('GET', '/console/policies?q=NUMBER+11+WebHosting').html ?? ''
    expect(page).toContain('11 of 120 policies of')
    expect(page).toContain('value="NUMBER 11 WebHosting"')
    expect(page).toContain('policy number 110')
    expect(page).not.toContain('policy number 12<')
    expect(many().send('GET', '/console/policies?q=%3Cb%3E').html).toContain('No policy holds <code>&lt;b&gt;</code>.')
  })

  test('say what to do where they are empty', () => {
    const tested = testService()
    expect(tested.send('GET', '/console/policies').html).toContain('grantwise serve --seed policies/')
    expect(tested.send('GET', '/console/applications').html).toContain('POST /1.0/auth/credential')
    expect(tested.send('GET', '/console/calls').html).toContain('Authorization: Bearer')
  })

  test('of policies say which resources each is about', () => {
    const tested = testService()
    kept(tested, 'p', 'one')
    expect(tested.send('GET', '/console/policies').html).toMatch(
      /data-label="Resources">.*urn:<wbr>v1:<wbr>eu:<wbr>resource:<wbr>webHosting:<wbr>\*/s,
    )
  })

  test('break long names behind separators, and nowhere within what a copy holds', () => {
    const urn = 'urn:v1:eu:resource:webHosting:example.org'
    expect(name(urn).source.replaceAll('<wbr>', '')).toBe(`<code>${urn}</code>`)
    expect(name('webHosting:*').source).toBe('<code>webHosting:*</code>')
  })
})

describe('policies', () => {
  test('a new one is checked, stored and shown', () => {
    const tested = testService()
    const text = JSON.stringify(written('fresh'), null, 2)
    const checked = submit(tested, '/console/policies/new', { policy: text, do: 'check' })
    expect([checked.status, policiesNamed(tested, 'fresh').length]).toEqual([200, 0])
    const saved = submit(tested, '/console/policies/new', { policy: text.replaceAll('\n', '\r\n'), do: 'save' })
    expect(saved.status).toBe(303)
    const [policy] = policiesNamed(tested, 'fresh')
    expect(policy).toMatchObject({ account: testAccount, written: written('fresh'), readOnly: false })
    expect(saved.headers?.location).toBe(`/eu/console/policies/${policy?.id}?account=${testAccount}&saved=yes`)
    expect(tested.send('GET', saved.headers?.location?.slice(3) ?? '').html).toContain('Saved: it holds from the next call on.')
  })

  test('the text of the editor is downloaded as a file, and nothing is stored', () => {
    const tested = testService()
    const text = JSON.stringify(written('a "b"; \u{202e}../c'), null, 2)
    const { status, headers, text: file } = submit(tested, '/console/policies/new', { policy: text, do: 'download' })
    expect({ status, file }).toEqual({ status: 200, file: { type: 'application/json', content: `${text}\n` } })
    expect(headers?.['content-disposition']).toBe('attachment; filename="a-b-c.json"')
    expect(policiesNamed(tested, 'a "b"; \u{202e}../c')).toHaveLength(0)
    const wrong = submit(tested, '/console/policies/new', { policy: '{ "name":', do: 'download' })
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('The text is not JSON')])
  })

  test('what the API refuses is refused at its place, and the text is kept', () => {
    const tested = testService()
    const save = (policy: string) => submit(tested, '/console/policies/new', { policy, do: 'save' })
    const misspelt = save('{\n  "name": "x",\n  "identites": [],\n  "permissions": {}\n}')
    expect(misspelt.status).toBe(400)
    expect(misspelt.html).toContain('Line 3, column 3: unknown field')
    expect(misspelt.html).toContain('&quot;identites&quot;: []')
    expect(save('{ "name": ').html).toContain('The text is not JSON')
    expect(save('').html).toContain('Write a policy first.')
    kept(tested, 'other', 'taken')
    expect(save(JSON.stringify(written('taken'))).html).toContain('another policy is named <code>taken</code> already')
    expect(tested.service.state.table('policy').size).toBe(1)
  })

  test('findings are those of lint on the same text, with the policies of the account', async () => {
    const tested = testService()
    kept(tested, 'other', 'other', { written: written('other', 'webHosting:*') })
    for (const policy of [
      written('twice', 'webHosting:apisvc:get'),
      { ...written('odd'), identities: ['urn:v1:eu:identity:user:ab12-svc/*'], expiredAt: '2020-01-01T00:00:00Z' },
      { ...written('typo'), permissions: { allow: [{ action: 'webHosting:apisvc:gte' }] } },
      { name: 'half', identities: ['nobody'] },
    ]) {
      const text = JSON.stringify(policy, null, 1)
      const sources = [sourceOf('other.json', JSON.stringify(written('other', 'webHosting:*'))), sourceOf('policy.json', text)]
      const { settings } = tested.service
      const reads = await Promise.all(sources.map((source) => readSource(source, settings)))
      const { world, diagnostics } = buildWorld(reads.map(({ facts }) => facts))
      const read = [...reads.flatMap((each) => each.diagnostics), ...diagnostics]
      const context = ruleContext({
        world: { ...world, account: testAccount },
        catalogue: await loadCatalogue(settings.brand),
        settings,
        now: tested.service.ports.clock.now(),
      })
      const expected = lint(rules, context, read).filter(({ span }) => span.source.path === 'policy.json')
      const { findings, others } = checkPolicy(tested.service, testAccount, text)
      expect(findings.map(({ code, span }) => [code, span.start])).toEqual(expected.map(({ code, span }) => [code, span.start]))
      expect(others).toBe(1)
    }
  })

  test('an edit replaces the text, unless another user changed the policy meanwhile', () => {
    const tested = testService()
    kept(tested, 'p', 'first')
    const page = '/console/policies/p/edit'
    const shown = tested.send('GET', page)
    expect(shown.html).toContain('&quot;name&quot;: &quot;first&quot;')
    const stale = { form_token: tokenIn(shown), seen: hiddenIn(shown, 'seen'), do: 'save' }
    expect(submit(tested, page, { policy: JSON.stringify(written('second')), do: 'save' }).status).toBe(303)
    const late = tested.send('POST', page, form({ ...stale, policy: JSON.stringify(written('third')) }))
    expect([late.status, policiesNamed(tested, 'second').length]).toEqual([409, 1])
    expect(late.html).toContain('Somebody else changed this policy meanwhile')
    expect(late.html).toContain('&quot;name&quot;: &quot;second&quot;')
    const again = tested.send('POST', page, form({ ...stale, seen: hiddenIn(late, 'seen'), policy: JSON.stringify(written('third')) }))
    expect([again.status, policiesNamed(tested, 'third').length]).toEqual([303, 1])
  })

  test('one is deleted after a question, and a read-only one is neither changed nor deleted', () => {
    const tested = testService()
    kept(tested, 'p', 'gone soon')
    kept(tested, 'managed', 'managed', { readOnly: true })
    expect(tested.send('GET', '/console/policies/p/delete').html).toContain('Delete gone soon?')
    expect(tested.send('POST', '/console/policies/p/delete', form({ form_token: 'x' })).status).toBe(403)
    const deleted = submit(tested, '/console/policies/p/delete', {})
    expect([deleted.status, policiesNamed(tested, 'gone soon').length]).toEqual([303, 0])
    for (const act of ['edit', 'delete']) {
      expect(tested.send('GET', `/console/policies/managed/${act}`).status).toBe(403)
      expect(tested.send('GET', `/console/policies/p/${act}`).status).toBe(404)
    }
  })

  test('a text with invisible characters comes back from the editor as it was stored', () => {
    const odd = { name: 'n', description: 'family \u{1f468}\u200d\u{1f469} \u00ad\u2028 </textarea> e\u0301' }
    expect(JSON.parse(policyText(odd))).toEqual(odd)
    for (const unseen of ['\u00ad', '\u200d', '\u2028']) expect(policyText(odd)).not.toContain(unseen)
  })
})

describe('applications', () => {
  const withKey = (account: string = testAccount) => {
    const tested = testService({
      state: [
        {
          kind: 'application',
          key: 'ak',
          value: {
            key: 'ak',
            secret: 's',
            name: 'Backups',
            description: 'copies',
            account: testAccount,
            createdAt: '2026-01-01T00:00:00.000Z',
          },
        },
        {
          kind: 'credential',
          key: 'the-consumer-key',
          value: {
            consumerKey: 'the-consumer-key',
            application: 'ak',
            region: 'eu',
            rules: [{ method: 'GET', path: '/me' }],
            redirection: null,
            state: 'validated',
            validation: 'v',
            identity: `urn:v1:eu:identity:account:${account}`,
            account,
            createdAt: '2026-01-01T00:00:00.000Z',
          },
        },
      ],
    })
    return tested
  }
  const keys = '/console/applications/keys'

  test('are listed with their keys, of which the pages show no secret', () => {
    const tested = withKey()
    const list = tested.send('GET', '/console/applications').html ?? ''
    expect(list).toContain('Backups')
    expect(list).toContain('data-label="Valid consumer keys">1<')
    const page = tested.send('GET', keys).html ?? ''
    expect(page).toContain('Read: only /me')
    expect(page).toContain('valid')
    expect(list + page).not.toContain('the-consumer-key')
  })

  test('a key is revoked by the account that accepted it, and by no other', () => {
    const tested = withKey()
    const action =
      /action="\/eu(\/console\/applications\/keys\/[0-9a-f]+\/revoke[^"]*)"/.exec(tested.send('GET', keys).html ?? '')?.[1] ?? ''
    const token = tokenIn(tested.send('GET', keys))
    const state = () => tested.service.state.table('credential').get('the-consumer-key')?.state
    expect(tested.send('POST', action, form({ form_token: 'x' })).status).toBe(403)
    expect(state()).toBe('validated')
    expect(tested.send('POST', action, form({ form_token: token })).headers?.location).toContain('revoked=yes')
    expect(state()).toBe('expired')
    expect(tested.send('GET', keys).html).not.toContain('Revoke<')
    const foreign = withKey('cd34-svc')
    expect(foreign.send('GET', keys).html).toContain('No consumer key yet.')
    foreign.send('POST', action, form({ form_token: tokenIn(withKey().send('GET', keys)) }))
    expect(foreign.service.state.table('credential').get('the-consumer-key')?.state).toBe('validated')
  })
})

test('what is wrong with a form has the focus, next to the hint of its field', () => {
  const tested = testService()
  const { html = '' } = submit(tested, '/console/service-accounts', { name: '' })
  expect(html).toContain('id="errors" role="alert" tabindex="-1" autofocus')
  expect(html).toMatch(/aria-describedby="name-hint name-error" aria-invalid="true"/)
  expect(html).toContain('id="name-hint"')
  expect(html).toMatch(/<form method="post"[^>]* novalidate>/)
})
