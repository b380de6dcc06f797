import { useMutation } from '@tanstack/react-query'
import { SwitchField } from '@/components/form/check-field'
import { EntityDialog } from '@/components/form/entity-dialog'
import { NumberField } from '@/components/form/number-field'
import { TextField } from '@/components/form/text-field'
import { ImageField } from '@/components/image/image-field'
import { uploadTo } from '@/lib/api/upload'
import { useTranslation } from '@/lib/i18n/i18n'
import type { PartnerRecord } from '../api/partners'
import { savePartnerMutation } from '../api/save-partner'
import { MAX_DESCRIPTION, MAX_NAME, partnerSchema, partnerValues } from '../model/partner'

const LOGO = { width: 128, height: 128 }
const LOGO_ADVISED = { width: 64, height: 64 }
const upload = uploadTo('partners')

/** Creates or changes a partner. */
export function PartnerDialog({ partner, onClose }: { partner: PartnerRecord | null; onClose: () => void }) {
  const { t } = useTranslation('partners')
  const save = useMutation(savePartnerMutation())
  return (
    <EntityDialog
      title={partner === null ? t('add') : t('edit', { name: partner.name })}
      action={t('save')}
      onClose={onClose}
      schema={partnerSchema}
      defaults={partnerValues(partner)}
      submit={(values) => save.mutateAsync({ id: partner?.id ?? null, values })}
    >
      <TextField name="name" label={t('name')} limit={MAX_NAME} firstFocus />
      <TextField name="url" type="url" label={t('url')} placeholder="https://" />
      <TextField name="description" label={t('description')} limit={MAX_DESCRIPTION} optional />
      <ImageField name="logo" label={t('logo')} size={LOGO} recommended={LOGO_ADVISED} upload={upload} optional />
      <TextField
        name="backlink"
        type="url"
        label={t('backlink')}
        help={t('backlinkHelp')}
        placeholder="https://"
        optional
      />
      <NumberField name="position" label={t('position')} help={t('positionHelp')} />
      <SwitchField name="shown" label={t('shown')} help={t('shownHelp')} />
    </EntityDialog>
  )
}
