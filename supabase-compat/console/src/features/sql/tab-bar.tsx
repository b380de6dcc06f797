/** The tabs of the editor; a double click on a name renames it. */
import { ActionIcon, CloseButton, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './sql.module.css'
import type { Tab } from './tabs'

interface Props {
  tabs: readonly Tab[]
  current: string
  isStored: boolean
  onShow: (id: string) => void
  onAdd: () => void
  onClose: (id: string) => void
  onRename: (id: string, name: string) => void
}

export function TabBar({ tabs, current, isStored, onShow, onAdd, onClose, onRename }: Props) {
  const { t } = useTranslation('sql')
  const [renamed, setRenamed] = useState<string | null>(null)
  const finish = (id: string, name: string): void => {
    if (name.trim() !== '') onRename(id, name.trim())
    setRenamed(null)
  }
  return (
    <nav className={classes.tabs} aria-label={t('tabs.label')}>
      {tabs.map((tab) => (
        <div key={tab.id} className={classes.tab} data-current={tab.id === current || undefined}>
          {renamed === tab.id ? (
            <TextInput
              size="xs"
              variant="unstyled"
              w={120}
              defaultValue={tab.name}
              aria-label={t('tabs.rename')}
              ref={(field) => field?.focus()}
              onBlur={(event) => finish(tab.id, event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') finish(tab.id, event.currentTarget.value)
                if (event.key === 'Escape') setRenamed(null)
              }}
            />
          ) : (
            <button
              type="button"
              className={classes.tabName}
              aria-current={tab.id === current ? 'page' : undefined}
              onClick={() => onShow(tab.id)}
              onDoubleClick={() => setRenamed(tab.id)}
              onKeyDown={(event) => {
                if (event.key === 'F2') setRenamed(tab.id)
              }}
            >
              {tab.name}
            </button>
          )}
          <CloseButton size="xs" aria-label={t('tabs.close', { name: tab.name })} onClick={() => onClose(tab.id)} />
        </div>
      ))}
      <ActionIcon variant="subtle" color="gray" aria-label={t('tabs.add')} onClick={onAdd}>
        <IconPlus size={16} />
      </ActionIcon>
      {isStored ? null : (
        <Text size="xs" c="var(--console-warning)" role="status">
          {t('tabs.full')}
        </Text>
      )}
    </nav>
  )
}
