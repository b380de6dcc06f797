import { ButtonLink } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'

/** Where the server's own site and plugins learn of votes. */
export function IntegrationsTab() {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  return (
    <Panel look="boxed" title={t('tab.integrations')} intro={t('integrations.intro')}>
      <p>{t('integrations.soon')}</p>
      <div>
        <ButtonLink icon="code" to={paths.apiDocs(language)}>
          {t('integrations.docs')}
        </ButtonLink>
      </div>
    </Panel>
  )
}
