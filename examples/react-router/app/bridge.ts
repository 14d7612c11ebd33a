import { workflows } from '@trestle/example-workflows'
import { serve } from '@trestle/react-router'

const bridge = serve({ workflows })

export const loader = bridge.loader
export const action = bridge.action
