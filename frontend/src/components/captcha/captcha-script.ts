/**
 * Loads the captcha provider's script when a vote first needs it. hCaptcha and Turnstile have the
 * same interface.
 */
import type { CaptchaProvider } from '@/lib/config'
import { ApiError } from '@/lib/api/errors'

export interface WidgetOptions {
  sitekey: string
  theme: 'dark' | 'light'
  /** hCaptcha's option for the language; `language` is Turnstile's. */
  hl: string
  language: string
  /** Where hCaptcha opens its images: inside the dialog, because everything around it is inert. */
  'challenge-container': HTMLElement
  callback: (token: string) => void
  'expired-callback': () => void
  'error-callback': () => void
}

export interface CaptchaApi {
  render: (place: HTMLElement, options: WidgetOptions) => string
  reset: (widget: string) => void
  remove: (widget: string) => void
}

export type OutsideProvider = Exclude<CaptchaProvider, 'altcha'>

const SCRIPTS: Record<OutsideProvider, string> = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
}

/** The name of the global function that the script calls when it is ready. */
const READY = 'palmaresCaptchaReady'

let loading: Promise<CaptchaApi> | undefined

/** The provider's interface. A script that failed to load is requested again on the next call. */
export function captchaApi(provider: OutsideProvider): Promise<CaptchaApi> {
  loading ??= load(provider).catch((cause: unknown) => {
    loading = undefined
    throw cause
  })
  return loading
}

function load(provider: OutsideProvider): Promise<CaptchaApi> {
  return new Promise((resolve, reject) => {
    const world = window as unknown as Record<string, unknown>
    const script = document.createElement('script')
    const fail = (): void => {
      script.remove()
      reject(new ApiError('captcha_unloaded', 'The script of the captcha did not come', 0))
    }
    world[READY] = () => {
      const api = world[provider] as CaptchaApi | undefined
      if (api) resolve(api)
      else fail()
    }
    script.src = `${SCRIPTS[provider]}?render=explicit&onload=${READY}`
    script.async = true
    script.addEventListener('error', fail, { once: true })
    document.head.append(script)
  })
}
