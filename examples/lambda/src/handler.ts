import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/lambda'

export const handler = serve({ workflows })
