// A real SMTP server that receives mails. One per process, because maildev has a single store.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import MailDev from 'maildev'
import { DEADLINE } from './server.mjs'

const same = (address) => (entry) => entry.address.toLowerCase() === address.toLowerCase()

/**
 * Starts the server on a free port. `env` makes a server under test send its mails here.
 * @returns {Promise<{ port: number, env: Record<string, string>, to: (address: string) => object[], next: (address: string, options?: { after?: object }) => Promise<object>, stop: () => Promise<void> }>}
 */
export async function startMailServer() {
  const mailDirectory = mkdtempSync(join(tmpdir(), 'palmares-mail-'))
  const server = MailDev({ ip: '127.0.0.1', disableWeb: true, silent: true, mailDirectory })
  // As an option, maildev treats port 0 as unset and would listen on its default port.
  server.port = 0
  await new Promise((resolve, reject) => server.listen((error) => (error ? reject(error) : resolve())))
  const { port } = server.smtp.server.address()
  const to = (address) => server.store.filter((mail) => mail.envelope.to.some(same(address)))
  return {
    port,
    env: {
      GOTRUE_SMTP_HOST: '127.0.0.1',
      GOTRUE_SMTP_PORT: String(port),
      GOTRUE_SMTP_ADMIN_EMAIL: 'admin@site.test',
      GOTRUE_SMTP_SENDER_NAME: 'The site',
    },
    to,
    /** The newest mail to an address, waited for; with `after`, one that is newer than that mail. */
    next(address, { after } = {}) {
      const find = () => {
        const mails = to(address)
        return mails.slice(after ? mails.indexOf(after) + 1 : 0).at(-1)
      }
      return new Promise((resolve, reject) => {
        const finish = (settle, value) => {
          clearTimeout(timer)
          server.off('new', look)
          settle(value)
        }
        const look = () => {
          const mail = find()
          if (mail) finish(resolve, mail)
        }
        const timer = setTimeout(() => finish(reject, new Error(`no mail came to ${address}`)), DEADLINE)
        server.on('new', look)
        look()
      })
    },
    async stop() {
      await new Promise((resolve) => server.close(resolve))
      rmSync(mailDirectory, { recursive: true, force: true })
    },
  }
}

/** The numeric code in a mail of the built-in templates. */
export const codeOf = (mail) => mail.text.match(/\b\d{6,10}\b/)[0]

/** The link in a mail of the built-in templates. */
export const linkOf = (mail) => new URL(mail.text.match(/https?:\/\/\S+\/verify\?\S+/)[0])
