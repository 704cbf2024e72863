import { el, fill, set } from '../dom.ts'

const names = { system: 'System', light: 'Light', dark: 'Dark' } as const
type Scheme = keyof typeof names

/** A button that goes round the colour schemes: that of the system, light, dark. It is kept for the page where the browser allows it. */
export function schemeButton(): HTMLElement {
  const order = Object.keys(names) as Scheme[]
  let scheme = remembered()
  const button = el('button', {
    type: 'button',
    class: 'quiet',
    onclick: () => use(order[(order.indexOf(scheme) + 1) % order.length] as Scheme),
  })
  const use = (next: Scheme) => {
    scheme = next
    if (next === 'system') delete document.documentElement.dataset.scheme
    else document.documentElement.dataset.scheme = next
    fill(button, `Colours: ${names[next]}`)
    set(button, 'title', 'Change between light and dark colours')
    try {
      localStorage.setItem('grantwise-scheme', next)
    } catch {
      // Nothing is kept for a file in some browsers.
    }
  }
  use(scheme)
  return button
}

function remembered(): Scheme {
  try {
    const stored = localStorage.getItem('grantwise-scheme') ?? ''
    return stored in names ? (stored as Scheme) : 'system'
  } catch {
    return 'system'
  }
}
