// Stands in for https://deno.land/std/http/server.ts.
export function serve(handler, options = {}) {
  return Deno.serve(options, handler).finished
}
