/**
 * A line over the page that says why the page cannot go on, with a button. Drawn without React and
 * with texts that are part of the script, so that it works when nothing else can be fetched.
 */
import i18next from 'i18next'
import { trouble, wake, type ConnectionStatus } from '@/lib/browser/connection-status'
import styles from './trouble-notice.module.css'

export function showTroubles(): void {
  const notice = document.createElement('div')
  // A live region, because an open dialog hides everything else from screen readers.
  notice.setAttribute('role', 'alert')
  notice.setAttribute('aria-live', 'assertive')
  notice.className = styles.notice ?? ''
  // A press on the notice must not count as a press outside an open dialog, which would close the
  // dialog and lose its input.
  for (const kind of ['pointerdown', 'mousedown', 'touchstart', 'focusin'] as const)
    notice.addEventListener(kind, (event) => event.stopPropagation())
  document.body.append(notice)
  let currentStatus: ConnectionStatus | null = null
  notice.hidden = true
  trouble.subscribe(() => {
    const next = trouble.get()
    if (next === currentStatus) return
    currentStatus = next
    notice.hidden = next === null
    notice.replaceChildren(...(next === null ? [] : contentOf(next)))
  })
}

function contentOf(kind: ConnectionStatus): HTMLElement[] {
  const t = i18next.getFixedT(document.documentElement.lang, 'trouble')
  const text = document.createElement('p')
  text.textContent = t(`${kind}.text`)
  const action = document.createElement('button')
  action.type = 'button'
  action.textContent = t(`${kind}.action`)
  action.addEventListener('click', kind === 'release' ? () => location.reload() : wake)
  return [text, action]
}
