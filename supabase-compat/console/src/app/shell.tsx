/** The frame around every screen: account, sidebar and command palette. */
import { AppShell, Burger, Center, Loader, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router'
import { sessionQuery } from '@/api/session'
import { ErrorState } from '@/ui/states'
import { Modals } from './modals'
import { SessionProvider } from './session'
import classes from './shell.module.css'
import { Sidebar } from './sidebar'

const CommandPalette = lazy(() => import('./command-palette').then((module) => ({ default: module.CommandPalette })))
export function Shell() {
  const { t } = useTranslation('shell')
  const location = useLocation()
  const session = useQuery(sessionQuery)
  const [isOpen, { toggle, close }] = useDisclosure()
  const [paletteCalls, setPaletteCalls] = useState(0)
  const openPalette = () => setPaletteCalls((calls) => calls + 1)
  useHotkeys([['mod+K', openPalette]], [])
  useEffect(close, [location.pathname, close])

  if (session.isPending)
    return (
      <Center h="100dvh">
        <Loader size="sm" aria-label={t('loading')} />
      </Center>
    )
  if (session.isError)
    return (
      <Center h="100dvh" p="md">
        <ErrorState error={session.error} onRetry={() => void session.refetch()} />
      </Center>
    )
  if (!session.data) {
    const next = location.pathname === '/' ? '' : `?next=${encodeURIComponent(location.pathname + location.search)}`
    return <Navigate to={`/login${next}`} replace />
  }
  return (
    <SessionProvider value={session.data}>
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <AppShell
        header={{ height: { base: 48, sm: 0 } }}
        navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        transitionDuration={150}
      >
        {/* A dialog has a banner landmark of its own. */}
        <AppShell.Header hiddenFrom="sm" className={classes.header} role="none">
          <nav aria-label={t('topBar')} className={classes.bar}>
            <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={isOpen ? t('closeMenu') : t('openMenu')} />
            <Text fw={600} truncate>
              {session.data.project.name}
            </Text>
          </nav>
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar} aria-label={t('navigation')}>
          <Sidebar onSearch={openPalette} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
          <Suspense>
            <Outlet />
          </Suspense>
        </AppShell.Main>
      </AppShell>
      {/* Inside the router and the session, which the content of a dialog may use. */}
      <Modals />
      {paletteCalls > 0 ? (
        <Suspense>
          <CommandPalette key={paletteCalls} />
        </Suspense>
      ) : null}
    </SessionProvider>
  )
}
