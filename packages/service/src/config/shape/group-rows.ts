/** Settings of `bridge` that have a variable. `BridgeSettings` has more, which only code can set. */
export const bridgeRows = {
  allow: {
    kind: 'ranges',
    variable: 'SERVICE_SAFE_OUTBOUND_ALLOW',
    isSetIfEmpty: true,
    defaultText: 'loopback addresses, if the service listens on one',
    text: 'Address ranges that are allowed although the outbound policy blocks them, such as `10.0.0.0/8`. An empty value allows none.',
  },
  policy: {
    kind: 'choice',
    variable: 'SERVICE_OUTBOUND_POLICY',
    choices: ['on', 'off'],
    defaultText: '`on`',
    text: '`off` skips all checks of names and addresses for outbound calls.',
  },
  tunnelHosts: {
    kind: 'list',
    variable: 'SERVICE_TUNNEL_HOSTS',
    defaultText: 'none',
    text: 'Hosts of development tunnels, including their subdomains.',
  },
  signatureHeader: {
    kind: 'text',
    variable: 'SERVICE_BRIDGE_SIGNATURE_HEADER',
    defaultText: '`service-signature` and `novu-signature`',
    text: 'The only header that carries the signature of a bridge call. Until version 1.0, both defaults are sent.',
  },
  timeoutMs: {
    kind: 'whole',
    variable: 'SERVICE_BRIDGE_TIMEOUT_MS',
    min: 1,
    max: 2_147_483_647,
    defaultText: '5000',
    text: 'Time limit for an outbound call, including all its redirects.',
  },
  maxAnswerBytes: {
    kind: 'whole',
    variable: 'SERVICE_BRIDGE_MAX_ANSWER_BYTES',
    min: 1,
    max: 1_073_741_824,
    defaultText: '10 MiB',
    text: 'Maximum size of a response.',
  },
  ca: {
    kind: 'authorities',
    variable: 'SERVICE_BRIDGE_CA_FILE',
    defaultText: "Node's certificate authorities",
    text: 'Trusted certificate authorities, in PEM format. The variable names a file.',
  },
} as const

/** Settings of `inboundMail`. */
export const inboundMailRows = {
  hostName: {
    kind: 'hostName',
    variable: 'SERVICE_INBOUND_MAIL_HOST',
    defaultText: 'inbound mail is off',
    text: 'Host name of the mail server, to which the MX records of domains point.',
  },
  port: {
    kind: 'whole',
    variable: 'SERVICE_INBOUND_MAIL_PORT',
    max: 65_535,
    defaultText: 'no mail server in this process',
    text: 'Port of the mail server, 25 to receive mail from the internet; 0 selects a free port. Requires the package `@trestle/inbound-mail`.',
  },
  address: {
    kind: 'text',
    variable: 'SERVICE_INBOUND_MAIL_ADDRESS',
    defaultText: 'the option `host`',
    text: 'Address on which the mail server listens.',
  },
  maxMessageBytes: {
    kind: 'whole',
    variable: 'SERVICE_INBOUND_MAIL_MAX_MESSAGE_BYTES',
    default: 10_485_760,
    min: 1024,
    max: 52_428_800,
    defaultText: '10 MiB',
    text: 'Maximum size of a mail.',
  },
  keyFile: {
    kind: 'text',
    variable: 'SERVICE_INBOUND_MAIL_KEY_FILE',
    defaultText: 'no TLS',
    text: 'File with the private key for STARTTLS, in PEM format.',
  },
  certFile: {
    kind: 'text',
    variable: 'SERVICE_INBOUND_MAIL_CERT_FILE',
    defaultText: 'no TLS',
    text: 'File with the certificate for STARTTLS, in PEM format.',
  },
  nameServers: {
    kind: 'nameServers',
    variable: 'SERVICE_INBOUND_MAIL_NAME_SERVERS',
    defaultText: "the system's name servers",
    text: 'Name servers for looking up the DNS records of domains and senders, as `address` or `address:port`.',
  },
} as const

/** Settings of `accounts`. */
export const accountRows = {
  enabled: {
    kind: 'flag',
    variable: 'SERVICE_ACCOUNTS',
    default: false,
    text: 'Whether the studio requires sign-in with an account and records changes in the audit log. Links and secret keys no longer open the studio.',
  },
  url: {
    kind: 'apiAddress',
    variable: 'SERVICE_STUDIO_URL',
    defaultText: 'the option `publicUrl`, or the address on which it listens',
    text: 'URL at which browsers reach the service, such as `https://notifications.example.com`. Cookies, one-time links and OpenID Connect use it.',
  },
  sessionMs: {
    kind: 'whole',
    variable: 'SERVICE_SESSION_MS',
    default: 604_800_000,
    min: 1000,
    max: 31_536_000_000,
    defaultText: '7 days',
    text: 'How long a session lasts after sign-in.',
  },
  idleMs: {
    kind: 'whole',
    variable: 'SERVICE_SESSION_IDLE_MS',
    default: 86_400_000,
    min: 1000,
    max: 31_536_000_000,
    defaultText: '1 day',
    text: 'How long a session lasts without activity. An open page of the studio counts as activity.',
  },
  auditRetentionMs: {
    kind: 'whole',
    variable: 'SERVICE_AUDIT_RETENTION_MS',
    default: 31_536_000_000,
    defaultText: '365 days',
    text: 'Age at which audit log entries are removed; 0 keeps them.',
  },
} as const

/** Settings of `oidc`. */
export const oidcRows = {
  issuer: {
    kind: 'apiAddress',
    variable: 'SERVICE_OIDC_ISSUER',
    defaultText: 'sign-in with passwords only',
    text: 'Issuer of the OpenID provider, such as `https://accounts.google.com`.',
  },
  clientId: {
    kind: 'text',
    variable: 'SERVICE_OIDC_CLIENT_ID',
    defaultText: 'none',
    text: 'Client ID at the provider. Its redirect URI there is `accounts.url` followed by `/studio/oidc/callback`.',
  },
  clientSecret: {
    kind: 'text',
    variable: 'SERVICE_OIDC_CLIENT_SECRET',
    isSecret: true,
    defaultText: 'none, for a public client',
    text: 'Client secret at the provider.',
  },
  name: {
    kind: 'text',
    variable: 'SERVICE_OIDC_NAME',
    default: 'single sign-on',
    min: 1,
    text: 'Name of the provider on the sign-in page.',
  },
  domains: {
    kind: 'list',
    variable: 'SERVICE_OIDC_DOMAINS',
    default: [],
    defaultText: 'all domains, for invited people only',
    text: 'Domains of the email addresses that can sign in through the provider.',
  },
  role: {
    kind: 'choice',
    variable: 'SERVICE_OIDC_ROLE',
    choices: ['none', 'viewer', 'editor', 'admin'],
    default: 'none',
    text: 'Role in all environments for people who sign in without an invitation. With `none` they are rejected; other roles require `domains`.',
  },
} as const
