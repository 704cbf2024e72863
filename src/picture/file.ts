import colours from './colours.css?raw'
import { type Picture, part, svgText } from './element.ts'
import sheet from './picture.css?raw'

/** A picture as a standalone file: with its style sheet, light and dark. */
export function svgFile({ children, ...picture }: Picture): string {
  const [title, description, ...rest] = children as [Picture, Picture, ...Picture[]]
  return svgText({ ...picture, children: [title, description, part('style', {}, `${colours}${sheet}`), ...rest] })
}
