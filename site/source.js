// The colours that are chosen on any page of the site: the key and the values are those of VitePress.
;(() => {
  const key = 'vitepress-theme-appearance'
  const system = matchMedia('(prefers-color-scheme: dark)')
  const nameOf = (isDark) => (isDark ? 'dark' : 'light')

  let chosen = 'auto'
  try {
    chosen = localStorage.getItem(key) ?? chosen
  } catch {
    // A browser that keeps nothing has the colours of the system.
  }

  const isDark = () => chosen === 'dark' || (chosen === 'auto' && system.matches)

  function show() {
    document.documentElement.classList.toggle('dark', isDark())
    const button = document.querySelector('.scheme')
    if (!button) return
    button.title = `Switch to ${nameOf(!isDark())} theme`
    button.setAttribute('aria-checked', String(isDark()))
    button.hidden = false
  }

  /** The other colours; where the system has them, what follows the system. */
  function change() {
    const next = !isDark()
    chosen = next === system.matches ? 'auto' : nameOf(next)
    show()
    try {
      localStorage.setItem(key, chosen)
    } catch {
      // The choice is for this page only.
    }
  }

  show()
  system.addEventListener('change', show)
  addEventListener('DOMContentLoaded', () => {
    show()
    document.querySelector('.scheme').addEventListener('click', change)
  })
  // A choice on another page that is open.
  addEventListener('storage', (event) => {
    if (event.key !== key) return
    chosen = event.newValue ?? 'auto'
    show()
  })
})()
