/**
 * The site's audit of its own pages, requested by `fetch`, because it is public and the same for
 * everybody.
 */
import { queryOptions } from '@tanstack/react-query'
import { siteKeys } from '@/entities/site/keys'
import { apiOrigin } from '@/lib/config'
import { STALE_TIME } from '@/lib/query/stale-times'
import type { Audit } from '../model/audit'

async function fetchAudit(signal: AbortSignal): Promise<Audit> {
  const answer = await fetch(`${apiOrigin}/api/seo-audit`, { signal })
  if (!answer.ok) throw new Error(`seo-audit: ${answer.status}`)
  return (await answer.json()) as Audit
}

export const auditQuery = () =>
  queryOptions({
    queryKey: siteKeys.seoAudit,
    queryFn: ({ signal }) => fetchAudit(signal),
    staleTime: STALE_TIME.steady,
  })
