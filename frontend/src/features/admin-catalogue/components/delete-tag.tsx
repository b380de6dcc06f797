import { useMutation, useQuery } from '@tanstack/react-query'
import { DeleteDialog } from '@/components/table/entity-page'
import { formatNumber } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { deleteTagMutation } from '../api/delete-tag'
import { tagUseQuery } from '../api/tag-use'
import type { TagRecord } from '../api/tags'

/**
 * Asks for confirmation before a tag is deleted from the site and from every server that has it.
 */
export function DeleteTag({ tag, onClose }: { tag: TagRecord; onClose: () => void }) {
  const { t } = useTranslation('admin-catalogue')
  const language = useLanguage()
  const { data: count } = useQuery(tagUseQuery(tag.name))
  const drop = useMutation(deleteTagMutation())
  return (
    <DeleteDialog
      title={t('tags.deleteTitle', { name: tag.name })}
      text={
        count === undefined
          ? t('tags.deleteText')
          : t('tags.deleteCount', { count, formatted: formatNumber(count, language) })
      }
      onDelete={() => drop.mutateAsync(tag.id)}
      onClose={onClose}
    />
  )
}
