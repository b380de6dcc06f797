import { IconButton } from '@/components/ui/button'
import type { IconName } from '@/components/ui/icon'
import { Menu, MenuItem } from '@/components/ui/menu'
import { useTranslation } from '@/lib/i18n/i18n'

export interface RowAction {
  label: string
  icon?: IconName
  tone?: 'plain' | 'danger'
  disabled?: boolean
  onSelect: () => void
}

/** The actions on a row, as a menu behind a button that names the row. */
export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const { t } = useTranslation('table')
  if (actions.length === 0) return null
  return (
    <Menu trigger={<IconButton icon="more" size="small" label={t('actionsOf', { name })} />}>
      {actions.map(({ label, ...item }) => (
        <MenuItem key={label} {...item}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
