import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { Route, Router, Switch } from 'wouter'
import { ApiFailure } from '../api/api-failure.ts'
import { useFocusRestore } from '../frame/restore-focus.ts'
import { Shell } from '../frame/shell.tsx'
import { SessionGate } from '../session/entry/session-gate.tsx'
import { LiveEvents } from '../session/live.tsx'
import { Tips } from '../ui/overlay/tips.tsx'
import { Toasts } from '../ui/overlay/toasts.tsx'
import { PageFailure } from './page-failure.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { routes } from './routes.tsx'

const staleMs = 2000
const maxRetries = 2

const client = new QueryClient({
  defaultOptions: {
    // The service runs on this machine, so no network is needed.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: staleMs,
      // A rejected request would be rejected again; a request without a response may succeed.
      retry: (count, error) => count < maxRetries && !(error instanceof ApiFailure && error.details.status !== 0),
    },
  },
})

/** The studio: session, frame and the current page. */
export function App(): ReactNode {
  useFocusRestore()
  return (
    <QueryClientProvider client={client}>
      <Router base="/studio">
        <Tips />
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
