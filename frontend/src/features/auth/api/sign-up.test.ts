import { AuthApiError } from '@supabase/supabase-js'
import { expect, it, vi } from 'vitest'
import { supabase } from '@/lib/api/supabase'
import { signUpMutation } from './sign-up'

vi.mock('@/lib/api/supabase', () => ({ supabase: { auth: { signUp: vi.fn() } } }))
vi.mock('./captcha', () => ({ withCaptcha: (work: (token: undefined) => unknown) => work(undefined) }))

it.each([
  ['signup_disabled', 'signup_disabled'],
  ['username_taken', 'username_taken'],
  ['anything else', 'hook_failed'],
])('knows the refusal %s by %s', async (message, code) => {
  const error = new AuthApiError(message, 422, 'hook_failed')
  vi.mocked(supabase.auth.signUp).mockResolvedValue({ data: { user: null, session: null }, error })
  const input = { email: 'ada@example.org', password: 'secret', username: 'Ada', language: 'fr' as const }
  const send = signUpMutation().mutationFn
  await expect(send?.(input, {} as never)).rejects.toMatchObject({ code })
})
