#!/usr/bin/env node
import { startService } from './start/start-service.ts'

try {
  const service = await startService()
  for (const { environment, applicationIdentifier, secretKey } of service.freshKeys)
    process.stderr.write(
      `${environment}: secret key ${secretKey}, application identifier ${applicationIdentifier}. The key is shown once.\n`,
    )
  process.stderr.write(`The notification service listens at ${service.url}\n`)
  const stop = (): void => {
    service.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
