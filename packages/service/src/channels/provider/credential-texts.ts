/** The description of a credential in a form. */
export interface CredentialText {
  readonly label: string
  /** What to enter, and where to find it. */
  readonly hint?: string
  /** The input type. @default 'text' */
  readonly kind?: 'text' | 'number' | 'switch' | 'multiline'
  /** Whether the input is masked. @default false */
  readonly secret?: boolean
}

const texts: Readonly<Record<string, CredentialText>> = {
  accountSid: { label: 'Account SID', hint: 'Starts with AC.' },
  apiKey: { label: 'API key', secret: true },
  apiKeyRequestHeader: { label: 'Header for the first key', hint: 'The header that receives it, such as x-api-key.' },
  apiToken: { label: 'Access token', secret: true },
  applicationId: { label: 'Application ID' },
  baseUrl: { label: 'API address', hint: 'Only for another region or a proxy.' },
  channel: { label: 'Chat ID', hint: 'The chat for subscribers without their own.' },
  configurationSet: { label: 'Configuration set' },
  domain: { label: 'Domain', hint: 'Such as mg.example.com.' },
  from: { label: 'Sender', hint: 'Used if a step returns no sender.' },
  hmacKey: { label: 'Signing key', hint: 'Signs the body in the header service-signature.', secret: true },
  host: { label: 'Host', hint: 'Such as smtp.example.com.' },
  idPath: { label: 'Path of the message id', hint: 'In the answer, such as data.id.' },
  ignoreTls: { label: 'Never use TLS', kind: 'switch' },
  messageProfileId: { label: 'Messaging profile ID' },
  password: { label: 'Password', secret: true },
  phoneNumberIdentification: { label: 'Phone number ID' },
  port: { label: 'Port', hint: '587 for STARTTLS, 465 for TLS.', kind: 'number' },
  projectName: { label: 'Team ID' },
  region: { label: 'Region', hint: 'Such as eu-central-1.' },
  replyTo: { label: 'Reply address' },
  requireTls: { label: 'Require STARTTLS', kind: 'switch' },
  secretKey: { label: 'Secret key', secret: true },
  secretKeyRequestHeader: { label: 'Header for the second key', hint: 'The header that receives it.' },
  secure: { label: 'TLS from the start', kind: 'switch' },
  senderName: { label: 'Sender name' },
  serviceAccount: { label: 'Service account', hint: 'The JSON key file.', kind: 'multiline', secret: true },
  statusCallback: { label: 'Status callback', hint: "The integration's address for delivery reports." },
  token: { label: 'Token', secret: true },
  topicArn: { label: 'SNS topic', hint: 'The ARN of the topic for delivery reports.' },
  user: { label: 'User' },
  verifyToken: { label: 'Verify token', hint: 'Enter the same token at the provider.', secret: true },
  webhookKey: { label: 'Webhook signing key', hint: 'Verifies delivery reports.', secret: true },
  webhookUrl: { label: 'Webhook URL', secret: true },
}

/** The names that some providers use for their credentials. */
const own: Readonly<Record<string, Readonly<Record<string, CredentialText>>>> = {
  apns: {
    secretKey: { label: 'Private key', hint: 'The content of the .p8 file.', kind: 'multiline', secret: true },
    apiKey: { label: 'Key ID' },
    projectName: { label: 'Team ID' },
    applicationId: { label: 'Bundle ID', hint: 'Such as com.example.shop.' },
  },
  nexmo: {
    secretKey: { label: 'API secret', secret: true },
    webhookKey: { label: 'Signature secret', hint: 'Verifies delivery reports.', secret: true },
  },
  nodemailer: { domain: { label: 'Client name', hint: 'Sent in EHLO. Most servers need none.' } },
  postmark: {
    apiKey: { label: 'Server token', secret: true },
    webhookKey: { label: 'Webhook password', hint: 'Verifies delivery reports.', secret: true },
  },
  sendinblue: { webhookKey: { label: 'Webhook token', hint: 'Verifies delivery reports.', secret: true } },
  sendgrid: { webhookKey: { label: 'Verification key', hint: 'Verifies delivery reports.' } },
  ses: { apiKey: { label: 'Access key ID' }, secretKey: { label: 'Secret access key', secret: true } },
  sns: { apiKey: { label: 'Access key ID' }, secretKey: { label: 'Secret access key', secret: true } },
  telnyx: { webhookKey: { label: 'Public key', hint: 'Verifies delivery reports.' } },
  telegram: { token: { label: 'Bot token', secret: true } },
  twilio: { token: { label: 'Auth token', secret: true } },
  'whatsapp-business': { webhookKey: { label: 'App secret', hint: 'Verifies delivery reports.', secret: true } },
}

/** Returns the description of a credential in a form; its name if the service has no text for it. */
export function textOfCredential(providerId: string, name: string): CredentialText {
  return readOwn(readOwn(own, providerId) ?? {}, name) ?? readOwn(texts, name) ?? { label: name, secret: true }
}

/** Returns whether the service has a text for a credential. */
export function hasCredentialText(providerId: string, name: string): boolean {
  return readOwn(readOwn(own, providerId) ?? {}, name) !== undefined || readOwn(texts, name) !== undefined
}

const names: Readonly<Record<string, string>> = {
  nodemailer: 'SMTP',
  'email-webhook': 'Email webhook',
  slack: 'Slack',
  mattermost: 'Mattermost',
  'rocket-chat': 'Rocket.Chat',
  ryver: 'Ryver',
  msteams: 'Microsoft Teams',
  discord: 'Discord',
  'chat-webhook': 'Chat webhook',
  'push-webhook': 'Push webhook',
  'generic-sms': 'SMS webhook',
  'tool-webhook': 'Tool webhook',
  sendgrid: 'SendGrid',
  resend: 'Resend',
  postmark: 'Postmark',
  sendinblue: 'Brevo',
  mailgun: 'Mailgun',
  ses: 'Amazon SES',
  twilio: 'Twilio',
  nexmo: 'Vonage',
  telnyx: 'Telnyx',
  sns: 'Amazon SNS',
  expo: 'Expo',
  'one-signal': 'OneSignal',
  fcm: 'Firebase Cloud Messaging',
  apns: 'Apple Push Notifications',
  telegram: 'Telegram',
  'whatsapp-business': 'WhatsApp Business',
}

/** Returns the name of a provider; its id if the service has no name for it. */
export function nameOfProvider(providerId: string): string {
  return readOwn(names, providerId) ?? providerId
}

function readOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
