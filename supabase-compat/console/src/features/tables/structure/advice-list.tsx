import { Alert, Stack } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Prose } from '@/ui/prose'
import type { Advice } from '../advice'

/** Advice on a table, in sentences. */
export function AdviceList({ advice }: { advice: Advice[] }) {
  const { t } = useTranslation('tables')
  const textOf = (one: Advice): string => {
    switch (one.name) {
      case 'no_row_security':
        return t('advice.no_row_security', { roles: one.roles.join(', ') })
      case 'policies_off':
        return t('advice.policies_off', { count: one.count })
      case 'open_policy':
        return t('advice.open_policy', { policy: one.policy })
      case 'function_per_row':
        return t('advice.function_per_row', { policy: one.policy })
      case 'foreign_key_without_index':
        return t('advice.foreign_key_without_index', { columns: one.columns.join(', ') })
      case 'invalid_index':
        return t('advice.invalid_index', { index: one.index })
      case 'no_policies':
        return t('advice.no_policies')
      default:
        return t('advice.no_key')
    }
  }
  if (advice.length === 0) return null
  return (
    <Stack gap={6}>
      {advice.map((one) => (
        <Alert
          key={JSON.stringify(one)}
          color={one.name === 'no_row_security' || one.name === 'open_policy' ? 'red' : 'yellow'}
          icon={<IconBulb size={18} />}
          py={8}
        >
          <Prose text={textOf(one)} />
        </Alert>
      ))}
    </Stack>
  )
}
