/**
 * The screens by address. Each is loaded on demand together with its texts, so that nothing moves
 * when it appears.
 */
import i18next from 'i18next'
import type { ComponentType } from 'react'
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { RouteError } from './route-error'
import { Shell } from './shell'

const screen = (namespace: string, load: () => Promise<{ Screen: ComponentType }>) => async () => {
  const [{ Screen }] = await Promise.all([load(), i18next.loadNamespaces(namespace)])
  return { Component: Screen }
}

export const routes: RouteObject[] = [
  {
    errorElement: <RouteError />,
    hydrateFallbackElement: <></>,
    children: [
      { path: 'login', lazy: screen('login', () => import('@/features/login/screen')) },
      {
        path: 'setup',
        lazy: screen('login', () =>
          import('@/features/login/setup-screen').then(({ SetupScreen }) => ({ Screen: SetupScreen })),
        ),
      },
      {
        element: <Shell />,
        children: [
          {
            errorElement: <RouteError />,
            children: [
              { index: true, element: <Navigate to="/overview" replace /> },
              { path: 'overview', lazy: screen('overview', () => import('@/features/overview/screen')) },
              { path: 'tables/:schema?/:table?', lazy: screen('tables', () => import('@/features/tables/screen')) },
              { path: 'sql/:tab?', lazy: screen('sql', () => import('@/features/sql/screen')) },
              { path: 'users/:id?', lazy: screen('users', () => import('@/features/users/screen')) },
              { path: 'files/*', lazy: screen('files', () => import('@/features/files/screen')) },
              { path: 'functions/:name?', lazy: screen('functions', () => import('@/features/functions/screen')) },
              { path: 'realtime', lazy: screen('realtime', () => import('@/features/realtime/screen')) },
              {
                path: 'authentication/:part?',
                lazy: screen('authentication', () => import('@/features/authentication/screen')),
              },
              {
                path: 'integrations/:part?',
                lazy: screen('integrations', () => import('@/features/integrations/screen')),
              },
              { path: 'logs', lazy: screen('logs', () => import('@/features/logs/screen')) },
              { path: 'advice', lazy: screen('advice', () => import('@/features/advice/screen')) },
              // `/console/api` is the API itself.
              { path: 'connect', lazy: screen('api', () => import('@/features/api/screen')) },
              { path: 'backups', lazy: screen('backups', () => import('@/features/backups/screen')) },
              { path: 'settings', lazy: screen('settings', () => import('@/features/settings/screen')) },
              { path: 'operators', lazy: screen('operators', () => import('@/features/operators/screen')) },
              { path: 'audit', lazy: screen('audit', () => import('@/features/audit/screen')) },
              { path: '*', element: <RouteError isMissing /> },
            ],
          },
        ],
      },
    ],
  },
]

export const makeRouter = () => createBrowserRouter(routes, { basename: '/console' })
