/**
 * Code examples for owners' sites: request a ticket and query its state. The token stays on their
 * server.
 */

const PHP = (origin: string, id: string) => `<?php
$api = '${origin}/api/v1/servers/${id}/tickets';
$token = getenv('VOTE_API_TOKEN');

function call(string $url, string $token, ?array $body = null): array {
    $options = ['ignore_errors' => true, 'header' => "Authorization: Bearer $token"];
    if ($body !== null) {
        $options['method'] = 'POST';
        $options['content'] = json_encode($body);
    }
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $options])), true);
}

// 1. When a member clicks on "Vote"
$ticket = call($api, $token, ['reference' => 'member-17', 'nickname' => 'Steve_42'])['data'];
header('Location: ' . $ticket['url']);

// 2. Later: has the member voted?
$known = call("$api/{$ticket['ticket']}", $token)['data'];
$hasVoted = $known['status'] === 'voted';`

const JAVASCRIPT = (origin: string, id: string) => `const api = '${origin}/api/v1/servers/${id}/tickets'
const headers = { Authorization: \`Bearer \${process.env.VOTE_API_TOKEN}\` }

// 1. When a member clicks on "Vote"
const body = JSON.stringify({ reference: 'member-17', nickname: 'Steve_42' })
const { data: ticket } = await (await fetch(api, { method: 'POST', headers, body })).json()
response.redirect(ticket.url)

// 2. Later: has the member voted?
const { data: known } = await (await fetch(\`\${api}/\${ticket.ticket}\`, { headers })).json()
const hasVoted = known.status === 'voted'`

const CURL = (origin: string, id: string) => `curl -X POST '${origin}/api/v1/servers/${id}/tickets' \\
  -H "Authorization: Bearer $VOTE_API_TOKEN" \\
  -d '{"reference": "member-17", "nickname": "Steve_42"}'

curl '${origin}/api/v1/servers/${id}/tickets/TICKET' \\
  -H "Authorization: Bearer $VOTE_API_TOKEN"`

export function ticketExamples(origin: string, id: string) {
  return [
    { language: 'PHP', code: PHP(origin, id) },
    { language: 'JavaScript', code: JAVASCRIPT(origin, id) },
    { language: 'curl', code: CURL(origin, id) },
  ] as const
}
