#!/usr/bin/env node
import { runTrestle } from './main/run-trestle.ts'

const ending = new AbortController()
let asked = 0
const end = (): void => {
  // Whoever asks twice does not want to wait.
  if (++asked > 1) process.exit(130)
  ending.abort(new Error('The command was asked to end.'))
}
process.on('SIGINT', end)
process.on('SIGTERM', end)
process.on('SIGHUP', end)
// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

const status = await runTrestle(process.argv.slice(2), { signal: ending.signal })
// Everything was ended; a connection that is kept open must not hold the process.
process.stdout.write('', () => process.exit(status))
