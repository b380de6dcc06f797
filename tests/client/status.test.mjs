// The status of game servers, compared with published clients: minecraft-protocol answers as a Minecraft server;
// gamedig, mcstatus and python-a2s read the same servers, and must get the site's results.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { GameDig } from 'gamedig'
import minecraft from 'minecraft-protocol'

import { startGameServer } from '../support/a2s-server.mjs'
import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startNames } from '../support/names.mjs'
import { startServer } from '../support/server.mjs'

const PACKAGES = fileURLToPath(new URL('../../target/test-python', import.meta.url))
const SCRIPT = fileURLToPath(new URL('status.py', import.meta.url))

let site
let names
/** The SRV records of the DNS server, by name. */
const services = {}
const stops = []

before(async () => {
  names = await startNames(services)
  stops.push(names.stop)
  // STATUS_RATE=0 turns background queries off: a server is only queried on request.
  site = await startServer({
    env: { OUTGOING_ALLOWED_HOSTS: '127.0.0.1,localhost', OUTGOING_DNS_SERVERS: names.at, STATUS_RATE: '0' },
  })
})
after(async () => {
  for (const stop of stops) await stop()
  await site?.stop()
})

/** The status of a server as the Python libraries read it. */
async function readByPython(kind, port) {
  const { stdout } = await promisify(execFile)('python3', [SCRIPT, kind, String(port)], {
    env: { ...process.env, PYTHONPATH: PACKAGES },
    timeout: 30_000,
  })
  return JSON.parse(stdout)
}

/** The site's status for a listing of the game at a local port, or at another address. */
async function readBySite(game, port, address = `127.0.0.1:${port}`) {
  const [{ id }] = await asOwner(
    site,
    `insert into public.servers (name, game_id, is_approved, ip_address)
     select 'Listing ${address}', id, true, '${address}' from public.games where slug = '${game}' returning id`,
  )
  const anybody = createClient(site.url, site.keys.ANON_KEY)
  const { data, error } = await anybody.functions.invoke('steam-server-status', { body: { serverId: id } })
  assert.equal(error, null)
  const [standing] = await asOwner(
    site,
    `select is_online, online_players, max_players from public.server_standings where server_id = '${id}'`,
  )
  return { ...data, standing }
}

async function startMinecraft() {
  const server = minecraft.createServer({
    // Listens on every local address, so that a forbidden query would succeed.
    host: '0.0.0.0',
    port: 0,
    'online-mode': false,
    version: '1.20.1',
    maxPlayers: 77,
    beforePing: (answer) => ({ ...answer, players: { max: 77, online: 42, sample: [] } }),
  })
  await once(server, 'listening')
  stops.push(() => server.close())
  return server.socketServer.address().port
}

test('Minecraft status matches mcstatus and gamedig', { timeout: 120_000 }, async () => {
  const port = await startMinecraft()
  const { server, standing } = await readBySite('minecraft', port)
  assert.deepEqual([server.is_online, server.online_players, server.max_players], [true, 42, 77])
  assert.deepEqual(standing, { is_online: true, online_players: 42, max_players: 77 })
  assert.deepEqual(await readByPython('minecraft', port), { players: 42, places: 77 })
  const dug = await GameDig.query({ type: 'minecraft', host: '127.0.0.1', port, socketTimeout: 5000 })
  assert.deepEqual([dug.numplayers, dug.maxplayers], [42, 77])
})

test('Minecraft host without port uses public SRV record', { timeout: 120_000 }, async () => {
  const port = await startMinecraft()
  services['play.terre.fr'] = { target: 'localhost', port }
  services['inside.terre.fr'] = { target: '127.0.0.2', port }
  const { server } = await readBySite('minecraft', undefined, 'Play.Terre.fr')
  assert.deepEqual([server.is_online, server.online_players, server.max_players], [true, 42, 77])
  const { server: inside } = await readBySite('minecraft', undefined, 'inside.terre.fr')
  assert.equal(inside, null, 'nobody is asked, so nothing is known')
  assert.deepEqual(names.queries, ['_minecraft._tcp.play.terre.fr', '_minecraft._tcp.inside.terre.fr'])
  const { server: otherServer } = await readBySite('minecraft', undefined, `play.terre.fr:${port}`)
  assert.equal(otherServer.is_online, false, 'who tells a port means that port')
  assert.equal(names.queries.length, 2)
})

test('Valve server status matches python-a2s and gamedig', { timeout: 120_000 }, async () => {
  const server = await startGameServer({ name: 'Terre du Milieu', map: 'de_dust2', players: 14, places: 32, bots: 0 })
  stops.push(server.stop)
  const { server: status } = await readBySite('cs2', server.port)
  assert.deepEqual(status, {
    is_online: true,
    online_players: 14,
    max_players: 32,
    map: 'de_dust2',
    name: 'Terre du Milieu',
  })
  assert.equal(server.queryCount, 2, 'once, and once more with the challenge')
  const read = { players: 14, places: 32, map: 'de_dust2', name: 'Terre du Milieu' }
  assert.deepEqual(await readByPython('source', server.port), read)
  const dug = await GameDig.query({ type: 'protocol-valve', host: '127.0.0.1', port: server.port, socketTimeout: 5000 })
  assert.deepEqual({ players: dug.numplayers, places: dug.maxplayers, map: dug.map, name: dug.name }, read)
})
