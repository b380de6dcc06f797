// Solves the proof of work with the published library, as a browser's worker would.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** The payload that goes with a vote for a server. */
export async function solveCaptcha(url, serverId, headers = {}) {
  const response = await fetch(`${url}/functions/v1/captcha-challenge?purpose=vote&server=${serverId}`, { headers })
  const challenge = await response.json()
  const solution = await solveChallenge({ challenge, deriveKey })
  return btoa(JSON.stringify({ challenge, solution }))
}
