/** The known fields of SMS providers. */
export const smsProviders = {
  /** Parameters of Twilio's "create a message". */
  twilio: {
    type: 'object',
    properties: {
      to: { type: 'string' },
      from: { type: 'string' },
      body: { type: 'string' },
      messagingServiceSid: { type: 'string' },
      mediaUrl: { type: 'array', items: { type: 'string' } },
      contentSid: { type: 'string' },
      contentVariables: { type: 'string' },
      statusCallback: { type: 'string' },
      applicationSid: { type: 'string' },
      maxPrice: { type: 'number' },
      provideFeedback: { type: 'boolean' },
      attempt: { type: 'number' },
      validityPeriod: { type: 'number' },
      forceDelivery: { type: 'boolean' },
      contentRetention: { enum: ['retain', 'discard'] },
      addressRetention: { enum: ['retain', 'obfuscate'] },
      smartEncoded: { type: 'boolean' },
      persistentAction: { type: 'array', items: { type: 'string' } },
      shortenUrls: { type: 'boolean' },
      scheduleType: { enum: ['fixed'] },
      sendAt: { type: 'string' },
      sendAsMms: { type: 'boolean' },
      riskCheck: { enum: ['enable', 'disable'] },
    },
  },
  /** The service's own SMS provider has no fields. */
  'novu-sms': { type: 'object', properties: {}, additionalProperties: false },
} as const

/** The known fields of chat providers. */
export const chatProviders = {
  slack: {
    type: 'object',
    properties: {
      webhookUrl: { type: 'string', format: 'uri' },
      text: { type: 'string' },
      blocks: {
        type: 'array',
        items: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
      },
    },
  },
} as const

/** The known fields of in-app providers. */
export const inAppProviders = {
  /** The service's own inbox has no fields. */
  novu: { type: 'object', properties: {}, additionalProperties: false },
} as const
