import type { PageData } from '../../page/data.ts'
import { evidenceFacts } from '../../page/evidence.ts'
import { cut } from '../../report/safe.ts'
import { el } from '../dom.ts'

/** The state that the page is of, at its head: for those who sign it or keep it. */
export const evidenceOf = (data: PageData): HTMLElement =>
  el('dl', { class: 'evidence' }, ...evidenceFacts(data).flatMap(([term, value]) => [el('dt', {}, term), el('dd', {}, cut(value, 400))]))
