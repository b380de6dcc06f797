import { useRef } from 'react'
import { usePageSearch } from '@/lib/routing/page-search'
import { SearchBox } from './search-box'

/**
 * The search at the top of a page; the header's search replaces it once it is scrolled out of
 * sight.
 */
export function PageSearch() {
  const field = useRef<HTMLDivElement>(null)
  usePageSearch(field)
  return (
    <div ref={field}>
      <SearchBox size="large" />
    </div>
  )
}
