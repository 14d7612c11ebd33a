import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

// The minimum work that any design needs, written by hand: read the text, compute the HMAC with a cached key, compare
// in constant time, parse, and return a constant. It has no workflows, schemas or other checks.

const providers = {}

/** The floor as a Hono handler. */
export function honoFloor(secret) {
  const isSigned = createCheck(secret)
  return async (context) => {
    const text = await context.req.text()
    if (!isSigned(context.req.header('service-signature'), text)) return context.json({ code: 'Unauthorized' }, 401)
    return context.body(answer(text), 200, { 'content-type': 'application/json' })
  }
}

/** The floor as Express handlers. */
export function expressFloor(secret, express) {
  const isSigned = createCheck(secret)
  const handle = (request, response) => {
    if (!isSigned(request.get('service-signature'), request.body))
      return response.status(401).json({ code: 'Unauthorized' })
    return response.type('json').send(answer(request.body))
  }
  return [express.text({ type: 'application/json', limit: '10mb' }), handle]
}

function createCheck(secret) {
  const key = createSecretKey(Buffer.from(secret))
  return (header = '', text) => {
    const [time = '', mac = ''] = header.split(',')
    const timestamp = time.slice(2)
    const wanted = createHmac('sha256', key).update(`${timestamp}.`).update(text).digest()
    const given = Buffer.from(mac.slice(3), 'hex')
    return (
      Math.abs(Date.now() - Number(timestamp)) < 300_000 &&
      given.length === wanted.length &&
      timingSafeEqual(given, wanted)
    )
  }
}

function answer(text) {
  const event = JSON.parse(text)
  return JSON.stringify({
    outputs: { subject: `Order ${event.payload.id}`, body: '<p>On its way.</p>' },
    providers,
    options: { skip: false },
    metadata: { status: 'success', error: false, duration: 0 },
  })
}
