import { SwitchField } from '@/components/form/check-field'
import { NumberField } from '@/components/form/number-field'
import { TextField } from '@/components/form/text-field'
import { TextareaField } from '@/components/form/textarea-field'
import { useTranslation } from '@/lib/i18n/i18n'
import { kindOf, type SettingKey } from '../model/settings'

/** The field of one setting, by its kind. */
export function SettingField({ name }: { name: SettingKey }) {
  const { t } = useTranslation('admin-settings')
  const kind = kindOf(name)
  const props = { name, label: t(`fields.${name}.label`), help: t(`fields.${name}.help`) }
  if (kind.kind === 'switch') return <SwitchField {...props} />
  if (kind.kind === 'number') return <NumberField {...props} />
  const optional = name !== 'siteName'
  if (kind.kind === 'area') return <TextareaField {...props} limit={kind.most} rows={3} optional={optional} />
  return <TextField {...props} limit={kind.most < 1000 ? kind.most : undefined} optional={optional} />
}
