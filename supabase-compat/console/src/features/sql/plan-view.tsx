/** A plan as a tree, with the most expensive steps marked. */
import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/i18n/format'
import { flatten, type Plan, type PlanStep } from './plan'
import classes from './sql.module.css'

/** A step with a larger share is marked. */
const EXPENSIVE_SHARE = 0.4
/** An estimate that is wrong by a larger factor misleads the planner. */
const MAX_ESTIMATE_FACTOR = 10

export function PlanView({ plan }: { plan: Plan }) {
  const { t } = useTranslation('sql')
  const { milliseconds, number } = useFormats()
  const isMeasured = plan.executionTime !== null
  const headings = [
    t('plan.step'),
    t('plan.share'),
    isMeasured ? t('plan.time') : t('plan.cost'),
    t('plan.expected'),
    ...(isMeasured ? [t('plan.rows')] : []),
  ]
  return (
    <>
      {plan.executionTime === null ? null : (
        <Text size="xs" c="dimmed">
          {t('plan.total', {
            planning: milliseconds(plan.planningTime ?? 0),
            execution: milliseconds(plan.executionTime),
          })}
        </Text>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.plan} tabIndex={0} role="region" aria-label={t('plan.label')}>
        <table className={classes.steps}>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {flatten(plan.root).map(({ step, depth }) => (
              <tr key={step.id}>
                <td style={{ paddingInlineStart: 12 + depth * 20 }}>
                  <Step step={step} />
                </td>
                <td>
                  {number(step.share, { style: 'percent', maximumFractionDigits: 0 })}
                  <div className={classes.bar} data-heavy={step.share > EXPENSIVE_SHARE || undefined}>
                    <div style={{ width: `${Math.round(step.share * 100)}%` }} />
                  </div>
                </td>
                <td>
                  {step.ownTime === null
                    ? number(step.totalCost, { maximumFractionDigits: 2 })
                    : milliseconds(step.ownTime)}
                </td>
                <td>{number(step.estimatedRows)}</td>
                {isMeasured ? <td>{step.actualRows === null ? '' : number(step.actualRows)}</td> : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Step({ step }: { step: PlanStep }) {
  const { t } = useTranslation('sql')
  const { number } = useFormats()
  return (
    <>
      <Group gap={6}>
        <Text size="sm" fw={500}>
          {step.title}
        </Text>
        {step.target ? (
          <Text size="sm" c="dimmed">
            {step.target}
          </Text>
        ) : null}
        {step.neverRan ? (
          <Badge size="xs" variant="default" tt="none">
            {t('plan.neverRan')}
          </Badge>
        ) : null}
        {step.misestimate !== null && step.misestimate >= MAX_ESTIMATE_FACTOR ? (
          <Badge size="xs" variant="default" c="var(--console-warning)" tt="none">
            {t('plan.misestimate', { factor: number(Math.round(step.misestimate)) })}
          </Badge>
        ) : null}
      </Group>
      {step.conditions.map(({ name, text }) => (
        <div key={name} className={classes.condition}>
          {name}: {text}
        </div>
      ))}
      {step.removedRows ? (
        <div className={classes.condition}>
          {t('plan.removed', { count: step.removedRows, number: number(step.removedRows) })}
        </div>
      ) : null}
      {step.buffers ? (
        <div className={classes.condition}>
          {t('plan.buffers', { hit: number(step.buffers.hit), read: number(step.buffers.read) })}
        </div>
      ) : null}
    </>
  )
}
