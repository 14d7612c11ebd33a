const paragraph = (index) =>
  `<tr><td align="left" style="font-family:Arial,sans-serif;font-size:14px;line-height:20px;padding:12px 24px;color:#333333">` +
  `<p class="text">Paragraph ${index}: dear {{ subscriber.firstName }}, the order {{ payload.id }} is on its way &amp; ` +
  `will be with you soon. <a href="https://shop.test/orders?id=${index}&amp;from=mail" target="_blank">Follow it</a> ` +
  `or write to us. <img src="https://shop.test/logo-${index}.png" width="120" height="40" alt="Logo"></p></td></tr>\n`
const loop =
  '{% for item in payload.items %}<tr><td style="padding:4px">{{ item.count }} x {{ item.name | upcase }}</td></tr>{% endfor %}'

/** A template for an email body with this many paragraphs; 48 of them are 20 kB. */
const mailBody = (paragraphs, remark = '') =>
  `<!DOCTYPE html><html><head><title>Order${remark}</title><style>.text{margin:0;padding:0}td{border:0}</style></head><body>` +
  `<table width="600" cellpadding="0" cellspacing="0">${Array.from({ length: paragraphs }, (_, index) => paragraph(index)).join('')}` +
  `${loop}</table></body></html>`

const mailControls = (paragraphs, remark) => ({ subject: 'Order {{ payload.id }}', body: mailBody(paragraphs, remark) })

/** The schema of the email's controls, the same for every subject. */
export const mailControlSchema = {
  type: 'object',
  properties: { subject: { type: 'string' }, body: { type: 'string' } },
  required: ['subject', 'body'],
  additionalProperties: false,
}

/** The schema of the payload, the same for every subject. */
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

/** The number of workflows that discover lists, and of steps in each. */
export const discovered = { workflows: 100, steps: 10 }

const event = (index, { controls = {}, steps = 1 } = {}) => ({
  payload: {
    id: `order-${index}`,
    total: 12.5,
    items: Array.from({ length: 3 }, (_, item) => ({ name: `Tea ${item}`, count: item })),
  },
  controls,
  state: Array.from({ length: steps - 1 }, (_, step) => ({
    stepId: `s${steps - 2 - step}`,
    outputs: { duration: 3_600_000 + index },
    state: { status: 'completed' },
  })),
  subscriber: { subscriberId: 's-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  context: {},
  env: { name: 'Production', type: 'prod' },
})

const isOrder = ({ outputs }, index) => outputs.subject === `Order order-${index}`
const isMail = (answer, index) =>
  isOrder(answer, index) &&
  answer.outputs.body.startsWith('<!DOCTYPE html>') &&
  answer.outputs.body.includes(`dear Ada, the order order-${index} is on its way &amp;`) &&
  answer.outputs.body.includes('2 x TEA 2')

const steps = (count, action = 'execute') => ({
  query: `action=${action}&workflowId=steps-${count}&stepId=last`,
  body: (index) => event(index, { steps: action === 'execute' ? count : 1 }),
  isRight: isOrder,
})
const mail = (stepId, { action = 'execute', fresh = false, paragraphs = 4 } = {}) => ({
  query: `action=${action}&workflowId=${stepId}-mail&stepId=${stepId}`,
  body: (index, round = 0) => event(index, { controls: mailControls(paragraphs, fresh ? ` ${index}.${round}` : '') }),
  isRight: isMail,
  fresh,
})

/** The measured calls: the query, the body, and a check of the response. A `fresh` case has a new body each time. */
export const cases = {
  '1 step': steps(1),
  '10 steps': steps(10),
  '100 steps': steps(100),
  '1000 steps': steps(1000),
  email: mail('clean'),
  'email, not sanitized': mail('raw'),
  'email, new template': mail('clean', { fresh: true }),
  'email of 20 kB': mail('clean', { paragraphs: 48 }),
  'preview of 10 steps': steps(10, 'preview'),
  'preview of an email': mail('clean', { action: 'preview' }),
  'discover 100 x 10': {
    query: 'action=discover',
    isRight: ({ workflows }) =>
      workflows.length >= discovered.workflows && workflows.at(-1).steps.length === discovered.steps,
  },
}
