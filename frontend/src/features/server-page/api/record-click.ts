import { readStored, writeStored } from '@/lib/browser/stored'

const KEY = 'palmares.clicked'

function alreadyCounted(serverId: string): boolean {
  const counted = (readStored(KEY, 'session') ?? '').split(' ')
  if (counted.includes(serverId)) return true
  writeStored(KEY, [...counted.slice(-200), serverId].join(' ').trim(), 'session')
  return false
}

/** Counts a visit to a server's page, once per server and browser tab. A failure is ignored. */
export async function recordClick(serverId: string): Promise<void> {
  if (alreadyCounted(serverId)) return
  const { publicFunctions } = await import('@/lib/api/functions')
  await publicFunctions.invoke('server-click', { body: { serverId } })
}
