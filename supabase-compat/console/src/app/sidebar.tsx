import { Kbd, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { AccountButton } from './account-button'
import { destinationsFor, GROUPS } from './navigation'
import { useSession } from './session'
import classes from './shell.module.css'

const AccountMenu = lazy(() => import('./account-menu').then((module) => ({ default: module.AccountMenu })))

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const { t } = useTranslation('shell')
  const { project, operator } = useSession()
  return (
    <>
      <div className={classes.project}>
        <img src="/console/favicon.svg" alt="" width={26} height={26} />
        <div style={{ minWidth: 0 }}>
          <Text fw={600} truncate lh={1.2}>
            {project.name}
          </Text>
          <Text size="xs" c="dimmed" truncate lh={1.3}>
            {project.version}
          </Text>
        </div>
      </div>
      <button type="button" className={classes.search} onClick={onSearch}>
        <IconSearch size={15} aria-hidden />
        <span>{t('search')}</span>
        <Kbd size="xs">{isApple() ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <nav className={classes.links} aria-label={t('screensLabel')}>
        {GROUPS.map((group) => (
          <ul key={group} className={classes.group}>
            {destinationsFor(operator.role)
              .filter((one) => one.group === group)
              .map(({ name, icon: Picture }) => (
                <li key={name}>
                  <NavLink to={`/${name}`} className={classes.link}>
                    <Picture size={18} stroke={1.7} aria-hidden />
                    {t(`screens.${name}`)}
                  </NavLink>
                </li>
              ))}
          </ul>
        ))}
      </nav>
      <Account />
    </>
  )
}

/** The menu is loaded when it is first opened; its button is there before. */
function Account() {
  const [isWanted, setIsWanted] = useState(false)
  if (!isWanted) return <AccountButton aria-haspopup="menu" onClick={() => setIsWanted(true)} />
  return (
    <Suspense fallback={<AccountButton aria-haspopup="menu" />}>
      <AccountMenu />
    </Suspense>
  )
}

const isApple = () => /Mac|iPhone|iPad/.test(navigator.userAgent)
