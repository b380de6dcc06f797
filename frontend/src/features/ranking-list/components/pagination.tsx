import { useTranslation } from '@/lib/i18n'
import { Link } from 'react-router'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { formatNumber } from '@/lib/format'
import { showList } from '@/lib/list-place'
import { useLanguage } from '@/lib/use-language'
import { pagesAround } from '../model/pages'
import styles from './pagination.module.css'

interface PaginationProps {
  page: number
  last: number
  /** The query part of a page's address. */
  address: (page: number) => string
}

/** Real links, so that a page can be opened aside, kept and found by search engines. */
export function Pagination({ page, last, address }: PaginationProps) {
  const { t } = useTranslation(['ranking-list', 'ui'])
  const language = useLanguage()
  if (last <= 1) return null
  const to = (target: number) => ({ search: address(target) })
  return (
    <nav className={styles.pages} aria-label={t('pages.label')}>
      {page > 1 && (
        <Link to={to(page - 1)} className={styles.step} onClick={showList} rel="prev">
          <Icon name="chevron-left" />
          <VisuallyHidden>{t('ui:pages.previous')}</VisuallyHidden>
        </Link>
      )}
      {pagesAround(page, last).map((number) => (
        <Link
          key={number}
          to={to(number)}
          className={styles.page}
          onClick={showList}
          aria-label={t('ui:pages.page', { page: number })}
          aria-current={number === page ? 'page' : undefined}
        >
          {formatNumber(number, language)}
        </Link>
      ))}
      {page < last && (
        <Link to={to(page + 1)} className={styles.step} onClick={showList} rel="next">
          <Icon name="chevron-right" />
          <VisuallyHidden>{t('ui:pages.next')}</VisuallyHidden>
        </Link>
      )}
    </nav>
  )
}
