/** The menu of administrators on a card. Loaded for nobody else. */
import { useNavigate } from 'react-router'
import { IconButton } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { openServerAdminDialog, type ServerAdminAction } from '@/entities/server/admin-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { paths } from '@/lib/routing/paths'
import type { ListedServer } from '../api/servers'

export function AdminCardMenu({ server, name }: { server: ListedServer; name: string }) {
  const { t } = useTranslation('admin-servers')
  const language = useLanguage()
  const navigate = useNavigate()
  const ask = (act: ServerAdminAction) => () =>
    openServerAdminDialog(act, { id: server.id, name, state: 'shown', owner_id: server.owner_id })
  const prestige = server.is_prestige ? 'endPrestige' : 'prestige'
  return (
    <Menu trigger={<IconButton icon="shield" size="small" label={t('menuOf', { name })} />}>
      <MenuItem
        icon="info"
        onSelect={() => void navigate(`${paths.adminServers(language)}?${new URLSearchParams({ name })}`)}
      >
        {t('act.info')}
      </MenuItem>
      <MenuItem icon="edit" onSelect={() => void navigate(paths.editServer(language, { serverId: server.id }))}>
        {t('act.edit')}
      </MenuItem>
      <MenuItem icon="crown" onSelect={ask(prestige)}>
        {t(`act.${prestige}`)}
      </MenuItem>
      <MenuItem icon="eye-off" tone="danger" onSelect={ask('suspend')}>
        {t('act.suspend')}
      </MenuItem>
      <MenuItem icon="trash" tone="danger" onSelect={ask('delete')}>
        {t('act.delete')}
      </MenuItem>
    </Menu>
  )
}
