import { visible } from '../names.ts'
import { xml } from '../report/xml.ts'

/**
 * A picture is a tree of plain elements: `svgText` prints it, a browser makes nodes of it. Text is only ever text, and what
 * could change its direction or is not seen is written as an escape.
 */
export interface Picture {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly children: readonly (Picture | string)[]
}

/** An element. Attributes without a value are left out. */
export function part(
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly (Picture | string)[]
): Picture {
  const defined = Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  return { tag, attributes: Object.fromEntries(defined), children }
}

/** A whole picture: its title and description for screen readers, then its background. `defs`: definitions that its parts refer to. */
export function drawing(
  { width, height }: { readonly width: number; readonly height: number },
  title: string,
  description: string,
  defs: readonly Picture[],
  ...parts: readonly Picture[]
): Picture {
  const size = { width: rounded(width), height: rounded(height) }
  return part(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'picture',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'aria-labelledby': 'title desc',
    },
    part('title', { id: 'title' }, title),
    part('desc', { id: 'desc' }, description),
    ...defs,
    part('rect', { class: 'paper', width: '100%', height: '100%' }),
    ...parts,
  )
}

/** The picture as a file: text escaped, the style sheet as it is. */
export function svgText(picture: Picture): string {
  return `${printed(picture)}\n`
}

function printed({ tag, attributes, children }: Picture): string {
  const attributeTexts = Object.entries(attributes).map(([name, value]) => ` ${name}="${xml(visible(String(value)))}"`)
  if (children.length === 0) return `<${tag}${attributeTexts.join('')}/>`
  const inner = children.map((child) => (typeof child !== 'string' ? printed(child) : tag === 'style' ? child : xml(visible(child))))
  const isGroup = tag === 'svg' || tag === 'g' || tag === 'defs'
  return `<${tag}${attributeTexts.join('')}>${inner.join(isGroup ? '\n' : '')}</${tag}>`
}

/** A coordinate, short. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** About how wide a character is, in parts of the size of the font: fonts differ, so rather too wide. */
function widthOf(character: string): number {
  if (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[^\u0000-\uffff]/u.test(character))
    return 1.05
  if (/[il|.,:;'!jtfrI` ]/.test(character)) return 0.38
  if (/[()[\]{}/\\"]/.test(character)) return 0.46
  if (/[mwMW@%—…]/.test(character)) return 0.97
  return /[A-Z\p{Lu}_&#]/u.test(character) ? 0.74 : 0.63
}

/** About how wide a text is. */
export function textWidth(text: string, size: number): number {
  let width = 0
  for (const character of text.slice(0, 400)) width += widthOf(character)
  return width * size
}

/** As much of a text as there is room for, with a sign where it was cut. */
export function truncated(text: string, width: number, size: number): string {
  const plain = visible(text.slice(0, 400))
  if (plain.length === text.length && textWidth(plain, size) <= width) return plain
  let room = width - widthOf('…') * size
  let prefix = ''
  for (const character of plain) {
    room -= widthOf(character) * size
    if (room < 0) return `${prefix.trimEnd()}…`
    prefix += character
  }
  return text.length > 400 ? `${prefix}…` : plain
}

/** The same with the end kept, for names that differ there. */
export function truncatedAmid(text: string, width: number, size: number): string {
  const whole = truncated(text, width, size)
  if (whole === text) return whole
  const end = visible(text.slice(-6)).replace(/^…/, '')
  return `${truncated(text, width - textWidth(end, size), size)}${end}`
}
