import { nothing } from "./missing.ts"

Deno.serve(() => new Response(nothing))
