import 'hono'
import 'node:crypto'
import '@trestle/core'
import '@trestle/hono'

new Request('http://a/')
process.exit()
