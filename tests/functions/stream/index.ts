// Server-sent events, each when it is asked for by the one before; endless with ?endless.
Deno.serve((req) => {
  const endless = new URL(req.url).searchParams.has("endless")
  let count = 0
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    async pull(controller) {
      if (!endless && count === 3) return controller.close()
      controller.enqueue(encoder.encode(`data: ${count++}\n\n`))
      await new Promise((resolve) => setTimeout(resolve, 20))
    },
    cancel() {
      console.log("nobody listens any more")
    },
  })
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } })
})
