// A local DNS server (dns2) that only knows the SRV records of some Minecraft servers.
import dns2 from 'dns2'

const { Packet } = dns2

/**
 * Answers until `stop()`. `services` has the record of each name: `{ 'play.example': { target, port } }`.
 * @returns {Promise<{ at: string, queries: string[], stop: () => Promise<void> }>}
 */
export async function startNames(services) {
  const queries = []
  const server = dns2.createServer({
    udp: true,
    handle(request, send) {
      const [{ name, type }] = request.questions
      const answer = Packet.createResponseFromRequest(request)
      const record = type === Packet.TYPE.SRV && services[name.replace('_minecraft._tcp.', '')]
      queries.push(name)
      if (record) {
        answer.answers.push({ name, type, class: Packet.CLASS.IN, ttl: 60, priority: 0, weight: 5, ...record })
      } else {
        answer.header.rcode = 3
      }
      send(answer)
    },
  })
  await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  return {
    at: `127.0.0.1:${server.addresses().udp.port}`,
    queries,
    async stop() {
      await server.close()
    },
  }
}
