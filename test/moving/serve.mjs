import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

// Serves a project's bridge over HTTP, before or after the migration: node serve.mjs <bridge.mjs>. Prints its port.

const handlers = await import(pathToFileURL(process.argv[2]).href)

createServer(async (incoming, outgoing) => {
  const chunks = await incoming.toArray()
  const method = incoming.method ?? 'GET'
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method,
    headers: incoming.headers,
    ...(method === 'POST' && { body: Buffer.concat(chunks) }),
  })
  const handler = handlers[method] ?? (() => new Response(null, { status: 405 }))
  const response = await handler({ request, url: new URL(request.url) })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(await response.text())
}).listen(0, '127.0.0.1', function () {
  process.stdout.write(`${this.address().port}\n`)
})
