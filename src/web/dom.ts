/** Elements of a page. What is put in is text: markup in a name stays what it is. No element is made from markup anywhere. */

export type Child = Node | string | number | null | undefined | false | readonly Child[]
type Listeners = { readonly [Name in keyof HTMLElementEventMap as `on${Name}`]?: (event: HTMLElementEventMap[Name]) => void }

/** The attributes that may be set, none of which can run anything. `href` takes places of this page and web addresses. */
const allowed =
  /^(?:id|class|title|lang|dir|role|hidden|tabindex|type|value|name|for|placeholder|checked|disabled|selected|readonly|open|autocomplete|spellcheck|inputmode|label|scope|headers|colspan|rowspan|min|max|step|rows|cols|wrap|download|rel|href|target|datetime|width|height|viewBox|[xyrd]|[cr][xy]|[xy][12]|points|transform|fill|stroke|stroke-[a-z]+|fill-[a-z]+|text-anchor|dominant-baseline|font-[a-z]+|preserveAspectRatio|patternUnits|patternTransform|clip-path|marker-[a-z]+|opacity|focusable|aria-[a-z]+|data-[a-z-]+)$/

export type Attributes = Readonly<Record<string, unknown>> & Listeners

/** An HTML element. Attributes that are false, null or undefined are left out; `onclick` and the like take functions. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children)
}

/** An element of a picture. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes,
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function filled<T extends Element>(element: T, attributes: Attributes | undefined, children: readonly Child[]): T {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener)
    else set(element, name, value)
  }
  add(element, children)
  return element
}

/** Set an attribute, or remove it: false, null and undefined. */
export function set(element: Element, name: string, value: unknown): void {
  if (!allowed.test(name)) throw new Error(`the attribute ${name} is not allowed`)
  if (value === false || value === null || value === undefined) element.removeAttribute(name)
  else if (name !== 'href' || /^(?:#|https?:\/\/)/.test(String(value))) element.setAttribute(name, value === true ? '' : String(value))
}

/** Add text and elements at the end. */
export function add(element: Node, ...children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) add(element, ...child)
    else element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/** Put other content in the place of what an element holds. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren()
  add(element, ...children)
}

/** Save a file, as if it had been downloaded. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = el('a', { download: name })
  link.href = address
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Whether a key is pressed in something that takes text, within a shadow root too: seen from outside, its target is the host of that. */
export function isTyping(event: Event): boolean {
  const [innermost] = event.composedPath()
  return innermost instanceof Element && innermost.closest('input, select, textarea, [contenteditable]') !== null
}
