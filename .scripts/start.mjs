import { prepare, startedExamples } from './prepare.mjs'

// npm start: runs the workflow, agent and inbox examples under trestle dev, and shows what happens. With --once, it
// then exits.

async function main() {
  if (!prepare([...startedExamples, '@trestle/cli'])) return 1
  // Requires the build output.
  const { run } = await import('./start/run.mjs')
  return run({ once: process.argv.includes('--once') })
}

try {
  const status = await main()
  if (status !== undefined) process.exit(status)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
