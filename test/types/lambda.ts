import { serve } from '@trestle/lambda'
import type { ALBHandler, APIGatewayProxyHandler, APIGatewayProxyHandlerV2, LambdaFunctionURLHandler } from 'aws-lambda'

// The handler is one of each kind of caller.
export const restApi: APIGatewayProxyHandler = serve({ workflows: [] })
export const httpApi: APIGatewayProxyHandlerV2 = serve({ workflows: [] })
export const functionUrl: LambdaFunctionURLHandler = serve({ workflows: [] })
export const loadBalancer: ALBHandler = serve({ workflows: [] })
