// A Votifier listener, like the plugins on game servers: both protocols on one port, written from their public
// descriptions. tests/client/votes-arrive.test.mjs checks it with published clients.
import { constants, createHmac, generateKeyPairSync, privateDecrypt, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const MAGIC = 0x733a
const BLOCK = 256

/**
 * Listens until `stop()`. `greeting` is the version that it announces; `votes()` returns the received votes in order.
 * @returns {Promise<{ port: number, token: string, publicKey: string, votes: () => object[], stop: () => Promise<void> }>}
 */
export async function startVotifier({ greeting = '2', host = '127.0.0.1' } = {}) {
  const token = randomBytes(13).toString('hex')
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const votes = []
  const server = createServer((socket) => {
    const challenge = randomBytes(13).toString('hex')
    socket.on('error', () => {})
    socket.write(greeting === '2' ? `VOTIFIER 2 ${challenge}\n` : `VOTIFIER ${greeting}\n`)
    let arrived = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      arrived = Buffer.concat([arrived, chunk])
      if (arrived.length < 4) return
      if (arrived.readUInt16BE() === MAGIC) {
        if (arrived.length < 4 + arrived.readUInt16BE(2)) return
        socket.end(`${JSON.stringify(signed(arrived.subarray(4), challenge, token, votes))}\r\n`)
      } else if (arrived.length >= BLOCK) {
        const vote = encrypted(arrived.subarray(0, BLOCK), privateKey)
        if (vote) votes.push(vote)
        socket.end()
      }
    })
  }).listen(0, host)
  await once(server, 'listening')
  return {
    port: server.address().port,
    token,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    votes: () => votes,
    async stop() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads a frame of Votifier 2: accepts the vote, or returns why it is refused. */
function signed(frame, challenge, token, votes) {
  const { payload, signature } = JSON.parse(frame.toString())
  const due = createHmac('sha256', token).update(payload).digest()
  const signatureBytes = Buffer.from(signature, 'base64')
  if (signatureBytes.length !== due.length || !timingSafeEqual(signatureBytes, due)) {
    return { status: 'error', cause: 'CorruptedFrameException', error: 'Signature is not valid (invalid token?)' }
  }
  const vote = JSON.parse(payload)
  if (vote.challenge !== challenge) {
    return { status: 'error', cause: 'CorruptedFrameException', error: 'Challenge is not valid' }
  }
  if (vote.username.length > 16) {
    return { status: 'error', cause: 'IllegalArgumentException', error: 'Username too long' }
  }
  votes.push({ protocol: 2, service: vote.serviceName, username: vote.username, address: vote.address })
  return { status: 'ok' }
}

/** Reads a block of Votifier 1: PKCS #1 v1.5, whose padding is removed here because Node no longer does. */
function encrypted(block, privateKey) {
  const plain = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block)
  const end = plain.indexOf(0, 2)
  if (plain[0] !== 0 || plain[1] !== 2 || end < 10) return undefined
  const [kind, service, username, address] = plain.subarray(end + 1).toString().split('\n')
  return kind === 'VOTE' ? { protocol: 1, service, username, address } : undefined
}
