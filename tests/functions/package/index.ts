import { z } from "npm:zod@3.25.76"

const Order = z.object({ game: z.string(), slots: z.number().int() })

Deno.serve(async (req) => {
  const read = Order.safeParse(await req.json())
  return Response.json({ ok: read.success, problems: read.error?.issues.length ?? 0 }, { status: read.success ? 200 : 422 })
})
