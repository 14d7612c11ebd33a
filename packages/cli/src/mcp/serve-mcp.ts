import { isObject } from '@trestle/protocol'
import type { HttpCall, HttpReply } from '@trestle/service'
import { version } from '../base/version.ts'
import { CommandError } from '../terminal/command-error.ts'
import { toProblem } from '../terminal/print-problem.ts'
import { mcpTools } from './mcp-tools.ts'
import { shorten } from './shorten.ts'
import type { McpPlace } from './tool.ts'

/** The supported versions of the Model Context Protocol, newest first. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const maxBodyBytes = 4 * 1024 * 1024
const parseError = -32_700
const invalidRequest = -32_600
const methodNotFound = -32_601
const invalidParams = -32_602

const instructions = [
  'Tools for writing, running and verifying the notification workflows of an app that runs next to this local service.',
  'To learn how to write a workflow, use search_docs. After a code change call sync and read its warnings.',
  'Check a step with preview_step. Then call run_workflow, and check each rendered step, each message and its error in `runs`.',
  'list_runs and show_run return earlier runs, including those that the app triggered; list_outbox and read_inbox return the messages of recipients.',
  'If calls to the app fail, use doctor; search_docs explains error codes.',
].join(' ')

interface RpcRequest {
  readonly id: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Handles a Model Context Protocol call over HTTP: one message per call, with a JSON response and without sessions.
 *
 * @param place - The service and the bridge that the tools use.
 */
export async function serveMcp(call: HttpCall, place: Omit<McpPlace, 'signal'>): Promise<HttpReply> {
  // The server never sends unsolicited messages.
  if (call.method !== 'POST') return { status: 405, headers: { allow: 'POST' }, body: undefined }
  if (!/^application\/json\b/i.test(call.header('content-type') ?? ''))
    return reply(415, toError(null, invalidRequest, 'The content type must be application/json.'))
  // Clients of the first protocol versions do not send one.
  const spoken = call.header('mcp-protocol-version')
  if (spoken !== undefined && !versions.includes(spoken))
    return reply(400, toError(null, invalidRequest, `MCP-Protocol-Version must be one of ${versions.join(', ')}.`))
  let message: unknown
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await call.readBody(maxBodyBytes)))
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
    return reply(400, toError(null, parseError, 'The body is not JSON.'))
  }
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    return reply(400, toError(null, invalidRequest, 'Send one JSON-RPC 2.0 message per request.'))
  const { id, method, params } = message
  // Ignores notifications, and responses to requests that were never sent.
  if (id === undefined || typeof method !== 'string') return { status: 202, headers: {}, body: undefined }
  if (typeof id !== 'string' && typeof id !== 'number')
    return reply(400, toError(null, invalidRequest, 'The id must be a string or a number.'))
  return reply(
    200,
    await answer({ id, method, params: isObject(params) ? params : {} }, { ...place, signal: call.signal }),
  )
}

async function answer({ id, method, params }: RpcRequest, place: McpPlace): Promise<object> {
  if (method === 'initialize') {
    const requestedVersion = params['protocolVersion']
    return toResult(id, {
      protocolVersion: versions.find((one) => one === requestedVersion) ?? versions[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'trestle', version: version() },
      instructions,
    })
  }
  if (method === 'ping') return toResult(id, {})
  if (method === 'tools/list')
    return toResult(id, {
      tools: mcpTools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
        ...{ name, title, description, inputSchema, outputSchema },
        annotations: { title, ...annotations },
      })),
    })
  if (method === 'tools/call') return callTool(id, params, place)
  return toError(id, methodNotFound, `Unknown method ${method}.`)
}

async function callTool(id: string | number, params: RpcRequest['params'], place: McpPlace): Promise<object> {
  const tool = mcpTools.find(({ name }) => name === params['name'])
  if (!tool) return toError(id, invalidParams, `Unknown tool ${JSON.stringify(params['name'])}.`)
  try {
    const result = shorten(await tool.run(params['arguments'], place))
    return toResult(id, { content: toContent(result), structuredContent: result })
  } catch (error) {
    // The agent should read the error and continue, so this is a result and not a protocol error. It has no structured
    // content, because that would have to match the tool's schema.
    const { code, message, why, fix } = toProblem(error)
    if (!(error instanceof CommandError) && place.signal.aborted) throw error
    const problem = { error: { code: code ?? null, message, why: why ?? null, fix: fix ?? null } }
    return toResult(id, { content: toContent(problem), isError: true })
  }
}

const toContent = (value: object): object => [{ type: 'text', text: JSON.stringify(value, null, 2) }]
const toResult = (id: string | number, result: object): object => ({ jsonrpc: '2.0', id, result })
const toError = (id: string | number | null, code: number, message: string): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const reply = (status: number, body: object): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
