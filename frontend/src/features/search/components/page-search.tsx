import { useRef } from 'react'
import { usePageSearch } from '@/lib/routing/page-search'
import { SearchBox } from './search-box'

/** The search as the first thing on a page; the header's stands in for it once it is scrolled away. */
export function PageSearch() {
  const field = useRef<HTMLDivElement>(null)
  usePageSearch(field)
  return (
    <div ref={field}>
      <SearchBox size="large" />
    </div>
  )
}
