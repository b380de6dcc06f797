Deno.serve((req) => {
  if (req.headers.get("upgrade") !== "websocket") return new Response("not a websocket", { status: 400 })
  const { socket, response } = Deno.upgradeWebSocket(req)
  socket.onmessage = ({ data }) => (data === "bye" ? socket.close(1000, "bye") : socket.send(`echo: ${data}`))
  return response
})
