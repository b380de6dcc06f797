// A foreign issuer of access tokens: a certified OpenID provider that issues JWTs for client
// credentials. It can be stopped, and started again with other keys at the same address.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

/** A new signing key in the provider's format. */
export function newKey(kid, alg = 'RS256') {
  const pair = alg === 'RS256' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...pair.privateKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
}

const SECRET = 'only for tests'

const configuration = (subject, keys) => ({
  clients: [
    {
      client_id: subject,
      client_secret: SECRET,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: keys[0].alg,
    },
  ],
  jwks: { keys },
  cookies: { keys: [SECRET] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:api',
      getResourceServerInfo: () => ({
        scope: 'api',
        audience: 'api',
        accessTokenFormat: 'jwt',
        accessTokenTTL: 300,
        jwt: { sign: { alg: keys[0].alg, kid: keys[0].kid } },
      }),
    },
  },
  extraTokenClaims: () => ({ role: 'authenticated' }),
})

/**
 * Starts the issuer with these keys, the first of which signs.
 * @param port the port of an earlier issuer, to have its address again
 */
export async function startIssuer({ keys, subject = '11111111-2222-4333-8444-555555555555', port = 0 }) {
  let requestCount = 0
  const http = createServer()
  await new Promise((resolve) => http.listen(port, '127.0.0.1', resolve))
  const taken = http.address().port
  const name = `http://localhost:${taken}`
  const provider = new Provider(name, configuration(subject, keys)).callback()
  http.on('request', (request, response) => {
    if (request.url === '/jwks') requestCount += 1
    // Closes each connection, so that the next request reaches an issuer restarted on this port.
    response.setHeader('connection', 'close')
    return provider(request, response)
  })
  return {
    name,
    port: taken,
    subject,
    jwks: `${name}/jwks`,
    /** How often the keys were fetched. */
    requestCount: () => requestCount,
    /** An access token of the subject. */
    async token() {
      const response = await fetch(`${name}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${subject}:${encodeURIComponent(SECRET)}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      const answer = await response.json()
      if (!response.ok) throw new Error(JSON.stringify(answer))
      return answer.access_token
    },
    stop: () => new Promise((resolve) => (http.close(resolve), http.closeAllConnections())),
  }
}
