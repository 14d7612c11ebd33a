import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const scripts = fileURLToPath(new URL('../../.scripts/start/', import.meta.url))

/** Runs the script of `npm start`, without building. */
function runExample(): Promise<{ status: number | null; output: string }> {
  const code = `import { run } from ${JSON.stringify(`${scripts}run.mjs`)}; process.exit(await run({ once: true }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: scripts })
  let output = ''
  const note = (chunk: Buffer): void => {
    output += chunk
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  return new Promise((resolve) => child.on('exit', (status) => resolve({ status, output })))
}

test('npm start shows runs, messages and conversations, and exits with status 0', async () => {
  const { status, output } = await runExample()
  expect(output).toContain('everything as it should be')
  expect(status).toBe(0)
  for (const line of [
    /order-shipped +in_app, delay, email/,
    /wait +completed +Delay is finished/,
    /email +skipped +Step was skipped/,
    /collect +merged/,
    /inbox of ada +Order A-1047 is on its way/,
    /email to ada@example\.com +3 new comments on On bridges \| .*Grace: It holds\./,
    /sms to \+15550100 +271828 is your code/,
    /Ada +Where is order 1047\?\n +agent +Order 1047 is on its way/,
    /agent asks +Refund order 1047\?\n +Ada +Refund\n +agent +Order 1047 is refunded\.\n +resolved +Refunded order 1047/,
    /bell +0 unread\n +bell +new: Grace mentioned you\n +bell +1 unread/,
    /Ada +I want to talk to a human\.\n +agent +A colleague of mine .*\n +started +customer-waits for support-team/,
  ])
    expect(output).toMatch(line)
})
