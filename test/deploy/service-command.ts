import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, vi } from 'vitest'

const bin = fileURLToPath(new URL('../../packages/service/dist/bin.js', import.meta.url))
const encryptionKey = Buffer.alloc(32, 9).toString('base64')

/** The host name of the proxy. */
export const publicHost = 'notifications.example.com'

/** A process of the service. */
export interface Process {
  readonly port: number
  readonly keys: readonly string[]
  stop(): Promise<number | null>
}

/** Creates a folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-rolling-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Starts the command like the systemd unit, with the settings of `service.env`. Rejects with the command's output if
 * the command ends.
 *
 * @param command - The path of the command. @default that of this build
 */
export async function startCommand(
  port: number,
  env: Readonly<Record<string, string>>,
  command: string = bin,
): Promise<Process> {
  const child = spawn(process.execPath, [command], {
    cwd: temporaryFolder(),
    env: {
      ...{
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        LOG_LEVEL: 'silent',
      },
      ...{
        SERVICE_ENCRYPTION_KEY: encryptionKey,
        SERVICE_ALLOWED_HOSTS: publicHost,
        SERVICE_SAFE_OUTBOUND_ALLOW: '',
        ...env,
      },
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  await vi.waitFor(() => {
    if (child.exitCode !== null) throw new Error(output)
    expect(output).toContain('listens at')
  }, 60_000)
  return {
    port,
    keys: [...output.matchAll(/secret key (sk_\w+)/g)].map(([, key = '']) => key),
    async stop() {
      child.kill('SIGTERM')
      const [status] = await once(child, 'exit')
      return status
    },
  }
}
