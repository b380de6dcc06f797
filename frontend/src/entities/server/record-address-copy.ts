/** Tells the site that a server's address was copied, for its owner to know; fetched when one is. */
import { publicFunctions } from '@/lib/api/functions'

/** A failure is nobody's business. */
export async function recordCopy(serverId: string): Promise<void> {
  await publicFunctions.invoke('server-copy', { body: { serverId } }).catch(() => {})
}
