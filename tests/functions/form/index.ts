// Tells what it was sent, in the form that is asked for.
Deno.serve(async (req: Request, info) => {
  const url = new URL(req.url)
  const type = req.headers.get("content-type") ?? ""
  const seen: Record<string, unknown> = {
    method: req.method,
    host: url.host,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    type: type.split(";")[0],
    region: req.headers.get("x-region"),
    custom: req.headers.get("x-custom"),
    from: info.remoteAddr.hostname,
    key: req.headers.get("sb-api-key")?.split(".").length,
  }
  if (type.startsWith("multipart/form-data")) {
    const form = await req.formData()
    const file = form.get("file")
    seen.form = { title: form.get("title"), file: file instanceof File && [file.name, await file.text()] }
  } else if (req.body) {
    const bytes = await req.clone().bytes()
    seen.length = bytes.length
    if (bytes.length < 1000) seen.text = await req.text()
  }
  switch (url.searchParams.get("answer")) {
    case "text":
      return new Response("plain words")
    case "blob":
      return new Response(new Uint8Array([1, 2, 3]), { headers: { "content-type": "application/octet-stream" } })
    case "pdf":
      return new Response("%PDF-", { headers: { "content-type": "application/pdf" } })
    case "form": {
      const form = new FormData()
      form.set("a", "1")
      return new Response(form)
    }
    case "none":
      return new Response(null, { status: 204 })
  }
  return Response.json(seen, { status: Number(url.searchParams.get("status") ?? 200) })
})
