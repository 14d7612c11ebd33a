import type { CommandOption } from '../terminal/command.ts'

/** Options that several commands share, in the same words. */
export const sharedOptions: Readonly<
  Record<'json' | 'bridge' | 'api' | 'key' | 'listed' | 'signature-header', CommandOption>
> = Object.freeze({
  json: { text: 'prints the result as JSON' },
  bridge: { value: 'URL', text: 'where the bridge is; found on this machine where it is left out' },
  listed: { text: 'fails if a list of steps is incomplete, for services that run only listed steps' },
  'signature-header': {
    value: 'NAME',
    text: 'the only header with the signature of bridge calls; two are sent without it',
  },
  api: { value: 'URL', text: 'where the REST API is; SERVICE_API_URL, else the service of trestle dev' },
  key: { value: 'KEY', text: 'the secret key; SERVICE_SECRET_KEY or the .env files of the app where it is left out' },
})
