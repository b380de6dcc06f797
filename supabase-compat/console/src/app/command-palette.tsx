/** The command palette: every screen, table and action by name. */
import '@mantine/spotlight/styles.layer.css'
import { useMantineColorScheme } from '@mantine/core'
import { Spotlight, spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconLogout, IconMoon, IconSearch, IconSun, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { serviceRequest } from '@/api/client'
import { useSignOut } from './account'
import { destinationsFor } from './navigation'
import { useSession } from './session'

interface TableName {
  schema: string
  name: string
}

/** The palette is open from its first render. */
export function CommandPalette() {
  const { t } = useTranslation('shell')
  const { operator } = useSession()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  useEffect(() => spotlight.open(), [])
  const tables = useQuery({
    queryKey: ['palette', 'tables'],
    queryFn: ({ signal }) =>
      serviceRequest<TableName[]>('pg/tables', { query: { include_columns: false, limit: 500 }, signal }),
    staleTime: 60_000,
  })
  const screens = destinationsFor(operator.role).flatMap(({ name, icon: Picture, parts }): SpotlightActionData[] => {
    const action = (id: string, label: string) => ({
      id,
      label,
      leftSection: <Picture size={18} stroke={1.6} />,
      onClick: () => void navigate(`/${id}`),
    })
    return [
      action(name, t(`screens.${name}`)),
      ...(parts ?? []).map((part) =>
        action(`${name}/${part}`, t('palette.part', { screen: t(`screens.${name}`), part: t(`parts.${part}`) })),
      ),
    ]
  })
  const groups: SpotlightActionGroupData[] = [
    { group: t('palette.screens'), actions: screens },
    {
      group: t('palette.tables'),
      // The project's own tables come before those of the services.
      actions: (tables.data ?? [])
        .toSorted((one, other) => Number(other.schema === 'public') - Number(one.schema === 'public'))
        .map(({ schema, name }) => ({
          id: `table ${schema}.${name}`,
          label: schema === 'public' ? name : `${schema}.${name}`,
          leftSection: <IconTable size={18} stroke={1.6} />,
          onClick: () => void navigate(`/tables/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`),
        })),
    },
    {
      group: t('palette.actions'),
      actions: [
        {
          id: 'scheme',
          label: colorScheme === 'dark' ? t('palette.toLight') : t('palette.toDark'),
          leftSection: colorScheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />,
          onClick: () => setColorScheme(colorScheme === 'dark' ? 'light' : 'dark'),
        },
        { id: 'sign-out', label: t('signOut'), leftSection: <IconLogout size={18} />, onClick: () => signOut.mutate() },
      ],
    },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      nothingFound={t('palette.nothing')}
      highlightQuery
      limit={12}
      scrollable
      maxHeight={420}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('search') } }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  )
}
