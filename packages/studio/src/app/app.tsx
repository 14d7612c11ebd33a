import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { ApiFailure } from '../api/api-failure.ts'
import { useKeptFocus } from '../frame/kept-focus.ts'
import { Shell } from '../frame/shell.tsx'
import { LiveEvents } from '../session/live.tsx'
import { SessionGate } from '../session/session-gate.tsx'
import { Toasts } from '../ui/overlay/toasts.tsx'
import { PageFailure } from './page-failure.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { routes } from './routes.tsx'

const staleMs = 2000
const maxRetries = 2

const client = new QueryClient({
  defaultOptions: {
    // The service is on this machine, where it is reached without a network too.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: staleMs,
      // What the service refused it refuses again; what it did not hear may be heard.
      retry: (count, error) => count < maxRetries && !(error instanceof ApiFailure && error.details.status !== 0),
    },
  },
})

/** The studio: session, frame and the page that the address names. */
export function App(): ReactNode {
  useKeptFocus()
  return (
    <QueryClientProvider client={client}>
      <Router base="/studio">
        <SessionGate>
          <LiveEvents>
            <Toasts>
              <Shell>
                <PageFailure>
                  <Suspense fallback={<PageSkeleton />}>
                    <Switch>
                      {routes.map(({ path, page: Page }) => (
                        <Route key={path} path={path}>
                          <Page />
                        </Route>
                      ))}
                    </Switch>
                  </Suspense>
                </PageFailure>
              </Shell>
            </Toasts>
          </LiveEvents>
        </SessionGate>
      </Router>
    </QueryClientProvider>
  )
}
