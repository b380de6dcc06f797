import { SwitchField } from '@/components/form/check-field'
import { NumberField } from '@/components/form/number-field'
import { TextField } from '@/components/form/text-field'
import { TextareaField } from '@/components/form/textarea-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { kindOf, type SettingKey } from '../model/settings'

/** One setting, drawn by its kind. */
export function SettingField({ name }: { name: SettingKey }) {
  const { t } = useTranslation('admin-settings')
  const kind = kindOf(name)
  const look = { name, label: t(`fields.${name}.label`), help: t(`fields.${name}.help`) }
  if (kind.kind === 'switch') return <SwitchField {...look} />
  if (kind.kind === 'number') return <NumberField {...look} />
  const optional = name !== 'siteName'
  if (kind.kind === 'area') return <TextareaField {...look} limit={kind.most} rows={3} optional={optional} />
  return <TextField {...look} limit={kind.most < 1000 ? kind.most : undefined} optional={optional} />
}
