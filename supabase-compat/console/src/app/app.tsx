/** The providers around all screens. */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { RouterProvider } from 'react-router'
import { whenSignedOut } from '@/api/client'
import { makeQueryClient } from '@/api/query-client'
import { sessionQuery } from '@/api/session'
import { useErrorText } from '@/ui/error-text'
import { notifyRefusal } from '@/ui/notify'
import { makeRouter } from './router'
import { theme, variables } from './theme'

/**
 * Loaded at once, because it reports a lost network and could not be fetched then. If it fails to
 * load, everything else works.
 */
const Notices = lazy(() =>
  import('./notices').then(
    (module): { default: ComponentType } => ({ default: module.Notices }),
    () => ({ default: () => null }),
  ),
)
const colorSchemes = localStorageColorSchemeManager({ key: 'console-color-scheme' })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
    >
      <Suspense>
        <Contents />
      </Suspense>
    </MantineProvider>
  )
}

function Contents() {
  const { t } = useTranslation('shared')
  const errorText = useErrorText()
  const [router] = useState(makeRouter)
  const [client] = useState(() => {
    const created = makeQueryClient((error) => notifyRefusal(t('failed'), errorText(error)))
    whenSignedOut(() => created.setQueryData(sessionQuery.queryKey, null))
    return created
  })
  return (
    <QueryClientProvider client={client}>
      <Suspense>
        <Notices />
      </Suspense>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}
