import { useTranslation } from '@/lib/i18n/i18n'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'

export function NotFoundPage() {
  const { t } = useTranslation('not-found')
  const language = useLanguage()
  const navigate = useNavigate()
  return (
    <StateMessage
      heading="h1"
      drawing="lost"
      title={t('title')}
      actions={
        <>
          <ButtonLink variant="primary" icon="home" to={paths.home(language)}>
            {t('home')}
          </ButtonLink>
          <Button icon="arrow-left" onClick={() => void navigate(-1)}>
            {t('back')}
          </Button>
        </>
      }
    >
      {t('text')}
    </StateMessage>
  )
}
