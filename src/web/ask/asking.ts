import { el, fill } from '../dom.ts'
import type { Edits, Engine } from '../engine/index.ts'
import { type Asked, type Kind, kinds } from './asked.ts'
import type { Client } from './client.ts'
import { type Field, field } from './field.ts'

/** The question: what is asked, and the form for it. */

export type CanAnswer = NonNullable<Awaited<ReturnType<Engine['can']>>['answer']>
export type ListAnswer = NonNullable<Awaited<ReturnType<Engine['who']>>['answer']>
export type Outcome = Awaited<ReturnType<Engine['can']>> | Awaited<ReturnType<Engine['who']>>

/** Names to pick from. */
export interface Names {
  readonly identities: () => readonly string[]
  readonly groups: () => readonly string[]
  readonly resources: () => readonly string[]
  readonly actions: () => readonly string[]
}

const titles: Readonly<Record<Kind, string>> = {
  can: 'Is an identity allowed an action?',
  who: 'Who is allowed an action?',
  what: 'What is an identity allowed?',
}

/** Whether a question has all its parts. */
export function isWhole({ kind, identity, action, resource }: Asked): boolean {
  if (kind === 'what') return identity !== ''
  return action !== '' && resource !== '' && (kind === 'who' || identity !== '')
}

/** Answer a question over the texts with edits. */
export function answerTo({ kind, identity, action, resource, ip, at, tag, group }: Asked, client: Client, edits: Edits): Promise<Outcome> {
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

/** The form of a question. */
export class QuestionForm {
  readonly element: HTMLElement
  private readonly fields: Readonly<Record<Exclude<keyof Asked, 'kind'>, Field>>
  private readonly radios: ReadonlyMap<Kind, HTMLInputElement>
  private kind: Kind

  /** `changed`: called when the question changes. `ask`: called when it should be answered immediately. */
  constructor(asked: Asked, names: Names, changed: (asked: Asked) => void, ask: () => void) {
    this.kind = asked.kind
    const of = (name: Exclude<keyof Asked, 'kind'>, label: string, options: () => readonly string[], hint: string) =>
      field({ id: `ask-${name}`, label, options, hint, value: asked[name], onChange: () => changed(this.value) })
    this.fields = {
      identity: of('identity', 'Who', () => [...names.identities(), ...names.groups()], 'user/ann, or a URN'),
      action: of('action', 'Does what', names.actions, 'vps:apisvc:reboot'),
      resource: of('resource', 'On what', names.resources, 'vps:web-1, or a URN'),
      ip: of('ip', 'From the address', () => [], '203.0.113.7'),
      at: of('at', 'At', () => [], '2027-01-31T09:00:00Z; any time from now where left out'),
      tag: of('tag', 'Tags of the resource', () => [], 'env=prod, team=web'),
      group: of('group', 'Also in the groups', names.groups, 'group/ops'),
    }
    this.radios = new Map(
      kinds.map((kind) => {
        const choose = () => {
          this.kind = kind
          this.arrange()
          changed(this.value)
        }
        return [kind, el('input', { type: 'radio', name: 'ask-kind', value: kind, checked: kind === asked.kind, onchange: choose })]
      }),
    )
    const { identity, action, resource, ip, at, tag, group } = this.fields
    const hasContext = [ip, at, tag, group].some(({ input }) => input.value !== '')
    this.element = el(
      'form',
      {
        class: 'asking',
        onsubmit: (event: Event) => {
          event.preventDefault()
          ask()
        },
      },
      el(
        'fieldset',
        { class: 'kinds' },
        el('legend', {}, 'Question'),
        ...[...this.radios].map(([kind, radio]) => el('label', {}, radio, ` ${titles[kind]}`)),
      ),
      el(
        'div',
        { class: 'fields' },
        identity.element,
        action.element,
        resource.element,
        el('button', { type: 'submit', class: 'primary' }, 'Ask'),
      ),
      el(
        'details',
        { open: hasContext },
        el('summary', {}, 'Circumstances'),
        el('div', { class: 'fields' }, ip.element, at.element, tag.element, group.element),
      ),
    )
    this.arrange()
  }

  /** The present question. */
  get value(): Asked {
    const { identity, action, resource, ip, at, tag, group } = this.fields
    const [who, does, on, from, when, tags, groups] = [identity, action, resource, ip, at, tag, group].map(({ input }) =>
      input.value.trim(),
    )
    return {
      kind: this.kind,
      identity: who as string,
      action: does as string,
      resource: on as string,
      ip: from as string,
      at: when as string,
      tag: tags as string,
      group: groups as string,
    }
  }

  /** Set another question, without calling `changed`. */
  show(asked: Asked): void {
    this.kind = asked.kind
    for (const [kind, radio] of this.radios) radio.checked = kind === asked.kind
    for (const [name, { input }] of Object.entries(this.fields)) input.value = asked[name as Exclude<keyof Asked, 'kind'>]
    this.arrange()
  }

  /** Show the fields that a question has. */
  private arrange(): void {
    this.fields.identity.element.hidden = this.kind === 'who'
    this.fields.action.element.hidden = this.kind === 'what'
    fill(this.fields.resource.label, this.kind === 'what' ? 'On what (all where left out)' : 'On what')
  }
}
