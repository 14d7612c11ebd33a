import { fetchMount } from './mounts/fetch.ts'
import { nodeMount, parsedNodeMount } from './mounts/node.ts'
import { conformance } from './suite.ts'

conformance(nodeMount, 'daily')
conformance(parsedNodeMount, 'never')
conformance(fetchMount, 'daily')
