/** Of a page that is served: load it anew when the files change. The address keeps the view, and the session the edits. */
const events = new EventSource('events')
events.addEventListener('changed', () => location.reload())
