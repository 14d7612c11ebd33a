#!/usr/bin/env node
import { runTrestle } from './main/run-trestle.ts'

const ending = new AbortController()
let stopRequests = 0
const end = (): void => {
  // A second signal ends the process immediately.
  if (++stopRequests > 1) process.exit(130)
  ending.abort(new Error('The command was interrupted.'))
}
process.on('SIGINT', end)
process.on('SIGTERM', end)
process.on('SIGHUP', end)
let isRead = true
// A reader such as head closes the pipe; a terminal closes with its window.
const leave = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  isRead = false
  ending.abort(new Error('The output is closed.'))
}
process.stdout.on('error', leave)
process.stderr.on('error', leave)

const status = await runTrestle(process.argv.slice(2), { signal: ending.signal })
// Everything has finished; an open connection must not keep the process alive.
process.stdout.write('', () => process.exit(isRead ? status : 0))
