/** A diagram of the tables of a schema and their foreign keys. */
import '@xyflow/react/dist/style.css'
import { useComputedColorScheme } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Background, Controls, Handle, Position, ReactFlow, type Edge, type Node, type NodeProps } from '@xyflow/react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { pictureQuery, type PictureTable } from '@/postgres/relations'
import { EmptyState, ErrorState, SkeletonRows } from '@/ui/states'
import { positionsOf } from './picture-layout'
import classes from './tables.module.css'

/** How many columns of a table are drawn. */
const SHOWN_COLUMNS = 14

type TableNode = Node<{ schema: string; table: PictureTable }, 'table'>

export function SchemaPicture({ schema }: { schema: string }) {
  const { t } = useTranslation('tables')
  const scheme = useComputedColorScheme('dark')
  const picture = useQuery(pictureQuery(schema))
  const { nodes, edges } = useMemo(() => graphOf(schema, picture.data ?? []), [schema, picture.data])
  if (picture.isPending) return <SkeletonRows />
  if (picture.isError) return <ErrorState error={picture.error} onRetry={() => void picture.refetch()} />
  if (nodes.length === 0) return <EmptyState icon={IconTable} title={t('picture.empty')} />
  return (
    <div className={classes.picture} role="region" aria-label={t('picture.title', { schema })}>
      <ReactFlow
        key={schema}
        defaultNodes={nodes}
        defaultEdges={edges}
        nodeTypes={NODE_TYPES}
        colorMode={scheme}
        fitView
        minZoom={0.1}
        nodesConnectable={false}
        edgesFocusable={false}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

function TableCard({ data }: NodeProps<TableNode>) {
  const { t } = useTranslation('tables')
  const { table, schema } = data
  const hidden = table.columns.length - SHOWN_COLUMNS
  return (
    <div className={classes.node}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <Handle type="source" position={Position.Right} isConnectable={false} />
      <div className={`truncate ${classes.nodeTitle}`}>
        <Link
          to={`/tables/${encodeURIComponent(schema)}/${encodeURIComponent(table.name)}`}
          className="nodrag"
          style={{ color: 'inherit' }}
        >
          {table.name}
        </Link>
      </div>
      {table.columns.slice(0, SHOWN_COLUMNS).map((column) => (
        <div key={column.name} className={classes.nodeColumn}>
          <span className="truncate" style={{ fontWeight: column.key ? 600 : undefined }}>
            {column.name}
          </span>
          <span className="truncate">{column.type}</span>
        </div>
      ))}
      {hidden > 0 ? (
        <div className={classes.nodeColumn}>
          <span>{t('picture.more', { count: hidden })}</span>
        </div>
      ) : null}
    </div>
  )
}

const NODE_TYPES = { table: TableCard }

function graphOf(schema: string, tables: readonly PictureTable[]): { nodes: TableNode[]; edges: Edge[] } {
  const names = new Set(tables.map(({ name }) => name))
  const links = tables.flatMap(({ name, foreign_keys: keys }) =>
    keys
      .filter((key) => key.schema === schema && names.has(key.table))
      .map((key) => ({ id: `${name}.${key.name}`, source: name, target: key.table, label: key.columns.join(', ') })),
  )
  const positions = positionsOf(
    tables.map(({ name, columns }) => ({ name, height: 34 + 22 * Math.min(columns.length, SHOWN_COLUMNS + 1) })),
    links,
  )
  return {
    nodes: tables.map((table) => ({
      id: table.name,
      type: 'table',
      position: positions.get(table.name)!,
      data: { schema, table },
    })),
    edges: links,
  }
}
