/** Schemas with their tables and views, searchable by name. */
import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconEye, IconLockOpen, IconMathFunction, IconSchema, IconSearch, IconTable } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormats } from '@/i18n/format'
import type { RelationSummary } from '@/postgres/catalog'
import classes from './tables.module.css'

interface Props {
  relations: readonly RelationSummary[]
  schema: string | undefined
  table: string | undefined
}

/** Longer lists are cut; the search finds the others. */
const MAX_RELATIONS = 500

export function RelationList({ relations, schema, table }: Props) {
  const { t } = useTranslation('tables')
  const [search, setSearch] = useState('')
  const [debounced] = useDebouncedValue(search.trim().toLowerCase(), 100)
  const matches = useMemo(
    () => relations.filter(({ schema: own, name }) => `${own}.${name}`.toLowerCase().includes(debounced)),
    [relations, debounced],
  )
  const groups = new Map<string, RelationSummary[]>()
  for (const relation of matches.slice(0, MAX_RELATIONS)) {
    const group = groups.get(relation.schema)
    if (group) group.push(relation)
    else groups.set(relation.schema, [relation])
  }
  return (
    <>
      <TextInput
        size="xs"
        leftSection={<IconSearch size={14} />}
        placeholder={t('list.search')}
        aria-label={t('list.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('list.label')}>
        {[...groups].map(([name, tables]) => (
          <section key={name} aria-label={name}>
            <div className={classes.schema}>
              <span className="truncate" style={{ flex: 1 }}>
                {name}
              </span>
              <Tooltip label={t('picture.open')} withArrow>
                <ActionIcon
                  component={Link}
                  to={`/tables/${encodeURIComponent(name)}?view=picture`}
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('picture.title', { schema: name })}
                >
                  <IconSchema size={15} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t('routine.all')} withArrow>
                <ActionIcon
                  component={Link}
                  to={`/tables/${encodeURIComponent(name)}?view=functions`}
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('routine.title', { schema: name })}
                >
                  <IconMathFunction size={15} />
                </ActionIcon>
              </Tooltip>
            </div>
            <ul className={classes.links}>
              {tables.map((relation) => (
                <li key={relation.name}>
                  <RelationLink relation={relation} isCurrent={relation.schema === schema && relation.name === table} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {matches.length > MAX_RELATIONS ? (
          <p className={classes.rows}>{t('list.more', { count: matches.length - MAX_RELATIONS })}</p>
        ) : null}
        {matches.length === 0 ? <p className={classes.rows}>{t('list.nothing')}</p> : null}
      </div>
    </>
  )
}

function RelationLink({ relation, isCurrent }: { relation: RelationSummary; isCurrent: boolean }) {
  const { t } = useTranslation('tables')
  const { number } = useFormats()
  const isTable = relation.kind === 'table' || relation.kind === 'partitioned'
  const isOpen = isTable && !relation.row_security && relation.schema === 'public'
  return (
    <Link
      to={`/tables/${encodeURIComponent(relation.schema)}/${encodeURIComponent(relation.name)}`}
      className={classes.link}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {isTable ? <IconTable size={15} aria-hidden /> : <IconEye size={15} aria-label={t('kind.view')} />}
      <span className={`truncate ${classes.name}`} title={relation.name}>
        {relation.name}
      </span>
      {isOpen ? <IconLockOpen size={14} color="var(--console-warning)" aria-label={t('security.off')} /> : null}
      {isTable && relation.estimated_rows >= 0 ? (
        <span className={classes.rows}>{number(relation.estimated_rows, { notation: 'compact' })}</span>
      ) : null}
    </Link>
  )
}
