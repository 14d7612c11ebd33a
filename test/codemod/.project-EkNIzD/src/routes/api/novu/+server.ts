import { serve } from '@trestle/sveltekit'
import { commentDigest } from '../../../lib/workflows'

export const { GET, POST, OPTIONS } = serve({ workflows: [commentDigest] })
