import type { MouseEvent } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import { type To } from 'react-router'
import { Link } from './link'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatNumber } from '@/lib/i18n/format'
import { useLanguage } from '@/lib/i18n/use-language'
import { pagesAround } from './pages-around'
import styles from './pagination.module.css'

interface PaginationProps {
  /** The accessible name of the pagination. */
  label: string
  page: number
  last: number
  /** A page's address. */
  to: (page: number) => To
  /** Called when a link is pressed, for instance to scroll to the top of the list. */
  onTurn?: (event: MouseEvent) => void
}

/**
 * Real links, so that a page can be opened in a new tab, bookmarked and found by search engines.
 */
export function Pagination({ label, page, last, to, onTurn }: PaginationProps) {
  const { t } = useTranslation('ui')
  const language = useLanguage()
  if (last <= 1) return null
  return (
    <nav className={styles.pages} aria-label={label}>
      {page > 1 && (
        <Link to={to(page - 1)} className={styles.step} onClick={onTurn} rel="prev">
          <Icon name="chevron-left" />
          <VisuallyHidden>{t('pages.previous')}</VisuallyHidden>
        </Link>
      )}
      {pagesAround(page, last).map((number) => (
        <Link
          key={number}
          to={to(number)}
          className={styles.page}
          onClick={onTurn}
          aria-label={t('pages.page', { page: number })}
          aria-current={number === page ? 'page' : undefined}
        >
          {formatNumber(number, language)}
        </Link>
      ))}
      {page < last && (
        <Link to={to(page + 1)} className={styles.step} onClick={onTurn} rel="next">
          <Icon name="chevron-right" />
          <VisuallyHidden>{t('pages.next')}</VisuallyHidden>
        </Link>
      )}
    </nav>
  )
}
