// Asks the server that called it, as whoever called, and as the service.
import { createClient } from "https://esm.sh/@supabase/supabase-js@2.109.0"

Deno.serve(async (req) => {
  const url = Deno.env.get("SUPABASE_URL")!
  const person = createClient(url, Deno.env.get("SUPABASE_ANON_KEY")!, {
    global: { headers: { Authorization: req.headers.get("Authorization")! } },
  })
  const service = createClient(url, Deno.env.get("SUPABASE_SERVICE_ROLE_KEY")!)
  const ownNotes = await person.from("notes").select("title").order("id")
  const all = await service.from("notes").select("title").order("id")
  const { data } = await person.auth.getUser(req.headers.get("Authorization")!.replace("Bearer ", ""))
  return Response.json({
    own: ownNotes.data?.map((row) => row.title),
    all: all.data?.map((row) => row.title),
    errors: [ownNotes.error, all.error],
    email: data.user?.email,
  })
})
