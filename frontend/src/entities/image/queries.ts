/**
 * Images of other sites: the site shows a copy of its own, so that no visitor's browser requests
 * anything from another site.
 */
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiError, functionError } from '@/lib/api/errors'
import { ownFunctions } from '@/lib/api/functions'
import type { Refusals } from '@/lib/i18n/refusal'
import { STALE_TIME } from '@/lib/query/stale-times'
import { imageKeys } from './keys'

/** Refusals to copy an image. */
export const COPY_REFUSALS: Refusals = {
  picture_unreachable: 'form:image.problem.unreachable',
  picture_too_large: 'form:image.problem.size',
  picture_invalid: 'form:image.problem.typeMoving',
  picture_not_stored: 'form:image.problem.notStored',
}

/** The path of the copy for a tile, created once a visit. */
export const copyQuery = (address: string) =>
  queryOptions({
    queryKey: imageKeys.copy(address),
    queryFn: async ({ signal }) => {
      const body = { address, use: 'arcade' }
      const { data, error } = await (
        await ownFunctions()
      ).invoke<{ data: { path: string } }>('copy-picture', { body, signal })
      if (error !== null) throw await functionError(error)
      if (!data) throw new ApiError('no_data', 'The answer is empty', 200)
      return data.data.path
    },
    staleTime: STALE_TIME.never,
    retry: false,
  })

/** Creates the copy for a form that is submitted; an empty text for no address. */
export function useCopyPicture(): (address: string) => Promise<string> {
  const cache = useQueryClient()
  return async (address) => (address === '' ? '' : cache.fetchQuery(copyQuery(address)))
}
