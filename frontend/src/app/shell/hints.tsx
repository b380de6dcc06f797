import { Suspense } from 'react'
import { useTooltipTarget } from '@/components/ui/use-tooltip-target'
import { lazyComponent } from '@/lib/browser/lazy'
import { useLatch } from './use-latch'

const Tooltip = lazyComponent(async () => (await import('@/components/ui/tooltip')).Tooltip)

/** The hint of the hovered or focused element; its code is fetched with the first hint. */
export function Hints() {
  const target = useTooltipTarget()
  const isWanted = useLatch(target !== null)
  return <Suspense>{isWanted && <Tooltip target={target} />}</Suspense>
}
