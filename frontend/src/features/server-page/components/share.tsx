import { useTranslation } from '@/lib/i18n/i18n'
import { ShareButton } from '@/components/ui/share-button'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import type { ServerDetail } from '../api/server'
import { Panel } from '@/components/ui/panel'
import styles from './share.module.css'

/** Shares a link to the page that opens the vote dialog. */
export function Share({ server, name }: { server: ServerDetail; name: string }) {
  const { t } = useTranslation('server-page')
  const page = new URL(paths.server(useLanguage(), server), window.location.origin)
  page.searchParams.set('vote', '1')
  return (
    <Panel variant="boxed" title={t('share.title')}>
      <p className={styles.text}>{t('share.text', { name })}</p>
      <ShareButton title={name} url={page.href} wide />
    </Panel>
  )
}
