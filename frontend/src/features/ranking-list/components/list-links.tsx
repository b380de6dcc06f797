/** Links from a list to past rankings and to the running event. */
import { ButtonLink } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { nameIn } from '@/lib/i18n/translated-name'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import type { RunningEvent } from '../api/servers'
import styles from './ranking-list.module.css'

/** A link from a game's current ranking to past ones. */
export function HallLink({ game }: { game: string }) {
  const { t } = useTranslation('ranking-list')
  return (
    <ButtonLink to={paths.gameHall(useLanguage(), { game })} icon="trophy" className={styles.hall}>
      {t('hall')}
    </ButtonLink>
  )
}

/** A link from the running event's ranking to the event's page. */
export function EventLink({ event }: { event: RunningEvent }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  return (
    <ButtonLink to={paths.competitiveEvent(language, { eventId: event.id })} icon="trophy" className={styles.hall}>
      {t('event', { name: nameIn(event, language) })}
    </ButtonLink>
  )
}
