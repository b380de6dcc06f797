import { ButtonLink } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n'
import { paths } from '@/lib/paths'
import { useLanguage } from '@/lib/use-language'

/** Where the ways of hearing of votes are described. */
export function DocsSection() {
  const { t } = useTranslation('own-server')
  const language = useLanguage()
  return (
    <Panel look="boxed" title={t('integrations.section.docs')} intro={t('integrations.intro')}>
      <div>
        <ButtonLink icon="code" to={paths.apiDocs(language)}>
          {t('integrations.docs')}
        </ButtonLink>
      </div>
    </Panel>
  )
}
