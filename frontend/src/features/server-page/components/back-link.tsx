import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '@/components/ui/link'
import { useTranslation } from '@/lib/i18n/i18n'
import { Icon } from '@/components/ui/icon'
import { pageAt, paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import { previousAddress } from '@/lib/routing/scroll-history'
import type { ServerDetail } from '../api/server'
import styles from './back-link.module.css'

const LISTS: readonly string[] = ['home', 'game', 'shortcut']

/**
 * A link back to the list from which the reader came, in the same state; otherwise to the ranking
 * of the game.
 */
export function BackLink({ server }: { server: ServerDetail }) {
  const { t } = useTranslation('server-page')
  const navigate = useNavigate()

  function goBack(event: MouseEvent): void {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const before = previousAddress()
    if (!isPlain || before === null) return
    const page = pageAt(new URL(before, window.location.origin).pathname)
    if (page === null || !LISTS.includes(page.key)) return
    event.preventDefault()
    void navigate(-1)
  }

  return (
    <Link to={paths.gameOf(useLanguage(), server.games)} className={styles.back} onClick={goBack}>
      <Icon name="arrow-left" size={18} />
      {t('back')}
    </Link>
  )
}
