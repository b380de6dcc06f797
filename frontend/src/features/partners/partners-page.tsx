/** The sites the foot of every page names, and whether they link back. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '@/components/table/columns'
import { DataTable } from '@/components/table/data-table'
import type { RowAction } from '@/components/table/row-menu'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-button'
import { PageHeader } from '@/components/ui/page-header'
import { Picture } from '@/components/ui/picture'
import { formatDate, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { checkBacklinkMutation } from './api/check-backlink'
import { deletePartnerMutation } from './api/delete-partner'
import { partnersQuery, wholePartners, type KeptPartner } from './api/partners'
import { BacklinkBadge } from './components/backlink-badge'
import { PartnerDialog } from './components/partner-dialog'
import styles from './partners.module.css'

const LINKS = ['good', 'bad'] as const
const SPEC = {
  sorts: ['position', 'name', 'backlink_checked_at'],
  sort: 'position',
  filters: { name: 'text', link: LINKS },
} as const

type Doing = { what: 'add' } | { what: 'edit' | 'delete'; partner: KeptPartner } | null

export function PartnersPage() {
  const { t } = useTranslation(['partners', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const partners = useQuery(partnersQuery(table.state))
  const drop = useMutation(deletePartnerMutation())
  const check = useMutation(checkBacklinkMutation())
  const columns = useColumns()
  const [doing, setDoing] = useState<Doing>(null)
  const close = () => setDoing(null)
  const actionsOf = (partner: KeptPartner): RowAction[] => [
    { label: t('change'), icon: 'edit', onSelect: () => setDoing({ what: 'edit', partner }) },
    {
      label: t('check'),
      icon: 'refresh',
      disabled: partner.backlink_url === null,
      onSelect: () => check.mutate(partner.id),
    },
    { label: t('delete'), icon: 'trash', tone: 'danger', onSelect: () => setDoing({ what: 'delete', partner }) },
  ]
  return (
    <>
      <PageHeader
        title={t('pages:adminPartners')}
        lead={t('leads:adminPartners')}
        actions={
          <Button look="primary" icon="plus" onClick={() => setDoing({ what: 'add' })}>
            {t('add')}
          </Button>
        }
      />
      <DataTable
        label={t('pages:adminPartners')}
        columns={columns}
        table={table}
        query={partners}
        rowId={(partner) => partner.id}
        rowName={(partner) => partner.name}
        actions={actionsOf}
        filters={
          <>
            <TextFilter table={table} name="name" label={t('search')} />
            <ChoiceFilter
              table={table}
              name="link"
              label={t('link')}
              all={t('links.all')}
              choices={LINKS.map((value) => ({ value, label: t(`links.${value}`) }))}
            />
          </>
        }
        empty={t('empty')}
        failed={t('failed')}
        file={{ name: 'partners', rows: () => wholePartners(table.state) }}
      />
      {doing?.what === 'add' && <PartnerDialog partner={null} onClose={close} />}
      {doing?.what === 'edit' && <PartnerDialog partner={doing.partner} onClose={close} />}
      {doing?.what === 'delete' && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && close()}
          title={t('deleteTitle', { name: doing.partner.name })}
          text={t('deleteText')}
          confirm={t('delete')}
          onConfirm={() => drop.mutateAsync(doing.partner.id)}
        />
      )}
    </>
  )
}

function useColumns(): Column<KeptPartner>[] {
  const { t } = useTranslation('partners')
  const language = useLanguage()
  return [
    {
      id: 'name',
      title: t('partner'),
      sorts: true,
      cell: (partner) => (
        <span className={styles.named}>
          <Picture src={partner.logo_url} width={32} height={32} className={styles.logo} />
          <span>
            {partner.name}
            <a href={partner.url} target="_blank" rel="noopener noreferrer" className={styles.address}>
              {new URL(partner.url).host}
            </a>
          </span>
        </span>
      ),
      csv: (partner) => partner.name,
    },
    {
      id: 'position',
      title: t('position'),
      sorts: true,
      numeric: true,
      cell: (partner) => partner.position,
      csv: (partner) => partner.position,
    },
    {
      id: 'link',
      title: t('link'),
      cell: (partner) => <BacklinkBadge partner={partner} />,
      csv: (partner) => partner.backlink_fault ?? (partner.backlink_found ? 'linked' : ''),
    },
    {
      id: 'backlink_checked_at',
      title: t('checked'),
      sorts: true,
      cell: ({ backlink_checked_at: at }) =>
        at === null ? '–' : `${formatDate(at, language)} ${formatTime(at, language)}`,
      csv: (partner) => partner.backlink_checked_at ?? '',
    },
    {
      id: 'is_active',
      title: t('state'),
      cell: (partner) => (
        <StatusBadge status={partner.is_active ? 'good' : 'off'}>
          {t(partner.is_active ? 'footer.yes' : 'footer.no')}
        </StatusBadge>
      ),
      csv: (partner) => partner.is_active,
    },
  ]
}
