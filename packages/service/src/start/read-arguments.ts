import { readFileSync } from 'node:fs'

/** The action of the command: serve, or print a message and exit with a status. */
export type CommandLine =
  | { readonly serves: true }
  | { readonly serves: false; readonly output: string; readonly status: 0 | 2 }

const help = `trestle-service: the notification service, until it is interrupted.

Usage: npx @trestle/service [--help | --version]

Configure it with environment variables:
  PORT                    the port to listen on; 3737 by default, 0 for any free port
  HOST                    the address to listen on; 127.0.0.1 by default
  DATABASE_URL            a PostgreSQL database; embedded SQLite by default
  SERVICE_DATA_FOLDER     for the embedded database and the encryption key; .trestle by default
  SERVICE_ENCRYPTION_KEY  32 bytes, in base64 or hexadecimal; a file in the data folder by default
  SERVICE_PREVIOUS_ENCRYPTION_KEYS
                          earlier keys, separated by commas
  SERVICE_PUBLIC_URL      the URL of this API for bridges; the listening address by default
  SERVICE_ALLOWED_HOSTS   additional host names for calls on loopback, separated by commas
  SERVICE_SOCKET_PORT     the port of the Socket.IO server of inboxes; off by default
  SERVICE_INBOUND_MAIL_HOST
                          the host name of the mail server for inbound domains; off by default
  SERVICE_INBOUND_MAIL_PORT
                          the port of the mail server, 25 for external mail; off by default
  SERVICE_BRIDGE_SIGNATURE_HEADER
                          the only signature header of bridge calls; two headers by default
  SERVICE_RATE_LIMIT_PLAN free, pro, team or enterprise; off by default
  SERVICE_SAFE_OUTBOUND_ALLOW
                          address ranges allowed for bridges and webhooks, separated by commas
  LOG_LEVEL               trace, debug, info, warn, error or silent
The README of @trestle/service describes all settings.
`

/**
 * Parses the command-line arguments.
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
  const fault = unknown === undefined ? 'Expected at most one argument' : `Unknown argument ${JSON.stringify(unknown)}`
  const output = `${fault}. Configure the service with environment variables, such as PORT=8080. See --help.\n`
  return { serves: false, output, status: 2 }
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
