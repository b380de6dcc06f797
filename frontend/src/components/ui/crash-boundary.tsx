import { Children, Component, type ReactNode } from 'react'
import { useTranslation } from '@/lib/i18n/i18n'
import styles from './crash-boundary.module.css'
import { RetryButton } from './retry-button'

interface CrashBoundaryProps {
  /** Drawn instead of what crashed. */
  fallback: (retry: () => void) => ReactNode
  /** When this changes, what crashed is tried again: the address of a page, whether a window is open. */
  resetOn?: unknown
  children: ReactNode
}

/** Keeps what is thrown while drawing from taking more of the page than its own part. React writes it to the console. */
export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidUpdate(before: CrashBoundaryProps, { crashed }: { crashed: boolean }) {
    // What crashed together with the change is not tried once more.
    if (crashed && this.state.crashed && before.resetOn !== this.props.resetOn) this.retry()
  }

  retry = () => this.setState({ crashed: false })

  override render() {
    return this.state.crashed ? this.props.fallback(this.retry) : this.props.children
  }
}

/** A part of a page that may crash without the rest. */
export function SectionBoundary({ children }: { children: ReactNode }) {
  return <CrashBoundary fallback={(retry) => <SectionCrash onRetry={retry} />}>{children}</CrashBoundary>
}

/** Each child is such a part. */
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
