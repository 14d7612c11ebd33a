#!/usr/bin/env node
import { findMisspelledVariables } from './config/misspelled-variables.ts'
import { readArguments } from './start/read-arguments.ts'
import { startService } from './start/start-service.ts'

/**
 * How long the service keeps accepting connections on shutdown: longer than the keep-alive timeout of common proxies.
 */
const drainMs = 2000

const line = readArguments(process.argv.slice(2))
if (line.serves) await serve()
else {
  const stream = line.status === 0 ? process.stdout : process.stderr
  stream.write(line.output)
  process.exitCode = line.status
}

async function serve(): Promise<void> {
  try {
    for (const { name, meant } of findMisspelledVariables(process.env))
      process.stderr.write(`${name} is not a setting and is ignored. Did you mean ${meant}?\n`)
    const service = await startService()
    const stop = (): void => {
      service.stop({ drainMs }).then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    // Printed before the URL, because the reader of the URL may stop the service immediately.
    for (const { environment, applicationIdentifier, secretKey } of service.freshKeys)
      process.stderr.write(
        `${environment}: secret key ${secretKey}, application identifier ${applicationIdentifier}. The key is shown once.\n`,
      )
    if (service.firstAdminLink !== undefined)
      process.stderr.write(
        `No admin exists yet. This link creates the first one; it can be used once and expires after an hour: ${service.firstAdminLink}\n`,
      )
    process.stderr.write(`The notification service listens at ${service.url}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
