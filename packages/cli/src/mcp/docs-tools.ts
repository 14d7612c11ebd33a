import { searchDocs } from '../catalogue/search-docs.ts'
import { listOf, objectOf, string } from './schemas.ts'
import { createTool, type McpTool, readsOnly } from './tool.ts'
import { limit, required, text } from './tool-input.ts'

/** The tools that read the documentation of this version. */
export const docsTools: readonly McpTool[] = Object.freeze([
  createTool({
    name: 'search_docs',
    title: 'Search the documentation',
    description:
      'Searches the documentation of the installed version: the guide to writing workflows, the test kit, every error code with its fix, the REST API, agents, the inbox. Returns whole sections with code, best match first. Search for names (step.digest, controlSchema), error codes or a few words.',
    input: { query: required(text('Words, names or an error code.')), limit: limit(5, 15) },
    output: { sections: listOf(objectOf({ page: string, title: string, text: string })) },
    hints: readsOnly,
    run: async ({ query, limit: count }) => ({ sections: searchDocs(query, count) }),
  }),
])
