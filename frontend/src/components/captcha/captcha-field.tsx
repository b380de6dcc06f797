import type { UseQueryResult } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { SOLVES_ITSELF, type CaptchaScope, type SolvedCaptcha } from '@/entities/captcha/queries'
import { lazyComponent } from '@/lib/browser/lazy'
import { CaptchaLine } from './captcha-line'

const CaptchaWidget = lazyComponent(async () => (await import('./captcha-widget')).CaptchaWidget)

/** The bot check: the progress of the site's own check, or the widget of an outside provider. */
export function CaptchaField({ scope, captcha }: { scope: CaptchaScope; captcha: UseQueryResult<SolvedCaptcha> }) {
  if (SOLVES_ITSELF) return <CaptchaLine captcha={captcha} />
  return (
    <Suspense fallback={<Skeleton height="4rem" />}>
      <CaptchaWidget scope={scope} />
    </Suspense>
  )
}
