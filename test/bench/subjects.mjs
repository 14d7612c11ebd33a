import { createHmac, timingSafeEqual } from 'node:crypto'
import { createBridge, workflow } from '@trestle/core'

/** The secret all subjects know. */
export const secret = 'benchmark-secret-key'

/**
 * What every design must do: read the text, compute the HMAC, compare in constant time, parse, print an answer.
 *
 * @param {Request} request
 */
export async function floor(request) {
  const header = request.headers.get('service-signature') ?? ''
  const [time = '', mac = ''] = header.split(',')
  const body = await request.text()
  const timestamp = time.slice(2)
  const wanted = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest()
  const given = Buffer.from(mac.slice(3), 'hex')
  if (Math.abs(Date.now() - Number(timestamp)) > 300_000) return refuse('SignatureExpiredError')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return refuse('SignatureMismatchError')
  const event = JSON.parse(body)
  return new Response(
    JSON.stringify({
      outputs: { subject: `Order ${event.payload.id}`, body: '<p>On its way.</p>' },
      providers: {},
      options: { skip: false },
      metadata: { status: 'success', error: false, duration: 0 },
    }),
    { status: 200, headers: { 'content-type': 'application/json' } },
  )
}

function refuse(code) {
  return new Response(JSON.stringify({ code }), { status: 401, headers: { 'content-type': 'application/json' } })
}

/**
 * The product, with a workflow of so many steps, the last of which is asked for.
 *
 * @param {number} steps
 */
export function trestle(steps) {
  const many = workflow('many', async ({ step, payload }) => {
    for (let index = 0; index < steps - 1; index++) await step.delay(`s${index}`, () => ({ amount: 1, unit: 'hours' }))
    await step.email('last', () => ({ subject: `Order ${payload.id}`, body: '<p>On its way.</p>' }), {
      disableOutputSanitization: true,
    })
  })
  const bridge = createBridge({ workflows: [many], secretKey: secret, strictAuthentication: true })
  return (request) => bridge.fetch(request)
}
