// Requests to a running server's console, as its pages send them: with a cookie and the header that no form can send.
import assert from 'node:assert/strict'

const PASSWORD = 'correct horse battery'

/** The link that the server printed for the first owner. */
export function firstLink(server) {
  const [link] = server.printed().match(/http:\/\/\S+\/console\/setup\?token=\S+/) ?? []
  assert.ok(link, `no link in: ${server.printed()}`)
  return new URL(link)
}

/**
 * Creates an operator from a setup link; returns a function that sends requests as that operator.
 * @returns {Promise<(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>>}
 */
export async function openConsole(link, email = 'ada@example.test') {
  let cookie = ''
  const ask = async (method, path, body, headers = {}) => {
    const response = await fetch(new URL(`/console/api${path}`, link), {
      method,
      headers: {
        'x-console-request': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie && { cookie }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    for (const line of response.headers.getSetCookie()) cookie = line.split(';')[0]
    return response
  }
  const made = await ask('POST', '/setup', { token: link.searchParams.get('token'), email, password: PASSWORD })
  assert.equal(made.status, 200, await made.clone().text())
  return ask
}
