/** The parts of a browser that the views of the page need, so that they run in Node: elements with their text and attributes, and nothing else. */

class PlainNode {
  readonly childNodes: PlainNode[] = []
  readonly words: string
  constructor(words = '') {
    this.words = words
  }
  get textContent(): string {
    return `${this.words}${this.childNodes.map(({ textContent }) => textContent).join('')}`
  }
  appendChild(child: PlainNode): PlainNode {
    this.childNodes.push(child)
    return child
  }
}

export class PlainElement extends PlainNode {
  readonly tag: string
  readonly attributes = new Map<string, string>()
  readonly style: Record<string, string> = {}
  readonly classList = { toggle: () => false, add: () => undefined, remove: () => undefined }
  open = false
  value = ''
  checked = false
  scrollTop = 0
  scrollLeft = 0
  clientWidth = 0
  clientHeight = 0
  readonly listeners = new Map<string, () => void>()
  constructor(tag: string) {
    super()
    this.tag = tag
  }
  get childElementCount(): number {
    return this.childNodes.filter((child) => child instanceof PlainElement).length
  }
  append(...children: readonly (PlainNode | string)[]): void {
    for (const child of children) this.appendChild(typeof child === 'string' ? new PlainNode(child) : child)
  }
  get hidden(): boolean {
    return this.attributes.has('hidden')
  }
  contains(other: unknown): boolean {
    return this === other || this.childNodes.some((child) => child instanceof PlainElement && child.contains(other))
  }
  scrollTo(left: number, top: number): void {
    Object.assign(this, { scrollLeft: left, scrollTop: top })
  }
  querySelector(): null {
    return null
  }
  focus(): void {
    // Nothing has the focus.
  }
  click(): void {
    // Nothing is downloaded.
  }
  replaceChildren(): void {
    this.childNodes.length = 0
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
    if (name === 'value') this.value = value
  }
  override appendChild(child: PlainNode): PlainNode {
    // The option that is selected is the value of a list of options.
    if (this.tag === 'select' && child instanceof PlainElement && child.attributes.has('selected')) this.value = child.value
    return super.appendChild(child)
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }
  addEventListener(name: string, listener: () => void): void {
    this.listeners.set(name, listener)
  }
  /** The elements below it with a tag. */
  all(tag: string): readonly PlainElement[] {
    return this.childNodes.flatMap((child) =>
      child instanceof PlainElement ? [...(child.tag === tag ? [child] : []), ...child.all(tag)] : [],
    )
  }
}

/** Put it in the place of a browser, for the views that are loaded after. */
export function inPlaceOfBrowser(): void {
  const make = (_: string, tag = _) => new PlainElement(tag)
  Object.assign(globalThis, {
    Node: PlainNode,
    document: { createElement: make, createElementNS: make, createTextNode: (words: string) => new PlainNode(words) },
    requestAnimationFrame: () => 0,
    matchMedia: () => ({ matches: false }),
    innerWidth: 1000,
    addEventListener: (name: string, listener: () => void) => ofWindow.set(name, [...(ofWindow.get(name) ?? []), listener]),
    removeEventListener: (name: string, listener: () => void) =>
      ofWindow.set(
        name,
        (ofWindow.get(name) ?? []).filter((each) => each !== listener),
      ),
  })
}

/** Listeners of the window. */
const ofWindow = new Map<string, readonly (() => void)[]>()

/** Nothing listens any more: another page takes the place of the one that was shown. */
export function leavePage(): void {
  ofWindow.clear()
}

/** Let something happen to the window: `beforeprint`. */
export function happens(name: string): void {
  for (const listener of ofWindow.get(name) ?? []) listener()
}
