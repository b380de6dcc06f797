import { CodeTabs } from '@/components/code/code-block'
import { Panel } from '@/components/ui/panel'
import { apiOrigin } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { paths } from '@/lib/routing/paths'
import { decodeStored } from '@/lib/text/stored-text'
import { iframeCode, pictureCode, scriptCode, type Widget } from '../model/widget'
import styles from './widget-code.module.css'

/** The code to copy: an iframe, a script, or an image. */
export function WidgetCode({ widget, name }: { widget: Widget; name: string }) {
  const { t } = useTranslation('creator-tools')
  const title = t('code.widgetTitle', { name: decodeStored(name) })
  const page = apiOrigin + paths.server(widget.language, { id: widget.server })
  return (
    <Panel variant="above" title={t('code.title')}>
      <CodeTabs
        label={t('code.title')}
        versions={[
          { language: t('code.iframe'), code: iframeCode(widget, apiOrigin, title) },
          { language: t('code.script'), code: scriptCode(widget, apiOrigin, title) },
          { language: t('code.picture'), code: pictureCode(widget, apiOrigin, title, page) },
        ]}
      />
      <p className={styles.note}>{t('code.note')}</p>
    </Panel>
  )
}
