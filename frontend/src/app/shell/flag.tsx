import type { ReactNode } from 'react'
import type { Language } from '@/lib/i18n/languages'
import styles from './language-switcher.module.css'

const flags: Readonly<Record<Language, ReactNode>> = {
  fr: (
    <>
      <path fill="#fff" d="M0 0h24v16H0z" />
      <path fill="#26377f" d="M0 0h8v16H0z" />
      <path fill="#d8232f" d="M16 0h8v16h-8z" />
    </>
  ),
  en: (
    <>
      <path fill="#21306f" d="M0 0h24v16H0z" />
      <path stroke="#fff" strokeWidth="3.2" d="m0 0 24 16m0-16L0 16" />
      <path stroke="#cf2233" strokeWidth="1.4" d="m0 0 24 16m0-16L0 16" />
      <path stroke="#fff" strokeWidth="5.2" d="M12 0v16M0 8h24" />
      <path stroke="#cf2233" strokeWidth="3" d="M12 0v16M0 8h24" />
    </>
  ),
  es: (
    <>
      <path fill="#c8202c" d="M0 0h24v16H0z" />
      <path fill="#f6c22f" d="M0 4h24v8H0z" />
    </>
  ),
}

/** A small flag; the language's name stands beside it or in its label. */
export function Flag({ language }: { language: Language }) {
  return (
    <svg width={24} height={16} viewBox="0 0 24 16" className={styles.flag} aria-hidden="true" focusable="false">
      {flags[language]}
    </svg>
  )
}
