import { useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, watch } from 'vue'
import { session as parts } from '../../.pages/site.json'
import Offline from './offline.js'
import Playground from './playground.js'
import RuleTable from './rule-table.js'
import './style.css'

/** The layout of the theme, with a session on the start page, and a main part on pages whose layout has none. */
const Layout = defineComponent(() => {
  const { frontmatter } = useData()
  const session = () =>
    h(
      'pre',
      { class: 'session', tabindex: 0, 'aria-label': 'A session' },
      h(
        'code',
        parts.map(({ classes, text }) => (classes.length > 0 ? h('span', { class: classes }, text) : text)),
      ),
    )
  onMounted(() => {
    const mark = () => {
      const content = document.getElementById('VPContent')
      if (['home', 'page'].includes(frontmatter.value.layout)) content?.setAttribute('role', 'main')
      else content?.removeAttribute('role')
    }
    watch(frontmatter, mark, { immediate: true, flush: 'post' })
  })
  return () => h(DefaultTheme.Layout, null, { 'home-hero-image': session, 'layout-bottom': () => h(Offline) })
})

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app, siteData }) {
    app.component('RuleTable', RuleTable)
    app.component('Playground', Playground)
    // Files that were loaded once are there without a network as well; all else is loaded when it is asked for.
    if (!import.meta.env.SSR && import.meta.env.PROD && 'serviceWorker' in navigator)
      addEventListener('load', () => navigator.serviceWorker.register(`${siteData.value.base}sw.js`).catch(() => {}))
  },
}
