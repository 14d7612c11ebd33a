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
  ClientOptions: 'Its options are those of serve: BridgeOptions from @trestle/core.',
  providerSchemas: 'Provider fields are described by a type: ProviderFields.',
  step: 'Steps only exist inside a workflow: async ({ step }) => …',
  Actions: 'Build cards with actions() from @trestle/core, or with <Actions> from @trestle/core/cards.',
  Button: 'Build cards with button() from @trestle/core, or with <Button> from @trestle/core/cards.',
  Card: 'Build cards with card() from @trestle/core, or with <Card> from @trestle/core/cards.',
  CardLink: 'Build cards with link() from @trestle/core, or with <Link> from @trestle/core/cards.',
  CardText: 'Build cards with text() from @trestle/core, or with <Text> from @trestle/core/cards.',
  Divider: 'Build cards with divider() from @trestle/core, or with <Divider> from @trestle/core/cards.',
  Image: 'Build cards with image() from @trestle/core, or with <Image> from @trestle/core/cards.',
  Select: 'Build cards with select() from @trestle/core, or with <Select> from @trestle/core/cards.',
  SelectOption:
    'Pass the options as a list to select() from @trestle/core, or as <Option> children to <Select> from @trestle/core/cards.',
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
