import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { sourceOf } from '../../source.ts'
import { lines } from '../app/frame.ts'
import type { Page, Route, View } from '../app/page.ts'
import { prose } from '../app/words.ts'
import { add, fill, h, set } from '../dom.ts'
import type { Edits, Engine } from '../engine/index.ts'
import { answerTable, changeCard, placeButton, printed, text, verdicts } from './answers.ts'
import type { Client } from './client.ts'
import type { Editor } from './editor.ts'
import { type Field, field } from './field.ts'
import { type Kind, routeOfState, type State, stateOf } from './state.ts'

/** Ask what is allowed, edit a policy, and see what that changes before anybody writes it. */
export const ask: View = {
  name: 'ask',
  title: 'What if',
  has: ({ data, has }) => data.whatIf !== undefined && has('engine') && has('catalogue') && has('more'),
  show(place, route, page) {
    new WhatIf(place, route, page)
  },
}

type CanAnswer = NonNullable<Awaited<ReturnType<Engine['can']>>['answer']>
type ListAnswer = NonNullable<Awaited<ReturnType<Engine['who']>>['answer']>
type Outcome = Awaited<ReturnType<Engine['can']>> | Awaited<ReturnType<Engine['who']>>
type Finding = Awaited<ReturnType<Engine['lint']>>['findings'][number]

const titles: Readonly<Record<Kind, string>> = { can: 'Can somebody do something?', who: 'Who may do it?', what: 'What may somebody do?' }

/** How many changes of a side are shown. */
const mostChanges = 40

/** How long after a key is pressed something is asked, in milliseconds. */
const pause = 250

class WhatIf {
  private readonly page: Page
  private readonly before: ReadonlyMap<string, string>
  private readonly client: Promise<Client>
  private state: State
  private editor: Promise<Editor> | undefined
  private findings: readonly Finding[] = []
  private timer: number | undefined
  private round = 0

  private readonly fields: Readonly<Record<'identity' | 'action' | 'resource' | 'ip' | 'at' | 'tag' | 'group', Field>>
  private readonly answer = h('div', { class: 'outcome' })
  private readonly files = h('select', { id: 'ask-file', onchange: () => this.open(this.files.value) })
  private readonly note = h('p', { class: 'soft', hidden: true })
  private readonly pane = h('div', { class: 'pane' })
  private readonly list = h('div', { class: 'found' })
  private readonly change = h('div', { class: 'effect' })
  private readonly actions = h('div', { class: 'actions' })

  constructor(place: HTMLElement, route: Route, page: Page) {
    this.page = page
    const { data } = page
    this.before = new Map((data.whatIf?.sources ?? []).map(({ file }) => [data.files[file]?.path ?? '', data.files[file]?.text ?? '']))
    const { lost, ...state } = stateOf(route, this.before)
    this.state = { ...state, edits: { ...kept(), ...state.edits } }
    this.client = page.engine()
    const things = [data.identities, data.groups, data.resources, data.resourceGroups]
    const [identities = [], groups = [], resources = [], sets = []] = things.map((each) =>
      each.map(({ urn, short }) => (short === shown(urn) ? urn : nameOf(short, urn))),
    )
    const changed = (name: keyof State) => (value: string) => this.set({ [name]: value })
    const of = (name: keyof WhatIf['fields'], label: string, options: () => readonly string[], hint: string) =>
      field({ id: `ask-${name}`, label, options, hint, value: this.state[name], onChange: changed(name) })
    this.fields = {
      identity: of('identity', 'Who', () => [...identities, ...groups], 'user/ann, or a URN'),
      action: of('action', 'Does what', () => data.actions, 'vps:apisvc:reboot'),
      resource: of('resource', 'On what', () => [...resources, ...sets], 'vps:web-1, or a URN'),
      ip: of('ip', 'From the address', () => [], '203.0.113.7'),
      at: of('at', 'At', () => [], '2027-01-31T09:00:00Z; any time from now where left out'),
      tag: of('tag', 'Tags of the resource', () => [], 'env=prod, team=web'),
      group: of('group', 'Also in the groups', () => groups, 'group/ops'),
    }
    const radios = (Object.keys(titles) as Kind[]).map((kind) =>
      h(
        'label',
        {},
        h('input', { type: 'radio', name: 'ask-kind', value: kind, checked: kind === this.state.kind, onchange: () => this.choose(kind) }),
        ` ${titles[kind]}`,
      ),
    )
    const { identity, action, resource, ip, at, tag, group } = this.fields
    const hasContext = [ip, at, tag, group].some(({ input }) => input.value !== '')
    add(
      place,
      h('p', { class: 'lead' }, 'Ask over these policies, or over an edit of them. Nothing leaves this page, and nothing is written.'),
      h(
        'form',
        {
          class: 'asking',
          onsubmit: (event: Event) => {
            event.preventDefault()
            this.work(0)
          },
        },
        h('fieldset', { class: 'kinds' }, h('legend', {}, 'Question'), ...radios),
        h(
          'div',
          { class: 'fields' },
          identity.element,
          action.element,
          resource.element,
          h('button', { type: 'submit', class: 'primary' }, 'Ask'),
        ),
        h(
          'details',
          { open: hasContext },
          h('summary', {}, 'Circumstances'),
          h('div', { class: 'fields' }, ip.element, at.element, tag.element, group.element),
        ),
      ),
      h('h2', { class: 'unseen' }, 'Answer'),
      this.answer,
      h('h2', {}, 'Edit'),
      h(
        'div',
        { class: 'choosing' },
        h('label', { for: 'ask-file' }, 'File '),
        this.files,
        h('button', { type: 'button', onclick: () => this.create() }, 'New file'),
        this.actions,
      ),
      this.note,
      h('div', { class: 'editing' }, this.pane, h('div', { class: 'beside-pane' }, this.change, this.list)),
    )
    page.onLeave(() => {
      clearTimeout(this.timer)
      this.round = -1
      keep(this.state.edits)
      this.editor?.then((editor) => editor.destroy())
    })
    if (lost.length > 0)
      this.say(`The edit in this link is of another version of ${lost.map((path) => text(path, 100)).join(', ')}: it is left out.`)
    this.arrange()
    this.listFiles()
    this.open(
      this.before.has(this.state.file) || this.state.edits[this.state.file] !== undefined
        ? this.state.file
        : ([...this.before.keys()][0] ?? ''),
      false,
    )
    this.work(0)
  }

  private choose(kind: Kind): void {
    this.state = { ...this.state, kind }
    this.arrange()
    this.set({})
  }

  /** Show the fields that a question has. */
  private arrange(): void {
    const { kind } = this.state
    this.fields.identity.element.hidden = kind === 'who'
    this.fields.action.element.hidden = kind === 'what'
    const label = kind === 'what' ? 'On what (all where left out)' : 'On what'
    fill(this.fields.resource.label, label)
  }

  private set(some: Partial<State>): void {
    this.state = { ...this.state, ...some }
    this.work(pause)
  }

  /** Everything that follows from the state, after a moment in which nothing changes. */
  private work(after: number): void {
    clearTimeout(this.timer)
    const { route } = routeOfState(this.state, this.before)
    this.page.go(route, true)
    this.timer = setTimeout(() => {
      this.round++
      this.askNow(this.round).catch((error) => this.fail(error))
    }, after)
  }

  private fail(error: unknown): void {
    fill(this.answer, h('p', { class: 'problem' }, `Something went wrong in this page: ${text(String(error))}`))
  }

  private async askNow(round: number): Promise<void> {
    const client = await this.client
    const { edits } = this.state
    const isEdited = Object.keys(this.changed()).length > 0
    const question = this.question()
    const [now, old, difference, found] = [
      question && this.outcome(client, edits),
      question && isEdited && this.outcome(client, {}),
      isEdited && client.diff(edits),
      client.lint(edits),
    ]
    const outcome = await now
    const previous = await old
    if (round !== this.round) return
    fill(
      this.answer,
      ...(outcome
        ? this.outcomeParts(outcome, previous || undefined)
        : [h('p', { class: 'soft' }, 'Fill in the question to see the answer.')]),
    )
    if (outcome) this.page.announce(this.headline(outcome))
    const { findings } = await found
    if (round !== this.round) return
    this.findings = findings
    await this.showFindings()
    const changed = (await difference) || undefined
    if (round !== this.round) return
    this.showDifference(changed)
  }

  private question(): boolean {
    const { kind, identity, action, resource } = this.state
    if (kind === 'what') return identity !== ''
    return action !== '' && resource !== '' && (kind === 'who' || identity !== '')
  }

  private outcome(client: Client, edits: Edits): Promise<Outcome> {
    const { kind, identity, action, resource, ip, at, tag, group } = this.state
    const list = (words: string) => words.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
    const circumstances = {
      group: list(group),
      tag: list(tag),
      ...(ip !== '' && { ip: ip.trim() }),
      ...(at !== '' && { at: at.trim() }),
    }
    if (kind === 'can') return client.can([identity, action, resource], circumstances, edits)
    if (kind === 'who') return client.who(action, resource, circumstances, edits)
    return client.what(identity, resource === '' ? undefined : resource, circumstances, edits)
  }

  private headline({ answer, problems }: Outcome): string {
    if (!answer) return `No answer: ${problems[0]?.message ?? ''}`
    if (this.state.kind === 'can') return verdicts[answer.verdict].word
    const { rows } = answer as ListAnswer
    const allowed = rows.filter(({ verdict }) => verdict === 'allow').length
    return allowed === 0
      ? answer.verdict === 'unknown'
        ? 'It depends'
        : this.state.kind === 'who'
          ? 'Nobody'
          : 'Nothing'
      : plural(allowed, 'row')
  }

  private outcomeParts(outcome: Outcome, before: Outcome | undefined): readonly (HTMLElement | false)[] {
    const { answer, problems } = outcome
    if (!answer)
      return [
        h('div', { class: 'verdict warning' }, h('strong', {}, 'No answer')),
        h(
          'ul',
          { class: 'facts' },
          ...problems
            .slice(0, 20)
            .map(({ message, help }) =>
              h('li', {}, ...prose(message, 600), help !== undefined && h('p', { class: 'soft' }, ...prose(help, 600))),
            ),
        ),
      ]
    const { verdict } = answer
    const old = before?.answer?.verdict
    const changed =
      before !== undefined &&
      old !== verdict &&
      h('p', { class: 'soft' }, `Without your edit: ${old === undefined ? 'no answer' : verdicts[old].word.toLowerCase()}.`)
    return this.state.kind === 'can' ? this.canParts(answer as CanAnswer, changed) : this.listParts(answer as ListAnswer, changed)
  }

  private canParts(
    { verdict, words, identity, resource, text: output }: CanAnswer,
    changed: HTMLElement | false,
  ): readonly (HTMLElement | false)[] {
    const { word, tone } = verdicts[verdict]
    const may = verdict === 'allow' ? 'may' : verdict === 'deny' ? 'may not' : 'may or may not'
    return [
      h(
        'div',
        { class: `verdict ${tone}` },
        h('strong', {}, `${word}.`),
        ' ',
        h('span', { class: 'name' }, text(identity, 120)),
        ` ${may} `,
        h('code', {}, text(this.state.action, 120)),
        ' on ',
        h('span', { class: 'name' }, text(resource, 120)),
        words.turning !== undefined && `, ${text(words.turning)}`,
      ),
      changed,
      h('h3', {}, sentenceCase(words.sentence)),
      words.entries.length > 0 &&
        h(
          'ol',
          { class: 'entries' },
          ...words.entries.map(({ row: [place, policy, entry], gates }) =>
            h(
              'li',
              {},
              h('p', {}, h('strong', {}, text(policy, 200)), ` ${text(entry)} `, placeButton(place, this.openPlace)),
              this.frameAt(place),
              gates.length > 0 && this.gates(gates, `What lets ${text(policy, 80)} apply, at ${text(place, 120)}`),
            ),
          ),
        ),
      words.missing.length > 0 &&
        h(
          'ul',
          { class: 'facts' },
          ...words.missing.map((each) => h('li', {}, text(each))),
          h('li', { class: 'soft' }, `Settle it with ${text(words.settling.join(', '), 600)}`),
        ),
      words.nearest !== undefined &&
        (words.nearest.rows.length === 0
          ? h('p', { class: 'soft' }, 'No policy would grant it if only one thing were different.')
          : h(
              'div',
              {},
              h('h3', {}, 'The nearest policies'),
              this.gates(words.nearest.rows, 'The nearest policies'),
              words.nearest.left > 0 && h('p', { class: 'soft' }, `and ${words.nearest.left} more`),
            )),
      ...[...words.notes, ...words.caveats.map(([each]) => each)].map((each) => h('p', { class: 'remark' }, `Note: ${text(each, 600)}`)),
      printed(output),
    ]
  }

  private gates(rows: readonly (readonly [place: string, gate: string, words: string])[], title: string): HTMLElement {
    return h(
      'div',
      { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': title },
      h(
        'table',
        { class: 'list gates' },
        h(
          'tbody',
          {},
          ...rows.map(([place, gate, why]) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, text(gate, 120)),
              h('td', {}, text(why)),
              h('td', {}, placeButton(place, this.openPlace)),
            ),
          ),
        ),
      ),
    )
  }

  private listParts(
    { verdict, rows, reasons, notes, text: output }: ListAnswer,
    changed: HTMLElement | false,
  ): readonly (HTMLElement | false)[] {
    const { kind, identity, action, resource } = this.state
    const allowed = rows.filter((row) => row.verdict === 'allow').length
    const nothing = kind === 'who' ? 'Nobody' : 'Nothing'
    const head = allowed > 0 ? (kind === 'who' ? 'They may' : 'It may') : verdict === 'unknown' ? 'It depends' : nothing
    const isOpen = kind === 'who' ? action.includes('*') || resource.includes('*') : identity.includes('*')
    return [
      h(
        'div',
        { class: `verdict ${verdicts[verdict].tone}` },
        h('strong', {}, `${head}.`),
        ` ${kind === 'who' ? `${text(action, 120)} on ${text(resource, 120)}` : text(identity, 120)}`,
      ),
      changed,
      rows.length > 0 && answerTable('Rows of the answer', rows, this.openPlace, isOpen ? [] : kind === 'who' ? ['May do', 'On'] : ['Who']),
      ...[...reasons, ...notes].map((each) => h('p', { class: 'remark' }, `Note: ${text(each, 600)}`)),
      printed(output),
    ]
  }

  /** The line that a place stands in, of the text as it is now. */
  private frameAt(place: string): HTMLElement | false {
    const [, path = '', line = ''] = /^(.*?):(\d+):\d+$/s.exec(place) ?? []
    const own = this.textOf(path)
    if (own === undefined) return false
    return lines(sourceOf(path, own), Number(line), Number(line), [])
  }

  private readonly openPlace = (path: string, line: number, column: number): void => {
    const own = this.textOf(path)
    if (own === undefined) return
    const start = sourceOf(path, own).lineStarts[line - 1] ?? 0
    this.open(path)
    this.editor?.then((editor) => editor.goTo(start + column - 1))
  }

  private textOf(path: string): string | undefined {
    return this.state.edits[path] ?? this.before.get(path)
  }

  /** The texts that differ from what was read. */
  private changed(): Edits {
    return Object.fromEntries(Object.entries(this.state.edits).filter(([path, own]) => this.before.get(path) !== own))
  }

  // The editor.

  /** The files, those that are edited marked. */
  private listFiles(): void {
    const changed = this.changed()
    const paths = [...new Set([...this.before.keys(), ...Object.keys(this.state.edits)])]
    fill(
      this.files,
      ...paths.map((path) =>
        h(
          'option',
          { value: path, selected: path === this.state.file },
          `${changed[path] === undefined ? '' : '● '}${text(path, 120)}${this.readOnly(path) === undefined ? '' : ' (read only)'}`,
        ),
      ),
    )
    const edited = Object.keys(changed)
    const { isWhole } = routeOfState(this.state, this.before)
    fill(
      this.actions,
      edited.length > 0 && [
        h('button', { type: 'button', onclick: () => this.revert() }, 'Undo the edits of this file'),
        h('button', { type: 'button', class: 'primary', onclick: () => this.download() }, 'Download the patch'),
        h('button', { type: 'button', onclick: () => this.copy() }, 'Copy the patch'),
        !isWhole && h('span', { class: 'soft' }, 'The edit is too long for the address: share the patch.'),
      ],
    )
  }

  private readOnly(path: string): string | undefined {
    const { whatIf, files } = this.page.data
    return whatIf?.sources.find(({ file }) => files[file]?.path === path)?.read?.why
  }

  private open(path: string, isAsked = true): void {
    if (path === '') return
    this.state = { ...this.state, file: path }
    this.files.value = path
    const why = this.readOnly(path)
    if (why === undefined) this.note.hidden = true
    else this.say(`This file is shown and cannot be edited: ${why}.`)
    this.editor ??= this.load()
    this.editor.then((editor) => {
      editor.show(this.textOf(path) ?? '', {
        label: `Text of ${text(path, 120)}`,
        isYaml: !/\.json$/i.test(path),
        isReadOnly: why !== undefined,
      })
      return this.showFindings()
    })
    if (isAsked) this.work(pause)
  }

  private async load(): Promise<Editor> {
    fill(this.pane, h('p', { class: 'soft' }, 'Loading the editor…'))
    const { create } = await this.page.load<typeof import('./editor.ts')>('editor')
    const host = h('div', { class: 'editor' })
    fill(this.pane, host)
    return create(host, { onChange: (own) => this.edit(own) })
  }

  private edit(own: string): void {
    const { file, edits } = this.state
    const { [file]: _, ...others } = edits
    this.state = { ...this.state, edits: this.before.get(file) === own ? others : { ...others, [file]: own } }
    keep(this.state.edits)
    this.listFiles()
    this.work(pause)
  }

  /** Take edits that somebody else made: a fix. */
  private take(edits: Edits): void {
    this.state = { ...this.state, edits }
    keep(edits)
    const own = this.textOf(this.state.file)
    if (own !== undefined) this.editor?.then((editor) => editor.replace(own))
    this.listFiles()
    this.work(0)
  }

  private revert(): void {
    const { [this.state.file]: _, ...others } = this.state.edits
    const wasNew = !this.before.has(this.state.file)
    this.take(others)
    if (wasNew) {
      this.open([...this.before.keys()][0] ?? '')
      this.listFiles()
    }
    this.page.announce('The edits of this file are undone.')
  }

  private create(): void {
    const folder = this.state.file.replace(/[^/]*$/, '')
    let path = `${folder}new-policy.json`
    for (let i = 2; this.textOf(path) !== undefined; i++) path = `${folder}new-policy-${i}.json`
    this.state = { ...this.state, edits: { ...this.state.edits, [path]: starter(this.state) } }
    keep(this.state.edits)
    this.listFiles()
    this.open(path)
  }

  private async showFindings(): Promise<void> {
    const { file, edits } = this.state
    const own = this.findings.filter((each) => each.file === file)
    const editor = await this.editor
    editor?.mark(own.map(({ start, end, severity, message }) => ({ start, end, severity, message: shown(message) })))
    const safe = own.filter(({ fix }) => fix?.isSafe)
    const isEditable = this.readOnly(file) === undefined
    fill(
      this.list,
      h('h3', {}, own.length === 0 ? 'No findings in this file' : plural(own.length, 'finding')),
      isEditable &&
        safe.length > 1 &&
        h(
          'button',
          { type: 'button', onclick: () => this.fixWith((client) => client.fixAll([file], edits)) },
          `Fix all ${safe.length} safe ones`,
        ),
      ...own.slice(0, 60).map((finding) => this.findingPart(finding, isEditable)),
      own.length > 60 && h('p', { class: 'soft' }, `and ${own.length - 60} more`),
    )
  }

  private findingPart({ code, severity, message, help, start, line, number, fix }: Finding, isEditable: boolean): HTMLElement {
    const goTo = () => this.editor?.then((editor) => editor.goTo(start))
    return h(
      'div',
      { class: `finding ${severity}` },
      h('p', {}, h('span', { class: `badge ${severity}` }, severity), ' ', ...prose(message, 600)),
      help !== null && h('p', { class: 'soft' }, ...prose(help, 600)),
      h(
        'p',
        {},
        h('button', { type: 'button', class: 'place', onclick: goTo }, `line ${line}`),
        ' ',
        this.page.link('rule', code),
        isEditable && fix && ' ',
        isEditable &&
          fix &&
          h(
            'button',
            { type: 'button', onclick: () => this.fixWith((client) => client.fix(number, this.state.edits)) },
            `${fix.isSafe ? 'Fix' : 'Apply, may change access'}: `,
            ...prose(fix.description, 120),
          ),
      ),
    )
  }

  private async fixWith(fix: (client: Client) => Promise<Edits>): Promise<void> {
    const before = this.state.edits
    const edits = await fix(await this.client)
    if (before !== this.state.edits) return
    const isSame = JSON.stringify(edits) === JSON.stringify(before)
    if (!isSame) this.take(edits)
    this.page.announce(isSame ? 'It could not be proved that the fix is safe: nothing was changed.' : 'Fixed.')
    if (isSame) this.say('It could not be proved that the policies say the same with the fix: nothing was changed.')
  }

  private showDifference(outcome: Awaited<ReturnType<Engine['diff']>> | undefined): void {
    if (!outcome) {
      fill(this.change, h('h3', {}, 'What the edit changes'), h('p', { class: 'soft' }, 'Edit the text to see who gains or loses access.'))
      return
    }
    const { answer, problems } = outcome
    if (!answer) {
      fill(
        this.change,
        h('h3', {}, 'What the edit changes'),
        h('p', {}, 'Nothing is decided while the text has errors:'),
        h('ul', { class: 'facts' }, ...problems.slice(0, 5).map(({ message }) => h('li', {}, ...prose(message, 400)))),
      )
      return
    }
    const { words } = answer
    const side = (rows: typeof words.gained, name: 'gained' | 'lost') => [
      ...rows.slice(0, mostChanges).map((row) => changeCard(name, row, this.openPlace)),
      rows.length > mostChanges && h('p', { class: 'soft' }, `and ${plural(rows.length - mostChanges, 'change')} more`),
    ]
    fill(
      this.change,
      h('h3', {}, 'What the edit changes'),
      h('p', {}, sentenceCase(text(words.summary, 600)), '.'),
      side(words.gained, 'gained'),
      side(words.lost, 'lost'),
      words.regions.length > 0 &&
        h(
          'ul',
          { class: 'facts' },
          ...words.regions
            .slice(0, 40)
            .map(([name, own]) => h('li', {}, h('span', { class: `badge ${name}` }, name), ` ${text(own.join('; '), 800)}`)),
        ),
      printed(answer.text),
    )
    this.page.announce(words.summary)
  }

  private async download(): Promise<void> {
    const patch = await (await this.client).patch(this.changed())
    const address = URL.createObjectURL(new Blob([patch], { type: 'text/x-patch' }))
    const link = document.createElement('a')
    link.href = address
    link.download = 'policies.patch'
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
    this.page.announce('The patch is downloaded.')
  }

  private async copy(): Promise<void> {
    const patch = await (await this.client).patch(this.changed())
    try {
      await navigator.clipboard.writeText(patch)
      this.page.announce('The patch is copied.')
      this.say('The patch is copied: apply it with `git apply`.')
    } catch {
      this.say('The browser does not let this page copy: download the patch.')
    }
  }

  private say(words: string): void {
    fill(this.note, words)
    set(this.note, 'role', 'status')
    this.note.hidden = false
  }
}

/** A name that stands for one thing; the URN where the short name is no name, as of resource groups. */
const nameOf = (short: string, urn: string) => (/[\s"]/.test(short) ? urn : short)

const sentenceCase = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** A policy to begin with. */
function starter({ action, resource, identity }: State): string {
  const urn = (text: string, example: string) => (text.startsWith('urn:') ? text : example)
  const policy = {
    name: 'new policy',
    identities: [urn(identity, 'urn:v1:eu:identity:user:ab12-svc/ann')],
    resources: [{ urn: urn(resource, 'urn:v1:eu:resource:vps:vps-1') }],
    permissions: { allow: [{ action: action || 'vps:apisvc:get' }] },
  }
  return `${JSON.stringify(policy, null, 2)}\n`
}

// Edits outlast a page that is loaded anew, and views in between.

const store = 'grantwise.edits'

function keep(edits: Edits): void {
  try {
    sessionStorage.setItem(store, JSON.stringify(edits))
  } catch {
    // Without a store, the address holds them.
  }
}

function kept(): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(store) ?? '{}') as Edits
  } catch {
    return {}
  }
}
