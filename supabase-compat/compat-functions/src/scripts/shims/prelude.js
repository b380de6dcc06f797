// Runs before a function's own module and provides the environment of Supabase's runtime:
// Deno.serve listens on the host's socket, EdgeRuntime exists, and the host's own variables are
// removed.
const take = (name) => {
  const value = Deno.env.get(name)
  Deno.env.delete(name)
  return value
}
const socket = take('COMPAT_FUNCTION_SOCKET')
const word = take('COMPAT_FUNCTION_WORD')
for (const name of take('COMPAT_FUNCTION_HIDDEN').split(',')) Deno.env.delete(name)

const native = Deno.serve.bind(Deno)
const { exit, stdin, stdout, addSignalListener } = Deno
let server

// On a unix socket the runtime calls an address http+unix://host/path.
const address = (url) => url.replace('http+unix://', 'http://')
function clone() {
  return placed(Request.prototype.clone.call(this))
}
function placed(request) {
  return Object.defineProperties(request, {
    url: { value: address(request.url), enumerable: true, configurable: true },
    clone: { value: clone, configurable: true, writable: true },
  })
}

function serve(first, second) {
  const options = (typeof first === 'function' ? second : first) ?? {}
  const handler = typeof first === 'function' ? first : (second ?? options.handler)
  if (typeof handler !== 'function') throw new TypeError('A handler function must be provided.')
  const answer = (request, { completed }) => {
    const hostname = request.headers.get('x-forwarded-for') ?? ''
    return handler(placed(request), { remoteAddr: { transport: 'tcp', hostname, port: 0 }, completed })
  }
  const onListen = () => {
    stdout.writeSync(new TextEncoder().encode(`\x1e${word}\n`))
    options.onListen?.({ transport: 'tcp', hostname: '0.0.0.0', port: options.port ?? 8000 })
  }
  const { signal, onError } = options
  server = native({ path: socket, signal, onListen, ...(onError && { onError }) }, answer)
  return server
}
Object.defineProperty(Deno, 'serve', { value: serve, enumerable: true, configurable: true, writable: true })

const tasks = new Set()
globalThis.EdgeRuntime = Object.freeze({
  waitUntil(promise) {
    const settled = Promise.resolve(promise)
      .catch((error) => console.error('a background task failed:', error))
      .finally(() => tasks.delete(settled))
    tasks.add(settled)
    return promise
  },
})

async function leave() {
  dispatchEvent(new CustomEvent('beforeunload', { detail: { reason: 'termination' }, cancelable: true }))
  await server?.shutdown()
  while (tasks.size > 0) await Promise.allSettled(tasks)
  exit(0)
}

// The host holds the other end of stdin, which closes when the host ends.
async function leaveWithHost() {
  const chunk = new Uint8Array(1)
  while ((await stdin.read(chunk)) !== null);
  exit(0)
}

// Starts after the function's module has run, because the pending operations would block it
// forever.
addEventListener('load', async () => {
  addSignalListener('SIGTERM', leave)
  leaveWithHost()
  if (server) return
  const { default: exported } = await import(Deno.mainModule)
  if (typeof exported?.fetch === 'function') {
    serve((request, info) => exported.fetch(request, info))
    return
  }
  setTimeout(() => {
    if (server) return
    console.error('the function serves nothing: call Deno.serve, or export default { fetch }')
    exit(1)
  }, 5000)
})
