/** Ways on from a list: to what is over, and to what runs. */
import { ButtonLink } from '@/components/ui/button'
import { useTranslation } from '@/lib/i18n/i18n'
import { nameIn } from '@/lib/i18n/translated-name'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import type { RunningEvent } from '../api/servers'
import styles from './ranking-list.module.css'

/** From a game's running ranking to those that are over. */
export function HallLink({ game }: { game: string }) {
  const { t } = useTranslation('ranking-list')
  return (
    <ButtonLink to={paths.gameHall(useLanguage(), { game })} icon="trophy" className={styles.hall}>
      {t('hall')}
    </ButtonLink>
  )
}

/** From the running event's ranking to what it is about. */
export function EventLink({ event }: { event: RunningEvent }) {
  const { t } = useTranslation('ranking-list')
  const language = useLanguage()
  return (
    <ButtonLink to={paths.competitiveEvent(language, { eventId: event.id })} icon="trophy" className={styles.hall}>
      {t('event', { name: nameIn(event, language) })}
    </ButtonLink>
  )
}
