import { actions, button, card, divider, fields, linkButton, table, text, workflow } from '@trestle/core'

/** Steps of every channel, in parallel and conditional, with HTML that is partly removed. */
const incidentOpened = workflow(
  'incident-opened',
  async ({ step, payload }) => {
    await step.inApp(
      'inbox',
      ({ headline }) => ({
        subject: headline,
        body: `<b>${payload.service}</b> answers slowly since ${payload.since}.`,
        avatar: 'https://example.com/ops.png',
        primaryAction: { label: 'Open the incident', redirect: { url: '/incidents/42' } },
        secondaryAction: { label: 'Mute for an hour' },
      }),
      { controlSchema: objectOf({ headline: textOf('{{ payload.service }} is in trouble') }) },
    )
    await Promise.all([
      step.sms('text', ({ body }) => ({ body }), {
        controlSchema: objectOf({
          body: textOf('{{ payload.service }}: {{ payload.summary }} Since {{ payload.since }}. Reply STOP to end.'),
        }),
      }),
      step.push('phone', () => ({ subject: `${payload.service} is in trouble`, body: payload.summary })),
      step.chat('channel', () => ({
        card: card(
          { title: `Incident: ${payload.service}`, subtitle: payload.summary },
          fields({ Severity: payload.severity, Since: payload.since }),
          divider(),
          table(
            ['Region', 'Errors'],
            [
              ['eu-west', '812'],
              ['us-east', '3'],
            ],
            { align: ['left', 'right'] },
          ),
          text('On call: Ada', { style: 'muted' }),
          actions(
            linkButton('Open', 'https://example.com/incidents/42', { style: 'primary' }),
            button('ack', 'Acknowledge', { value: '42' }),
          ),
        ),
      })),
    ])
    if (payload.severity === 'high') {
      await step.email(
        'report',
        ({ subject, intro }) => ({
          subject,
          preheader: 'What is known so far',
          body: `<style>.box{background:#f3f5f8;padding:16px;border-radius:8px}</style>
            <script>track()</script>
            <h1 style="font-family:sans-serif">${payload.service}</h1>
            <p onclick="spy()">${intro}</p><div class="box">${payload.summary}</div>
            <p><img src="https://example.com/graph.png" alt="Errors by minute" width="320" height="120"></p>
            <p><a href="https://example.com/incidents/42">Open the incident</a></p>`,
        }),
        {
          controlSchema: objectOf({
            subject: textOf('Incident report: {{ payload.service }}'),
            intro: textOf('Hello {{ subscriber.firstName | default: "there" }}, this is what we know so far.'),
          }),
        },
      )
    }
    await step.delay('cool-down', () => ({ amount: 30, unit: 'minutes' }))
    await step.custom('score', () => ({ total: 3 }), {
      outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
    })
  },
  {
    name: 'Incident opened',
    description: 'Tells the people on call, on every channel they have.',
    tags: ['operations', 'urgent'],
    severity: 'high',
    preferences: { all: { enabled: true, readOnly: true }, channels: { sms: { enabled: true } } },
    payloadSchema: {
      type: 'object',
      properties: {
        service: { type: 'string', default: 'checkout' },
        summary: { type: 'string', default: 'Payments fail for one customer in ten.' },
        since: { type: 'string', default: '09:30' },
        severity: { enum: ['low', 'high'], type: 'string', default: 'high' },
      },
      required: ['service', 'summary', 'since', 'severity'],
      additionalProperties: false,
    },
  },
)

/** An email whose template has an unknown filter. */
const welcome = workflow(
  'welcome',
  async ({ step }) => {
    await step.email('mail', ({ subject, body }) => ({ subject, body }), {
      controlSchema: objectOf({
        subject: textOf('Welcome'),
        body: textOf('<h1>Hello</h1>\n<p>{{ subscriber.firstName | shout }}</p>'),
      }),
    })
  },
  { name: 'Welcome', tags: ['people'] },
)

function textOf(value: string): { readonly type: 'string'; readonly default: string } {
  return { type: 'string', default: value }
}

function objectOf<T extends Readonly<Record<string, object>>>(properties: T) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } as const
}

/** The workflows of the studio tests. */
export const workflows = [incidentOpened, welcome]
