import { useMutation } from '@tanstack/react-query'
import { Form } from '@/components/form/form'
import { FormDialog } from '@/components/form/form-dialog'
import { Submit } from '@/components/form/submit'
import { useForm } from '@/components/form/use-form'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { saveTagMutation } from '../api/save-tag'
import type { KeptTag } from '../api/tags'
import { tagSchema, tagValues } from '../model/tag'
import { TagFields } from './tag-fields'

/** A tag that is made, or changed. */
export function TagDialog({ tag, onClose }: { tag: KeptTag | null; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const save = useMutation(saveTagMutation())
  const words = useRefusal({ '23505': 'admin-catalogue:tags.taken' })
  const form = useForm({
    schema: tagSchema,
    defaults: tagValues(tag),
    submit: (values) => save.mutateAsync({ id: tag?.id ?? null, values }),
    refusals: { '23505': 'name' },
    words,
    onDone: onClose,
    guard: true,
  })
  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={tag === null ? t('tags.add') : t('tags.edit', { name: tag.name })}
    >
      <Form form={form}>
        <TagFields />
        <Submit>{t('save')}</Submit>
      </Form>
    </FormDialog>
  )
}
