// A certified OpenID provider. Its login page accepts any name without a password; there is no
// consent page.
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const page = (uid) => `<!doctype html><html lang="en"><title>Provider</title><body>
<form method="post" action="/interaction/${uid}"><label>Login <input name="login" autofocus></label><button>Continue</button></form>`

function configuration(clientId, clientSecret, people) {
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: ['http://localhost/anywhere'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    // The ID token contains the e-mail address too, as those of the large providers do.
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    async findAccount(_, sub) {
      return { accountId: sub, claims: () => ({ sub, name: sub, email: `${sub}@provider.test`, email_verified: true, ...people[sub] }) }
    },
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({ accountId: ctx.oidc.session.accountId, clientId: ctx.oidc.client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

async function formOf(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/**
 * Starts the provider on a free port.
 * @param people claims that differ from the defaults, by login
 */
export async function startOidcProvider({ clientId = 'site', clientSecret = 'site-secret', people = {} } = {}) {
  const http = createServer()
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${http.address().port}`
  const provider = new Provider(issuer, configuration(clientId, clientSecret, people))
  // The server under test takes a free port after this one, so its address cannot be registered.
  provider.Client.prototype.redirectUriAllowed = (uri) => URL.canParse(uri)
  const oidc = provider.callback()
  http.on('request', async (request, response) => {
    const uid = request.url.match(/^\/interaction\/([^/?]+)$/)?.[1]
    if (!uid) return oidc(request, response)
    if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(page(uid))
    const login = (await formOf(request)).get('login')
    await provider.interactionFinished(request, response, { login: { accountId: login } })
  })
  return {
    issuer,
    clientId,
    clientSecret,
    signIn: (url, login, visitor) => signIn(issuer, url, login, visitor),
    stop: () => new Promise((resolve) => (http.close(resolve), http.closeAllConnections())),
  }
}

/** Acts as a browser: follows an address into the provider, logs in, and follows redirects until another site. */
async function signIn(issuer, url, login, cookies = new Map()) {
  let next = new URL(url)
  let form
  for (let hops = 0; hops < 12; hops += 1) {
    const response = await fetch(next, {
      method: form ? 'POST' : 'GET',
      body: form,
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    form = undefined
    for (const line of response.headers.getSetCookie()) {
      const [name, ...value] = line.split(';')[0].split('=')
      cookies.set(name, value.join('='))
    }
    const location = response.headers.get('location')
    if (location) {
      next = new URL(location, next)
      if (next.origin !== issuer) return next
    } else if (response.ok && next.pathname.startsWith('/interaction/')) {
      form = new URLSearchParams({ login })
    } else {
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
    }
  }
  throw new Error('the provider redirects in a loop')
}
