import type { MouseEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import styles from './prose.module.css'

/** A text with the typography of prose. Links within the site navigate without a reload. */
export function Prose({ html, children }: { html?: string; children?: ReactNode }) {
  const navigate = useNavigate()

  function follow(event: MouseEvent<HTMLElement>): void {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const address = link?.getAttribute('href') ?? ''
    if (!isPlain || !/^[/#]/.test(address)) return
    event.preventDefault()
    void navigate(address)
  }

  const shared = { className: styles.prose, onClick: follow }
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the links handle keys themselves
  return html === undefined ? (
    <div {...shared}>{children}</div>
  ) : (
    <div {...shared} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
