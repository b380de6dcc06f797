/** The tags that servers can have. */
import { useQuery } from '@tanstack/react-query'
import type { Column } from '@/components/table/columns'
import { EntityPage } from '@/components/table/entity-page'
import { TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { TagChip } from '@/components/ui/badge'
import { formatShortDate } from '@/lib/i18n/format-short-date'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { tagsQuery, fetchAllTags, type TagRecord } from './api/tags'
import { DeleteTag } from './components/delete-tag'
import { TagDialog } from './components/tag-dialog'

const SPEC = { sorts: ['name', 'created_at'], sort: 'name', filters: { name: 'text' } } as const

export function TagsPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const tags = useQuery(tagsQuery(table.state))
  return (
    <EntityPage
      title={t('pages:adminTags')}
      description={t('leads:adminTags')}
      add={t('tags.add')}
      dialog={(tag, close) => <TagDialog tag={tag} onClose={close} />}
      deletion={(tag, close) => <DeleteTag tag={tag} onClose={close} />}
      columns={useColumns()}
      table={table}
      query={tags}
      rowId={(tag) => tag.id}
      rowName={(tag) => tag.name}
      filters={<TextFilter table={table} name="name" label={t('search')} />}
      empty={t('tags.empty')}
      failed={t('tags.failed')}
      file={{ name: 'tags', rows: () => fetchAllTags(table.state) }}
    />
  )
}

function useColumns(): Column<TagRecord>[] {
  const { t } = useTranslation('admin-catalogue')
  const language = useLanguage()
  return [
    {
      id: 'name',
      title: t('tags.tag'),
      sorts: true,
      cell: (tag) => <TagChip color={tag.color}>{tag.name}</TagChip>,
      csv: (tag) => tag.name,
    },
    { id: 'name_fr', title: LANGUAGE_NAMES.fr, cell: (tag) => tag.name_fr, csv: (tag) => tag.name_fr },
    { id: 'name_en', title: LANGUAGE_NAMES.en, cell: (tag) => tag.name_en, csv: (tag) => tag.name_en },
    { id: 'name_es', title: LANGUAGE_NAMES.es, cell: (tag) => tag.name_es, csv: (tag) => tag.name_es },
    {
      id: 'created_at',
      title: t('added'),
      sorts: true,
      cell: (tag) => formatShortDate(tag.created_at, language),
      csv: (tag) => tag.created_at,
    },
  ]
}
