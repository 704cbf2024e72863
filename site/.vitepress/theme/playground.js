import { useData, withBase } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'
import own from '../../../src/web/play/style.css?inline'
import page from '../../../src/web/style.css?inline'
import { rules, scripts } from '../../.pages/site.json'

/** The place of the playground: it runs in the browser only, and is loaded when the page is shown. */
export default defineComponent({
  name: 'Playground',
  setup() {
    const place = ref()
    const problem = ref('')
    let leave = () => {}
    const { site } = useData()
    onMounted(async () => {
      try {
        const { start } = await import('../../../src/web/play/start.ts')
        if (!place.value) return
        const folder = `${site.value.base}${scripts}/`
        leave = start(place.value, {
          scripts: folder,
          rules,
          rule: (code) => withBase(`/rules/${code}.html`),
          actions: () => fetch(`${folder}actions.json`).then((answer) => answer.json()),
          // The root of the page is the host of a shadow root here.
          styles: `${page.replaceAll(/:root(?:\[[^\]]*\]|:root)?/g, ':host')}\n${own}`,
        })
      } catch (error) {
        problem.value = `The playground does not start here: ${error.message}`
      }
    })
    onBeforeUnmount(() => leave())
    return () =>
      h('div', { class: 'playground' }, [h('div', { ref: place }), problem.value ? h('p', { role: 'alert' }, problem.value) : undefined])
  },
})
