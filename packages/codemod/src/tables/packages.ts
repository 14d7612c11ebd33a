/** The Trestle packages that replace former modules, by module. */
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

/** Names that stay in the package of their web framework; the former packages re-exported all other names. */
export const ofAdapters: readonly string[] = ['serve', 'NovuModule']

/** The new packages of names that did not move to the package of their module. */
export const homes: Readonly<Record<string, string>> = {
  workflow: '@trestle/core',
  Workflow: '@trestle/core',
  ServeHandlerOptions: '@trestle/core',
  agent: '@trestle/core/agents',
}

/** Former names with their new name. */
export const renamed: Readonly<Record<string, string>> = {
  NovuModule: 'BridgeModule',
  ServeHandlerOptions: 'BridgeOptions',
}

/** Former names without a replacement, with what to do instead. */
export const removedNames: Readonly<Record<string, string>> = {
  NovuRequestHandler: 'Call createBridge(options) and use its fetch, or toNodeHandler for node:http.',
  SeverityLevelEnum: "Write the severity as a string: 'none', 'low', 'medium' or 'high'.",
  ClientOptions: 'Its options are those of serve: BridgeOptions of @trestle/core.',
  providerSchemas: 'The fields of providers are types: ProviderFields.',
  step: 'Steps only exist inside a workflow: async ({ step }) => …',
  Actions: 'Build cards with actions() of @trestle/core, or with <Actions> of @trestle/core/cards.',
  Button: 'Build cards with button() of @trestle/core, or with <Button> of @trestle/core/cards.',
  Card: 'Build cards with card() of @trestle/core, or with <Card> of @trestle/core/cards.',
  CardLink: 'Build cards with link() of @trestle/core, or with <Link> of @trestle/core/cards.',
  CardText: 'Build cards with text() of @trestle/core, or with <Text> of @trestle/core/cards.',
  Divider: 'Build cards with divider() of @trestle/core, or with <Divider> of @trestle/core/cards.',
  Image: 'Build cards with image() of @trestle/core, or with <Image> of @trestle/core/cards.',
  Select: 'Build cards with select() of @trestle/core, or with <Select> of @trestle/core/cards.',
  SelectOption:
    'Give select() of @trestle/core its options as a list, or give <Select> of @trestle/core/cards <Option> children.',
  TextInput: 'Cards have no text input; ask with a select or with buttons.',
}

/** Environment variables by their former name. */
export const variables: Readonly<Record<string, string>> = {
  NOVU_SECRET_KEY: 'SERVICE_SECRET_KEY',
  NOVU_API_KEY: 'SERVICE_API_KEY',
  NOVU_API_URL: 'SERVICE_API_URL',
  NOVU_STRICT_AUTHENTICATION_ENABLED: 'SERVICE_STRICT_AUTHENTICATION_ENABLED',
}

/** Packages that read `NOVU_SECRET_KEY` themselves. */
export const readers: readonly string[] = ['@novu/api', '@novu/node', 'novu']
