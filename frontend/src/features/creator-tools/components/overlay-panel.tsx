import { CodeBlock } from '@/components/code/code-block'
import { Panel } from '@/components/ui/panel'
import { apiOrigin } from '@/lib/config'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { overlayPath, type Widget } from '../model/widget'
import styles from './overlay-panel.module.css'

/** The overlay for streams: a preview over a picture, and the address for OBS. */
export function OverlayPanel({ widget, name }: { widget: Widget; name: string }) {
  const { t } = useTranslation('creator-tools')
  const path = overlayPath(widget)
  return (
    <Panel variant="above" title={t('overlay.title')}>
      <p className={styles.text}>{t('overlay.text')}</p>
      <div className={styles.ground}>
        <iframe
          className={styles.frame}
          src={path}
          sandbox="allow-scripts"
          title={t('overlay.frame', { name: decodeStored(name) })}
          tabIndex={-1}
        />
      </div>
      <CodeBlock label={t('overlay.address')} code={apiOrigin + path} />
      <p className={styles.text}>{t('overlay.note')}</p>
    </Panel>
  )
}
