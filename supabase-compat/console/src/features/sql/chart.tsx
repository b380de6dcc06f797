/** A result as a line chart by uPlot; the grid shows the same values as text. */
import 'uplot/dist/uPlot.min.css'
import { Group, MultiSelect, Select, Text, useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import type { QueryResult } from '@/postgres/run-query'
import { chartDataOf, numericColumns } from './chart-data'
import classes from './sql.module.css'

const COLOURS = {
  dark: ['#b9a5fd', '#5bd6a0', '#f2b84b', '#6cb6ff', '#ff8787'],
  light: ['#6d28d9', '#18794e', '#8f5a00', '#1864ab', '#c92a2a'],
}

export function Chart({ result }: { result: QueryResult }) {
  const { t } = useTranslation('sql')
  const scheme = useComputedColorScheme('dark')
  const figures = useMemo(() => numericColumns(result.columns, result.rows), [result])
  const [axis, setAxis] = useState(() =>
    Math.max(
      0,
      result.columns.findIndex((_, place) => !figures.includes(place)),
    ),
  )
  const [selected, setSelected] = useState(() => figures.filter((place) => place !== axis).slice(0, 3))
  const data = useMemo(() => chartDataOf(result.columns, result.rows, axis, selected), [result, axis, selected])
  const parent = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = parent.current
    if (!element || !data) return
    const ink = getComputedStyle(element).getPropertyValue('--mantine-color-dimmed')
    const line = getComputedStyle(element).getPropertyValue('--console-border')
    const size = () => ({ width: element.clientWidth, height: Math.max(200, element.clientHeight - 40) })
    const ruled = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
    const plot = new uPlot(
      {
        ...size(),
        scales: { x: { time: data.axis === 'time' } },
        axes: [
          data.axis === 'row'
            ? { ...ruled, values: (_, splits) => splits.map((at) => data.labels[at]?.slice(0, 14) ?? '') }
            : ruled,
          // Wide enough for the longest figure, which the default width would cut off.
          { ...ruled, size: (_, values) => 20 + 8 * Math.max(2, ...(values ?? []).map(({ length }) => length)) },
        ],
        series: [
          { label: result.columns[axis]?.name ?? '' },
          ...data.series.map(({ name }, place) => ({ label: name, stroke: COLOURS[scheme][place % 5]!, width: 2 })),
        ],
      },
      [data.x, ...data.series.map(({ values }) => values)],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, scheme, axis, result])
  const options = result.columns.map(({ name }, place) => ({ value: String(place), label: name }))
  return (
    <>
      <Group gap="xs" align="flex-end">
        <Select
          size="xs"
          label={t('chart.axis')}
          data={options}
          value={String(axis)}
          allowDeselect={false}
          onChange={(place) => setAxis(Number(place))}
        />
        <MultiSelect
          size="xs"
          label={t('chart.series')}
          data={options.filter(({ value }) => figures.includes(Number(value)))}
          value={selected.map(String)}
          maxValues={5}
          onChange={(places) => setSelected(places.map(Number))}
        />
      </Group>
      {data ? (
        <div
          ref={parent}
          className={classes.chart}
          role="img"
          aria-label={t('chart.label', { names: data.series.map(({ name }) => name).join(', ') })}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('chart.nothing')}
        </Text>
      )}
    </>
  )
}
