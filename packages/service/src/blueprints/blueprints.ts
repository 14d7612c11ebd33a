import type { Blueprint } from './blueprint.ts'

const text = { type: 'string' } as const

const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
})

/** The blueprints of the service. */
export const blueprints: readonly Blueprint[] = Object.freeze<readonly Blueprint[]>([
  {
    id: '000000000000000000b10001',
    identifier: 'welcome',
    name: 'Welcome',
    description: 'Greets a new user in the inbox and by email, and follows up after three days.',
    group: 'Onboarding',
    isPopular: true,
    critical: false,
    tags: ['onboarding'],
    payloadSchema: object({ appName: text, startUrl: { type: 'string', format: 'uri' } }, ['appName', 'startUrl']),
    steps: [
      {
        stepId: 'greeting',
        name: 'In-app greeting',
        type: 'in_app',
        controlValues: {
          subject: 'Welcome to {{ payload.appName }}',
          body: 'Good to have you here, {{ subscriber.firstName | default: "there" }}.',
          redirect: { url: '{{ payload.startUrl }}', target: '_self' },
        },
      },
      {
        stepId: 'welcome-email',
        name: 'Welcome email',
        type: 'email',
        controlValues: {
          subject: 'Welcome to {{ payload.appName }}',
          body: '<p>Hello {{ subscriber.firstName | default: "there" }},</p><p>your account is ready. <a href="{{ payload.startUrl }}">Start here</a>.</p>',
        },
      },
      {
        stepId: 'three-days',
        name: 'Three days later',
        type: 'delay',
        controlValues: { type: 'regular', amount: 3, unit: 'days' },
      },
      {
        stepId: 'follow-up',
        name: 'Follow-up email',
        type: 'email',
        controlValues: {
          subject: 'How are you getting on with {{ payload.appName }}?',
          body: '<p>You have been with us for three days. If anything is unclear, reply to this email.</p>',
        },
      },
    ],
  },
  {
    id: '000000000000000000b10002',
    identifier: 'activity-digest',
    name: 'Activity digest',
    description: "Collects a day's events and sends them as one email.",
    group: 'Activity',
    isPopular: true,
    critical: false,
    tags: ['activity', 'digest'],
    payloadSchema: object({ actor: text, action: text, target: text }, ['actor', 'action', 'target']),
    steps: [
      {
        stepId: 'in-app',
        name: 'In-app message per event',
        type: 'in_app',
        controlValues: { body: '{{ payload.actor }} {{ payload.action }} {{ payload.target }}' },
      },
      {
        stepId: 'day',
        name: 'Collect for one day',
        type: 'digest',
        controlValues: { type: 'regular', amount: 1, unit: 'days' },
      },
      {
        stepId: 'summary',
        name: 'Summary email',
        type: 'email',
        controlValues: {
          subject: '{{ steps.day.eventCount | pluralize: "event", "events" }} for you',
          body: '<ul>{% for event in steps.day.events %}<li>{{ event.payload.actor | escape }} {{ event.payload.action | escape }} {{ event.payload.target | escape }}</li>{% endfor %}</ul>',
        },
      },
    ],
  },
  {
    id: '000000000000000000b10003',
    identifier: 'password-reset',
    name: 'Password reset',
    description: 'Sends a link to reset the password. Subscribers cannot disable it.',
    group: 'Security',
    isPopular: true,
    critical: true,
    tags: ['security'],
    payloadSchema: object({ resetUrl: { type: 'string', format: 'uri' }, minutes: { type: 'integer', minimum: 1 } }, [
      'resetUrl',
      'minutes',
    ]),
    steps: [
      {
        stepId: 'reset-email',
        name: 'Email with the link',
        type: 'email',
        controlValues: {
          subject: 'Choose a new password',
          body: '<p>Someone asked for a new password for this account. <a href="{{ payload.resetUrl }}">Choose one</a> within {{ payload.minutes }} minutes.</p><p>If it was not you, ignore this email: your password stays unchanged.</p>',
        },
      },
    ],
  },
  {
    id: '000000000000000000b10004',
    identifier: 'sign-in-code',
    name: 'Sign-in code',
    description: 'Sends a short-lived code by SMS.',
    group: 'Security',
    isPopular: false,
    critical: true,
    tags: ['security'],
    payloadSchema: object({ code: { type: 'string', pattern: '^[0-9]{6}$' }, minutes: { type: 'integer' } }, ['code']),
    steps: [
      {
        stepId: 'code',
        name: 'SMS with the code',
        type: 'sms',
        controlValues: {
          body: '{{ payload.code }} is your code. It is valid for {{ payload.minutes | default: 5 }} minutes.',
        },
      },
    ],
  },
])
