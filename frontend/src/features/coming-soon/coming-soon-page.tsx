import { useTranslation } from '@/lib/i18n'
import { ButtonLink } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'
import type texts from '../../../locales/fr/coming-soon.json'

export type ComingScreen = keyof (typeof texts)['screens']

/** Says honestly that a screen is not there yet. */
export function ComingSoonPage({ screen }: { screen: ComingScreen }) {
  const { t } = useTranslation('coming-soon')
  const language = useLanguage()
  return (
    <StateMessage
      heading="h1"
      drawing="soon"
      title={t(`screens.${screen}`)}
      note={t('status')}
      actions={
        <ButtonLink look="primary" to={paths.home(language)}>
          {t('home')}
        </ButtonLink>
      }
    >
      {t('text')}
    </StateMessage>
  )
}
