const loop =
  '{% for item in payload.items %}<tr><td style="padding:4px">{{ item.count }} x {{ item.name | upcase }}</td></tr>{% endfor %}'
const paragraph = (index) =>
  `<tr><td align="left" style="font-family:Arial,sans-serif;font-size:14px;line-height:20px;padding:12px 24px;color:#333333">` +
  `<p class="text">Paragraph ${index}: dear {{ subscriber.firstName }}, the order {{ payload.id }} is on its way &amp; ` +
  `will be with you soon. <a href="https://shop.test/orders?id=${index}&amp;from=mail" target="_blank">Follow it</a> ` +
  `or write to us. <img src="https://shop.test/logo-${index}.png" width="120" height="40" alt="Logo"></p></td></tr>\n`
const template =
  '<!DOCTYPE html><html><head><title>Order</title><style>.text{margin:0;padding:0}td{border:0}</style></head><body>' +
  `<table width="600" cellpadding="0" cellspacing="0">${Array.from({ length: 48 }, (_, index) => paragraph(index)).join('')}` +
  `${loop}</table></body></html>`

/** The step controls of the mail: a subject and a body of 20 kB, both templates, stored by the service. */
export const mailControls = { subject: 'Order {{ payload.id }}', body: template }

/** The shape of the mail's controls; every subject brings the same one. */
export const mailControlSchema = {
  type: 'object',
  properties: { subject: { type: 'string' }, body: { type: 'string' } },
  required: ['subject', 'body'],
  additionalProperties: false,
}

/** The shape of the payload, the same for every subject. */
export const payloadSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    total: { type: 'number' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, count: { type: 'integer' } } },
    },
  },
  required: ['id'],
  additionalProperties: false,
}

/** How many workflows discover tells of, and how many steps each has. */
export const discovered = { workflows: 100, steps: 10 }

const subscriber = { subscriberId: 's-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }

const event = (index, { controls = {}, steps = 1 }) => ({
  payload: {
    id: `order-${index}`,
    total: 12.5,
    items: Array.from({ length: 10 }, (_, item) => ({ name: `Tea ${item}`, count: item })),
  },
  controls,
  state: Array.from({ length: steps - 1 }, (_, step) => ({
    stepId: `s${steps - 2 - step}`,
    outputs: { duration: 3_600_000 + index },
    state: { status: 'completed' },
  })),
  subscriber,
  context: {},
  env: { name: 'Production', type: 'prod' },
})

/** What is compared: the query, the body of each call, and whether an answer is right. */
export const cases = {
  'mail of 20 kB': {
    gate: 2.5,
    query: 'action=execute&workflowId=mail&stepId=clean',
    body: (index) => event(index, { controls: mailControls }),
    isRight: isMail,
  },
  'the same, not sanitized': {
    gate: 4,
    query: 'action=execute&workflowId=raw-mail&stepId=raw',
    body: (index) => event(index, { controls: mailControls }),
    isRight: isMail,
  },
  'one step': {
    query: 'action=execute&workflowId=steps-1&stepId=last',
    body: (index) => event(index, {}),
    isRight: ({ outputs }, index) => outputs.subject === `Order order-${index}`,
  },
  '10 steps': {
    query: 'action=execute&workflowId=steps-10&stepId=last',
    body: (index) => event(index, { steps: 10 }),
    isRight: ({ outputs }, index) => outputs.subject === `Order order-${index}`,
  },
  'preview of 10 steps': {
    query: 'action=preview&workflowId=steps-10&stepId=last',
    body: (index) => event(index, {}),
    isRight: ({ outputs }, index) => outputs.subject === `Order order-${index}`,
  },
  'discover 100 x 10': {
    query: 'action=discover',
    isRight: ({ workflows }) =>
      workflows.length === discovered.workflows + 4 && workflows.at(-1).steps.length === discovered.steps,
  },
}

function isMail({ outputs: { subject, body } }, index) {
  return (
    subject === `Order order-${index}` &&
    body.length > 20_000 &&
    body.startsWith('<!DOCTYPE html>') &&
    body.includes(`Paragraph 47: dear Ada, the order order-${index} is on its way &amp;`) &&
    body.includes('9 x TEA 9')
  )
}
