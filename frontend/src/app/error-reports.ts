/**
 * Reports uncaught errors. The code that groups and sends them is fetched with the first error, so
 * a page without errors does not load it.
 */
export function reportError(error: unknown): void {
  import('./send-error-report').then(({ sendErrorReport }) => sendErrorReport(error)).catch(() => {})
}

export function listenForErrors(): void {
  addEventListener('error', ({ error }) => reportError(error))
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason))
}
