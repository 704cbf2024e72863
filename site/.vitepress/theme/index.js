import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { session } from '../../.pages/site.json'
import Playground from './playground.js'
import RuleTable from './rule-table.js'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () => h('pre', { class: 'session', tabindex: 0, 'aria-label': 'A session' }, h('code', session)),
    }),
  enhanceApp({ app, siteData }) {
    app.component('RuleTable', RuleTable)
    app.component('Playground', Playground)
    // What was loaded once is there without a network as well.
    if (!import.meta.env.SSR && import.meta.env.PROD && 'serviceWorker' in navigator)
      addEventListener('load', () => navigator.serviceWorker.register(`${siteData.value.base}sw.js`).catch(() => {}))
  },
}
