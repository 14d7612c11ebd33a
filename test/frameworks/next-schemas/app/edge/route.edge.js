import { serve } from '@trestle/next'
import { workflows } from '../../workflows.mjs'

export const runtime = 'edge'

export const { GET, POST, OPTIONS } = serve({ workflows, secretKey: 'sk' })
