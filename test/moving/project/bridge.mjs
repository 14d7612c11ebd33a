import { agent, serve } from '@novu/framework/sveltekit'
import { checks, orderShipped } from './workflows.mjs'

const support = agent('support', { onMessage: async () => 'Hello' })

export const { GET, POST, OPTIONS } = serve({ workflows: [orderShipped, checks], agents: [support] })
