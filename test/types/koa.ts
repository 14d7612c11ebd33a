import { serve } from '@trestle/koa'
import Koa from 'koa'

const app = new Koa<{ user: string }>()
app.use(serve({ workflows: [] }))

// Called by a middleware in the app.
app.use(async (context, next) => {
  if (context.path !== '/api/later') return next()
  await serve({ workflows: [] })(context)
})
