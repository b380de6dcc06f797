/**
 * Every component of the kit in all its states: `/dev/kit` lists the files of `sections/`,
 * `/dev/kit/<file>` shows one. Each file exports a component named `Section`. For developers of the
 * site, so it is in English only.
 */
import { createElement, Suspense, type ComponentType } from 'react'
import { useParams } from 'react-router'
import { NavLink } from '@/components/ui/link'
import { chooseTheme, useTheme } from '@/components/layout/theme'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import { lazyComponent } from '@/lib/browser/lazy'
import { useDocumentHead } from '@/lib/routing/use-document-head'
import styles from './kit-page.module.css'

const files = import.meta.glob<{ Section: ComponentType }>('./sections/*.tsx')

const SECTIONS = new Map(
  Object.entries(files).map(([file, load]) => [
    file.slice('./sections/'.length, -'.tsx'.length),
    createElement(lazyComponent(async () => (await load()).Section)),
  ]),
)

export function KitPage() {
  const { section = '' } = useParams()
  const currentSection = SECTIONS.get(section)
  const theme = useTheme()
  useDocumentHead({ title: `${section || 'Kit'} | Palmarès`, description: 'The parts the pages are built from.' })
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.title}>{section ? section.replaceAll('-', ' ') : 'Kit'}</h1>
        <Button
          size="small"
          icon={theme === 'dark' ? 'sun' : 'moon'}
          onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          {theme === 'dark' ? 'Light theme' : 'Dark theme'}
        </Button>
      </header>
      <nav aria-label="Sections of the kit" className={styles.sections}>
        {[...SECTIONS.keys()].map((name) => (
          <NavLink key={name} to={`/dev/kit/${name}`} className={styles.link}>
            {name}
          </NavLink>
        ))}
      </nav>
      <Suspense fallback={<Spinner />}>{currentSection}</Suspense>
    </div>
  )
}
