/** The subject of a public report: a server's page, or a review on it. */
import { queryOptions } from '@tanstack/react-query'
import { reportKeys } from '@/entities/report/keys'
import { unwrapOptional } from '@/lib/api/errors'
import { publicData } from '@/lib/api/public-data'
import { isUuid } from '@/lib/text/uuid'

/** The parameters of the page's address; empty where absent. */
export interface TargetAddress {
  /** The slug or id of a server. */
  server: string
  review: string
}

/** Null if it does not exist or is hidden from visitors. */
export const publicReportTargetQuery = (address: TargetAddress) =>
  queryOptions({
    queryKey: reportKeys.target(address.server, address.review),
    queryFn: ({ signal }) => fetchTarget(address, signal),
  })

async function fetchTarget({ server, review }: TargetAddress, signal: AbortSignal): Promise<PublicReportTarget | null> {
  if (review === '') return fetchServer(server, signal)
  if (!isUuid(review)) return null
  const answer = await publicData
    .from('reviews_public')
    .select('id, server_id, comment')
    .eq('id', review)
    .abortSignal(signal)
    .maybeSingle()
  const found = unwrapOptional(answer)
  const about = found && (await fetchServer(found.server_id ?? '', signal))
  return about && { ...about, review: { id: review, comment: found?.comment ?? '' } }
}

/** The subject as visitors see it. */
export interface PublicReportTarget {
  server: { id: string | null; slug: string | null; name: string | null; logo_image_url: string | null }
  review: { id: string; comment: string } | null
}

async function fetchServer(word: string, signal: AbortSignal): Promise<PublicReportTarget | null> {
  const answer = await publicData
    .from('servers_public')
    .select('id, slug, name, logo_image_url')
    .eq(isUuid(word) ? 'id' : 'slug', word)
    .abortSignal(signal)
    .maybeSingle()
  const server = unwrapOptional(answer)
  return server && { server, review: null }
}
