import { useDeferredValue } from 'react'
import { Panel } from '@/components/ui/panel'
import { useTranslation } from '@/lib/i18n/i18n'
import { decodeStored } from '@/lib/text/stored-text'
import { sizeOf, widgetPath, type Widget } from '../model/widget'
import styles from './widget-preview.module.css'

/** A preview of the widget as another site shows it. It scrolls if it is wider than the screen. */
export function WidgetPreview({ widget, name }: { widget: Widget; name: string }) {
  const { t } = useTranslation('creator-tools')
  // Deferred, so that typing a nickname does not load a frame for each letter while the machine is
  // busy.
  const deferredWidget = useDeferredValue(widget)
  const { width, height } = sizeOf(deferredWidget)
  return (
    <Panel variant="above" title={t('preview.title')}>
      {/* The sandboxed frame runs the widget's script without access to this page. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable element must be reachable by keyboard */}
      <div className={styles.ground} tabIndex={0} role="group" aria-label={t('preview.title')}>
        <iframe
          className={styles.frame}
          src={widgetPath(deferredWidget)}
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
