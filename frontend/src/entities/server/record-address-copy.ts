/**
 * Records on the site that a server's address was copied, for its owner's figures; fetched with the
 * first copy.
 */
import { publicFunctions } from '@/lib/api/functions'

/** A failure is ignored. */
export async function recordCopy(serverId: string): Promise<void> {
  await publicFunctions.invoke('server-copy', { body: { serverId } }).catch(() => {})
}
