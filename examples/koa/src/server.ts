import Router from '@koa/router'
import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/koa'
import Koa from 'koa'

const router = new Router()
router.all('/api/bridge', serve({ workflows }))

const port = Number(process.env['PORT'] ?? 4000)
new Koa().use(router.routes()).listen(port, () => console.log(`The bridge is at http://localhost:${port}/api/bridge`))
