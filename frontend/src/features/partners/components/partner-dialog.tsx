import { useMutation } from '@tanstack/react-query'
import { SwitchField } from '@/components/form/check-field'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { NumberField } from '@/components/form/number-field'
import { Submit } from '@/components/form/submit'
import { TextField } from '@/components/form/text-field'
import { useForm } from '@/components/form/use-form'
import { ImageField } from '@/components/image/image-field'
import { uploadTo } from '@/lib/api/upload'
import { useTranslation } from '@/lib/i18n/i18n'
import type { KeptPartner } from '../api/partners'
import { savePartnerMutation } from '../api/save-partner'
import { MAX_DESCRIPTION, MAX_NAME, partnerSchema, partnerValues } from '../model/partner'

const LOGO = { width: 128, height: 128 }
const LOGO_ADVISED = { width: 64, height: 64 }
const upload = uploadTo('partners')

/** A partner that is added, or changed. */
export function PartnerDialog({ partner, onClose }: { partner: KeptPartner | null; onClose: () => void }) {
  const { t } = useTranslation('partners')
  const save = useMutation(savePartnerMutation())
  const form = useForm({
    schema: partnerSchema,
    defaults: partnerValues(partner),
    submit: (values) => save.mutateAsync({ id: partner?.id ?? null, values }),
    onDone: onClose,
    guard: true,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={partner === null ? t('add') : t('edit', { name: partner.name })}
    >
      <Form form={form}>
        <TextField name="name" label={t('name')} limit={MAX_NAME} firstFocus />
        <TextField name="url" type="url" label={t('url')} placeholder="https://" />
        <TextField name="description" label={t('description')} limit={MAX_DESCRIPTION} optional />
        <ImageField name="logo" label={t('logo')} size={LOGO} advised={LOGO_ADVISED} upload={upload} optional />
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
        <Submit>{t('save')}</Submit>
      </Form>
    </FormDialog>
  )
}
