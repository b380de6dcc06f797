/** The tags servers can wear. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import { TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { TagChip } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { PageHeader } from '@/components/ui/page-header'
import { formatDate } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { LANGUAGE_NAMES } from '@/lib/i18n/languages'
import { useLanguage } from '@/lib/i18n/use-language'
import { tagsQuery, wholeTags, type KeptTag } from './api/tags'
import { DeleteTag } from './components/delete-tag'
import { TagDialog } from './components/tag-dialog'

const SPEC = { sorts: ['name', 'created_at'], sort: 'name', filters: { name: 'text' } } as const

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; tag: KeptTag } | null

export function TagsPage() {
  const { t } = useTranslation(['admin-catalogue', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const tags = useQuery(tagsQuery(table.state))
  const columns = useColumns()
  const [doing, setDoing] = useState<Doing>(null)
  const close = () => setDoing(null)
  return (
    <>
      <PageHeader
        title={t('pages:adminTags')}
        lead={t('leads:adminTags')}
        actions={
          <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'add' })}>
            {t('tags.add')}
          </Button>
        }
      />
      <DataTable
        label={t('pages:adminTags')}
        columns={columns}
        table={table}
        query={tags}
        rowId={(tag) => tag.id}
        rowName={(tag) => tag.name}
        actions={(tag) => [
          { label: t('change'), icon: 'edit', onSelect: () => setDoing({ what: 'edit', tag }) },
          { label: t('delete'), icon: 'trash', tone: 'danger', onSelect: () => setDoing({ what: 'delete', tag }) },
        ]}
        filters={<TextFilter table={table} name="name" label={t('search')} />}
        empty={t('tags.empty')}
        failed={t('tags.failed')}
        file={{ name: 'tags', rows: () => wholeTags(table.state) }}
      />
      {doing?.what === 'add' && <TagDialog tag={null} onClose={close} />}
      {doing?.what === 'edit' && <TagDialog tag={doing.tag} onClose={close} />}
      {doing?.what === 'delete' && <DeleteTag tag={doing.tag} onClose={close} />}
    </>
  )
}

function useColumns(): Column<KeptTag>[] {
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
      cell: (tag) => formatDate(tag.created_at, language),
      csv: (tag) => tag.created_at,
    },
  ]
}
