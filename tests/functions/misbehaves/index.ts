// Does as its path says.
const memory: unknown[] = []

Deno.serve(async (req) => {
  switch (new URL(req.url).pathname) {
    case "/misbehaves/throw":
      throw new Error("thrown on purpose")
    case "/misbehaves/exit":
      Deno.exit(3)
      break
    case "/misbehaves/reject":
      setTimeout(() => Promise.reject(new Error("nobody caught this")), 0)
      return new Promise(() => {})
    case "/misbehaves/hang":
      return new Promise(() => {})
    case "/misbehaves/spin":
      for (;;);
    case "/misbehaves/leak":
      for (;;) memory.push(new Array(100_000).fill(Math.random()))
    case "/misbehaves/buffers":
      for (;;) {
        memory.push(new Uint8Array(8 * 1024 * 1024).fill(1))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    case "/misbehaves/flood":
      for (let line = 0; line < 20_000; line++) console.log("x".repeat(200), line)
      return new Response("flooded")
    case "/misbehaves/long-line":
      console.log("y".repeat(5_000_000))
      return new Response("said")
    case "/misbehaves/half":
      return new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode("half"))
            setTimeout(() => Deno.exit(1), 100)
          },
        }),
      )
  }
  return new Response("well")
})
