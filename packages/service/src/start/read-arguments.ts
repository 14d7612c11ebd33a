import { readFileSync } from 'node:fs'

/** What the command shall do: serve, or say something and end with a status. */
export type CommandLine =
  | { readonly serves: true }
  | { readonly serves: false; readonly output: string; readonly status: 0 | 2 }

const help = `trestle-service: the notification service, until it is interrupted.

Usage: npx @trestle/service [--help | --version]

It is set up by the environment:
  PORT                    where it listens, 3737 if nothing is said; 0 for any port that is free
  HOST                    the address it listens at, 127.0.0.1 if nothing is said
  DATABASE_URL            a PostgreSQL database; without it there is an embedded one
  SERVICE_DATA_FOLDER     holds the embedded database and the encryption key, .trestle if nothing is said
  SERVICE_ENCRYPTION_KEY  32 bytes, as base64 or hexadecimal text; without it a file in the data folder
  SERVICE_PREVIOUS_ENCRYPTION_KEYS
                          keys that were in use before, separated by commas
  SERVICE_PUBLIC_URL      where bridges reach this API, the address it listens at if nothing is said
  SERVICE_ALLOWED_HOSTS   other names by which the API may be called at the loopback, separated by commas
  SERVICE_SOCKET_PORT     the port of the Socket.IO server of inboxes; none if nothing is said
  SERVICE_INBOUND_MAIL_HOST
                          the name of the mail server of inbound domains; they are off if nothing is said
  SERVICE_INBOUND_MAIL_PORT
                          the port of the mail server, 25 for mail from elsewhere; none if nothing is said
  SERVICE_BRIDGE_SIGNATURE_HEADER
                          the only header with the signature of bridge calls; two are sent if nothing is said
  SERVICE_RATE_LIMIT_PLAN free, pro, team or enterprise; off if nothing is said
  SERVICE_SAFE_OUTBOUND_ALLOW
                          ranges of addresses that are opened for bridges and webhooks, separated by commas
  LOG_LEVEL               trace, debug, info, warn, error or silent
All of it is in the README of @trestle/service.
`

/**
 * Reads the arguments of the command.
 *
 * @param args - The arguments, without the program and the script.
 */
export function readArguments(args: readonly string[]): CommandLine {
  const [first, ...others] = args
  if (first === undefined) return { serves: true }
  if (others.length === 0 && (first === '--help' || first === '-h')) return { serves: false, output: help, status: 0 }
  if (others.length === 0 && (first === '--version' || first === '-v'))
    return { serves: false, output: `${readVersion()}\n`, status: 0 }
  const unknown = args.find((argument) => !/^(?:--help|-h|--version|-v)$/.test(argument))
  const fault = unknown === undefined ? 'It takes one argument' : `There is no argument ${JSON.stringify(unknown)}`
  const output = `${fault}. The service is set up by the environment, such as PORT=8080: see --help.\n`
  return { serves: false, output, status: 2 }
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
