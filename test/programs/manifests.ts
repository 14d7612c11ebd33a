import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createBridge, type WorkflowDefinition } from '@trestle/core'
import { signedRequest } from '@trestle/testing'
import fc from 'fast-check'
import { program } from './draw.ts'
import { number } from './program.ts'
import { toWorkflow } from './service.ts'
import { toSource } from './source.ts'

const secretKey = 'manifests-secret'
const seed = 20261126

/** Generates different programs as workflows. */
export function drawWorkflows(count: number): readonly (() => WorkflowDefinition)[] {
  return fc
    .sample(program, { numRuns: count, seed })
    .map((drawn) => number(drawn))
    .map((numbered) => ({ source: toSource(numbered), schema: numbered.schema }))
    .map(
      ({ source, schema }, index) =>
        () =>
          toWorkflow(`program-${index}`, source, schema),
    )
}

/** Discovers new instances of workflows in one bridge, and returns their manifests by id. */
export async function discover(workflows: readonly (() => WorkflowDefinition)[]): Promise<ReadonlyMap<string, string>> {
  const logger = { warn: () => undefined, error: () => undefined }
  const bridge = createBridge({
    workflows: workflows.map((create) => create()),
    secretKey,
    strictAuthentication: true,
    timeoutMs: 300_000,
    logger,
  })
  const { url, ...request } = await signedRequest({ action: 'discover' }, { secretKey })
  const body = await (await bridge.fetch(new Request(url, request))).json()
  // A program that cannot be discovered must fail in the same way each time.
  const failures: { workflowId: string }[] = body.data?.errors ?? []
  const manifests: { workflowId: string }[] = body.workflows ?? body.data.workflows
  return new Map([...manifests, ...failures].map((one) => [one.workflowId, JSON.stringify(one)]))
}

/** Runs a function while other processes compute continuously. */
export async function underLoad<TResult>(loops: number, run: () => Promise<TResult>): Promise<TResult> {
  const busy = Array.from({ length: loops }, () =>
    spawn(process.execPath, ['-e', "console.log('started'); for (;;);"], { stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  try {
    await Promise.all(busy.map(({ stdout }) => once(stdout, 'data')))
    return await run()
  } finally {
    for (const child of busy) child.kill('SIGKILL')
  }
}
