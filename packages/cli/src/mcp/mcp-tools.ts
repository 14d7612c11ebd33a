import { bridgeTools } from './bridge-tools.ts'
import { docsTools } from './docs-tools.ts'
import { messageTools } from './message-tools.ts'
import { runTools } from './run-tools.ts'
import type { McpTool } from './tool.ts'

/** The tools, in listed order. */
export const mcpTools: readonly McpTool[] = Object.freeze([...docsTools, ...bridgeTools, ...runTools, ...messageTools])
