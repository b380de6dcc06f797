/** The partner sites of the footer, and whether they link back. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Column } from '@/components/table/columns'
import { DeleteDialog, EntityPage } from '@/components/table/entity-page'
import { ChoiceFilter, TextFilter } from '@/components/table/table-filters'
import { useTableState } from '@/components/table/use-table-state'
import { StatusBadge } from '@/components/ui/badge'
import { Picture } from '@/components/ui/picture'
import { formatDate, formatTime } from '@/lib/i18n/format'
import { useTranslation } from '@/lib/i18n/i18n'
import { useLanguage } from '@/lib/i18n/use-language'
import { checkBacklinkMutation } from './api/check-backlink'
import { deletePartnerMutation } from './api/delete-partner'
import { partnersQuery, fetchAllPartners, type PartnerRecord } from './api/partners'
import { BacklinkBadge } from './components/backlink-badge'
import { PartnerDialog } from './components/partner-dialog'
import styles from './partners.module.css'

const LINKS = ['good', 'bad'] as const
const SPEC = {
  sorts: ['position', 'name', 'backlink_checked_at'],
  sort: 'position',
  filters: { name: 'text', link: LINKS },
} as const

export function PartnersPage() {
  const { t } = useTranslation(['partners', 'leads', 'pages'])
  const table = useTableState(SPEC)
  const partners = useQuery(partnersQuery(table.state))
  const drop = useMutation(deletePartnerMutation())
  const check = useMutation(checkBacklinkMutation())
  return (
    <EntityPage
      title={t('pages:adminPartners')}
      description={t('leads:adminPartners')}
      add={t('add')}
      dialog={(partner, close) => <PartnerDialog partner={partner} onClose={close} />}
      deletion={(partner, close) => (
        <DeleteDialog
          title={t('deleteTitle', { name: partner.name })}
          text={t('deleteText')}
          onDelete={() => drop.mutateAsync(partner.id)}
          onClose={close}
        />
      )}
      actions={({ id, backlink_url: address }) => [
        { label: t('check'), icon: 'refresh', disabled: address === null, onSelect: () => check.mutate(id) },
      ]}
      columns={useColumns()}
      table={table}
      query={partners}
      rowId={(partner) => partner.id}
      rowName={(partner) => partner.name}
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
      file={{ name: 'partners', rows: () => fetchAllPartners(table.state) }}
    />
  )
}

function useColumns(): Column<PartnerRecord>[] {
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
