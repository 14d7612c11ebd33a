import { readFileSync } from 'node:fs'
import { listVariables } from '../config/shape/describe-settings.ts'

/** The action of the command: serve, or print a message and exit with a status. */
export type CommandLine =
  | { readonly serves: true }
  | { readonly serves: false; readonly output: string; readonly status: 0 | 2 }

const usage = `trestle-service: the notification service, until it is interrupted.

Usage: npx @trestle/service [--help | --version]

Configure it with environment variables:
`

function toHelp(): string {
  const lines = listVariables().map(
    ({ variable, text, defaultText }) => `  ${variable}\n      ${toPlain(text)} Default: ${toPlain(defaultText)}\n`,
  )
  return `${usage}${lines.join('')}`
}

/** The texts are Markdown. */
const toPlain = (text: string): string => text.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')

/**
 * Parses the command-line arguments.
 *
 * @param args - The arguments, without the program and the script.
 */
export function readArguments(args: readonly string[]): CommandLine {
  const [first, ...others] = args
  if (first === undefined) return { serves: true }
  if (others.length === 0 && (first === '--help' || first === '-h'))
    return { serves: false, output: toHelp(), status: 0 }
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
