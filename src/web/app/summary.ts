import { h } from '../dom.ts'
import type { View } from './page.ts'

export const summary: View = {
  name: 'summary',
  title: 'Summary',
  show(place, _, { data }) {
    place.append(h('p', {}, `${data.policies.length} policies, ${data.identities.length} identities, ${data.resources.length} resources.`))
  },
}
