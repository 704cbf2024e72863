import { defaultSettings } from '../../names.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { lineStarts } from '../../source.ts'
import { text } from '../ask/answers.ts'
import { answerTo, isWhole, type Names, QuestionForm } from '../ask/asking.ts'
import { type Client, overWorker } from '../ask/client.ts'
import type { Editor } from '../ask/editor.ts'
import { type Finding, findingsPart } from '../ask/findings.ts'
import { headline, outcomeParts } from '../ask/outcome.ts'
import { add, el, fill, isTyping, saveFile } from '../dom.ts'
import type { Edits } from '../engine/index.ts'
import { type Example, examples } from './examples.ts'
import { fragmentOf, nameProblem, sharedOf } from './share.ts'
import { type Preset, presets, type Shared } from './shared.ts'

/** The environment of the playground's page. */
export interface PlayOptions {
  /** The address of the folder of the scripts: `engine.js`, `editor.js` and the others. */
  readonly scripts: string
  /** The rules, for the levels of a preset. */
  readonly rules: readonly { readonly code: string; readonly severity: string; readonly preset: Preset }[]
  /** The address of the page of a rule. */
  readonly rule: (code: string) => string
  /** The actions to pick from. */
  readonly actions: () => Promise<readonly string[]>
  readonly styles: string
}

/** Show the playground in a place: paste policies, see what lint finds, ask, share. Returns what ends it. */
export function start(place: HTMLElement, options: PlayOptions): () => void {
  const playground = new Playground(place, options)
  return () => playground.end()
}

/** How long after a key is pressed something is asked, in milliseconds. */
const pause = 250

class Playground {
  private readonly options: PlayOptions
  private shared: Shared = first()
  private client: Promise<Client> | undefined
  private worker: Worker | undefined
  private editor: Promise<Editor> | undefined
  private findings: readonly Finding[] = []
  private actions: readonly string[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private round = 0
  private isEnded = false
  /** The end of the address that was written or read last. */
  private fragment = ''

  private readonly live = el('div', { 'aria-live': 'polite', class: 'unseen' })
  private readonly note = el('p', { class: 'callout info', role: 'status', hidden: true })
  private readonly example = el(
    'select',
    { id: 'play-example', onchange: () => this.begin(examples[Number(this.example.value)]) },
    el('option', { value: '' }, 'Choose an example'),
    ...examples.map(({ title }, i) => el('option', { value: i }, title)),
  )
  private readonly preset = el(
    'select',
    { id: 'play-preset', onchange: () => this.choosePreset(this.preset.value as Preset) },
    ...presets.map((each) => el('option', { value: each }, each)),
  )
  private readonly tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Files' })
  private readonly fileName = el('input', {
    id: 'play-name',
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    onchange: () => this.rename(this.fileName.value.trim()),
  })
  private readonly removing = el('button', { type: 'button', onclick: () => this.remove() }, 'Remove')
  private readonly pane = el('div', { class: 'pane' }, el('p', { class: 'soft' }, 'Loading the editor…'))
  private readonly list = el('div', { class: 'found' }, el('p', { class: 'soft' }, 'Loading the engine…'))
  private readonly answer = el('div', { class: 'outcome' })
  private readonly asking: QuestionForm
  private readonly onHash = () => this.open(location.hash)

  constructor(place: HTMLElement, options: PlayOptions) {
    this.options = options
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(options.styles)
    root.adoptedStyleSheets = [sheet]
    // The page around has shortcuts of single letters, and takes this whole place for one that takes no text.
    root.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey } = event as KeyboardEvent
      if (key.length === 1 && !ctrlKey && !metaKey && isTyping(event)) event.stopPropagation()
    })
    this.asking = new QuestionForm(
      this.shared.asked,
      this.names(),
      (asked) => this.set({ asked }),
      () => this.work(0),
    )
    fill(root as unknown as Element)
    add(
      root,
      el(
        'div',
        { class: 'play ui' },
        el('h1', {}, 'Playground'),
        el(
          'p',
          { class: 'lead' },
          'Paste policies, see what is wrong with them, and ask who may do what. It all works in this page: nothing you type is sent anywhere.',
        ),
        el(
          'div',
          { class: 'bar' },
          el('label', { for: 'play-example' }, 'Start with'),
          this.example,
          el('label', { for: 'play-preset' }, 'Preset of rules'),
          this.preset,
          el('button', { type: 'button', class: 'primary', onclick: () => this.share() }, 'Copy a link to this'),
          el('button', { type: 'button', onclick: () => this.download() }, 'Download the patch'),
        ),
        this.note,
        el(
          'div',
          { class: 'columns' },
          el(
            'section',
            { 'aria-labelledby': 'play-files' },
            el('h2', { id: 'play-files', class: 'unseen' }, 'Policies'),
            el('div', { class: 'files' }, this.tabs, el('button', { type: 'button', onclick: () => this.create() }, 'New file')),
            this.pane,
            el('div', { class: 'bar' }, el('label', { for: 'play-name' }, 'Name of the file'), this.fileName, this.removing),
          ),
          el('section', { 'aria-labelledby': 'play-findings' }, el('h2', { id: 'play-findings' }, 'Findings'), this.list),
        ),
        el(
          'section',
          { 'aria-labelledby': 'play-ask' },
          el('h2', { id: 'play-ask' }, 'Ask'),
          this.asking.element,
          el('h2', { class: 'unseen' }, 'Answer'),
          this.answer,
        ),
        this.live,
      ),
    )
    addEventListener('hashchange', this.onHash)
    this.open(location.hash)
  }

  end(): void {
    this.isEnded = true
    clearTimeout(this.timer)
    removeEventListener('hashchange', this.onHash)
    this.worker?.terminate()
    this.editor?.then((editor) => editor.destroy()).catch(() => {})
  }

  /** Show what the end of an address holds; the first example where it holds nothing, or nothing that can be read. */
  private async open(fragment: string): Promise<void> {
    if (fragment !== '' && fragment === this.fragment) return
    this.fragment = fragment
    let shared: Shared | undefined
    try {
      shared = await sharedOf(fragment)
    } catch (error) {
      this.say(`The link cannot be read: ${(error as Error).message}. This is an example instead.`)
    }
    if (!this.isEnded) this.show(shared ?? first())
  }

  private begin(example: Example | undefined): void {
    this.example.value = ''
    if (!example) return
    this.note.hidden = true
    const { files, asked } = example
    this.show({ ...this.shared, files, asked, file: files[0]?.[0] ?? '' })
    this.write()
  }

  /** Show all of a state. */
  private show(shared: Shared): void {
    const isOther = shared.preset !== this.shared.preset || !this.client
    this.shared = shared
    this.preset.value = shared.preset
    this.asking.show(shared.asked)
    if (isOther) this.startEngine()
    this.openFile(shared.file)
    this.work(0)
  }

  private set(some: Partial<Shared>): void {
    this.shared = { ...this.shared, ...some }
    this.work(pause)
  }

  private choosePreset(preset: Preset): void {
    this.shared = { ...this.shared, preset }
    this.startEngine()
    this.work(0)
  }

  /** Starts an engine in a worker, with the levels of the preset. */
  private startEngine(): void {
    this.worker?.terminate()
    const { scripts, rules } = this.options
    const { preset } = this.shared
    const isOn = (rule: { readonly preset: Preset }) => presets.indexOf(rule.preset) <= presets.indexOf(preset)
    const levels = rules.map((rule) => [rule.code, isOn(rule) ? rule.severity : 'off'] as const)
    this.worker = new Worker(`${scripts}beside.js`)
    this.client = overWorker(this.worker, {
      settings: defaultSettings,
      now: Date.now(),
      sources: [],
      profiles: [{ levels, options: [], named: [] }],
      ignores: [],
    })
  }

  private work(after: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.round++
      if (after > 0) this.write()
      this.askNow(this.round).catch((error) => this.fail(error))
    }, after)
  }

  private fail(error: unknown): void {
    if (!this.isEnded) fill(this.answer, el('p', { class: 'problem' }, `Something went wrong in this page: ${text(String(error))}`))
  }

  private async askNow(round: number): Promise<void> {
    const client = await this.client
    if (!client) return
    const { edits } = this
    const { asked } = this.shared
    const [linted, answered] = [client.lint(edits), isWhole(asked) ? answerTo(asked, client, edits) : undefined]
    const { findings, problems } = await linted
    if (round !== this.round) return
    this.findings = findings
    await this.showFindings(problems.map(({ path, message }) => `${path}: ${message}`))
    const outcome = await answered
    if (round !== this.round) return
    const words = plural(findings.length, 'finding')
    if (!outcome) {
      fill(this.answer, el('p', { class: 'soft' }, 'Fill in the question to see the answer.'))
      fill(this.live, words)
      return
    }
    const view = { asked, openPlace: this.openPlace, textOf: (path: string) => this.textOf(path) }
    fill(this.answer, ...outcomeParts(outcome, undefined, view))
    fill(this.live, `${words}. ${headline(outcome, asked)}`)
  }

  private get edits(): Edits {
    return Object.fromEntries(this.shared.files)
  }

  private textOf(path: string): string | undefined {
    return this.shared.files.find(([name]) => name === path)?.[1]
  }

  private readonly openPlace = (path: string, line: number, column: number): void => {
    const text = this.textOf(path)
    if (text === undefined) return
    const start = lineStarts({ text })[line - 1] ?? 0
    this.openFile(path)
    this.editor?.then((editor) => editor.goTo(start + column - 1))
  }

  // Files.

  private openFile(path: string): void {
    this.shared = { ...this.shared, file: path }
    this.listFiles()
    this.editor ??= this.loadEditor()
    this.editor
      .then((editor) => {
        editor.show(this.textOf(path) ?? '', { label: `Text of ${path}`, isYaml: !path.endsWith('.json'), isReadOnly: false })
        return this.showFindings()
      })
      .catch((error) => this.fail(error))
  }

  private listFiles(): void {
    const { files, file } = this.shared
    const choose = (name: string) => {
      this.openFile(name)
      this.write()
    }
    fill(
      this.tabs,
      ...files.map(([name]) =>
        el('button', { type: 'button', 'aria-pressed': String(name === file), onclick: () => choose(name) }, text(name, 60)),
      ),
    )
    this.fileName.value = file
    this.removing.disabled = files.length < 2
  }

  private async loadEditor(): Promise<Editor> {
    await run(`${this.options.scripts}editor.js`)
    const { grantwise } = globalThis as unknown as { readonly grantwise: { readonly editor: typeof import('../ask/editor.ts') } }
    const host = el('div', { class: 'editor' })
    fill(this.pane, host)
    const { identities, groups, resources, actions } = this.names()
    return grantwise.editor.create(host, {
      onChange: (own) => this.edit(own),
      names: () => [...identities(), ...groups(), ...resources(), ...actions()],
    })
  }

  private edit(own: string): void {
    const { files, file } = this.shared
    this.set({ files: files.map(([name, before]) => [name, name === file ? own : before] as const) })
  }

  private create(): void {
    const { files } = this.shared
    let name = 'policy.yaml'
    for (let i = 2; this.textOf(name) !== undefined; i++) name = `policy-${i}.yaml`
    this.shared = { ...this.shared, files: [...files, [name, '']] }
    this.openFile(name)
    this.work(pause)
    this.editor?.then((editor) => editor.goTo(0))
  }

  private remove(): void {
    const files = this.shared.files.filter(([name]) => name !== this.shared.file)
    this.shared = { ...this.shared, files }
    this.openFile(files[0]?.[0] ?? '')
    this.work(pause)
  }

  private rename(name: string): void {
    const { files, file } = this.shared
    const problem = nameProblem(name) ?? (name !== file && this.textOf(name) !== undefined ? 'Another file has this name.' : undefined)
    if (problem) {
      this.say(problem)
      this.fileName.value = file
      return
    }
    this.note.hidden = true
    this.shared = { ...this.shared, files: files.map(([each, own]) => [each === file ? name : each, own] as const) }
    this.openFile(name)
    this.work(pause)
  }

  private async showFindings(problems: readonly string[] = []): Promise<void> {
    const { file } = this.shared
    const ofFile = this.findings.filter((each) => each.file === file)
    const others = this.findings.length - ofFile.length
    const editor = await this.editor
    editor?.mark(ofFile.map(({ start, end, severity, message }) => ({ start, end, severity, message: shown(message) })))
    fill(
      this.list,
      ...problems.map((each) => el('p', { class: 'problem' }, text(each))),
      ...findingsPart(ofFile, {
        goTo: (offset) => this.editor?.then((each) => each.goTo(offset)),
        rule: (code) => el('a', { href: new URL(this.options.rule(code), location.href).href, target: '_blank', rel: 'noopener' }, code),
        fix: (number) => this.fixWith((client) => client.fix(number, this.edits)),
        fixAll: () => this.fixWith((client) => client.fixAll([file], this.edits)),
      }),
      others > 0 && el('p', { class: 'soft' }, `${plural(others, 'finding')} in other files`),
    )
  }

  private async fixWith(fix: (client: Client) => Promise<Edits>): Promise<void> {
    const { files } = this.shared
    const client = await this.client
    if (!client) return
    const edits = await fix(client)
    if (files !== this.shared.files) return
    const isSame = files.every(([name, own]) => edits[name] === own)
    this.say(isSame ? 'It could not be proved that the policies say the same with the fix: nothing was changed.' : 'Fixed.')
    if (isSame) return
    this.shared = { ...this.shared, files: files.map(([name, own]) => [name, edits[name] ?? own] as const) }
    const ownText = this.textOf(this.shared.file)
    if (ownText !== undefined) this.editor?.then((editor) => editor.replace(ownText))
    this.work(0)
    this.write()
  }

  // The question.

  /** Names to pick from: those in the texts, and the actions of the catalogue. */
  private names(): Names {
    const of = (kind: RegExp) => () => {
      const found = this.shared.files.flatMap(([, own]) => own.match(/urn:v\d:[^\s"',\]}]+/g) ?? [])
      return [...new Set(found.filter((each) => kind.test(each)))].sort()
    }
    return {
      identities: of(/:identity:(?!group:)[^*]*$/),
      groups: of(/:identity:group:[^*]*$/),
      resources: of(/:resource(?:Group)?:/),
      actions: () => {
        if (this.actions.length === 0)
          this.options.actions().then(
            (all) => (this.actions = all),
            () => {},
          )
        return this.actions
      },
    }
  }

  // Sharing.

  /** Keep what is shown in the address, so that a reload shows it again. */
  private async write(): Promise<string | undefined> {
    const fragment = await fragmentOf(this.shared)
    if (this.isEnded) return undefined
    this.fragment = fragment ?? ''
    history.replaceState(history.state, '', `${location.pathname}${location.search}${this.fragment}`)
    return fragment
  }

  /** The files as a patch that adds them to a repository. */
  private async download(): Promise<void> {
    const client = await this.client
    if (!client) return
    saveFile('policies.patch', new Blob([await client.patch(this.edits)], { type: 'text/x-patch' }))
    this.say('The patch adds these files to a repository: git apply policies.patch')
  }

  private async share(): Promise<void> {
    if ((await this.write()) === undefined) {
      this.say('This is too long for a link: share the files themselves.')
      return
    }
    try {
      await navigator.clipboard.writeText(location.href)
      this.say('The link is copied. All of this is in it, so share it only with those who may see these policies.')
    } catch {
      this.say('The address of this page is the link: copy it from there. All of this is in it.')
    }
  }

  private say(words: string): void {
    fill(this.note, words)
    this.note.hidden = false
  }
}

function first(): Shared {
  const { files, asked } = examples[0] as Example
  return { files, asked, file: files[0]?.[0] ?? '', preset: 'recommended' }
}

/** Run a script of the site. */
function run(address: string): Promise<void> {
  return new Promise((done, failed) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => done()
    script.onerror = () => failed(new Error('a script of this page cannot be loaded'))
    document.head.append(script)
    script.remove()
  })
}
