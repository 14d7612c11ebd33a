import { serve } from '@trestle/next'
import { workflows } from '../../../workflows'

export const { GET, POST, OPTIONS, HEAD, PUT, PATCH, DELETE } = serve({ workflows })
