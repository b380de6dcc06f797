// Answers at once; what it began goes on.
let done = 0

addEventListener("beforeunload", (event) => {
  console.log("leaving:", (event as CustomEvent).detail?.reason)
})

async function work(milliseconds: number) {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  done += 1
  console.log("background work is done")
}

Deno.serve((req) => {
  const parameter = new URL(req.url).searchParams.get("work")
  if (parameter === "fail") EdgeRuntime.waitUntil(Promise.reject(new Error("in the background")))
  else if (parameter) EdgeRuntime.waitUntil(work(Number(parameter)))
  return Response.json({ done })
})
