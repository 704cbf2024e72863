import { VPLink } from 'vitepress/theme-without-fonts'
import { h } from 'vue'

/** A card of the start page, in the place of that of the theme. */
const Feature = ({ title, details, link, linkText }) =>
  h(VPLink, { class: 'card', href: link, noIcon: true }, () => [
    h('h2', title),
    h('p', { class: 'details' }, details),
    h('p', { class: 'more' }, linkText),
  ])
Feature.props = ['title', 'details', 'link', 'linkText', 'icon', 'target', 'rel']

export default Feature
