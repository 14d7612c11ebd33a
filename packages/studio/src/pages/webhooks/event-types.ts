import type { FormField, FormValues } from '../../resource/form-field.ts'

/** The events that an endpoint can receive, and when they occur. */
export const eventTexts: Readonly<Record<string, string>> = {
  'message.sent': 'A provider accepted a message, or it was stored.',
  'message.failed': 'A message was not sent.',
  'message.delivered': 'The provider delivered it.',
  'message.opened': 'The recipient opened it.',
  'message.clicked': 'The recipient clicked a link in it.',
  'message.bounced': 'The provider could not deliver it.',
  'message.complained': 'The recipient reported it as spam.',
  'run.completed': 'All steps of a run have finished.',
  'run.failed': 'A step of the run has failed.',
  'run.canceled': 'The run was canceled.',
  'run.merged': 'The run was merged into the digest of another one.',
}

/** The fields of an endpoint: its URL, its purpose and its events. */
export const endpointFields: readonly FormField[] = [
  {
    name: 'url',
    label: 'URL',
    required: true,
    mono: true,
    isWide: true,
    placeholder: 'https://app.example.com/events',
  },
  { name: 'description', label: 'Description', isWide: true, hint: 'Its purpose.' },
  ...Object.entries(eventTexts).map(([name, hint]) => ({ name, label: name, hint, kind: 'switch' as const })),
]

/** Returns the values of a form. */
export function toEndpointValues(endpoint: {
  readonly url: string
  readonly description: string
  readonly eventTypes: readonly string[]
}): FormValues {
  const { url, description, eventTypes } = endpoint
  const chosen = Object.keys(eventTexts).map((type) => [type, eventTypes.includes(type)])
  return { url, description, ...Object.fromEntries(chosen) }
}

/** Returns the body that saves the values of a form. If no event is selected, the endpoint receives all of them. */
export function toEndpointBody(values: FormValues): object {
  const { url, description = '' } = values
  return { url, description, eventTypes: Object.keys(eventTexts).filter((type) => values[type] === true) }
}
