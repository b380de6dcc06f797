import { Children, Component, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './crash-boundary.module.css'
import { RetryButton } from './retry-button'

interface CrashBoundaryProps {
  /** Drawn instead of the crashed content. */
  fallback: (retry: () => void) => ReactNode
  /**
   * When this value changes, the crashed content is tried again: the address of a page, whether a
   * dialog is open.
   */
  resetOn?: unknown
  children: ReactNode
}

/**
 * Limits an error thrown while drawing to its own part of the page. React writes it to the console.
 */
export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidUpdate(before: CrashBoundaryProps, { crashed }: { crashed: boolean }) {
    // Content that crashed together with the change is not tried again.
    if (crashed && this.state.crashed && before.resetOn !== this.props.resetOn) this.retry()
  }

  retry = () => this.setState({ crashed: false })

  override render() {
    return this.state.crashed ? this.props.fallback(this.retry) : this.props.children
  }
}

/** A section of a page whose crash does not affect the rest. */
export function SectionBoundary({ children }: { children: ReactNode }) {
  return <CrashBoundary fallback={(retry) => <SectionCrash onRetry={retry} />}>{children}</CrashBoundary>
}

/** Wraps each child in a boundary of its own. */
export function Sections({ children }: { children: ReactNode }) {
  return Children.map(children, (child) => (child ? <SectionBoundary>{child}</SectionBoundary> : child))
}

function SectionCrash({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <div role="alert" className={styles.crash}>
      <p>{t('crashed')}</p>
      <RetryButton size="small" onClick={onRetry} />
    </div>
  )
}
