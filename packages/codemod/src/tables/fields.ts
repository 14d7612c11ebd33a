const message = ['body']
const titled = ['subject', 'body']

/** The output fields of each step kind. Other fields used to be dropped silently and are now rejected. */
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

/** Output fields that are objects, with their fields. */
export const innerFields: Readonly<Record<string, readonly string[]>> = {
  primaryAction: ['label', 'redirect'],
  secondaryAction: ['label', 'redirect'],
  redirect: ['url', 'target'],
  from: ['email', 'name'],
  lookBackWindow: ['amount', 'unit'],
}

/** Steps that send messages and whose providers have their own fields. */
export const channels: readonly string[] = ['email', 'sms', 'push', 'chat']

/** Methods of `step` without a fixed output. */
export const otherSteps: readonly string[] = ['custom', 'httpRequest']

/** The correct names of commonly misspelled output fields, which used to be dropped. */
export const meant: Readonly<Record<string, string>> = {
  title: 'subject',
  content: 'body',
  inputSchema: 'controlSchema',
  apiKey: 'secretKey',
}

export const stepOptions: readonly string[] = [
  'controlSchema',
  'skip',
  'providers',
  'disableOutputSanitization',
  'outputSchema',
]

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

/** The variables available in a control template. */
export const templateRoots: readonly string[] = [
  'payload',
  'subscriber',
  'actor',
  'context',
  'env',
  'steps',
  'workflow',
]

/** The options of `serve`, of a client and of the NestJS module, including former ones. */
export const bridgeOptions: readonly string[] = [
  ...['workflows', 'agents', 'client', 'secretKey', 'apiUrl', 'strictAuthentication', 'apiPath', 'path'],
  ...['turnLimits', 'waitUntil', 'service', 'signatureHeader', 'maxBodyBytes', 'timeoutMs', 'exposeCode', 'cors'],
  ...['logger', 'hooks', 'nonceStore'],
]

/** Removed options, with the reason. */
export const goneOptions: Readonly<Record<string, string>> = {
  verbose: 'The option "verbose" was removed: pass a logger, { warn, error }, that logs as little as you like.',
  controllerDecorators:
    'The option "controllerDecorators" was removed: the bridge is a middleware and answers before the guards of the app.',
}
