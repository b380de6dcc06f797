// What a function sees of its surroundings.
const tried = async (attempt: () => unknown) => {
  try {
    await attempt()
    return "allowed"
  } catch (error) {
    return (error as Error).name
  }
}

Deno.serve(async () => {
  const mine = Deno.env.get("MY_SECRET")
  console.log("the secret is", mine, "and the key", Deno.env.get("SUPABASE_SERVICE_ROLE_KEY"))
  return Response.json({
    mine,
    names: Object.keys(Deno.env.toObject()).sort(),
    unset: Deno.env.get("NEVER_SET") ?? null,
    keys: Object.keys(JSON.parse(Deno.env.get("SUPABASE_SECRET_KEYS")!)),
    own: await tried(() => Deno.readTextFile(new URL("./index.ts", import.meta.url))),
    passwd: await tried(() => Deno.readTextFile("/etc/passwd")),
    env: await tried(() => Deno.readTextFile(new URL("../.env", import.meta.url))),
    write: await tried(() => Deno.writeTextFile(new URL("./new.ts", import.meta.url), "")),
    run: await tried(() => new Deno.Command("id").output()),
  })
})
