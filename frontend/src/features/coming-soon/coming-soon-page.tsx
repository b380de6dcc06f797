import { useTranslation } from '@/lib/i18n'
import { ButtonLink } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import type { PageKey } from '@/lib/pages'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'

/** Says honestly that a page is not there yet. */
export function ComingSoonPage({ page }: { page: PageKey }) {
  const { t } = useTranslation(['coming-soon', 'pages'])
  const language = useLanguage()
  return (
    <StateMessage
      heading="h1"
      drawing="soon"
      title={t(`pages:${page}`)}
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
