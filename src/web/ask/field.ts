import { shown } from '../../report/safe.ts'
import { el, fill } from '../dom.ts'

/** A text field with a list to pick from, which the browser shows and speaks. */
export interface Field {
  readonly element: HTMLElement
  readonly label: HTMLElement
  readonly input: HTMLInputElement
}

export interface FieldOptions {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly value: string
  /** The values to pick from: computed when the user types. */
  readonly options: () => readonly string[]
  readonly onChange: (value: string) => void
}

const mostOffered = 60

export function field({ id, label, hint, value, options, onChange }: FieldOptions): Field {
  const list = el('datalist', { id: `${id}-list` })
  const input = el('input', {
    id,
    type: 'text',
    value,
    placeholder: hint,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': undefined,
    onfocus: () => offer(),
    oninput: () => {
      offer()
      onChange(input.value.trim())
    },
  })
  input.setAttribute('list', `${id}-list`)
  const name = el('label', { for: id }, label)
  const offer = () => {
    const wanted = input.value.toLowerCase()
    const suggestions: string[] = []
    for (const each of options()) {
      if (suggestions.length >= mostOffered) break
      if (each.toLowerCase().includes(wanted) && each === shown(each)) suggestions.push(each)
    }
    fill(list, ...suggestions.map((each) => el('option', { value: each })))
  }
  return { element: el('div', { class: 'field' }, name, input, list), label: name, input }
}
