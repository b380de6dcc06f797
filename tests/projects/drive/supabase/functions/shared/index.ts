Deno.serve(async (request) => {
  const { type, table, record } = await request.json()
  const isKnown = request.headers.get('x-hook-secret') === 'told to the vault'
  return Response.json({ type, table, path: record.path, isKnown })
})
