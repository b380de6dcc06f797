import type { ReactNode } from 'react'
import { Access } from '@/components/access/access'
import { pageOf, type PageKey, type PageMatch } from '@/lib/routing/pages'
import { usePageHead } from './use-page-head'
import styles from './page.module.css'

/**
 * Applies the registry entry of a page to its component: the head, the margins, and who may see it.
 */
export function Page({ match, children }: { match: PageMatch; children: ReactNode }) {
  const { access, width } = pageOf(match.key)
  const content = <Access needs={access}>{children}</Access>
  return (
    <>
      <PageHead page={match.key} />
      {width === 'full' ? content : <div className={styles[width]}>{content}</div>}
    </>
  )
}

/** Drawn before the page, so that a head in the page itself overrides it. */
function PageHead({ page }: { page: PageKey }) {
  usePageHead(page)
  return null
}
