// Updates the figures of a widget or an overlay from realtime/v1 while the page is visible. Without a socket, it
// fetches the page again once a minute. It implements version 1.0.0 of the protocol itself, because the published
// client would be larger than all else in the widget.
;(function () {
  const { server, key } = document.body.dataset
  if (!server || !key || !('WebSocket' in window)) return

  const FIRST = 3000
  const HEARTBEAT = 25000
  const REREAD = 60000
  /** The server caches its answers for ten seconds. */
  const FRESH = 11000
  const LONGEST_WAIT = 60000
  const topic = 'realtime:server:' + server
  const language = document.documentElement.lang
  const numbers = new Intl.NumberFormat(language)
  const plurals = new Intl.PluralRules(language)
  let socket = null
  let isJoined = false
  let isInView = false
  let failures = 0
  let refs = 0
  /** When the last figures were shown, and when the last message came. */
  let shownAt = 0
  let heardAt = 0
  let heartbeat
  let retry

  const filled = (text, values) => text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name])

  function put(name, count, values) {
    for (const element of document.querySelectorAll('[data-figure="' + name + '"]')) {
      const { one, other } = element.dataset
      const text = filled((plurals.select(count) === 'one' && one) || other, values)
      if (element.textContent === text) continue
      element.textContent = text
      // This restarts the animation, even if it is still running.
      element.classList.remove('moved')
      void element.offsetWidth
      element.classList.add('moved')
    }
  }

  function show(standing) {
    shownAt = Date.now()
    put('votes', standing.monthly_votes, { count: numbers.format(standing.monthly_votes) })
    put('place', standing.game_rank, { rank: numbers.format(standing.game_rank) })
    const hasPlayers = standing.is_online && standing.max_players > 0
    // The status is a text that the server writes, so the page is fetched again.
    if (hasPlayers !== (document.querySelector('[data-figure="players"]') !== null)) setTimeout(reread, FRESH)
    if (!hasPlayers) return
    const [online, max] = [standing.online_players, standing.max_players].map((figure) => numbers.format(figure))
    put('players', standing.online_players, { online, max })
  }

  function take(message) {
    if (message.topic !== topic) return
    if (message.event === 'phx_reply') {
      const isOk = message.payload && message.payload.status === 'ok'
      if (!isOk) return socket.close()
      failures = 0
      // Changes before the join were not received.
      if (!isJoined) {
        void reread()
        setTimeout(() => isJoined && void reread(), FRESH)
      }
      isJoined = true
    } else if (message.event === 'broadcast') {
      const { servers = [] } = (message.payload && message.payload.payload) || {}
      const own = servers.find(({ id }) => id === server)
      if (own) requestAnimationFrame(() => show(own))
    } else if (message.event === 'phx_close' || message.event === 'phx_error') socket.close()
  }

  function send(to, event, payload, join) {
    const ref = String(++refs)
    socket.send(JSON.stringify({ topic: to, event, payload, ref, join_ref: join ? ref : undefined }))
  }

  function open() {
    const address = new URL('/realtime/v1/websocket', location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    address.search = new URLSearchParams({ apikey: key, vsn: '1.0.0' })
    socket = new WebSocket(address)
    socket.onopen = () => {
      const config = { private: true, broadcast: { ack: false, self: false }, presence: { enabled: false } }
      send(topic, 'phx_join', { config, access_token: key }, true)
      heardAt = Date.now()
      heartbeat = setInterval(() => {
        // Without a message since the last heartbeat, the connection is dead.
        if (Date.now() - heardAt > HEARTBEAT + 5000) return socket.close()
        send('phoenix', 'heartbeat', {})
      }, HEARTBEAT)
    }
    socket.onmessage = ({ data }) => {
      heardAt = Date.now()
      if (typeof data === 'string') take(JSON.parse(data))
    }
    socket.onclose = () => {
      clearInterval(heartbeat)
      socket = null
      isJoined = false
      const wait = Math.min(1000 * 2 ** failures++, LONGEST_WAIT)
      clearTimeout(retry)
      // The random factor spreads the reconnections after a restart of the server.
      retry = setTimeout(follow, wait * (1 + Math.random()))
    }
  }

  /** Keeps a connection exactly while the page is visible. */
  function follow() {
    const isWanted = isInView && !document.hidden && !(navigator.connection && navigator.connection.saveData)
    if (isWanted && socket === null) open()
    if (!isWanted && socket !== null) {
      socket.onclose = null
      clearInterval(heartbeat)
      socket.close()
      socket = null
      isJoined = false
    }
  }

  async function reread() {
    // A sandboxed frame without an origin may not fetch the page.
    if (window.origin === 'null') return
    const askedAt = Date.now()
    try {
      const answer = await fetch(location.href, { cache: 'no-cache' })
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const [state, freshState] = [document, page].map((shown) => shown.querySelector('.players'))
      if (state && freshState) state.replaceWith(document.adoptNode(freshState))
      // Figures received meanwhile are newer than this answer.
      if (shownAt >= askedAt - FRESH) return
      for (const element of document.querySelectorAll('[data-figure]')) {
        const fresh = page.querySelector('[data-figure="' + element.dataset.figure + '"]')
        if (fresh && fresh.textContent !== element.textContent) element.textContent = fresh.textContent
      }
    } catch {
      // The next interval tries again.
    }
  }

  function begin() {
    new IntersectionObserver((entries) => {
      isInView = entries[entries.length - 1].isIntersecting
      follow()
    }).observe(document.body.firstElementChild)
    document.addEventListener('visibilitychange', follow)
    setInterval(() => {
      if (isInView && !document.hidden && !isJoined) void reread()
    }, REREAD)
  }
  setTimeout(begin, FIRST)
})()
