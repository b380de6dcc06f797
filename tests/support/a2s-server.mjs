// A game server that speaks Valve's query protocol: it sets a challenge, and answers queries that repeat the challenge.
// No such server can be installed, so published clients must understand this one before our own client is tested.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const text = (words) => Buffer.from(`${words}\0`)
const HEAD = Buffer.from([0xff, 0xff, 0xff, 0xff])

function info({ name, map, players, places, bots }) {
  const app = Buffer.from([0xda, 0x02])
  const figures = Buffer.from([players, places, bots, 0x64, 0x6c, 0, 1])
  return Buffer.concat([HEAD, Buffer.from('I\x11'), text(name), text(map), text('csgo'), text('CS2'), app, figures, text('1.40'), Buffer.from([0])])
}

const reply = (kind, rest) => Buffer.concat([HEAD, Buffer.from(kind), rest])

/** Starts a game server that reports this state; `queryCount` counts the queries. */
export async function startGameServer(state) {
  const socket = createSocket('udp4')
  const challenge = Buffer.from([7, 1, 2, 3])
  const server = { state, queryCount: 0, stop: () => new Promise((done) => socket.close(done)) }
  socket.on('message', (query, from) => {
    const send = (packet) => socket.send(packet, from.port, from.address)
    const kind = String.fromCharCode(query[4])
    if (kind === 'T') server.queryCount += 1
    if (!query.subarray(-4).equals(challenge)) return send(reply('A', challenge))
    if (kind === 'T') return send(info(server.state))
    // Player and rule lists, both empty.
    if (kind === 'U') return send(reply('D', Buffer.from([0])))
    if (kind === 'V') return send(reply('E', Buffer.from([0, 0])))
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.port = socket.address().port
  return server
}
