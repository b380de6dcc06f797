import { seal } from 'seals'

Deno.serve(async (request) => {
  const { text, seal: shown } = await request.json()
  return Response.json({ isRight: shown === (await seal(text, Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!)) })
})
