export { showGraph } from './graph-view.ts'
export { showTimeline } from './timeline-view.ts'
