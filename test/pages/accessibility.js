// Run in a page: what is wrong with it for those who do not see it, see it badly, or have no mouse. An empty list: nothing.
;(() => {
  const problems = []
  const wrong = (element, words) => problems.push(`${words}: ${element.outerHTML.slice(0, 160)}`)
  const all = (selector) => [...document.querySelectorAll(selector)]
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const textOf = (element) => (element.innerText || element.textContent || '').trim()

  if (document.documentElement.lang !== 'en') problems.push('the language is not specified')
  if (document.title.trim() === '') problems.push('the page has no title')
  for (const [selector, count] of [
    ['main', 1],
    ['h1', 1],
    ['body > header', 1],
    ['body > footer', 1],
  ])
    if (all(selector).length !== count) problems.push(`${selector}: ${all(selector).length} of them instead of ${count}`)
  for (const nav of all('nav')) if (!nav.getAttribute('aria-label')) wrong(nav, 'a navigation without a name')

  let rank = 0
  for (const heading of all('h1, h2, h3, h4, h5, h6').filter(isShown)) {
    const own = Number(heading.tagName[1])
    if (own > rank + 1) wrong(heading, `a heading of rank ${own} under one of rank ${rank}`)
    if (textOf(heading) === '') wrong(heading, 'an empty heading')
    rank = own
  }

  const ids = new Map()
  for (const element of all('[id]')) ids.set(element.id, (ids.get(element.id) ?? 0) + 1)
  for (const [id, count] of ids) if (count > 1) problems.push(`the id ${id} stands ${count} times`)
  for (const element of all('[aria-describedby], [aria-labelledby], [for], [list]'))
    for (const name of ['aria-describedby', 'aria-labelledby', 'for', 'list'])
      for (const id of (element.getAttribute(name) ?? '').split(' ').filter(Boolean))
        if (!ids.has(id)) wrong(element, `${name} names nothing`)
  for (const link of all('a[href^="#"]')) if (!ids.has(link.hash.slice(1))) wrong(link, 'it leads to nothing on this page')

  for (const input of all('input:not([type=hidden]), select, textarea')) {
    if (input.labels.length !== 1 || textOf(input.labels[0]) === '') wrong(input, 'a field with no label, or more than one')
  }
  for (const element of all('a, button, summary').filter(isShown)) if (textOf(element) === '') wrong(element, 'no name')
  for (const image of all('img, svg'))
    if (!image.hasAttribute('alt') && image.getAttribute('aria-hidden') !== 'true') wrong(image, 'no text')
  for (const element of all('[tabindex]')) if (element.tabIndex > 0) wrong(element, 'an order of its own for the keyboard')

  for (const table of all('table')) {
    if (table.caption === null || textOf(table.caption) === '') wrong(table, 'a table without a caption')
    for (const cell of table.querySelectorAll('th'))
      if (!['col', 'row'].includes(cell.scope)) wrong(cell, 'a heading of a table without scope')
    const columns = table.querySelectorAll('thead th').length
    for (const row of table.tBodies[0].rows)
      if (row.cells.length !== columns) wrong(row, `${row.cells.length} cells under ${columns} headings`)
  }

  const colour = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number)
    return { rgb: parts.slice(0, 3), alpha: parts[3] ?? 1 }
  }
  const groundOf = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const ground = colour(getComputedStyle(each).backgroundColor)
      if (ground.alpha === 1) return ground.rgb
      if (ground.alpha !== 0) wrong(each, 'a transparent background: the contrast cannot be determined')
    }
    return [255, 255, 255]
  }
  const light = (rgb) => {
    const [r, g, b] = rgb.map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  let texts = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (node.data.trim() === '' || !isShown(element) || ['OPTION', 'SCRIPT', 'STYLE'].includes(element.tagName)) continue
    texts += 1
    const ratio = contrast(colour(getComputedStyle(element).color).rgb, groundOf(element))
    if (ratio < 4.5) wrong(element, `a contrast of ${ratio.toFixed(2)}`)
  }
  if (texts === 0) problems.push('no text is shown')
  for (const field of all('input:not([type=hidden]), select, textarea').filter(isShown)) {
    const ratio = contrast(colour(getComputedStyle(field).borderTopColor).rgb, groundOf(field.parentElement))
    if (ratio < 3) wrong(field, `the edge of a field with a contrast of ${ratio.toFixed(2)}`)
  }

  for (const element of all('button, nav a, select, input:not([type=hidden])').filter(isShown)) {
    const { width, height } = element.getBoundingClientRect()
    if (width < 24 || height < 24) wrong(element, `too small to hit: ${Math.round(width)} by ${Math.round(height)}`)
  }

  const { scrollWidth } = document.scrollingElement
  if (scrollWidth > window.innerWidth) {
    problems.push(`wider than the window: ${scrollWidth} instead of ${window.innerWidth}`)
    for (const element of all('main *')) {
      if (element.getBoundingClientRect().right > window.innerWidth + 1 && !element.closest('pre')) wrong(element, 'this stands out')
    }
  }
  return problems
})()
