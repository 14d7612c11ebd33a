import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { readText } from '../base/read-text.ts'
import { usualPath } from '../bridge/to-bridge-url.ts'
import { type AppPackage, tryAppPackage } from './read-package.ts'

/** Possible addresses of a bridge. */
export interface DefaultUrls {
  /** The ports, most likely first. */
  readonly ports: readonly number[]
  /** The paths, most likely first. */
  readonly paths: readonly string[]
  /** The web framework of the app, if detected. */
  readonly framework: string | undefined
}

/** The default ports of frameworks; the first framework in the dependencies is used. */
const frameworkPorts: readonly (readonly [dependency: string, ports: readonly number[]])[] = [
  ['next', [3000]],
  ['nuxt', [3000]],
  ['@sveltejs/kit', [5173]],
  ['astro', [4321]],
  ['@react-router/dev', [5173, 3000]],
  ['@nestjs/core', [3000]],
  ['wrangler', [8787]],
  ['fastify', [3000]],
  ['hono', [3000, 4000, 8787]],
  ['express', [3000, 4000]],
  ['koa', [3000]],
  ['h3', [3000]],
]
const commonPorts = [3000, 4000, 5173, 8787, 8080, 3001, 4321, 8000, 5000]
// The last one is usual for bridges that were migrated from the public framework.
const paths = [usualPath, '/bridge', '/api/novu']
const envFiles = ['.env.local', '.env']

/**
 * Returns possible addresses of the bridge in a folder: from scripts and environment, then the defaults of its
 * framework, then common ones.
 */
export function findDefaultUrls(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): DefaultUrls {
  const app = tryAppPackage(folder)
  const framework = frameworkPorts.find(([dependency]) => app?.dependencies.includes(dependency))
  const ports = [...portsOfScripts(app), ...portsOfEnvironment(folder, env), ...(framework?.[1] ?? []), ...commonPorts]
  return { ports: [...new Set(ports)], paths, framework: framework?.[0] }
}

function portsOfScripts(app: AppPackage | undefined): readonly number[] {
  const scripts = ['dev', 'start:dev', 'start'].flatMap((name) => app?.scripts[name] ?? [])
  const pattern = /(?:--port[= ]|(?:^|\s)-p[= ]?|PORT=)(\d{2,5})\b/g
  return scripts.flatMap((script) => [...script.matchAll(pattern)].map(([, port]) => Number(port))).filter(isPort)
}

function portsOfEnvironment(folder: string, env: Readonly<Record<string, string | undefined>>): readonly number[] {
  const files = envFiles.map((file) => join(folder, file)).filter((file) => existsSync(file))
  const values = [env['PORT'], ...files.map((file) => parseEnv(readText(file))['PORT'])]
  return values.map(Number).filter(isPort)
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536
