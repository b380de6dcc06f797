/** What the site found in its own pages, asked by `fetch`: it is public and the same for everybody. */
import { queryOptions } from '@tanstack/react-query'
import { apiOrigin } from '@/lib/config'
import { laterKeys } from '@/lib/query/later-keys'
import type { Audit } from '../model/audit'

async function fetchAudit(signal: AbortSignal): Promise<Audit> {
  const answer = await fetch(`${apiOrigin}/api/seo-audit`, { signal })
  if (!answer.ok) throw new Error(`seo-audit: ${answer.status}`)
  return (await answer.json()) as Audit
}

export const auditQuery = () =>
  queryOptions({
    queryKey: laterKeys.seoAudit,
    queryFn: ({ signal }) => fetchAudit(signal),
    staleTime: 60_000,
  })
