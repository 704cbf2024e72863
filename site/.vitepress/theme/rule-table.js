import { withBase } from 'vitepress'
import { computed, defineComponent, h, onMounted, reactive, watch } from 'vue'
import { rules } from '../../.pages/site.json'

/** The rules with a search and filters. What is chosen is in the address, so that it can be shared. */

const filters = {
  section: { label: 'About', values: [...new Set(rules.map(({ section }) => section))] },
  severity: { label: 'Level', values: ['error', 'warning', 'info'] },
  preset: { label: 'Preset', values: ['recommended', 'strict', 'auditor'] },
  fix: { label: 'Fix', values: ['safe', 'suggested', 'none'] },
}

const tests = {
  section: (rule, value) => rule.section === value,
  severity: (rule, value) => rule.severity === value,
  preset: (rule, value) => rule.preset === value,
  fix: (rule, value) => (value === 'none' ? rule.fixes.length === 0 : rule.fixes.includes(value)),
}

const code = (text) => text.split(/`([^`]*)`/).map((part, i) => (i % 2 === 1 ? h('code', part) : part))

export default defineComponent({
  name: 'RuleTable',
  setup() {
    const chosen = reactive({ q: '', section: '', severity: '', preset: '', fix: '' })
    onMounted(() => {
      const query = new URLSearchParams(location.search)
      for (const name of Object.keys(chosen)) chosen[name] = query.get(name) ?? ''
      watch(chosen, () => {
        const kept = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ''))
        history.replaceState(history.state, '', `${location.pathname}${kept.size > 0 ? `?${kept}` : ''}${location.hash}`)
      })
    })
    const found = computed(() => {
      const words = chosen.q.toLowerCase().split(/\s+/).filter(Boolean)
      return rules.filter((rule) => {
        const text = `${rule.code} ${rule.summary}`.toLowerCase()
        return (
          words.every((word) => text.includes(word)) &&
          Object.keys(filters).every((name) => chosen[name] === '' || tests[name](rule, chosen[name]))
        )
      })
    })
    const choice = ([name, { label, values }]) =>
      h('label', [
        h('span', label),
        h('select', { value: chosen[name], onChange: (event) => (chosen[name] = event.target.value) }, [
          h('option', { value: '' }, 'any'),
          ...values.map((value) => h('option', { value }, value)),
        ]),
      ])
    const row = ({ code: name, severity, isFixed, preset, fixes, summary }) =>
      h('tr', { key: name }, [
        h('th', { scope: 'row' }, h('a', { href: withBase(`/rules/${name}.html`) }, name)),
        h('td', { 'data-label': 'Level' }, [h('span', { class: ['badge', severity] }, severity), isFixed ? ' *' : '']),
        h('td', { 'data-label': 'Preset' }, preset),
        h('td', { 'data-label': 'Fix' }, fixes.join(', ')),
        h('td', { class: 'summary' }, code(summary)),
      ])
    return () =>
      h('div', { class: 'rule-table ui' }, [
        h('form', { role: 'search', 'aria-label': 'Rules', onSubmit: (event) => event.preventDefault() }, [
          h('label', { class: 'wide' }, [
            h('span', 'Search'),
            h('input', {
              type: 'search',
              value: chosen.q,
              placeholder: 'wildcard, expiry, group …',
              autocomplete: 'off',
              onInput: (event) => (chosen.q = event.target.value),
            }),
          ]),
          ...Object.entries(filters).map(choice),
        ]),
        h('p', { class: 'count', role: 'status' }, [
          `${found.value.length} of ${rules.length} rules`,
          found.value.length < rules.length
            ? h(
                'button',
                { type: 'button', onClick: () => Object.assign(chosen, { q: '', section: '', severity: '', preset: '', fix: '' }) },
                'Show all',
              )
            : undefined,
        ]),
        h('div', { class: 'scroller' }, [
          h('table', [
            h(
              'thead',
              h(
                'tr',
                ['Rule', 'Level', 'Preset', 'Fix', 'Reports'].map((title) => h('th', { scope: 'col' }, title)),
              ),
            ),
            h('tbody', found.value.map(row)),
          ]),
        ]),
      ])
  },
})
