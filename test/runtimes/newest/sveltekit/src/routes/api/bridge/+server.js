import { serve } from '@trestle/sveltekit'
import { vectorWorkflows } from '../../../vector-workflows'

export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows: vectorWorkflows })
