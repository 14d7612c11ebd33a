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

/** The fields of outputs that are objects themselves, with theirs. */
export const innerFields: Readonly<Record<string, readonly string[]>> = {
  primaryAction: ['label', 'redirect'],
  secondaryAction: ['label', 'redirect'],
  redirect: ['url', 'target'],
  from: ['email', 'name'],
  lookBackWindow: ['amount', 'unit'],
}

/** The kinds of step whose output is a message, for which providers take fields of their own. */
export const channels: readonly string[] = ['email', 'sms', 'push', 'chat']

/** The methods of `step` that have no output of a fixed form. */
export const otherSteps: readonly string[] = ['custom', 'httpRequest']

/** What names that were dropped are called. */
export const meant: Readonly<Record<string, string>> = {
  title: 'subject',
  content: 'body',
  inputSchema: 'controlSchema',
  apiKey: 'secretKey',
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

/** What a template of a control sees. */
export const templateRoots: readonly string[] = [
  'payload',
  'subscriber',
  'actor',
  'context',
  'env',
  'steps',
  'workflow',
]

/** The options of `serve`, of a client, and of the module for NestJS, there and here. */
export const bridgeOptions: readonly string[] = [
  ...['workflows', 'agents', 'client', 'secretKey', 'apiUrl', 'strictAuthentication', 'apiPath', 'path'],
  ...['turnLimits', 'waitUntil', 'service', 'signatureHeader', 'maxBodyBytes', 'timeoutMs', 'exposeCode', 'cors'],
  ...['logger', 'hooks', 'nonceStore'],
]

/** Options of those that are taken out, and why. */
export const goneOptions: Readonly<Record<string, string>> = {
  verbose: 'The option "verbose" was removed: give a logger, { warn, error }, that logs as little as you like.',
  controllerDecorators:
    'The option "controllerDecorators" was removed: the bridge is a middleware and answers before the guards of the app.',
}
