
// Reads questions as lines of JSON, and prints a line for each: the answer, or why there is none.
console.log('ready')
let held = ''
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (held + chunk).split('\n')
  held = lines.pop()
  for (const line of lines) {
    try {
      console.log(`answer ${JSON.stringify(await answer(JSON.parse(line)))}`)
    } catch (error) {
      console.log(`refusal ${JSON.stringify(error instanceof Error ? error.message : String(error))}`)
    }
  }
}
