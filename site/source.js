// The colours that were chosen on the other pages: the key and the values are those of VitePress.
;(() => {
  try {
    const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto'
    const isDark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
    document.documentElement.classList.toggle('dark', isDark)
  } catch {
    // A browser that keeps nothing has the colours of the system.
  }
})()
