import i18next from 'i18next'
import { Component, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { StateMessage } from '@/components/ui/state-message'
import styles from './page.module.css'

/** Catches what a page throws while it draws, or a chunk that is gone after a new release. */
export class CrashBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    const t = i18next.getFixedT(null, 'shell')
    return (
      <div className={styles.wide}>
        <StateMessage
          announced
          heading="h1"
          drawing="failed"
          title={t('crash.title')}
          actions={
            <Button look="primary" icon="refresh" onClick={() => location.reload()}>
              {t('crash.reload')}
            </Button>
          }
        >
          {t('crash.text')}
        </StateMessage>
      </div>
    )
  }
}
