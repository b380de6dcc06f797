/**
 * Hears of errors that nothing caught. What tells them apart and sends them is fetched with the first one, so that a
 * page without errors does without it.
 */
export function reportError(error: unknown): void {
  import('./send-error-report').then(({ sendErrorReport }) => sendErrorReport(error)).catch(() => {})
}

export function listenForErrors(): void {
  addEventListener('error', ({ error }) => reportError(error))
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason))
}
