import { seal } from '@shared/seal.ts'

Deno.serve(async (request) => {
  const { text } = await request.json()
  const claims = JSON.parse(atob(request.headers.get('authorization')!.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
  return Response.json({ by: claims.role, seal: await seal(text, Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!) })
})
