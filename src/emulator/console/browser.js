/**
 * The script of the console, as a browser gets it. Without it every page works; with it the log goes on by itself and a
 * question is answered without loading the page anew. It takes markup from this service alone, where all that came from
 * outside is escaped, and runs none of it.
 */

{
  const byId = (id) => document.getElementById(id)
  const parsed = (text) => new DOMParser().parseFromString(text, 'text/html')

  // The question: ask with fetch, show the answer in its place, keep the address right.
  const askInPlace = (question) => {
    let latest = 0
    const show = (page) => {
      byId('answer').replaceChildren(...page.getElementById('answer').childNodes)
      byId('said').replaceChildren(...page.getElementById('said').childNodes)
    }
    const ask = async (address) => {
      const mine = ++latest
      const answer = await fetch(address, { headers: { accept: 'text/html' } })
      const page = parsed(await answer.text())
      if (mine !== latest) return
      if (page.getElementById('said') === null) throw new Error('no answer')
      show(page)
      byId('errors')?.focus()
    }
    question.addEventListener('submit', (event) => {
      event.preventDefault()
      const address = `${question.getAttribute('action')}?${new URLSearchParams(new FormData(question))}`
      byId('said').textContent = 'Asking …'
      byId('answer').replaceChildren()
      ask(address).then(
        () => history.replaceState(null, '', address),
        () => {
          byId('said').textContent = 'No answer: is the emulator still running?'
        },
      )
    })
  }

  // The editor: the text is checked on the server while it is written; a finding leads to its place.
  const checkWhileWriting = (editor) => {
    const text = byId('policy')
    let latest = 0
    let timer
    const check = async () => {
      const mine = ++latest
      const form = new URLSearchParams(new FormData(editor))
      form.set('do', 'check')
      const answer = await fetch(editor.action, { method: 'POST', body: form, headers: { accept: 'text/html' } })
      const findings = parsed(await answer.text()).getElementById('findings')
      if (mine === latest && findings !== null) byId('findings').replaceChildren(...findings.childNodes)
    }
    const checkSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(
        () =>
          check().catch(() => {
            byId('findings').textContent = 'Not checked: is the emulator still running?'
          }),
        300,
      )
    }
    text.addEventListener('input', checkSoon)
    // The page can be edited before this script has loaded, and a browser restores edited text when one comes back.
    if (text.value !== text.defaultValue) checkSoon()
    byId('findings').addEventListener('click', (event) => {
      const { start, end } = event.target.dataset
      if (start === undefined) return
      event.preventDefault()
      text.focus()
      text.setSelectionRange(Number(start), Number(end))
    })
  }

  // The log: rows come as they are written on the server, newest first; a short line says how many, and not too often.
  const follow = (log) => {
    const most = Number(log.dataset.most)
    const rows = byId('calls').tBodies[0]
    const live = byId('live')
    const pause = byId('pause')
    let newest = Number(log.dataset.newest)
    let came = 0
    let last = ''
    let timer
    let source
    const say = (text) => {
      if (live.textContent !== text) live.textContent = text
    }
    const announce = () => {
      timer = undefined
      if (came === 0) return
      say(came === 1 ? `1 new call. ${last}` : `${came} new calls. Last: ${last}`)
      came = 0
    }
    const add = (event) => {
      const { row, words } = JSON.parse(event.data)
      newest = Number(event.lastEventId)
      const fresh = parsed(`<table><tbody>${row}</tbody></table>`).querySelector('tr')
      fresh.classList.add('fresh')
      rows.prepend(fresh)
      while (rows.rows.length > most) rows.lastElementChild.remove()
      byId('none')?.remove()
      came += 1
      last = words
      if (timer === undefined) timer = setTimeout(announce, 1500)
    }
    const start = () => {
      const address = `${log.dataset.stream + (log.dataset.stream.includes('?') ? '&' : '?')}after=${newest}`
      source = new EventSource(address)
      source.onopen = () => say('Live: further calls appear by themselves.')
      source.onerror = () => say('The connection is lost. Trying again …')
      source.onmessage = add
    }
    pause.hidden = false
    pause.addEventListener('click', () => {
      const paused = pause.getAttribute('aria-pressed') !== 'true'
      pause.setAttribute('aria-pressed', String(paused))
      if (paused) {
        source.close()
        say('Paused.')
      } else start()
    })
    addEventListener('pagehide', () => source.close())
    addEventListener('pageshow', (event) => {
      if (event.persisted && pause.getAttribute('aria-pressed') !== 'true') start()
    })
    start()
  }

  const [question, editor, log] = ['question', 'editor', 'log'].map(byId)
  if (question) askInPlace(question)
  if (editor) checkWhileWriting(editor)
  if (log?.dataset.stream) follow(log)
}
