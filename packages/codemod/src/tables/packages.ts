/** Packages of Trestle by the module that was imported before. */
export const packages: Readonly<Record<string, string>> = {
  '@novu/framework': '@trestle/core',
  '@novu/framework/express': '@trestle/express',
  '@novu/framework/h3': '@trestle/h3',
  '@novu/framework/hono': '@trestle/hono',
  '@novu/framework/lambda': '@trestle/lambda',
  '@novu/framework/nest': '@trestle/nest',
  '@novu/framework/next': '@trestle/next',
  '@novu/framework/nuxt': '@trestle/h3',
  '@novu/framework/remix': '@trestle/react-router',
  '@novu/framework/sveltekit': '@trestle/sveltekit',
}

/** Names that are called something else now. */
export const renamed: Readonly<Record<string, string>> = { NovuModule: 'BridgeModule' }

/** Names that were imported before and have no counterpart, with what to do instead. */
export const gone: Readonly<Record<string, string>> = {
  NovuRequestHandler: 'Call createBridge(options) and use its fetch, or toNodeHandler for node:http.',
  SeverityLevelEnum: "Write the severity as a text: 'none', 'low', 'medium' or 'high'.",
  providerSchemas: 'The fields of providers are types: ProviderFields.',
  step: 'Steps are only there inside of a workflow: async ({ step }) => …',
  Actions: 'Build cards with actions() of @trestle/core.',
  Button: 'Build cards with button() of @trestle/core.',
  Card: 'Build cards with card() of @trestle/core.',
  CardLink: 'Build cards with link() of @trestle/core.',
  CardText: 'Build cards with text() of @trestle/core.',
  Divider: 'Build cards with divider() of @trestle/core.',
  Image: 'Build cards with image() of @trestle/core.',
  Select: 'Build cards with select() of @trestle/core.',
  SelectOption: 'Give select() of @trestle/core its options as a list.',
  TextInput: 'Cards have no text input; ask with a select or buttons.',
}

/** Variables of the environment by the name they had. */
export const variables: Readonly<Record<string, string>> = {
  NOVU_SECRET_KEY: 'SERVICE_SECRET_KEY',
  NOVU_API_KEY: 'SERVICE_API_KEY',
  NOVU_API_URL: 'SERVICE_API_URL',
  NOVU_STRICT_AUTHENTICATION_ENABLED: 'SERVICE_STRICT_AUTHENTICATION_ENABLED',
}
