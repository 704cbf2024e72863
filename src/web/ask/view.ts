import { sentenceCase } from '../../page/words.ts'
import { shown } from '../../report/safe.ts'
import { lineStarts } from '../../source.ts'
import type { Page, Route, View } from '../app/page.ts'
import { prose } from '../app/words.ts'
import { add, el, fill, saveFile, set } from '../dom.ts'
import type { Edits, Engine } from '../engine/index.ts'
import { changeCards, printed, text } from './answers.ts'
import { answerTo, isWhole, QuestionForm } from './asking.ts'
import type { Client } from './client.ts'
import type { Editor } from './editor.ts'
import { type Finding, findingsPart } from './findings.ts'
import { headline, outcomeParts } from './outcome.ts'
import { routeOfState, type State, stateOf } from './state.ts'

/** Ask what is allowed, edit a policy, and see what that changes before anybody writes it. */
export const ask: View = {
  name: 'ask',
  title: 'What if',
  has: ({ data, has }) => data.whatIf !== undefined && has('engine') && has('catalogue') && has('more'),
  show(place, route, page) {
    new WhatIf(place, route, page)
  },
}

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

  private readonly asking: QuestionForm
  private readonly answer = el('div', { class: 'outcome' })
  private readonly files = el('select', { id: 'ask-file', onchange: () => this.open(this.files.value) })
  private readonly note = el('p', { class: 'soft', hidden: true })
  private readonly pane = el('div', { class: 'pane' })
  private readonly list = el('div', { class: 'found' })
  private readonly change = el('div', { class: 'effect' })
  private readonly actions = el('div', { class: 'actions' })

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
    this.asking = new QuestionForm(
      this.state,
      {
        identities: () => identities,
        groups: () => groups,
        resources: () => [...resources, ...sets],
        actions: () => data.actions,
      },
      (asked) => this.set(asked),
      () => this.work(0),
    )
    add(
      place,
      el('p', { class: 'lead' }, 'Ask over these policies, or over an edit of them. Nothing leaves this page, and nothing is written.'),
      this.asking.element,
      el('h2', { class: 'unseen' }, 'Answer'),
      this.answer,
      el('h2', {}, 'Edit'),
      el(
        'div',
        { class: 'choosing' },
        el('label', { for: 'ask-file' }, 'File '),
        this.files,
        el('button', { type: 'button', onclick: () => this.create() }, 'New file'),
        this.actions,
      ),
      this.note,
      el('div', { class: 'editing' }, this.pane, el('div', { class: 'beside-pane' }, this.change, this.list)),
    )
    page.onLeave(() => {
      clearTimeout(this.timer)
      this.round = -1
      keep(this.state.edits)
      this.editor?.then((editor) => editor.destroy())
    })
    if (lost.length > 0)
      this.say(`The edit in this link is of another version of ${lost.map((path) => text(path, 100)).join(', ')}: it is left out.`)
    this.listFiles()
    this.open(
      this.before.has(this.state.file) || this.state.edits[this.state.file] !== undefined
        ? this.state.file
        : ([...this.before.keys()][0] ?? ''),
      false,
    )
    this.work(0)
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
    fill(this.answer, el('p', { class: 'problem' }, `Something went wrong in this page: ${text(String(error))}`))
  }

  private async askNow(round: number): Promise<void> {
    const client = await this.client
    const { edits } = this.state
    const isEdited = Object.keys(this.changed()).length > 0
    const question = isWhole(this.state)
    const [now, old, difference, linted] = [
      question && answerTo(this.state, client, edits),
      question && isEdited && answerTo(this.state, client, {}),
      isEdited && client.diff(edits),
      client.lint(edits),
    ]
    const outcome = await now
    const previous = await old
    if (round !== this.round) return
    fill(
      this.answer,
      ...(outcome
        ? outcomeParts(outcome, previous || undefined, {
            asked: this.state,
            openPlace: this.openPlace,
            textOf: (path) => this.textOf(path),
          })
        : [el('p', { class: 'soft' }, 'Fill in the question to see the answer.')]),
    )
    if (outcome) this.page.announce(headline(outcome, this.state))
    const { findings } = await linted
    if (round !== this.round) return
    this.findings = findings
    await this.showFindings()
    const changed = (await difference) || undefined
    if (round !== this.round) return
    this.showDifference(changed)
  }

  private readonly openPlace = (path: string, line: number, column: number): void => {
    const text = this.textOf(path)
    if (text === undefined) return
    const start = lineStarts({ text })[line - 1] ?? 0
    this.open(path)
    this.editor?.then((editor) => editor.goTo(start + column - 1))
  }

  private textOf(path: string): string | undefined {
    return this.state.edits[path] ?? this.before.get(path)
  }

  /** The texts that differ from the original ones. */
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
        el(
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
        el('button', { type: 'button', onclick: () => this.revert() }, 'Undo the edits of this file'),
        el('button', { type: 'button', class: 'primary', onclick: () => this.download() }, 'Download the patch'),
        el('button', { type: 'button', onclick: () => this.copy() }, 'Copy the patch'),
        !isWhole && el('span', { class: 'soft' }, 'The edit is too long for the address: share the patch.'),
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
    fill(this.pane, el('p', { class: 'soft' }, 'Loading the editor…'))
    const { create } = await this.page.load<typeof import('./editor.ts')>('editor')
    const host = el('div', { class: 'editor' })
    fill(this.pane, host)
    const { identities, groups, resources, resourceGroups, actions } = this.page.data
    const urns = [identities, groups, resources, resourceGroups].flatMap((each) => each.map(({ urn }) => urn))
    return create(host, { onChange: (own) => this.edit(own), names: () => [...urns, ...actions] })
  }

  private edit(text: string): void {
    const { file, edits } = this.state
    const { [file]: _, ...others } = edits
    this.state = { ...this.state, edits: this.before.get(file) === text ? others : { ...others, [file]: text } }
    keep(this.state.edits)
    this.listFiles()
    this.work(pause)
  }

  /** Take edits that were made outside of the editor: a fix. */
  private take(edits: Edits): void {
    this.state = { ...this.state, edits }
    keep(edits)
    const text = this.textOf(this.state.file)
    if (text !== undefined) this.editor?.then((editor) => editor.replace(text))
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
    const ofFile = this.findings.filter((each) => each.file === file)
    const editor = await this.editor
    editor?.mark(ofFile.map(({ start, end, severity, message }) => ({ start, end, severity, message: shown(message) })))
    const isEditable = this.readOnly(file) === undefined
    fill(
      this.list,
      ...findingsPart(ofFile, {
        goTo: (offset) => this.editor?.then((each) => each.goTo(offset)),
        rule: (code) => this.page.link('rule', code),
        ...(isEditable && {
          fix: (number) => this.fixWith((client) => client.fix(number, this.state.edits)),
          fixAll: () => this.fixWith((client) => client.fixAll([file], edits)),
        }),
      }),
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
      fill(
        this.change,
        el('h3', {}, 'What the edit changes'),
        el('p', { class: 'soft' }, 'Edit the text to see who gains or loses access.'),
      )
      return
    }
    const { answer, problems } = outcome
    if (!answer) {
      fill(
        this.change,
        el('h3', {}, 'What the edit changes'),
        el('p', {}, 'Nothing is decided while the text has errors:'),
        el('ul', { class: 'facts' }, ...problems.slice(0, 5).map(({ message }) => el('li', {}, ...prose(message, 400)))),
      )
      return
    }
    const { words } = answer
    fill(
      this.change,
      el('h3', {}, 'What the edit changes'),
      el('p', {}, sentenceCase(text(words.summary, 600)), '.'),
      changeCards('gained', words.gained, this.openPlace),
      changeCards('lost', words.lost, this.openPlace),
      printed(answer.text),
    )
    this.page.announce(words.summary)
  }

  private async download(): Promise<void> {
    const patch = await (await this.client).patch(this.changed())
    saveFile('policies.patch', new Blob([patch], { type: 'text/x-patch' }))
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

/** A name of a single object; the URN where the short name is not a name, as of resource groups. */
const nameOf = (short: string, urn: string) => (/[\s"]/.test(short) ? urn : short)

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
