import type { CommandOption } from '../../terminal/command.ts'

/** Options that several commands share, with the same wording. */
export const sharedOptions: Readonly<
  Record<'json' | 'bridge' | 'api' | 'key' | 'listed' | 'signature-header', CommandOption>
> = Object.freeze({
  json: { text: 'prints the result as JSON' },
  bridge: { value: 'URL', text: 'the address of the bridge (default: search on this machine)' },
  listed: { text: 'fails if a list of steps is incomplete, for services that run only listed steps' },
  'signature-header': {
    value: 'NAME',
    text: 'the only header with the signature of bridge calls (default: two headers)',
  },
  api: { value: 'URL', text: 'the address of the REST API (default: SERVICE_API_URL, then trestle dev)' },
  key: { value: 'KEY', text: 'the secret key (default: SERVICE_SECRET_KEY, then the .env files of the app)' },
})
