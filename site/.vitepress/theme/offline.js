import { defineComponent, h, onMounted, ref } from 'vue'

/** A button that has the service worker keep the whole site, and the state of that. Not there without a service worker. */
export default defineComponent(() => {
  const answer = ref()
  const send = async (message) => (await navigator.serviceWorker.ready).active.postMessage(message)
  onMounted(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
      answer.value = data
    })
    navigator.serviceWorker.startMessages()
    send('state')
  })
  const words = {
    offered: () => '',
    keeping: ({ count, of }) => `Keeping ${count} of ${of} files…`,
    kept: () => 'This site is kept for offline use.',
    failed: () => 'Not all files could be loaded.',
  }
  return () => {
    if (!answer.value) return undefined
    const { state, bytes } = answer.value
    const label = `Keep this site for offline use (${Math.ceil(bytes / 1e6)} MB)`
    const button = h('button', { type: 'button', onClick: () => send('keep') }, label)
    return h('div', { class: 'offline ui' }, [
      state === 'offered' || state === 'failed' ? button : undefined,
      h('span', { role: 'status' }, words[state](answer.value)),
    ])
  }
})
