import { publicFunctions } from '@/lib/functions'

const KEY = 'palmares.clicked'

function alreadyCounted(serverId: string): boolean {
  try {
    const counted = (sessionStorage.getItem(KEY) ?? '').split(' ')
    if (counted.includes(serverId)) return true
    sessionStorage.setItem(KEY, [...counted.slice(-200), serverId].join(' ').trim())
  } catch {
    // Without storage every visit counts; the server has its own limits.
  }
  return false
}

/** Counts a visit to a server's page, once per server and browser tab. A failure is nobody's business. */
export async function recordClick(serverId: string): Promise<void> {
  if (alreadyCounted(serverId)) return
  await publicFunctions.invoke('server-click', { body: { serverId } })
}
