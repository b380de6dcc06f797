import { useDeferredValue } from 'react'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { sizeOf, widgetPath, type Widget } from '../model/widget'
import styles from './widget-preview.module.css'

/** The widget itself, as another site shows it. Wider than the screen, it scrolls. */
export function WidgetPreview({ widget, name }: { widget: Widget; name: string }) {
  const { t } = useTranslation('creator-tools')
  // A nickname being typed does not fetch a frame a letter while the machine is busy.
  const shown = useDeferredValue(widget)
  const { width, height } = sizeOf(shown)
  return (
    <Panel variant="above" title={t('preview.title')}>
      {/* The frame runs the script that moves its figures, and has nothing of this page's. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys */}
      <div className={styles.ground} tabIndex={0} role="group" aria-label={t('preview.title')}>
        <iframe
          className={styles.frame}
          src={widgetPath(shown)}
          sandbox="allow-popups allow-popups-to-escape-sandbox allow-scripts"
          title={t('preview.frame', { name: decodeStored(name) })}
          width={width}
          height={height}
        />
      </div>
      <p className={styles.note}>{t('preview.size', { width, height })}</p>
    </Panel>
  )
}
