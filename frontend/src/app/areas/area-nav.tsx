import { useId, useState, type ReactNode } from 'react'
import { NavLink } from '@/components/ui/link'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { VisuallyHidden } from '@/components/ui/visually-hidden'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PageKey } from '@/lib/routing/pages'
import { paths } from '@/lib/routing/paths'
import { useLanguage } from '@/lib/i18n/use-language'
import styles from './area-nav.module.css'

/** Pages of an area whose links need no parameter but the language. */
export type LinkedPage = {
  [Key in keyof typeof paths]: (typeof paths)[Key] extends (language: never) => string ? Key : never
}[keyof typeof paths] &
  keyof typeof import('../../../locales/fr/pages.json')

export interface AreaNavProps {
  label: string
  /** The open page. */
  current: PageKey
  groups: readonly { title?: string; pages: readonly LinkedPage[] }[]
  /** What follows a page's name. */
  aside?: (page: LinkedPage) => ReactNode
}

/** The menu of an area: a list beside the page, on small screens a menu above it. */
export function AreaNav({ label, current, groups, aside }: AreaNavProps) {
  const { t } = useTranslation('pages')
  const language = useLanguage()
  const list = useId()
  // The menu belongs to the page on which it was opened: navigating closes it.
  const [openOn, setOpenOn] = useState<PageKey | null>(null)
  const isOpen = openOn === current
  return (
    <nav aria-label={label} className={styles.nav}>
      <button
        type="button"
        className={styles.open}
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpenOn(isOpen ? null : current)}
      >
        <Icon name="menu" size={18} />
        <VisuallyHidden>{label}, </VisuallyHidden>
        <span className={styles.current}>{t(current)}</span>
        <Icon name="chevron-down" size={18} />
      </button>
      <div id={list} className={classes(styles.groups, isOpen && styles.shown)}>
        {groups.map(({ title, pages }) => (
          <div key={pages[0]}>
            {title && <p className={styles.title}>{title}</p>}
            <ul>
              {pages.map((page) => (
                <li key={page}>
                  <NavLink to={paths[page](language)} className={styles.link} onClick={() => setOpenOn(null)}>
                    {t(page)}
                    {aside?.(page)}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  )
}
