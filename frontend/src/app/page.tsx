import type { ReactNode } from 'react'
import { Access } from '@/components/access/access'
import { pageOf, type PageKey, type PageMatch } from '@/lib/routing/pages'
import { usePageHead } from './use-page-head'
import styles from './page.module.css'

/** What the registry says of a page, around what it draws: its head, its edges, and who is shown it. */
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

/** Drawn before the page, so that one that knows better has the last word. */
function PageHead({ page }: { page: PageKey }) {
  usePageHead(page)
  return null
}
