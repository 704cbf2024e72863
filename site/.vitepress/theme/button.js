import { VPLink } from 'vitepress/theme-without-fonts'
import { h } from 'vue'

/** A link of the start page that looks like a button, in the place of that of the theme. */
const Button = ({ theme, text, href }) => h(VPLink, { class: ['button', theme === 'brand' && 'primary'], href, noIcon: true }, () => text)
Button.props = ['theme', 'text', 'href', 'size', 'tag', 'target', 'rel']

export default Button
