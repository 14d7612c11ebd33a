const message = ['body']
const titled = ['subject', 'body']

/** The fields of each kind of step's output. Others were dropped without a word; now they are refused. */
export const outputFields: Readonly<Record<string, readonly string[]>> = {
  email: [...titled, 'from', 'replyTo', 'preheader', 'useProviderDefaults'],
  sms: message,
  push: titled,
  chat: ['body', 'card'],
  inApp: [...titled, 'avatar', 'primaryAction', 'secondaryAction', 'redirect', 'data'],
  tool: message,
  digest: ['type', 'amount', 'unit', 'cron', 'digestKey', 'lookBackWindow', 'extendToSchedule'],
  delay: ['type', 'amount', 'unit', 'cron', 'dynamicKey', 'extendToSchedule'],
  throttle: ['type', 'amount', 'unit', 'dynamicKey', 'threshold', 'throttleKey'],
}

/** The options of a step. */
export const stepOptions: readonly string[] = [
  'controlSchema',
  'skip',
  'providers',
  'disableOutputSanitization',
  'outputSchema',
]

/** The options of a workflow. */
export const workflowOptions: readonly string[] = [
  'payloadSchema',
  'controlSchema',
  'envSchema',
  'preferences',
  'tags',
  'name',
  'description',
  'severity',
]
