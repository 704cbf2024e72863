import type { Picture } from '../../picture/element.ts'
import { shown } from '../../report/safe.ts'
import { svg } from '../dom.ts'

/** An element of a picture as a node of the page: its text is text, its attributes are those that a page takes. */
export function draw({ tag, attributes: { xmlns: _, ...attributes }, children }: Picture): SVGElement {
  return svg(
    tag as keyof SVGElementTagNameMap,
    attributes,
    ...children.map((child) => (typeof child === 'string' ? shown(child) : draw(child))),
  )
}

/** The same without titles: a table shows the meaning of many lines. */
export function untitled(picture: Picture): Picture {
  return {
    ...picture,
    children: picture.children
      .filter((child) => typeof child === 'string' || child.tag !== 'title')
      .map((child) => (typeof child === 'string' ? child : untitled(child))),
  }
}
