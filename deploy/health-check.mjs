// Exits with 0 if the service on this machine is healthy; used as the health check of the image and of the systemd
// unit.

const { PORT: port = '3737' } = process.env
const timeoutMs = 4000
try {
  const reply = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(timeoutMs) })
  const text = (await reply.text()).slice(0, 1000)
  process.stdout.write(`${reply.status} ${text}\n`)
  process.exitCode = reply.ok ? 0 : 1
} catch (error) {
  process.stdout.write(`No answer at port ${port}: ${error.cause?.message ?? error.message}\n`)
  process.exitCode = 1
}
