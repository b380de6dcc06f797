import { useMutation } from '@tanstack/react-query'
import { EntityDialog } from '@/components/form/entity-dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { useRefusal } from '@/lib/i18n/refusal'
import { saveTagMutation } from '../api/save-tag'
import type { TagRecord } from '../api/tags'
import { tagSchema, tagValues } from '../model/tag'
import { TagFields } from './tag-fields'

/** Creates or changes a tag. */
export function TagDialog({ tag, onClose }: { tag: TagRecord | null; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const save = useMutation(saveTagMutation())
  const words = useRefusal({ '23505': 'admin-catalogue:tags.taken' })
  return (
    <EntityDialog
      title={tag === null ? t('tags.add') : t('tags.edit', { name: tag.name })}
      action={t('save')}
      onClose={onClose}
      schema={tagSchema}
      defaults={tagValues(tag)}
      submit={(values) => save.mutateAsync({ id: tag?.id ?? null, values })}
      refusals={{ '23505': 'name' }}
      words={words}
    >
      <TagFields />
    </EntityDialog>
  )
}
