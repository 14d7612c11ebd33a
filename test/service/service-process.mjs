import { startService } from '@trestle/service'

// A service in a separate process that a test can kill. It reads its options from the variable SERVICE_OPTIONS, and
// receives triggers and events as messages from its parent.

const options = JSON.parse(process.env.SERVICE_OPTIONS ?? '{}')
const service = await startService({ port: 0, logLevel: 'silent', ...options })

process.on('message', ({ number, batch, event }) => {
  const work = event ? service.engine.emit(event) : service.engine.accept(batch)
  work.then(
    (results) => process.send?.({ number, results }),
    (error) => process.send?.({ number, fault: String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: service.url, mailPort: service.mailPort })
