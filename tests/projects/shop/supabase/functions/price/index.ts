Deno.serve(() => Response.json({ cents: 4900, at: Deno.env.get('SUPABASE_URL') }))
