import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { root } from '../repository.ts'
import { publicHost, temporaryFolder } from './service-command.ts'

const program = '/usr/sbin/nginx'

/** Whether nginx is installed. */
export const hasNginx: boolean = existsSync(program)

/**
 * Starts nginx with a self-signed certificate. It stops when the test ends.
 *
 * @param ports - The ports of the two processes.
 * @param configuration - The configuration, whose ports and certificate are replaced. @default `deploy/nginx.conf`
 * @returns The port of the proxy.
 */
export async function startNginx(
  ports: readonly [number, number],
  configuration: string = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8'),
): Promise<number> {
  const folder = temporaryFolder()
  const port = await findFreePort()
  const certificate = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${publicHost}`]
  execFileSync('openssl', [...certificate, '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')], {
    stdio: 'ignore',
  })
  const site = configuration
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('127.0.0.1:3737', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3738', `127.0.0.1:${ports[1]}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${folder}/key.pem;`)
  mkdirSync(join(folder, 'body'))
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;\n${site}\n}`,
  )
  const nginx: ChildProcess = spawn(program, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
  onTestFinished(async () => {
    nginx.kill('SIGQUIT')
    if (nginx.exitCode === null) await once(nginx, 'exit')
  })
  return port
}
