import { createHmac } from 'node:crypto'

/**
 * Sends one signed discover call to an app, and ends the process if the response is correct.
 *
 * @param {{ fetch(request: Request): Promise<Response> | Response }} app
 * @param {'floor' | 'trestle' | 'peer'} subject
 */
export async function answerFirst(app, subject) {
  const atMs = Date.now()
  const body = subject === 'floor' ? '{"payload":{"id":"1"}}' : undefined
  const mac = createHmac('sha256', 'benchmark-secret-key')
    .update(`${atMs}.${body ?? '{}'}`)
    .digest('hex')
  const header = subject === 'peer' ? 'novu-signature' : 'service-signature'
  const response = await app.fetch(
    new Request('http://127.0.0.1/api?action=discover', {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', [header]: `t=${atMs},v1=${mac}` },
      body,
    }),
  )
  const answer = await response.json()
  const isRight = subject === 'floor' ? answer.outputs.subject === 'Order 1' : answer.workflows.length === 10
  process.exit(response.status === 200 && isRight ? 0 : 1)
}
